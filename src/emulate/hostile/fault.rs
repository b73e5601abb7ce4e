//! Hostile boards as the command line names them.

use std::{str::FromStr, time::Duration};

use thiserror::Error;

use super::HostileKind;

/// A kind of hostile board, which board of the hall it is, and from when on: `flood`, `flood:3`, `flood:3@60`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HostileFault {
    /// The kind.
    pub kind: HostileKind,
    /// Number of the board in the hall, from 1; without it the last boards are taken, in the order of their faults.
    pub board: Option<usize>,
    /// How long the board is a usual one before.
    pub after: Duration,
}

/// Why a text names no hostile board.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "'{text}' is no kind of board: expected KIND[:BOARD[@SECONDS]] with the number of a board from 1 on and KIND one \
     of {}",
    HostileKind::ALL.map(HostileKind::name).join(", ")
)]
pub struct ParseHostileError {
    text: String,
}

impl HostileFault {
    /// Returns the fault of each of `boards` boards; `None` if there is no such board, or it has a fault already.
    #[must_use]
    pub fn shared_out(faults: &[Self], boards: usize) -> Option<Vec<Option<Self>>> {
        let mut all = vec![None; boards];
        let (numbered, others): (Vec<Self>, Vec<Self>) =
            faults.iter().partition(|fault| fault.board.is_some());
        for fault in numbered {
            let place = all.get_mut(fault.board?.checked_sub(1)?)?;
            if place.replace(fault).is_some() {
                return None;
            }
        }
        let mut free = all.iter_mut().rev().filter(|place| place.is_none());
        for fault in others.into_iter().rev() {
            *free.next()? = Some(fault);
        }
        Some(all)
    }
}

impl FromStr for HostileFault {
    type Err = ParseHostileError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseHostileError { text: text.to_owned() };
        let (rest, seconds) = match text.split_once('@') {
            Some((rest, seconds)) => (rest, seconds.parse().map_err(|_| wrong())?),
            None => (text, 0_u32),
        };
        let (name, board) = match rest.split_once(':') {
            Some((name, board)) => {
                let board: usize = board.parse().map_err(|_| wrong())?;
                (name, Some(board).filter(|board| *board > 0).ok_or_else(wrong)?.into())
            }
            None => (rest, None),
        };
        let kind = HostileKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(wrong)?;
        Ok(Self { kind, board, after: Duration::from_secs(seconds.into()) })
    }
}
