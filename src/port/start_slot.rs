//! How many ports begin at once.

use std::time::Duration;

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// Each blocking thread leaves its stack and an arena of the allocator behind.
static SLOTS: Semaphore = Semaphore::const_new(4);

/// A sick adapter or disk may hold the others up so long.
const PATIENCE: Duration = Duration::from_millis(100);

/// Waits a while for work that blocks a thread of other ports; goes on without one if it takes longer.
pub(super) async fn start_slot() -> Option<SemaphorePermit<'static>> {
    timeout(PATIENCE, SLOTS.acquire()).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn ports_that_hang_hold_the_others_up_for_a_moment_only() {
        let mut held = Vec::new();
        for _ in 0..4 {
            held.extend(start_slot().await);
        }
        assert_eq!(held.len(), 4);
        assert!(start_slot().await.is_none());
        held.pop();
        assert!(start_slot().await.is_some());
    }
}
