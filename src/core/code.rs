//! Owns the codes: what an alert is about, by the names of the interface.

use serde::{Deserialize, Serialize};

/// What an alert is about; the names are the interface's.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the rule table documents each code")]
pub enum Code {
    IllegalMove,
    PromotionNotReplaced,
    PressWithoutMove,
    PressBeforeMade,
    TwoHandsSuspect,
    BoardMismatch,
    CastlingRookFirst,
    TouchMoveSuspect,
    ReleasedPieceMoved,
    PromotionChoiceChanged,
    ClaimWindowClosed,
    GameLostIllegal,
    GameDrawnIllegal,
    ClaimWinAvailable,
    ClaimDrawAvailable,
    IllegalPositionArmed,
    IllegalPositionDraw,
    IllegalPositionIntervene,
    FlagFall,
    FlagFallDraw,
    BothFlags,
    ThreefoldClaimable,
    FiftyClaimable,
    FivefoldDraw,
    SeventyfiveDraw,
    Checkmate,
    Stalemate,
    DeadPosition,
    StartPositionWrong,
    StartClaimClosed,
    ColoursReversed,
    IntendedNotPlayed,
    DrawOffer,
    QpfEligible,
    DefaultTime,
    BoardLink,
    ClockLink,
    ClockStopped,
    ClockLowBattery,
    BoardBattery,
    LineNoise,
    ServiceDegraded,
}

impl Code {
    /// Returns the name as the interface writes it.
    #[must_use]
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}
