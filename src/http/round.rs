//! Answers how ready each table is for the round.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    App, error,
    readiness::{Readiness, State as TableState, judge},
};
use jadoube_runtime::clock::SystemClock;

#[derive(Serialize)]
struct RoundReadiness {
    at: jiff::Timestamp,
    /// Tables at which nothing is to be done.
    ready: usize,
    tables: Vec<Readiness>,
}

/// `GET /api/round`.
pub(super) async fn round(State(app): State<App>) -> Response {
    let (_, boards) = app.daemon().view().read();
    let tables = judge(&app.config(), &boards);
    let is_ready = |table: &&Readiness| matches!(table.state, TableState::Ready | TableState::Playing);
    let ready = tables.iter().filter(is_ready).count();
    error::json(&RoundReadiness { at: SystemClock::start().started(), ready, tables })
}
