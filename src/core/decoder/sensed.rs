//! Owns what the sensors show, the same for all tokens.

use std::collections::VecDeque;

use shakmaty::{Bitboard, Board, Piece, Square};

use super::{logarithm::ln, moment::Moment, params::Params, price::Price};

/// Changes that are remembered: those of some seconds of the fastest play.
const REMEMBERED: usize = 64;

/// How long before a stop of the clock pieces count as handled freely, milliseconds. Protocol: the interval of its reports.
const BEFORE_STOP_MS: i32 = 300;

/// A change of a square, as the board reported it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) at: Moment,
    pub(crate) square: Square,
    pub(crate) is: Option<Piece>,
}

/// What the sensors show.
#[derive(Clone, Debug)]
pub(crate) struct Sensed {
    pub(crate) board: Board,
    changed: [Moment; 64],
    /// Whether the clock runs, or there is none.
    pub(crate) running: bool,
    /// Whether there is a clock.
    pub(crate) clock: bool,
    /// Squares that have shown a piece.
    pub(crate) worked: Bitboard,
    /// When the clock was stopped.
    stopped: Moment,
    /// Where a piece left last that had not been shown, and when.
    pub(crate) unseen: Option<(Square, Moment)>,
    /// The last changes.
    pub(crate) log: VecDeque<Change>,
    reported: u32,
    /// 256·ln of what the board is taken to have reported.
    ln_reported: Price,
}

impl Sensed {
    /// Handles the first placement.
    pub(crate) fn new(board: Board, params: &Params, now: Moment) -> Self {
        Self {
            worked: board.occupied(),
            board,
            changed: [now; 64],
            running: true,
            clock: false,
            stopped: now,
            unseen: None,
            log: VecDeque::new(),
            reported: 0,
            ln_reported: ln(params.sensors.lost_prior),
        }
    }

    /// Returns when a square last changed.
    pub(crate) fn changed(&self, square: Square) -> Moment {
        self.changed.get(usize::from(square)).copied().unwrap_or(Moment::LONG_AGO)
    }

    /// Returns whether such a piece has been seen to leave a square since an instant.
    pub(crate) fn left_after(&self, piece: Piece, at: Moment) -> bool {
        let leaves = |(index, change): (usize, &Change)| {
            let before = || self.log.iter().take(index).rfind(|before| before.square == change.square);
            change.at >= at && change.is.is_none() && before().is_some_and(|before| before.is == Some(piece))
        };
        self.log.iter().enumerate().any(leaves)
    }

    /// Notes that a square has changed, whatever it shows.
    pub(crate) fn touch(&mut self, square: Square, now: Moment) {
        if let Some(changed) = self.changed.get_mut(usize::from(square)) {
            *changed = now;
        }
    }

    /// Handles what a square shows.
    pub(crate) fn put(&mut self, square: Square, is: Option<Piece>, params: &Params, now: Moment) {
        if let Some(piece) = is {
            self.board.set_piece_at(square, piece);
            self.worked.add(square);
        } else {
            self.board.discard_piece_at(square);
        }
        self.touch(square, now);
        if self.log.len() >= REMEMBERED {
            self.log.pop_front();
        }
        self.log.push_back(Change { at: now, square, is });
        self.reported = self.reported.saturating_add(1);
        self.ln_reported = ln(self.reported.saturating_add(params.sensors.lost_prior));
    }

    /// Notes that the clock stands.
    pub(crate) const fn stop(&mut self, now: Moment) {
        self.running = false;
        self.stopped = now;
    }

    /// Returns whether pieces were handled freely at an instant: the clock stands.
    pub(crate) fn is_free(&self, at: Moment) -> bool {
        !self.running && at.since(self.stopped) > -BEFORE_STOP_MS
    }

    /// Returns the price of a change that a working square never reports, on a board that has lost none so far.
    pub(crate) const fn lost(&self) -> Price {
        self.ln_reported
    }
}

/// What an action is judged by: all that is the same for all tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) sensed: &'a Sensed,
    pub(crate) params: &'a Params,
    pub(crate) now: Moment,
    /// What a story may cost in all.
    pub(crate) limit: Price,
}

impl Context<'_> {
    /// Returns how long ago an instant was, milliseconds.
    pub(crate) const fn age(&self, since: Moment) -> i32 {
        self.now.since(since)
    }
}
