//! Keeps what counts of the pairings and of the boards of the tables: the last ones that could be read.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use tracing::{error, info};

use super::{Assignment, Pairings, PairingsError, upload};
use crate::config::{Config, TableSettings};

/// The pairings that count, and what they are laid over.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    tables: Arc<Vec<TableSettings>>,
    round: Option<u32>,
    stamp: Option<Stamp>,
    uploaded_stamp: Option<Stamp>,
    /// Whether the pairings are those that were uploaded: these say which round it is.
    is_uploaded: bool,
    /// Whether nothing is logged.
    is_quiet: bool,
    /// Why the file that was read last does not count.
    fault: Arc<Mutex<Option<String>>>,
    current: Option<Pairings>,
    assigned_stamp: Option<Stamp>,
    assignment: Assignment,
}

/// Returns whether a file has changed, without reading it.
type Stamp = (SystemTime, u64);

impl Keeper {
    /// Handles a configuration as its file has it, and returns it with the pairings in it.
    pub(crate) fn load(&mut self, mut config: Config) -> Config {
        self.tables.clone_from(&config.tables);
        self.round = config.event.round;
        (self.stamp, self.uploaded_stamp) = (None, None);
        self.read_assignment(&Assignment::path(&config.state_dir));
        let file = config.pairings.as_ref().map(|pairings| pairings.file.clone());
        let uploaded = upload::path(&config.state_dir);
        if file.is_none() && stamp(&uploaded).is_none() {
            self.current = None;
            self.set_fault(None);
        }
        // The newer one counts.
        if file.as_deref().and_then(stamp) < stamp(&uploaded) {
            self.stamp = file.as_deref().and_then(stamp);
            self.read_uploaded(&uploaded);
        } else if let Some(file) = file {
            self.uploaded_stamp = stamp(&uploaded);
            self.read(&file);
        }
        self.apply(&mut config);
        config
    }

    /// Looks whether the file has changed; returns the configuration anew if that changes it.
    pub(crate) fn reload_if_changed(&mut self, config: &Config) -> Option<Config> {
        let before = (self.current.clone(), self.assignment.clone());
        let tables = Assignment::path(&config.state_dir);
        if stamp(&tables) != self.assigned_stamp {
            self.read_assignment(&tables);
        }
        if let Some(file) = config.pairings.as_ref().map(|pairings| &pairings.file)
            && stamp(file) != self.stamp
        {
            self.read(file);
        }
        let uploaded = upload::path(&config.state_dir);
        if stamp(&uploaded) != self.uploaded_stamp {
            self.read_uploaded(&uploaded);
        }
        if (&self.current, &self.assignment) == (&before.0, &before.1) {
            return None;
        }
        let mut config = config.clone();
        config.tables.clone_from(&self.tables);
        config.event.round = self.round;
        self.apply(&mut config);
        Some(config)
    }

    fn read(&mut self, file: &Path) {
        // Before it is read: what changes meanwhile is seen at the next look.
        self.stamp = stamp(file);
        self.take(super::read(file, self.round), false);
    }

    fn read_uploaded(&mut self, file: &Path) {
        self.uploaded_stamp = stamp(file);
        if self.uploaded_stamp.is_some() {
            self.take(super::read(file, None), true);
        }
    }

    fn take(&mut self, read: Result<Pairings, PairingsError>, is_uploaded: bool) {
        self.set_fault(read.as_ref().err().map(ToString::to_string));
        match read {
            Ok(pairings) => {
                self.current = Some(pairings);
                self.is_uploaded = is_uploaded;
            }
            Err(_) if self.is_quiet => {}
            Err(error) if self.current.is_some() => error!("{error}; the pairings before it stay"),
            Err(error) => error!("{error}; there are no names until then"),
        }
    }

    fn set_fault(&self, fault: Option<String>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    /// Returns where it is said why the file that was read last does not count.
    pub(crate) fn fault(&self) -> Arc<Mutex<Option<String>>> {
        self.fault.clone()
    }

    /// Makes one that logs nothing.
    pub(crate) fn quiet() -> Self {
        Self { is_quiet: true, ..Self::default() }
    }

    fn read_assignment(&mut self, file: &Path) {
        self.assigned_stamp = stamp(file);
        match Assignment::read(file) {
            Ok(assignment) if assignment == self.assignment => {}
            Ok(assignment) if self.is_quiet => self.assignment = assignment,
            Ok(assignment) => {
                info!(tables = assignment.0.len(), "boards of the tables read from {}", file.display());
                self.assignment = assignment;
            }
            Err(_) if self.is_quiet => {}
            Err(error) => error!("{error}; the tables before it stay"),
        }
    }

    fn apply(&self, config: &mut Config) {
        self.assignment.apply(config);
        config.boardless = Arc::default();
        let Some(pairings) = &self.current else { return };
        if self.is_uploaded {
            config.event.round = None;
        }
        let seated = pairings.apply(config);
        if self.is_quiet {
            return;
        }
        info!(round = pairings.round, games = pairings.games.len(), at_boards = seated, "pairings read");
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let meta = fs::metadata(file).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::PairingsConfig;

    fn names(config: &Config) -> Vec<(Option<u32>, &str, &str)> {
        config.tables.iter().map(|table| (table.number, table.white.as_str(), table.black.as_str())).collect()
    }

    /// Writes a file as of a later time: two writes within one tick of the file system look the same.
    fn write(file: &Path, text: &str, second: u64) {
        fs::write(file, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + second);
        fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn a_bad_file_leaves_the_pairings_as_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pairings.csv");
        let table = |number, serial: &str| TableSettings {
            number: Some(number),
            serial: serial.to_owned(),
            ..TableSettings::default()
        };
        let config = Config {
            tables: Arc::new(vec![table(1, "11111"), table(2, "22222")]),
            pairings: Some(PairingsConfig { file: file.clone() }),
            ..Config::default()
        };
        let mut keeper = Keeper::default();
        let loaded = keeper.load(config.clone());
        assert_eq!(names(&loaded), [(Some(1), "", ""), (Some(2), "", "")], "a missing file stops nobody");
        write(&file, "table,round,white,black\n1,3,A,B\n2,3,C,D\n", 1);
        let loaded = keeper.reload_if_changed(&loaded).unwrap();
        assert_eq!(names(&loaded), [(Some(1), "A", "B"), (Some(2), "C", "D")]);
        assert_eq!(loaded.event.round, Some(3));
        assert_eq!(keeper.reload_if_changed(&loaded), None);
        write(&file, "table,round,white,black\n1,4,A,B\n1,4,C,D\n", 2);
        assert_eq!(keeper.reload_if_changed(&loaded), None);
        fs::remove_file(&file).unwrap();
        assert_eq!(keeper.reload_if_changed(&loaded), None);
        assert_eq!(names(&keeper.load(config)), [(Some(1), "A", "B"), (Some(2), "C", "D")]);
        write(&file, "table,serial,round,white,black\n2,11111,5,E,F\n9,33333,5,G,H\n", 3);
        let loaded = keeper.reload_if_changed(&loaded).unwrap();
        assert_eq!(
            names(&loaded),
            [(Some(2), "E", "F"), (Some(2), "", ""), (Some(9), "G", "H")],
            "boards by serial"
        );
        assert_eq!(loaded.event.round, Some(5));
    }
}
