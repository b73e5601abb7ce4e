//! A serial line where nothing is known of how the system tells that there is no more: as `tokio_serial` has it.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use serialport::{SerialPort, SerialPortBuilder};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_serial::SerialStream;

/// An open serial line.
#[derive(Debug)]
pub(super) struct SerialLine(SerialStream);

impl SerialLine {
    /// Opens a line, which may take long.
    pub(super) fn open(builder: &SerialPortBuilder) -> serialport::Result<Self> {
        Ok(Self(SerialStream::open(builder)?))
    }

    /// Returns the line as something to set up.
    pub(super) fn port(&mut self) -> &mut dyn SerialPort {
        &mut self.0
    }
}

impl AsyncRead for SerialLine {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for SerialLine {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
