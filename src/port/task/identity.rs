//! Finds out which board is on the port, and whether another port has its game.

use std::{path::PathBuf, time::Duration};

use tokio::{sync::oneshot, time::timeout};
use tracing::{debug, error, info};

use super::{PortTask, numbers::MOST, reports::REPORT_LIMIT};
use crate::{
    port::{
        Claimed, PortFault, PortReport, beginning,
        session::{Identified, PortSession},
    },
    sinks::DeliveredTail,
};
use jadoube_core::time::Timestamp;

/// How long a board that keeps reporting other numbers is left alone before it is asked again.
const NUMBERS_RETRY: Duration = Duration::from_mins(1);

/// How often a port asks whether its board is still on another port.
const RIVAL_RETRY: Duration = Duration::from_secs(1);

/// A board on this port of which nothing is taken.
#[derive(Debug)]
pub(super) struct RefusedBoard {
    /// The board whose game another port has; otherwise this one keeps reporting other numbers.
    rival: Option<String>,
    /// When to ask again.
    ask_at: Timestamp,
}

impl PortTask {
    /// Makes sure that the board that answers plays its own game.
    pub(super) async fn identify(&mut self, identified: Identified) {
        if !self.numbers.admit(identified.serial(), self.clock.now()) {
            return self.refuse_number(&identified).await;
        }
        self.end_fault(PortFault::Numbers).await;
        self.numbers.refused = 0;
        let (serial, capture) = match &identified {
            Identified::Own(serial) => (serial, Some(self.session.path())),
            Identified::Other(serial) => (serial, None),
        };
        let claimed = self.claim(serial, capture).await;
        debug!(?identified, ?claimed, "board identified");
        let adopted = match claimed {
            Claimed::Taken(other) => {
                self.wait_for_rival(serial.clone()).await;
                return self.name_rival(serial, &other).await;
            }
            Claimed::Expected(other) => {
                info!(board = %serial, %other, "the board may still be where it was before the restart; this one waits a moment");
                return self.wait_for_rival(serial.clone()).await;
            }
            Claimed::Adopt(path) => Some(path),
            Claimed::Yours if matches!(identified, Identified::Own(_)) => return,
            Claimed::Yours => None,
        };
        self.session.cut_foreign();
        self.publish().await;
        self.begin_session(adopted).await;
    }

    /// Leaves a board alone that keeps reporting other numbers; one of them may be true, so it is asked again.
    async fn refuse_number(&mut self, identified: &Identified) {
        let port = &self.context.port;
        let reason = format!(
            "{port} has reported more than {MOST} other serial numbers within an hour; nothing is taken of it until it reports \
             the last one again, or the hour is over: look at the board and its cable"
        );
        match self.numbers.refused {
            1 => error!(number = identified.serial(), "{reason}"),
            refused => debug!(number = identified.serial(), refused, "one more serial number"),
        }
        match identified {
            Identified::Own(serial) => self.session.cut_rival(serial),
            Identified::Other(_) => self.session.cut_foreign(),
        }
        self.publish().await;
        self.session = PortSession::new(self.context.config.borrow().clone(), self.context.port.clone());
        self.refused = Some(RefusedBoard { rival: None, ask_at: self.clock.now() + NUMBERS_RETRY });
        self.begin_fault(PortFault::Numbers, reason).await;
    }

    /// Asks the supervisor who has a board's game.
    async fn claim(&mut self, serial: &str, capture: Option<PathBuf>) -> Claimed {
        let (reply, answer) = oneshot::channel();
        self.report(PortReport::Claim { serial: serial.to_owned(), capture, reply }).await;
        let claimed = timeout(REPORT_LIMIT, answer).await;
        claimed.ok().and_then(Result::ok).unwrap_or(Claimed::Yours)
    }

    /// Leaves a board alone whose game another port has: this port waits until that one is gone.
    async fn wait_for_rival(&mut self, serial: String) {
        self.session.cut_rival(&serial);
        self.publish().await;
        self.session = PortSession::new(self.context.config.borrow().clone(), self.context.port.clone());
        self.refused = Some(RefusedBoard { rival: Some(serial), ask_at: self.clock.now() + RIVAL_RETRY });
    }

    /// Names two boards with one number, once.
    async fn name_rival(&mut self, serial: &str, other: &str) {
        if !self.faults.contains(&PortFault::Duplicate) {
            error!(board = %serial, other, "two boards with this serial number are connected; this one has to wait");
        }
        let port = &self.context.port;
        let reason = format!("board {serial} is on {other} and on {port}; {port} waits until it is alone");
        self.begin_fault(PortFault::Duplicate, reason).await;
    }

    /// Asks again, from time to time, whether the board is still on another port, or reports its true number, and begins.
    pub(super) async fn ask_again(&mut self) {
        let is_calm = !self.flood.is_on();
        let due = |refused: &&mut RefusedBoard| is_calm && refused.ask_at <= self.clock.now();
        let Some(refused) = self.refused.as_mut().filter(due) else { return };
        refused.ask_at = self.clock.now() + RIVAL_RETRY;
        let adopted = match refused.rival.clone() {
            None => None,
            Some(serial) => match self.claim(&serial, None).await {
                Claimed::Taken(other) => return self.name_rival(&serial, &other).await,
                Claimed::Expected(_) => return,
                Claimed::Adopt(path) => Some(path),
                Claimed::Yours => None,
            },
        };
        self.end_wait().await;
        self.begin_session(adopted).await;
    }

    /// Listens to the board again.
    pub(super) async fn end_wait(&mut self) {
        if self.refused.take().is_some_and(|board| board.rival.is_some()) {
            info!("the board is on no other port");
            self.end_fault(PortFault::Duplicate).await;
        }
    }

    /// Reports that nothing is taken of what the board says.
    pub(super) async fn begin_fault(&mut self, fault: PortFault, reason: String) {
        if self.faults.insert(fault) {
            self.report(PortReport::Fault(fault, Some(reason))).await;
        }
    }

    /// Reports that it is again.
    pub(super) async fn end_fault(&mut self, fault: PortFault) {
        if self.faults.remove(&fault) {
            self.report(PortReport::Fault(fault, None)).await;
        }
    }

    /// Goes on with a game of another port, or with nothing, on a link that is up.
    async fn begin_session(&mut self, adopted: Option<PathBuf>) {
        let config = self.context.config.borrow().clone();
        DeliveredTail::begin_anew(&self.context.delivered, self.clock.utc(self.clock.now()));
        self.session = match adopted {
            Some(path) => {
                let event_index = self.context.event_index.clone();
                beginning::adopt(config, self.context.port.clone(), path, event_index).await
            }
            None => PortSession::new(config, self.context.port.clone()),
        };
        self.session.link_up(&self.context.port, self.session.now());
    }
}
