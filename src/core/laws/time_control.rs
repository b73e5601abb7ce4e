//! Time controls: what a player has for how many moves.

use std::{fmt, str::FromStr};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Periods that a time control may have.
const PERIODS: usize = 4;

/// Moves after which the classes of games compare time controls (Art. A.1, B.1).
const SIXTY: u32 = 60;

/// A single period longer than this is seconds where minutes were meant.
const LONGEST_MINUTES: u32 = 600;

/// What a player has for how many moves.
///
/// Written as people do, `15+10`: minutes, and seconds added for each move; or as PGN does with moves and seconds,
/// `40/5400+30:1800+30`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    periods: ArrayVec<Period, PERIODS>,
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Period {
    /// Moves to complete in it, `None` for all that remain.
    pub moves: Option<u32>,
    /// Seconds.
    pub base_s: u32,
    /// Seconds added for each move.
    pub increment_s: u32,
}

impl TimeControl {
    /// Returns the periods, at least one.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        debug_assert!(!self.periods.is_empty(), "a time control has a period");
        &self.periods
    }

    /// Returns whether any period adds time for a move.
    #[must_use]
    pub fn has_increment(&self) -> bool {
        self.periods.iter().any(|period| period.increment_s > 0)
    }

    /// Returns the moves that must be completed when the flag falls for the n-th time, counted from 0; `None` in the
    /// last period, where no number of moves helps.
    #[must_use]
    pub fn moves_due(&self, flag: usize) -> Option<u32> {
        let repeats = self.periods.last().and_then(|last| last.moves);
        let mut due = 0u32;
        for number in 0..=flag {
            let moves = self.periods.get(number).map_or(repeats, |period| period.moves);
            due = due.saturating_add(moves?);
        }
        Some(due)
    }

    /// Returns whether a player who has completed this many moves is in the last period.
    #[must_use]
    pub fn is_last_period(&self, moves: u32) -> bool {
        let Some((last, earlier)) = self.periods.split_last() else { return true };
        last.moves.is_none() && earlier.iter().filter_map(|period| period.moves).sum::<u32>() <= moves
    }

    /// Returns what a player has for sixty moves, seconds (Art. A.1, B.1).
    #[must_use]
    pub fn sixty_moves_s(&self) -> u32 {
        let mut remaining = SIXTY;
        let mut seconds = 0u32;
        for period in &self.periods {
            let moves = period.moves.map_or(remaining, |moves| moves.min(remaining));
            seconds = seconds
                .saturating_add(period.base_s)
                .saturating_add(moves.saturating_mul(period.increment_s));
            remaining -= moves;
            if remaining == 0 {
                break;
            }
        }
        seconds
    }
}

/// Why a text is no time control.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ParseTimeControlError {
    /// Nothing is written, or nothing between two colons.
    #[error("a period of the time control is empty; write 15+10 (minutes and seconds) or 40/5400+30:1800+30")]
    Empty,
    /// A part is no number.
    #[error("{0:?} in the time control is no whole number of moves or seconds")]
    Number(String),
    /// A period before the last has no number of moves.
    #[error(
        "period {0:?} of the time control needs a number of moves, such as 40/5400, because another one follows"
    )]
    NoMoves(String),
    /// There is no time in a period.
    #[error("period {0:?} of the time control gives no time")]
    NoTime(String),
    /// Seconds stand where minutes are meant.
    #[error(
        "{0:?} would be {0} minutes; a period without a number of moves is written in minutes unless others precede it"
    )]
    Minutes(u32),
    /// There are too many periods.
    #[error("a time control has at most four periods")]
    TooMany,
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: ArrayVec<&str, PERIODS> = {
            let mut parts = ArrayVec::new();
            for part in text.trim().split(':') {
                parts.try_push(part.trim()).map_err(|_| ParseTimeControlError::TooMany)?;
            }
            parts
        };
        let minutes = !text.contains(['/', ':']);
        let mut periods = ArrayVec::new();
        for (number, part) in parts.iter().enumerate() {
            let mut period = parse_period(part)?;
            if period.moves.is_none() && number + 1 < parts.len() {
                return Err(ParseTimeControlError::NoMoves((*part).to_owned()));
            }
            if minutes {
                if period.base_s > LONGEST_MINUTES {
                    return Err(ParseTimeControlError::Minutes(period.base_s));
                }
                period.base_s *= 60;
            }
            if period.base_s == 0 && period.increment_s == 0 {
                return Err(ParseTimeControlError::NoTime((*part).to_owned()));
            }
            periods.push(period);
        }
        Ok(Self { periods })
    }
}

fn parse_period(text: &str) -> Result<Period, ParseTimeControlError> {
    if text.is_empty() {
        return Err(ParseTimeControlError::Empty);
    }
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves)?), time),
        None => (None, text),
    };
    if moves == Some(0) {
        return Err(ParseTimeControlError::Number("0".to_owned()));
    }
    let (base, increment) = match time.split_once('+') {
        Some((base, increment)) => (number(base)?, number(increment)?),
        None => (number(time)?, 0),
    };
    Ok(Period { moves, base_s: base, increment_s: increment })
}

fn number(text: &str) -> Result<u32, ParseTimeControlError> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseTimeControlError::Number(text.to_owned()));
    }
    text.parse().map_err(|_| ParseTimeControlError::Number(text.to_owned()))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One period of whole minutes is written the way people write it.
        if let [Period { moves: None, base_s, increment_s }] = self.periods.as_slice()
            && base_s % 60 == 0
        {
            return write!(f, "{}+{increment_s}", base_s / 60);
        }
        for (number, period) in self.periods.iter().enumerate() {
            let colon = if number == 0 { "" } else { ":" };
            write!(f, "{colon}")?;
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", period.base_s)?;
            if period.increment_s > 0 {
                write!(f, "+{}", period.increment_s)?;
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = ParseTimeControlError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}
