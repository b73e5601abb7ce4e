//! Until when something may be acted on.

use serde::{Deserialize, Serialize};

use super::Laws;
use crate::code::Code;

/// What closes the window of an alert.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionWindow {
    /// The end of the game, or a result that comes first.
    GameEnd,
    /// The opponent of the player named makes his next move.
    OpponentMoves,
    /// The player named makes his next move.
    ClaimantMoves,
    /// The opponent of the player named touches a piece (Art. 4.8; 2009: 4.7).
    OpponentTouches,
    /// The player named touches a piece (Art. 9.4).
    ClaimantTouches,
    /// The next move is completed.
    NextMoveCompleted,
    /// Each player has completed this many moves; in a file those of `start_claim_moves`.
    #[serde(skip)]
    MovesEach(usize),
    /// Whatever it is about is in order again.
    InOrder,
    /// Nothing: it states something that is final.
    Never,
}

impl Laws {
    /// Returns what closes the window of a code.
    #[must_use]
    pub fn window(&self, code: Code) -> ActionWindow {
        let said = self.find(|rules| rules.windows.get(&code)).copied().unwrap_or(ActionWindow::GameEnd);
        match self.start_claim_moves() {
            Some(moves) if matches!(code, Code::StartPositionWrong | Code::ClockSettingWrong) => {
                ActionWindow::MovesEach(moves)
            }
            _ => said,
        }
    }

    /// Returns the completed moves of each player after which a wrong set-up stands, `None` if it never does.
    #[must_use]
    pub fn start_claim_moves(&self) -> Option<usize> {
        self.find(|rules| rules.start_claim_moves.as_ref()).copied().filter(|moves| *moves > 0)
    }
}
