//! What an arbiter does at board and clock about an alert, followed as it is done: stop the clock, restore the
//! position, set the times.
//!
//! It is computed from what board and clock show, in whatever order things are put right. It knows no ruling: whether
//! an alert is right is the arbiter's decision.

use serde::Serialize;
use serde_json::{Map, Value};
use shakmaty::{Board, Color, Piece, Role, Square, fen::Fen};

use super::ClockView;
use jadoube_core::{alert::AlertState, code::Code, event::Times, position::differences, side::side_name};

/// A clock that has been started again shows up to so many seconds less than it was set to before that is heard of.
const RESTART_S: u32 = 10;

/// What is to be done about an alert, and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    restore: Option<Goal>,
    /// Whether the board has differed from what is wanted: else there is nothing to restore.
    differed: bool,
    times: Option<Times>,
    moves: Option<Times>,
    /// All was done while the clock stood.
    ready: bool,
    /// All was done, and play goes on.
    finished: bool,
}

/// What the board has to show.
#[derive(Clone, Debug, PartialEq)]
enum Goal {
    /// A whole position.
    Position { fen: String, board: Board },
    /// A piece on a square, whatever else is on the board.
    Piece(Square, Piece),
}

/// What board and clock show at this moment.
#[derive(Clone, Copy, Debug)]
pub struct Sensed<'a> {
    /// What stands where.
    pub squares: &'a Board,
    /// The clock, if there is one.
    pub clock: Option<&'a ClockView>,
    /// Whether the board can be heard.
    pub up: bool,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// Board and clock show that it is done.
    Done,
    /// They show that it is not.
    Open,
    /// Neither can be seen: no clock, or no link.
    Unseen,
}

/// One step, and what is still wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum RulingStep {
    /// Stop the clock.
    Stop {
        /// How far that is.
        state: StepState,
        /// Whose time runs.
        running: Option<&'static str>,
    },
    /// Restore the position.
    Position {
        /// How far that is.
        state: StepState,
        /// The position; `None` if only one square matters.
        fen: Option<String>,
        /// The squares that are wrong.
        wrong: Vec<WrongSquare>,
    },
    /// Set the times.
    Times {
        /// How far that is.
        state: StepState,
        /// What the displays have to show.
        set: Times,
        /// The number of moves on the clock's counter.
        moves: Option<Times>,
        /// The sides whose display shows something else.
        wrong: Vec<&'static str>,
    },
}

/// A square that shows something else than it has to.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct WrongSquare {
    square: String,
    /// What stands there, FEN letter.
    shows: Option<char>,
    /// What belongs there.
    wants: Option<char>,
}

impl Plan {
    /// Makes the plan for an alert as the interface shows it; `None` if nothing is to be done at board or clock.
    #[must_use]
    pub fn of(code: Code, fields: &Map<String, Value>) -> Option<Self> {
        let proposal = fields.get("proposal");
        let changes = |key| proposal.and_then(|proposal| proposal.get(key)).is_some();
        let changes_time = changes("add_s") || changes("take_back_s");
        let times = read_times(fact(fields, "set_clock")).filter(|_| changes_time);
        let restore = wanted(code, fields, changes_time);
        let differed = matches!(restore, Some(Goal::Piece(..)));
        if restore.is_none() && times.is_none() {
            return None;
        }
        let moves = read_times(fact(fields, "move_counter"));
        Some(Self { restore, differed, times, moves, ready: false, finished: false })
    }

    /// Takes in that the arbiter has given other seconds than were proposed.
    pub fn correct(&mut self, fields: &Map<String, Value>) {
        let Some(times) = &mut self.times else { return };
        let number = |value: Option<&Value>| {
            value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
        };
        let proposal = fields.get("proposal");
        let (Some(proposed), Some(set)) = (
            number(proposal.and_then(|proposal| proposal.get("add_s"))),
            read_times(fact(fields, "set_clock")),
        ) else {
            return;
        };
        // Without other seconds, or when the ruling is taken back, they are the proposed ones.
        let given = number(fields.get("seconds")).unwrap_or(proposed);
        let shown = |side: Color| set.of(side).saturating_sub(proposed).saturating_add(given);
        *times = match proposal.and_then(|proposal| proposal.get("to")).and_then(Value::as_str) {
            Some("white") => Times { white: shown(Color::White), ..set },
            Some("black") => Times { black: shown(Color::Black), ..set },
            _ => set,
        };
    }

    /// Takes in what board and clock show now.
    pub fn note(&mut self, sensed: Sensed<'_>) {
        if self.finished || !sensed.up {
            return;
        }
        let is_restored = self.wrong_squares(sensed).is_empty();
        self.differed |= !is_restored;
        let Some(clock) = sensed.clock.filter(|clock| clock.connected) else { return };
        if clock.running.is_none() {
            self.ready = is_restored && self.wrong_times(clock).is_empty();
        } else {
            // The reports of the stopped clock may have been missed; what it was set to shows all the same.
            let is_set = self.times.is_some() && self.wrong_times(clock).is_empty();
            self.finished = self.ready || is_restored && is_set;
        }
    }

    /// Returns the steps that there are, and how far they are.
    #[must_use]
    pub fn steps(&self, sensed: Sensed<'_>) -> Vec<RulingStep> {
        let clock = sensed.clock.filter(|clock| clock.connected && sensed.up);
        let state = |is_done: bool, is_seen: bool| match (self.finished || is_done, is_seen) {
            (true, _) => StepState::Done,
            (false, true) => StepState::Open,
            (false, false) => StepState::Unseen,
        };
        let mut steps = Vec::new();
        if self.differed
            && let Some(wanted) = &self.restore
        {
            let wrong = if self.finished { Vec::new() } else { self.wrong_squares(sensed) };
            let fen = match wanted {
                Goal::Position { fen, .. } => Some(fen.clone()),
                Goal::Piece(..) => None,
            };
            let state = state(wrong.is_empty() && sensed.up, sensed.up);
            steps.push(RulingStep::Position { state, fen, wrong });
        }
        if let Some(set) = self.times {
            let wrong = if self.finished { None } else { clock.map(|clock| self.wrong_times(clock)) };
            let wrong = wrong.unwrap_or_default();
            let state = state(wrong.is_empty() && clock.is_some(), clock.is_some());
            steps.push(RulingStep::Times { state, set, moves: self.moves, wrong });
        }
        if !steps.is_empty() {
            let running = clock.and_then(|clock| clock.running).filter(|_| !self.finished);
            let state = state(running.is_none() && clock.is_some(), clock.is_some());
            steps.insert(0, RulingStep::Stop { state, running: running.map(side_name) });
        }
        steps
    }

    fn wrong_squares(&self, sensed: Sensed<'_>) -> Vec<WrongSquare> {
        let wrong = |square: Square, wants: Option<Piece>| WrongSquare {
            square: square.to_string(),
            shows: sensed.squares.piece_at(square).map(Piece::char),
            wants: wants.map(Piece::char),
        };
        match &self.restore {
            None => Vec::new(),
            Some(Goal::Position { board, .. }) => differences(sensed.squares, board)
                .into_iter()
                .map(|square| wrong(square, board.piece_at(square)))
                .collect(),
            Some(Goal::Piece(square, piece)) => (sensed.squares.piece_at(*square) != Some(*piece))
                .then(|| wrong(*square, Some(*piece)))
                .into_iter()
                .collect(),
        }
    }

    /// Returns the sides whose display does not show what it was to be set to.
    fn wrong_times(&self, clock: &ClockView) -> Vec<&'static str> {
        let Some(set) = self.times else { return Vec::new() };
        let is_right = |side: Color| {
            let run_down = if clock.running == Some(side) { RESTART_S } else { 0 };
            let (shown, wanted) = (clock.times.of(side), set.of(side));
            shown <= wanted && wanted - shown <= run_down
        };
        Color::ALL.into_iter().filter(|side| !is_right(*side)).map(side_name).collect()
    }
}

/// Returns a fact of an alert; what an update has changed stands beside the facts.
fn fact<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    fields.get(key).or_else(|| fields.get("facts")?.get(key))
}

fn wanted(code: Code, fields: &Map<String, Value>, time: bool) -> Option<Goal> {
    if let Some(fen) = fact(fields, "reinstate").and_then(Value::as_str) {
        let board = fen.parse::<Fen>().ok()?.into_setup().board;
        return Some(Goal::Position { fen: fen.to_owned(), board });
    }
    // The pawn becomes a queen (Art. 7.5.2).
    if code != Code::PromotionNotReplaced || !time {
        return None;
    }
    let square = fact(fields, "square").and_then(Value::as_str)?.parse().ok()?;
    let color = match fields.get("side").and_then(Value::as_str)? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    Some(Goal::Piece(square, Role::Queen.of(color)))
}

fn read_times(value: Option<&Value>) -> Option<Times> {
    serde_json::from_value(value?.clone()).ok()
}

/// Tells whether something is still to be done about an alert in this state.
#[must_use]
pub(super) const fn is_followed(state: AlertState) -> bool {
    match state {
        AlertState::Open | AlertState::Acknowledged | AlertState::Corrected | AlertState::Confirmed => true,
        AlertState::Expired | AlertState::Dismissed | AlertState::Ended => false,
    }
}

#[cfg(test)]
mod tests;
