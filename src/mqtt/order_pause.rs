//! Decides for how long no orders are received after a packet that is too large.
//!
//! The client drops the connection over such a packet, and the broker may send it again at the next subscription: it
//! may be retained. So orders stop for a moment, and longer each time that it happens again.

/// Seconds without orders: the first time, and the longest.
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
}

impl OrderPause {
    pub(super) const fn new() -> Self {
        Self { left: 0, next: PAUSES[0], good: 0 }
    }

    /// Tells whether orders may be received.
    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Begins a pause, and returns its seconds.
    pub(super) fn begin(&mut self) -> u32 {
        self.left = self.next;
        self.next = (self.next * 4).min(PAUSES[1]);
        self.good = 0;
        self.left
    }

    /// Counts a second; tells whether a pause has just ended.
    pub(super) fn tick(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return self.left == 0;
        }
        self.good = (self.good + 1).min(GOOD);
        if self.good == GOOD {
            self.next = PAUSES[0];
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_large_packet_stops_orders_for_a_moment_and_many_for_longer() {
        let mut pause = OrderPause::new();
        let pauses: Vec<u32> = (0..7).map(|_| pause.begin()).collect();
        assert_eq!(pauses, [2, 8, 32, 128, 512, 600, 600]);
        assert_eq!((0..700).filter(|_| pause.tick()).count(), 1, "a pause ends once");
        assert!(pause.is_over());
        assert_eq!(pause.begin(), 2, "after a good minute the first pause is short again");
        assert!(!pause.tick());
        assert!(pause.tick());
    }
}
