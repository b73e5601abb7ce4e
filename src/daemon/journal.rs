//! Writes alerts to the journal with fields of their own, so that `journalctl JADOUBE_CODE=illegal-move` finds them.
//!
//! | field | holds |
//! |---|---|
//! | `JADOUBE_BOARD` | serial number of the board |
//! | `JADOUBE_ALERT` | id of the alert, the same in every log |
//! | `JADOUBE_STATE` | `open`, `expired`, `confirmed`, …: an update of an alert has its id and its new state |
//! | `JADOUBE_CODE` | what it is about |
//! | `JADOUBE_ARTICLE` | article of the Laws; absent for equipment |
//! | `JADOUBE_SIDE` | whom it names |
//! | `JADOUBE_CONFIDENCE` | how sure the facts are |
//! | `MESSAGE_ID` | [`ALERT`] or [`UPDATE`] |
//!
//! Only where the program's messages go to the journal; elsewhere the log files say the same.

use tokio::{select, sync::broadcast::error::RecvError, time::interval};
use tracing::{info, warn};

use crate::service::ServiceContext;
use jadoube_core::{
    alert::{Alert, AlertUpdate, Confidence},
    event::EventKind,
};

/// `MESSAGE_ID` of an alert.
pub const ALERT: &str = "5f1d0e4c6a3b4b3f9d3a0c7e61b2a8d4";

/// `MESSAGE_ID` of a change in an alert's life.
pub const UPDATE: &str = "b7c92f60d1ee4e0a8a54f3c2e9170b65";

/// Works until it is asked to end.
pub(super) async fn run(context: ServiceContext) {
    let mut events = context.daemon.subscribe();
    let mut beats = interval(context.heartbeat.period());
    while !context.shutdown.is_cancelled() {
        let next = async {
            match &mut events {
                Some(events) => events.recv_alert().await,
                None => std::future::pending().await,
            }
        };
        select! {
            published = next => match published {
                Ok(published) => write(&published.event.board, &published.event.kind),
                Err(RecvError::Lagged(missed)) => warn!(missed, "too many events at once for the journal"),
                Err(RecvError::Closed) => events = None,
            },
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
    }
}

/// Writes what is an alert, or a change in one.
fn write(board: &str, kind: &EventKind) {
    if let EventKind::Alert(alert) = kind {
        write_alert(board, alert);
    } else if let EventKind::AlertUpdate(update) = kind {
        write_update(board, update);
    }
}

fn write_alert(board: &str, alert: &Alert) {
    let (code, side, state) = (alert.code.name(), alert.side.name(), alert.state.name());
    let confidence = alert.confidence.name();
    let article = (!alert.article.is_empty()).then_some(&*alert.article);
    // A field's name in capital letters is its name in the journal. The level has to be known to the compiler.
    macro_rules! say {
        ($level:ident) => {
            $level!(
                message_id = ALERT,
                jadoube_board = board,
                jadoube_alert = alert.id,
                jadoube_state = state,
                jadoube_code = code,
                jadoube_article = article,
                jadoube_side = side,
                jadoube_confidence = confidence,
                "board {board}: {}",
                alert.text
            )
        };
    }
    if alert.confidence == Confidence::Possible { say!(info) } else { say!(warn) }
}

fn write_update(board: &str, update: &AlertUpdate) {
    let state = update.state.name();
    info!(
        message_id = UPDATE,
        jadoube_board = board,
        jadoube_alert = update.id,
        jadoube_state = state,
        "board {board}: {} is {state}",
        update.id
    );
}

#[cfg(test)]
mod tests;
