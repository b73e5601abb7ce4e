//! Says which values of a configuration are not defaults, and where each of them is from.

use toml::Value;

use super::{
    Config,
    layers::Layers,
    path::{PathStep, heard, written},
};

/// Keys of `[[notify]]` whose values may be secrets: whoever knows the address of a topic can write to it.
const SECRET: [&str; 3] = ["url", "template", "command"];

/// Most characters of a value that are shown in one line.
const LONGEST: usize = 200;

/// Where the values of a configuration are from.
#[derive(Clone, Debug)]
pub struct Sources {
    values: Value,
    layers: Layers,
}

impl Sources {
    pub(super) fn new(config: &Config, layers: Layers) -> Self {
        // All keys are texts, so that this cannot fail; without values there is nothing to say.
        let values = Value::try_from(config).unwrap_or_else(|_| Value::Table(toml::Table::new()));
        Self { values, layers }
    }

    /// Returns the source of what a warning is about: a file, a variable or `--set`; `None` for a default.
    #[must_use]
    pub fn of(&self, key: &str) -> Option<&str> {
        self.layers.nearest_origin(&heard(key))
    }

    /// Returns everything that is no default, from all sources, as one TOML text.
    #[must_use]
    pub fn given(&self) -> String {
        self.layers.given().to_string()
    }

    /// Returns a line for each value, `key = value  # source`: those that are given, or `all` that count.
    #[must_use]
    pub fn lines(&self, all: bool) -> Vec<String> {
        let mut lines = Vec::new();
        self.add_lines(&self.values, &mut Vec::new(), all, &mut lines);
        let width = lines
            .iter()
            .map(|(value, _)| value.chars().count())
            .filter(|width| *width <= 50)
            .max()
            .unwrap_or(0);
        lines.into_iter().map(|(value, source)| format!("{value:width$}  # {source}")).collect()
    }

    fn add_lines(
        &self,
        value: &Value,
        path: &mut Vec<PathStep>,
        all: bool,
        lines: &mut Vec<(String, String)>,
    ) {
        match value {
            Value::Table(table) => {
                for (key, value) in table {
                    path.push(PathStep::Key(key.clone()));
                    self.add_lines(value, path, all, lines);
                    path.pop();
                }
                // A section without any key switches a service on.
                let is_section = matches!(path.as_slice(), [PathStep::Key(_)]);
                if is_section
                    && !all
                    && !lines.iter().any(|(line, _)| line.starts_with(&format!("{}.", written(path))))
                    && is_switched_on(path)
                {
                    lines.push((format!("[{}]", written(path)), "with its defaults".to_owned()));
                }
            }
            Value::Array(list) if list.iter().any(Value::is_table) => {
                let Some(source) = self.layers.origin(path) else { return };
                if !all {
                    let entries = if list.len() == 1 { "entry" } else { "entries" };
                    lines.push((
                        format!("[[{}]]: {} {entries}", written(path), list.len()),
                        source.to_owned(),
                    ));
                    return;
                }
                for (index, value) in list.iter().enumerate() {
                    path.push(PathStep::Index(index));
                    self.add_lines(value, path, all, lines);
                    path.pop();
                }
            }
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => {
                let source = self.layers.origin(path);
                if source.is_some() || all {
                    let line = format!("{} = {}", written(path), shown(value, path));
                    lines.push((line, source.unwrap_or("default").to_owned()));
                }
            }
        }
    }
}

/// Returns whether a section that is there would not be by default.
fn is_switched_on(path: &[PathStep]) -> bool {
    let Ok(Value::Table(defaults)) = Value::try_from(Config::default()) else { return false };
    matches!(path, [PathStep::Key(key)] if !defaults.contains_key(key))
}

/// Writes a value in one line; one that may be a secret is left out.
fn shown(value: &Value, path: &[PathStep]) -> String {
    if let [PathStep::Key(first), .., PathStep::Key(last)] = path
        && first == "notify"
        && SECRET.contains(&last.as_str())
    {
        return "\"…\"".to_owned();
    }
    let text = value.to_string().replace('\n', " ");
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain(['…']).collect() }
}
