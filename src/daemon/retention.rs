//! Removes captures that are older or take more room than `[captures]` allows.
//!
//! The newest capture of each port stays, as a game may still be going on in it, and so does what was written within the
//! last day: an arbiter may need it as evidence. A machine may learn what year it is after a day of play; what this process has
//! seen written is as old as it knows, whatever the calendar says.

use std::{
    fs, io,
    path::{Path, PathBuf},
    pin::pin,
    time::Duration,
};

use jiff::SignedDuration;
use tokio::{
    task::spawn_blocking,
    time::{interval, sleep},
};
use tracing::{error, info, warn};

use crate::{config::CapturesConfig, port, service::ServiceContext};
use jadoube_runtime::clock::SystemClock;

/// How often captures are looked through, and how long after the start of the program first: recovery comes first.
const LOOK: Duration = Duration::from_hours(1);
const FIRST_LOOK: Duration = Duration::from_mins(1);

/// What was written to within this time stays, whatever is configured.
const EVIDENCE: SignedDuration = SignedDuration::from_hours(24);

/// What the clocks say.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    /// When this process began, by the calendar as it was then.
    started: jiff::Timestamp,
    /// How long ago that was.
    uptime: SignedDuration,
    /// What the calendar says now.
    calendar: jiff::Timestamp,
}

impl Clocks {
    fn of(clock: &SystemClock) -> Self {
        let now = clock.now();
        let uptime = clock.utc(now).duration_since(clock.started());
        Self { started: clock.started(), uptime, calendar: clock.calendar(now) }
    }

    /// Returns the age of a file that was written at a calendar time; what may have been written since this process began is no older
    /// than that says.
    fn age(self, modified: jiff::Timestamp) -> SignedDuration {
        let age = self.calendar.duration_since(modified);
        let since = modified.duration_since(self.started);
        if since.is_negative() { age } else { age.min(self.uptime - since) }
    }
}

/// A capture that may be removed.
#[derive(Clone, Debug, Eq, PartialEq)]
struct OldCapture {
    /// When it was written to last.
    modified: jiff::Timestamp,
    bytes: u64,
    path: PathBuf,
}

/// What there is of captures.
#[derive(Debug, Default)]
struct Inventory {
    /// Bytes of all of them.
    bytes: u64,
    /// Those that are not the newest of their port, in any order.
    old: Vec<OldCapture>,
}

/// Works until it is asked to end.
pub(super) async fn run(context: ServiceContext) {
    let clock = SystemClock::start();
    let mut look = pin!(sleep(FIRST_LOOK));
    let mut beats = interval(context.heartbeat.period());
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = beats.tick() => context.heartbeat.beat(),
            () = &mut look => {
                look.set(sleep(LOOK));
                let (limits, state_dir) = {
                    let config = context.config.borrow();
                    (config.captures.clone(), config.state_dir.clone())
                };
                if limits.is_limited() {
                    let clearing = spawn_blocking(move || clear_up(&state_dir, &limits, Clocks::of(&clock)));
                    if let Err(error) = context.heartbeat.during(clearing).await {
                        error!(%error, "old captures could not be removed");
                    }
                }
            }
            () = context.shutdown.cancelled() => {}
        }
    }
}

/// Removes what the limits do not allow.
fn clear_up(state_dir: &Path, limits: &CapturesConfig, clocks: Clocks) {
    let inventory = match take_stock(state_dir) {
        Ok(inventory) => inventory,
        Err(error) => {
            error!(directory = %state_dir.join(port::CAPTURES).display(), %error, "cannot look for old captures");
            return;
        }
    };
    let (mut left, mut removed) = (inventory.bytes, 0_u32);
    for capture in surplus(inventory, limits, clocks) {
        match fs::remove_file(&capture.path) {
            Ok(()) => {
                left = left.saturating_sub(capture.bytes);
                removed += 1;
            }
            Err(error) => {
                warn!(capture = %capture.path.display(), %error, "an old capture cannot be removed");
            }
        }
    }
    if removed > 0 {
        info!(removed, bytes_left = left, "old captures were removed, as [captures] says");
    }
    if limits.keep_bytes().is_some_and(|most| left > most) {
        warn!(
            bytes = left,
            keep_gib = limits.keep_gib,
            "captures of the last day alone take more room than captures.keep_gib: give them more, or move them away"
        );
    }
}

/// Looks through the captures of all ports.
fn take_stock(state_dir: &Path) -> io::Result<Inventory> {
    let mut inventory = Inventory::default();
    for port in port::capture_directories(state_dir)? {
        let captures = port::captures_in(&port)?;
        let newest = captures.last().cloned();
        for path in captures {
            let Ok(meta) = fs::metadata(&path) else { continue };
            inventory.bytes += meta.len();
            let Some(modified) = meta.modified().ok().and_then(|time| jiff::Timestamp::try_from(time).ok())
            else {
                continue;
            };
            if newest.as_ref() != Some(&path) {
                inventory.old.push(OldCapture { modified, bytes: meta.len(), path });
            }
        }
    }
    Ok(inventory)
}

/// Returns what is to be removed, oldest first.
fn surplus(inventory: Inventory, limits: &CapturesConfig, clocks: Clocks) -> Vec<OldCapture> {
    let Inventory { mut bytes, mut old } = inventory;
    old.sort_by(|one, other| (one.modified, &one.path).cmp(&(other.modified, &other.path)));
    let mut surplus = Vec::new();
    for capture in old {
        let age = clocks.age(capture.modified);
        let is_old = limits.keep_age().is_some_and(|most| age > most);
        let is_too_much = limits.keep_bytes().is_some_and(|most| bytes > most);
        if age > EVIDENCE && (is_old || is_too_much) {
            bytes = bytes.saturating_sub(capture.bytes);
            surplus.push(capture);
        }
    }
    surplus
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn now() -> jiff::Timestamp {
        "2026-05-20T12:00:00Z".parse().unwrap()
    }

    fn capture(name: &str, days: i64, bytes: u64) -> OldCapture {
        let modified = now() - SignedDuration::from_hours(24 * days);
        OldCapture { modified, bytes, path: PathBuf::from(name) }
    }

    fn removed(old: &[OldCapture], limits: &CapturesConfig) -> Vec<String> {
        let bytes = old.iter().map(|capture| capture.bytes).sum();
        let clocks = Clocks { started: now(), uptime: SignedDuration::ZERO, calendar: now() };
        removed_by(old, limits, clocks, bytes)
    }

    fn removed_by(old: &[OldCapture], limits: &CapturesConfig, clocks: Clocks, bytes: u64) -> Vec<String> {
        surplus(Inventory { bytes, old: old.to_vec() }, limits, clocks)
            .into_iter()
            .map(|capture| capture.path.display().to_string())
            .collect()
    }

    #[test]
    fn captures_are_kept_unless_the_configuration_says_how_long() {
        let old = [capture("a", 4_000, 100 * GIB)];
        assert_eq!(removed(&old, &CapturesConfig::default()), [""; 0]);
    }

    #[test]
    fn old_captures_go_and_young_ones_stay() {
        let old = [capture("week", 7, 1), capture("month", 31, 1), capture("year", 366, 1)];
        let limits = CapturesConfig { keep_days: 30, keep_gib: 0 };
        assert_eq!(removed(&old, &limits), ["year", "month"]);
    }

    #[test]
    fn the_oldest_go_until_the_rest_fits_and_the_last_day_stays() {
        let old = [capture("today", 0, 2 * GIB), capture("old", 3, GIB), capture("older", 5, GIB)];
        assert_eq!(removed(&old, &CapturesConfig { keep_days: 0, keep_gib: 3 }), ["older"]);
        assert_eq!(removed(&old, &CapturesConfig { keep_days: 0, keep_gib: 1 }), ["older", "old"]);
    }

    #[test]
    fn what_was_written_before_the_machine_learnt_the_year_stays() {
        // Ten hours ago the process began, in another year; the calendar is right since a moment ago.
        let hours = SignedDuration::from_hours;
        let started = now() - hours(24 * 2000);
        let clocks = Clocks { started, uptime: hours(10), calendar: now() };
        let of_today = OldCapture { modified: started + hours(3), ..capture("today", 0, 1) };
        let old = [capture("old", 2100, 1), of_today];
        let limits = CapturesConfig { keep_days: 30, keep_gib: 0 };
        assert_eq!(removed_by(&old, &limits, clocks, 2), ["old"]);
        // Later it is as old as the process knows.
        let later = Clocks { uptime: hours(24 * 40), calendar: now() + hours(24 * 40), ..clocks };
        assert_eq!(removed_by(&old, &limits, later, 2), ["old", "today"]);
    }

    #[test]
    fn the_newest_capture_of_each_port_stays_however_old_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_hours(24);
        for name in ["ttyACM0/a.dgtcap", "ttyACM0/b.dgtcap", "ttyACM1/a.dgtcap", "ttyACM1/notes.txt"] {
            let path = directory.path().join(port::CAPTURES).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x").unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        }
        let clocks = Clocks::of(&SystemClock::start());
        clear_up(directory.path(), &CapturesConfig { keep_days: 1, keep_gib: 0 }, clocks);
        let left =
            |port: &str| port::captures_in(&directory.path().join(port::CAPTURES).join(port)).unwrap().len();
        assert_eq!((left("ttyACM0"), left("ttyACM1")), (1, 1));
        assert!(directory.path().join(port::CAPTURES).join("ttyACM0/b.dgtcap").exists());
        assert!(directory.path().join(port::CAPTURES).join("ttyACM1/notes.txt").exists());
    }
}
