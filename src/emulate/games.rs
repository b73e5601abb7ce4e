//! Owns the games that are played on virtual boards: read from PGN, built in, or generated.
//!
//! Knows moves only: no hands, boards or clocks.

mod chooser;
mod famous;
mod pgn;

use std::time::Duration;

use shakmaty::{Chess, Color, EnPassantMode, Move, Outcome, Position as _, fen::Fen, san::San};
use thiserror::Error;

pub use self::{
    chooser::choose,
    famous::famous,
    pgn::{PgnText, read_pgn},
};
use super::random::Random;
use jadoube_core::position::Position;

/// A game to be played: its moves from the initial position, and how it ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GameRecord {
    /// Name of the game, such as the names of the players.
    pub name: String,
    /// Its moves.
    pub moves: Vec<Move>,
    /// Thinking time of each move, if the source has it; as many entries as `moves`, or none.
    pub thinks: Vec<Option<Duration>>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// This side won.
    Won(Color),
    /// Nobody won.
    Drawn,
    /// The source does not say.
    Unknown,
}

impl Ending {
    /// Returns `1-0`, `0-1`, `1/2-1/2`, or `*`.
    #[must_use]
    pub const fn score(self) -> &'static str {
        match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    fn from_score(score: &str) -> Option<Self> {
        [Self::Won(Color::White), Self::Won(Color::Black), Self::Drawn, Self::Unknown]
            .into_iter()
            .find(|ending| ending.score() == score)
    }
}

/// Why a game cannot be played.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum GameError {
    /// The position does not allow a move.
    #[error("game {game}: '{word}' is no legal move ({before})")]
    Move {
        /// Number of the game in the text, from 1.
        game: usize,
        /// The move with its number.
        word: String,
        /// The position before it, as FEN.
        before: String,
    },
    /// The game begins from another position than the initial one.
    #[error("game {game}: begins from a position of its own, and pieces stand in the initial one")]
    Start {
        /// Number of the game in the text, from 1.
        game: usize,
    },
    /// The text ends in the middle of something.
    #[error("game {game}: {reason}")]
    Text {
        /// Number of the game in the text, from 1.
        game: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Builds a game move by move.
#[derive(Clone, Debug)]
struct Builder {
    position: Chess,
    moves: Vec<Move>,
    thinks: Vec<Option<Duration>>,
}

impl Builder {
    fn new() -> Self {
        Self { position: Chess::new(), moves: Vec::new(), thinks: Vec::new() }
    }

    fn push_san(&mut self, san: San, game: usize) -> Result<(), GameError> {
        let m = san.to_move(&self.position).map_err(|_| GameError::Move {
            game,
            word: format!(
                "{}{san}",
                match self.position.turn() {
                    Color::White => format!("{}. ", self.position.fullmoves()),
                    Color::Black => format!("{}... ", self.position.fullmoves()),
                }
            ),
            before: Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
        })?;
        self.position.play_unchecked(m);
        self.moves.push(m);
        self.thinks.push(None);
        Ok(())
    }

    fn finish(self, name: String, ending: Ending) -> GameRecord {
        let ending = match self.position.outcome() {
            Outcome::Known(outcome) => outcome.winner().map_or(Ending::Drawn, Ending::Won),
            Outcome::Unknown => ending,
        };
        GameRecord { name, moves: self.moves, thinks: self.thinks, ending }
    }
}

/// Generates a game of at most this many plies.
#[must_use]
pub fn invent(seed: u64, plies: usize) -> GameRecord {
    let mut random = Random::new(seed);
    let mut position = Position::initial();
    let mut moves = Vec::new();
    let mut keys = vec![position.key()];
    let mut ending = Ending::Unknown;
    while moves.len() < plies {
        let Some(m) = choose(&position, &mut random) else { break };
        moves.push(m);
        position = position.play(m);
        let key = position.key();
        keys.push(key);
        let repeated = keys.iter().filter(|earlier| **earlier == key).count() >= 3;
        if repeated || position.halfmoves() >= 90 {
            ending = Ending::Drawn;
            break;
        }
        if position.lawful().is_some_and(shakmaty::Position::is_insufficient_material) {
            break;
        }
    }
    if ending == Ending::Unknown {
        ending = judge(&position);
    }
    let thinks = vec![None; moves.len()];
    GameRecord { name: format!("invented {seed}"), moves, thinks, ending }
}

/// Returns the built-in games: famous ones and generated ones.
#[must_use]
pub fn built_in() -> Vec<GameRecord> {
    /// Seeds of generated games that end in various ways.
    const SEEDS: [(u64, usize); 12] = [
        (1, 60),
        (2, 80),
        (3, 120),
        (4, 90),
        (5, 70),
        (6, 160),
        (7, 100),
        (8, 140),
        (9, 110),
        (10, 60),
        (11, 75),
        (12, 200),
    ];
    famous().into_iter().chain(SEEDS.into_iter().map(|(seed, plies)| invent(seed, plies))).collect()
}

/// Returns the result of a position, or of its material if play stops there.
#[must_use]
pub fn judge(position: &Position) -> Ending {
    if position.is_checkmate() {
        return Ending::Won(!position.turn());
    }
    if position.lawful().is_some_and(shakmaty::Position::is_game_over) {
        return Ending::Drawn;
    }
    match chooser::balance(position) {
        3.. => Ending::Won(Color::White),
        ..=-3 => Ending::Won(Color::Black),
        -2..=2 => Ending::Drawn,
    }
}

#[cfg(test)]
mod tests;
