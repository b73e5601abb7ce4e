//! The fields of an alert, kept as JSON.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// What the interface shows of an alert, by name. A board keeps up to 64 alerts and rarely looks at one: as text, each takes a third of
/// the memory of a tree of values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fields(Arc<str>);

impl Fields {
    /// Returns all fields.
    #[must_use]
    pub fn read(&self) -> Map<String, Value> {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Returns one field; who needs several reads all at once.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        self.read().remove(name)
    }

    /// Returns one field that is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        match self.get(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }
}

impl From<&Map<String, Value>> for Fields {
    fn from(fields: &Map<String, Value>) -> Self {
        Self(serde_json::to_string(fields).unwrap_or_default().into())
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.read().serialize(serializer)
    }
}
