//! Which board is which table: the list for the chief's page, the walk through the hall, and labels for the boards.
//!
//! The page asks for a table and hears which king is lifted in the stream of events; it says so here. Nothing is written while nobody
//! looks at the page: a king that is lifted in a game means nothing.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{
    App, arbiters,
    body::receive_json,
    error,
    error::ApiError,
    identity::Identity,
    serve::{IsEncrypted, Peer},
};
use crate::{
    accounts,
    config::Config,
    pairings::{self, Assignment, Taken, Walk, WalkError},
};
use jadoube_core::settings::same_serial;

/// Most tables that a walk may name.
const MOST: usize = 4096;

/// A table with its board.
#[derive(Serialize)]
struct Entry<'a> {
    table: u32,
    serial: &'a str,
    /// The name of its board, if it answers.
    board: Option<&'a str>,
}

/// `GET /api/tables`: for the chief.
pub(super) async fn list(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?;
    let config = seated(&app).await?;
    let (_, boards) = app.daemon().view().read();
    let tables = pairings::numbered(&config);
    let board_of = |serial: &str| {
        let is_it = |own: &str| same_serial(own, serial);
        let found = boards.values().find(|board| board.up && board.serial.as_deref().is_some_and(is_it));
        found.map(|board| board.name.as_ref())
    };
    let entries: Vec<Entry<'_>> = tables
        .iter()
        .map(|(table, serial)| Entry { table: *table, serial, board: board_of(serial) })
        .collect();
    let answering = boards.values().filter(|board| board.up).filter_map(|board| board.serial.as_deref());
    let problems = pairings::problems(&tables, answering);
    Ok(error::json(&json!({ "tables": entries, "problems": problems })))
}

/// A king that was lifted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lifted {
    /// The table that was asked for.
    table: u32,
    /// The board.
    board: String,
    /// The tables of this walk that have their boards, in the order in which they were found.
    #[serde(default)]
    walked: Vec<u32>,
}

/// `POST /api/tables`: for the chief; a king was lifted on the table that is asked for.
pub(super) async fn lifted(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?.count_order(&app)?;
    let Lifted { table, board, walked } = receive_json(body).await?;
    let conflict = |reason: String| ApiError::new(StatusCode::CONFLICT, reason);
    if app.daemon().is_remote() {
        return Err(conflict("the tables of a hall are set at its own desk".to_owned()));
    }
    if table == 0 || walked.len() > MOST {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "tables are numbered from 1"));
    }
    let (_, boards) = app.daemon().view().read();
    let known = boards
        .values()
        .find(|known| *known.name == *board || known.serial.as_deref().is_some_and(|own| own == board));
    if known.is_some_and(|board| board.clock.as_ref().is_some_and(|clock| clock.running.is_some())) {
        return Err(conflict(format!("board {board} is in play: its clock runs")));
    }
    let (path, serial) = (Assignment::path(&app.config().state_dir), board.clone());
    let walker = app.clone();
    let taken = spawn_blocking(move || {
        // One at a time reads the file and writes it anew.
        let _turn = walker.tables().lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Walk::resume(path, &walked)?.take(table, &serial)
    });
    let taken = taken.await.map_err(|_| cannot_be("written"))?.map_err(|error| {
        tracing::error!(%error, "the tables cannot be written");
        cannot_be(if matches!(error, WalkError::Read(_)) { "read" } else { "written" })
    })?;
    let (taken, on) = match taken {
        Taken::Placed => ("placed", table),
        Taken::Repeated(on) => ("repeated", on),
        Taken::Elsewhere(on) => ("elsewhere", on),
        Taken::Nameless => return Err(conflict(format!("{board} has not sent its serial number"))),
    };
    if taken == "placed" {
        tracing::info!(table, board, "the board of a table was set");
    }
    Ok(error::json(&json!({ "taken": taken, "table": on })))
}

/// `GET /api/tables/labels`: for the chief; each with the code that opens the table in the desk.
pub(super) async fn labels(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Extension(encrypted): Extension<IsEncrypted>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?;
    let config = seated(&app).await?;
    let desk = arbiters::desk_of(&app, &headers, encrypted);
    let labels: Vec<_> = pairings::numbered(&config)
        .iter()
        .map(|(table, serial)| {
            let link = desk.as_ref().map(|desk| format!("{}/table/{table}", desk.trim_end_matches('/')));
            let picture = link.as_ref().and_then(|link| accounts::picture(link).ok());
            json!({ "table": table, "serial": serial, "link": link, "picture": picture })
        })
        .collect();
    Ok(error::json(&labels))
}

/// Returns the configuration with the boards that the file has at this moment: the daemon reads it a little later.
async fn seated(app: &App) -> Result<Config, ApiError> {
    let mut config = Config::clone(&app.config());
    if app.daemon().is_remote() {
        return Ok(config);
    }
    let path = Assignment::path(&config.state_dir);
    let read = spawn_blocking(move || Assignment::read(&path)).await.map_err(|_| cannot_be("read"))?;
    let assignment = read.map_err(|error| {
        tracing::error!(%error, "the tables cannot be read");
        cannot_be("read")
    })?;
    assignment.apply(&mut config);
    Ok(config)
}

fn cannot_be(what: &str) -> ApiError {
    let reason = format!("the tables cannot be {what}; the daemon's messages say why");
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
}
