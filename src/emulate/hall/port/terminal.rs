//! Pseudo terminals, which look like serial devices to a host.

use std::{
    fs,
    future::pending,
    io,
    os::unix::fs::{OpenOptionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::{fs::OFlags, io::ioctl_fionread, termios::ioctl_tiocnxcl};
use serialport::{SerialPort, TTYPort};
use tokio::io::AsyncReadExt;
use tokio_serial::SerialStream;

/// Unread bytes that a pseudo terminal keeps. Its own limit is so high that a host, which clears only a
/// part of it, would process minutes of old messages as new ones, the last of them cut short.
const UNREAD: u64 = 2048;

/// A pseudo terminal, and a link to it under a fixed name.
#[derive(Debug)]
pub(in crate::hall) struct PtyPort {
    link: PathBuf,
    terminal: Option<Terminal>,
}

#[derive(Debug)]
struct Terminal {
    master: SerialStream,
    /// The side that hosts open. Held, so that a host that closes it is no hang-up, and its settings stay.
    slave: fs::File,
}

impl PtyPort {
    /// Makes a terminal and links to it; a link of that name is replaced, anything else is left alone.
    pub(in crate::hall) fn open(link: PathBuf) -> io::Result<Self> {
        if let Some(directory) = link.parent() {
            fs::create_dir_all(directory)?;
        }
        let mut port = Self { link, terminal: None };
        port.reopen()?;
        Ok(port)
    }

    /// Returns the name that hosts open.
    pub(super) fn link(&self) -> &Path {
        &self.link
    }

    pub(super) fn reopen(&mut self) -> io::Result<()> {
        let (terminal, path) = Terminal::open()?;
        put_link(&path, &self.link)?;
        self.terminal = Some(terminal);
        Ok(())
    }

    pub(super) fn close(&mut self) {
        self.terminal = None;
        if is_link(&self.link) {
            // A dangling link; opening it fails, as it should.
            fs::remove_file(&self.link).unwrap_or_default();
        }
    }

    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> usize {
        let Some(terminal) = &mut self.terminal else { return pending().await };
        match terminal.master.read(buffer).await {
            Ok(count) if count > 0 => {
                // A host that was killed leaves the terminal in exclusive mode; the next one has to be able to open it.
                ioctl_tiocnxcl(&terminal.slave).unwrap_or_default();
                count
            }
            // The other side is held open, so this should not happen; if it does, there is no host.
            Ok(_) | Err(_) => pending().await,
        }
    }

    /// Returns how many bytes were lost.
    pub(super) fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(terminal) = &mut self.terminal else { return bytes.len() };
        if ioctl_fionread(&terminal.slave).is_ok_and(|unread| unread > UNREAD) {
            return bytes.len();
        }
        bytes.len() - terminal.master.try_write(bytes).unwrap_or(0)
    }
}

impl Drop for PtyPort {
    fn drop(&mut self) {
        self.close();
    }
}

impl Terminal {
    /// Opens a terminal in raw mode: a new one echoes and edits lines.
    fn open() -> io::Result<(Self, PathBuf)> {
        let (master, raw) = TTYPort::pair()?;
        let path =
            raw.name().map(PathBuf::from).ok_or_else(|| io::Error::other("a terminal without a name"))?;
        let flags = i32::try_from(OFlags::NOCTTY.bits()).map_err(io::Error::other)?;
        let slave = fs::File::options().read(true).write(true).custom_flags(flags).open(&path)?;
        Ok((Self { master: SerialStream::try_from(master)?, slave }, path))
    }
}

/// Links to a terminal; the link is replaced atomically.
fn put_link(to: &Path, link: &Path) -> io::Result<()> {
    if link.symlink_metadata().is_ok() && !is_link(link) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} is there already, and no link to a board", link.display()),
        ));
    }
    let mut fresh = link.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    if is_link(&fresh) {
        fs::remove_file(&fresh)?;
    }
    symlink(to, &fresh)?;
    fs::rename(&fresh, link)
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.file_type().is_symlink())
}

#[cfg(test)]
mod tests {
    use std::{io::Read, time::Duration};

    use super::*;

    #[tokio::test]
    async fn what_nobody_reads_is_lost_by_whole_messages() {
        let directory = tempfile::tempdir().unwrap();
        let mut port = PtyPort::open(directory.path().join("board")).unwrap();
        let message = [0x8E, 0x00, 0x05, 0x24, 0x01];
        let mut lost = 0;
        for _ in 0..50 {
            lost += (0..20).map(|_| port.write(&message)).sum::<usize>();
            // The system delivers what was written a little later.
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert!(lost > 0 && lost.is_multiple_of(message.len()), "{lost}");
        let mut host = fs::File::open(directory.path().join("board")).unwrap();
        let kept = 5000 - lost;
        assert!(kept <= 4096, "{kept} bytes of the past");
        let mut bytes = vec![0; kept];
        host.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes, message.repeat(kept / message.len()));
        for _ in 0..6000 {
            if port.write(&message) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("there is no room again");
    }
}
