//! Leaves a line alone that says more than a board can.

use tokio::time::sleep;
use tracing::{error, info};

use super::PortTask;
use crate::port::{
    PortFault, PortReport,
    flood::{PAUSE, Rate},
};
use jadoube_core::{event::LinkState, time::Timestamp};

/// Why the link is down meanwhile, as captures have it.
const REASON: &str = "more bytes than a board can send";

impl PortTask {
    /// Notes that so many bytes have been read by now; says whether they are to be listened to.
    pub(super) async fn is_heard(&mut self, count: usize, now: Timestamp) -> bool {
        match self.flood.take(count, now) {
            Rate::Normal => true,
            Rate::TooMuch => {
                let port = &self.context.port;
                let reason = format!(
                    "{port} sends more than ten times what a board can; nothing is taken of it until it is calm: look at \
                     what is connected there"
                );
                error!("{reason}");
                if self.refused.is_none() {
                    self.session.link_down(REASON, self.session.now());
                }
                if std::mem::take(&mut self.answering) {
                    self.report(PortReport::Link(LinkState::Down)).await;
                }
                self.begin_fault(PortFault::Flood, reason).await;
                false
            }
            Rate::Dropped => {
                if count > 0 && self.flood.is_left_alone() {
                    sleep(PAUSE).await;
                }
                false
            }
            Rate::Calm(dropped) => {
                info!(dropped, "the line is back at its normal rate");
                self.end_fault(PortFault::Flood).await;
                if self.dialer.is_up() && self.refused.is_none() {
                    self.session.link_up(&self.context.port, self.session.now());
                }
                false
            }
        }
    }
}
