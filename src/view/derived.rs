//! What follows from what is known of a board: pieces in the air, progress of the game, penalty counts.

use serde::Serialize;
use serde_json::Value;
use shakmaty::{Board, Color, Square, fen::Fen};

use super::{BoardView, GameView};
use jadoube_core::{alert::AlertState, code::Code};

/// More squares than this that do not show what they should are no pieces in somebody's hand: the board is being set
/// up or cleared.
const MOST_IN_AIR: usize = 6;

/// A piece and its square.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct PieceOnSquare {
    /// Where it should stand.
    pub square: String,
    /// FEN letter.
    pub piece: char,
}

/// Returns the pieces of the running game that the board does not sense on their squares.
#[must_use]
pub fn in_air(board: &BoardView) -> Vec<PieceOnSquare> {
    let Some(game) = board.game.as_ref().filter(|game| game.result.is_none() && board.up) else {
        return Vec::new();
    };
    let Some(expected) = placement(game.fen()) else { return Vec::new() };
    let missing = |square: &Square| board.squares.piece_at(*square).is_none();
    let lifted: Vec<PieceOnSquare> = expected
        .into_iter()
        .filter(|(square, _)| missing(square))
        .map(|(square, piece)| PieceOnSquare { square: square.to_string(), piece: piece.char() })
        .collect();
    if lifted.len() > MOST_IN_AIR { Vec::new() } else { lifted }
}

fn placement(fen: &str) -> Option<Board> {
    fen.parse::<Fen>().ok().map(|fen| fen.into_setup().board)
}

/// How far a game is from being drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Progress {
    /// How often the position has been on the board, this time included (Art. 9.2).
    pub repetitions: usize,
    /// Half-moves without a capture or a pawn move.
    pub quiet_plies: u32,
    /// Full moves until a draw can be claimed (Art. 9.3), 0 if it can be.
    pub moves_to_50: u32,
    /// Full moves until the game is drawn (Art. 9.6.2), 0 if it is.
    pub moves_to_75: u32,
}

impl Progress {
    /// Counts for the position after the last move.
    #[must_use]
    pub fn of(game: &GameView) -> Self {
        let key = |fen: &str| fen.splitn(5, ' ').take(4).map(str::to_owned).collect::<Vec<_>>();
        let present = key(game.fen());
        let starts = std::iter::once(game.start.as_str());
        let fens = starts.chain(game.moves.iter().map(|played| &*played.fen));
        let quiet_plies = game.fen().split(' ').nth(4).and_then(|plies| plies.parse().ok()).unwrap_or(0);
        let left = |plies: u32| plies.saturating_sub(quiet_plies).div_ceil(2);
        Self {
            repetitions: fens.filter(|fen| key(fen) == present).count(),
            quiet_plies,
            moves_to_50: left(100),
            moves_to_75: left(150),
        }
    }
}

/// Irregularities of both players in the present game.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Counts {
    /// White's.
    pub white: Count,
    /// Black's.
    pub black: Count,
}

/// Irregularities of one player.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Count {
    /// Those that the arbiter has confirmed.
    pub official: u64,
    /// Those, and the ones that leave no doubt and wait for the arbiter.
    pub provisional: u64,
}

/// Counts irregularities from the alerts of the present game.
#[must_use]
pub fn counts(board: &BoardView) -> Counts {
    let count = |side: Color| {
        let name = jadoube_core::side::side_name(side);
        let of_game = format!("{}-{}-", board.name, board.game.as_ref().map_or(0, |game| game.number));
        let mut count = Count::default();
        // What the arbiter has put on record without an alert shows in the next alert.
        let mut on_record = 0;
        for (id, alert) in &board.alerts {
            if !id.starts_with(&of_game) {
                continue;
            }
            let fields = alert.fields.read();
            let facts = fields.get("facts");
            let Some(official) = facts.and_then(|facts| facts.get("official")).and_then(Value::as_u64) else {
                continue;
            };
            if fields.get("side").and_then(Value::as_str) != Some(name) {
                continue;
            }
            on_record = official.max(on_record);
            let is_certain = fields.get("confidence").and_then(Value::as_str) == Some("certain")
                && alert.code != Code::TwoHandsSuspect;
            match alert.state {
                AlertState::Confirmed => {
                    count.official += 1;
                    count.provisional += 1;
                }
                AlertState::Open | AlertState::Acknowledged if is_certain => count.provisional += 1,
                AlertState::Open
                | AlertState::Acknowledged
                | AlertState::Expired
                | AlertState::Dismissed
                | AlertState::Ended
                | AlertState::Withdrawn
                | AlertState::Corrected => {}
            }
        }
        // What an order has changed was reported at once.
        let reported = board.confirmed.map(|confirmed| u64::from(*confirmed.get(side)));
        if let Some(reported) = reported {
            let waiting = count.provisional.saturating_sub(count.official);
            return Count { official: reported, provisional: reported.saturating_add(waiting) };
        }
        let unseen = on_record.saturating_sub(count.official);
        // On a desk of many halls the broker says how many there are.
        let Count { official, provisional } = count;
        Count { official: official.saturating_add(unseen), provisional: provisional.saturating_add(unseen) }
    };
    Counts { white: count(Color::White), black: count(Color::Black) }
}
