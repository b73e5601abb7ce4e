//! Finds out which board is on the port, and whether another port has its game.

use std::{path::PathBuf, time::Duration};

use tokio::{sync::oneshot, time::timeout};
use tracing::{debug, error, info};

use super::{PortTask, REPORT_LIMIT};
use crate::{
    port::{
        Claimed, Report, beginning,
        session::{Identified, Session},
    },
    sinks::DeliveredTail,
};
use jadoube_core::time::Timestamp;

/// How often one link may change its session before it is left as it is.
const MOST_SWITCHES: u32 = 3;

/// How often a port asks whether its board is still on another port.
const RIVAL_RETRY: Duration = Duration::from_secs(2);

/// A board on this port whose game another port has.
#[derive(Debug)]
pub(super) struct Rival {
    serial: String,
    /// When to ask again.
    ask_at: Timestamp,
}

impl PortTask {
    /// Makes sure that the board that answers plays its own game.
    pub(super) async fn identify(&mut self, identified: Identified) {
        let (serial, capture) = match &identified {
            Identified::Own(serial) => (serial, Some(self.session.path())),
            Identified::Other(serial) => (serial, None),
        };
        let claimed = self.claim(serial, capture).await;
        debug!(?identified, ?claimed, "board identified");
        if let Claimed::Taken(other) = &claimed {
            let serial = serial.clone();
            return self.wait_for_rival(serial, other).await;
        }
        let adopted = match (identified, claimed) {
            (Identified::Own(_), Claimed::Yours | Claimed::Taken(_)) => return,
            (_, Claimed::Adopt(path)) => Some(path),
            (Identified::Other(_), Claimed::Yours | Claimed::Taken(_)) => None,
        };
        self.switches += 1;
        if self.switches > MOST_SWITCHES {
            error!("the board on this port keeps changing its serial number");
            return;
        }
        self.session.cut_foreign();
        self.publish().await;
        self.begin_session(adopted).await;
    }

    /// Asks the supervisor who has a board's game.
    async fn claim(&mut self, serial: &str, capture: Option<PathBuf>) -> Claimed {
        let (reply, answer) = oneshot::channel();
        self.report(Report::Claim { serial: serial.to_owned(), capture, reply }).await;
        let claimed = timeout(REPORT_LIMIT, answer).await;
        claimed.ok().and_then(Result::ok).unwrap_or(Claimed::Yours)
    }

    /// Leaves a board alone that is connected to another port with its game: this port waits until that one is gone.
    async fn wait_for_rival(&mut self, serial: String, other: &str) {
        let port = &self.context.port;
        let reason = format!("board {serial} is on {other} and on {port}; {port} waits until it is alone");
        error!(board = %serial, other, "two boards with this serial number are connected; this one has to wait");
        self.session.cut_rival(&serial);
        self.publish().await;
        self.session = Session::new(self.context.config.borrow().clone(), self.context.port.clone());
        self.rival = Some(Rival { serial, ask_at: self.clock.now() + RIVAL_RETRY });
        self.report(Report::Rival(Some(reason))).await;
    }

    /// Asks again, from time to time, whether the board is still on another port, and begins if it is not.
    pub(super) async fn ask_for_rival(&mut self) {
        let Some(rival) = self.rival.as_mut().filter(|rival| rival.ask_at <= self.clock.now()) else {
            return;
        };
        rival.ask_at = self.clock.now() + RIVAL_RETRY;
        let serial = rival.serial.clone();
        let adopted = match self.claim(&serial, None).await {
            Claimed::Taken(_) => return,
            Claimed::Adopt(path) => Some(path),
            Claimed::Yours => None,
        };
        info!(board = %serial, "the board is on no other port any more");
        self.end_rivalry().await;
        self.begin_session(adopted).await;
    }

    pub(super) async fn end_rivalry(&mut self) {
        if self.rival.take().is_some() {
            self.report(Report::Rival(None)).await;
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
            None => Session::new(config, self.context.port.clone()),
        };
        self.session.link_up(&self.context.port, self.session.now());
    }
}
