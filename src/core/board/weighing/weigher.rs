//! Owns the decoder that weighs: what it has heard, and what it is asked.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color};

use super::{
    Observed,
    accusation::{other_story, rests_on_unseen},
};
use crate::{
    alert::{Confidence, Probability},
    decoder::{Belief, Completed, Decoder},
    fact::{Pressed, Reason, Verdict, Weight},
    model::effort,
    position::differences,
    time::Timestamp,
    tracker::reason,
};

/// A decoder, and the numbers of the presses that it has heard of.
#[derive(Debug)]
pub(super) struct Weigher {
    pub(super) decoder: Decoder,
    /// How many plies of the game it does not know.
    pub(super) plies: u32,
    /// Squares that were known to read wrongly when it began.
    pub(super) faulty: Bitboard,
    /// When it begins, if with a sound position.
    pub(super) sound_since: Option<Timestamp>,
    pub(super) presses: ArrayVec<(Timestamp, Color, u32), { effort::ASKED_PRESSES }>,
}

/// What the decoder says of a press of which the tracker accuses nobody.
pub(super) enum Suspicion {
    /// It most probably completed an offence: the press with the verdict of the decoder, what that calls it, and the most that may be said of it.
    Offence { pressed: Box<Pressed>, accused: &'static [Completed], most: Confidence },
    /// Nothing is likely yet.
    Open,
    /// It most probably completed no offence.
    Unfounded,
}

impl Weigher {
    /// Handles what the sensors or the clock reported.
    pub(super) fn take(&mut self, observed: Observed, at: Timestamp) {
        match observed {
            Observed::Square(square, piece) => self.decoder.handle_square(square, piece, at),
            Observed::Press(side, seen) => {
                let press = self.decoder.handle_press(side, seen, at);
                if self.presses.is_full() {
                    self.presses.pop_at(0);
                }
                // There is room: the oldest has gone.
                self.presses.extend([(at, side, press)]);
            }
            Observed::Running(Some(side)) => self.decoder.handle_start(side, at),
            Observed::Running(None) => self.decoder.handle_stop(at),
        }
    }

    /// Returns how probable it is that a press completed one of these, `None` if the press is not remembered.
    pub(super) fn weigh(
        &mut self,
        pressed: &Pressed,
        accused: &[Completed],
        now: Timestamp,
    ) -> Option<Weight> {
        let press = self.number(pressed)?;
        self.decoder.look(now);
        let beliefs = self.decoder.beliefs(press, pressed.at, now);
        let is_it = |belief: &&Belief| belief.side == pressed.side && accused.contains(&belief.what);
        let p = beliefs.iter().filter(is_it).map(|belief| belief.p).sum();
        let other = beliefs.iter().find(|belief| !is_it(belief));
        let otherwise = other.map(|belief| other_story(belief.what));
        (!beliefs.is_empty()).then(|| Weight { p: Probability::new(p), otherwise })
    }

    /// Looks at a press of which the tracker accuses nobody; `least` says how probable an accusation has to be.
    pub(super) fn suspect(
        &mut self,
        pressed: &Pressed,
        least: impl Fn(Completed) -> u32,
        now: Timestamp,
    ) -> Suspicion {
        let Some(press) = self.number(pressed) else { return Suspicion::Unfounded };
        self.decoder.look(now);
        let beliefs = self.decoder.beliefs(press, pressed.at, now);
        let Some(belief) = beliefs.first().filter(|belief| belief.p >= least(belief.what)) else {
            return Suspicion::Open;
        };
        let Some(accused) = offence(belief.what).filter(|_| belief.side == pressed.side) else {
            return Suspicion::Unfounded;
        };
        match self.accuse(press, belief.what, pressed) {
            Some(pressed) => {
                let own = self.faulty & pressed.before.board().by_color(pressed.side);
                // From a square that shows nothing, a piece may have gone to another one.
                let is_unsure = pressed.verdict == Verdict::Nothing && own.any();
                let most = if is_unsure { Confidence::Possible } else { Confidence::Likely };
                Suspicion::Offence { pressed: Box::new(pressed), accused, most }
            }
            None => Suspicion::Open,
        }
    }

    /// Returns a press with what the decoder says that it completed.
    fn accuse(&self, press: u32, what: Completed, pressed: &Pressed) -> Option<Pressed> {
        let attempt = self.decoder.attempt(press, what)?;
        // Pieces that fell and were put up elsewhere look like a move.
        if attempt.amiss {
            return None;
        }
        // Where the board does not show what stood there, something was done; nobody knows what. A piece of the opponent's may be in his hand, or
        // beside the middle of its square.
        let odd = differences(attempt.before.board(), &pressed.board) & !self.faulty;
        let done = odd & (pressed.board.occupied() | attempt.before.board().by_color(pressed.side));
        if what == Completed::Nothing && done.any() {
            return None;
        }
        let verdict = match (what, &attempt.played) {
            (Completed::Nothing, _) => Verdict::Nothing,
            (Completed::Unreplaced, Some(played)) => Verdict::PromotionLeft(played.to),
            (_, Some(_)) if attempt.twice => Verdict::Illegal(Reason::TwoMoves),
            (_, Some(played)) => Verdict::Illegal(reason(&attempt.before, played)),
            (_, None) => Verdict::Illegal(Reason::Other),
        };
        if rests_on_unseen(&verdict, &attempt.before, pressed, self.faulty) {
            return None;
        }
        Some(Pressed {
            verdict,
            // Its odds are those of the decoder alone.
            confidence: Confidence::Possible,
            ply: self.plies + attempt.ply,
            before: attempt.before,
            ..pressed.clone()
        })
    }

    /// Returns the number of a press, if it is remembered.
    fn number(&self, pressed: &Pressed) -> Option<u32> {
        let is_it = |(at, side, _): &&(Timestamp, Color, u32)| (*at, *side) == (pressed.at, pressed.side);
        self.presses.iter().find(is_it).map(|(_, _, press)| *press)
    }
}

/// Returns what is asked about a press from now on of which the decoder says this, if it is an offence.
const fn offence(what: Completed) -> Option<&'static [Completed]> {
    match what {
        Completed::Illegal => Some(&[Completed::Illegal]),
        Completed::Unreplaced => Some(&[Completed::Unreplaced]),
        Completed::Nothing => Some(&[Completed::Nothing]),
        Completed::Legal | Completed::Castling | Completed::Early | Completed::Stands | Completed::Back => {
            None
        }
    }
}
