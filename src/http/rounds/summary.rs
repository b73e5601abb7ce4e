//! What is reported of a round: in short, with all its games, and in a line for monitoring.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::{
    http::App,
    rounds::{Book, PgnPlayer, ResultState, Round, Stage, Started, Table},
    view::Boards,
};
use jadoube_core::score::Score;

/// A round in short.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    round: u32,
    state: Stage,
    current: bool,
    planned_at: Timestamp,
    started_at: Option<Timestamp>,
    started_by: Option<&'a str>,
    finished_at: Option<Timestamp>,
    tables: usize,
    playing: usize,
    waiting: usize,
    results: usize,
    missing: Vec<u64>,
    unconfirmed: Vec<u64>,
    unpaired: usize,
}

impl<'a> Summary<'a> {
    pub(super) fn of(book: &Book, round: &'a Round) -> Self {
        let with = |wanted: &dyn Fn(&Table) -> bool| -> Vec<u64> {
            round.paired().filter(|(_, table)| wanted(table)).map(|(number, _)| number).collect()
        };
        let started: Option<&Started> = round.started.as_ref();
        let has_result = |table: &Table| table.standing().score.is_some();
        Self {
            round: round.number,
            state: round.stage(),
            current: book.current().is_some_and(|current| current.number == round.number),
            planned_at: round.planned,
            started_at: started.map(|started| started.at),
            started_by: started.map(|started| started.by.as_str()),
            finished_at: round.finished,
            tables: round.paired().count(),
            playing: with(&|table| table.game.is_some() && !has_result(table)).len(),
            waiting: with(&|table| table.game.is_none() && !has_result(table)).len(),
            results: with(&has_result).len(),
            missing: with(&|table| !has_result(table)),
            unconfirmed: with(&|table| table.standing().state == ResultState::Sensed),
            unpaired: round.unpaired.len(),
        }
    }
}

/// A round with its games.
#[derive(Serialize)]
pub(super) struct Details<'a> {
    #[serde(flatten)]
    summary: Summary<'a>,
    games: Vec<TableGame<'a>>,
    unpaired_games: Vec<LooseGame<'a>>,
}

/// A table of a round.
#[derive(Serialize)]
struct TableGame<'a> {
    table: u64,
    serial: Option<&'a str>,
    white: &'a PgnPlayer,
    black: &'a PgnPlayer,
    game: Option<BoardGame<'a>>,
    result: Option<&'static str>,
    by: Option<&'a str>,
    state: ResultState,
    at: Option<Timestamp>,
    checked: bool,
}

/// The game of a table.
#[derive(Serialize)]
struct BoardGame<'a> {
    board: &'a str,
    number: u32,
    began: Timestamp,
    /// Whether it is on the board still.
    present: bool,
    plies: Option<usize>,
}

/// A game of no table.
#[derive(Serialize)]
struct LooseGame<'a> {
    table: Option<u64>,
    board: &'a str,
    number: u32,
    began: Timestamp,
    present: bool,
}

/// Returns the plies of a game that is on a board.
fn plies(boards: &Boards, board: &str, number: u32) -> Option<usize> {
    let game = boards.get(board)?.game.as_ref().filter(|game| game.number == number)?;
    Some(game.moves.len())
}

impl<'a> Details<'a> {
    pub(super) fn of(book: &Book, round: &'a Round, boards: &Boards) -> Self {
        let games = round.paired().map(|(number, table)| {
            let standing = table.standing();
            let game = table.game.as_ref().map(|game| {
                let plies = plies(boards, &game.board, game.number);
                let (board, number, began) = (game.board.as_str(), game.number, game.began);
                BoardGame { board, number, began, present: plies.is_some(), plies }
            });
            TableGame {
                table: number,
                serial: Some(table.serial.as_str()).filter(|serial| !serial.is_empty()),
                white: &table.seat.white,
                black: &table.seat.black,
                game,
                result: standing.score.map(Score::text),
                by: standing.by,
                state: standing.state,
                at: standing.at,
                checked: table.checked,
            }
        });
        let loose = round.unpaired.iter().map(|game| LooseGame {
            table: game.table,
            board: &game.board,
            number: game.number,
            began: game.began,
            present: plies(boards, &game.board, game.number).is_some(),
        });
        Self { summary: Summary::of(book, round), games: games.collect(), unpaired_games: loose.collect() }
    }
}

/// Returns the round that the pairings are of, in short.
pub(in crate::http) fn present(app: &App) -> Option<Value> {
    let rounds = app.daemon().rounds();
    rounds.read(|book| serde_json::to_value(Summary::of(book, book.current()?)).ok())
}

/// Says in a line how far the round is.
pub(in crate::http) fn line(app: &App) -> Option<String> {
    app.daemon().rounds().read(|book| {
        let summary = Summary::of(book, book.current()?);
        let Summary { round, state, tables, playing, waiting, results, unpaired, .. } = summary;
        let state = serde_json::to_value(state).ok()?;
        let state = state.as_str()?;
        let skittles = if unpaired > 0 { format!(", {unpaired} unpaired games") } else { String::new() };
        Some(format!(
            "round {round}: {state}, {tables} tables: {playing} playing, {waiting} waiting, {results} with a result{skittles}"
        ))
    })
}
