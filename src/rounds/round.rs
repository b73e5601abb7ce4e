//! A round as it is kept: its tables, who sat there, which game is whose, and the results.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::Seat;
use jadoube_core::score::Score;

/// Hours after which a round with other players than before is that of another event.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// A round.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Round {
    /// Its number.
    pub(crate) number: u32,
    /// Name of the event.
    #[serde(default)]
    pub(crate) event: String,
    /// When its pairings were read.
    pub(crate) planned: Timestamp,
    /// How it began, once it has.
    #[serde(default)]
    pub(crate) started: Option<Started>,
    /// When an arbiter has said that it is over.
    #[serde(default)]
    pub(crate) finished: Option<Timestamp>,
    /// Games that were on the boards when the pairings were read, by board: they are none of the round.
    #[serde(default)]
    pub(crate) carried: BTreeMap<String, u32>,
    /// Its tables, by number.
    #[serde(default)]
    pub(crate) tables: BTreeMap<u64, Table>,
    /// Games that were played during the round and are not those of its tables.
    #[serde(default)]
    pub(crate) unpaired: Vec<Unpaired>,
}

/// How a round began.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Started {
    /// When.
    pub(crate) at: Timestamp,
    /// Who or what says so: `clock`, `move`, or an arbiter's name.
    pub(crate) by: String,
}

/// A table in a round.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Table {
    /// Who plays; it stays as it is once the game has begun, or has a result.
    pub(crate) seat: Seat,
    /// Serial number of the board; empty without one.
    #[serde(default)]
    pub(crate) serial: String,
    /// The game of the round, once it has begun.
    #[serde(default)]
    pub(crate) game: Option<BoundGame>,
    /// The result that an arbiter has entered here.
    #[serde(default)]
    pub(crate) entered: Option<Entered>,
    /// Whether it was compared with the slip.
    #[serde(default)]
    pub(crate) checked: bool,
    /// Whether nothing more of its game is published: the public keeps what it has seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) held: bool,
}

/// The game of a table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct BoundGame {
    /// The board that it is played on.
    pub(crate) board: String,
    /// Its number there.
    pub(crate) number: u32,
    /// When it began.
    pub(crate) began: Timestamp,
    /// Whether it is more than pieces that were moved about before the game.
    #[serde(default)]
    pub(crate) played: bool,
    /// The result that the board, a rule or an order there has reported.
    #[serde(default)]
    pub(crate) result: Option<ReportedResult>,
    /// Where it was played before it went on here, first to last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) before: Vec<EarlierPart>,
}

/// Where a game was played before it went on elsewhere.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct EarlierPart {
    /// The board.
    pub(crate) board: String,
    /// Its number there.
    pub(crate) number: u32,
}

/// A result, and what has reported it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct ReportedResult {
    /// The result.
    pub(crate) score: Score,
    /// `kings`, `mate`, `flag`, `arbiter` and so on.
    pub(crate) by: String,
}

/// A result that was entered for a table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Entered {
    /// The result; `None` says that there is none, whatever the board has reported.
    pub(crate) score: Option<Score>,
    /// Who has entered it.
    pub(crate) by: String,
    /// When.
    pub(crate) at: Timestamp,
    /// Why.
    #[serde(default)]
    pub(crate) reason: Option<String>,
}

/// A game that is not that of a table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Unpaired {
    /// The board.
    pub(crate) board: String,
    /// Its number there.
    pub(crate) number: u32,
    /// The table that the board stands on.
    #[serde(default)]
    pub(crate) table: Option<u64>,
    /// When it began.
    pub(crate) began: Timestamp,
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Its pairings are known.
    Planned,
    /// It has begun, and no game has.
    Started,
    /// Games go on.
    Playing,
    /// Every table has a result, or an arbiter has said that it is over.
    Finished,
}

/// How a result stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultState {
    /// There is none.
    Missing,
    /// The board or a rule has reported it, and nobody has confirmed it.
    Sensed,
    /// An arbiter has entered or confirmed it, or both players have confirmed it.
    Entered,
}

/// The result of a table with what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing<'a> {
    /// The result.
    pub(crate) score: Option<Score>,
    /// What has reported it, or who has entered it.
    pub(crate) by: Option<&'a str>,
    /// When it was entered.
    pub(crate) at: Option<Timestamp>,
    /// How it stands.
    pub(crate) state: ResultState,
}

impl Round {
    /// Makes a round of which nothing but the number is known.
    pub(super) const fn new(number: u32, event: String, planned: Timestamp) -> Self {
        Self {
            number,
            event,
            planned,
            started: None,
            finished: None,
            carried: BTreeMap::new(),
            tables: BTreeMap::new(),
            unpaired: Vec::new(),
        }
    }

    /// Returns whether it is one of an earlier event: of another name, or long over and with other players.
    pub(super) fn is_stale(
        &self,
        event: &str,
        planned: &BTreeMap<u64, (Seat, &str)>,
        now: Timestamp,
    ) -> bool {
        let begun = self.tables.values().filter_map(|table| table.game.as_ref()).map(|game| game.began);
        let entered =
            self.tables.values().filter_map(|table| table.entered.as_ref()).map(|entered| entered.at);
        let last = begun.chain(entered).max();
        let is_old = last.is_some_and(|last| now.duration_since(last) > LONGEST);
        let is_other = |(number, table): (&u64, &Table)| {
            table.is_frozen()
                && planned.get(number).is_none_or(|(seat, _)| !seat.is_paired() || *seat != table.seat)
        };
        self.event != event || is_old && self.tables.iter().any(is_other)
    }

    /// Returns how far it is.
    pub(crate) fn stage(&self) -> Stage {
        let mut tables = self.paired().peekable();
        let has_tables = tables.peek().is_some();
        if self.finished.is_some() || has_tables && tables.all(|(_, table)| table.standing().score.is_some())
        {
            Stage::Finished
        } else if self.tables.values().any(|table| table.game.is_some()) {
            Stage::Playing
        } else if self.started.is_some() {
            Stage::Started
        } else {
            Stage::Planned
        }
    }

    /// Returns the tables at which somebody plays or has played.
    pub(crate) fn paired(&self) -> impl Iterator<Item = (u64, &Table)> {
        let tables = self.tables.iter().map(|(number, table)| (*number, table));
        tables.filter(|(_, table)| table.seat.is_paired() || table.game.is_some())
    }
}

impl BoundGame {
    /// Returns whether this is the game, on the board where it is or on one where it was.
    pub(crate) fn is_or_was(&self, board: &str, number: u32) -> bool {
        let was = |part: &EarlierPart| part.board == board && part.number == number;
        self.board == board && self.number == number || self.before.iter().any(was)
    }
}

impl Table {
    /// Returns the result: what was entered counts more than what was reported.
    pub(crate) fn standing(&self) -> Standing<'_> {
        if let Some(Entered { score, by, at, .. }) = &self.entered {
            let state = if score.is_some() { ResultState::Entered } else { ResultState::Missing };
            return Standing { score: *score, by: Some(by), at: Some(*at), state };
        }
        let reported = self.game.as_ref().and_then(|game| game.result.as_ref());
        let state = match reported {
            None => ResultState::Missing,
            Some(reported) if ["arbiter", "players"].contains(&&*reported.by) => ResultState::Entered,
            Some(_) => ResultState::Sensed,
        };
        Standing {
            score: reported.map(|reported| reported.score),
            by: reported.map(|reported| reported.by.as_str()),
            at: None,
            state,
        }
    }

    /// Returns whether this is its game.
    pub(crate) fn has(&self, board: &str, number: u32) -> bool {
        self.game.as_ref().is_some_and(|game| game.board == board && game.number == number)
    }

    /// Returns whether other pairings change nothing here: the game has begun, or has a result without one.
    pub(crate) const fn is_frozen(&self) -> bool {
        self.game.is_some() || self.entered.is_some()
    }
}
