//! Talks to the service manager, if there is one.

use std::time::Duration;

use sd_notify::NotifyState;
use tracing::debug;

/// Says that the daemon works.
pub(super) fn ready() {
    send(&[NotifyState::Ready]);
}

/// Says what there is to see.
pub(super) fn status(text: &str) {
    send(&[NotifyState::Status(text)]);
}

/// Says that all tasks live.
pub(super) fn alive() {
    send(&[NotifyState::Watchdog]);
}

/// Says that the daemon is about to end.
pub(super) fn stopping() {
    send(&[NotifyState::Stopping]);
}

/// Returns how often the service manager wants to hear of the daemon.
pub(super) fn watchdog() -> Option<Duration> {
    sd_notify::watchdog_enabled()
}

fn send(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        debug!(%error, "the service manager does not listen");
    }
}
