//! Which board is on the port, as its own number says.

use std::time::Duration;

use super::PortSession;
use crate::view::early_name;
use jadoube_core::{order::OrderError, settings::same_serial, time::Timestamp};

/// How often a board that reports other numbers is asked again.
const ASK: Duration = Duration::from_secs(1);

/// Which board has answered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Identified {
    /// The one that the session is about, or the first one.
    Own(String),
    /// Another one: the session must not go on with it.
    Other(String),
}

impl Identified {
    /// Returns its number.
    pub(crate) fn serial(&self) -> &str {
        let (Self::Own(serial) | Self::Other(serial)) = self;
        serial
    }
}

/// What is known of who is on the port.
#[derive(Debug, Default)]
pub(super) struct PortIdentity {
    /// The number of the board that the session is about.
    pub(super) serial: Option<String>,
    /// Which board has answered, until somebody asks.
    pub(super) answered: Option<Identified>,
    /// Another number than the board's, reported once.
    pub(super) doubted: Option<String>,
    /// When the board may be asked for its number again.
    ask_at: Timestamp,
    /// Length of the capture before the link came up, until the board has reported who it is.
    pub(super) before_link: Option<u64>,
    /// The same, once it has.
    pub(super) before_own_link: Option<u64>,
}

impl PortIdentity {
    /// Handles a number that a board has sent; says whether it has to be asked for again.
    pub(super) fn note(&mut self, serial: String, now: Timestamp) -> bool {
        if self.serial.as_ref().is_some_and(|own| *own != serial) {
            // A damaged answer is no other board: it has to say so twice.
            let again = self.doubted.replace(serial.clone()).is_none_or(|reported| reported != serial);
            if !again {
                self.answered = Some(Identified::Other(serial));
                return false;
            }
            let asks = self.ask_at <= now;
            if asks {
                self.ask_at = now + ASK;
            }
            return asks;
        }
        self.doubted = None;
        if matches!(self.answered, Some(Identified::Other(_))) {
            return false;
        }
        let before_link = self.before_link.take();
        if before_link.is_some() || self.serial.is_none() {
            self.before_own_link = before_link;
            self.answered = Some(Identified::Own(serial.clone()));
        }
        self.serial = Some(serial);
        false
    }
}

impl PortSession {
    /// Checks that an order is for the board on the port: that of one which was on it before must not change the game of the next.
    ///
    /// # Errors
    ///
    /// Returns an error that names both.
    pub(super) fn check_addressee(&self, board: &str) -> Result<(), OrderError> {
        let boards = self.line.boards();
        // Of several boards the line finds the one.
        let [on_port] = boards.as_slice() else { return Ok(()) };
        if self.line.is_bus()
            || same_serial(on_port.id(), board)
            || [&*self.port, early_name(&self.port)].contains(&board)
        {
            return Ok(());
        }
        Err(OrderError::Refused(format!(
            "board {board} is not connected, and board {} is on {} now: plug {board} in, and try again",
            on_port.id(),
            self.port
        )))
    }
}
