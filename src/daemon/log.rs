//! Owns where the daemon's own messages go, and from which level on.
//!
//! | level | for |
//! |---|---|
//! | error | something does not work and stays so until somebody acts |
//! | warn | somebody should know by the end of the day: a port that cannot be opened, lost records |
//! | info | a line or two per board and game: link, recovery, next game, orders |
//! | debug | decisions of the machinery |
//! | trace | bytes |
//!
//! What happens on the boards is no message: it goes to the sinks.

use std::{
    env,
    io::{self, IsTerminal, Write},
};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

use jadoube_runtime::platform;

/// Starts logging: to the journal if standard error goes there, else to standard error.
///
/// `RUST_LOG` chooses levels, for all messages or by module: `debug`, `jadoube::port=trace,info`.
pub fn init() {
    let chosen = env::var("RUST_LOG").ok().and_then(|levels| levels.parse().ok());
    let filter = chosen.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let registry = tracing_subscriber::registry().with(filter);
    let journal = if goes_to_journal() {
        tracing_journald::layer().ok().map(|layer| layer.with_field_prefix(None))
    } else {
        None
    };
    // A second start in one process, as in a test, keeps the first one.
    let started = if let Some(journal) = journal {
        registry.with(journal).try_init()
    } else {
        let ansi = io::stderr().is_terminal();
        registry
            .with(tracing_subscriber::fmt::layer().with_writer(|| OneLine(io::stderr())).with_ansi(ansi))
            .try_init()
    };
    if started.is_err() {
        tracing::debug!("logging has been started before");
    }
}

/// Keeps each message on a line of its own, whatever others have put into it, such as a reason that repeats what was sent. The
/// journal needs no such thing.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    /// Handles a whole message with the end of its line, as the formatter writes it.
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let (line, end) = match message.strip_suffix(b"\n") {
            Some(line) => (line, b"\n".as_slice()),
            None => (message, b"".as_slice()),
        };
        if !line.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            self.0.write_all(message)?;
            return Ok(message.len());
        }
        let mut whole = Vec::with_capacity(message.len() + 16);
        for byte in line {
            match byte {
                b'\n' => whole.extend_from_slice(b"\\n"),
                b'\r' => whole.extend_from_slice(b"\\r"),
                _ => whole.push(*byte),
            }
        }
        whole.extend_from_slice(end);
        self.0.write_all(&whole)?;
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns whether the service manager has connected standard error to the journal.
///
/// The variable alone proves nothing: children of a service inherit it with other outputs.
pub(super) fn goes_to_journal() -> bool {
    let Ok(stream) = env::var("JOURNAL_STREAM") else { return false };
    let Some((device, inode)) = stream.split_once(':') else { return false };
    platform::standard_error()
        .is_some_and(|file| file.system.to_string() == device && file.file.to_string() == inode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_is_in_it() {
        let mut log = OneLine(Vec::new());
        log.write_all(b"order refused reason=1-0\r\nERROR all is lost\n").unwrap();
        log.write_all(b"order carried out\n").unwrap();
        assert_eq!(log.0, b"order refused reason=1-0\\r\\nERROR all is lost\norder carried out\n");
    }
}
