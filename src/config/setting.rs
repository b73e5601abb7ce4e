//! Single keys that are given outside of files: `--set KEY=VALUE`, and variables such as `JADOUBE__HTTP__LISTEN`.

use toml::{Table, Value};

use super::path::PathStep;

/// Origin of values that were given as `--set KEY=VALUE`.
pub(super) const COMMAND_LINE: &str = "--set";

/// Beginning of variables that are keys; two underscores separate the parts of a key, and numbers count entries of lists from 0.
pub(super) const VARIABLES: &str = "JADOUBE__";

/// A key and its value.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) path: Vec<PathStep>,
    /// `--set`, or the name of the variable.
    pub(super) origin: String,
    text: String,
    pub(super) value: Value,
    /// Why the text was refused as what it looks like, if it is read as something else now.
    pub(super) refusal: Option<String>,
}

impl Setting {
    /// Reads `KEY=VALUE`, where the key is written as in `table[0].white`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, and what was expected.
    pub(super) fn parse(setting: &str) -> Result<Self, String> {
        let (key, text) = setting.split_once('=').ok_or("expected KEY=VALUE")?;
        let mut path = Vec::new();
        for part in key.trim().split('.') {
            let (name, indices) =
                part.split_once('[').map_or((part, None), |(name, rest)| (name, Some(rest)));
            if name.is_empty() {
                return Err(format!("'{}' is no key; expected one such as board.scan_ms", key.trim()));
            }
            path.push(PathStep::Key(name.to_owned()));
            if let Some(index) = indices {
                let number = index.strip_suffix(']').and_then(|number| number.parse().ok());
                path.push(PathStep::Index(number.ok_or_else(|| {
                    format!("'{part}' is no entry of a list; expected one such as table[0], the first one")
                })?));
            }
        }
        Ok(Self::new(path, COMMAND_LINE, text))
    }

    /// Reads a variable whose name begins with [`VARIABLES`].
    ///
    /// # Errors
    ///
    /// Returns what is wrong, and what was expected.
    pub(super) fn of_variable(name: &str, text: &str) -> Result<Self, String> {
        let key = name.strip_prefix(VARIABLES).unwrap_or(name).to_ascii_lowercase();
        let mut path = Vec::new();
        for part in key.split("__") {
            match part.parse() {
                Ok(index) if !path.is_empty() => path.push(PathStep::Index(index)),
                _ if part.is_empty() => {
                    return Err("expected a name such as JADOUBE__HTTP__LISTEN".to_owned());
                }
                _ => path.push(PathStep::Key(part.to_owned())),
            }
        }
        Ok(Self::new(path, name, text))
    }

    /// The text is read as TOML, and otherwise as a string.
    fn new(path: Vec<PathStep>, origin: &str, text: &str) -> Self {
        let text = text.trim().to_owned();
        let value = toml::from_str::<Table>(&format!("value = {text}"));
        let value = value.ok().filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
        // A date is a string here: no key has one.
        let value = value.filter(|value| !matches!(value, Value::Datetime(_)));
        let value = value.unwrap_or_else(|| Value::String(text.clone()));
        Self { path, origin: origin.to_owned(), text, value, refusal: None }
    }

    /// Reads the text as something else, if that is possible; `message` says why it was refused.
    pub(super) fn read_differently(&mut self, message: &str) -> bool {
        let list = || self.text.split(',').map(|part| Value::String(part.trim().to_owned())).collect();
        if !self.value.is_str() && !self.value.is_array() && !self.value.is_table() {
            self.value = Value::String(self.text.clone());
            self.refusal = Some(message.to_owned());
        } else if self.value.is_str() && message.ends_with("expected a sequence") {
            self.value = Value::Array(list());
        } else {
            return false;
        }
        true
    }

    /// Puts the value in its place in a table that has one.
    pub(super) fn put(&self, table: &mut Table) -> bool {
        let Some((PathStep::Key(first), rest)) = self.path.split_first() else { return false };
        let place = rest.iter().try_fold(table.get_mut(first), |place, step| {
            Some(match step {
                PathStep::Key(key) => place?.get_mut(key),
                PathStep::Index(index) => place?.get_mut(*index),
            })
        });
        let Some(Some(place)) = place else { return false };
        *place = self.value.clone();
        true
    }
}
