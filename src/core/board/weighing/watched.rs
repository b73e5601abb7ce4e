//! Owns a press that is weighed again as time goes on: what was said of it, and what changes.

use shakmaty::Color;

use super::weigher::{Suspicion, Weigher};
use crate::{
    alert::{Confidence, Probability},
    decoder::{Completed, Params},
    fact::{Pressed, Weight},
    time::Timestamp,
};

/// A press that is weighed.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) pressed: Pressed,
    /// What the decoder calls what its player is accused of; nothing while nobody is.
    pub(super) accused: &'static [Completed],
    /// The most that may be said of it: where the tracker accused nobody, only the decoder says that there was an offence.
    pub(super) most: Confidence,
    /// Which look at it comes next.
    pub(super) look: usize,
    /// What was said last, if it was said.
    pub(super) said: Option<(Confidence, Probability)>,
}

/// What to do about a press that was weighed before.
pub(super) enum Change {
    /// An accusation may be made now.
    Make(Box<Pressed>),
    /// It is made, and is more or less probable now.
    Weigh { pressed_at: Timestamp, side: Color, sure: Confidence, weight: Weight },
    /// It is made, and not probable any more.
    Withdraw { pressed_at: Timestamp, side: Color },
}

impl Watched {
    /// Returns when it is weighed next.
    pub(super) fn due(&self) -> Option<Timestamp> {
        look_due(&self.pressed, self.look)
    }

    /// Looks at it once more; returns what has changed.
    pub(super) fn weigh(&mut self, weigher: &mut Weigher, now: Timestamp) -> Option<Change> {
        if self.accused.is_empty() {
            match weigher.suspect(&self.pressed, |what| self.least(what), now) {
                Suspicion::Offence { pressed, accused, most } => {
                    (self.pressed, self.accused, self.most) = (*pressed, accused, most);
                }
                Suspicion::Open => return None,
                Suspicion::Unfounded => {
                    self.look = usize::MAX;
                    return None;
                }
            }
        }
        let weight = weigher.weigh(&self.pressed, self.accused, now)?;
        self.change(weight)
    }

    /// Notes how probable it is now.
    fn change(&mut self, weight: Weight) -> Option<Change> {
        let claims = &Params::DEFAULT.claims;
        let (pressed_at, side) = (self.pressed.at, self.pressed.side);
        let said = self.word(weight.p);
        match (self.said, said) {
            (None, Some((sure, p))) => {
                self.said = said;
                let weight = Some(Weight { p, ..weight });
                let pressed = Pressed { confidence: sure, weight, ..self.pressed.clone() };
                Some(Change::Make(Box::new(pressed)))
            }
            (Some((before, _)), Some((sure, p))) if before != sure => {
                self.said = said;
                Some(Change::Weigh { pressed_at, side, sure, weight: Weight { p, ..weight } })
            }
            (Some(_), None) if combined(self.pressed.confidence, weight.p) < claims.withdrawn => {
                self.said = None;
                Some(Change::Withdraw { pressed_at, side })
            }
            _ => None,
        }
    }

    /// Returns from which probability on an accusation is made: from `likely` first, as what is read next says more, and from `possible` once
    /// little more can come. A clock that is knocked looks like presses without a move, of which the decoder alone is to be surer; no sensor ever
    /// says more of a move that was made late.
    fn least(&self, what: Completed) -> u32 {
        let claims = &Params::DEFAULT.claims;
        let alone = self.most != Confidence::Certain;
        let early = what != Completed::Early
            && (alone && what == Completed::Nothing || self.look < claims.possible_again_from);
        if early { claims.likely } else { claims.possible }
    }

    /// Returns the word for such a probability; what has been said is not silenced by it.
    pub(super) fn word(&self, p: Probability) -> Option<(Confidence, Probability)> {
        let (sure, p) = word(self.pressed.confidence, p)?;
        let least = self.accused.first().map_or(u32::MAX, |what| self.least(*what));
        (p.parts() >= least || self.said.is_some()).then_some((sure.min(self.most), p))
    }
}

/// Returns when a press is looked at for the time of this number, counted from 0.
pub(super) fn look_due(pressed: &Pressed, look: usize) -> Option<Timestamp> {
    Params::DEFAULT.claims.again.get(look).map(|after| pressed.at + *after)
}

/// Returns the word for an accusation that the tracker is so sure of and the decoder finds so probable, and the probability of both.
fn word(sure: Confidence, p: Probability) -> Option<(Confidence, Probability)> {
    let claims = &Params::DEFAULT.claims;
    if p.parts() >= claims.certain {
        return Some((Confidence::Certain, p));
    }
    let both = combined(sure, p).min(claims.certain - 1);
    claims.word(both).map(|word| (word, Probability::new(both)))
}

/// Returns the probability by the decoder and the tracker's verdict, whose odds multiply.
fn combined(sure: Confidence, p: Probability) -> u32 {
    let claims = &Params::DEFAULT.claims;
    let odds = match sure {
        Confidence::Certain => claims.odds_of_certain,
        Confidence::Likely => claims.odds_of_likely,
        Confidence::Possible => 1,
    };
    let (for_it, against) = (u64::from(p.parts()) * u64::from(odds), u64::from(Probability::ONE - p.parts()));
    u32::try_from(for_it * u64::from(Probability::ONE) / (for_it + against).max(1)).unwrap_or_default()
}
