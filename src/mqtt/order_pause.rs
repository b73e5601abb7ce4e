//! Decides for how long no orders are received after a packet that is too large, and how long that is said.
//!
//! The client drops the connection over such a packet, and the broker may send it again at the next subscription: it
//! may be retained. So orders come again with the connection at first, and later each time that it happens again.

/// Seconds without orders: if it happens again, and the longest.
const PAUSES: [u32; 2] = [2, 600];

/// Seconds after which orders count as working again.
const GOOD: u32 = 60;

/// Counts seconds; [`OrderPause::tick`] is to be called once a second.
#[derive(Debug)]
pub(super) struct OrderPause {
    /// Seconds that are left of the present pause; 0 without one.
    left: u32,
    next: u32,
    good: u32,
    /// Seconds for which it is still said what came in.
    said: u32,
}

/// What a second has brought.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Second {
    /// A pause has just ended.
    pub(super) is_over: bool,
    /// There is nothing more to be said.
    pub(super) is_good: bool,
}

impl OrderPause {
    pub(super) const fn new() -> Self {
        Self { left: 0, next: 0, good: 0, said: 0 }
    }

    /// Returns whether orders may be received.
    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Begins a pause, and returns its seconds; 0 means until the next connection.
    pub(super) fn begin(&mut self) -> u32 {
        self.left = self.next;
        self.next = (self.next * 4).clamp(PAUSES[0], PAUSES[1]);
        self.good = 0;
        self.said = GOOD;
        self.left
    }

    /// Notes a message that is too long and holds nothing up; says whether that is to be said.
    pub(super) const fn note_too_long(&mut self) -> bool {
        let is_news = self.said == 0;
        if is_news {
            self.said = GOOD;
        }
        is_news
    }

    /// Counts a second.
    pub(super) fn tick(&mut self) -> Second {
        let was_good = self.left == 0 && self.said == 0;
        let is_over = self.left == 1;
        if self.left > 0 {
            self.left -= 1;
        } else {
            self.good = (self.good + 1).min(GOOD);
        }
        if self.good == GOOD {
            self.next = 0;
        }
        self.said = self.said.saturating_sub(1);
        Second { is_over, is_good: !was_good && self.left == 0 && self.said == 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_large_packet_stops_no_orders_and_many_do() {
        let mut pause = OrderPause::new();
        let pauses: Vec<u32> = (0..7).map(|_| pause.begin()).collect();
        assert_eq!(pauses, [0, 2, 8, 32, 128, 512, 600]);
        assert_eq!((0..700).filter(|_| pause.tick().is_over).count(), 1, "a pause ends once");
        assert!(pause.is_over());
        assert_eq!(pause.begin(), 0, "after a good minute there is no pause at first");
        assert!(pause.is_over());
        assert_eq!(pause.begin(), 2);
        assert!(!pause.is_over() && !pause.tick().is_over);
        assert!(pause.tick().is_over);
    }

    #[test]
    fn what_came_in_is_said_for_a_minute() {
        let mut pause = OrderPause::new();
        assert!(!pause.tick().is_good, "there was nothing bad");
        assert!(pause.note_too_long());
        assert!(!pause.note_too_long(), "once a minute is enough");
        assert!(pause.is_over(), "orders go on");
        let good: Vec<usize> = (1..200).filter(|_| pause.tick().is_good).collect();
        assert_eq!(good, [60]);
        assert!(pause.note_too_long());
    }
}
