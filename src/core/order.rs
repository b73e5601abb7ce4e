//! Owns the arbiter's orders: what an arbiter may enter, checked before it changes anything.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::{Map, Value};
use shakmaty::Color;
use thiserror::Error;

pub use self::{ground::Ground, incident::IncidentKind};
use crate::alert::Winnability;

mod ground;
mod incident;
mod syntax;

/// What an arbiter tells the tool (contract: arbiter orders).
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// A penalty was given: one more irregularity on a player's record, and the seconds added to the opponent.
    Penalty {
        /// The offender.
        side: SideName,
        /// Seconds added to the opponent's time; the edition's own number if it is not given.
        #[serde(default)]
        seconds: Option<u32>,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    },
    /// The alert is right; the ruling is given.
    Confirm {
        /// Which alert.
        alert: String,
        /// Seconds added, if they differ from the proposal.
        #[serde(default)]
        seconds: Option<u32>,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    },
    /// The alert is wrong, or nothing follows from it.
    Dismiss {
        /// Which alert.
        alert: String,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    },
    /// The arbiter has seen the alert.
    Acknowledge {
        /// Which alert.
        alert: String,
        /// A remark.
        #[serde(default)]
        reason: Option<String>,
    },
    /// A new game begins from what stands on the board, or from a position.
    NewGame {
        /// The position, if it is not the initial one.
        #[serde(default)]
        fen: Option<String>,
        /// White's name.
        #[serde(default)]
        white: Option<String>,
        /// Black's name.
        #[serde(default)]
        black: Option<String>,
        /// Both names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        players: Option<Players>,
    },
    /// The game goes on from this position.
    SetPosition {
        /// The position.
        fen: String,
    },
    /// The position after this ply was reinstated (Art. 7.5.1); the penalty counts stay.
    Reinstate {
        /// Number of the last ply that stands, 0 for the start.
        ply: u32,
    },
    /// The game has this result.
    Result {
        /// What [`Score::parse`](crate::score::Score::parse) reads, or `*` for none.
        result: String,
    },
    /// A player claims.
    Claim {
        /// Who claims.
        side: SideName,
        /// What is claimed.
        #[serde(flatten)]
        kind: Claim,
    },
    /// White sits at the other side than was thought.
    Flip,
    /// The clock stands the other way round than was thought.
    SwapClock,
    /// No alerts for a while.
    Mute {
        /// How long, seconds; 0 ends it.
        seconds: u32,
    },
    /// What was entered is taken back: the last ruling on an alert, or what is named.
    Undo {
        /// The alert whose ruling is taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alert: Option<String>,
        /// What else is taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<Undone>,
        /// Whose penalty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<SideName>,
    },
    /// A player has arrived at the board (Art. 6.7).
    Arrived {
        /// Who.
        side: SideName,
    },
    /// A player has resigned (Art. 5.1.2).
    Resign {
        /// Who.
        side: SideName,
    },
    /// A player has offered a draw; both note it with (=) (Art. 9.1).
    DrawOffer {
        /// Who.
        side: SideName,
    },
    /// Something no sensor sees: a telephone, a disturbance, a player helped (Art. 11, 12).
    Incident {
        /// What kind it is of those that the Laws name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<IncidentKind>,
        /// What happened; without a kind there has to be a reason.
        #[serde(default)]
        reason: String,
        /// Whose doing it was, if anybody's.
        #[serde(default)]
        side: Option<SideName>,
        /// The article it touches.
        #[serde(default)]
        article: Option<String>,
        /// Seconds that the opponent got.
        #[serde(default)]
        seconds: Option<u32>,
    },
    /// The arbiter's ruling in the quickplay finish (Guidelines III, Appendix G, Art. 10).
    Quickplay {
        /// Whose request or claim it was.
        side: SideName,
        /// The ruling.
        ruling: Ruling,
        /// The ground, if it was not entered with the claim.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground: Option<Ground>,
    },
    /// The players have the wrong colours (Art. 7.3; 2009: 7.2).
    ColoursReversed,
    /// The round has begun: the default time counts from now on for both players (Art. 6.7.1).
    RoundStarted,
    /// An order that names its game; it is refused if it would change another one. Written as the order with a `game`.
    #[serde(skip)]
    InGame {
        /// Number of the game.
        game: u32,
        /// The order.
        order: Box<Self>,
    },
    /// What a search for a mate has found. No arbiter enters it: it stands in captures, so that a replay says the
    /// same at the same instant without searching again.
    Answer {
        /// The alert that waits for it.
        alert: String,
        /// Whether the player can checkmate by any series of legal moves.
        mate: Winnability,
    },
}

/// The players of a new game.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// White's name.
    #[serde(default)]
    pub white: Option<String>,
    /// Black's name.
    #[serde(default)]
    pub black: Option<String>,
}

/// What a player claims.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Claim {
    /// The same position for the third time (Art. 9.2).
    Threefold,
    /// Fifty moves without a capture or a pawn move (Art. 9.3).
    Fifty,
    /// Either of them, after this intended move.
    Intended {
        /// The move written down, UCI or algebraic.
        #[serde(rename = "move")]
        intended: String,
    },
    /// A win on time (Art. 6.8, A.4.3).
    Time,
    /// Quickplay finish (Guidelines III, Appendix G, Art. 10).
    Qpf {
        /// The ground of the claim.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground: Option<Ground>,
    },
}

/// What becomes of a request or a claim in the quickplay finish.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// The opponent accepts the draw that goes with the request.
    Accepted,
    /// Five seconds a move for both from now on, two minutes for the opponent (since 2014).
    Increment,
    /// No increment; two minutes for the opponent (since 2014).
    Refused,
    /// The claim is right: a draw.
    Drawn,
    /// The claim is rejected; two minutes for the opponent.
    Rejected,
    /// The decision is postponed; the opponent may get two minutes.
    Postponed,
    /// There is no arbiter: the claim ends the game, the final position is written down and signed.
    NoArbiter,
}

/// What is taken back if it is not the ruling on an alert.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undone {
    /// The last penalty of a player.
    Penalty,
    /// The result: the game goes on.
    Result,
    /// The muting: alerts are told again.
    Mute,
}

/// A side as the interface writes it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

/// The keys of an order, none of them twice: readers differ about which of the two counts.
struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
        let mut fields = Map::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            if fields.contains_key(&key) {
                return Err(M::Error::custom(format_args!("key {key:?} twice")));
            }
            fields.insert(key, value);
        }
        Ok(Fields(fields))
    }
}

/// Why an order is refused; nothing has changed.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum OrderError {
    /// The text is no order.
    #[error("no order: {0}")]
    Syntax(String),
    /// The order cannot be carried out.
    #[error("{0}")]
    Refused(String),
}

impl Order {
    /// Reads an order.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong with the text.
    pub fn parse(json: &str) -> Result<Self, OrderError> {
        let Fields(mut value) =
            serde_json::from_str(json).map_err(|error| OrderError::Syntax(error.to_string()))?;
        let game = value.remove("game");
        if let Some(board) = value.remove("board").filter(|board| !board.is_string()) {
            return Err(OrderError::Syntax(format!("board: {board} is no serial number")));
        }
        let order = syntax::read(&value).map_err(OrderError::Syntax)?;
        // What an order does not know it must not ignore: a misspelt key would change the wrong thing.
        if let Some(key) = value.keys().find(|key| !order.knows(key)) {
            return Err(OrderError::Syntax(format!("unknown key {key:?}")));
        }
        let Some(game) = game else { return Ok(order) };
        let number = game.as_u64().and_then(|game| u32::try_from(game).ok());
        let game =
            number.ok_or_else(|| OrderError::Syntax(format!("game: {game} is no number of a game")))?;
        Ok(Self::InGame { game, order: Box::new(order) })
    }

    /// Tells whether an order has a key of this name.
    fn knows(&self, key: &str) -> bool {
        let keys: &[&str] = match self {
            Self::Penalty { .. } => &["side", "seconds", "reason"],
            Self::Confirm { .. } => &["alert", "seconds", "reason"],
            Self::Dismiss { .. } | Self::Acknowledge { .. } => &["alert", "reason"],
            Self::NewGame { .. } => &["fen", "white", "black", "players"],
            Self::SetPosition { .. } => &["fen"],
            Self::Reinstate { .. } => &["ply"],
            Self::Result { .. } => &["result"],
            Self::Claim { kind: Claim::Intended { .. }, .. } => &["side", "kind", "move"],
            Self::Claim { kind: Claim::Qpf { .. }, .. } => &["side", "kind", "ground"],
            Self::Claim { .. } => &["side", "kind"],
            Self::Mute { .. } => &["seconds"],
            Self::Undo { .. } => &["alert", "what", "side"],
            Self::Arrived { .. } | Self::Resign { .. } | Self::DrawOffer { .. } => &["side"],
            Self::Incident { .. } => &["kind", "reason", "side", "article", "seconds"],
            Self::Quickplay { .. } => &["side", "ruling", "ground"],
            Self::Answer { .. } => &["alert", "mate"],
            Self::Flip
            | Self::SwapClock
            | Self::ColoursReversed
            | Self::RoundStarted
            | Self::InGame { .. } => &[],
        };
        key == "order" || keys.contains(&key)
    }

    /// Returns the order without the name of its game.
    #[must_use]
    pub fn inner(&self) -> &Self {
        if let Self::InGame { order, .. } = self { order.inner() } else { self }
    }

    /// Returns the alert that the order is about, if it is about one.
    #[must_use]
    pub fn alert(&self) -> Option<&str> {
        match self {
            Self::Confirm { alert, .. }
            | Self::Dismiss { alert, .. }
            | Self::Acknowledge { alert, .. }
            | Self::Answer { alert, .. } => Some(alert),
            Self::InGame { order, .. } => order.alert(),
            Self::Undo { alert, .. } => alert.as_deref(),
            Self::Penalty { .. }
            | Self::NewGame { .. }
            | Self::SetPosition { .. }
            | Self::Reinstate { .. }
            | Self::Result { .. }
            | Self::Claim { .. }
            | Self::Flip
            | Self::SwapClock
            | Self::Mute { .. }
            | Self::Arrived { .. }
            | Self::Resign { .. }
            | Self::DrawOffer { .. }
            | Self::Incident { .. }
            | Self::Quickplay { .. }
            | Self::RoundStarted
            | Self::ColoursReversed => None,
        }
    }

    /// Returns the serial number of the board that an order names, which those on a line with several boards do.
    #[must_use]
    pub fn addressee(json: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Addressed {
            board: String,
        }
        // A list has no names, and would be taken for the fields in their order.
        let named = json.trim_start().starts_with('{').then_some(json)?;
        serde_json::from_str::<Addressed>(named).ok().map(|addressed| addressed.board)
    }

    /// Returns the order as one line of JSON that names its board.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written, which no order known so far is.
    pub fn json_to(&self, board: &str) -> Result<String, OrderError> {
        let mut fields = self.fields()?;
        fields.insert("board".to_owned(), board.into());
        Ok(Value::Object(fields).to_string())
    }

    /// Returns the order as one line of JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written, which no order known so far is.
    pub fn json(&self) -> Result<String, OrderError> {
        if let Self::InGame { .. } = self {
            return Ok(Value::Object(self.fields()?).to_string());
        }
        serde_json::to_string(self).map_err(|error| OrderError::Syntax(error.to_string()))
    }

    fn fields(&self) -> Result<Map<String, Value>, OrderError> {
        let (game, order) =
            if let Self::InGame { game, order } = self { (Some(*game), &**order) } else { (None, self) };
        let Value::Object(mut fields) =
            serde_json::to_value(order).map_err(|error| OrderError::Syntax(error.to_string()))?
        else {
            return Err(OrderError::Syntax("an order is an object".to_owned()));
        };
        fields.extend(game.map(|game| ("game".to_owned(), Value::from(game))));
        Ok(fields)
    }
}
