//! Ports of virtual boards: pseudo terminals, which look like serial devices, and sockets.
//!
//! As with a real board, bytes that no host reads are lost.

use std::{future::pending, io, net::SocketAddr};

use tokio::net::{TcpListener, TcpStream};

#[cfg_attr(unix, path = "port/terminal.rs")]
#[cfg_attr(not(unix), path = "port/no_terminal.rs")]
mod terminal;

pub(super) use self::terminal::PtyPort;

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
            Self::Pty(port) => port.link().display().to_string(),
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

    /// Resets the connection of the host; a terminal, which knows no reset, hangs up and is there again.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Pty(port) => {
                port.close();
                if let Err(error) = port.reopen() {
                    tracing::error!(port = %port.link().display(), %error, "the terminal cannot be opened again");
                }
            }
            Self::Tcp(port) => {
                if let Some(host) = port.host.take() {
                    host.set_zero_linger().unwrap_or_default();
                }
            }
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
