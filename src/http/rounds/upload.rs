//! Pairings that are uploaded: shown first, and then those that count.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use jadoube_core::settings::{plain_serial, same_serial};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{conflict, request::Chief};
use crate::{
    config::{Config, TableSettings},
    http::{App, body, error, error::ApiError, query::Query},
    pairings::{self, Pairing, Pairings},
    rounds::{Book, Round},
};

/// Largest file that is taken, bytes.
const LARGEST: usize = 4 << 20;

/// Longest name of a file that is reported again, characters.
const LONGEST_NAME: usize = 100;

/// How a file is uploaded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct UploadQuery {
    /// Whether nothing is to change.
    #[serde(default)]
    preview: bool,
    /// The round, if the file holds several, or does not say.
    #[serde(default)]
    round: Option<u32>,
    /// Name of the file, for errors.
    #[serde(default)]
    name: Option<String>,
}

/// What a file holds, and what it changes.
#[derive(Serialize)]
struct Preview<'a> {
    round: u32,
    encoding: &'static str,
    tables: usize,
    without_board: Vec<u32>,
    /// Names of nobody who has played in a round before.
    not_in: Vec<NewName<'a>>,
    changed: Vec<Change<'a>>,
    /// Games that go on, and keep their names.
    running: usize,
    games: Vec<Game<'a>>,
}

#[derive(Serialize)]
struct NewName<'a> {
    table: Option<u32>,
    name: &'a str,
}

#[derive(Serialize)]
struct Change<'a> {
    table: u32,
    white: &'a str,
    black: &'a str,
    was_white: String,
    was_black: String,
}

#[derive(Serialize)]
struct Game<'a> {
    table: Option<u32>,
    white: &'a str,
    black: &'a str,
    board: bool,
}

impl<'a> Preview<'a> {
    fn of(pairings: &'a Pairings, round: u32, config: &Config, book: &Book) -> Self {
        let has_board = |game: &Pairing| {
            let is_at = |table: &TableSettings| match &game.serial {
                Some(serial) => same_serial(&table.serial, serial),
                None => table.number.is_some() && table.number == game.table,
            };
            game.serial.is_some()
                || config.tables.iter().any(|table| !plain_serial(&table.serial).is_empty() && is_at(table))
        };
        let earlier = book.rounds().values().filter(|known| known.number != round);
        let seats = earlier.flat_map(Round::paired).map(|(_, table)| &table.seat);
        let known: BTreeSet<&str> =
            seats.flat_map(|seat| [seat.white.name.as_str(), seat.black.name.as_str()]).collect();
        let names = pairings.games.iter().flat_map(|game| {
            [&game.white, &game.black].map(|player| NewName { table: game.table, name: &player.name })
        });
        let not_in = names.filter(|new| !known.is_empty() && !known.contains(new.name)).collect();
        let seated = book.round(round);
        let change = |game: &'a Pairing| {
            let table = game.table?;
            let seat = &seated?.tables.get(&u64::from(table))?.seat;
            let is_other = seat.white.name != game.white.name || seat.black.name != game.black.name;
            (is_other && seat.is_paired()).then(|| Change {
                table,
                white: &game.white.name,
                black: &game.black.name,
                was_white: seat.white.name.clone(),
                was_black: seat.black.name.clone(),
            })
        };
        let goes_on = |table: &crate::rounds::Table| table.game.is_some() && table.standing().score.is_none();
        Self {
            round,
            encoding: pairings.encoding,
            tables: pairings.games.len(),
            without_board: pairings
                .games
                .iter()
                .filter(|game| !has_board(game))
                .filter_map(|game| game.table)
                .collect(),
            not_in,
            changed: pairings.games.iter().filter_map(change).collect(),
            running: book
                .rounds()
                .values()
                .map(|round| round.tables.values().filter(|table| goes_on(table)).count())
                .sum(),
            games: pairings
                .games
                .iter()
                .map(|game| Game {
                    table: game.table,
                    white: &game.white.name,
                    black: &game.black.name,
                    board: has_board(game),
                })
                .collect(),
        }
    }
}

/// `POST /api/pairings?preview=BOOL&round=N&name=FILE`: for the chief.
pub(in crate::http) async fn upload(
    State(app): State<App>,
    Chief(asker): Chief,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> Result<Response, ApiError> {
    if app.daemon().is_remote() {
        return Err(conflict("the pairings of a hall are uploaded at its own desk"));
    }
    let bytes = body::receive_at_most(body, LARGEST).await?;
    let name = query.name.as_deref().unwrap_or("the file");
    let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let mut pairings = match pairings::parse(&name, &bytes, query.round) {
        Ok(pairings) => pairings,
        Err(error) => {
            let refusal = json!({ "error": error.to_string(), "line": error.line() });
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, error::json(&refusal)).into_response());
        }
    };
    let Some(round) = pairings.round.or(query.round) else {
        let reason = format!("{name}: does not say which round it is; give the number");
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
    };
    pairings.round = Some(round);
    let config = app.config();
    if !query.preview {
        let (directory, written) = (config.state_dir.clone(), pairings.clone());
        let writing = async move {
            let writing = spawn_blocking(move || pairings::upload::write(&directory, &written)).await;
            writing.map_err(std::io::Error::other).flatten().map_err(|error| {
                tracing::error!(%error, "the pairings cannot be written, see state_dir");
                let reason = "the pairings cannot be written; the daemon's messages say why";
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
            })
        };
        let order =
            json!({ "order": "pairings", "round": round, "games": pairings.games.len(), "file": name });
        asker.carry_out(&app, order, (None, String::new()), writing).await?;
    }
    let answer =
        app.daemon().rounds().read(|book| error::json(&Preview::of(&pairings, round, &config, book)));
    Ok(answer)
}
