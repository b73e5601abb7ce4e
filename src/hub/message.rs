//! Reads what daemons report: the state of a board, its game, an alert. What cannot be read is left out.

use std::sync::Arc;

use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Map, Value};
use shakmaty::Color;

use crate::view::{AlertView, BoardView, ClockView, Fields, GameView, MoveView, Plan};
use jadoube_core::{
    alert::{AlertState, Confidence},
    code::Code,
    event::{SanText, Times, UciText},
    score::Score,
    time::Timestamp,
};

/// How far the calendar of a hall may be ahead of the hub's.
const SKEW: SignedDuration = SignedDuration::from_mins(1);

/// The state of a board.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BoardState {
    pub(super) board: String,
    serial: Option<String>,
    port: String,
    version: Option<String>,
    rotated: bool,
    battery: Option<u8>,
    pub(super) table: Option<u32>,
    pub(super) white: String,
    pub(super) black: String,
    placement: String,
    clock: Option<Clock>,
    /// When something was heard of it, not later than the message.
    pub(super) updated: Option<jiff::Timestamp>,
    /// Whether the daemon said that this was later than the message: its calendar is wrong, or it wants to be the latest.
    #[serde(skip)]
    pub(super) is_ahead: bool,
}

#[derive(Clone, Debug, Deserialize)]
struct Clock {
    white: u32,
    black: u32,
    running: Option<String>,
    connected: bool,
    low_battery: bool,
    at: jiff::Timestamp,
}

/// The game on a board.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct BoardGame {
    number: u32,
    start: String,
    #[serde(default)]
    adopted: bool,
    began: jiff::Timestamp,
    moves: Vec<Move>,
    result: Option<String>,
    by: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Move {
    uci: String,
    san: String,
    legal: bool,
    completed: bool,
    confidence: Confidence,
    clock: Option<Times>,
    at: jiff::Timestamp,
    fen: Box<str>,
    #[serde(default)]
    alternatives: Option<u32>,
    #[serde(default)]
    entered: bool,
    #[serde(default)]
    remark: Option<Box<str>>,
}

/// Where the desk of a daemon is, if other machines reach it: the address of a web page, and nothing that a browser would run.
pub(super) fn desk(payload: &[u8]) -> Option<Arc<str>> {
    #[derive(Deserialize)]
    struct Info {
        desk: Option<String>,
    }
    let Info { desk } = serde_json::from_slice(payload).ok()?;
    let url = url::Url::parse(&desk?).ok()?;
    let is_page =
        ["http", "https"].contains(&url.scheme()) && url.username().is_empty() && url.password().is_none();
    let address = url.origin().ascii_serialization() + url.path().trim_end_matches('/');
    is_page.then(|| address.into())
}

/// An alert, and on which board.
pub(super) fn alert(payload: &[u8]) -> Option<(String, String, AlertView)> {
    #[derive(Deserialize)]
    struct AlertHead {
        id: String,
        board: String,
        code: Code,
        state: AlertState,
        confidence: Confidence,
        at: jiff::Timestamp,
        changed: jiff::Timestamp,
    }
    let mut fields: Map<String, Value> = serde_json::from_slice(payload).ok()?;
    let head: AlertHead = serde_json::from_value(Value::Object(fields.clone())).ok()?;
    let AlertHead { id, board, code, state, confidence, at, changed } = head;
    // Written beside the others already.
    for key in ["at", "changed", "t", "table", "white", "black", "board"] {
        fields.remove(key);
    }
    let plan = Plan::of(code, &fields);
    let fields = Fields::from(&fields);
    Some((board, id, AlertView { code, state, confidence, plan, t: Timestamp::ZERO, at, changed, fields }))
}

impl BoardState {
    /// Accepts no time of the future from a message of this moment.
    pub(super) fn received(mut self, now: jiff::Timestamp) -> Self {
        self.is_ahead = self.updated.is_some_and(|at| at.duration_since(now) > SKEW);
        self.updated = self.updated.map(|at| at.min(now));
        if let Some(clock) = &mut self.clock {
            clock.at = clock.at.min(now);
        }
        self
    }

    /// Makes what is shown of the board; `up` says whether it can be heard at this moment.
    pub(super) fn view(&self, name: Arc<str>, game: Option<&BoardGame>, up: bool) -> BoardView {
        let mut view = BoardView::new(name);
        view.port = self.port.as_str().into();
        view.up = up;
        view.serial.clone_from(&self.serial);
        view.version.clone_from(&self.version);
        view.rotated = self.rotated;
        view.battery = self.battery;
        view.squares = self.placement.parse().unwrap_or_else(|_| shakmaty::Board::empty());
        view.clock = self.clock.as_ref().map(|clock| clock.view(up));
        view.game = game.map(BoardGame::view);
        view.updated = self.updated;
        view
    }
}

impl Clock {
    fn view(&self, up: bool) -> ClockView {
        let running = match self.running.as_deref() {
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            _ => None,
        };
        ClockView {
            times: Times { white: self.white, black: self.black },
            // Nobody knows whether it still runs.
            running: running.filter(|_| up),
            connected: self.connected,
            low_battery: self.low_battery,
            at: self.at,
        }
    }
}

impl BoardGame {
    fn view(&self) -> GameView {
        GameView {
            number: self.number,
            start: self.start.clone(),
            adopted: self.adopted,
            continued: None,
            players: None,
            began: self.began,
            moves: self.moves.iter().map(Move::view).collect(),
            result: self.result.as_deref().and_then(Score::parse).map(Score::text),
            by: known(
                self.by.as_deref(),
                &[
                    "kings",
                    "sign",
                    "mate",
                    "stalemate",
                    "arbiter",
                    "flag",
                    "dead-position",
                    "claim",
                    "rules",
                    "players",
                ],
            ),
            presses: None,
            counted: None,
            ended: None,
        }
    }
}

impl Move {
    fn view(&self) -> MoveView {
        MoveView {
            uci: UciText::from(&self.uci).unwrap_or_default(),
            san: SanText::from(&self.san).unwrap_or_default(),
            legal: self.legal,
            completed: self.completed,
            confidence: self.confidence,
            clock: self.clock,
            at: self.at,
            fen: self.fen.clone(),
            alternatives: self.alternatives,
            entered: self.entered,
            remark: self.remark.clone(),
        }
    }
}

fn known(word: Option<&str>, words: &[&'static str]) -> Option<&'static str> {
    words.iter().find(|known| Some(**known) == word).copied()
}
