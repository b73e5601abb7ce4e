//! How pieces are displaced while a move is made, and put up again.

use shakmaty::Move;

use super::{
    amiss::{Amiss, squares_of},
    gesture::Gesture,
    scene::Scene,
};
use crate::random::span;
use jadoube_core::{
    decoder::{HandParams, Params},
    time::Timestamp,
};

impl Scene<'_> {
    /// Puts up what is noticed before a turn: what has lain for long enough, or `all` that lies.
    pub(super) fn notice_amiss(&mut self, all: bool) {
        let ply = self.ply();
        let from = self.began.max(self.settled);
        self.put_up_those(|amiss| all || amiss.until <= ply, from + span(0.6));
    }

    /// Puts up what stands in the way of a move or is moved or captured by it; returns when the move may begin.
    pub(super) fn clear_way(&mut self, m: Move, start: Timestamp) -> Timestamp {
        let used = squares_of(m);
        self.put_up_those(|amiss| (amiss.squares() & used).any(), start)
    }

    fn put_up_those(&mut self, which: impl Fn(&Amiss) -> bool, from: Timestamp) -> Timestamp {
        let (those, others): (Vec<_>, Vec<_>) = self.amiss.iter().copied().partition(which);
        self.amiss = others;
        self.put_up(&those, from)
    }

    /// Puts pieces where they should stand, one after the other; returns when that is done.
    pub(super) fn put_up(&mut self, those: &[Amiss], from: Timestamp) -> Timestamp {
        let mut now = from;
        for amiss in those {
            now = now.max(self.settled + span(0.05));
            if let Some(lies) = amiss.lies {
                self.set(lies, None, now);
                now = now + self.random.seconds(0.15, 0.6);
            }
            self.set(amiss.home, Some(amiss.piece), now);
            now = now + self.random.seconds(0.2, 0.7);
        }
        now
    }

    /// Lets pieces be displaced during a gesture: each leaves its square, and reads where it comes to lie soon
    /// after.
    pub(super) fn displace(&mut self, gesture: &mut Gesture, those: &[Amiss]) {
        let HandParams { brush_ms, together_ms, .. } = Params::DEFAULT.hands;
        let touched = gesture.made.mul_f64(self.random.unit());
        for amiss in those {
            gesture.forget_squares(amiss.squares());
            // The last of them falls within the time of one sweep.
            let gone = touched + self.random.millis([0, together_ms / 2]);
            gesture.add(gone, amiss.home, None);
            if let Some(lies) = amiss.lies {
                gesture.add(gone + self.random.millis([0, brush_ms]), lies, Some(amiss.piece));
            }
        }
    }

    /// Puts pieces up at the end of a gesture, before the press.
    pub(super) fn put_up_within(&mut self, gesture: &mut Gesture, those: &[Amiss]) {
        let mut now = gesture.done + self.random.seconds(0.2, 0.9);
        for amiss in those {
            if let Some(lies) = amiss.lies {
                gesture.add(now, lies, None);
                now += self.random.seconds(0.15, 0.6);
            }
            gesture.add(now, amiss.home, Some(amiss.piece));
            now += self.random.seconds(0.2, 0.7);
        }
    }
}
