//! One walk through the hall: the board on which a king is lifted stands on the table that is asked for.
//!
//! The terminal and the desk's page walk by the same steps. A board that was already put on another table in this walk is not moved:
//! somebody has lifted a king on the wrong table, or the walk has to go back.

use std::{io, path::PathBuf};

use jadoube_core::settings::{is_serial, same_serial};

use super::Assignment;

/// A walk, and which tables of it have their boards.
#[derive(Debug)]
pub(crate) struct Walk {
    path: PathBuf,
    /// In the order in which they were found.
    done: Vec<(u32, String)>,
}

/// What a lifted king says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Taken {
    /// The board stands on the table now.
    Placed,
    /// The board is the one of the table before: both kings were lifted, or one was put back and lifted again.
    Repeated(u32),
    /// The board has been found on another table in this walk, and stays there.
    Elsewhere(u32),
    /// The board has not reported its serial number.
    Nameless,
}

/// Why a lifted king is not written down.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WalkError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// The file cannot be written.
    #[error("{path}: {error}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Walk {
    /// Begins a walk.
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path, done: Vec::new() }
    }

    /// Goes on with a walk that has found the boards of these tables, in this order.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    #[cfg(feature = "http")]
    pub(crate) fn resume(path: PathBuf, tables: &[u32]) -> Result<Self, WalkError> {
        let assignment = Assignment::read(&path).map_err(WalkError::Read)?;
        let found = |table: &u32| Some((*table, assignment.0.get(table)?.clone()));
        let done = tables.iter().filter_map(found).collect();
        Ok(Self { path, done })
    }

    /// Handles a board whose king was lifted while a table was asked for.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can be neither read nor written.
    pub(crate) fn take(&mut self, table: u32, board: &str) -> Result<Taken, WalkError> {
        if !is_serial(board) {
            return Ok(Taken::Nameless);
        }
        let before = self.done.iter().rev().find(|(_, other)| same_serial(other, board));
        if let Some((other, _)) = before.filter(|(other, _)| *other != table) {
            let is_last = self.done.last().is_some_and(|(_, last)| same_serial(last, board));
            return Ok(if is_last { Taken::Repeated(*other) } else { Taken::Elsewhere(*other) });
        }
        // Somebody else may have changed the file meanwhile.
        let mut assignment = Assignment::read(&self.path).map_err(WalkError::Read)?;
        assignment.assign(table, board);
        let written = assignment.write(&self.path);
        written.map_err(|error| WalkError::Write { path: self.path.clone(), error })?;
        self.done.retain(|(other, serial)| *other != table && !same_serial(serial, board));
        self.done.push((table, board.to_owned()));
        Ok(Taken::Placed)
    }

    /// Returns how many tables have their boards.
    pub(crate) const fn len(&self) -> usize {
        self.done.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_stays_where_this_walk_has_found_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = Assignment::path(dir.path());
        let mut walk = Walk::new(path.clone());
        for (table, board, taken) in [
            (1, "20001", Taken::Placed),
            (2, "20001", Taken::Repeated(1)),
            (2, "/dev/ttyACM0", Taken::Nameless),
            (2, "20002", Taken::Placed),
            (3, "20001", Taken::Elsewhere(1)),
            (3, "20003", Taken::Placed),
            // Going back: the table gets another board, and then its own again.
            (2, "20004", Taken::Placed),
            (2, "20002", Taken::Placed),
        ] {
            assert_eq!(walk.take(table, board).unwrap(), taken, "{board} on {table}");
        }
        assert_eq!(walk.len(), 3);
        let tables = Assignment::read(&path).unwrap().0;
        assert_eq!(
            tables,
            [(1, "20001"), (2, "20002"), (3, "20003")]
                .map(|(table, serial)| (table, serial.to_owned()))
                .into()
        );
    }

    #[cfg(feature = "http")]
    #[test]
    fn a_walk_goes_on_where_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = Assignment::path(dir.path());
        let mut walk = Walk::new(path.clone());
        walk.take(1, "20001").unwrap();
        walk.take(2, "20002").unwrap();
        let mut again = Walk::resume(path, &[1, 2, 9]).unwrap();
        assert_eq!(again.take(3, "20002").unwrap(), Taken::Repeated(2));
        assert_eq!(again.take(3, "20001").unwrap(), Taken::Elsewhere(1));
    }
}
