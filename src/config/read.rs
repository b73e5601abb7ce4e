//! Reads the keys of a configuration from the merged layers.
//!
//! A value from a file has the type of its key: a number in quotation marks is refused. The text of a `--set` or of a variable is
//! read as TOML if its key takes that, otherwise as a text, and as a list of texts where the key wants a list.

use std::path::Path;

use toml::{Table, Value};

use super::{
    Config, ConfigError, Warning,
    error::{one_line, reason},
    layers::Layers,
    own_rules,
    path::{PathStep, heard, spoken, steps, written},
    setting::{COMMAND_LINE, Setting, VARIABLES},
    sources::Sources,
    url::without_secrets,
};

/// Most errors that are reported at once.
const MOST: usize = 50;

/// What a configuration is made of, each part laid over those before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Files: the name that errors carry, and the text.
    pub(super) files: Vec<(String, String)>,
    /// Variables whose names begin with `JADOUBE__`, and their texts.
    pub(super) variables: Vec<(String, String)>,
    /// `KEY=VALUE` of the command line.
    pub(super) settings: Vec<String>,
    /// Text of the file of rules that a bundle brings along.
    pub(super) rules: Option<String>,
}

impl Parts {
    /// Makes parts of one text.
    pub(super) fn of_text(file: &str, text: &str, settings: &[String]) -> Self {
        let files = vec![(file.to_owned(), text.to_owned())];
        Self { files, settings: settings.to_vec(), ..Self::default() }
    }
}

/// Reads a whole configuration.
///
/// # Errors
///
/// Returns all errors, at least one: each with its source, key and remedy.
pub(super) fn read(parts: &Parts) -> Result<(Config, Sources), Vec<ConfigError>> {
    let internal = |error: config::ConfigError| {
        vec![ConfigError::Setting { setting: "configuration".to_owned(), reason: error.to_string() }]
    };
    let mut errors = Vec::new();
    let mut layers = Layers::of_defaults().map_err(internal)?;
    for (name, text) in &parts.files {
        match table_of(name, text) {
            Ok(table) => layers.add_file(name, table).map_err(internal)?,
            Err(flaws) => errors.extend(flaws),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut given = Vec::new();
    let variables =
        parts.variables.iter().map(|(name, text)| (name.clone(), Setting::of_variable(name, text)));
    let options =
        parts.settings.iter().map(|setting| (format!("{COMMAND_LINE} {setting}"), Setting::parse(setting)));
    for (setting, parsed) in variables.chain(options) {
        match parsed.and_then(|parsed| layers.add_setting(&parsed).map(|()| parsed)) {
            Ok(parsed) => given.push(parsed),
            Err(reason) => {
                errors.push(ConfigError::Setting { setting, reason: without_secrets(&reason) });
            }
        }
    }
    let mut table = layers.table();
    // A relative path begins where the file that names it lies.
    let origin = layers.origin(&[PathStep::Key("event".to_owned()), PathStep::Key("rules".to_owned())]);
    let base = origin.filter(|origin| parts.files.iter().any(|(name, _)| name == origin));
    let base = base.and_then(|origin| Path::new(origin).parent()).map(Path::to_owned);
    if let Err(error) = own_rules::resolve(&mut table, base.as_deref(), parts.rules.as_deref()) {
        errors.push(error);
    }
    let mut reader = Reader { table, layers, given, errors, ignored: Vec::new() };
    match reader.config() {
        Some(mut config) if reader.errors.is_empty() => {
            config.ignored = reader.ignored;
            if config.http.take_if(|http| !http.enabled).is_some() {
                config.has_no_desk = true;
            }
            let sources = Sources::new(&config, reader.layers);
            Ok((config, sources))
        }
        _ => Err(reader.errors),
    }
}

/// Reads one file.
fn table_of(name: &str, text: &str) -> Result<Table, Vec<ConfigError>> {
    let (_, flaws) = toml::de::DeTable::parse_recoverable(text);
    if !flaws.is_empty() {
        let mut errors: Vec<ConfigError> =
            flaws.iter().take(MOST).map(|flaw| ConfigError::syntax(name, text, flaw)).collect();
        // What follows from an error stands in the same line.
        errors.dedup_by_key(|error| error.line());
        return Err(errors);
    }
    let table: Table = toml::from_str(text).map_err(|error| vec![ConfigError::syntax(name, text, &error)])?;
    let mut errors = Vec::new();
    let wrong = |key: String, reason: &str| ConfigError::Key {
        file: name.to_owned(),
        key,
        reason: reason.to_owned(),
    };
    // Merging would take such a key for a path.
    let is_path = |key: &String| key.contains(['.', '[', ']']);
    errors.extend(
        table
            .keys()
            .filter(|key| is_path(key))
            .map(|key| wrong(format!("'{key}'"), "unknown key; write it without quotation marks")),
    );
    let mut dates = Vec::new();
    find_dates(&Value::Table(table.clone()), &mut Vec::new(), &mut dates);
    errors.extend(
        dates
            .iter()
            .map(|path| wrong(spoken(path), "found a date, which no key has; write it in quotation marks")),
    );
    errors.truncate(MOST);
    if errors.is_empty() { Ok(table) } else { Err(errors) }
}

/// Finds dates, which would be merged as texts.
fn find_dates(value: &Value, path: &mut Vec<PathStep>, found: &mut Vec<Vec<PathStep>>) {
    let mut look = |step: PathStep, value: &Value| {
        path.push(step);
        find_dates(value, path, found);
        path.pop();
    };
    match value {
        Value::Datetime(_) => found.push(path.clone()),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| look(PathStep::Index(index), value));
        }
        Value::Table(table) => table.iter().for_each(|(key, value)| look(PathStep::Key(key.clone()), value)),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {}
    }
}

/// Makes a configuration in which every section is there.
fn every_section() -> Config {
    Config {
        http: Some(super::HttpConfig::default()),
        public: Some(super::PublicConfig::default()),
        livechess: Some(super::LiveChessConfig::default()),
        pgn: Some(super::PgnConfig::default()),
        mqtt: Some(super::MqttConfig::default()),
        lichess: Some(super::LichessConfig::default()),
        pairings: Some(super::PairingsConfig::default()),
        ..Config::default()
    }
}

/// Finds what is given as a list and was read as a table.
fn find_lists(given: &Value, read: &Value, path: &mut Vec<PathStep>, found: &mut Vec<Vec<PathStep>>) {
    let pairs: Vec<(PathStep, &Value, &Value)> = match (given, read) {
        (Value::Array(_), Value::Table(_)) => {
            found.push(path.clone());
            return;
        }
        (Value::Table(given), Value::Table(read)) => {
            let both = given.iter().filter_map(|(key, value)| Some((key, value, read.get(key)?)));
            both.map(|(key, given, read)| (PathStep::Key(key.clone()), given, read)).collect()
        }
        (Value::Array(given), Value::Array(read)) => {
            let both = given.iter().zip(read).enumerate();
            both.map(|(index, (given, read))| (PathStep::Index(index), given, read)).collect()
        }
        _ => return,
    };
    for (step, given, read) in pairs {
        path.push(step);
        find_lists(given, read, path, found);
        path.pop();
    }
}

/// Values as they are read; a part that is wrong is taken out once it is reported, so that the rest is looked at, too.
struct Reader {
    table: Table,
    layers: Layers,
    given: Vec<Setting>,
    errors: Vec<ConfigError>,
    /// Variables that are no keys.
    ignored: Vec<Warning>,
}

impl Reader {
    /// Reads what can be read, and notes everything that is wrong.
    fn config(&mut self) -> Option<Config> {
        self.lists_for_tables(&every_section());
        let mut wrong = Vec::new();
        while self.errors.len() < MOST {
            let error = match serde_path_to_error::deserialize::<_, Config>(Value::Table(self.table.clone()))
            {
                Ok(config) => {
                    self.lists_for_tables(&config);
                    if !self.errors.is_empty() {
                        self.contradictions(&config);
                    }
                    return Some(config);
                }
                Err(error) => error,
            };
            let mut message = one_line(error.inner().message());
            let mut path = steps(error.path());
            if let Some(setting) = self.given.iter_mut().rev().find(|setting| path.starts_with(&setting.path))
            {
                if setting.read_differently(&message) && setting.put(&mut self.table) {
                    continue;
                }
                message = setting.refusal.take().unwrap_or(message);
            }
            let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
            path.extend(missing.map(|key| PathStep::Key(key.to_owned())));
            // What was taken out because it is wrong is not missing.
            if missing.is_some() && wrong.contains(&path) && remove_value(&mut self.table, &path, true) {
                continue;
            }
            self.report(&path, &message);
            if !remove_value(&mut self.table, &path, missing.is_some()) {
                break;
            }
            wrong.push(path);
        }
        None
    }

    /// Notes what is wrong with a value; a variable that is no key may be meant for something else.
    fn report(&mut self, path: &[PathStep], message: &str) {
        let origin = self.layers.nearest_origin(path).unwrap_or("defaults").to_owned();
        if origin.starts_with(VARIABLES) && message.starts_with("unknown field") {
            let text = format!("{}: {}; it is ignored", written(path), reason(message));
            self.ignored.push(Warning { key: origin, text, is_error: false });
            return;
        }
        let is_file = origin != COMMAND_LINE && !origin.starts_with(VARIABLES);
        let key = if is_file { spoken(path) } else { written(path) };
        self.errors.push(ConfigError::Key { file: origin, key, reason: reason(message) });
    }

    /// Notes lists where a table is wanted: serde reads them as the values of its keys in their order.
    fn lists_for_tables(&mut self, config: &Config) {
        let Ok(read) = Value::try_from(config) else { return };
        let mut found = Vec::new();
        find_lists(&Value::Table(self.table.clone()), &read, &mut Vec::new(), &mut found);
        for path in found {
            self.report(&path, "invalid type: a list, expected struct");
            remove_value(&mut self.table, &path, false);
        }
    }

    /// Notes the errors of a configuration whose keys can all be read, such as a table that is there twice.
    fn contradictions(&mut self, config: &Config) {
        for Warning { key, text, .. } in config.check().into_iter().filter(|warning| warning.is_error) {
            let file = self.layers.nearest_origin(&heard(&key)).unwrap_or("defaults").to_owned();
            self.errors.push(ConfigError::Key { file, key, reason: text });
        }
    }
}

/// Removes what is wrong from a table: a value, or the list that it is in; a text stands in for a missing one.
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
