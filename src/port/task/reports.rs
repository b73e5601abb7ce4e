//! Reports to the supervisor what becomes of a port: where its game is recorded, and whether the disk takes it.

use std::{path::PathBuf, time::Duration};

use tokio::time::timeout;
use tracing::debug;

use super::PortTask;
use crate::port::PortReport;

/// How long a port waits for the supervisor.
pub(super) const REPORT_LIMIT: Duration = Duration::from_secs(1);

impl PortTask {
    /// Reports to the supervisor where the game of the board is recorded, if that has changed.
    pub(super) async fn report_capture(&mut self) {
        let Some((serial, capture)) = self.session.held() else { return };
        // Asked with each read: nothing is copied, and no name taken apart, where nothing has changed.
        let is_known =
            |known: &(String, PathBuf)| known.0 == serial && known.1.as_os_str() == capture.as_os_str();
        if !self.held.as_ref().is_some_and(is_known) {
            let (serial, capture) = (serial.to_owned(), capture.to_owned());
            self.held = Some((serial.clone(), capture.clone()));
            self.report(PortReport::Holds { serial, capture, last: self.session.last_utc() }).await;
        }
    }

    /// Reports to the supervisor that the disk takes nothing, or does again.
    pub(super) async fn report_disk(&mut self) {
        if self.session.disk_failed() != self.disk_failed {
            self.disk_failed = !self.disk_failed;
            let failure = self.session.disk_failure();
            self.report(PortReport::Disk(failure)).await;
        }
    }

    /// Sends the supervisor a report.
    pub(super) async fn report(&mut self, report: PortReport) {
        let sent =
            timeout(REPORT_LIMIT, self.context.reports.send((self.context.port.clone(), report))).await;
        if !sent.is_ok_and(|sent| sent.is_ok()) {
            debug!("the supervisor does not take reports any more");
        }
    }
}
