//! The rounds of the event: how far each is, its games, the list of its results, and what an arbiter says of them.

mod downloads;
mod late;
mod request;
mod summary;
mod upload;

use std::sync::Arc;

use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) use self::{
    downloads::{csv, trf},
    request::{OfTable, RoundRequest},
    summary::{line, present},
    upload::upload,
};
use self::{
    request::Chief,
    summary::{Details, Summary},
};
use super::{App, error, error::ApiError, query::Path};
use crate::{
    rounds::{Entered, Place, Table},
    view::BoardView,
};
use jadoube_core::{
    order::Order,
    printable::is_seen,
    score::{KNOWN, Score},
};
use jadoube_runtime::clock::SystemClock;

/// `GET /api/rounds`.
pub(super) async fn list(State(app): State<App>) -> Response {
    app.daemon().rounds().read(|book| {
        let rounds: Vec<Summary<'_>> = book.rounds().values().map(|round| Summary::of(book, round)).collect();
        error::json(&rounds)
    })
}

/// `GET /api/rounds/N`.
pub(super) async fn one(State(app): State<App>, Path(number): Path<u32>) -> Result<Response, ApiError> {
    let (_, boards) = app.daemon().view().read();
    app.daemon().rounds().read(|book| {
        let round = book.round(number).ok_or_else(|| unknown(number))?;
        Ok(error::json(&Details::of(book, round, &boards)))
    })
}

fn unknown(number: u32) -> ApiError {
    ApiError::not_found(format!("there is no round {number}; read its pairings first"))
}

fn conflict(reason: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, reason)
}

/// `POST /api/rounds/N/start`: for the chief.
pub(super) async fn start(
    State(app): State<App>,
    Path(number): Path<u32>,
    chief: Chief,
) -> Result<Response, ApiError> {
    let rounds = app.daemon().rounds();
    let is_current = rounds.read(|book| {
        book.round(number).ok_or_else(|| unknown(number))?;
        Ok::<_, ApiError>(book.current().is_some_and(|current| current.number == number))
    })?;
    if !is_current {
        return Err(conflict(format!("the pairings are not those of round {number}")));
    }
    let by = chief.0.by();
    let starting = async {
        if !rounds.start(number, &by, SystemClock::start().started()) {
            return Err(conflict(format!("round {number} has begun")));
        }
        report_boards(&app, &by).await;
        Ok(())
    };
    let order = json!({ "order": "round-started", "round": number });
    chief.0.carry_out(&app, order, (None, String::new()), starting).await
}

/// Informs boards that wait at the start position that the default time counts from now on.
async fn report_boards(app: &App, by: &str) {
    let (_, boards) = app.daemon().view().read();
    let waits = |board: &&BoardView| {
        let game = board.game.as_ref();
        board.up && game.is_some_and(|game| game.moves.is_empty() && game.result.is_none())
    };
    for board in boards.values().map(AsRef::as_ref).filter(waits) {
        let game = board.game.as_ref().map_or(0, |game| game.number);
        let order = Order::InGame { game, order: Box::new(Order::RoundStarted) };
        if let Err(error) = app.daemon().order(&board.name, order, by).await {
            tracing::debug!(%error, board = %board.name, "the beginning of the round was refused");
        }
    }
}

/// `POST /api/rounds/N/finish`: for the chief.
pub(super) async fn finish(
    State(app): State<App>,
    Path(number): Path<u32>,
    chief: Chief,
) -> Result<Response, ApiError> {
    let order = json!({ "order": "round-finished", "round": number });
    let finishing = async {
        let finished = app.daemon().rounds().finish(number, SystemClock::start().started());
        finished.map_err(ApiError::not_found)
    };
    chief.0.carry_out(&app, order, (None, String::new()), finishing).await
}

/// What is said of the result of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableResult {
    table: u64,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    checked: Option<bool>,
    #[serde(default)]
    confirm: bool,
}

/// `POST /api/rounds/N/results`.
pub(super) async fn result(
    State(app): State<App>,
    Path(number): Path<u32>,
    RoundRequest { asker, wanted: reported, .. }: RoundRequest<TableResult>,
) -> Result<Response, ApiError> {
    let rounds = app.daemon().rounds();
    let TableResult { table, result, reason, checked, confirm } = reported;
    let reason = reason.map(|reason| reason.chars().filter(|sign| is_seen(*sign)).collect::<String>());
    let known = rounds.read(|book| {
        let round = book.round(number).ok_or_else(|| unknown(number))?;
        let known = round.tables.get(&table).cloned();
        known.ok_or_else(|| ApiError::not_found(format!("there is no table {table} in round {number}")))
    })?;
    let before = known.standing().score;
    let score = match result.as_deref() {
        Some("*") => Some(None),
        Some(text) => Some(Some(Score::parse(text).ok_or_else(|| {
            let reason = format!("{text} is no result; there are {KNOWN}");
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
        })?)),
        None if confirm => {
            Some(Some(before.ok_or_else(|| conflict(format!("table {table} has no result to confirm")))?))
        }
        None => None,
    };
    if score.is_none() && checked.is_none() {
        let reason = "say what there is to change: result, checked or confirm";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
    }
    let order = json!({
        "order": "result", "round": number, "table": table, "result": result, "reason": reason,
        "checked": checked, "confirm": confirm,
    });
    let by = asker.by();
    let entering = async {
        if let Some(score) = score {
            let (by, at) = (by.clone(), SystemClock::start().started());
            // Without an entry what the board has reported counts again.
            let entered = score.map(|score| Entered { score: Some(score), by, at, reason });
            rounds.enter(number, table, entered).map_err(ApiError::not_found)?;
        }
        if let Some(checked) = checked {
            rounds.check(number, table, checked).map_err(ApiError::not_found)?;
        }
        if let Some(score) = score {
            report_board(&app, &known, score, &by).await;
        }
        Ok(())
    };
    asker.carry_out(&app, order, (Some(table), known.serial.clone()), entering).await?;
    let after = rounds.read(|book| book.round(number)?.tables.get(&table)?.standing().score);
    let text = |score: Option<Score>| score.map(Score::text);
    Ok(error::json(&json!({ "done": true, "table": table, "result": text(after), "before": text(before) })))
}

/// Informs the board of a game that is on it still: it is over there, too.
async fn report_board(app: &App, table: &Table, score: Option<Score>, by: &str) {
    let Some(game) = &table.game else { return };
    let (_, boards) = app.daemon().view().read();
    let present = boards.get(game.board.as_str()).and_then(|board| board.game.as_ref());
    let Some(present) = present.filter(|present| present.number == game.number) else { return };
    let result = score.map_or("*", Score::text).to_owned();
    if present.result.unwrap_or("*") == result {
        return;
    }
    let order = Order::InGame { game: game.number, order: Box::new(Order::Result { result }) };
    if let Err(error) = app.daemon().order(&game.board, order, by).await {
        tracing::info!(%error, board = game.board, "the board does not take the result, which counts in the round");
    }
}

/// Which game is that of a table.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pairing {
    table: u64,
    board: String,
    game: u32,
    #[serde(default)]
    unpaired: bool,
}

/// `POST /api/rounds/N/games`.
pub(super) async fn pair(
    State(app): State<App>,
    Path(number): Path<u32>,
    RoundRequest { identity, asker, wanted: reported }: RoundRequest<Pairing>,
) -> Result<Response, ApiError> {
    let Pairing { table, ref board, game, unpaired } = reported;
    let rounds = app.daemon().rounds();
    let place = rounds.read(|book| book.place(board, game));
    // The table that has the game loses it.
    if let Some(Place::Table(_, other)) = place {
        identity.check_table(&app, None, u32::try_from(other).ok())?;
    }
    let order = json!({ "order": "round-game", "round": number, "of": &reported });
    let about = (Some(table), reported.board.clone());
    let pairing = async {
        if unpaired {
            if place != Some(Place::Table(number, table)) {
                return Err(conflict(format!(
                    "game {game} of board {board} is not that of table {table} in round {number}"
                )));
            }
            return rounds.unpair(number, table).map_err(ApiError::not_found);
        }
        let seen = app.daemon().view().board(board);
        let seen = seen.ok_or_else(|| ApiError::not_found(format!("there is no board {board}")))?;
        identity.check_board(&app, &seen)?;
        let present = seen.game.as_ref().filter(|present| present.number == game).cloned();
        let (found, has_left) = match present {
            Some(present) => (present, false),
            None => (late::find(&app, board, game).await?, true),
        };
        rounds.pair(number, table, &seen.name, &Arc::new(found), has_left).map_err(ApiError::not_found)
    };
    asker.carry_out(&app, order, about, pairing).await
}

/// A table whose names are to be those of the pairings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Renamed {
    table: u64,
}

/// `POST /api/rounds/N/names`.
pub(super) async fn names(
    State(app): State<App>,
    Path(number): Path<u32>,
    RoundRequest { asker, wanted: Renamed { table }, .. }: RoundRequest<Renamed>,
) -> Result<Response, ApiError> {
    let order = json!({ "order": "round-names", "round": number, "table": table });
    let naming = async { app.daemon().rounds().rename(number, table).map_err(ApiError::not_found) };
    asker.carry_out(&app, order, (Some(table), String::new()), naming).await
}

impl OfTable for TableResult {
    fn table(&self) -> Option<u64> {
        Some(self.table)
    }
}

impl OfTable for Pairing {
    fn table(&self) -> Option<u64> {
        Some(self.table)
    }
}

impl OfTable for Renamed {
    fn table(&self) -> Option<u64> {
        Some(self.table)
    }
}
