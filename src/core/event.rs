//! Owns the events that leave the core, and their JSON (one object a line, the same from a replay, the event log,
//! the HTTP stream and MQTT).
//!
//! An event says what the board showed or what follows from it; it never says what an arbiter should think of it.

mod json;

use std::sync::Arc;

use arrayvec::ArrayString;
use serde::{Deserialize, Serialize, Serializer};
use shakmaty::{Color, Piece, Square};

use crate::{
    alert::{Alert, AlertUpdate},
    side::side_name,
    time::Timestamp,
};

/// What a board is called: its serial number, or the name of its port until it has reported that.
pub type BoardId = Arc<str>;

/// A move in UCI, without memory of its own: lists hold many.
pub type UciText = ArrayString<5>;

/// A move in standard algebraic notation, likewise.
pub type SanText = ArrayString<9>;

/// One event of one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// When it became known.
    #[serde(rename = "t")]
    pub at: Timestamp,
    /// Which board it is about.
    pub board: BoardId,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// A side of the clock, seen from its front.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockSide {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl From<dgt_protocol::Side> for ClockSide {
    fn from(side: dgt_protocol::Side) -> Self {
        match side {
            dgt_protocol::Side::Left => Self::Left,
            dgt_protocol::Side::Right => Self::Right,
        }
    }
}

/// Where a game was played before it went on at another board, or at its own again.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Continuation {
    /// The board.
    pub board: BoardId,
    /// Its number there.
    pub game: u32,
}

/// Whether something is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// Evidence, the configuration or an order leaves no reasonable doubt.
    Known,
    /// Not yet.
    Unknown,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "snake_case")]
pub enum EventKind {
    /// The link to the board came up or went down.
    Link {
        /// Whether bytes can flow.
        state: LinkState,
        /// The device or address.
        port: String,
    },
    /// What the board says of itself; sent again when more is known.
    Board(Box<BoardEvent>),
    /// A square became empty, or changed its piece: this one left.
    Lift {
        /// Where.
        #[serde(serialize_with = "write_display")]
        square: Square,
        /// What left.
        #[serde(serialize_with = "write_piece")]
        piece: Piece,
    },
    /// A piece appeared on a square.
    Place {
        /// Where.
        #[serde(serialize_with = "write_display")]
        square: Square,
        /// What arrived.
        #[serde(serialize_with = "write_piece")]
        piece: Piece,
    },
    /// A player pressed the clock.
    Press {
        /// Who pressed.
        #[serde(serialize_with = "write_side")]
        side: Color,
        /// What the clock shows after it.
        clock: Times,
    },
    /// The clock shows something else.
    Clock {
        /// What it shows, unless there is no clock.
        clock: Option<Times>,
        /// Whose time runs.
        #[serde(serialize_with = "write_maybe_side")]
        running: Option<Color>,
        /// Whether the board has a clock.
        connected: bool,
        /// Whether the clock shows its battery sign.
        low_battery: bool,
    },
    /// A game begins, or the present one begins anew from another position: one that an order has set, or that is known better now.
    GameStart {
        /// Number of the game on this board, from 1.
        game: u32,
        /// Its first position.
        fen: String,
        /// Whether the board was first heard of in the middle of the game: then move numbers, repetitions and the count of
        /// fifty moves are since then.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        adopted: bool,
        /// Where it was played before, if it goes on here.
        #[serde(skip_serializing_if = "Option::is_none")]
        continued: Option<Continuation>,
        /// Who plays, if an order has named them.
        #[serde(skip_serializing_if = "Option::is_none")]
        players: Option<Box<crate::order::Players>>,
    },
    /// A move is shown by the board, or completed by the press.
    Move(Box<MoveEvent>),
    /// A ply and all after it were reported and are withdrawn.
    Retract {
        /// Number of the game.
        game: u32,
        /// First ply withdrawn.
        ply: u32,
    },
    /// Something an arbiter should know.
    Alert(Box<Alert>),
    /// Something has changed about an alert.
    AlertUpdate(Box<AlertUpdate>),
    /// The game has a result, or goes on after all.
    Result {
        /// Number of the game.
        game: u32,
        /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the result is taken back.
        result: &'static str,
        /// What says so: `kings`, `sign`, `mate`, `stalemate`, `arbiter`, `flag`, …
        by: &'static str,
    },
    /// The arbiter has entered something that is no ruling on an alert.
    Entry {
        /// The order.
        order: Box<crate::order::Order>,
        /// What it means, in a sentence for a person.
        text: String,
        /// The name by which the order is taken back.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// An order has changed how many irregularities of the players the arbiter has confirmed.
    Counts {
        /// Number of the game.
        game: u32,
        /// White's.
        white: u32,
        /// Black's.
        black: u32,
    },
    /// A whole game, when it ends and at the end of a replay.
    Game(Box<GameEvent>),
    /// The board's own event log is read after an outage: what was played meanwhile is known once that is done.
    Log {
        /// How far that is.
        state: LogState,
    },
}

/// How far the reading of a board's event log is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogState {
    /// It is being read: over eight seconds on the wire, in which the board says nothing else.
    Reading,
    /// It reports what was played, and that follows.
    Read,
    /// It does not explain what stands on the board: the moves are found from the position alone.
    Useless,
}

impl EventKind {
    /// Makes the event of a game that begins at a board from a position, with nothing else to be said of it.
    #[must_use]
    pub fn game_start(game: u32, fen: &str) -> Self {
        Self::GameStart { game, fen: fen.to_owned(), adopted: false, continued: None, players: None }
    }

    /// Returns the name as the interface writes it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Link { .. } => "link",
            Self::Board(_) => "board",
            Self::Lift { .. } => "lift",
            Self::Place { .. } => "place",
            Self::Press { .. } => "press",
            Self::Clock { .. } => "clock",
            Self::GameStart { .. } => "game-start",
            Self::Move(_) => "move",
            Self::Retract { .. } => "retract",
            Self::Alert(_) => "alert",
            Self::AlertUpdate(_) => "alert-update",
            Self::Result { .. } => "result",
            Self::Entry { .. } => "entry",
            Self::Counts { .. } => "counts",
            Self::Game(_) => "game",
            Self::Log { .. } => "log",
        }
    }
}

/// Whether bytes can flow.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    /// The link is there.
    Up,
    /// The link is gone.
    Down,
}

/// What the two displays of the clock show, in whole seconds.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Times {
    /// White's time.
    pub white: u32,
    /// Black's time.
    pub black: u32,
}

impl Times {
    /// Returns the time of one side, seconds.
    #[must_use]
    pub const fn of(self, side: Color) -> u32 {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// A board as it describes itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardEvent {
    /// Short serial number.
    pub serial: Option<String>,
    /// Long serial number, newer boards only.
    pub long_serial: Option<String>,
    /// Firmware, minor part with two digits.
    pub version: Option<String>,
    /// Whether White sits at the other side than the connector's left.
    pub rotated: bool,
    /// On which side of the clock White sits, as far as it is known.
    pub white_clock: ClockSide,
    /// Whether `rotated` and `white_clock` are known, or only the likeliest so far.
    pub seats: Known,
    /// Charge of its battery, percent, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery: Option<u8>,
}

impl BoardEvent {
    /// Describes a board of which nothing but its serial number is known, for tests of what reads events.
    #[doc(hidden)]
    #[must_use]
    pub fn of_serial(serial: Option<&str>) -> Self {
        Self {
            serial: serial.map(str::to_owned),
            long_serial: None,
            version: None,
            rotated: false,
            white_clock: ClockSide::Left,
            seats: Known::Unknown,
            battery: None,
        }
    }
}

/// A move as it is reported.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are keys of the interface")]
pub struct MoveEvent {
    /// Number of the game.
    pub game: u32,
    /// Number of the ply, from 1.
    pub ply: u32,
    /// Who moved.
    #[serde(serialize_with = "write_side")]
    pub side: Color,
    /// The move in UCI.
    pub uci: UciText,
    /// The move in standard algebraic notation.
    pub san: SanText,
    /// The position after it.
    pub fen: String,
    /// Whether it kept to Art. 3.
    pub legal: bool,
    /// Whether the press, or what ends the game at once, has completed it (Art. 6.2.1).
    pub completed: bool,
    /// Confidence that this, and not another move, was played: `certain`, `likely`, `possible`.
    pub confidence: crate::alert::Confidence,
    /// What the clock showed when it was completed, or at the moment.
    pub clock: Option<Times>,
    /// Whether nobody saw it: it was made in an outage.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// For a move that nobody saw: the number of other paths that remained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Whether an order has entered it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// What the record says beside it, such as plies that were taken back after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<Box<str>>,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEvent {
    /// Number of the game.
    pub game: u32,
    /// The position it began from.
    pub fen: String,
    /// Its moves.
    pub moves: Vec<GameMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// The game as PGN.
    pub pgn: String,
}

/// A move in a list of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameMove {
    /// The move in UCI.
    pub uci: UciText,
    /// The move in standard algebraic notation.
    pub san: SanText,
    /// Whether it kept to Art. 3.
    pub legal: bool,
    /// What the clock showed when it was completed.
    pub clock: Option<Times>,
    /// Whether nobody saw it: it was made in an outage.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// For a move that nobody saw: the number of other paths that remained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Whether an order has entered it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// What the record says beside it, such as plies that were taken back after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<Box<str>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_side<S: Serializer>(side: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side_name(*side))
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_maybe_side<S: Serializer>(side: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(side_name).serialize(serializer)
}

fn write_display<S: Serializer>(value: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_piece<S: Serializer>(piece: &Piece, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(piece.char())
}
