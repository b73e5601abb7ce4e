//! What hostile boards say, in bytes.

use dgt_protocol::{ClockReport, ClockTime, Command, Lever, Piece, SideTime, id};

use super::HostileKind;
use crate::random::Random;

/// Length of the head of a message: what it is, and its length in two bytes.
const HEAD: usize = 3;

/// Bytes of random noise at a time: 9600 baud, a hundred times a second.
const NOISE: usize = 10;

/// Field updates at a time: 9600 baud, fifty times a second.
const UPDATES: usize = 3;

/// Bytes of a flood at a time: a megabyte a second, a hundred times a second.
const FLOOD: usize = 10_000;

/// Serial numbers that no board has: paths, levels and wildcards of topics, markup, orders to a terminal, ends of lines.
const TEXTS: [&[u8; 5]; 8] =
    [b"a/#+b", b"../..", b"<b>a<", b"\x1b[2Jx", b"\r\n\0\t\x07", b"&lt;'", b"     ", b"%2e%0"];

/// A rank without pieces.
const NO_PIECES: &str = "        ";

/// The codes of a black and a white king.
const KINGS: [u8; 2] = [Piece::BlackKing.to_byte(), Piece::WhiteKing.to_byte()];

/// Returns what a board of this kind answers to a command.
pub(super) fn answer(kind: HostileKind, command: u8, serial: &str, turn: u64) -> Option<Vec<u8>> {
    let identified = match kind {
        HostileKind::Silent | HostileKind::Hang | HostileKind::Reset | HostileKind::RandomBytes => {
            return None;
        }
        HostileKind::SerialText => text(turn).to_vec(),
        HostileKind::SerialChanging => changing(turn),
        HostileKind::FullBoard
        | HostileKind::SixtyKings
        | HostileKind::Flicker
        | HostileKind::ClockGarbage
        | HostileKind::PressEveryScan
        | HostileKind::Reopening
        | HostileKind::Flood => serial.as_bytes().to_vec(),
    };
    let command = Command::from_byte(command)?;
    let answers = [
        (Command::SendSerial, message(id::SERIAL, &identified)),
        (Command::SendVersion, message(id::VERSION, &[1, 8])),
        (Command::SendBoard, dump(kind)),
        (Command::SendClock, clock(false)),
    ];
    answers.into_iter().find(|(asked, _)| *asked == command).map(|(_, answer)| answer)
}

/// Returns what a board of this kind says by itself for the `turn`th time.
pub(super) fn unasked(kind: HostileKind, random: &mut Random, turn: u64) -> Option<Vec<u8>> {
    match kind {
        HostileKind::RandomBytes => Some((0..NOISE).map(|_| random.byte()).collect()),
        HostileKind::FullBoard | HostileKind::SixtyKings => Some(dump(kind)),
        HostileKind::Flicker => Some((0..UPDATES).flat_map(|_| update(random)).collect()),
        HostileKind::ClockGarbage => {
            let body: Vec<u8> = (0..7).map(|_| random.byte() & 0x7F).collect();
            Some(message(id::CLOCK, &body))
        }
        HostileKind::PressEveryScan => Some(clock(turn.is_multiple_of(2))),
        HostileKind::SerialText => Some(message(id::SERIAL, text(turn))),
        HostileKind::SerialChanging => Some(message(id::SERIAL, &changing(turn)).repeat(3)),
        HostileKind::Flood => Some(update(random).repeat(FLOOD / 5)),
        HostileKind::Silent | HostileKind::Reopening | HostileKind::Hang | HostileKind::Reset => None,
    }
}

/// Puts a head before the body of a message.
fn message(id: u8, body: &[u8]) -> Vec<u8> {
    let seven = |number: usize| u8::try_from(number & 0x7F).unwrap_or(0);
    let length = body.len() + HEAD;
    [&[id, seven(length >> 7), seven(length)], body].concat()
}

fn text(turn: u64) -> &'static [u8; 5] {
    let number = usize::try_from(turn).unwrap_or(0) % TEXTS.len();
    TEXTS.get(number).copied().unwrap_or(b"     ")
}

fn changing(turn: u64) -> Vec<u8> {
    format!("{:05}", 30_000 + turn % 60_000).into_bytes()
}

fn update(random: &mut Random) -> Vec<u8> {
    message(id::FIELD_UPDATE, &[random.byte() & 0x3F, random.byte() % 13])
}

fn dump(kind: HostileKind) -> Vec<u8> {
    let pieces: Vec<u8> = if kind == HostileKind::FullBoard {
        // Every kind of piece, kings among them.
        (0..64).map(|field| 1 + field % 12).collect()
    } else if kind == HostileKind::SixtyKings {
        KINGS.into_iter().cycle().take(60).chain([0; 4]).collect()
    } else {
        let rows =
            ["rnbqkbnr", "pppppppp", NO_PIECES, NO_PIECES, NO_PIECES, NO_PIECES, "PPPPPPPP", "RNBQKBNR"];
        let letters = rows.into_iter().flat_map(str::chars);
        letters.map(|letter| Piece::from_letter(letter).unwrap_or_default().to_byte()).collect()
    };
    message(id::BOARD_DUMP, &pieces)
}

/// A clock that runs, whose lever is up on this side.
fn clock(right_up: bool) -> Vec<u8> {
    let lever = if right_up { Lever::RightUp } else { Lever::LeftUp };
    let side = SideTime { time: ClockTime { hours: 1, minutes: 30, seconds: 0 }, ..SideTime::default() };
    let report = ClockReport {
        right: side,
        left: side,
        running: true,
        lever,
        connected: true,
        ..ClockReport::DISCONNECTED
    };
    message(id::CLOCK, &report.encode().unwrap_or_default())
}
