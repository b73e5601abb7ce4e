//! Owns the signs of life: every task moves its counter on, and the service manager hears of it only if all did.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{select, time::interval};

/// A task's sign of life.
#[derive(Clone, Debug)]
pub(crate) struct Heart {
    beats: Arc<AtomicU64>,
    period: Duration,
}

impl Heart {
    /// Moves on.
    pub(crate) fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often to beat at least.
    pub(crate) const fn period(&self) -> Duration {
        self.period
    }

    /// Waits for something that may take long, and beats meanwhile.
    pub(crate) async fn during<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut beats = interval(self.period);
        loop {
            select! {
                output = &mut future => return output,
                _ = beats.tick() => self.beat(),
            }
        }
    }
}

/// The signs of life of all tasks.
#[derive(Debug)]
pub(crate) struct Hearts {
    period: Duration,
    tasks: Vec<Pulse>,
}

#[derive(Debug)]
struct Pulse {
    task: String,
    beats: Arc<AtomicU64>,
    seen: Option<u64>,
}

impl Hearts {
    /// Makes hearts that beat once in `period`.
    pub(crate) const fn new(period: Duration) -> Self {
        Self { period, tasks: Vec::new() }
    }

    /// Makes the heart of a task.
    pub(crate) fn heart(&mut self, task: &str) -> Heart {
        let beats = Arc::new(AtomicU64::new(0));
        self.tasks.push(Pulse { task: task.to_owned(), beats: beats.clone(), seen: None });
        Heart { beats, period: self.period }
    }

    /// Returns the tasks that have not moved on since the last call; those that ended do not count.
    pub(crate) fn stuck(&mut self) -> Vec<String> {
        self.tasks.retain(|pulse| Arc::strong_count(&pulse.beats) > 1);
        let mut stuck = Vec::new();
        for pulse in &mut self.tasks {
            let beats = pulse.beats.load(Ordering::Relaxed);
            if pulse.seen.replace(beats) == Some(beats) {
                stuck.push(pulse.task.clone());
            }
        }
        stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_does_not_move_on_is_named() {
        let mut hearts = Hearts::new(Duration::from_secs(1));
        let (one, two) = (hearts.heart("one"), hearts.heart("two"));
        assert!(hearts.stuck().is_empty(), "a task has time until the second look");
        one.beat();
        assert_eq!(hearts.stuck(), ["two"]);
        drop(two);
        assert_eq!(hearts.stuck(), ["one"]);
        one.beat();
        assert!(hearts.stuck().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_wait_beats() {
        let mut hearts = Hearts::new(Duration::from_secs(1));
        let heart = hearts.heart("one");
        heart.during(tokio::time::sleep(Duration::from_secs(10))).await;
        assert!(heart.beats.load(Ordering::Relaxed) >= 9);
    }
}
