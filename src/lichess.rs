//! Owns the push of games to Lichess.

use tokio::time::interval;

use crate::daemon::services::Setup;

/// Works until it is told to end.
pub(crate) async fn run(setup: Setup) {
    let mut beats = interval(setup.heart.period());
    while !setup.shutdown.is_cancelled() {
        tokio::select! {
            _ = beats.tick() => setup.heart.beat(),
            () = setup.shutdown.cancelled() => {}
        }
    }
}
