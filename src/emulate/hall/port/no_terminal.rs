//! What takes the place of pseudo terminals on systems that have none: virtual boards are on TCP ports there.

use std::{
    future::pending,
    io,
    path::{Path, PathBuf},
};

/// A terminal that cannot be made.
#[derive(Debug)]
pub(in crate::hall) struct PtyPort(PathBuf);

impl PtyPort {
    pub(in crate::hall) fn open(link: PathBuf) -> io::Result<Self> {
        let mut port = Self(link);
        port.reopen()?;
        Ok(port)
    }

    pub(super) fn link(&self) -> &Path {
        &self.0
    }

    pub(super) fn reopen(&mut self) -> io::Result<()> {
        let reason = "this system has no pseudo terminals: call 'jadoube emulate' with --tcp 127.0.0.1:PORT";
        Err(io::Error::new(io::ErrorKind::Unsupported, format!("{}: {reason}", self.0.display())))
    }

    #[expect(clippy::unused_self, reason = "Unix has terminals")]
    pub(super) const fn close(&mut self) {}

    pub(super) async fn read(&mut self, _buffer: &mut [u8]) -> usize {
        pending().await
    }

    #[expect(clippy::unused_self, reason = "Unix has terminals")]
    pub(super) const fn write(&mut self, bytes: &[u8]) -> usize {
        bytes.len()
    }
}
