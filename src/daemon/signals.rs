//! Owns the signals that the daemon listens to.

use std::io;

use tokio::{
    select,
    signal::unix::{Signal, SignalKind, signal},
};

/// The signals that the daemon listens to.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let the process listen.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> SignalRequest {
        select! {
            Some(()) = self.terminate.recv() => SignalRequest::End,
            Some(()) = self.interrupt.recv() => SignalRequest::End,
            Some(()) = self.hang_up.recv() => SignalRequest::Reload,
            else => std::future::pending().await,
        }
    }
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum SignalRequest {
    /// To read the configuration anew.
    Reload,
    /// To end.
    End,
}
