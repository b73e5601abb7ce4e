//! A serial line on Linux, which is asked once for what it has.
//!
//! `tokio_serial` reads until the system says that there is no more: for each message of a board one call that brings nothing.
//! Where a read leaves room in the buffer, the line has been emptied: the terminals of Linux hand out all that they have, and what
//! comes later is told anew, as sockets do it, of which tokio knows that.

use std::{
    io::{self, Read as _, Write as _},
    pin::Pin,
    task::{Context, Poll, ready},
};

use serialport::{SerialPort, SerialPortBuilder};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, unix::AsyncFd};

/// An open serial line.
#[derive(Debug)]
pub(super) struct SerialLine(AsyncFd<mio_serial::SerialStream>);

impl SerialLine {
    /// Opens a line, which may take long.
    pub(super) fn open(builder: &SerialPortBuilder) -> serialport::Result<Self> {
        Ok(Self::of(mio_serial::SerialStream::open(builder)?)?)
    }

    #[expect(deprecated, reason = "what replaces it is unsafe; a line owns its file and has it to its end")]
    fn of(line: mio_serial::SerialStream) -> io::Result<Self> {
        Ok(Self(AsyncFd::new(line)?))
    }

    /// Returns the line as something to set up.
    pub(super) fn port(&mut self) -> &mut dyn SerialPort {
        self.0.get_mut()
    }
}

impl AsyncRead for SerialLine {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut guard = ready!(self.0.poll_read_ready(context))?;
            let room = buffer.initialize_unfilled();
            let capacity = room.len();
            match guard.try_io(|line| line.get_ref().read(room)) {
                Ok(Ok(count)) => {
                    // Nothing at all is the end, and stays to be read.
                    if (1..capacity).contains(&count) {
                        guard.clear_ready();
                    }
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                Err(_would_block) => {}
            }
        }
    }
}

impl AsyncWrite for SerialLine {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.poll_write_ready(context))?;
            if let Ok(written) = guard.try_io(|line| line.get_ref().write(bytes)) {
                return Poll::Ready(written);
            }
        }
    }

    /// Does nothing: to wait until a line has sent its bytes blocks the thread.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use serialport::TTYPort;
    use tokio::{io::AsyncReadExt as _, time::timeout};

    use super::*;

    fn pair() -> (TTYPort, SerialLine) {
        let (mut board, line) = TTYPort::pair().unwrap();
        board.set_timeout(Duration::from_mins(2)).unwrap();
        let line = mio_serial::SerialStream::try_from(line).unwrap();
        (board, SerialLine::of(line).unwrap())
    }

    /// Reads until the line ends, with a buffer of a size.
    async fn all_of(line: &mut SerialLine, size: usize) -> Vec<u8> {
        let (mut read, mut buffer) = (Vec::new(), vec![0; size]);
        // A hung-up pseudo terminal ends with an error.
        while let Ok(count) = line.read(&mut buffer).await
            && count > 0
        {
            read.extend_from_slice(&buffer[..count]);
        }
        read
    }

    #[tokio::test]
    async fn every_byte_is_read_whatever_room_there_is() {
        for size in [1, 2, 7, 64, 1024] {
            let (mut board, mut line) = pair();
            let sent: Vec<u8> = (0..40_000_usize).map(|place| u8::try_from(place % 251).unwrap()).collect();
            let bytes = sent.clone();
            let writing = thread::spawn(move || {
                // Lengths that fill the buffer now and then, exactly and by more.
                let mut rest = &bytes[..];
                for length in [1, 3, 64, 8, 63, 65, 1024, 5, 1023, 1025, 4000].into_iter().cycle() {
                    let (piece, others) = rest.split_at(rest.len().min(length));
                    board.write_all(piece).unwrap();
                    rest = others;
                    if rest.is_empty() {
                        return board;
                    }
                }
                board
            });
            let mut read = vec![0; sent.len()];
            let mut buffer = vec![0; size];
            let mut place = 0;
            while place < sent.len() {
                let count = timeout(Duration::from_mins(2), line.read(&mut buffer)).await.unwrap().unwrap();
                read[place..place + count].copy_from_slice(&buffer[..count]);
                place += count;
            }
            assert!(read == sent, "with room for {size} bytes");
            drop(writing.join().unwrap());
            let rest = timeout(Duration::from_mins(2), all_of(&mut line, size)).await;
            assert!(rest.unwrap().is_empty(), "then the line ends");
        }
    }

    #[tokio::test]
    async fn a_line_that_was_emptied_is_not_asked_again() {
        let (mut board, mut line) = pair();
        board.write_all(b"\x8e").unwrap();
        let mut buffer = [0; 16];
        assert_eq!(line.read(&mut buffer).await.unwrap(), 1);
        // Readiness that is left would be told at once.
        let waker = std::task::Waker::noop();
        assert!(line.0.poll_read_ready(&mut Context::from_waker(waker)).is_pending());
    }
}
