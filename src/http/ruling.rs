//! Answers what an arbiter does about an alert, and how far it is.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    App, boards, error,
    error::ApiError,
    query::{Path, Query},
};

/// The alert in question.
#[derive(Debug, Deserialize)]
pub(super) struct AlertQuery {
    alert: String,
}

/// `GET /api/boards/SERIAL/steps?alert=ID`: what is to be done at board and clock, and what of it is still wrong.
pub(super) async fn steps(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<AlertQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let missing = || ApiError::not_found(format!("there is no alert {}", query.alert));
    let alert = board.alerts.get(&query.alert).ok_or_else(missing)?;
    Ok(error::json(&board.steps(alert)))
}
