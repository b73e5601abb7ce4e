//! Standard output, locked, and standard input where a file name is `-`.

use std::{
    fs,
    io::{self, StdoutLock, Write},
    path::Path,
};

use super::Failure;
use jadoube_core::printable::without_controls;
use jadoube_runtime::private;

/// Longest file that a command reads as a whole, MiB.
const LONGEST: u64 = 1024;

/// Standard output; errors become failures, and a reader that went away a quiet end.
pub(crate) struct Output(StdoutLock<'static>);

impl Output {
    /// Opens standard output.
    pub(crate) fn new() -> Self {
        Self(io::stdout().lock())
    }

    /// Writes a line.
    ///
    /// # Errors
    ///
    /// Returns an error if standard output cannot be written.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.0, "{line}").map_err(|error| Failure::output(&error))
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    ///
    /// Returns an error if standard output cannot be written.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write_all(bytes).map_err(|error| Failure::output(&error))
    }

    /// Writes a text as it is.
    ///
    /// # Errors
    ///
    /// Returns an error if standard output cannot be written.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.0
            .write_all(text.as_bytes())
            .and_then(|()| self.0.flush())
            .map_err(|error| Failure::output(&error))
    }
}

/// Shows what files, boards and other programs say on one line: it moves no cursor.
pub(crate) fn printable(text: &str) -> String {
    without_controls(text, '?').collect()
}

/// Returns the name that errors carry.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// Reads a text file, `-` for standard input.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if file == Path::new("-") {
        private::bytes_of(io::stdin().lock(), LONGEST)
    } else {
        fs::File::open(file).and_then(|file| private::bytes_of(file, LONGEST))
    };
    read.map_err(|error| Failure::io(name(file), &error))
}
