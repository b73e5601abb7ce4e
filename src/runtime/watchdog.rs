//! Owns heartbeats: every task counts its own up, and the service manager is told of life only if all tasks did.
//!
//! Make a [`Watchdog`], give each task a [`Heartbeat`], and ask [`Watchdog::stuck`] at a period several beats long.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{select, time::interval};

/// A task's sign of life; clones count for the same task.
#[derive(Clone, Debug)]
pub struct Heartbeat {
    beats: Arc<AtomicU64>,
    period: Duration,
}

impl Heartbeat {
    /// Shows that the task runs.
    pub fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often to beat at least.
    #[must_use]
    pub const fn period(&self) -> Duration {
        self.period
    }

    /// Waits for something that may take long, and beats meanwhile.
    pub async fn during<F: Future>(&self, future: F) -> F::Output {
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

/// The heartbeats of all tasks.
#[derive(Debug)]
pub struct Watchdog {
    period: Duration,
    tasks: Vec<Watched>,
}

#[derive(Debug)]
struct Watched {
    task: String,
    beats: Arc<AtomicU64>,
    seen: Option<u64>,
}

impl Watchdog {
    /// Makes a watchdog of tasks that beat at least once in `period`.
    #[must_use]
    pub const fn new(period: Duration) -> Self {
        Self { period, tasks: Vec::new() }
    }

    /// Makes the heartbeat of a task.
    pub fn heartbeat(&mut self, task: &str) -> Heartbeat {
        let beats = Arc::new(AtomicU64::new(0));
        self.tasks.push(Watched { task: task.to_owned(), beats: beats.clone(), seen: None });
        Heartbeat { beats, period: self.period }
    }

    /// Returns the tasks that have not moved on since the last call; those that ended do not count.
    pub fn stuck(&mut self) -> Vec<String> {
        self.tasks.retain(|task| Arc::strong_count(&task.beats) > 1);
        let mut stuck = Vec::new();
        for task in &mut self.tasks {
            let beats = task.beats.load(Ordering::Relaxed);
            if task.seen.replace(beats) == Some(beats) {
                stuck.push(task.task.clone());
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
        let mut watchdog = Watchdog::new(Duration::from_secs(1));
        let (one, two) = (watchdog.heartbeat("one"), watchdog.heartbeat("two"));
        assert!(watchdog.stuck().is_empty(), "a task has time until the second look");
        one.beat();
        assert_eq!(watchdog.stuck(), ["two"]);
        drop(two);
        assert_eq!(watchdog.stuck(), ["one"]);
        one.beat();
        assert!(watchdog.stuck().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_wait_beats() {
        let mut watchdog = Watchdog::new(Duration::from_secs(1));
        let heartbeat = watchdog.heartbeat("one");
        heartbeat.during(tokio::time::sleep(Duration::from_secs(10))).await;
        assert!(heartbeat.beats.load(Ordering::Relaxed) >= 9);
    }
}
