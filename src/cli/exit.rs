//! Names the exit statuses; they are those of `sysexits.h`, as far as they are public interface.

use std::{
    fmt::{self, Display},
    io,
    process::ExitCode,
};

use crate::{config::ConfigError, daemon::DaemonError};
use jadoube_core::capture::CaptureError;

/// Why the program ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Wrong usage (`EX_USAGE`).
    Usage = 64,
    /// Bad input data (`EX_DATAERR`).
    Data = 65,
    /// No such file (`EX_NOINPUT`).
    NoInput = 66,
    /// A needed service is missing (`EX_UNAVAILABLE`).
    Unavailable = 69,
    /// Internal error (`EX_SOFTWARE`).
    Software = 70,
    /// No permission (`EX_NOPERM`).
    NoPermission = 77,
    /// Bad configuration (`EX_CONFIG`).
    Config = 78,
}

impl Exit {
    /// Returns the status for an error of the system about a file that has to be there.
    #[must_use]
    pub fn of(kind: io::ErrorKind) -> Self {
        let is = |kinds: &[io::ErrorKind]| kinds.contains(&kind);
        if is(&[io::ErrorKind::NotFound, io::ErrorKind::NotADirectory, io::ErrorKind::IsADirectory]) {
            Self::NoInput
        } else if is(&[io::ErrorKind::PermissionDenied]) {
            Self::NoPermission
        } else if is(&[io::ErrorKind::InvalidData, io::ErrorKind::FileTooLarge]) {
            Self::Data
        } else {
            Self::Unavailable
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        let status: u8 = match exit {
            Exit::Done => 0,
            Exit::Usage => 64,
            Exit::Data => 65,
            Exit::NoInput => 66,
            Exit::Unavailable => 69,
            Exit::Software => 70,
            Exit::NoPermission => 77,
            Exit::Config => 78,
        };
        Self::from(status)
    }
}

/// A command's failure: the status, and one line that names file and place.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Exit status.
    pub exit: Exit,
    message: String,
    broken_pipe: bool,
}

impl Failure {
    /// Makes a failure.
    #[must_use]
    pub fn new(exit: Exit, message: impl Display) -> Self {
        let message = message.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { exit, message, broken_pipe: false }
    }

    /// Makes a failure of what the system says about a file.
    #[must_use]
    pub fn io(file: impl Display, error: &io::Error) -> Self {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { broken_pipe, ..Self::new(Exit::of(error.kind()), format_args!("{file}: {error}")) }
    }

    /// Makes a failure of what the system says about standard output.
    #[must_use]
    pub fn output(error: &io::Error) -> Self {
        Self::io("standard output", error)
    }

    /// Returns whether the reader of standard output has closed the pipe, which is not an error.
    #[must_use]
    pub const fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match &error {
            // Invalid UTF-8 is bad configuration, like any other invalid text.
            ConfigError::Read { source, .. }
                if matches!(source.kind(), io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge) =>
            {
                Self::new(Exit::Config, error)
            }
            ConfigError::Read { file, source } => Self::io(file, source),
            ConfigError::Syntax { .. } | ConfigError::Key { .. } | ConfigError::Setting { .. } => {
                Self::new(Exit::Config, error)
            }
        }
    }
}

impl From<CaptureError> for Failure {
    fn from(error: CaptureError) -> Self {
        match &error {
            CaptureError::Io { name, source } => Self::io(name, source),
            CaptureError::Line { .. } => Self::new(Exit::Data, error),
        }
    }
}

impl From<DaemonError> for Failure {
    fn from(error: DaemonError) -> Self {
        let exit = match &error {
            DaemonError::Permission { .. } | DaemonError::Foreign { .. } => Exit::NoPermission,
            DaemonError::Newer { .. } => Exit::Config,
            DaemonError::Locked(_) | DaemonError::Signals(_) => Exit::Unavailable,
            DaemonError::Panicked(_) | DaemonError::Impatience => Exit::Software,
        };
        Self::new(exit, error)
    }
}
