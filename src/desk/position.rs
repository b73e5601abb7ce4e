//! What the desk has to know of a position and does not work out by itself: legal moves, and who can still mate.

use serde::Serialize;
use shakmaty::{CastlingMode, Color, Move};

use jadoube_core::{position::Position, rules::Winnability, rules::unwinnable, side::side_name};

/// A position and its legal moves.
#[derive(Debug, Serialize)]
pub struct PositionNotes {
    /// The position.
    fen: String,
    /// Who is to move.
    turn: &'static str,
    /// Whether the king of the side to move is in check.
    check: bool,
    /// All legal moves; empty for a position that no rules apply to.
    moves: Vec<LegalMove>,
    /// Who can checkmate by any series of legal moves (Art. 6.9); `None` while that is being searched.
    pub mate: Option<Mate>,
}

#[derive(Debug, Serialize)]
struct LegalMove {
    uci: String,
    san: String,
    capture: bool,
}

/// Whether each side can checkmate by any series of legal moves, with the opponent's help.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Mate {
    white: Winnability,
    black: Winnability,
}

/// Reads a position, castling written either way; `None` if the text is none.
#[must_use]
pub fn parse(fen: &str) -> Option<Position> {
    Position::from_fen(fen, CastlingMode::Standard)
        .ok()
        .filter(|position| position.lawful().is_some())
        .or_else(|| Position::from_fen(fen, CastlingMode::Chess960).ok())
}

/// Describes a position, but for who can mate.
#[must_use]
pub fn describe(position: &Position) -> PositionNotes {
    let legal =
        |m: &Move| LegalMove { uci: position.uci(*m), san: position.san(*m), capture: m.is_capture() };
    PositionNotes {
        fen: position.fen(),
        turn: side_name(position.turn()),
        check: position.is_check(position.turn()),
        moves: position.legal_moves().iter().map(legal).collect(),
        mate: None,
    }
}

/// Searches who can mate; composed positions may take seconds, so not on a thread that others wait for.
#[must_use]
pub fn search_mate(position: &Position) -> Mate {
    let of = |side| unwinnable::verdict(position, side);
    Mate { white: of(Color::White), black: of(Color::Black) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fen: &str, moves: usize, mate: (Winnability, Winnability)) {
        let position = parse(fen).unwrap();
        let notes = describe(&position);
        assert_eq!(notes.moves.len(), moves);
        assert_eq!(search_mate(&position), Mate { white: mate.0, black: mate.1 });
    }

    #[test]
    fn moves_and_mates_of_known_positions() {
        use Winnability::{Unwinnable, Winnable};
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, (Winnable, Winnable));
        check("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 18, (Unwinnable, Unwinnable));
        check("8/8/4k3/8/8/3RK3/8/8 b - - 0 1", 5, (Winnable, Unwinnable));
    }

    #[test]
    fn captures_are_distinguished() {
        let notes = describe(&parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap());
        let captures: Vec<_> = notes.moves.iter().filter(|m| m.capture).map(|m| m.uci.as_str()).collect();
        assert_eq!(captures, ["e4d5"]);
        assert_eq!((notes.turn, notes.check), ("white", false));
    }

    #[test]
    fn a_position_without_kings_has_no_moves() {
        assert!(describe(&parse("8/8/8/8/8/8/8/8 w - - 0 1").unwrap()).moves.is_empty());
        assert!(parse("no position").is_none());
    }
}
