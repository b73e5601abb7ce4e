//! Ports of virtual boards: pseudo terminals, which look like serial devices, and sockets.
//!
//! As with a real board, bytes that no host reads are lost.

use std::{
    fs,
    future::pending,
    io,
    net::SocketAddr,
    os::unix::fs::{OpenOptionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::{fs::OFlags, io::ioctl_fionread, termios::ioctl_tiocnxcl};
use serialport::{SerialPort, TTYPort};
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
};
use tokio_serial::SerialStream;

/// Unread bytes that a pseudo terminal keeps. Its own limit is so high that a host, which clears only a
/// part of it, would process minutes of old messages as new ones, the last of them cut short.
const UNREAD: u64 = 2048;

/// A port that is open.
#[derive(Debug)]
pub(super) enum LivePort {
    /// A pseudo terminal.
    Pty(PtyPort),
    /// A socket.
    Tcp(TcpPort),
}

impl LivePort {
    /// Returns the path or address that a host opens.
    pub(super) fn address(&self) -> String {
        match self {
            Self::Pty(port) => port.link.display().to_string(),
            Self::Tcp(port) => format!("tcp://{}", port.address),
        }
    }

    /// Waits for bytes from a host; returns their number.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> usize {
        match self {
            Self::Pty(port) => port.read(buffer).await,
            Self::Tcp(port) => port.read(buffer).await,
        }
    }

    /// Sends bytes; without a host or room in its buffer they are lost.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        let lost = match self {
            Self::Pty(port) => port.write(bytes),
            Self::Tcp(port) => port.write(bytes),
        };
        if lost > 0 {
            tracing::trace!(port = %self.address(), lost, "nobody listens");
        }
    }

    /// Closes the port: a host sees a hang-up.
    pub(super) fn unplug(&mut self) {
        match self {
            Self::Pty(port) => port.close(),
            Self::Tcp(port) => port.close(),
        }
    }

    /// Opens the port again under its name.
    pub(super) async fn plug(&mut self) -> io::Result<()> {
        match self {
            Self::Pty(port) => port.reopen(),
            Self::Tcp(port) => port.listen().await,
        }
    }
}

/// A pseudo terminal, and a link to it under a fixed name.
#[derive(Debug)]
pub(super) struct PtyPort {
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
    pub(super) fn open(link: PathBuf) -> io::Result<Self> {
        if let Some(directory) = link.parent() {
            fs::create_dir_all(directory)?;
        }
        let mut port = Self { link, terminal: None };
        port.reopen()?;
        Ok(port)
    }

    fn reopen(&mut self) -> io::Result<()> {
        let (terminal, path) = Terminal::open()?;
        put_link(&path, &self.link)?;
        self.terminal = Some(terminal);
        Ok(())
    }

    fn close(&mut self) {
        self.terminal = None;
        if is_link(&self.link) {
            // A dangling link; opening it fails, as it should.
            fs::remove_file(&self.link).unwrap_or_default();
        }
    }

    async fn read(&mut self, buffer: &mut [u8]) -> usize {
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
    fn write(&mut self, bytes: &[u8]) -> usize {
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

/// A socket that one host at a time can connect to.
#[derive(Debug)]
pub(super) struct TcpPort {
    address: SocketAddr,
    listener: Option<TcpListener>,
    host: Option<TcpStream>,
}

impl TcpPort {
    /// Listens; port 0 is any that is free.
    pub(super) async fn open(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self { address: listener.local_addr()?, listener: Some(listener), host: None })
    }

    async fn listen(&mut self) -> io::Result<()> {
        self.listener = Some(TcpListener::bind(self.address).await?);
        Ok(())
    }

    fn close(&mut self) {
        self.host = None;
        self.listener = None;
    }

    async fn read(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            let Some(host) = &self.host else {
                let Some(listener) = &self.listener else { return pending().await };
                if let Ok((host, _)) = listener.accept().await {
                    // Commands are a byte or two.
                    host.set_nodelay(true).unwrap_or_default();
                    self.host = Some(host);
                }
                continue;
            };
            if host.readable().await.is_err() {
                self.host = None;
                continue;
            }
            match host.try_read(buffer) {
                Ok(0) => self.host = None,
                Ok(count) => return count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => self.host = None,
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(host) = &self.host else { return bytes.len() };
        match host.try_write(bytes) {
            Ok(written) => bytes.len() - written,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => bytes.len(),
            Err(_) => {
                self.host = None;
                bytes.len()
            }
        }
    }
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
        for _ in 0..100 {
            if port.write(&message) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("there is no room again");
    }
}
