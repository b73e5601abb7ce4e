//! Owns what survives a restart: what the broker has acknowledged, and which topics it keeps for us.

use std::{collections::BTreeSet, io, path::Path};

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use tracing::warn;

use jadoube_runtime::{
    private,
    replace::{Durability, kept_aside, replace},
};

/// Name of the file in the state directory.
const FILE: &str = "mqtt.json";

/// How long an event may be on its way to us.
const MARGIN: SignedDuration = SignedDuration::from_secs(5);

/// Returns when what the broker has became known: now, by the calendar of the start and by that of today.
///
/// Captures go on with the calendar by which they began, before or after it was set, so the earlier one counts: an
/// event may then be sent twice, and none is left out.
pub(super) fn known_at(by_start: jiff::Timestamp, by_calendar: jiff::Timestamp) -> Option<jiff::Timestamp> {
    by_start.min(by_calendar).checked_sub(MARGIN).ok()
}

/// What survives a restart.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Memory {
    /// What all topics begin with.
    pub(crate) root: String,
    /// Number of the event up to which the broker has everything.
    pub(crate) acknowledged: u64,
    /// When that was noted, UTC.
    pub(crate) at: Option<jiff::Timestamp>,
    /// Topics that may be retained at the broker; noted before they are sent.
    pub(crate) retained: BTreeSet<String>,
}

impl Memory {
    /// Reads what an earlier process has noted; `None` if there was none, or nobody can read it.
    pub(crate) fn load(state_dir: &Path) -> Option<Self> {
        let path = state_dir.join(FILE);
        let bytes = match private::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                warn!(file = %path.display(), %error, "cannot be read; begins with the next event");
                return None;
            }
        };
        serde_json::from_slice(&bytes)
            .map_err(|error| {
                let kept = kept_aside(&path);
                warn!(file = %path.display(), %error, kept, "is damaged; begins with the next event");
            })
            .ok()
    }

    /// Writes it, so that neither a crash nor a power cut leaves half of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk does not take it.
    pub(crate) fn save(&self, state_dir: &Path) -> io::Result<()> {
        replace(&state_dir.join(FILE), &serde_json::to_vec(self)?, Durability::Synced)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_calendar_that_is_set_leaves_no_event_out() {
        let at = |second| jiff::Timestamp::from_second(second).unwrap();
        assert_eq!(known_at(at(10_000), at(10_000)), Some(at(9_995)));
        // A capture that was begun after the calendar was set back has its events at 6400 and later …
        assert_eq!(known_at(at(10_000), at(6_400)), Some(at(6_395)));
        // … and one that was begun before it was set forward has them at 10000 and later.
        assert_eq!(known_at(at(10_000), at(13_600)), Some(at(9_995)));
    }

    #[test]
    fn a_restart_knows_what_was_noted() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Memory::load(dir.path()), None);
        let memory = Memory {
            root: "dgt/a/b".to_owned(),
            acknowledged: 17,
            at: Some(jiff::Timestamp::UNIX_EPOCH),
            retained: BTreeSet::from(["dgt/a/b/alert/1".to_owned()]),
        };
        memory.save(dir.path()).unwrap();
        assert_eq!(Memory::load(dir.path()), Some(memory));
        let path = dir.path().join(FILE);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(Memory::load(dir.path()), None, "{length}");
            assert!(!path.exists() && dir.path().join("mqtt.json.damaged").exists(), "{length}");
        }
    }

    #[test]
    fn what_0_1_0_noted_is_read() {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state/0.1.0/state");
        let memory = Memory::load(&kept).unwrap();
        assert_eq!((memory.root.as_str(), memory.acknowledged), ("dgt/hall/kept", 240));
        assert_eq!(memory.at, Some("2026-11-23T12:12:41.9Z".parse().unwrap()));
        assert_eq!(memory.retained.len(), 2);
    }
}
