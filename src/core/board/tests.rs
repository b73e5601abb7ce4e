//! A board, its clock and what happens there, written by hand.

mod adjusted;
mod at_rest;
mod continued;
mod faults;
mod first_press;
mod gaps;
mod hidden;
mod hidden_presses;
mod ignored_timing;
mod incomplete;
mod irregular;
mod late_press;
mod lifecycle;
mod logged;
mod lost_reports;
mod middle;
mod off_centre;
mod out_of_turn;
mod polled;
mod record;
mod results;
mod second_reading;
mod silences;
mod unclocked;
mod undo;
mod wrong_start;

use std::{sync::Arc, time::Duration};

use dgt_protocol::{ClockReport, ClockTime, Field, Lever, Message, Placement, Side, SideTime, TurnBits};
use shakmaty::{ByColor, Color, Piece, Role, Square};

use super::Board;
use crate::{
    event::{Event, EventKind, LinkState},
    game::Game,
    order::Order,
    settings::LineSettings,
    time::Timestamp,
};

/// A table with a board and a clock on it; White sits at the left side of the clock.
struct Table {
    board: Board,
    now: Timestamp,
    /// What stands there, whatever the board shows of it.
    stands: shakmaty::Board,
    /// Whether the board lies the other way round.
    rotated: bool,
    /// The cable is out: nothing is heard.
    unplugged: bool,
    /// Squares that show nothing.
    dead: Vec<Square>,
    remaining: ByColor<u32>,
    increment: u32,
    running: Option<Color>,
    lever: Color,
    events: Vec<Event>,
}

impl Table {
    /// Puts an empty board on the table.
    fn new(settings: &[&str]) -> Self {
        let settings = LineSettings::of_keys(settings);
        let mut board = Board::new(Arc::new(settings), "port", 1);
        board.handle_link(LinkState::Up, "port", Timestamp::ZERO);
        Self {
            board,
            now: Timestamp::ZERO + Duration::from_secs(1),
            stands: shakmaty::Board::empty(),
            rotated: false,
            unplugged: false,
            dead: Vec::new(),
            remaining: ByColor { white: 3600, black: 3600 },
            increment: 0,
            running: None,
            lever: Color::White,
            events: Vec::new(),
        }
    }

    /// Sets up the initial position and starts White's clock.
    fn game(settings: &[&str]) -> Self {
        Self::position(settings, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Color::White)
    }

    /// Sets up a position and starts a clock; in the middle of a game it takes a moment until it is picked up.
    fn position(settings: &[&str], placement: &str, turn: Color) -> Self {
        let mut table = Self::new(settings);
        table.set_up(placement);
        table.start(turn);
        table.wait(5.0);
        table
    }

    /// Sets up a position of which the arbiter says that a game begins with it, and starts a clock.
    fn ordered(settings: &[&str], placement: &str, turn: Color) -> Self {
        let mut table = Self::new(settings);
        table.set_up(placement);
        table.order(&format!(r#"{{"order":"new-game","fen":"{placement} {} KQkq - 0 1"}}"#, turn.char()));
        table.start(turn);
        table.wait(5.0);
        table
    }

    /// Puts these pieces on the board, and lets the board report.
    fn set_up(&mut self, placement: &str) {
        self.stands = shakmaty::Board::from_ascii_board_fen(placement.as_bytes()).unwrap();
        self.dump();
    }

    /// Lets time pass, the clock tick, and what is due happen.
    fn wait(&mut self, seconds: f64) {
        let end = self.now + Duration::from_secs_f64(seconds);
        loop {
            let second = Timestamp::from_micros((self.now.as_micros() / 1_000_000 + 1) * 1_000_000);
            let tick = self.running.map(|_| second);
            let due = self.board.deadline().map(|(at, _)| at.max(self.now));
            let Some(next) = [tick, due].into_iter().flatten().min().filter(|at| *at <= end) else { break };
            self.now = next;
            if due == Some(next) {
                self.board.handle_timeout(next);
            }
            if let Some(side) = self.running.filter(|_| tick == Some(next)) {
                *self.remaining.get_mut(side) -= 1;
                self.report();
            }
            self.drain();
        }
        self.now = end;
    }

    /// Lets hands do these things, 0.3 s apart: `e2-` empties e2, `e4P` puts a white pawn there.
    fn hands(&mut self, words: &str) {
        self.hands_within(0.3, words);
    }

    /// Does the same with so many seconds from one to the next.
    fn hands_within(&mut self, seconds: f64, words: &str) {
        for word in words.split_whitespace() {
            let (square, piece) = word.split_at(2);
            let piece = piece.chars().next().and_then(Piece::from_char);
            self.set(square.parse().unwrap(), piece);
            self.wait(seconds);
        }
    }

    /// Plays moves, each of them pressed, a second apart.
    fn play(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            let side = self.make(uci);
            self.press(side);
            self.wait(1.2);
        }
    }

    /// Makes a move, legal or not, without pressing; returns whose it was.
    fn make(&mut self, uci: &str) -> Color {
        let (from, to): (Square, Square) = (uci[0..2].parse().unwrap(), uci[2..4].parse().unwrap());
        let piece = self.stands.piece_at(from).unwrap_or_else(|| panic!("{uci}: nothing stands on {from}"));
        let promoted = uci.chars().nth(4).map(|role| Role::from_char(role).unwrap().of(piece.color));
        let passing =
            piece.role == Role::Pawn && from.file() != to.file() && self.stands.piece_at(to).is_none();
        self.wait(1.0);
        if self.stands.piece_at(to).is_some() {
            self.hands(&format!("{to}-"));
        }
        self.hands(&format!("{from}- {to}{}", promoted.unwrap_or(piece).char()));
        if passing {
            self.hands(&format!("{}-", Square::from_coords(to.file(), from.rank())));
        }
        self.wait(0.2);
        piece.color
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        set(&mut self.stands, square, piece);
        if !self.dead.contains(&square) {
            self.show(square, piece);
        }
    }

    /// Lets a square show something, whatever stands there.
    fn show(&mut self, square: Square, piece: Option<Piece>) {
        let field = self.field(square);
        self.say(&Message::FieldUpdate { field, piece: code(piece) });
    }

    /// Lets the board report what stands on it.
    fn dump(&mut self) {
        let placement = self.placement();
        self.say(&Message::BoardDump(placement));
    }

    fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for square in Square::ALL {
            let piece = self.stands.piece_at(square).filter(|_| !self.dead.contains(&square));
            placement.set(self.field(square), code(piece));
        }
        placement
    }

    fn field(&self, square: Square) -> Field {
        let number = u8::try_from(u32::from(square.flip_vertical())).unwrap();
        let field = Field::new(number).unwrap();
        if self.rotated { field.rotated() } else { field }
    }

    fn say(&mut self, message: &Message<'_>) {
        if !self.unplugged {
            self.board.handle_message(message, self.now);
            self.drain();
        }
    }

    fn press(&mut self, side: Color) {
        *self.remaining.get_mut(side) += self.increment;
        self.start(!side);
    }

    fn start(&mut self, side: Color) {
        (self.running, self.lever) = (Some(side), side);
        self.report();
    }

    fn stop(&mut self) {
        self.running = None;
        self.report();
    }

    fn report(&mut self) {
        let left = self.remaining;
        let side = |side: Color| SideTime {
            time: ClockTime::from_seconds(*left.get(side)),
            flag_shown: false,
            flag_blocked: false,
            increment: false,
        };
        let active = if self.lever.is_white() { Side::Left } else { Side::Right };
        self.say(&Message::Clock(ClockReport {
            left: side(Color::White),
            right: side(Color::Black),
            running: self.running.is_some(),
            lever: Lever::with_active(active),
            battery_low: false,
            connected: true,
            turn: TurnBits::with_active(active),
        }));
    }

    /// Pulls the cable out; while it is out, pieces and clock may be moved, and nobody hears of it.
    fn unplug(&mut self) {
        self.unplugged = true;
        self.board.handle_link(LinkState::Down, "port", self.now);
        self.drain();
    }

    fn link_up(&mut self) {
        self.unplugged = false;
        self.board.handle_link(LinkState::Up, "port", self.now);
    }

    /// Puts the cable in again: the board reports what stands there, and what the clock shows.
    fn plug_in(&mut self) {
        self.link_up();
        self.dump();
        self.wait(0.1);
        self.report();
    }

    /// Puts the cable in again: these pieces stand there, this clock runs.
    fn plug(&mut self, placement: &str, running: Color) {
        self.link_up();
        self.set_up(placement);
        self.wait(0.1);
        self.start(running);
        self.wait(3.0);
    }

    fn order(&mut self, json: &str) {
        self.board.handle_order(&Order::parse(json).unwrap(), self.now).unwrap();
        self.drain();
    }

    fn finish(&mut self) {
        self.board.finish(self.now);
        self.drain();
    }

    fn drain(&mut self) {
        self.events.extend(std::iter::from_fn(|| self.board.poll_event()));
    }

    fn current(&self) -> &Game {
        self.board.tracker.game().expect("there is a game")
    }

    /// Returns the moves of the game; `?` stands behind one that is not legal, `…` behind one that is not completed.
    fn moves(&self) -> String {
        let text = |ply: &crate::game::Ply| {
            let mark = |wanted: bool, mark| if wanted { mark } else { "" };
            format!("{}{}{}", ply.san, mark(!ply.is_legal(), "?"), mark(!ply.completed, "…"))
        };
        self.current().plies().iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// Returns the positions that games have begun from.
    fn starts(&self) -> Vec<String> {
        self.pick(|kind| if let EventKind::GameStart { fen, .. } = kind { Some(fen.clone()) } else { None })
    }

    /// Returns of every game that began whether it was picked up in its middle.
    fn adoptions(&self) -> Vec<bool> {
        self.pick(|kind| if let EventKind::GameStart { adopted, .. } = kind { Some(*adopted) } else { None })
    }

    /// Returns results and what said so.
    fn results(&self) -> Vec<String> {
        self.pick(|kind| {
            let EventKind::Result { result, by, .. } = kind else { return None };
            Some(format!("{result} {by}"))
        })
    }

    /// Returns the games that were reported, as moves.
    fn reported(&self) -> Vec<String> {
        self.pick(|kind| {
            let EventKind::Game(game) = kind else { return None };
            Some(game.moves.iter().map(|m| m.san.as_str()).collect::<Vec<_>>().join(" "))
        })
    }

    /// Returns the alerts: code, cause or reason, and squares.
    fn alerts(&self) -> Vec<String> {
        self.pick(|kind| {
            let EventKind::Alert(alert) = kind else { return None };
            let what = alert.facts.get("cause").or_else(|| alert.facts.get("reason"));
            let what = what.and_then(|what| what.as_str()).unwrap_or_default();
            let squares = alert.facts.get("squares").map(ToString::to_string).unwrap_or_default();
            Some(format!("{} {what} {squares}", alert.code.name()).trim_end().to_owned())
        })
    }

    fn pick<T>(&self, of: impl Fn(&EventKind) -> Option<T>) -> Vec<T> {
        self.events.iter().filter_map(|event| of(&event.kind)).collect()
    }

    /// Returns the number of events so far, for [`Table::since`].
    fn mark(&self) -> usize {
        self.events.len()
    }

    /// Returns the names of the events after a mark, without those of squares and clock.
    fn since(&self, mark: usize) -> Vec<&'static str> {
        let names = self.events[mark..].iter().map(|event| event.kind.name());
        names.filter(|name| !matches!(*name, "lift" | "place" | "clock" | "press")).collect()
    }
}

fn set(board: &mut shakmaty::Board, square: Square, piece: Option<Piece>) {
    match piece {
        Some(piece) => board.set_piece_at(square, piece),
        None => board.discard_piece_at(square),
    }
}

fn code(piece: Option<Piece>) -> dgt_protocol::Piece {
    let piece = piece.and_then(|piece| dgt_protocol::Piece::from_letter(piece.char()));
    piece.unwrap_or(dgt_protocol::Piece::Empty)
}

#[test]
fn codes_of_the_board_are_the_pieces_with_their_letters() {
    use super::{from_code, to_code};

    for code in dgt_protocol::Piece::ALL {
        assert_eq!(from_code(code), code.letter().and_then(Piece::from_char), "{code:?}");
        assert!(from_code(code).is_none_or(|piece| to_code(piece) == code), "{code:?}");
    }
}

#[test]
fn what_pieces_show_on_the_fields_is_what_is_read_from_them() {
    use super::{from_code, observed::read, orientation::placement};

    let mut codes = Placement::EMPTY;
    for (number, field) in Field::all().enumerate() {
        let code = dgt_protocol::Piece::ALL[number * 7 % dgt_protocol::Piece::ALL.len()];
        codes.set(field, from_code(code).map_or(dgt_protocol::Piece::Empty, |_| code));
    }
    for rotated in [false, true] {
        assert_eq!(placement(&read(&codes, rotated), rotated), codes, "{rotated}");
    }
    assert_ne!(placement(&read(&codes, true), false), codes);
}
