//! Writes events as JSON: those that play consists of directly, which takes a tenth of the work, all others through serde.
//!
//! Both give the same bytes; the tests compare them.

use shakmaty::{Color, Piece, Square};

use super::{Event, EventKind, GameEvent, GameMove, MoveEvent, Times};
use crate::{side::side_name, time::Timestamp};

/// Times with more microseconds than this have more digits than a floating-point number keeps apart.
const EXACT: u64 = 1_000_000_000_000_000;

const SECOND: u64 = 1_000_000;

impl Event {
    /// Appends the event as one JSON object, the same as its serialisation.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let kind = &self.kind;
        match kind {
            EventKind::Lift { square, piece } => {
                self.write_head(out);
                out.extend_from_slice(b",\"event\":\"lift\",\"square\":");
                write_square(*square, *piece, out);
            }
            EventKind::Place { square, piece } => {
                self.write_head(out);
                out.extend_from_slice(b",\"event\":\"place\",\"square\":");
                write_square(*square, *piece, out);
            }
            EventKind::Press { side, clock } => {
                self.write_head(out);
                out.extend_from_slice(b",\"event\":\"press\",\"side\":");
                plain(side_name(*side), out);
                out.extend_from_slice(b",\"clock\":");
                write_times(*clock, out);
            }
            EventKind::Clock { clock, running, connected, low_battery } => {
                self.write_head(out);
                out.extend_from_slice(b",\"event\":\"clock\",\"clock\":");
                write_maybe(*clock, write_times, out);
                out.extend_from_slice(b",\"running\":");
                write_maybe(*running, |side: Color, out| plain(side_name(side), out), out);
                out.extend_from_slice(b",\"connected\":");
                write_bool(*connected, out);
                out.extend_from_slice(b",\"low_battery\":");
                write_bool(*low_battery, out);
            }
            EventKind::Move(played) => {
                self.write_head(out);
                write_move(played, out);
            }
            EventKind::Game(game) => {
                self.write_head(out);
                write_game(game, out);
            }
            EventKind::Link { .. }
            | EventKind::Board(_)
            | EventKind::GameStart { .. }
            | EventKind::Retract { .. }
            | EventKind::Alert(_)
            | EventKind::AlertUpdate(_)
            | EventKind::Result { .. }
            | EventKind::Entry { .. }
            | EventKind::Counts { .. }
            | EventKind::Log { .. } => {
                if serde_json::to_writer(&mut *out, self).is_err() {
                    // Nothing in an event fails to be written; half of one would break the line of the next.
                    out.truncate(start);
                }
                return;
            }
        }
        out.push(b'}');
    }

    /// Writes what all events begin with.
    fn write_head(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"t\":");
        write_time(self.at, out);
        out.extend_from_slice(b",\"board\":");
        write_text(&self.board, out);
    }
}

fn write_square(square: Square, piece: Piece, out: &mut Vec<u8>) {
    // Letters and digits, each one byte.
    let letter = |letter: char| u8::try_from(letter).unwrap_or(b'?');
    let (file, rank) = square.coords();
    let (file, rank, piece) = (letter(file.char()), letter(rank.char()), letter(piece.char()));
    out.extend_from_slice(&[b'"', file, rank, b'"']);
    out.extend_from_slice(b",\"piece\":");
    out.extend_from_slice(&[b'"', piece, b'"']);
}

fn write_move(played: &MoveEvent, out: &mut Vec<u8>) {
    let MoveEvent {
        game,
        ply,
        side,
        uci,
        san,
        fen,
        legal,
        completed,
        confidence,
        clock,
        inferred,
        alternatives,
        entered,
        remark,
    } = played;
    out.extend_from_slice(b",\"event\":\"move\",\"game\":");
    write_number((*game).into(), out);
    out.extend_from_slice(b",\"ply\":");
    write_number((*ply).into(), out);
    out.extend_from_slice(b",\"side\":");
    plain(side_name(*side), out);
    out.push(b',');
    write_notations(uci, san, out);
    out.extend_from_slice(b",\"fen\":");
    plain(fen, out);
    out.extend_from_slice(b",\"legal\":");
    write_bool(*legal, out);
    out.extend_from_slice(b",\"completed\":");
    write_bool(*completed, out);
    out.extend_from_slice(b",\"confidence\":");
    plain(confidence.name(), out);
    out.extend_from_slice(b",\"clock\":");
    write_maybe(*clock, write_times, out);
    write_inferred(*inferred, *alternatives, out);
    write_record(*entered, remark.as_deref(), out);
}

fn write_game(event: &GameEvent, out: &mut Vec<u8>) {
    let GameEvent { game, fen, moves, result, pgn } = event;
    out.extend_from_slice(b",\"event\":\"game\",\"game\":");
    write_number((*game).into(), out);
    out.extend_from_slice(b",\"fen\":");
    plain(fen, out);
    out.extend_from_slice(b",\"moves\":[");
    for (index, played) in moves.iter().enumerate() {
        let GameMove { uci, san, legal, clock, inferred, alternatives, entered, remark } = played;
        out.extend_from_slice(if index > 0 { b",{" } else { b"{" });
        write_notations(uci, san, out);
        out.extend_from_slice(b",\"legal\":");
        write_bool(*legal, out);
        out.extend_from_slice(b",\"clock\":");
        write_maybe(*clock, write_times, out);
        write_inferred(*inferred, *alternatives, out);
        write_record(*entered, remark.as_deref(), out);
        out.push(b'}');
    }
    out.extend_from_slice(b"],\"result\":");
    plain(result, out);
    out.extend_from_slice(b",\"pgn\":");
    write_text(pgn, out);
}

fn write_notations(uci: &str, san: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"uci\":");
    plain(uci, out);
    out.extend_from_slice(b",\"san\":");
    plain(san, out);
}

/// Writes what is written only of a move that an order has entered, or that a remark stands beside.
fn write_record(entered: bool, remark: Option<&str>, out: &mut Vec<u8>) {
    if entered {
        out.extend_from_slice(b",\"entered\":true");
    }
    if let Some(remark) = remark {
        out.extend_from_slice(b",\"remark\":");
        write_text(remark, out);
    }
}

/// Writes what is written only of a move that nobody saw.
fn write_inferred(inferred: bool, alternatives: Option<u32>, out: &mut Vec<u8>) {
    if inferred {
        out.extend_from_slice(b",\"inferred\":true");
    }
    if let Some(alternatives) = alternatives {
        out.extend_from_slice(b",\"alternatives\":");
        write_number(alternatives.into(), out);
    }
}

/// Writes a text in which nothing is to be escaped, such as a move or a position.
fn plain(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Writes any text.
fn write_text(text: &str, out: &mut Vec<u8>) {
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        plain(text, out);
    } else {
        // A list of bytes takes every text.
        serde_json::to_writer(out, text).unwrap_or_default();
    }
}

fn write_bool(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn write_maybe<T>(value: Option<T>, write: impl FnOnce(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    match value {
        Some(value) => write(value, out),
        None => out.extend_from_slice(b"null"),
    }
}

fn write_times(times: Times, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"white\":");
    write_number(times.white.into(), out);
    out.extend_from_slice(b",\"black\":");
    write_number(times.black.into(), out);
    out.push(b'}');
}

/// Writes seconds as the shortest number that is the same floating-point number: up to fifteen digits that is the decimal one.
fn write_time(at: Timestamp, out: &mut Vec<u8>) {
    let micros = at.as_micros();
    if micros >= EXACT || 0 < micros && micros < SECOND {
        // Numbers near zero have an exponent.
        serde_json::to_writer(out, &at).unwrap_or_default();
        return;
    }
    write_number(micros / SECOND, out);
    out.push(b'.');
    // The digit of the second before keeps the zeros that the decimals begin with.
    let mut digits = itoa::Buffer::new();
    let decimals = digits.format(SECOND + micros % SECOND).trim_end_matches('0').strip_prefix('1');
    out.extend_from_slice(decimals.filter(|decimals| !decimals.is_empty()).unwrap_or("0").as_bytes());
}

fn write_number(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        alert::Confidence,
        event::{LinkState, LogState, SanText, UciText},
    };

    #[track_caller]
    fn check(at: u64, board: &str, kind: EventKind) {
        let event = Event { at: Timestamp::from_micros(at), board: board.into(), kind };
        let mut json = b"before ".to_vec();
        event.write_json(&mut json);
        let expected = format!("before {}", serde_json::to_string(&event).unwrap());
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }

    #[test]
    fn every_time_is_written_as_serde_writes_it() {
        let mut state = 88_172_645_463_325_252_u64;
        for _ in 0..100_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // As many digits as it happens.
            let at = state >> (state % 64);
            check(at, "1", EventKind::Log { state: LogState::Read });
            check(at / 1000 * 1000, "1", EventKind::Press { side: Color::White, clock: Times::default() });
            check(
                at,
                "1",
                EventKind::Press { side: Color::Black, clock: Times { white: 9, black: u32::MAX } },
            );
        }
        for at in [0, 1, 10, 999_999, SECOND, SECOND + 1, 10 * SECOND, EXACT - 1, EXACT, u64::MAX] {
            check(at, "1", EventKind::Press { side: Color::White, clock: Times { white: 10, black: 99 } });
        }
    }

    #[test]
    fn every_kind_is_written_as_serde_writes_it() {
        let clock = Some(Times { white: 180, black: 0 });
        let (uci, san) = (UciText::from("e2e4").unwrap(), SanText::from("e4").unwrap());
        let seen = GameMove {
            uci,
            san,
            legal: true,
            clock,
            inferred: false,
            alternatives: None,
            entered: false,
            remark: None,
        };
        let unseen = GameMove {
            legal: false,
            clock: None,
            inferred: true,
            alternatives: Some(3),
            entered: true,
            remark: Some("taken back: 1. \"e4\"".into()),
            ..seen.clone()
        };
        // A port may be called anything.
        for board in ["12345", "ttyACM0", r#"a"b\c"#, "tab\tbell\u{7}", "Brett 1 – Größe", ""] {
            for (connected, running) in [(true, Some(Color::Black)), (false, None)] {
                let (clock, low_battery) = (clock.filter(|_| connected), !connected);
                check(1_500_000, board, EventKind::Clock { clock, running, connected, low_battery });
            }
            for square in Square::ALL {
                let piece = Piece::from_char(if square < Square::A5 { 'Q' } else { 'p' }).unwrap();
                check(61_000_001, board, EventKind::Lift { square, piece });
                check(61_000_100, board, EventKind::Place { square, piece });
            }
            for inferred in [None, Some(0), Some(17)] {
                let played = MoveEvent {
                    game: 3,
                    ply: 100,
                    side: Color::White,
                    uci: UciText::from("e7e8q").unwrap(),
                    san: SanText::from("e8=Q+").unwrap(),
                    fen: "4Q3/8/8/8/8/8/8/k1K5 b - - 0 51".to_owned(),
                    legal: inferred.is_none(),
                    completed: inferred.is_some(),
                    confidence: Confidence::Likely,
                    clock: clock.filter(|_| inferred.is_some()),
                    inferred: inferred.is_some(),
                    alternatives: inferred.filter(|count| *count > 0),
                    entered: inferred == Some(0),
                    remark: inferred.filter(|count| *count > 0).map(|_| "taken back: 1. é4".into()),
                };
                check(7_200_000_000, board, EventKind::Move(Box::new(played)));
            }
            check(1, board, EventKind::Link { state: LinkState::Up, port: board.to_owned() });
            check(1, board, EventKind::Retract { game: 1, ply: 2 });
            check(1, board, EventKind::Result { game: 1, result: "1-0", by: "kings" });
            for moves in [vec![], vec![seen.clone()], vec![seen.clone(), unseen.clone()]] {
                let (fen, pgn) =
                    ("k1K5/8/8/8/8/8/8/8 w - - 0 1".to_owned(), format!("[White \"{board}\"]\n\n*\n"));
                check(
                    1,
                    board,
                    EventKind::Game(Box::new(GameEvent { game: 2, fen, moves, result: "*", pgn })),
                );
            }
        }
    }
}
