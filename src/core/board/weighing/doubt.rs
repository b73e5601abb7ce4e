//! Owns doubts: presses of which the tracker accuses nobody without being sure, on boards against which nothing is known.
//!
//! The decoder is asked what they completed. Where nobody saw everything, its stories lack what nobody saw: it is not asked then.

use shakmaty::{Bitboard, Color};

use super::{Known, Watched, Weighing, watched::look_due};
use crate::{
    alert::Confidence,
    board::Board,
    decoder::Params,
    fact::{Fact, MismatchCause, Pressed, Verdict},
    game::{Game, Ply},
    model::decision,
    time::{Due, Timestamp},
};

/// What is known against a board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Soundness {
    /// When something was last not heard, or heard wrongly.
    unheard_at: Option<Timestamp>,
    /// Squares, or all of it, read wrongly in this game.
    faulty: bool,
}

impl Soundness {
    /// Notes what a fact says of the board.
    pub(super) fn note(&mut self, fact: &Fact, now: Timestamp) {
        match fact {
            Fact::GameStarted => self.faulty = false,
            Fact::OddStart { .. } => self.faulty = true,
            Fact::Link { up: false } | Fact::ClockLink { connected: false } => self.unheard_at = Some(now),
            Fact::Mismatch { cause, .. } => match cause {
                // Pieces that come late are in the decoder's likelihood; some are pressed for in the air. It knows which squares show nothing.
                MismatchCause::Missing | MismatchCause::Stray | MismatchCause::Late | MismatchCause::Dead => {
                }
                MismatchCause::Unreported => self.unheard_at = Some(now),
                MismatchCause::Weak
                | MismatchCause::WrongCode
                | MismatchCause::Unidentified
                | MismatchCause::SeatsSwapped
                | MismatchCause::Unexplained => self.faulty = true,
            },
            Fact::PlayStarted
            | Fact::Made { .. }
            | Fact::Completed { .. }
            | Fact::Withdrawn { .. }
            | Fact::Pressed(_)
            | Fact::Righted { .. }
            | Fact::Touched { .. }
            | Fact::Flag { .. }
            | Fact::ClockStopped
            | Fact::ClockStarted { .. }
            | Fact::MismatchCleared { .. }
            | Fact::Ended
            | Fact::Link { up: true }
            | Fact::ClockLink { connected: true }
            | Fact::ClockBattery { .. }
            | Fact::BoardBattery { .. }
            | Fact::Noise { .. } => {}
        }
    }

    fn is_sound_since(self, at: Timestamp) -> bool {
        !self.faulty && self.unheard_at.is_none_or(|unheard_at| unheard_at < at)
    }
}

impl Weighing {
    /// Returns when a press that is doubted is looked at first.
    pub(super) fn doubt_due(&self) -> Due {
        let due = self.doubts.iter().filter_map(first_look).min();
        due.map(|due| (due, "a doubt is looked at"))
    }

    /// Asks the decoder about a press of which the tracker accuses nobody.
    fn doubt(&mut self, pressed: Pressed, faulty: Bitboard) {
        if self.case.is_none() {
            self.open_case(pressed.ply, faulty);
        }
        let Some(case) = &mut self.case else { return };
        let same = |other: &Pressed| (other.at, other.side) == (pressed.at, pressed.side);
        if case.watched.is_full() || case.watched.iter().any(|watched| same(&watched.pressed)) {
            return;
        }
        // There is room.
        case.watched.extend([Watched {
            pressed,
            accused: &[],
            most: Confidence::Likely,
            look: 0,
            said: None,
        }]);
    }

    /// Returns whether the board has shown exactly what a press completed.
    fn was_shown(&self, pressed: &Pressed) -> bool {
        let shown =
            |known: &Known| known.plies >= pressed.ply && known.at >= pressed.at && known.faulty().is_empty();
        self.known.iter().rev().any(shown)
    }

    /// Drops the presses of which the tracker accuses nobody, and nothing is said.
    pub(super) fn drop_doubts(&mut self) {
        let Some(case) = &mut self.case else { return };
        case.watched.retain(|watched| !watched.accused.is_empty());
        if case.watched.is_empty() {
            self.case = None;
        }
    }

    /// Returns the oldest position that is kept and sound, early enough for a ply of this number.
    pub(super) fn oldest_sound(&self, ply: u32) -> Option<&Known> {
        self.known.iter().find(|known| known.is_before(ply) && known.sound)
    }
}

impl Board {
    /// Notes a press if the tracker is not sure that it completed what it should.
    pub(super) fn note_doubt(&mut self, pressed: &Pressed, now: Timestamp) {
        let may_come = last_look(pressed).is_some_and(|due| due > now);
        if is_doubtful(pressed) && pressed.ply > 1 && may_come && self.may_doubt(pressed.ply) {
            let doubts = &mut self.weighing.doubts;
            if doubts.is_full() {
                doubts.pop_at(0);
            }
            // There is room: the oldest has gone.
            doubts.extend([pressed.clone()]);
        }
    }

    /// Lets the decoder look at doubted presses whose time has come, but for those that need none.
    pub(super) fn look_at_doubts(&mut self, now: Timestamp) {
        let is_due = |pressed: &Pressed| first_look(pressed).is_none_or(|due| due <= now);
        while let Some(index) = self.weighing.doubts.iter().position(is_due) {
            let Some(pressed) = self.weighing.doubts.pop_at(index) else { return };
            if !self.needs_no_look(&pressed) && self.may_doubt(pressed.ply) {
                self.weighing.doubt(pressed, self.tracker.faulty_squares());
            }
        }
    }

    /// Returns whether a game began with all pieces, or from a position that was asked for; from others, nobody knows what is meant.
    fn is_usual_start(&self, game: &Game) -> bool {
        let board = game.start().board();
        !self.settings.game.fen.is_empty()
            || Color::ALL.iter().all(|side| board.by_color(*side).count() == decision::PIECES)
    }

    /// Returns whether a press needs no second look: the board has shown since that it completed a legal move, or its player made two illegal
    /// moves in turn, which all stand. Then the position is more probably wrong.
    fn needs_no_look(&self, pressed: &Pressed) -> bool {
        let Some(game) = self.tracker.game() else { return false };
        let is_illegal = |ply: u32| game.ply(ply).is_some_and(Ply::is_illegal);
        if is_illegal(pressed.ply) {
            return is_illegal(pressed.ply.saturating_sub(2));
        }
        // It may have completed nothing, where it is said to have completed an earlier ply.
        let is_late = game.ply(pressed.ply + 1).is_some_and(|next| next.made_at < pressed.at);
        !is_late && self.weighing.was_shown(pressed)
    }

    /// Returns whether the decoder may be asked about a press for a ply of this number: it knows a sound position from which to read, and the board
    /// showed the last one before the ply whole.
    fn may_doubt(&self, ply: u32) -> bool {
        let last = self.weighing.known.iter().rfind(|known| known.plies < ply);
        let since = match &self.weighing.case {
            Some(case) => case.weigher.sound_since,
            None => self.weighing.oldest_sound(ply).map(|known| known.at),
        };
        last.is_none_or(|known| known.sound) && since.is_some_and(|since| self.is_sound_since(since))
    }

    /// Returns whether the decoder at work began with a sound position, and nothing has come up since.
    pub(super) fn may_doubt_still(&self) -> bool {
        let since = self.weighing.case.as_ref().and_then(|case| case.weigher.sound_since);
        since.is_some_and(|since| self.is_sound_since(since))
    }

    /// Returns whether all was seen since an instant, on a board against which nothing is known.
    fn is_sound_since(&self, since: Timestamp) -> bool {
        let seen = |ply: &Ply| ply.inferred.is_none() && !ply.entered;
        let game = self.tracker.game().filter(|game| !game.is_adopted() && game.plies().iter().all(seen));
        game.is_some_and(|game| self.is_usual_start(game))
            && self.weighing.soundness.is_sound_since(since)
            && self.tracker.is_undamaged_since(since)
    }
}

/// Returns when the decoder looks at a press first.
fn first_look(pressed: &Pressed) -> Option<Timestamp> {
    look_due(pressed, 0)
}

/// Returns when the decoder looks at a press for the last time.
fn last_look(pressed: &Pressed) -> Option<Timestamp> {
    look_due(pressed, Params::DEFAULT.claims.again.len() - 1)
}

/// Returns whether the tracker is not sure that a press completed what it should: it accuses nobody.
fn is_doubtful(pressed: &Pressed) -> bool {
    let accuses_nobody = match pressed.verdict {
        Verdict::Legal | Verdict::Reaction | Verdict::LegalWithMismatch(_) => true,
        Verdict::Illegal(_) | Verdict::PromotionLeft(_) | Verdict::Nothing | Verdict::InTheAir { .. } => {
            false
        }
    };
    accuses_nobody && pressed.seen && pressed.confidence <= Confidence::Likely
}
