//! Owns the link to a broker: retained state, events in order, and orders if they are switched on.
//!
//! The broker is a projection of what is known here. It may be slow, away or hostile: boards do not notice.
//!
//! | on its way out | when the broker does not take it |
//! |---|---|
//! | state, alerts | the newest replaces what waits; all of it again on the next connection |
//! | events | kept in memory, then read from the event log, then from the captures; in order, from the last acknowledged |
//! | answers to orders | 256, then the newest are lost |
//!
//! At most `WINDOW` messages are under way. A connection on which nothing is acknowledged for `SILENT` is given up.

mod backlog;
mod captures;
mod commands;
mod journal;
mod link;
mod memory;
mod notes;
mod options;
mod order_pause;
mod outgoing_event;
mod retained;
mod session;
mod topics;

use std::time::Duration;

pub(crate) use self::{
    link::{BrokerEvent, BrokerLink},
    options::options,
    topics::Topics,
};
use crate::service::ServiceContext;

/// Messages under way at a time.
const WINDOW: u16 = 200;

/// How long a broker may acknowledge nothing.
const SILENT: Duration = Duration::from_secs(30);

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    session::BrokerSession::new(context).await.work().await;
}
