//! Waits for what comes next of one kind; for ever if nothing of it can come.

use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;

use super::{DiskRead, Token};
use crate::{
    mqtt::{
        backlog::Found,
        link::{BrokerEvent, BrokerLink},
    },
    published::{EventReader, Published},
};

/// Waits for the next event; `None` if there will be no more. What was missed is in the log.
pub(super) async fn next_event(events: &mut Option<EventReader>) -> Option<Arc<Published>> {
    let Some(receiver) = events else { return std::future::pending().await };
    loop {
        match receiver.recv().await {
            Ok(event) => return Some(event),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

pub(super) async fn next_broker_event(link: &mut Option<BrokerLink<Token>>) -> BrokerEvent {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}

pub(super) async fn next_found(reading: &mut DiskRead) -> Found {
    match reading {
        DiskRead::Running(handle) => handle.await.unwrap_or_default(),
        DiskRead::Idle | DiskRead::Paused => std::future::pending().await,
    }
}
