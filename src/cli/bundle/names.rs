//! Takes names of people, free texts and secrets out of what is sent to others.

use std::collections::BTreeMap;

use serde_json::Value;
use toml::Table;

/// Keys of the configuration whose texts say nothing of people, machines or secrets; texts of all others are left out.
const HARMLESS: [&str; 24] = [
    "rules",
    "control",
    "time_control",
    "language",
    "orientation",
    "white_clock",
    "fen",
    "scan",
    "path",
    "bus",
    "serial",
    "state_dir",
    "log_dir",
    "dir",
    "listen",
    "role",
    "site",
    "daemon",
    "token_file",
    "file",
    "tables",
    "origins",
    "ca_file",
    "password_file",
];

/// Tables of the configuration that are left out: who people are, and where other services are.
const PRIVATE: [&str; 6] = ["arbiter", "notify", "white_player", "black_player", "lichess", "mqtt"];

/// Keys of orders and events whose texts are the name of a person, or say who it is.
const PERSONS: [&str; 8] =
    ["white", "black", "arbiter", "by_arbiter", "name", "fide_id", "team", "entered_by"];

/// Those of them whose texts are looked for everywhere else.
const NAMES: [&str; 6] = ["white", "black", "arbiter", "by_arbiter", "name", "entered_by"];

/// Keys of orders whose texts somebody has written freely.
const FREE: [&str; 5] = ["reason", "note", "remark", "address", "comment"];

/// Shorter names are looked for as whole words only.
const SHORTEST: usize = 3;

/// Shorter secrets would be found inside of words; nobody has such a one.
const SHORTEST_SECRET: usize = 4;

/// What stands in the place of a secret.
const HIDDEN: &str = "removed";

/// The names and secrets that are known, and what stands in their place.
pub(super) struct Names {
    replace: bool,
    known: BTreeMap<String, String>,
    /// What is looked for in texts: the longest first, as a name may be the beginning of another one.
    ordered: Vec<(String, String)>,
}

impl Names {
    pub(super) const fn new(replace: bool) -> Self {
        Self { replace, known: BTreeMap::new(), ordered: Vec::new() }
    }

    /// Notes the name of a person.
    pub(super) fn learn(&mut self, name: &str) {
        if name.is_empty() || name == "?" || self.known.contains_key(name) {
            return;
        }
        let other = if self.replace { format!("Player {}", self.known.len() + 1) } else { "?".to_owned() };
        self.known.insert(name.to_owned(), other.clone());
        self.look_for(name, &other);
        // The other way to write it.
        if let Some((last, first)) = name.split_once(", ") {
            self.look_for(&format!("{first} {last}"), &other);
        }
    }

    /// Notes a secret.
    pub(super) fn hide(&mut self, secret: &str) {
        if secret.chars().count() >= SHORTEST_SECRET {
            self.look_for(secret, HIDDEN);
        }
    }

    fn look_for(&mut self, text: &str, other: &str) {
        let place = self.ordered.partition_point(|(known, _)| known.len() > text.len());
        self.ordered.insert(place, (text.to_owned(), other.to_owned()));
    }

    /// Returns a text in which no known name or secret is.
    pub(super) fn text(&self, text: &str) -> String {
        self.ordered.iter().fold(text.to_owned(), |text, (name, other)| {
            if !text.contains(name.as_str()) {
                text
            } else if name.chars().count() >= SHORTEST {
                text.replace(name.as_str(), other)
            } else {
                replace_word(&text, name, other)
            }
        })
    }

    /// Returns a capture without names in its orders and remarks; what the boards said stays as it is.
    pub(super) fn capture(&self, bytes: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.split_inclusive('\n').map(|line| {
            let Some((head, json)) = line.split_once(" @ ") else {
                return match line {
                    _ if line.starts_with("# note:") => "# note: removed\n".to_owned(),
                    _ if line.contains(" < ") || line.contains(" > ") => line.to_owned(),
                    _ => self.text(line),
                };
            };
            let Ok(mut order) = serde_json::from_str::<Value>(json) else { return self.text(line) };
            self.clean(&mut order);
            format!("{head} @ {order}\n")
        });
        lines.collect::<String>().into_bytes()
    }

    /// Handles the names of all orders in a capture.
    pub(super) fn learn_from_orders(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).lines() {
            if let Some((_, json)) = line.split_once(" @ ")
                && let Ok(order) = serde_json::from_str::<Value>(json)
            {
                self.learn_from(&order);
            }
        }
    }

    /// Handles the names that an order or an event gives players and arbiters.
    pub(super) fn learn_from(&mut self, value: &Value) {
        match value {
            Value::Object(entries) => {
                // White gets the lower number, whatever the order of the keys.
                let white = entries.get_key_value("white");
                let others = entries.iter().filter(|(key, _)| key.as_str() != "white");
                for (key, value) in white.into_iter().chain(others) {
                    match value.as_str() {
                        Some(name) if NAMES.contains(&key.as_str()) => self.learn(name),
                        Some(pgn) if key == "pgn" => self.learn_from_headers(pgn),
                        Some(_) => {}
                        None => self.learn_from(value),
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.learn_from(value)),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn learn_from_headers(&mut self, pgn: &str) {
        for line in pgn.lines() {
            let names = ["[White \"", "[Black \"", "[Event \"", "[Annotator \""];
            let name = names.iter().find_map(|head| line.strip_prefix(head)?.strip_suffix("\"]"));
            self.learn(name.unwrap_or_default());
        }
    }

    /// Removes names and free texts from an order or an event.
    pub(super) fn clean(&self, value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for (key, value) in entries.iter_mut() {
                    let is_one_of = |keys: &[&str]| value.is_string() && keys.contains(&key.as_str());
                    if is_one_of(&FREE) {
                        *value = HIDDEN.into();
                    } else if is_one_of(&PERSONS) {
                        let name = value.as_str().unwrap_or_default();
                        *value = self.known.get(name).map_or("?", String::as_str).into();
                    } else {
                        self.clean(value);
                    }
                }
            }
            Value::Array(values) => {
                for value in values {
                    self.clean(value);
                }
            }
            Value::String(text) => *text = self.text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Returns a configuration without names and secrets.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text.
    pub(super) fn configuration(&self, text: &str) -> Result<String, String> {
        let mut table: Table = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        self.clean_table(&mut table);
        toml::to_string(&table).map_err(|error| error.to_string())
    }

    fn clean_table(&self, table: &mut Table) {
        table.retain(|key, value| {
            if PRIVATE.contains(&key) {
                return false;
            }
            match value {
                toml::Value::String(name) if matches!(key, "white" | "black") => {
                    *name = self.known.get(name.as_str()).cloned().unwrap_or_default();
                    self.replace
                }
                toml::Value::String(_) => HARMLESS.contains(&key),
                toml::Value::Array(values) => {
                    for value in values.iter_mut() {
                        if let toml::Value::Table(table) = value {
                            self.clean_table(table);
                        }
                    }
                    HARMLESS.contains(&key) || values.iter().all(toml::Value::is_table)
                }
                toml::Value::Table(table) => {
                    self.clean_table(table);
                    true
                }
                toml::Value::Integer(_)
                | toml::Value::Float(_)
                | toml::Value::Boolean(_)
                | toml::Value::Datetime(_) => true,
            }
        });
    }
}

/// Replaces a name where it is a whole word.
fn replace_word(text: &str, name: &str, other: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(name) {
        let is_word = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        replaced.extend([before, if is_word { other } else { name }]);
        rest = after;
    }
    replaced + rest
}

/// Returns a text without what stands in single quotation marks in it.
pub(super) fn without_quotes(text: &str) -> String {
    let parts = text.split('\'').enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part } else { "'…'" }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "[event]\nname = 'City Open'\ncontrol = 'blitz'\n[[table]]\nnumber = 1\nserial = '23946'\n\
        white = 'Last, First'\nwhite_player = { fide_id = '1234567', elo = 2400 }\n[mqtt]\nurl = 'mqtt://u:secret@broker'\n\
        [http]\nurl = 'https://arbiter.example'\nlisten = '127.0.0.1:8080'\n[[arbiter]]\nname = 'Chief, A.'\nrole = 'chief'\n\
        [[notify]]\nkind = 'ntfy'\nurl = 'https://ntfy.example/topic'\n";

    #[test]
    fn names_and_secrets_leave_the_configuration() {
        let mut names = Names::new(false);
        names.learn("Last, First");
        let text = names.configuration(CONFIG).unwrap();
        for gone in ["City", "Last", "1234567", "secret", "broker", "example", "Chief"] {
            assert!(!text.contains(gone), "{gone} is in\n{text}");
        }
        let config = crate::config::Config::parse("t", &text, &[]).unwrap();
        assert_eq!(config.table("23946").unwrap().number, Some(1));
        assert_eq!(config.event.control.name(), "blitz");
        let mut names = Names::new(true);
        names.learn("Last, First");
        assert!(names.configuration(CONFIG).unwrap().contains("white = \"Player 1\""));
    }

    #[test]
    fn names_leave_orders_and_events() {
        let mut names = Names::new(true);
        let capture = "# dgt-capture 1\n# note: Meier wins\n1.000000 < 93 00 05 01 08\n\
            2.000000 @ {\"order\":\"new-game\",\"players\":{\"white\":\"Meier, A\",\"black\":\"Huber, B\"}}\n\
            3.000000 @ {\"order\":\"incident\",\"reason\":\"Huber shouted\"}\n";
        names.learn_from_orders(capture.as_bytes());
        let cleaned = String::from_utf8(names.capture(capture.as_bytes())).unwrap();
        assert!(!cleaned.contains("Meier") && !cleaned.contains("Huber"), "{cleaned}");
        assert!(cleaned.contains("1.000000 < 93 00 05 01 08\n") && cleaned.contains("Player 2"), "{cleaned}");
        let mut event =
            serde_json::json!({"event": "game", "pgn": "[White \"Meier, A\"]", "arbiter": "Chief"});
        names.clean(&mut event);
        assert_eq!(event.to_string(), r#"{"arbiter":"?","event":"game","pgn":"[White \"Player 1\"]"}"#);
    }
}
