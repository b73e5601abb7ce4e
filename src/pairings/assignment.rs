//! Which board is which table: a file of its own beside the captures, laid over the tables of the configuration.
//!
//! `jadoube tables walk` writes it while the daemon runs. It has the form of the configuration, `[[table]]` with `number` and
//! `serial`, so that it can be edited and copied into it.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use jadoube_core::settings::{is_serial, plain_serial, same_serial};
use jadoube_runtime::{
    platform::give_to,
    private,
    replace::{Durability, replace},
};
use serde::Deserialize;

use crate::config::{Config, TableSettings};

/// Name of the file in the state directory.
const NAME: &str = "tables.toml";

/// First line of the file.
const HEAD: &str = "# Which board is which table, up to the line '# end'; written by 'jadoube tables walk', read at once by a running \
                    daemon.\n";

/// Last line of the file: a file that was cut off behind a table looks like a whole one with fewer tables.
const END: &str = "# end";

/// The board of each table, by its number.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Assignment(pub(crate) BTreeMap<u32, String>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    #[serde(default)]
    table: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    number: u32,
    serial: String,
}

impl Assignment {
    /// Returns where the file lies.
    pub(crate) fn path(state_dir: &Path) -> PathBuf {
        state_dir.join(NAME)
    }

    /// Reads the file; without one, every table is as the configuration says.
    ///
    /// # Errors
    ///
    /// Returns an error with file and reason.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let wrong = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let text = match private::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(wrong(&error)),
        };
        let is_cut = HEAD.starts_with(&text)
            || text.starts_with(HEAD) && !text.lines().any(|line| line.trim_end() == END);
        if is_cut {
            let remedy = "is cut off; add the tables that are missing and the last line '# end', or remove it and walk again";
            return Err(wrong(&remedy));
        }
        let contents: Contents = toml::from_str(&text).map_err(|error| wrong(&error.message()))?;
        let mut assignment = Self::default();
        for Entry { number, serial } in contents.table {
            if !is_serial(&serial) {
                return Err(wrong(&format_args!("table {number}: '{serial}' is no serial number")));
            }
            if let Some(other) = assignment.table_of(&serial) {
                return Err(wrong(&format_args!("board {serial} is on table {other} and on table {number}")));
            }
            if assignment.0.insert(number, serial).is_some() {
                return Err(wrong(&format_args!("table {number} has two boards")));
            }
        }
        Ok(assignment)
    }

    /// Writes the file; the owner of its directory may read it, whoever writes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk does not take it.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = HEAD.to_owned();
        for (number, serial) in &self.0 {
            writeln!(text, "\n[[table]]\nnumber = {number}\nserial = \"{serial}\"").unwrap_or_default();
        }
        writeln!(text, "\n{END}").unwrap_or_default();
        replace(path, text.as_bytes(), Durability::Synced)?;
        hand_over(path)
    }

    /// Returns the table of a board.
    pub(crate) fn table_of(&self, serial: &str) -> Option<u32> {
        self.0.iter().find(|(_, other)| same_serial(other, serial)).map(|(number, _)| *number)
    }

    /// Puts a board on a table; it stands nowhere else then.
    pub(crate) fn assign(&mut self, number: u32, serial: &str) {
        self.0.retain(|_, other| !same_serial(other, serial));
        self.0.insert(number, serial.to_owned());
    }

    /// Lays the boards over the tables of a configuration: names stay with the numbers.
    pub(crate) fn apply(&self, config: &mut Config) {
        if self.0.is_empty() {
            return;
        }
        let tables = Arc::make_mut(&mut config.tables);
        // A board of the file stands where the file says, and nowhere else.
        for table in tables.iter_mut().filter(|table| self.table_of(&table.serial).is_some()) {
            table.serial.clear();
        }
        for (number, serial) in &self.0 {
            if let Some(table) = tables.iter_mut().find(|table| table.number == Some(*number)) {
                table.serial.clone_from(serial);
            } else {
                let (number, serial) = (Some(*number), serial.clone());
                tables.push(TableSettings { number, serial, ..TableSettings::default() });
            }
        }
        tables.retain(|table| !plain_serial(&table.serial).is_empty());
    }
}

/// Gives a file to the owner of its directory, as root writes it for the daemon.
fn hand_over(path: &Path) -> io::Result<()> {
    let Some(directory) = path.parent() else { return Ok(()) };
    give_to(path, &fs::metadata(directory)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_laid_over_the_tables() {
        let dir = tempfile::tempdir().unwrap();
        let path = Assignment::path(dir.path());
        assert_eq!(Assignment::read(&path), Ok(Assignment::default()));
        let mut assignment = Assignment::default();
        assignment.assign(1, "22222");
        assignment.assign(9, "01025");
        assignment.assign(2, "33333");
        assignment.assign(3, "33333");
        assert_eq!(assignment.table_of("1025"), Some(9));
        assignment.write(&path).unwrap();
        assert_eq!(Assignment::read(&path), Ok(assignment.clone()));
        let whole = fs::read_to_string(&path).unwrap();
        for length in 0..whole.trim_end().len() {
            let cut = dir.path().join("cut");
            fs::write(&cut, &whole[..length]).unwrap();
            assert!(Assignment::read(&cut).unwrap_err().contains("cut: "), "{length}");
        }
        let text = "[[table]]\nnumber = 1\nserial = '11111'\nwhite = 'A'\n[[table]]\nnumber = 2\nserial = '22222'\n\
            [[table]]\nnumber = 4\nserial = '44444'";
        let mut config = Config::parse("t", text, &[]).unwrap();
        assignment.apply(&mut config);
        let tables: Vec<_> =
            config.tables.iter().map(|t| (t.number.unwrap(), &*t.serial, &*t.white)).collect();
        assert_eq!(tables, [(1, "22222", "A"), (4, "44444", ""), (3, "33333", ""), (9, "01025", "")]);
    }

    #[test]
    fn a_file_with_a_board_on_two_tables_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = Assignment::path(dir.path());
        for (text, reason) in [
            (
                "[[table]]\nnumber=1\nserial='7'\n[[table]]\nnumber=2\nserial='07'",
                "board 07 is on table 1 and on table 2",
            ),
            ("[[table]]\nnumber=1\nserial='7'\n[[table]]\nnumber=1\nserial='8'", "table 1 has two boards"),
            ("[[table]]\nnumber=1\nserial='x'", "table 1: 'x' is no serial number"),
            ("[[table]]\nnumber=1\nwhite='x'", "unknown field `white`"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Assignment::read(&path).unwrap_err();
            assert!(error.contains(reason) && error.contains(NAME), "{error}");
        }
    }
}
