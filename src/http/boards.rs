//! Answers what is known of boards, in full.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    App,
    error::{self, ApiError},
    hall::Seating,
    query::Path,
};
use crate::view::{BoardView, Counts, PieceOnSquare, Progress, counts, in_air};

/// `GET /api/boards`.
pub(super) async fn all(State(app): State<App>) -> Response {
    let (_, boards) = app.daemon().view().read();
    error::json(&boards.values().collect::<Vec<_>>())
}

/// `GET /api/boards/SERIAL`.
pub(super) async fn one(State(app): State<App>, Path(serial): Path<String>) -> Result<Response, ApiError> {
    let board = find(&app, &serial)?;
    let config = app.config();
    let full = Full {
        seat: Seating::of(&board, &config),
        pgn: board.game.as_ref().and_then(|game| game.ended.as_ref()).map(|ended| ended.pgn.as_str()),
        progress: board.game.as_ref().map(Progress::of),
        in_air: in_air(&board),
        counts: counts(&board),
        board: &board,
    };
    Ok(error::json(&full))
}

/// Finds a board by the name that it has, or by its serial number.
pub(super) fn find(app: &App, serial: &str) -> Result<Arc<BoardView>, ApiError> {
    app.daemon()
        .view()
        .board(serial)
        .ok_or_else(|| ApiError::not_found(format!("there is no board {serial}")))
}

#[derive(Serialize)]
struct Full<'a> {
    #[serde(flatten)]
    board: &'a BoardView,
    #[serde(flatten)]
    seat: Seating<'a>,
    pgn: Option<&'a str>,
    progress: Option<Progress>,
    in_air: Vec<PieceOnSquare>,
    counts: Counts,
}
