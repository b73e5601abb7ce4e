//! How many ports begin at once.

use std::time::Duration;

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// Each blocking thread leaves its stack and an arena of the allocator behind.
static TURNS: Semaphore = Semaphore::const_new(4);

/// A sick adapter or disk may hold the others up so long.
const PATIENCE: Duration = Duration::from_millis(100);

/// Waits a while for work that blocks a thread of other ports; goes on without a turn if it takes longer.
pub(super) async fn turn() -> Option<SemaphorePermit<'static>> {
    timeout(PATIENCE, TURNS.acquire()).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn ports_that_hang_hold_the_others_up_for_a_moment_only() {
        let mut held = Vec::new();
        for _ in 0..4 {
            held.extend(turn().await);
        }
        assert_eq!(held.len(), 4);
        assert!(turn().await.is_none());
        held.pop();
        assert!(turn().await.is_some());
    }
}
