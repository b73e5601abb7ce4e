//! Whose turn it is on the line, and when all boards are called.

use std::{ops::Bound, time::Duration};

use dgt_protocol::{Address, BusCommand, BusRequest};

use super::{
    BusLine, CALL,
    bus_board::{BusBoard, TURN},
};
use crate::time::Timestamp;

/// A running clock is read at least, and at most, this often.
const CLOCK_PACE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// Every board is looked at as a whole this often; on a line with many boards less often.
const LOOK_AGAIN: Duration = Duration::from_secs(20);

/// What a dump may cost on average, for each board on the line.
const DUMP_SHARE: Duration = Duration::from_secs(1);

/// One round of turns.
#[derive(Debug, Default)]
pub(super) struct Round {
    pub(super) began: Timestamp,
    /// How long the last one took.
    pub(super) took: Option<Duration>,
    /// Whether a board that is gone has been looked for in this round, which takes the time of several turns.
    pub(super) looked: bool,
    /// Whether all boards were called meanwhile, which takes more than a second.
    pub(super) called: bool,
    /// How many rounds there have been since the link came up.
    pub(super) count: u64,
}

/// The calling of all boards, also those that nobody expects.
#[derive(Debug)]
pub(super) struct Call {
    /// When it begins.
    pub(super) at: Timestamp,
    pub(super) phase: CallPhase,
    pub(super) calls: u8,
    /// Whether anybody new has answered, or several at once.
    pub(super) more: bool,
}

/// How far the calling of all boards is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum CallPhase {
    /// Boards have their turns.
    Idle,
    /// Known boards are asked to keep silent; this one was the last.
    Silencing(Address),
    /// All others are called.
    Calling,
}

impl BusLine {
    /// Returns what is asked next.
    pub(super) fn next_command(&mut self, now: Timestamp) -> Option<BusCommand> {
        if let Some(request) = self.next_call(now) {
            return Some(request);
        }
        let [least, most] = CLOCK_PACE;
        let pace = (self.round.took.unwrap_or_default() * 2).clamp(least, most);
        // Every board once, and the first one twice.
        for _ in 0..=self.boards.len() + 1 {
            let board = self.turn.and_then(|address| Some((address, self.boards.get(&address)?)));
            if let Some((address, board)) = board
                && let Some(request) = board.wants(pace, now)
            {
                return Some(BusCommand { address, request });
            }
            if !self.advance(now) {
                return None;
            }
        }
        self.transaction.rest(now + TURN);
        None
    }

    /// Returns what is asked while all boards are called.
    pub(super) fn next_call(&self, now: Timestamp) -> Option<BusCommand> {
        if let Some(address) = self.found.front() {
            return Some(BusCommand { address: *address, request: BusRequest::Ping });
        }
        let last = match self.call.phase {
            CallPhase::Idle => {
                let quiet = !self.boards.values().any(BusBoard::is_running);
                let due = self.call.at <= now && self.round.count > 0;
                if !due || !quiet {
                    return None;
                }
                Address::BROADCAST
            }
            CallPhase::Silencing(last) => last,
            CallPhase::Calling => return None,
        };
        let mut after = self.boards.range((Bound::Excluded(last), Bound::Unbounded));
        Some(match after.find(|(_, board)| board.is_present()) {
            Some((address, _)) => BusCommand { address: *address, request: BusRequest::IgnoreNextPing },
            None => BusCommand { address: Address::BROADCAST, request: BusRequest::Ping },
        })
    }

    /// Gives the next board its turn; returns whether there is one.
    pub(super) fn advance(&mut self, now: Timestamp) -> bool {
        let next = match self.turn {
            Some(last) => self.find_ready((Bound::Excluded(last), Bound::Unbounded), now),
            None => None,
        };
        let next = next.or_else(|| {
            self.end_round(now);
            self.find_ready((Bound::Unbounded, Bound::Unbounded), now)
        });
        self.turn = next;
        let dump_every = LOOK_AGAIN.max(DUMP_SHARE * u32::try_from(self.boards.len()).unwrap_or(u32::MAX));
        if let Some(board) = next.and_then(|address| self.boards.get_mut(&address)) {
            board.begin_turn();
            board.want_dump_if_older(dump_every, now);
            self.round.looked |= !board.is_present();
            return true;
        }
        let soonest = self.boards.values().map(BusBoard::turn_at).min().unwrap_or(now + CALL);
        let call = if self.boards.values().any(BusBoard::is_running) { now + CALL } else { self.call.at };
        self.transaction.rest(soonest.min(call).max(now + TURN / 10));
        false
    }

    /// Returns the first board within bounds that may have a turn.
    pub(super) fn find_ready(
        &self,
        bounds: (Bound<Address>, Bound<Address>),
        now: Timestamp,
    ) -> Option<Address> {
        let looked = self.round.looked && self.round.count > 0;
        let ready = |board: &BusBoard| board.turn_at() <= now && (board.is_present() || !looked);
        self.boards.range(bounds).find(|(_, board)| ready(board)).map(|(address, _)| *address)
    }

    pub(super) fn end_round(&mut self, now: Timestamp) {
        debug_assert!(self.round.began <= now, "a round ends after it has begun");
        let all = self.boards.values().any(BusBoard::is_present);
        // A round in which all boards were called says nothing of the others.
        if self.turn.is_some() || self.boards.is_empty() {
            let took = if self.round.called { self.round.took } else { Some(now.since(self.round.began)) };
            let count = self.round.count + 1;
            self.round = Round { began: now, took: took.filter(|_| all), count, ..Round::default() };
        }
    }
}
