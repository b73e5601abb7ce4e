//! Owns the record of what was true in a simulated game: the moves that stand, what has to be noticed, and what was
//! merely odd.

use serde_json::{Map, Value, json};
use shakmaty::Color;

use super::{games::Ending, incident::Incident};
use jadoube_core::{code::Code, laws::Control, side::side_name, time::Timestamp};

/// The truth about a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The game's name.
    pub name: String,
    /// Which part of the Laws applied.
    pub control: Control,
    /// The moves that stand, legal or not.
    pub moves: Vec<TrueMove>,
    /// Alerts that have to be raised.
    pub alerts: Vec<ExpectedAlert>,
    /// Irregularities without a consequence.
    pub remarks: Vec<Remark>,
    /// Incidents that happened, with their ply.
    pub incidents: Vec<(u32, Incident)>,
    /// Planned incidents that no turn suited.
    pub unsuited: Vec<Incident>,
    /// How the game ended.
    pub ending: Ending,
}

/// A move that stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TrueMove {
    /// The move in UCI.
    pub uci: String,
    /// Whether it obeyed Art. 3.
    pub legal: bool,
    /// When it was made.
    pub made_at: Timestamp,
}

/// An alert that has to be raised.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ExpectedAlert {
    /// What.
    pub code: Code,
    /// The offender, the claimant, the player mated or flagged; `None` is both.
    pub side: Option<Color>,
    /// When it happened: the instant of the press, or of what took its place.
    pub at: Timestamp,
    /// The ply that it is about, from 1.
    pub ply: u32,
}

/// Something odd.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Remark {
    /// Its kind.
    pub what: &'static str,
    /// When it began.
    pub at: Timestamp,
    /// Squares or moves that it is about.
    pub about: String,
}

impl ExpectedAlert {
    /// Returns whether this is an offence or a flag, which must not be missed. The rest are suspicions, claims and
    /// ends of games.
    #[must_use]
    pub const fn is_violation(&self) -> bool {
        matches!(
            self.code,
            Code::IllegalMove
                | Code::PromotionNotReplaced
                | Code::PressWithoutMove
                | Code::TwoHandsSuspect
                | Code::IllegalPositionDraw
                | Code::FlagFall
        )
    }
}

impl Truth {
    /// Converts all times, from those of the people to those of the line.
    #[must_use]
    pub fn at_times(mut self, time: impl Fn(Timestamp) -> Timestamp) -> Self {
        for m in &mut self.moves {
            m.made_at = time(m.made_at);
        }
        for expected in &mut self.alerts {
            expected.at = time(expected.at);
        }
        for remark in &mut self.remarks {
            remark.at = time(remark.at);
        }
        self
    }

    /// Writes it as JSON: moves in UCI, violations as `alerts`, what else is to be noticed as `further`, the rest as
    /// `notes`.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let moves: Vec<&str> = self.moves.iter().map(|m| m.uci.as_str()).collect();
        let illegal: Vec<usize> =
            self.moves.iter().zip(1..).filter(|(m, _)| !m.legal).map(|(_, ply)| ply).collect();
        let alerts = |violations: bool| -> Vec<Value> {
            let those = self.alerts.iter().filter(|expected| expected.is_violation() == violations);
            those.map(expected_json).collect()
        };
        let notes = self.remarks.iter().map(|remark| json!([remark.what, remark.at, remark.about]));
        let plan = self.incidents.iter().map(|(ply, incident)| (ply.to_string(), json!(incident.name())));
        let unsuited: Vec<&str> = self.unsuited.iter().map(|incident| incident.name()).collect();
        let result = match self.ending {
            Ending::Unknown => Value::Null,
            Ending::Won(_) | Ending::Drawn => json!(self.ending.score()),
        };
        let mut map = Map::new();
        map.insert("name".to_owned(), json!(self.name));
        map.insert("control".to_owned(), json!(self.control));
        map.insert("moves".to_owned(), json!(moves));
        map.insert("illegal".to_owned(), json!(illegal));
        map.insert("alerts".to_owned(), json!(alerts(true)));
        map.insert("further".to_owned(), json!(alerts(false)));
        map.insert("result".to_owned(), result);
        map.insert("plan".to_owned(), Value::Object(plan.collect()));
        map.insert("unsuited".to_owned(), json!(unsuited));
        map.insert("notes".to_owned(), Value::Array(notes.collect()));
        map
    }
}

fn expected_json(expected: &ExpectedAlert) -> Value {
    let side = expected.side.map_or("both", side_name);
    json!({ "code": expected.code, "color": side, "t": expected.at, "ply": expected.ply })
}
