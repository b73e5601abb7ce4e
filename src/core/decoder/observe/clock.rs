//! What the clock reports, as [`ChessClock`](crate::clock::ChessClock) reads it.

use crate::decoder::{actions, beam::Beam, moment::Moment};

impl Beam {
    /// Notes that the player on this side of the clock has pressed; returns the number of the press.
    pub(crate) fn handle_press(&mut self, left: bool, seen: bool, now: Moment) -> u32 {
        self.presses = self.presses.saturating_add(1);
        let press = self.presses;
        self.replace_tokens(now, |token, context, give| {
            actions::press(token, token.color_at(left), press, seen, context, give);
        });
        self.search(now, self.params.search.depth_at_press);
        press
    }

    /// Notes that the time of the player on this side runs, after it stood.
    pub(crate) fn handle_start(&mut self, left: bool, now: Moment) {
        self.sensed.running = true;
        let mut more = Vec::new();
        self.for_each_token(now, |token, context| {
            token.renew();
            more.extend(token.start(token.color_at(left), context));
        });
        self.tokens.append(&mut more);
        self.search(now, self.params.search.depth_at_rest);
    }

    /// Notes that the clock stands.
    pub(crate) const fn handle_stop(&mut self, now: Moment) {
        self.sensed.stop(now);
    }
}
