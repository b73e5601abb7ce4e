//! What the public sees of each game, how each output does, and the switch of a table.

use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    App, error,
    error::ApiError,
    query::Path,
    rounds::{OfTable, RoundRequest},
};
use crate::{
    config::{Config, Publish, Role},
    metrics::Export,
    rounds::Table,
    service::game_store::Index,
    view::Boards,
};
use jadoube_runtime::clock::SystemClock;

/// The outputs, by the names that monitoring has for them.
const FILES: &str = "pgn";
const LICHESS: &str = "lichess";
const BROKER: &str = "mqtt";

#[derive(Serialize)]
struct Broadcast {
    at: jiff::Timestamp,
    /// The round that the pairings are of.
    round: Option<u32>,
    /// Which moves are published, and how long they are held back, seconds; none where games are not published.
    publish: Option<Publish>,
    delay_s: Option<u32>,
    outputs: Vec<Output>,
    games: Vec<Game>,
}

/// An output.
#[derive(Serialize)]
struct Output {
    name: &'static str,
    /// Where it leads to, without secrets.
    target: String,
    /// What it has done; none of what others fetch.
    #[serde(flatten)]
    export: Option<ExportSummary>,
    /// Why it does less than it should.
    trouble: Option<String>,
}

#[derive(Serialize)]
struct ExportSummary {
    last_success: Option<jiff::Timestamp>,
    failures: u64,
    refused_games: usize,
}

impl From<Export> for ExportSummary {
    fn from(export: Export) -> Self {
        let Export { last_success, failures, refused_games, .. } = export;
        Self { last_success, failures, refused_games }
    }
}

/// A game of the round, as arbiters and as the public see it.
#[derive(Serialize)]
struct Game {
    table: u64,
    white: String,
    black: String,
    /// The board; none before the game begins, or without one.
    board: Option<String>,
    delay_s: Option<u32>,
    /// Plies on the board, while the game is there.
    plies: Option<usize>,
    /// Plies that the public sees; none of what an earlier process has written.
    public_plies: Option<usize>,
    /// The result that the public sees, or `*`; none before anything is published.
    public_result: Option<&'static str>,
    /// Since when the public sees this, UTC.
    since: Option<jiff::Timestamp>,
    /// Whether nothing more is published.
    held: bool,
}

/// `GET /api/broadcast`.
pub(super) async fn state(State(app): State<App>) -> Response {
    let (_, boards) = app.daemon().view().read();
    let (config, index) = (app.config(), app.games().index());
    let (round, games) = app.daemon().rounds().read(|book| {
        let round = book.going_on();
        let tables = round.into_iter().flat_map(|round| &round.tables);
        let shown = tables.filter(|(_, table)| table.seat.is_paired() || table.game.is_some());
        let games = shown.map(|(number, table)| {
            Game::of(round.map_or(0, |round| round.number), *number, table, &config, &boards, &index)
        });
        (round.map(|round| round.number), games.collect())
    });
    error::json(&Broadcast {
        at: SystemClock::start().started(),
        round,
        publish: config.pgn.as_ref().map(|pgn| pgn.publish),
        delay_s: config.pgn.as_ref().map(|pgn| pgn.delay_s),
        outputs: outputs(&app, &config),
        games,
    })
}

/// Lists the outputs that are configured.
fn outputs(app: &App, config: &Config) -> Vec<Output> {
    let (exports, trouble) = (app.daemon().figures().exports.read(), app.daemon().figures().health.failing());
    // What others fetch is no export.
    let output = |name: &'static str, target: String| Output {
        name,
        target,
        export: exports.get(name).copied().map(ExportSummary::from),
        trouble: trouble.get(name).cloned(),
    };
    let addresses =
        |all: &[std::net::SocketAddr]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    [
        config.pgn.as_ref().map(|pgn| output(FILES, pgn.dir.display().to_string())),
        config.lichess.as_ref().map(|to| output(LICHESS, format!("{}, {}", to.url, to.round))),
        config.mqtt.as_ref().map(|broker| output(BROKER, broker.url.to_string())),
        config.public.as_ref().map(|public| output("public", public.listen.to_string())),
        config.livechess.as_ref().map(|programs| output("livechess", addresses(&programs.listen))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Game {
    fn of(round: u32, number: u64, table: &Table, config: &Config, boards: &Boards, index: &Index) -> Self {
        let bound = table.game.as_ref();
        let serial = bound.map_or(table.serial.as_str(), |game| game.board.as_str());
        let present = boards.get(serial).and_then(|board| board.game.as_ref());
        let present = present.zip(bound).filter(|(present, bound)| present.number == bound.number);
        let published = index.rounds.get(&round).and_then(|round| round.games.get(&number));
        Self {
            table: number,
            white: table.seat.white.name.clone(),
            black: table.seat.black.name.clone(),
            board: bound.map(|game| game.board.clone()),
            delay_s: config.delay_s(serial),
            plies: present.map(|(game, _)| game.moves.len()),
            public_plies: published.and_then(|game| game.plies),
            public_result: published.map(|game| game.result),
            since: published.and_then(|game| game.pgn.since),
            held: table.held,
        }
    }
}

/// Whether the game of a table is published.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hold {
    /// All tables without it, for the chief.
    #[serde(default)]
    table: Option<u64>,
    held: bool,
}

impl OfTable for Hold {
    fn table(&self) -> Option<u64> {
        self.table
    }
}

/// `POST /api/rounds/N/broadcast`: stops the publication of a table's game, or of all, or resumes it.
pub(super) async fn hold(
    State(app): State<App>,
    Path(number): Path<u32>,
    RoundRequest { identity, asker, wanted: Hold { table, held } }: RoundRequest<Hold>,
) -> Result<Response, ApiError> {
    if table.is_none() && identity.role() != Role::Chief {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "all tables are for the chief arbiter"));
    }
    let order = json!({ "order": "round-broadcast", "round": number, "table": table, "held": held });
    let holding = async { app.daemon().rounds().hold(number, table, held).map_err(ApiError::not_found) };
    asker.carry_out(&app, order, (table, String::new()), holding).await
}
