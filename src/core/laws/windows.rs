//! Until when something may be acted on.

use super::{Laws, Regime, Row};
use crate::code::Code;

/// What closes the window of an alert.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
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
    /// Each player has completed this many moves.
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
        match code {
            Code::PressWithoutMove if !self.counts(code) => ActionWindow::GameEnd,
            Code::TwoHandsSuspect if !self.counts(code) => ActionWindow::OpponentTouches,
            Code::IllegalMove
            | Code::PromotionNotReplaced
            | Code::PressWithoutMove
            | Code::TwoHandsSuspect
            | Code::GameLostIllegal
            | Code::GameDrawnIllegal => match self.regime {
                Regime::Competition => ActionWindow::GameEnd,
                Regime::RapidOtherwise | Regime::BlitzOtherwise => ActionWindow::OpponentMoves,
            },
            Code::ClaimWinAvailable | Code::ClaimDrawAvailable => ActionWindow::ClaimantMoves,
            Code::CastlingRookFirst
            | Code::TouchMoveSuspect
            | Code::ReleasedPieceMoved
            | Code::DrawOffer
            | Code::PromotionChoiceChanged => ActionWindow::OpponentTouches,
            Code::ThreefoldClaimable | Code::FiftyClaimable => ActionWindow::ClaimantTouches,
            Code::IllegalPositionArmed => ActionWindow::NextMoveCompleted,
            Code::StartPositionWrong | Code::ClockSettingWrong => match self.start_claim_moves() {
                None => ActionWindow::GameEnd,
                Some(moves) => ActionWindow::MovesEach(moves),
            },
            Code::PressBeforeMade
            | Code::IllegalPositionDraw
            | Code::IllegalPositionIntervene
            | Code::FlagFall
            | Code::FlagFallDraw
            | Code::BothFlags
            | Code::QpfEligible
            | Code::ColoursReversed
            | Code::IntendedNotPlayed
            | Code::DefaultTime => ActionWindow::GameEnd,
            Code::BoardMismatch
            | Code::ClockStopped
            | Code::BoardLink
            | Code::ClockLink
            | Code::ClockLowBattery
            | Code::BoardBattery
            | Code::LineNoise
            | Code::ServiceDegraded => ActionWindow::InOrder,
            Code::ClaimWindowClosed
            | Code::FivefoldDraw
            | Code::SeventyfiveDraw
            | Code::Checkmate
            | Code::Stalemate
            | Code::DeadPosition
            | Code::StartClaimClosed => ActionWindow::Never,
        }
    }

    /// Returns the completed moves of each player after which a wrong set-up stands, `None` if it never does.
    #[must_use]
    pub fn start_claim_moves(&self) -> Option<usize> {
        if let Some(moves) = self.own().and_then(|own| own.start_claim_moves) {
            return (moves > 0).then_some(moves);
        }
        match self.regime {
            Regime::Competition => None,
            Regime::RapidOtherwise | Regime::BlitzOtherwise => Some(Row(3, 10, 10, 10, 10).of(self.edition)),
        }
    }
}
