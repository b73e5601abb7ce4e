//! Looks at a disk that may not answer: one look at a time, as each of them holds a thread for as long as it waits for the disk.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Mutex, OwnedMutexGuard},
    task::spawn_blocking,
    time::timeout,
};

/// The turn to look, which clones share.
#[derive(Clone, Debug, Default)]
pub struct Looks(Arc<Mutex<()>>);

/// Held by whoever looks.
#[derive(Debug)]
pub struct LookTurn {
    _turn: OwnedMutexGuard<()>,
}

impl Looks {
    /// Claims the turn, if nobody looks.
    #[must_use]
    pub fn turn(&self) -> Option<LookTurn> {
        self.0.clone().try_lock_owned().ok().map(|turn| LookTurn { _turn: turn })
    }

    /// Looks once it is this call's turn; `None` if turn and look take longer than `most`. A look that has begun goes on then, and
    /// no other one begins before it is over.
    pub async fn look<T: Send + 'static>(
        &self,
        most: Duration,
        look: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let looked = async {
            let turn = self.0.clone().lock_owned().await;
            let work = move || {
                let seen = look();
                drop(turn);
                seen
            };
            spawn_blocking(work).await.ok()
        };
        timeout(most, looked).await.ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_disk_that_does_not_answer_holds_one_thread() {
        let looks = Looks::default();
        let (answer, disk) = mpsc::channel::<()>();
        let first = looks.look(Duration::ZERO, move || disk.recv().is_err());
        assert_eq!(first.await, None, "the disk does not answer");
        for _ in 0..3 {
            let further = looks.look(Duration::ZERO, || panic!("a further look has begun"));
            assert_eq!(further.await, None::<()>);
        }
        assert!(looks.turn().is_none());
        drop(answer);
        assert_eq!(looks.look(Duration::MAX, || 7).await, Some(7));
        assert!(looks.turn().is_some());
    }
}
