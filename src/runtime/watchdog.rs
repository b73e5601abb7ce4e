//! Owns heartbeats: every task counts its own up, and the service manager is informed of life only if all tasks did.
//!
//! Make a [`Watchdog`], give each task a [`Heartbeat`], and ask [`Watchdog::stuck`] at a period several beats long.

use std::{
    mem,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jadoube_core::time::Timestamp;
use tokio::{select, time::interval};

use crate::clock::SystemClock;

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
    clock: SystemClock,
    /// When the tasks are to be looked at next.
    due: Timestamp,
}

#[derive(Debug)]
struct Watched {
    task: String,
    beats: Arc<AtomicU64>,
    seen: Option<u64>,
    /// Whether it had not moved on at the last look.
    still: bool,
}

impl Watchdog {
    /// Makes a watchdog of tasks that beat at least once in `period`.
    #[must_use]
    pub fn new(period: Duration) -> Self {
        Self { period, tasks: Vec::new(), clock: SystemClock::start(), due: Timestamp::MAX }
    }

    /// Makes the heartbeat of a task.
    pub fn heartbeat(&mut self, task: &str) -> Heartbeat {
        let beats = Arc::new(AtomicU64::new(0));
        self.tasks.push(Watched { task: task.to_owned(), beats: beats.clone(), seen: None, still: false });
        Heartbeat { beats, period: self.period }
    }

    /// Returns the tasks that have not moved on since the last call; those that ended do not count. The next call is due after `next`.
    ///
    /// If the call itself comes late, the machine stood still or had no time for this program, and no task had any either: then a
    /// task counts that had not moved on at the call before.
    pub fn stuck(&mut self, next: Duration) -> Vec<String> {
        let now = self.clock.now();
        self.stuck_at(now, next)
    }

    fn stuck_at(&mut self, now: Timestamp, next: Duration) -> Vec<String> {
        let is_late = now.since(self.due) > self.period;
        self.due = now + next;
        self.tasks.retain(|task| Arc::strong_count(&task.beats) > 1);
        let mut stuck = Vec::new();
        for task in &mut self.tasks {
            let beats = task.beats.load(Ordering::Relaxed);
            let was_still = mem::replace(&mut task.still, task.seen.replace(beats) == Some(beats));
            if task.still && (was_still || !is_late) {
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
        let mut looks = (0..).step_by(5).map(|second| Timestamp::from_micros(second * 1_000_000));
        let mut stuck = || watchdog.stuck_at(looks.next().unwrap(), Duration::from_secs(5));
        assert!(stuck().is_empty(), "a task has time until the second look");
        one.beat();
        assert_eq!(stuck(), ["two"]);
        drop(two);
        assert_eq!(stuck(), ["one"]);
        one.beat();
        assert!(stuck().is_empty());
    }

    #[test]
    fn after_a_standstill_a_task_has_time_until_the_next_look() {
        let mut watchdog = Watchdog::new(Duration::from_secs(1));
        let one = watchdog.heartbeat("one");
        let mut stuck =
            |millis: u64| watchdog.stuck_at(Timestamp::from_micros(millis * 1000), Duration::from_secs(5));
        assert!(stuck(0).is_empty());
        one.beat();
        assert!(stuck(5000).is_empty());
        // It stood still for eight seconds.
        assert!(stuck(18_000).is_empty());
        assert_eq!(stuck(23_000), ["one"]);
        one.beat();
        assert!(stuck(28_000).is_empty());
        // The second look in a row finds it even if each comes late.
        assert!(stuck(36_000).is_empty());
        assert_eq!(stuck(44_000), ["one"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_wait_beats() {
        let mut watchdog = Watchdog::new(Duration::from_secs(1));
        let heartbeat = watchdog.heartbeat("one");
        heartbeat.during(tokio::time::sleep(Duration::from_secs(10))).await;
        assert!(heartbeat.beats.load(Ordering::Relaxed) >= 9);
    }
}
