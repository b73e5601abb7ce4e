//! The article of every code, and the article that says what the arbiter may do about it.
//!
//! An empty cell means that the edition has no such rule in that part of the Laws.

use super::{Edition, Laws, Regime, Row};
use crate::code::Code;

/// The cells of a code: Competition Rules, rapid and blitz without their supervision.
struct Cells {
    competition: Row<&'static str>,
    rapid: Row<&'static str>,
    blitz: Row<&'static str>,
}

impl Cells {
    const fn of(self, edition: Edition, regime: Regime) -> Option<&'static str> {
        let article = match regime {
            Regime::Competition => self.competition.of(edition),
            Regime::RapidOtherwise => self.rapid.of(edition),
            Regime::BlitzOtherwise => self.blitz.of(edition),
        };
        if article.is_empty() { None } else { Some(article) }
    }
}

const NONE: Row<&str> = Row("", "", "", "", "");

/// The same article whoever supervises.
const fn every(row: Row<&'static str>) -> Cells {
    Cells { competition: row, rapid: row, blitz: row }
}

/// Articles of the appendices' "otherwise" branch, the same for rapid and blitz.
const fn otherwise(row: Row<&'static str>) -> Cells {
    Cells { competition: NONE, rapid: row, blitz: row }
}

const fn split(competition: Row<&'static str>, otherwise: Row<&'static str>) -> Cells {
    Cells { competition, rapid: otherwise, blitz: otherwise }
}

#[rustfmt::skip]
const fn article(code: Code) -> Cells {
    match code {
        //                                          2009     2014     2017     2018     2023
        Code::IllegalMove => every(Row(            "7.4.a", "7.5.a", "7.5.1", "7.5.1", "7.5.1")),
        Code::PromotionNotReplaced => every(Row(   "7.4.a", "7.5.a", "7.5.2", "7.5.2", "7.5.2")),
        Code::PressWithoutMove => every(Row(       "6.7.c", "6.2.c", "7.8.1", "7.5.3", "7.5.3")),
        Code::PressBeforeMade => every(Row(        "6.7.a", "6.2.c", "6.2.4", "6.2.4", "6.2.4")),
        Code::TwoHandsSuspect => every(Row(        "4.1",   "4.1",   "7.7.1", "7.5.4", "7.5.4")),
        Code::BoardMismatch => every(Row(          "7.3",   "7.4",   "7.4.1", "7.4.1", "7.4.1")),
        Code::CastlingRookFirst => every(Row(      "4.4.b", "4.4.b", "4.4.2", "4.4.2", "4.4.2")),
        Code::TouchMoveSuspect => every(Row(       "4.3",   "4.3",   "4.3",   "4.3",   "4.3")),
        Code::ReleasedPieceMoved => every(Row(     "4.6",   "4.7",   "4.7",   "4.7",   "4.7")),
        Code::PromotionChoiceChanged => every(Row( "4.4.d", "4.4.d", "4.4.4", "4.4.4", "4.4.4")),
        Code::ClaimWindowClosed => Cells {
            competition: NONE,
            rapid: Row(                            "A.4.c", "A.4.b", "A.4.2", "A.4.2", "A.5.2"),
            blitz: Row(                            "B.3.c", "A.4.b", "A.4.2", "A.4.2", "A.5.2"),
        },
        Code::GameLostIllegal | Code::GameDrawnIllegal => Cells {
            competition: Row(                      "7.4.b", "7.5.b", "7.5.3", "7.5.5", "7.5.5"),
            rapid: Row(                            "7.4.b", "A.4.b", "A.4.2", "7.5.5", "7.5.5"),
            // 2009: a win that the opponent has to claim, below.
            blitz: Row(                            "",      "A.4.b", "A.4.2", "7.5.5", "7.5.5"),
        },
        Code::ClaimWinAvailable | Code::ClaimDrawAvailable => Cells {
            competition: NONE,
            rapid: NONE,
            blitz: Row(                            "B.3.c", "",      "",      "",      ""),
        },
        Code::IllegalPositionArmed | Code::IllegalPositionDraw =>
            otherwise(Row(                         "",      "A.4.d", "A.4.4", "A.4.4", "A.5.4")),
        Code::IllegalPositionIntervene => Cells {
            competition: NONE,
            rapid: Row(                            "A.4.c", "",      "",      "",      ""),
            blitz: NONE,
        },
        Code::FlagFall | Code::FlagFallDraw =>
            every(Row(                             "6.9",   "6.9",   "6.9",   "6.9",   "6.9")),
        Code::BothFlags => split(
            Row(                                   "6.11",  "6.11",  "III.3.1", "III.3.1", "III.3.1"),
            Row(                                   "A.4.d", "6.11",  "III.3.1", "III.3.1", "III.3.1")),
        Code::ThreefoldClaimable => every(Row(     "9.2.b", "9.2.b", "9.2.1.2", "9.2.1.2", "9.2.2")),
        Code::FiftyClaimable => every(Row(         "9.3.b", "9.3.b", "9.3.2", "9.3.2", "9.3.2")),
        Code::FivefoldDraw => every(Row(           "",      "9.6.a", "9.6.1", "9.6.1", "9.6.1")),
        Code::SeventyfiveDraw => every(Row(        "",      "9.6.b", "9.6.2", "9.6.2", "9.6.2")),
        Code::Checkmate => every(Row(              "5.1.a", "5.1.a", "5.1.1", "5.1.1", "5.1.1")),
        Code::Stalemate => every(Row(              "5.2.a", "5.2.a", "5.2.1", "5.2.1", "5.2.1")),
        Code::DeadPosition => every(Row(           "5.2.b", "5.2.b", "5.2.2", "5.2.2", "5.2.2")),
        Code::StartPositionWrong => every(Row(     "7.1.a", "7.2.a", "7.2.1", "7.2.1", "7.2.1")),
        Code::StartClaimClosed => otherwise(Row(   "A.4.a", "A.4.a", "A.4.1.2", "A.4.1.2", "A.5.1.2")),
        Code::ClockSettingWrong => every(Row(      "6.10.b", "6.10.b", "6.10.2", "6.10.2", "6.10.2")),
        Code::ColoursReversed => every(Row(        "7.2",   "7.3",   "7.3",   "7.3",   "7.3")),
        Code::IntendedNotPlayed => every(Row(      "9.5.b", "9.5.b", "9.5.3", "9.5.3", "9.5.3")),
        Code::DrawOffer => every(Row(              "9.1",   "9.1",   "9.1",   "9.1",   "9.1")),
        Code::QpfEligible => Cells {
            competition: Row(                      "10.2",  "G.4",   "III.4", "III.4", "III.4"),
            rapid: Row(                            "10.2",  "G.4",   "III.4", "III.4", "III.4"),
            blitz: NONE,
        },
        Code::DefaultTime => every(Row(            "6.6.a", "6.7.a", "6.7.1", "6.7.1", "6.7.1")),
        Code::ClockStopped => every(Row(           "6.12.b", "6.12.b", "6.11.2", "6.11.2", "6.11.2")),
        Code::BoardLink | Code::ClockLink | Code::ClockLowBattery | Code::BoardBattery | Code::LineNoise
        | Code::ServiceDegraded => every(NONE),
    }
}

#[rustfmt::skip]
const fn authority(code: Code) -> Cells {
    match code {
        //                                          2009     2014     2017     2018     2023
        Code::IllegalMove | Code::PromotionNotReplaced | Code::GameLostIllegal | Code::GameDrawnIllegal => Cells {
            competition: Row(                      "7.4.b", "7.5.b", "7.5.3", "7.5.5", "7.5.5"),
            rapid: Row(                            "A.4.c", "A.4.b", "A.4.2", "A.4.2", "A.5.2"),
            blitz: Row(                            "B.3.c", "A.4.b", "A.4.2", "A.4.2", "A.5.2"),
        },
        Code::PressWithoutMove => split(
            Row(                                   "13.4",  "12.9",  "7.8.2", "7.5.5", "7.5.5"),
            Row(                                   "13.4",  "12.9",  "A.4.2", "A.4.2", "A.5.2")),
        Code::TwoHandsSuspect => split(
            Row(                                   "13.4",  "12.9",  "7.7.2", "7.5.5", "7.5.5"),
            Row(                                   "13.4",  "12.9",  "A.4.2", "A.4.2", "A.5.2")),
        Code::PressBeforeMade => every(Row(        "13.4",  "12.9",  "12.9",  "12.9",  "12.9")),
        Code::CastlingRookFirst | Code::TouchMoveSuspect | Code::ReleasedPieceMoved | Code::PromotionChoiceChanged =>
            // 2009, without supervision: only at a player's request.
            split(
                Row(                               "4.7",   "4.8",   "4.8",   "4.8",   "4.8"),
                Row(                               "A.4.b", "4.8",   "4.8",   "4.8",   "4.8")),
        Code::FlagFall | Code::FlagFallDraw => split(
            Row(                                   "6.8",   "6.8",   "6.8",   "6.8",   "6.8"),
            Row(                                   "A.4.d.1", "6.8", "A.4.5", "A.4.5", "A.5.5")),
        Code::ThreefoldClaimable | Code::FiftyClaimable =>
            every(Row(                             "9.5",   "9.5",   "9.5.1", "9.5.1", "9.5.1")),
        Code::StartPositionWrong => split(
            Row(                                   "7.1.a", "7.2.a", "7.2.1", "7.2.1", "7.2.1"),
            Row(                                   "A.4.a", "A.4.a", "A.4.1", "A.4.1", "A.5.1")),
        Code::ClockSettingWrong => split(
            Row(                                   "6.10.b", "6.10.b", "6.10.2", "6.10.2", "6.10.2"),
            Row(                                   "A.4.a", "A.4.a", "A.4.1", "A.4.1", "A.5.1")),
        Code::QpfEligible => every(Row(            "10.2",  "G.5",   "III.5", "III.5", "III.5")),
        Code::ClaimWindowClosed | Code::ClaimWinAvailable | Code::ClaimDrawAvailable | Code::IllegalPositionArmed
        | Code::IllegalPositionDraw | Code::IllegalPositionIntervene | Code::BothFlags | Code::StartClaimClosed
        | Code::DefaultTime | Code::ColoursReversed | Code::IntendedNotPlayed => article(code),
        Code::DrawOffer | Code::BoardMismatch | Code::FivefoldDraw | Code::SeventyfiveDraw | Code::Checkmate | Code::Stalemate
        | Code::DeadPosition | Code::ClockStopped | Code::BoardLink | Code::ClockLink | Code::ClockLowBattery
        | Code::BoardBattery | Code::LineNoise | Code::ServiceDegraded => every(NONE),
    }
}

/// Something the Laws speak of that is no alert.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Topic {
    /// A threefold repetition about to appear, by an intended move.
    ThreefoldIntended,
    /// Fifty moves about to be completed, by an intended move.
    FiftyIntended,
    /// A draw claim that is found correct.
    ClaimCorrect,
    /// A draw claim that is found incorrect.
    ClaimIncorrect,
    /// The right to claim a draw is lost by touching a piece.
    ClaimLostByTouching,
    /// A piece that was released stays where it is.
    Released,
    /// A pawn that was released on its last rank stays there.
    ReleasedPawn,
    /// A player to move may adjust pieces.
    Adjusting,
    /// The piece that a pawn becomes is chosen once it has touched the square.
    PromotionChosen,
    /// How to claim a win on time.
    ClaimOnTime,
    /// The times after an irregularity.
    ClockAfterIrregularity,
    /// A player resigns.
    Resignation,
    /// A draw is offered.
    DrawOffer,
    /// A draw is offered at the wrong time, or too often: the opponent is disturbed.
    Disturbance,
    /// A claim of a draw is also an offer of one.
    ClaimIsOffer,
    /// The regulations limit draws by agreement.
    DrawLimits,
    /// A draw may be agreed only after both have moved; empty before 2017.
    DrawAgreement,
    /// The board is turned round.
    BoardTurned,
    /// The king of an illegal castling must move.
    CastlingIllegal,
    /// The rook was touched before the king of a castling.
    CastlingRookFirst,
    /// The king of a castling was released.
    CastlingReleased,
    /// A touched piece of the player's own must move.
    TouchedOwn,
    /// A touched piece of the opponent's must be captured.
    TouchedTheirs,
    /// Touched pieces that can neither move nor be captured bind nobody.
    TouchedNothing,
    /// The arbiter's duty towards illegal positions without supervision (2009, rapid).
    Intervention,
    /// Who loses the time until the players arrive if both are late.
    BothLate,
    /// What becomes of a claim in the quickplay finish after a flag has fallen.
    QuickplayAfterFlag,
    /// Two flags have fallen, and the order is not known.
    BothFlagsUnknown,
    /// A telephone or another electronic device.
    ElectronicDevice,
    /// Notes, sources of information, advice, analysis on another board.
    OutsideHelp,
    /// Leaving the playing venue, or the playing area while to move.
    LeavingVenue,
    /// What penalties there are.
    Penalties,
    /// A fine.
    Fine,
    /// A player asks for an explanation of the Laws.
    Explanation,
    /// A player appeals against a decision of the arbiter.
    Appeal,
    /// An assistant presses the clock for a player.
    ClockAssistant,
    /// Measures for players who are disabled or need medical attention.
    SpecialMeasures,
    /// A request for an increment in the quickplay finish.
    QuickplayRequest,
    /// A claim in the quickplay finish.
    QuickplayClaim,
    /// A claim in the quickplay finish where there is no arbiter.
    QuickplayNoArbiter,
}

impl Laws {
    /// Returns the article that was broken or applies, `None` if these Laws have no such rule.
    #[must_use]
    pub fn article(&self, code: Code) -> Option<&'static str> {
        let own = self.own().and_then(|own| own.articles.get(&code)).map(|text| text.text());
        own.or_else(|| self.edition_article(code))
    }

    const fn edition_article(&self, code: Code) -> Option<&'static str> {
        article(code).of(self.edition, self.regime)
    }

    /// Returns the article that says what the arbiter may do.
    #[must_use]
    pub fn authority(&self, code: Code) -> Option<&'static str> {
        let own = self.own().and_then(|own| own.authority.get(&code)).map(|text| text.text());
        own.or_else(|| self.edition_authority(code))
    }

    const fn edition_authority(&self, code: Code) -> Option<&'static str> {
        authority(code).of(self.edition, self.regime)
    }

    /// Returns the article on something that is no alert.
    #[must_use]
    #[rustfmt::skip]
    pub const fn topic(&self, topic: Topic) -> &'static str {
        let row = match topic {
            //                                      2009     2014     2017     2018     2023
            Topic::ThreefoldIntended => Row(       "9.2.a", "9.2.a", "9.2.1.1", "9.2.1.1", "9.2.1"),
            Topic::FiftyIntended => Row(           "9.3.a", "9.3.a", "9.3.1", "9.3.1", "9.3.1"),
            Topic::ClaimCorrect => Row(            "9.5.a", "9.5.a", "9.5.2", "9.5.2", "9.5.2"),
            Topic::ClaimIncorrect => Row(          "9.5.b", "9.5.b", "9.5.3", "9.5.3", "9.5.3"),
            Topic::ClaimLostByTouching => Row(     "9.4",   "9.4",   "9.4",   "9.4",   "9.4"),
            Topic::Released => Row(                "4.6",   "4.7",   "4.7",   "4.7",   "4.7"),
            Topic::ReleasedPawn => Row(            "4.6.c", "4.7",   "4.7",   "4.7",   "4.7"),
            Topic::Adjusting => Row(               "4.2",   "4.2",   "4.2.1", "4.2.1", "4.2.1"),
            Topic::PromotionChosen => Row(         "4.4.d", "4.4.d", "4.4.4", "4.4.4", "4.4.4"),
            Topic::ClaimOnTime => match self.regime {
                Regime::Competition => Row(        "6.8",   "6.8",   "6.8",   "6.8",   "6.8"),
                Regime::RapidOtherwise | Regime::BlitzOtherwise =>
                    Row(                           "A.4.d.2", "A.4.c", "A.4.3", "A.4.3", "A.5.3"),
            },
            Topic::ClockAfterIrregularity => Row(  "6.13",  "7.1",   "7.1",   "7.1",   "7.1"),
            Topic::Resignation => Row(             "5.1.b", "5.1.b", "5.1.2", "5.1.2", "5.1.2"),
            Topic::DrawOffer => Row(               "9.1",   "9.1",   "9.1",   "9.1",   "9.1"),
            Topic::Disturbance => Row(             "12.6",  "11.5",  "11.5",  "11.5",  "11.5"),
            Topic::ClaimIsOffer => Row(            "9.1.c", "9.1.b", "9.1.2.3", "9.1.2.3", "9.1.2.3"),
            Topic::DrawLimits => Row(              "9.1.a", "9.1.a", "9.1.1", "9.1.1", "9.1.1"),
            Topic::DrawAgreement => Row(           "",      "",      "5.2.3", "5.2.3", "5.2.3"),
            Topic::BoardTurned => Row(             "7.1.b", "7.2.b", "7.2.2", "7.2.2", "7.2.2"),
            Topic::CastlingIllegal => Row(         "4.4.c", "4.4.c", "4.4.3", "4.4.3", "4.4.3"),
            Topic::CastlingRookFirst => Row(       "4.4.b", "4.4.b", "4.4.2", "4.4.2", "4.4.2"),
            Topic::CastlingReleased => Row(        "4.6.b", "4.7.b", "4.7.2", "4.7.2", "4.7.2"),
            Topic::TouchedOwn => Row(              "4.3.a", "4.3.a", "4.3.1", "4.3.1", "4.3.1"),
            Topic::TouchedTheirs => Row(           "4.3.b", "4.3.b", "4.3.2", "4.3.2", "4.3.2"),
            Topic::TouchedNothing => Row(          "4.5",   "4.5",   "4.5",   "4.5",   "4.5"),
            Topic::Intervention => Row(            "A.4.c", "",      "",      "",      ""),
            Topic::BothLate => Row(                "6.6.b", "6.7.b", "6.7.2", "6.7.2", "6.7.2"),
            Topic::QuickplayAfterFlag => Row(      "10.2.b", "G.5",  "III.5.2", "III.5.2", "III.5.2"),
            Topic::BothFlagsUnknown => match self.regime {
                Regime::Competition => Row(        "6.11",  "6.11",  "III.3.1", "III.3.1", "III.3.1"),
                Regime::RapidOtherwise | Regime::BlitzOtherwise =>
                    Row(                           "A.4.d", "6.11",  "III.3.1", "III.3.1", "III.3.1"),
            },
            Topic::ElectronicDevice => Row(        "12.3.b", "11.3.b", "11.3.2.2", "11.3.2.2", "11.3.2.2"),
            Topic::OutsideHelp => Row(             "12.3.a", "11.3.a", "11.3.1", "11.3.1", "11.3.1"),
            Topic::LeavingVenue => Row(            "12.2",  "11.2",  "11.2",  "11.2",  "11.2"),
            Topic::Penalties => Row(               "13.4",  "12.9",  "12.9",  "12.9",  "12.9"),
            Topic::Fine => Row(                    "",      "12.9.g", "12.9.7", "12.9.7", "12.9.7"),
            Topic::Explanation => Row(             "",      "11.9",  "11.9",  "11.9",  "11.9"),
            Topic::Appeal => Row(                  "12.10", "11.10", "11.10", "11.10", "11.10"),
            Topic::ClockAssistant => Row(          "6.7.d", "6.2.e", "6.2.6", "6.2.6", "6.2.6"),
            Topic::SpecialMeasures => Row(         "",      "12.2.f", "12.2.6", "12.2.6", "12.2.6"),
            Topic::QuickplayRequest => Row(        "",      "G.4",   "III.4", "III.4", "III.4"),
            Topic::QuickplayClaim => Row(          "10.2",  "G.5",   "III.5", "III.5", "III.5"),
            Topic::QuickplayNoArbiter => Row(      "D.1",   "G.6",   "III.6", "III.6", "III.6"),
        };
        row.of(self.edition)
    }
}
