//! Owns the arbiter's orders: what an arbiter may enter, checked before it changes anything.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use self::fields::Fields;
pub use self::{
    ground::Ground,
    incident::IncidentKind,
    record::{Continued, ContinuedMove, EditKind, EnteredMoves, PathChoice},
    words::{Claim, Players, Ruling, SideName, Undone},
};
use crate::{alert::Winnability, printable::is_seen};

mod fields;
mod ground;
mod incident;
mod record;
mod syntax;
mod words;

/// What an arbiter says to the tool (contract: arbiter orders).
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
    /// The list of plies is corrected; the plies after those that change stay as they were sensed.
    Move {
        /// Number of the ply, from 1.
        ply: u32,
        /// What is done there.
        #[serde(rename = "do")]
        edit: EditKind,
        /// The moves that are entered.
        #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
        moves: Option<EnteredMoves>,
        /// How many plies go: by default one, or as many as are entered in their place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
    /// Another path was played where nobody saw it.
    Choose {
        /// One of its plies.
        ply: u32,
        /// What was played.
        path: PathChoice,
    },
    /// The game goes on at another board, or at this one again, once the board shows its position.
    Continue {
        /// The board where it goes on; the contract's key is `board`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
        /// The board that it comes from, if it is another one than that which is ordered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// What has been played of it, as the capture of the board has it where it goes on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Box<Continued>>,
    },
    /// What happened is not what the alert says, but its other story.
    Story {
        /// Which alert.
        alert: String,
        /// A remark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// What was entered is taken back: an order, the last ruling on an alert, or what is named.
    Undo {
        /// The order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
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
    /// An order with the name that it has got. Written as the order with an `id`.
    #[serde(skip)]
    Called {
        /// Its name.
        id: String,
        /// The order.
        order: Box<Self>,
    },
    /// What was played on the board before. No arbiter enters it: it stands at the beginning of a capture whose first game an order has
    /// begun, so that it can be taken back.
    Before {
        /// The game.
        record: Box<Continued>,
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

/// That an order was carried out.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct CarriedOut {
    /// The name by which it is taken back.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What is to be said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
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

/// Refuses an order for a reason.
pub(crate) fn refused(reason: impl Into<String>) -> OrderError {
    OrderError::Refused(reason.into())
}

impl Order {
    /// Reads an order.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong with the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use jadoube_core::order::Order;
    ///
    /// let order = Order::parse(r#"{"order":"result","result":"1/2-1/2","game":3}"#)?;
    /// assert_eq!(order.game(), Some(3));
    /// assert!(Order::parse(r#"{"order":"result","reslut":"1-0"}"#).is_err());
    /// # Ok::<(), jadoube_core::order::OrderError>(())
    /// ```
    pub fn parse(json: &str) -> Result<Self, OrderError> {
        let Fields(mut value) =
            serde_json::from_str(json).map_err(|error| OrderError::Syntax(error.to_string()))?;
        if let Some(Value::String(reason)) = value.get_mut("reason") {
            // Others read it beside texts that it would turn round or hide.
            reason.retain(|sign| sign.is_control() || is_seen(sign));
        }
        let game = value.remove("game");
        let board = value.remove("board");
        if let Some(board) = board.as_ref().filter(|board| !board.is_string()) {
            return Err(OrderError::Syntax(format!("board: {board} is no serial number")));
        }
        if let Some(board) = board.filter(|_| kind(&value) == Some("continue")) {
            value.entry("to").or_insert(board);
        }
        // An undo names the order that it takes back.
        let id = if kind(&value) == Some("undo") { None } else { value.remove("id") };
        let order = syntax::read(&value).map_err(OrderError::Syntax)?;
        // What an order does not know it must not ignore: a misspelt key would change the wrong thing.
        if let Some(key) = value.keys().find(|key| !order.knows(key)) {
            return Err(OrderError::Syntax(format!("unknown key {key:?}")));
        }
        let order = match id {
            None => order,
            Some(Value::String(id)) => Self::Called { id, order: Box::new(order) },
            Some(id) => return Err(OrderError::Syntax(format!("id: {id} is no name of an order"))),
        };
        let Some(game) = game else { return Ok(order) };
        let number = game.as_u64().and_then(|game| u32::try_from(game).ok());
        let game =
            number.ok_or_else(|| OrderError::Syntax(format!("game: {game} is no number of a game")))?;
        Ok(Self::InGame { game, order: Box::new(order) })
    }

    /// Returns whether an order has a key of this name.
    fn knows(&self, key: &str) -> bool {
        let keys: &[&str] = match self {
            Self::Penalty { .. } => &["side", "seconds", "reason"],
            Self::Confirm { .. } => &["alert", "seconds", "reason"],
            Self::Dismiss { .. } | Self::Acknowledge { .. } | Self::Story { .. } => &["alert", "reason"],
            Self::Move { .. } => &["ply", "do", "move", "plies"],
            Self::Choose { .. } => &["ply", "path"],
            Self::Continue { .. } => &["to", "from", "record"],
            Self::Before { .. } => &["record"],
            Self::NewGame { .. } => &["fen", "white", "black", "players"],
            Self::SetPosition { .. } => &["fen"],
            Self::Reinstate { .. } => &["ply"],
            Self::Result { .. } => &["result"],
            Self::Claim { kind: Claim::Intended { .. }, .. } => &["side", "kind", "move"],
            Self::Claim { kind: Claim::Qpf { .. }, .. } => &["side", "kind", "ground"],
            Self::Claim { .. } => &["side", "kind"],
            Self::Mute { .. } => &["seconds"],
            Self::Undo { .. } => &["id", "alert", "what", "side"],
            Self::Arrived { .. } | Self::Resign { .. } | Self::DrawOffer { .. } => &["side"],
            Self::Incident { .. } => &["kind", "reason", "side", "article", "seconds"],
            Self::Quickplay { .. } => &["side", "ruling", "ground"],
            Self::Answer { .. } => &["alert", "mate"],
            Self::Flip
            | Self::SwapClock
            | Self::ColoursReversed
            | Self::RoundStarted
            | Self::Called { .. }
            | Self::InGame { .. } => &[],
        };
        key == "order" || keys.contains(&key)
    }

    /// Returns whether it stands in captures only.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        let order = self.inner();
        matches!(order, Self::Answer { .. } | Self::Before { .. })
            || matches!(order, Self::Continue { record: Some(_), .. })
    }

    /// Returns the order without its name and that of its game.
    #[must_use]
    pub fn inner(&self) -> &Self {
        if let Self::InGame { order, .. } | Self::Called { order, .. } = self { order.inner() } else { self }
    }

    /// Returns the number of the game that the order names.
    #[must_use]
    pub fn game(&self) -> Option<u32> {
        if let Self::Called { order, .. } = self {
            return order.game();
        }
        if let Self::InGame { game, .. } = self { Some(*game) } else { None }
    }

    /// Returns the order with this name, or without one.
    #[must_use]
    pub fn called(&self, id: Option<&str>) -> Self {
        let order = Box::new(self.inner().clone());
        let order = match self.game() {
            Some(game) => Self::InGame { game, order },
            None => *order,
        };
        match id.filter(|id| !id.is_empty()) {
            Some(id) => Self::Called { id: id.to_owned(), order: Box::new(order) },
            None => order,
        }
    }

    /// Returns the name that the order has.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        if let Self::InGame { order, .. } = self {
            return order.id();
        }
        if let Self::Called { id, .. } = self { Some(id) } else { None }
    }

    /// Returns the alert that the order is about, if it is about one.
    #[must_use]
    pub fn alert(&self) -> Option<&str> {
        match self {
            Self::Confirm { alert, .. }
            | Self::Dismiss { alert, .. }
            | Self::Acknowledge { alert, .. }
            | Self::Story { alert, .. }
            | Self::Answer { alert, .. } => Some(alert),
            Self::InGame { order, .. } | Self::Called { order, .. } => order.alert(),
            Self::Undo { alert, .. } => alert.as_deref(),
            Self::Penalty { .. }
            | Self::NewGame { .. }
            | Self::SetPosition { .. }
            | Self::Reinstate { .. }
            | Self::Move { .. }
            | Self::Choose { .. }
            | Self::Continue { .. }
            | Self::Before { .. }
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
}

/// Returns the name of the kind of an order.
fn kind(fields: &serde_json::Map<String, Value>) -> Option<&str> {
    fields.get("order").and_then(Value::as_str)
}
