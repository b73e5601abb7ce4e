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

mod headway;

pub use self::headway::{Given, Headway, Range, Ranges};

/// A clock that has been started again shows up to so many seconds less than it was set to before that is heard of.
const RESTART_S: u32 = 10;

/// A display that was set by hand is right with so many seconds more or less.
const NEAR_S: u32 = 3;

/// Once a clock that stood has run for so many seconds, play goes on with the times that it has: nothing is to be set any more.
const RESUMED_S: u32 = 30;

/// What is to be done about an alert, and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    restore: Option<Goal>,
    /// Whether the board has differed from what is wanted: else there is nothing to restore.
    differed: bool,
    times: Option<Times>,
    moves: Option<Times>,
    /// Who gets time, and whose increment is taken back, with the seconds.
    add: Option<(Color, u32)>,
    take: Option<(Color, u32)>,
    /// The least that each display has shown by itself: what it would show had nobody set it.
    ran: Option<Times>,
    /// What the clock showed last, if it stood.
    stood: Option<Times>,
    /// What it showed when it was started again.
    started: Option<Times>,
    /// The displays that were set while the clock stood: White's, Black's.
    by_hand: [bool; 2],
    phase: Phase,
}

/// Where the arbiter is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Phase {
    /// Something is to be done.
    Open,
    /// All was done while the clock stood.
    Ready,
    /// All was done, and play goes on.
    Finished,
    /// Play goes on with other times than were proposed.
    Resumed,
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
        /// With which seconds each display is right: between the times at the press and those that the clock has run down to since.
        right: Ranges,
        /// The time that the clock shows to have been given.
        given: Option<Given>,
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
        let change = |seconds: &str, side: &str| {
            let seconds = read_number(proposal?.get(seconds))?;
            Some((read_side(proposal?.get(side))?, seconds))
        };
        Some(Self {
            restore,
            differed,
            times,
            moves,
            add: change("add_s", "to"),
            take: change("take_back_s", "from"),
            ran: None,
            stood: None,
            started: None,
            by_hand: [false; 2],
            phase: Phase::Open,
        })
    }

    /// Notes that the arbiter has given other seconds than were proposed.
    pub fn correct(&mut self, fields: &Map<String, Value>) {
        let Some(times) = &mut self.times else { return };
        let proposal = fields.get("proposal");
        let (Some(proposed), Some(set)) = (
            read_number(proposal.and_then(|proposal| proposal.get("add_s"))),
            read_times(fact(fields, "set_clock")),
        ) else {
            return;
        };
        // Without other seconds, or when the ruling is taken back, they are the proposed ones.
        let given = read_number(fields.get("seconds")).unwrap_or(proposed);
        self.add = self.add.map(|(side, _)| (side, given));
        let shown = |side: Color| set.of(side).saturating_sub(proposed).saturating_add(given);
        *times = match proposal.and_then(|proposal| proposal.get("to")).and_then(Value::as_str) {
            Some("white") => Times { white: shown(Color::White), ..set },
            Some("black") => Times { black: shown(Color::Black), ..set },
            _ => set,
        };
    }

    /// Notes what board and clock show now.
    pub fn note(&mut self, sensed: Sensed<'_>) {
        if self.is_over() || !sensed.up {
            return;
        }
        let is_restored = self.wrong_squares(sensed).is_empty();
        self.differed |= !is_restored;
        let Some(clock) = sensed.clock.filter(|clock| clock.connected) else { return };
        self.note_clock(clock);
        if clock.running.is_none() {
            let is_done = is_restored && self.wrong_times(clock).is_empty();
            self.phase = if is_done { Phase::Ready } else { Phase::Open };
        } else {
            // The reports of the stopped clock may have been missed; what it was set to shows all the same.
            let is_set = self.times.is_some() && self.wrong_times(clock).is_empty();
            let has_run = |side: Color| {
                self.started.is_some_and(|started| clock.times.of(side) + RESUMED_S <= started.of(side))
            };
            if self.phase == Phase::Ready || is_restored && is_set {
                self.phase = Phase::Finished;
            } else if is_restored && Color::ALL.into_iter().any(has_run) {
                self.phase = Phase::Resumed;
            }
        }
    }

    /// Returns whether play goes on.
    const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Finished | Phase::Resumed)
    }

    /// Notes what the clock shows: what it ran down to, and what was set by hand.
    fn note_clock(&mut self, clock: &ClockView) {
        let shown = clock.times;
        if clock.running.is_none() {
            if let Some(stood) = self.stood {
                for (by_hand, side) in self.by_hand.iter_mut().zip(Color::ALL) {
                    // A clock that is stopped may show one second less a moment later.
                    *by_hand |= shown.of(side).abs_diff(stood.of(side)) > 1;
                }
            }
            self.stood = Some(shown);
            self.started = None;
        } else if let Some(stood) = self.stood.take() {
            self.started = Some(stood);
        }
        let ran = self.ran.unwrap_or(shown);
        // The reports of the stopped clock may have been missed.
        let rose = |(side, proposed): (Color, u32)| {
            let seconds = shown.of(side).saturating_sub(ran.of(side));
            (seconds > 0 && seconds.saturating_mul(2) >= proposed).then_some(side)
        };
        if let Some(side) = self.add.and_then(rose) {
            for (by_hand, of) in self.by_hand.iter_mut().zip(Color::ALL) {
                *by_hand |= of == side;
            }
        }
        let fell = |side: Color| shown.of(side).min(ran.of(side));
        let [by_white, by_black] = self.by_hand;
        // What was set by hand is not what it ran down to.
        self.ran = Some(Times {
            white: if by_white { ran.white } else { fell(Color::White) },
            black: if by_black { ran.black } else { fell(Color::Black) },
        });
    }

    /// Returns how far the arbiter is; `None` while nothing of it is seen.
    #[must_use]
    pub fn progress(&self, sensed: Sensed<'_>) -> Option<Headway> {
        let steps = self.steps(sensed);
        if self.is_over() {
            return Some(Headway::Done);
        }
        let is_set =
            steps.iter().any(|step| matches!(step, RulingStep::Times { state: StepState::Done, .. }));
        let is_restored =
            steps.iter().any(|step| matches!(step, RulingStep::Position { state: StepState::Done, .. }));
        let is_open = steps.iter().any(|step| {
            matches!(step, RulingStep::Position { state, .. } | RulingStep::Times { state, .. } if *state != StepState::Done)
        });
        if !is_open && (is_set || is_restored) {
            return Some(Headway::Done);
        }
        self.given(sensed).map(|_| Headway::Given)
    }

    /// Returns the time that the clock shows to have been given to whom it was proposed for: half of it at least. What the player's
    /// own clock ran since the press may have been given back or not; neither is time that was given.
    fn given(&self, sensed: Sensed<'_>) -> Option<Given> {
        let clock = sensed.clock.filter(|clock| clock.connected && sensed.up)?;
        let (side, proposed) = self.add?;
        // Once the clock runs, it is what it was started with.
        let shown = self.started.unwrap_or(clock.times).of(side);
        let Range { least, most } = self.range(side, self.times?);
        let seconds = if shown < least {
            proposed.saturating_sub(least - shown)
        } else {
            proposed.saturating_add(shown.saturating_sub(most))
        };
        let is_by_hand = self.by_hand.iter().zip(Color::ALL).any(|(by_hand, of)| *by_hand && of == side);
        (is_by_hand && seconds > 0 && seconds.saturating_mul(2) >= proposed)
            .then(|| Given { side: side_name(side), seconds })
    }

    /// Returns with which seconds a display is right.
    fn range(&self, side: Color, set: Times) -> Range {
        let most = set.of(side);
        let of = |change: Option<(Color, u32)>| change.filter(|(of, _)| *of == side).map_or(0, |(_, s)| s);
        let followed = self
            .ran
            .map_or(most, |ran| ran.of(side).saturating_add(of(self.add)).saturating_sub(of(self.take)));
        Range { least: followed.min(most), most }
    }

    /// Returns the steps that there are, and how far they are.
    #[must_use]
    pub fn steps(&self, sensed: Sensed<'_>) -> Vec<RulingStep> {
        if self.phase == Phase::Resumed {
            return Vec::new();
        }
        let finished = self.phase == Phase::Finished;
        let clock = sensed.clock.filter(|clock| clock.connected && sensed.up);
        let state = |is_done: bool, is_seen: bool| match (finished || is_done, is_seen) {
            (true, _) => StepState::Done,
            (false, true) => StepState::Open,
            (false, false) => StepState::Unseen,
        };
        let mut steps = Vec::new();
        if self.differed
            && let Some(wanted) = &self.restore
        {
            let wrong = if finished { Vec::new() } else { self.wrong_squares(sensed) };
            let fen = match wanted {
                Goal::Position { fen, .. } => Some(fen.clone()),
                Goal::Piece(..) => None,
            };
            let state = state(wrong.is_empty() && sensed.up, sensed.up);
            steps.push(RulingStep::Position { state, fen, wrong });
        }
        if let Some(set) = self.times {
            let wrong = if finished { None } else { clock.map(|clock| self.wrong_times(clock)) };
            let wrong = wrong.unwrap_or_default();
            let state = state(wrong.is_empty() && clock.is_some(), clock.is_some());
            let right = Ranges { white: self.range(Color::White, set), black: self.range(Color::Black, set) };
            let given = self.given(sensed);
            steps.push(RulingStep::Times { state, set, moves: self.moves, right, given, wrong });
        }
        if !steps.is_empty() {
            let running = clock.and_then(|clock| clock.running).filter(|_| !finished);
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
        let is_right = |(side, by_hand): (Color, bool)| {
            let run_down = if clock.running == Some(side) { RESTART_S } else { 0 };
            let near = if by_hand { NEAR_S } else { 0 };
            let Range { least, most } = self.range(side, set);
            let shown = clock.times.of(side);
            // What nobody has set gets no time by running down.
            let least = if by_hand || self.add.is_none_or(|(to, _)| to != side) { least } else { most };
            shown <= most.saturating_add(near) && shown.saturating_add(near).saturating_add(run_down) >= least
        };
        let sides = Color::ALL.into_iter().zip(self.by_hand);
        sides.filter(|side| !is_right(*side)).map(|(side, _)| side_name(side)).collect()
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
    let color = read_side(fields.get("side"))?;
    Some(Goal::Piece(square, Role::Queen.of(color)))
}

fn read_number(value: Option<&Value>) -> Option<u32> {
    value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
}

fn read_side(value: Option<&Value>) -> Option<Color> {
    match value.and_then(Value::as_str)? {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

fn read_times(value: Option<&Value>) -> Option<Times> {
    serde_json::from_value(value?.clone()).ok()
}

/// Returns whether something is still to be done about an alert in this state.
#[must_use]
pub(super) const fn is_followed(state: AlertState) -> bool {
    match state {
        AlertState::Open | AlertState::Acknowledged | AlertState::Corrected | AlertState::Confirmed => true,
        AlertState::Expired | AlertState::Dismissed | AlertState::Ended | AlertState::Withdrawn => false,
    }
}

#[cfg(test)]
mod tests;
