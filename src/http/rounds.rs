//! The rounds of the event: how far each is, its games, the list of its results, and what an arbiter says of them.

mod downloads;
mod told;
mod upload;

use std::net::IpAddr;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use self::told::{Details, Summary};
pub(super) use self::{
    downloads::{csv, trf},
    told::{line, present},
    upload::upload,
};
use super::{
    App, body,
    body::receive_json,
    error,
    error::ApiError,
    identity::{Identity, sent_name},
    query::Path,
    serve::Peer,
};
use crate::{
    audit,
    rounds::{Entered, Place, Rounds, Table},
    view::BoardView,
};
use jadoube_core::{
    order::Order,
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

/// Refuses what is for a table of others.
pub(super) fn check_table(app: &App, identity: &Identity, table: u64) -> Result<(), ApiError> {
    identity.check_table(app, None, u32::try_from(table).ok())
}

/// Who asks for something, as the list of orders names them.
pub(super) struct Asker {
    name: Option<String>,
    /// Whether the name is that of no account.
    is_claimed: bool,
    address: IpAddr,
}

impl Asker {
    pub(super) fn of(identity: &Identity, headers: &HeaderMap, address: IpAddr) -> Self {
        let own = identity.name().map(str::to_owned);
        let is_claimed = own.is_none();
        Self { name: own.or_else(|| sent_name(headers)), is_claimed, address }
    }

    fn by(&self) -> String {
        self.name.clone().unwrap_or_else(|| "arbiter".to_owned())
    }

    /// Writes an order about a round down.
    pub(super) async fn record(self, app: &App, order: Value, table: Option<u64>, board: String) {
        let now = SystemClock::start().started();
        let record = audit::OrderRecord {
            at: now,
            given: now,
            claimed: self.is_claimed && self.name.is_some(),
            arbiter: self.name,
            address: Some(self.address),
            board,
            order,
            id: None,
            refused: None,
            about: audit::About {
                table: table.and_then(|table| u32::try_from(table).ok()),
                ..audit::About::default()
            },
        };
        app.daemon().audit().note(app.config().log_dir.clone(), record).await;
    }
}

/// Has what was changed written to the disk before the answer goes out.
pub(super) async fn save(rounds: &Rounds) -> Result<(), ApiError> {
    let rounds = rounds.clone();
    match spawn_blocking(move || rounds.save()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            tracing::error!(%error, "the rounds cannot be written, see state_dir; tried again");
            Ok(())
        }
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the rounds cannot be written")),
    }
}

/// `POST /api/rounds/N/start`: for the chief.
pub(super) async fn start(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(number): Path<u32>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::chief(&app, client, &headers).await?;
    identity.count_order(&app)?;
    let rounds = app.daemon().rounds().clone();
    let asker = Asker::of(&identity, &headers, client);
    let is_current = rounds.read(|book| {
        book.round(number).ok_or_else(|| unknown(number))?;
        Ok::<_, ApiError>(book.current().is_some_and(|current| current.number == number))
    })?;
    if !is_current {
        return Err(conflict(format!("the pairings are not those of round {number}")));
    }
    if !rounds.start(number, &asker.by(), SystemClock::start().started()) {
        return Err(conflict(format!("round {number} has begun")));
    }
    // Boards that wait at the start position count the default time from now on.
    let (_, boards) = app.daemon().view().read();
    let waits = |board: &&BoardView| {
        let game = board.game.as_ref();
        board.up && game.is_some_and(|game| game.moves.is_empty() && game.result.is_none())
    };
    for board in boards.values().map(AsRef::as_ref).filter(waits) {
        let game = board.game.as_ref().map_or(0, |game| game.number);
        let order = Order::InGame { game, order: Box::new(Order::RoundStarted) };
        if let Err(error) = app.daemon().order(&board.name, order, &asker.by()).await {
            tracing::debug!(%error, board = %board.name, "the beginning of the round was refused");
        }
    }
    save(&rounds).await?;
    asker.record(&app, json!({ "order": "round-started", "round": number }), None, String::new()).await;
    Ok(error::json(&json!({ "done": true })))
}

/// `POST /api/rounds/N/finish`: for the chief.
pub(super) async fn finish(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(number): Path<u32>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::chief(&app, client, &headers).await?;
    identity.count_order(&app)?;
    let rounds = app.daemon().rounds().clone();
    rounds.finish(number, SystemClock::start().started()).map_err(ApiError::not_found)?;
    save(&rounds).await?;
    let asker = Asker::of(&identity, &headers, client);
    asker.record(&app, json!({ "order": "round-finished", "round": number }), None, String::new()).await;
    Ok(error::json(&json!({ "done": true })))
}

/// What is said of the result of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableResult {
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
    Extension(Peer(client)): Extension<Peer>,
    Path(number): Path<u32>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let wanted: TableResult = receive_json(body).await?;
    check_table(&app, &identity, wanted.table)?;
    let (rounds, asker) = (app.daemon().rounds().clone(), Asker::of(&identity, &headers, client));
    let TableResult { table, ref reason, checked, confirm, .. } = wanted;
    let known = rounds.read(|book| {
        let round = book.round(number).ok_or_else(|| unknown(number))?;
        let known = round.tables.get(&table).cloned();
        known.ok_or_else(|| ApiError::not_found(format!("there is no table {table} in round {number}")))
    })?;
    let before = known.standing().score;
    let score = match wanted.result.as_deref() {
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
    let refused = |reason: String| ApiError::not_found(reason);
    if let Some(score) = score {
        let (by, at, reason) = (asker.by(), SystemClock::start().started(), reason.clone());
        // Without an entry what the board has told counts again.
        let entered = score.map(|score| Entered { score: Some(score), by, at, reason });
        rounds.enter(number, table, entered).map_err(refused)?;
        tell_board(&app, &known, score, &asker.by()).await;
    }
    if let Some(checked) = checked {
        rounds.check(number, table, checked).map_err(refused)?;
    }
    save(&rounds).await?;
    let after = rounds.read(|book| book.round(number)?.tables.get(&table)?.standing().score);
    let order = json!({
        "order": "result", "round": number, "table": table, "result": wanted.result, "reason": reason,
        "checked": checked, "confirm": confirm,
    });
    asker.record(&app, order, Some(table), known.serial.clone()).await;
    let text = |score: Option<Score>| score.map(Score::text);
    Ok(error::json(&json!({ "done": true, "table": table, "result": text(after), "before": text(before) })))
}

/// Tells the board of a game that is on it still: it is over there, too.
async fn tell_board(app: &App, table: &Table, score: Option<Score>, by: &str) {
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairing {
    table: u64,
    board: String,
    game: u32,
    #[serde(default)]
    unpaired: bool,
}

/// `POST /api/rounds/N/games`.
pub(super) async fn pair(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(number): Path<u32>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let bytes = body::receive(body).await?;
    let unprocessable =
        |error: serde_json::Error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
    let Pairing { table, board, game, unpaired } = serde_json::from_slice(&bytes).map_err(unprocessable)?;
    let order: Value = serde_json::from_slice(&bytes).map_err(unprocessable)?;
    let rounds = app.daemon().rounds().clone();
    check_table(&app, &identity, table)?;
    let place = rounds.read(|book| book.place(&board, game));
    // The table that has the game loses it.
    if let Some(Place::Table(_, other)) = place {
        check_table(&app, &identity, other)?;
    }
    if unpaired {
        if place != Some(Place::Table(number, table)) {
            return Err(conflict(format!(
                "game {game} of board {board} is not that of table {table} in round {number}"
            )));
        }
        rounds.unpair(number, table).map_err(ApiError::not_found)?;
    } else {
        let seen = app.daemon().view().board(&board);
        let seen = seen.ok_or_else(|| ApiError::not_found(format!("there is no board {board}")))?;
        let present = seen.game.as_ref().filter(|present| present.number == game);
        let present =
            present.ok_or_else(|| conflict(format!("game {game} is not on board {board} any more")))?;
        rounds.pair(number, table, &seen, present).map_err(ApiError::not_found)?;
    }
    save(&rounds).await?;
    let asker = Asker::of(&identity, &headers, client);
    let order = json!({ "order": "round-game", "round": number, "of": order });
    asker.record(&app, order, Some(table), board).await;
    Ok(error::json(&json!({ "done": true })))
}

/// A table whose names are to be those of the pairings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Renamed {
    table: u64,
}

/// `POST /api/rounds/N/names`.
pub(super) async fn names(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(number): Path<u32>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let Renamed { table } = receive_json(body).await?;
    check_table(&app, &identity, table)?;
    let rounds = app.daemon().rounds().clone();
    rounds.rename(number, table).map_err(ApiError::not_found)?;
    save(&rounds).await?;
    let asker = Asker::of(&identity, &headers, client);
    let order = json!({ "order": "round-names", "round": number, "table": table });
    asker.record(&app, order, Some(table), String::new()).await;
    Ok(error::json(&json!({ "done": true })))
}
