//! Owns what an alert is: a fact an arbiter may have to act on, with article, evidence and remaining window.

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};
use shakmaty::Color;

use crate::{
    code::{Code, named_enum},
    laws::{Edition, RuleText},
    side::side_name,
    time::Timestamp,
};

/// Whom an alert names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Party {
    /// The offender, the claimant, the player mated or flagged.
    One(Color),
    /// Both players.
    Both,
}

impl Party {
    /// Returns the name as the interface writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::One(side) => side_name(side),
            Self::Both => "both",
        }
    }
}

impl From<Color> for Party {
    fn from(side: Color) -> Self {
        Self::One(side)
    }
}

impl Serialize for Party {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

named_enum! {
    /// How sure the facts are; never a judgement of the ruling.
    pub enum Confidence {
        /// It depends on intention, hands, or an order within the noise of a scan.
        Possible = "possible",
        /// An innocent explanation needs a quirk of the sensors.
        Likely = "likely",
        /// The sensed position and the press leave no other explanation.
        Certain = "certain",
    }
}

/// A probability, in 1/65536.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Probability(u32);

impl Probability {
    /// One, in the unit.
    pub const ONE: u32 = 1 << 16;

    /// Makes one of a number of 1/65536; more than one counts as one.
    #[must_use]
    pub fn new(parts: u32) -> Self {
        Self(parts.min(Self::ONE))
    }

    /// Returns the number of 1/65536.
    #[must_use]
    pub const fn parts(self) -> u32 {
        self.0
    }

    /// Returns it with four decimals.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        (f64::from(self.0) / f64::from(Self::ONE) * 10_000.0).round() / 10_000.0
    }
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

named_enum! {
    /// Where an alert stands in its life.
    pub enum AlertState {
        /// Nobody has dealt with it.
        Open = "open",
        /// Its window closed unused, or the game is over.
        Expired = "expired",
        /// The arbiter has seen it.
        Acknowledged = "acknowledged",
        /// The arbiter has ruled on it.
        Confirmed = "confirmed",
        /// The arbiter has thrown it out.
        Dismissed = "dismissed",
        /// The players have put it right.
        Corrected = "corrected",
        /// Its game is over or another one has begun, and nothing is left to decide.
        Ended = "ended",
        /// The facts turned out otherwise, or the order that it was raised by is taken back.
        Withdrawn = "withdrawn",
    }
}

/// How soon an arbiter has to deal with an alert.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something about board, clock or line.
    Equipment,
    /// Good to know; nothing has to be done.
    Info,
    /// To be looked at: the facts are open, or the players may act.
    Look,
    /// To be acted on at once, as far as the Laws allow it.
    Act,
}

impl Severity {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 4] = [Self::Act, Self::Look, Self::Equipment, Self::Info];

    /// Returns the name as events have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Act => "act",
            Self::Look => "look",
            Self::Equipment => "equipment",
            Self::Info => "info",
        }
    }

    /// Returns how urgent it is: 2 at once, 1 soon, 0 for information. Equipment that fails is to be looked at soon.
    #[must_use]
    pub const fn urgency(self) -> u8 {
        match self {
            Self::Act => 2,
            Self::Look | Self::Equipment => 1,
            Self::Info => 0,
        }
    }

    /// Returns the severity of a code; what is merely possible is to be looked at.
    #[must_use]
    pub fn of(code: Code, confidence: Confidence) -> Self {
        let full = Self::of_code(code);
        if confidence == Confidence::Possible { full.min(Self::Look) } else { full }
    }

    const fn of_code(code: Code) -> Self {
        match code {
            Code::IllegalMove
            | Code::PromotionNotReplaced
            | Code::PressWithoutMove
            | Code::CastlingRookFirst
            | Code::ReleasedPieceMoved
            | Code::PromotionChoiceChanged
            | Code::GameLostIllegal
            | Code::GameDrawnIllegal
            | Code::IllegalPositionDraw
            | Code::IllegalPositionIntervene
            | Code::FlagFall
            | Code::FlagFallDraw
            | Code::BothFlags
            | Code::IntendedNotPlayed
            | Code::ColoursReversed => Self::Act,
            // What the arbiter may penalise (12.9) is nothing to run for.
            Code::TwoHandsSuspect
            | Code::PressBeforeMade
            | Code::BoardMismatch
            | Code::TouchMoveSuspect
            | Code::ClaimWinAvailable
            | Code::ClaimDrawAvailable
            | Code::IllegalPositionArmed
            | Code::StartPositionWrong
            | Code::ClockSettingWrong
            | Code::DefaultTime => Self::Look,
            Code::FivefoldDraw
            | Code::SeventyfiveDraw
            | Code::Checkmate
            | Code::Stalemate
            | Code::DeadPosition
            | Code::ClaimWindowClosed
            | Code::ThreefoldClaimable
            | Code::FiftyClaimable
            | Code::StartClaimClosed
            | Code::DrawOffer
            | Code::QpfEligible => Self::Info,
            Code::BoardLink
            | Code::ClockLink
            | Code::ClockStopped
            | Code::ClockLowBattery
            | Code::BoardBattery
            | Code::LineNoise
            | Code::ServiceDegraded => Self::Equipment,
        }
    }
}

/// The sentence of an alert in parts that can be used apart, each for a person who stands at the table.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Parts {
    /// What happened.
    pub happened: String,
    /// What to do; empty if nothing is to be done.
    #[serde(rename = "do", skip_serializing_if = "String::is_empty")]
    pub act: String,
    /// Until when; empty if there is no limit.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub until: String,
}

impl Parts {
    /// Returns the parts as one text.
    #[must_use]
    pub fn text(&self) -> String {
        let parts = [&self.happened, &self.act, &self.until];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

/// What the arbiter may do about it, ready to be carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// Seconds to add, and to whose time.
    pub add: Option<(u32, Color)>,
    /// Seconds of increment that the press won and that are taken back, and from whom.
    pub take_back: Option<(u32, Color)>,
    /// Result to declare.
    pub result: Option<&'static str>,
}

impl Serialize for Proposal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some((seconds, to)) = self.add {
            map.serialize_entry("add_s", &seconds)?;
            map.serialize_entry("to", side_name(to))?;
        }
        if let Some((seconds, from)) = self.take_back {
            map.serialize_entry("take_back_s", &seconds)?;
            map.serialize_entry("from", side_name(from))?;
        }
        if let Some(result) = self.result {
            map.serialize_entry("result", result)?;
        }
        map.end()
    }
}

/// A fact an arbiter may have to act on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alert {
    /// Serial number of the board, number of the game, number of the alert in it.
    pub id: String,
    /// Number of the game it belongs to; 0 before the first.
    pub game: u32,
    /// What it is about.
    pub code: Code,
    /// How soon an arbiter has to deal with it.
    pub severity: Severity,
    /// The article that was broken or applies; empty for equipment.
    pub article: RuleText,
    /// The article that says what the arbiter may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority: Option<RuleText>,
    /// The edition both are numbered by.
    pub edition: Edition,
    /// Whom it names.
    pub side: Party,
    /// The ply it hangs on, from 1; 0 before the first.
    pub ply: u32,
    /// How sure the facts are.
    pub confidence: Confidence,
    /// The probability of the facts, if it was inferred; the word follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<Probability>,
    /// The best other story, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// Where it stands in its life.
    pub state: AlertState,
    /// The evidence: squares, times, positions, sub-reason.
    pub facts: Map<String, Value>,
    /// What may be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// The parts as one text.
    pub text: String,
    /// What happened, what to do, until when.
    pub parts: Parts,
}

/// Whether a player can checkmate by any series of legal moves, with the opponent's help (Art. 5.2.2, 6.9).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Winnability {
    /// The player can.
    #[serde(rename = "possible")]
    Winnable,
    /// The player cannot, whatever both play.
    #[serde(rename = "impossible")]
    Unwinnable,
    /// It has not been proved either way.
    #[serde(rename = "unknown")]
    Unknown,
}

/// What has changed about an alert.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AlertUpdate {
    /// Which alert.
    pub id: String,
    /// Where it stands in its life.
    pub state: AlertState,
    /// When the change happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What changed besides.
    #[serde(flatten)]
    pub facts: Map<String, Value>,
}
