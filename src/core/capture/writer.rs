//! Writes captures: one `write` a line, so that a torn file loses at most its last line.

use std::{fmt::Write as _, io::Write};

use super::{CaptureError, Entry, Header, MAGIC};
use crate::{printable::without_controls, time::Timestamp};

/// Writes one capture.
#[derive(Debug)]
pub struct Writer<W> {
    name: String,
    output: W,
    line: String,
    last: Timestamp,
}

impl<W: Write> Writer<W> {
    /// Begins a capture with its header.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub fn new(name: impl Into<String>, output: W, header: &Header) -> Result<Self, CaptureError> {
        let mut writer = Self::resume(name, output, Timestamp::ZERO);
        writer.line.push_str(MAGIC);
        writer.line.push('\n');
        for (key, value) in header {
            let value = value.replace(['\n', '\r'], " ");
            writeln!(writer.line, "# {key}: {value}").unwrap_or_default();
        }
        writer.flush_line()?;
        Ok(writer)
    }

    /// Goes on with a capture whose last line was written at `last`.
    pub fn resume(name: impl Into<String>, output: W, last: Timestamp) -> Self {
        Self { name: name.into(), output, line: String::new(), last }
    }

    /// Appends one line.
    ///
    /// A time before the last line's is written as the last line's: the format never goes back.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written; what was lost is this line only.
    pub fn write(&mut self, at: Timestamp, entry: Entry<'_>) -> Result<(), CaptureError> {
        self.last = self.last.max(at);
        self.line.clear();
        push_record(&mut self.line, self.last, entry);
        self.flush_line()
    }

    /// Returns the output, so that its owner can make it durable.
    pub const fn output_mut(&mut self) -> &mut W {
        &mut self.output
    }

    fn flush_line(&mut self) -> Result<(), CaptureError> {
        self.output
            .write_all(self.line.as_bytes())
            .and_then(|()| self.output.flush())
            .map_err(|source| CaptureError::Io { name: self.name.clone(), source })
    }
}

/// Appends the line of a record; of no type of output, so that it is made once, where all that is quick is.
fn push_record(line: &mut String, at: Timestamp, entry: Entry<'_>) {
    write!(line, "{at} ").unwrap_or_default();
    match entry {
        Entry::Open(port) => push_text(line, "! open", port),
        Entry::Close(reason) => push_text(line, "! close", reason),
        Entry::Order(json) => push_text(line, "@", json),
        Entry::Sent(bytes) => push_hex(line, '>', bytes),
        Entry::Received(bytes) => push_hex(line, '<', bytes),
    }
    line.push('\n');
    debug_assert_eq!(line.matches('\n').count(), 1, "a record is one line: {line}");
}

fn push_text(line: &mut String, kind: &str, text: &str) {
    line.push_str(kind);
    if !text.is_empty() {
        line.push(' ');
        line.extend(without_controls(text, ' '));
    }
}

fn push_hex(line: &mut String, kind: char, bytes: &[u8]) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or('0');
    line.reserve(3 * bytes.len() + 2);
    line.push(kind);
    for byte in bytes {
        line.push(' ');
        line.push(digit(byte >> 4));
        line.push(digit(byte & 0x0f));
    }
}
