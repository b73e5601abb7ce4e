//! What keeps a table from being ready for the round: board, clock, pieces, times and names, from what is known of both.

use std::collections::BTreeSet;

use serde::Serialize;
use shakmaty::{Board, Color, Piece, Rank, Role, Square};

use crate::{
    config::{Config, TableSettings},
    view::{BoardView, Boards, ClockView},
};
use jadoube_core::{event::Times, settings::same_serial};

/// Charge below which a battery does not last a round, percent.
const LOW_BATTERY: u8 = 20;

/// With more wrong squares than this the pieces are not set up yet, and no square is named.
const MOST_SQUARES: usize = 8;

/// Plies within which a clock shows whether it was set to the time control, and seconds that it may show more.
const FIRST_PLIES: usize = 4;
const CLOCK_SLACK_S: u32 = 5;

/// A piece of which is not known which it should be.
const ANY: char = '?';

/// How ready a table is, the worst first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// The round cannot be watched there.
    Wrong,
    /// Somebody should look at it.
    Look,
    /// Nothing is to be done.
    Ready,
    /// A game is being played.
    Playing,
}

/// A table, and what keeps it from being ready.
#[derive(Debug, Serialize)]
pub(super) struct Readiness {
    /// The number; none for a board that stands on no table.
    pub(super) table: Option<u32>,
    /// The name of its board, if that is known.
    pub(super) board: Option<String>,
    /// The serial number that the table has in the configuration, or that the board has reported.
    pub(super) serial: Option<String>,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) state: State,
    pub(super) findings: Vec<Finding>,
}

/// Something that keeps a table from being ready.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "finding", rename_all = "kebab-case")]
pub(super) enum Finding {
    /// No board with the serial number of the table has been heard of.
    BoardMissing,
    /// The board does not answer.
    BoardSilent,
    /// The board stands on no table.
    NoTable,
    /// Another table has the same board.
    BoardTwice { tables: Vec<u32> },
    /// The battery of the board is low.
    BoardBattery { percent: u8 },
    /// The board has no clock: no press is seen.
    ClockMissing,
    /// The clock shows its battery sign.
    ClockBattery,
    /// The clock runs.
    ClockRuns,
    /// The clock shows other times than those of the time control.
    ClockTimes { shown: Times, expected_s: u32 },
    /// The pieces are not on their first squares yet.
    NotSetUp { squares: usize },
    /// Some squares do not show what they should.
    Pieces { squares: Vec<WrongSquare> },
    /// The board lies the wrong way round.
    Turned,
    /// The game before has no result.
    NoResult { game: u32 },
    /// Who plays is not known.
    NamesMissing { white: bool, black: bool },
}

/// A square, what it should show and what it shows; FEN letters, or [`ANY`].
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(super) struct WrongSquare {
    square: String,
    expected: Option<char>,
    shown: Option<char>,
}

impl Finding {
    const fn state(&self) -> State {
        match self {
            Self::BoardMissing
            | Self::BoardSilent
            | Self::BoardTwice { .. }
            | Self::ClockMissing
            | Self::Pieces { .. }
            | Self::NotSetUp { .. }
            | Self::Turned => State::Wrong,
            Self::NoTable
            | Self::BoardBattery { .. }
            | Self::ClockBattery
            | Self::ClockRuns
            | Self::ClockTimes { .. }
            | Self::NoResult { .. }
            | Self::NamesMissing { .. } => State::Look,
        }
    }
}

/// Judges every table, by number; boards that stand on none come last.
pub(super) fn judge(config: &Config, boards: &Boards) -> Vec<Readiness> {
    let hall = Hall { config, has_begun: has_begun(config, boards) };
    let mut found: Vec<Readiness> =
        config.tables.iter().map(|table| of_table(table, &hall, boards)).collect();
    let is_placed = |board: &BoardView| {
        let serial = board.serial.as_deref().unwrap_or(&board.name);
        config.tables.iter().any(|table| same_serial(&table.serial, serial))
    };
    found.extend(boards.values().filter(|board| !is_placed(board)).map(|board| {
        let mut findings = of_board(board, &hall);
        if !config.tables.is_empty() {
            findings.insert(0, Finding::NoTable);
        }
        let table =
            TableSettings { serial: board.serial.clone().unwrap_or_default(), ..TableSettings::default() };
        readiness(&table, Some(board), findings, &hall)
    }));
    found.sort_by_key(|readiness| (readiness.table.is_none(), readiness.table));
    found
}

/// What is the same for all tables.
struct Hall<'a> {
    config: &'a Config,
    /// Whether the round is being played.
    has_begun: bool,
}

impl Hall<'_> {
    /// Returns whether a game is being played at a board, or the player to move thinks about the first one.
    fn is_playing(&self, board: &BoardView) -> bool {
        is_playing(board) || self.has_begun && waits_for_first_move(board)
    }
}

/// Returns whether the round has begun: at most of the tables a game is played, or the first move is awaited with the clock running.
fn has_begun(config: &Config, boards: &Boards) -> bool {
    let playing = boards.values().filter(|board| is_playing(board) || waits_for_first_move(board)).count();
    let tables = if config.tables.is_empty() { boards.len() } else { config.tables.len() };
    playing.saturating_mul(2) > tables && tables > 1
}

/// Returns whether the pieces are on their first squares and the clock runs.
fn waits_for_first_move(board: &BoardView) -> bool {
    let runs = board.clock.as_ref().is_some_and(|clock| clock.connected && clock.running.is_some());
    let is_open = board.game.as_ref().is_none_or(|game| game.moves.is_empty() && game.result.is_none());
    runs && is_open && board.squares == Board::new()
}

fn of_table(table: &TableSettings, hall: &Hall<'_>, boards: &Boards) -> Readiness {
    let config = hall.config;
    let board = boards
        .values()
        .find(|board| board.serial.as_deref().is_some_and(|serial| same_serial(serial, &table.serial)));
    let mut findings = board.map_or_else(|| vec![Finding::BoardMissing], |board| of_board(board, hall));
    let same = config.tables.iter().filter(|other| same_serial(&other.serial, &table.serial));
    let tables: BTreeSet<u32> = same.filter_map(|other| other.number).collect();
    if tables.len() > 1 {
        findings.push(Finding::BoardTwice { tables: tables.into_iter().collect() });
    }
    let (white, black) = (table.white.is_empty(), table.black.is_empty());
    if white || black {
        findings.push(Finding::NamesMissing { white, black });
    }
    readiness(table, board.map(|board| &**board), findings, hall)
}

fn readiness(
    table: &TableSettings,
    board: Option<&BoardView>,
    mut findings: Vec<Finding>,
    hall: &Hall<'_>,
) -> Readiness {
    findings.sort_by_key(Finding::state);
    let worst = findings.first().map_or(State::Ready, Finding::state);
    let plays = board.is_some_and(|board| hall.is_playing(board));
    let state = if worst != State::Wrong && plays { State::Playing } else { worst };
    Readiness {
        table: table.number,
        board: board.map(|board| board.name.to_string()),
        serial: Some(table.serial.clone()).filter(|serial| !serial.is_empty()),
        white: table.white.clone(),
        black: table.black.clone(),
        state,
        findings,
    }
}

/// Returns whether a game is being played: its first move was made, and the pieces are not back on their first squares.
fn is_playing(board: &BoardView) -> bool {
    board.game.as_ref().is_some_and(|game| game.result.is_none() && !game.moves.is_empty())
        && board.squares != Board::new()
}

fn of_board(board: &BoardView, hall: &Hall<'_>) -> Vec<Finding> {
    let config = hall.config;
    let plays = hall.is_playing(board);
    if !board.up {
        return vec![Finding::BoardSilent];
    }
    let mut findings = Vec::new();
    findings.extend(
        board
            .battery
            .filter(|percent| *percent < LOW_BATTERY)
            .map(|percent| Finding::BoardBattery { percent }),
    );
    match board.clock.as_ref().filter(|clock| clock.connected) {
        None => findings.push(Finding::ClockMissing),
        Some(clock) => {
            if clock.low_battery {
                findings.push(Finding::ClockBattery);
            }
            if plays {
                findings.extend(of_first_moves(board, clock, config));
            } else {
                findings.extend(of_clock(clock, config));
            }
        }
    }
    if !plays {
        findings.extend(of_pieces(&board.squares, config.game.chess960));
        let open = board.game.as_ref().filter(|game| game.result.is_none() && !game.moves.is_empty());
        findings.extend(open.map(|game| Finding::NoResult { game: game.number }));
    }
    findings
}

/// Judges what a clock shows before the first move; some clocks show the first increment already.
fn of_clock(clock: &ClockView, config: &Config) -> Option<Finding> {
    if clock.running.is_some() {
        return Some(Finding::ClockRuns);
    }
    let first = config.event.time_control.as_ref()?.periods().first()?;
    let fits = |shown: u32| shown == first.base_s || shown == first.base_s.saturating_add(first.increment_s);
    let is_set = fits(clock.times.white) && fits(clock.times.black);
    (!is_set).then_some(Finding::ClockTimes { shown: clock.times, expected_s: first.base_s })
}

/// Judges what a clock shows after the first moves: more than the time control gives was not set by it.
fn of_first_moves(board: &BoardView, clock: &ClockView, config: &Config) -> Option<Finding> {
    let plies = board.game.as_ref().map_or(0, |game| game.moves.len());
    let first = config.event.time_control.as_ref()?.periods().first()?;
    let moves = u32::try_from(plies / 2).ok()?.saturating_add(1);
    let most =
        first.increment_s.saturating_mul(moves).saturating_add(first.base_s).saturating_add(CLOCK_SLACK_S);
    let is_more = clock.times.white > most || clock.times.black > most;
    (plies <= FIRST_PLIES && is_more)
        .then_some(Finding::ClockTimes { shown: clock.times, expected_s: first.base_s })
}

fn of_pieces(squares: &Board, chess960: bool) -> Option<Finding> {
    let wrong: Vec<WrongSquare> = Square::ALL
        .into_iter()
        .map(|square| WrongSquare {
            square: square.to_string(),
            expected: if chess960 {
                expected_960(squares, square)
            } else {
                Board::new().piece_at(square).map(Piece::char)
            },
            shown: squares.piece_at(square).map(Piece::char),
        })
        .filter(|square| square.expected != square.shown)
        .collect();
    if wrong.is_empty() {
        return None;
    }
    let mut turned = squares.clone();
    turned.rotate_180();
    Some(if turned == Board::new() {
        Finding::Turned
    } else if wrong.len() > MOST_SQUARES {
        Finding::NotSetUp { squares: wrong.len() }
    } else {
        Finding::Pieces { squares: wrong }
    })
}

/// Returns what stands on a square before a game of chess960: Black's pieces opposite to White's, as White's stand.
fn expected_960(squares: &Board, square: Square) -> Option<char> {
    let officer = |square: Square, color| {
        squares.piece_at(square).filter(|piece| piece.color == color && piece.role != Role::Pawn)
    };
    match square.rank() {
        Rank::First => Some(officer(square, Color::White).map_or(ANY, Piece::char)),
        Rank::Eighth => {
            let opposite =
                officer(square.flip_vertical(), Color::White).map(|piece| piece.role.of(Color::Black));
            Some(opposite.or_else(|| officer(square, Color::Black)).map_or(ANY, Piece::char))
        }
        Rank::Second | Rank::Third | Rank::Fourth | Rank::Fifth | Rank::Sixth | Rank::Seventh => {
            Board::new().piece_at(square).map(Piece::char)
        }
    }
}

#[cfg(test)]
mod tests;
