//! Owns the codes: what an alert is about, by the names of the interface.

use serde::{Deserialize, Serialize};

/// Makes an enum whose variants have names in the interface: written and read as JSON by them, and returned by `name`.
macro_rules! named_enum {
    ($(#[$attribute:meta])* pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
        pub enum $type {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        impl $type {
            /// Returns the name as the interface writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

pub(crate) use named_enum;

named_enum! {
    /// What an alert is about.
    #[expect(missing_docs, reason = "the rule table documents each code")]
    pub enum Code {
        IllegalMove = "illegal-move",
        PromotionNotReplaced = "promotion-not-replaced",
        PressWithoutMove = "press-without-move",
        PressBeforeMade = "press-before-made",
        TwoHandsSuspect = "two-hands-suspect",
        BoardMismatch = "board-mismatch",
        CastlingRookFirst = "castling-rook-first",
        TouchMoveSuspect = "touch-move-suspect",
        ReleasedPieceMoved = "released-piece-moved",
        PromotionChoiceChanged = "promotion-choice-changed",
        ClaimWindowClosed = "claim-window-closed",
        GameLostIllegal = "game-lost-illegal",
        GameDrawnIllegal = "game-drawn-illegal",
        ClaimWinAvailable = "claim-win-available",
        ClaimDrawAvailable = "claim-draw-available",
        IllegalPositionArmed = "illegal-position-armed",
        IllegalPositionDraw = "illegal-position-draw",
        IllegalPositionIntervene = "illegal-position-intervene",
        FlagFall = "flag-fall",
        FlagFallDraw = "flag-fall-draw",
        BothFlags = "both-flags",
        ThreefoldClaimable = "threefold-claimable",
        FiftyClaimable = "fifty-claimable",
        FivefoldDraw = "fivefold-draw",
        SeventyfiveDraw = "seventyfive-draw",
        Checkmate = "checkmate",
        Stalemate = "stalemate",
        DeadPosition = "dead-position",
        StartPositionWrong = "start-position-wrong",
        StartClaimClosed = "start-claim-closed",
        ClockSettingWrong = "clock-setting-wrong",
        ColoursReversed = "colours-reversed",
        IntendedNotPlayed = "intended-not-played",
        DrawOffer = "draw-offer",
        QpfEligible = "qpf-eligible",
        DefaultTime = "default-time",
        BoardLink = "board-link",
        ClockLink = "clock-link",
        ClockStopped = "clock-stopped",
        ClockLowBattery = "clock-low-battery",
        BoardBattery = "board-battery",
        LineNoise = "line-noise",
        ServiceDegraded = "service-degraded",
    }
}

impl Code {
    /// Returns whether it says how a game has ended: with the game's result nothing is left to be done about it.
    #[must_use]
    pub const fn ends_game(self) -> bool {
        matches!(
            self,
            Self::Checkmate
                | Self::Stalemate
                | Self::DeadPosition
                | Self::FivefoldDraw
                | Self::SeventyfiveDraw
                | Self::FlagFall
                | Self::FlagFallDraw
                | Self::GameLostIllegal
                | Self::GameDrawnIllegal
                | Self::IllegalPositionDraw
        )
    }
}
