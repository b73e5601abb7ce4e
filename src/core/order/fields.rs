//! An order as a JSON object: its keys, and how it is written.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::{Map, Value};

use super::{Order, OrderError};

/// The keys of an order, none of them twice: readers differ about which of the two counts.
pub(super) struct Fields(pub(super) Map<String, Value>);

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

impl Order {
    /// Returns the serial number of the board that an order names, which those on a line with several boards do.
    #[must_use]
    pub fn addressee(json: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Addressed {
            board: String,
            order: Option<Value>,
            to: Option<Value>,
        }
        // A list has no names, and would be taken for the fields in their order.
        let named = json.trim_start().starts_with('{').then_some(json)?;
        let addressed = serde_json::from_str::<Addressed>(named).ok()?;
        // There it may be the board where the game goes on.
        let is_other = addressed.to.is_none() && addressed.order.is_some_and(|order| order == "continue");
        (!is_other).then_some(addressed.board)
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
        if let Self::InGame { .. } | Self::Called { .. } = self {
            return Ok(Value::Object(self.fields()?).to_string());
        }
        serde_json::to_string(self).map_err(|error| OrderError::Syntax(error.to_string()))
    }

    fn fields(&self) -> Result<Map<String, Value>, OrderError> {
        let order = self.inner();
        let Value::Object(mut fields) =
            serde_json::to_value(order).map_err(|error| OrderError::Syntax(error.to_string()))?
        else {
            return Err(OrderError::Syntax("an order is an object".to_owned()));
        };
        fields.extend(self.game().map(|game| ("game".to_owned(), Value::from(game))));
        // An undo names the order that it takes back.
        let id = self.id().filter(|_| !matches!(order, Self::Undo { .. }));
        fields.extend(id.map(|id| ("id".to_owned(), Value::from(id))));
        Ok(fields)
    }
}
