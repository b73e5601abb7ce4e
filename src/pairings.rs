//! Owns who plays at which table: read from what pairing programs write, laid over the tables of the configuration.
//!
//! Three kinds of files are distinguished by their content: a PGN with headers only, as pairing programs make for live
//! boards; a TRF16 or TRF26 report, of which players and teams are read; a CSV with a line of column names. A file that cannot be
//! used changes nothing: the pairings before it stay, and one line says what is wrong.

mod assignment;
mod encoding;
mod keeper;
mod pgn;
mod problems;
mod table;
mod trf;
pub(crate) mod upload;
mod walk;

use std::{fmt, fs, path::Path, sync::Arc};

use jadoube_core::settings::same_serial;
use shakmaty::Color;

pub(crate) use self::{
    assignment::Assignment,
    keeper::Keeper,
    problems::{numbered, problems},
    walk::{Taken, Walk, WalkError},
};
use crate::config::{Config, PlayerSettings, TableSettings, Warning};
use jadoube_runtime::private;

/// Lays the boards of the tables and the pairings over a configuration, as far as their files can be read.
pub(crate) fn seated(config: Config) -> Config {
    Keeper::quiet().load(config)
}

/// Largest file that is read, bytes; the pairings of an Olympiad have a tenth of it.
const LARGEST: u64 = 16 << 20;

/// Returns what is wrong with the file of pairings that the configuration names; reads it.
pub(crate) fn check(config: &Config) -> Option<Warning> {
    let error = read(&config.pairings.as_ref()?.file, config.event.round).err()?;
    Some(Warning { key: "pairings.file".to_owned(), text: error.to_string(), is_error: true })
}

/// Says what is read from the file of pairings that the configuration names, if it can be read.
pub(crate) fn summary(config: &Config) -> Option<String> {
    let file = &config.pairings.as_ref()?.file;
    let pairings = read(file, config.event.round).ok()?;
    let boards = pairings.apply(&mut config.clone());
    let round = pairings.round.map_or_else(String::new, |round| format!("round {round}, "));
    Some(format!(
        "the pairings: {}: {round}{} games, {boards} of them at boards",
        file.display(),
        pairings.games.len()
    ))
}

/// The pairings of one round.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pairings {
    /// Number of the round, if the file says it.
    pub round: Option<u32>,
    /// The games, by table.
    pub games: Vec<Pairing>,
    /// The encoding of the file.
    pub encoding: &'static str,
}

/// Who plays at one table.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pairing {
    /// Number of the table.
    pub table: Option<u32>,
    /// Serial number of the board, if the file says it.
    pub serial: Option<String>,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

/// A player.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Player {
    /// The name.
    pub name: String,
    /// What else is known.
    pub more: PlayerSettings,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PairingsError {
    file: String,
    line: Option<u64>,
    reason: String,
}

impl PairingsError {
    /// Returns the line, if it is about one.
    #[must_use]
    pub const fn line(&self) -> Option<u64> {
        self.line
    }
}

impl fmt::Display for PairingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

impl std::error::Error for PairingsError {}

/// What is wrong, and in which line.
type Wrong = (Option<u64>, String);

/// A game of some round, as a file has it.
#[derive(Clone, Debug, Default)]
struct PairingRow {
    line: u64,
    round: Option<u32>,
    game: Pairing,
}

/// Reads a file; `round` says which round is wanted if it holds several, else the last one counts.
///
/// # Errors
///
/// Returns an error that names file, line and remedy.
pub fn read(file: &Path, round: Option<u32>) -> Result<Pairings, PairingsError> {
    let name = file.display().to_string();
    let wrong = |reason: String| PairingsError { file: name.clone(), line: None, reason };
    let meta = fs::metadata(file).map_err(|error| wrong(error.to_string()))?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(wrong(format!("is no file of at most {} MiB; write the pairings there", LARGEST >> 20)));
    }
    let bytes = private::read(file).map_err(|error| wrong(error.to_string()))?;
    parse(&name, &bytes, round)
}

/// Reads pairings from the content of a file; see [`read`].
///
/// # Errors
///
/// Returns an error that names file, line and remedy.
pub fn parse(file: &str, bytes: &[u8], round: Option<u32>) -> Result<Pairings, PairingsError> {
    let wrong = |(line, reason): Wrong| PairingsError { file: file.to_owned(), line, reason };
    // Some end their lines as old Macs did; the standard of TRF asks for no more.
    let (text, encoding) = encoding::decode(bytes);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let rows = if first.trim().is_empty() {
        Err((None, "is empty; write the pairings there".to_owned()))
    } else if first.trim_start().starts_with(['[', '%']) {
        pgn::parse(&text)
    } else if is_trf(first) {
        trf::parse(&text, round)
    } else {
        table::parse(&text)
    };
    let pairings = rows.and_then(|rows| choose(rows, round)).map_err(wrong)?;
    Ok(Pairings { encoding, ..pairings })
}

impl Pairings {
    /// Lays the pairings over the tables of a configuration; returns how many games are at a table with a board.
    pub(crate) fn apply(&self, config: &mut Config) -> usize {
        let mut seated = 0;
        let mut boardless = Vec::new();
        for game in &self.games {
            let is_at = |table: &TableSettings| match &game.serial {
                Some(serial) => same_serial(&table.serial, serial),
                None => table.number.is_some() && table.number == game.table,
            };
            let tables = Arc::make_mut(&mut config.tables);
            let index = tables.iter().position(is_at).unwrap_or(tables.len());
            if index == tables.len() {
                let Some(serial) = game.serial.clone() else {
                    boardless.push(game.without_board());
                    continue;
                };
                tables.push(TableSettings { serial, ..TableSettings::default() });
            }
            let Some(table) = tables.get_mut(index) else { continue };
            table.number = game.table.or(table.number);
            table.white.clone_from(&game.white.name);
            table.black.clone_from(&game.black.name);
            table.white_player = game.white.more.clone();
            table.black_player = game.black.more.clone();
            seated += 1;
        }
        config.boardless = boardless.into();
        config.event.round = config.event.round.or(self.round);
        seated
    }
}

impl Pairing {
    const fn player(&mut self, side: Color) -> &mut Player {
        match side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// Returns a table on which no board stands.
    fn without_board(&self) -> TableSettings {
        TableSettings {
            number: self.table,
            white: self.white.name.clone(),
            black: self.black.name.clone(),
            white_player: self.white.more.clone(),
            black_player: self.black.more.clone(),
            ..TableSettings::default()
        }
    }

    /// Returns whether nobody plays there.
    fn is_bye(&self) -> bool {
        let nobody = |name: &str| {
            let name = name.trim().to_lowercase();
            ["", "-", "?", "bye", "spielfrei", "not paired", "unpaired"].contains(&name.as_str())
        };
        nobody(&self.white.name) || nobody(&self.black.name)
    }
}

fn is_trf(line: &str) -> bool {
    let mut chars = line.chars();
    let code: String = chars.by_ref().take(3).collect();
    let is_code = code.bytes().all(|byte| byte.is_ascii_digit()) || code == "###";
    code.len() == 3 && is_code && chars.next().is_none_or(|c| c == ' ')
}

/// Picks the games of one round and numbers them.
fn choose(rows: Vec<PairingRow>, wanted: Option<u32>) -> Result<Pairings, Wrong> {
    let rounds: std::collections::BTreeSet<u32> = rows.iter().filter_map(|row| row.round).collect();
    let round = wanted.or_else(|| rounds.last().copied());
    if let (Some(round), Some(last)) = (round, rounds.last())
        && !rounds.contains(&round)
    {
        let reason =
            format!("holds no game of round {round}, only of {last}; change event.round or the file");
        return Err((None, reason));
    }
    let rows = rows.into_iter().filter(|row| row.round.is_none() || row.round == round);
    let mut games: Vec<Pairing> = Vec::new();
    for PairingRow { line, mut game, .. } in rows {
        if game.table.is_none() && game.serial.is_none() {
            game.table = u32::try_from(games.len() + 1).ok();
        }
        let is_same = |other: &Pairing| {
            (game.table.is_some() && other.table == game.table)
                || (game.serial.is_some() && other.serial == game.serial)
        };
        if games.iter().any(is_same) {
            let table = game.table.map_or_else(|| "the board".to_owned(), |table| format!("table {table}"));
            return Err((Some(line), format!("{table} has a game already; every game needs its own")));
        }
        games.push(game);
    }
    games.retain(|game| !game.is_bye());
    if games.is_empty() {
        return Err((None, "holds no game with two players; write the pairings there".to_owned()));
    }
    Ok(Pairings { round, games, encoding: "" })
}

#[cfg(test)]
mod tests;
