//! A game as it goes from one board to another, or from one time at its board to the next.

use shakmaty::{CastlingMode, Square};

use super::{CutPly, Game, Irregular, Played, Ply};
use crate::{
    event::Times,
    order::{Continued, ContinuedMove},
    position::Position,
    time::Timestamp,
};

/// What stands for a ply that nobody knows.
const UNKNOWN: &str = "0000";

impl Game {
    /// Describes the game for the board where it goes on; names and counts are those of the board.
    #[must_use]
    pub fn to_continue(&self, board: &str) -> Continued {
        let mut position = self.start().clone();
        let moves = self.plies().iter().map(|ply| {
            let in_turn = position.turn() == ply.side;
            position = ply.apply(&position);
            ContinuedMove {
                uci: ply.uci.to_string(),
                fen: (!ply.is_exact() || !in_turn).then(|| position.fen()),
                clock: ply.clock.map(|clock| (clock.white, clock.black)),
                alternatives: ply.inferred,
                entered: ply.entered,
                remark: ply.remark.as_deref().map(str::to_owned),
            }
        });
        Continued {
            board: board.to_owned(),
            game: self.number(),
            fen: self.start().fen(),
            moves: moves.collect(),
            adopted: self.is_adopted(),
            ..Continued::default()
        }
    }

    /// Makes a game with this number of one that goes on; its plies count as made at this instant.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with its moves.
    pub fn continued(
        number: u32,
        continued: &Continued,
        mode: CastlingMode,
        now: Timestamp,
    ) -> Result<Self, String> {
        let position = |fen: &str| {
            Position::from_fen(fen, mode).map_err(|error| format!("'{fen}' is no position: {error}"))
        };
        let mut game = Self::new(number, position(&continued.fen)?);
        if continued.adopted {
            game.set_adopted();
        }
        for (index, entry) in (1..).zip(&continued.moves) {
            let before = game.position().clone();
            let (side, played) = match &entry.fen {
                None => {
                    let wrong = |_| format!("move {index}, {}, is not legal", entry.uci);
                    (before.turn(), Played::Legal(before.read_move(&entry.uci, "").map_err(wrong)?))
                }
                Some(fen) => {
                    let after = position(fen)?;
                    let side = !after.turn();
                    let before = if before.turn() == side { before.clone() } else { before.pass() };
                    (side, irregular_from(&entry.uci, after, &before))
                }
            };
            let clock = entry.clock.map(|(white, black)| Times { white, black });
            let mut cut = CutPly::entered(played, &before, now).of(side).with_clock(clock);
            let ply: &mut Ply = cut.ply_mut();
            ply.inferred = entry.alternatives;
            ply.entered = entry.entered;
            ply.remark = entry.remark.as_deref().map(Into::into);
            game.replace_plies(game.len(), 0, vec![cut]);
        }
        Ok(game)
    }
}

/// Returns a ply that is no legal move, or one out of turn.
fn irregular_from(uci: &str, after: Position, before: &Position) -> Played {
    let square = |range: std::ops::Range<usize>| uci.get(range).and_then(|text| text.parse::<Square>().ok());
    let promotion = uci.chars().nth(4).and_then(shakmaty::Role::from_char);
    let (Some(from), Some(to)) = (square(0..2), square(2..4)) else { return Played::set(after, before) };
    if uci == UNKNOWN {
        return Played::set(after, before);
    }
    let legal = before.find(from, to, promotion).filter(|m| before.board_after(*m) == *after.board());
    match legal {
        Some(m) => Played::Legal(m),
        None => Played::Irregular(Box::new(Irregular {
            from,
            to,
            promotion,
            board: after.board().clone(),
            set: None,
        })),
    }
}
