//! Can this player checkmate by any series of legal moves? A search for a helpmate, by the crate `chasolver`.
//!
//! There is no bound on its effort: real games take microseconds and at worst some hundredths of a second, composed
//! walls of pawns seconds and hundreds of megabytes. It belongs on a thread of its own, never in the path of events.

use shakmaty::Color;

use super::mating::{self, Winnability};
use crate::position::Position;

/// Answers by proof; [`Winnability::Unknown`] for positions that no legal play leads to, and where the search gives
/// up.
#[must_use]
pub fn verdict(position: &Position, winner: Color) -> Winnability {
    if mating::material(position.board(), winner) == Winnability::Unwinnable {
        return Winnability::Unwinnable;
    }
    proof(position, winner)
}

/// Without the feature `helpmate` only material decides.
#[cfg(not(feature = "helpmate"))]
const fn proof(_position: &Position, _winner: Color) -> Winnability {
    Winnability::Unknown
}

#[cfg(feature = "helpmate")]
use self::helpmate::proof;

#[cfg(feature = "helpmate")]
mod helpmate {
    use std::str::FromStr;

    use shakmaty::{CastlingMode, Color, Position as _};

    use super::Winnability;
    use crate::position::Position;

    pub(super) fn proof(position: &Position, winner: Color) -> Winnability {
        let Some(board) = convert(position) else { return Winnability::Unknown };
        let winner = winner.fold_wb(chess::Color::White, chess::Color::Black);
        let unwinnable = chasolver::is_unwinnable_fast(&board, winner);
        let answer = if unwinnable {
            Some(chasolver::Winnability::Unwinnable)
        } else {
            chasolver::winnability(&board, winner)
        };
        match answer {
            Some(chasolver::Winnability::Winnable { .. }) => Winnability::Winnable,
            // The search knows no castling of Chess960: what it finds is there, what it misses may be there all the same.
            Some(chasolver::Winnability::Unwinnable) if lacks_castling(position) => Winnability::Unknown,
            Some(chasolver::Winnability::Unwinnable) => Winnability::Unwinnable,
            None => Winnability::Unknown,
        }
    }

    /// Writes a position in the solver's type.
    fn convert(position: &Position) -> Option<chess::Board> {
        position.lawful()?;
        let fen = position.fen();
        let fields = fen.split(' ').enumerate();
        let fields =
            fields.map(|(number, field)| if number == 2 && lacks_castling(position) { "-" } else { field });
        chess::Board::from_str(&fields.collect::<Vec<_>>().join(" ")).ok()
    }

    fn lacks_castling(position: &Position) -> bool {
        position.mode() == CastlingMode::Chess960
            && position.lawful().is_some_and(|chess| chess.castles().any())
    }
}
