//! What differs between operating systems: files and their owners, signals, terminals, the service manager.
//!
//! The rest of the program has no condition on the system: it calls these functions, which say what happens where a system
//! has nothing of the kind. `unix.rs` is Linux, and all that is like it; `other.rs` is the rest, which means Windows. Both have
//! the same functions; a function that one of them lacks does not compile there.

use std::{
    fs::{DirBuilder, File, Metadata, OpenOptions},
    io,
    net::TcpListener,
    path::{Path, PathBuf},
    time::Duration,
};

#[cfg_attr(unix, path = "platform/unix.rs")]
#[cfg_attr(not(unix), path = "platform/other.rs")]
mod system;

/// What the service manager is informed.
#[derive(Debug)]
pub(crate) enum News {
    /// The daemon works.
    Ready,
    /// What there is to see.
    Status(String),
    /// All tasks live.
    Alive,
    /// The daemon is about to end.
    Stopping,
}

/// A file, whatever its names are: its file system and its number there.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct FileId {
    /// Number of the file system.
    pub system: u64,
    /// Number of the file.
    pub file: u64,
}

/// How much may be written to a file system.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Room {
    /// Free bytes.
    pub free: u64,
    /// Whether nothing may be written at all.
    pub is_read_only: bool,
}

/// Returns options that make a file with a mode; where files have none, a file inherits the rights of its directory.
#[must_use]
pub fn with_mode(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    system::set_mode(&mut options, mode);
    options
}

/// Returns a builder of directories with a mode, as [`with_mode`] does for files.
#[must_use]
pub fn directory_with_mode(mode: u32) -> DirBuilder {
    let mut builder = DirBuilder::new();
    system::set_directory_mode(&mut builder, mode);
    builder
}

/// Returns the mode of a file: 0 where files have none, as nobody is let in by it then.
#[must_use]
pub fn mode(meta: &Metadata) -> u32 {
    system::mode(meta)
}

/// Returns whether a name stands for a pipe or a socket, which would hold up who reads it. Only Unix has them among files.
#[must_use]
pub fn is_pipe(meta: &Metadata) -> bool {
    system::is_pipe(meta)
}

/// Says which file a name stands for; `None` where the system does not say.
#[must_use]
pub fn file_id(meta: &Metadata) -> Option<FileId> {
    system::file_id(meta)
}

/// Returns whether an open file has no name any more, so that it is gone once it is closed; only Unix lets that happen.
#[must_use]
pub fn is_removed(meta: &Metadata) -> bool {
    system::is_removed(meta)
}

/// Reads bytes at a place of a file; where the file is read next is left open.
///
/// # Errors
///
/// Returns an error if the file ends before, or the disk does not let it.
pub fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    system::read_exact_at(file, bytes, at)
}

/// Gives a file to an owner, if it belongs to somebody else; where rights are inherited, it is left as it is.
///
/// # Errors
///
/// Returns an error if this process may not.
pub fn give_to(path: &Path, owner: &Metadata) -> io::Result<()> {
    system::give_to(path, owner)
}

/// Makes a whole file system durable in one go.
///
/// # Errors
///
/// Returns an error if the system cannot; each file can still be made durable by itself.
pub fn sync_file_system(any: &File) -> io::Result<()> {
    system::sync_file_system(any)
}

/// Finds out whether files can be made in a directory.
///
/// # Errors
///
/// Returns the reason if they cannot.
pub fn check_directory(path: &Path) -> io::Result<()> {
    system::check_directory(path)
}

/// Finds out whether this process may read and write a device; where only opening it shows, it is not asked.
///
/// # Errors
///
/// Returns the reason if it may not.
pub fn check_device(path: &Path) -> io::Result<()> {
    system::check_device(path)
}

/// Returns how much room a directory has; `None` where the system does not say.
///
/// # Errors
///
/// Returns an error if the file system does not answer.
pub fn room(path: &Path) -> io::Result<Option<Room>> {
    system::room(path)
}

/// Returns whether a name can be that of a device: `/dev/ttyACM0`, or `COM3` on Windows.
#[must_use]
pub fn is_device_name(name: &str) -> bool {
    system::is_device_name(name)
}

/// Returns whether a device is surely not there; where devices are no files, only opening it shows.
#[must_use]
pub fn is_absent(device: &Path) -> bool {
    system::is_absent(device)
}

/// Returns for how many seconds the machine has been up, sleep included, if the system knows it.
#[must_use]
pub fn uptime_s() -> Option<i64> {
    system::uptime_s()
}

/// Returns the name of this machine, empty if it has none.
#[must_use]
pub fn host_name() -> String {
    system::host_name()
}

/// Returns whether this process runs as root, who has no home of an ordinary user. Elsewhere nobody is.
#[must_use]
pub fn is_root() -> bool {
    system::is_root()
}

/// Returns the directories of this user for configuration and for state: those of XDG, or `%APPDATA%` and `%LOCALAPPDATA%`.
#[must_use]
pub fn user_directories() -> Option<(PathBuf, PathBuf)> {
    system::user_directories()
}

/// Raises the number of files that this process may open to what the system admits.
///
/// # Errors
///
/// Returns an error if it stays as it is.
pub fn allow_many_files() -> io::Result<()> {
    system::allow_many_files()
}

/// Fills bytes with random ones of the system, good enough for secrets.
///
/// # Errors
///
/// Returns an error if the system has none.
pub fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    system::fill_random(bytes)
}

/// Returns the width of the terminal that standard output is.
#[must_use]
pub fn columns() -> Option<usize> {
    system::columns()
}

/// Returns which file standard error is written to.
#[must_use]
pub fn standard_error() -> Option<FileId> {
    system::standard_error()
}

/// Returns the listening sockets that the service manager has opened, with their names; there are none without one.
#[must_use]
pub fn passed_sockets() -> Vec<(String, io::Result<TcpListener>)> {
    system::passed_sockets()
}

/// Informs the service manager; without one nobody hears it.
pub(crate) fn report_manager(news: &News) -> io::Result<()> {
    system::report_manager(news)
}

/// Returns how often the service manager wants to hear of the daemon.
pub(crate) fn watchdog() -> Option<Duration> {
    system::watchdog()
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SignalRequest {
    /// To read the configuration anew. Windows has no such signal: the desk and the command line ask there.
    Reload,
    /// To end.
    End,
}

/// The signals that a daemon listens to.
#[derive(Debug)]
pub struct Signals(system::Signals);

impl Signals {
    /// Begins to listen to all of them.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let the process listen.
    pub fn new() -> io::Result<Self> {
        system::Signals::new(true).map(Self)
    }

    /// Begins to listen to those that end the process; a hang-up ends it as the system does.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let the process listen.
    pub fn of_the_end() -> io::Result<Self> {
        system::Signals::new(false).map(Self)
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) -> SignalRequest {
        self.0.next().await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_known_by_whatever_name() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other, third) = (dir.path().join("1"), dir.path().join("2"), dir.path().join("3"));
        fs::write(&one, "abc").unwrap();
        fs::hard_link(&one, &other).unwrap();
        fs::write(&third, "").unwrap();
        let id = |path: &Path| file_id(&fs::metadata(path).unwrap());
        assert_eq!(id(&one), id(&other));
        assert!(id(&one) != id(&third) || id(&one).is_none());
        let mut bytes = [0; 2];
        read_exact_at(&File::open(&one).unwrap(), &mut bytes, 1).unwrap();
        assert_eq!(&bytes, b"bc");
    }

    #[test]
    fn directories_and_their_room_are_found() {
        let dir = tempfile::tempdir().unwrap();
        check_directory(dir.path()).unwrap();
        check_directory(&dir.path().join("none")).unwrap_err();
        assert!(room(dir.path()).unwrap().is_none_or(|room| room.free > 0 && !room.is_read_only));
        assert!(is_absent(&dir.path().join("none")) || cfg!(not(unix)));
        let (mut one, mut other) = ([0; 16], [0; 16]);
        fill_random(&mut one).unwrap();
        fill_random(&mut other).unwrap();
        assert_ne!(one, other);
    }
}
