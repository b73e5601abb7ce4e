//! Owns the capture format (`*.dgtcap`): what was said on one line, byte for byte and when.
//!
//! A capture is the only durable state. Recovery, replay and every test read it back through the same code that
//! runs live. This module knows the text format and nothing of what the bytes mean.

mod holes;
mod import;
mod mend;
mod proxy;
mod reader;
mod writer;

use std::collections::BTreeMap;

use thiserror::Error;

pub use holes::{Hole, holes, mark_cut, spaces};
pub use import::import;
pub use mend::{is_mendable, mend};
pub use reader::Reader;
pub use writer::Writer;

use crate::time::Timestamp;

/// First line of every capture.
pub const MAGIC: &str = "# dgt-capture 1";

/// One line of a capture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Record<'a> {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub entry: Entry<'a>,
}

/// What a line of a capture says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Entry<'a> {
    /// The link came up on this port.
    Open(&'a str),
    /// The link went down, with the reason where one is known.
    Close(&'a str),
    /// Bytes from the host to the board.
    Sent(&'a [u8]),
    /// Bytes from the board to the host, as one `read` returned them.
    Received(&'a [u8]),
    /// An arbiter's order, JSON.
    Order(&'a str),
}

/// The optional header lines: `started`, `port`, `board`, `clock`, `note`.
pub type Header = BTreeMap<String, String>;

/// Why a capture cannot be read or written.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// A line is not what the format asks for.
    #[error("{name}:{line}: {reason}")]
    Line {
        /// File name.
        name: String,
        /// Line number, from 1.
        line: u64,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// The file cannot be read or written.
    #[error("{name}: {source}")]
    Io {
        /// File name.
        name: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl CaptureError {
    /// Says what is wrong with a line.
    fn of_line(name: &str, line: u64, reason: impl Into<String>) -> Self {
        Self::Line { name: name.to_owned(), line, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests;
