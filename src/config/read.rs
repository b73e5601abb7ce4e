//! Reads the keys of a configuration: the TOML of its file with the `KEY=VALUE` of the command line over it.
//!
//! A value from the file has the type of its key: a number in quotation marks is refused. The text of a `--set` is read
//! as TOML if its key takes that, otherwise as a text, and as a list of texts where the key wants a list.

use serde_path_to_error::{Path, Segment};
use toml::{Table, Value};

use super::{
    Config, ConfigError, Warning,
    error::{one_line, reason},
};

/// Most errors that are reported at once.
const MOST: usize = 50;

/// Origin of values that were given as `KEY=VALUE`.
const COMMAND_LINE: &str = "--set";

/// Reads a whole configuration; `file` is the name that errors carry.
///
/// # Errors
///
/// Returns all errors, at least one: each with file, key and remedy.
pub(super) fn read(file: &str, text: &str, settings: &[String]) -> Result<Config, Vec<ConfigError>> {
    let (_, flaws) = toml::de::DeTable::parse_recoverable(text);
    if !flaws.is_empty() {
        let mut errors: Vec<ConfigError> =
            flaws.iter().take(MOST).map(|flaw| ConfigError::syntax(file, text, flaw)).collect();
        // What follows from an error stands in the same line.
        errors.dedup_by_key(|error| error.line());
        return Err(errors);
    }
    let mut table: Table =
        toml::from_str(text).map_err(|error| vec![ConfigError::syntax(file, text, &error)])?;
    let mut errors = Vec::new();
    let (mut given, mut wrong) = (Vec::new(), Vec::new());
    for setting in settings {
        match Setting::parse(setting).and_then(|setting| setting.put(&mut table).map(|()| setting)) {
            Ok(setting) => given.push(setting),
            Err(reason) => errors.push(ConfigError::Setting { setting: setting.clone(), reason }),
        }
    }
    // A part that is wrong is taken out once it is reported, so that the rest is looked at, too.
    while errors.len() < MOST {
        let error = match serde_path_to_error::deserialize::<_, Config>(Value::Table(table.clone())) {
            Ok(config) if errors.is_empty() => return Ok(config),
            Ok(rest) => {
                errors.extend(contradictions(file, &rest));
                break;
            }
            Err(error) => error,
        };
        let mut message = one_line(error.inner().message());
        let mut path = steps(error.path());
        if let Some(setting) = given.iter_mut().find(|setting| path.starts_with(&setting.path)) {
            if setting.read_differently(&message) && setting.put(&mut table).is_ok() {
                continue;
            }
            message = setting.refusal.take().unwrap_or(message);
        }
        let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        path.extend(missing.map(|key| PathStep::Key(key.to_owned())));
        // What was taken out because it is wrong is not missing.
        if missing.is_some() && wrong.contains(&path) && remove_value(&mut table, &path, true) {
            continue;
        }
        // Of a key that nobody gave in the file, the first part that is not known is reported.
        let is_given =
            given.iter().any(|setting| setting.path.starts_with(&path) || path.starts_with(&setting.path))
                && !is_in(text, &path);
        errors.push(ConfigError::Key {
            file: if is_given { COMMAND_LINE } else { file }.to_owned(),
            key: if is_given { written(&path) } else { spoken(&path) },
            reason: reason(&message),
        });
        if !remove_value(&mut table, &path, missing.is_some()) {
            break;
        }
        wrong.push(path);
    }
    Err(errors)
}

/// Returns the errors of a configuration whose keys can all be read, such as a table that is there twice.
fn contradictions(file: &str, config: &Config) -> impl Iterator<Item = ConfigError> {
    let found = config.check().into_iter().filter(|warning| warning.is_error);
    found.map(move |Warning { key, text, .. }| ConfigError::Key { file: file.to_owned(), key, reason: text })
}

/// One step of the path to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
enum PathStep {
    Key(String),
    Index(usize),
}

/// A `KEY=VALUE` of the command line.
struct Setting {
    path: Vec<PathStep>,
    text: String,
    value: Value,
    /// Why the text was refused as what it looks like, if it is taken as something else now.
    refusal: Option<String>,
}

impl Setting {
    fn parse(setting: &str) -> Result<Self, String> {
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
        let text = text.trim().to_owned();
        let value = toml::from_str::<Table>(&format!("value = {text}"));
        let value = value.ok().filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
        Ok(Self { path, value: value.unwrap_or_else(|| Value::String(text.clone())), text, refusal: None })
    }

    /// Takes the text as something else, if it can be; `message` says why it was refused.
    fn read_differently(&mut self, message: &str) -> bool {
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

    /// Puts the value into a table.
    fn put(&self, table: &mut Table) -> Result<(), String> {
        let Some((PathStep::Key(first), rest)) = self.path.split_first() else { return Ok(()) };
        let mut place = table.entry(first.clone()).or_insert_with(|| empty(rest.first()));
        let mut rest = rest;
        while let Some((step, after)) = rest.split_first() {
            place = match (step, place) {
                (PathStep::Key(key), Value::Table(table)) => {
                    table.entry(key.clone()).or_insert_with(|| empty(after.first()))
                }
                (PathStep::Index(index), Value::Array(list)) => {
                    if *index == list.len() {
                        list.push(empty(after.first()));
                    }
                    let length = list.len();
                    list.get_mut(*index).ok_or_else(|| format!("there are only {length} in the list"))?
                }
                (PathStep::Key(key), _) => return Err(format!("'{key}' is looked for in what is no table")),
                (PathStep::Index(_), _) => return Err("an entry is looked for in what is no list".to_owned()),
            };
            rest = after;
        }
        *place = self.value.clone();
        Ok(())
    }
}

/// Makes what a step leads through.
fn empty(next: Option<&PathStep>) -> Value {
    match next {
        Some(PathStep::Index(_)) => Value::Array(Vec::new()),
        Some(PathStep::Key(_)) | None => Value::Table(Table::new()),
    }
}

fn steps(path: &Path) -> Vec<PathStep> {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(PathStep::Index(*index)),
        Segment::Map { key } => Some(PathStep::Key(key.clone())),
        Segment::Enum { .. } | Segment::Unknown => None,
    };
    path.iter().filter_map(step).collect()
}

/// Writes a path as `--set` takes it: `table[0].white`.
fn written(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Index(index) => text.extend(["[", &index.to_string(), "]"]),
            PathStep::Key(key) if text.is_empty() => text.push_str(key),
            PathStep::Key(key) => text.extend([".", key]),
        }
    }
    text
}

/// Writes a path as people count: `table 1: white`.
fn spoken(path: &[PathStep]) -> String {
    let mut text = String::new();
    let mut after = "";
    for step in path {
        match step {
            PathStep::Index(index) => {
                text.extend([" ", &(index + 1).to_string()]);
                after = ": ";
            }
            PathStep::Key(key) => {
                text.extend([after, key]);
                after = ".";
            }
        }
    }
    text
}

/// Tells whether a file's text has something at a path.
fn is_in(text: &str, path: &[PathStep]) -> bool {
    let Ok(table) = toml::from_str::<Table>(text) else { return false };
    let root = Value::Table(table);
    let found = path.iter().try_fold(&root, |value, step| match step {
        PathStep::Key(key) => value.get(key),
        PathStep::Index(index) => value.get(index),
    });
    found.is_some()
}

/// Takes what is wrong out of a table: a value, or the list that it is in; a text stands in for a missing one.
///
/// Returns whether that changed anything.
fn remove_value(table: &mut Table, path: &[PathStep], missing: bool) -> bool {
    let Some((last, before)) = path.split_last() else { return false };
    let mut root = Value::Table(std::mem::take(table));
    let place = before.iter().try_fold(&mut root, |value, step| match step {
        PathStep::Key(key) => value.get_mut(key),
        PathStep::Index(index) => value.get_mut(index),
    });
    let changed = match (last, place) {
        (PathStep::Key(key), Some(Value::Table(table))) if missing => {
            table.insert(key.clone(), Value::String(String::new())).is_none()
        }
        (PathStep::Key(key), Some(Value::Table(table))) => table.remove(key).is_some(),
        (PathStep::Index(_), Some(Value::Array(values))) => !std::mem::take(values).is_empty(),
        _ => false,
    };
    if let Value::Table(changed) = root {
        *table = changed;
    }
    changed
}
