//! Layers of a configuration, merged by the crate `config`: defaults, files, variables, options. Each value knows where it is from.
//!
//! A later layer goes before an earlier one, key by key; a list replaces a list. The crate converts types when values are read, so
//! that `"9600"` would be a number: the merged values are read strictly instead, see [`read`](super::read).

use std::sync::LazyLock;

use config::{Config as Merged, ConfigError, Map, Source, Value, ValueKind};
use toml::Table;

use super::{
    Config,
    path::{PathStep, written},
    setting::Setting,
};

/// What is merged so far.
#[derive(Clone, Debug)]
pub(super) struct Layers(Merged);

/// One layer, with the values' origin in each of them.
#[derive(Clone, Debug)]
struct Layer(Map<String, Value>);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, ConfigError> {
        Ok(self.0.clone())
    }
}

impl Layers {
    /// Begins with the defaults, which have no origin.
    pub(super) fn of_defaults() -> Result<Self, ConfigError> {
        static DEFAULTS: LazyLock<Result<Merged, String>> =
            LazyLock::new(|| Merged::try_from(&Config::default()).map_err(|error| error.to_string()));
        DEFAULTS.clone().map(Self).map_err(ConfigError::Message)
    }

    /// Lays a file over what there is.
    pub(super) fn add_file(&mut self, name: &str, table: Table) -> Result<(), ConfigError> {
        let values = table.into_iter().map(|(key, value)| (key, value_of(value, name))).collect();
        self.add(Layer(values))
    }

    /// Lays a single key over what there is.
    ///
    /// # Errors
    ///
    /// Returns why the key has no place, such as an entry beyond the end of a list.
    pub(super) fn add_setting(&mut self, setting: &Setting) -> Result<(), String> {
        self.check_place(&setting.path)?;
        let value = value_of(setting.value.clone(), &setting.origin);
        let layer = Layer(Map::from_iter([(written(&setting.path), value)]));
        self.add(layer).map_err(|error| error.to_string())
    }

    fn add(&mut self, layer: Layer) -> Result<(), ConfigError> {
        let builder = Merged::builder().add_source(self.0.clone()).add_source(layer);
        self.0 = builder.build()?;
        Ok(())
    }

    /// Returns the merged values with the types that they were given with.
    pub(super) fn table(&self) -> Table {
        match toml_of(&self.0.cache) {
            Some(toml::Value::Table(table)) => table,
            _ => Table::new(),
        }
    }

    /// Returns what is no default.
    pub(super) fn given(&self) -> Table {
        match given_of(&self.0.cache) {
            Some(toml::Value::Table(table)) => table,
            _ => Table::new(),
        }
    }

    /// Returns where the value at a path is from; `None` for a default.
    pub(super) fn origin(&self, path: &[PathStep]) -> Option<&str> {
        path.iter().try_fold(&self.0.cache, child)?.origin()
    }

    /// Returns where the value at a path is from, or, if it is not there, what is nearest to its place.
    pub(super) fn nearest_origin(&self, path: &[PathStep]) -> Option<&str> {
        let mut value = &self.0.cache;
        let mut origin = None;
        for (index, step) in path.iter().enumerate() {
            match child(value, step) {
                Some(next) => value = next,
                None if index == 0 => return None,
                None => break,
            }
            origin = value.origin().or(origin);
        }
        origin.or_else(|| origin_within(value))
    }

    /// Merging makes a place for every key; what is no table, no list, or too short is not meant to become one.
    fn check_place(&self, path: &[PathStep]) -> Result<(), String> {
        let mut place = Some(&self.0.cache);
        for step in path {
            place = match (step, place.map(|value| &value.kind)) {
                (PathStep::Key(key), Some(ValueKind::Table(table))) => table.get(key),
                (PathStep::Index(index), Some(ValueKind::Array(list))) if *index <= list.len() => {
                    list.get(*index)
                }
                (PathStep::Index(_), Some(ValueKind::Array(list))) => {
                    return Err(format!("there are only {} in the list", list.len()));
                }
                (PathStep::Index(index), None | Some(ValueKind::Nil)) if *index > 0 => {
                    return Err("there are only 0 in the list".to_owned());
                }
                (_, None | Some(ValueKind::Nil)) => None,
                (PathStep::Key(key), Some(_)) => {
                    return Err(format!("'{key}' is looked for in what is no table"));
                }
                (PathStep::Index(_), Some(_)) => {
                    return Err("an entry is looked for in what is no list".to_owned());
                }
            };
        }
        Ok(())
    }
}

fn child<'a>(value: &'a Value, step: &PathStep) -> Option<&'a Value> {
    if let (PathStep::Key(key), ValueKind::Table(table)) = (step, &value.kind) {
        table.get(key)
    } else if let (PathStep::Index(index), ValueKind::Array(list)) = (step, &value.kind) {
        list.get(*index)
    } else {
        None
    }
}

/// Returns the origin of anything in a table that was made for what is in it.
fn origin_within(value: &Value) -> Option<&str> {
    let nearest = |value| Value::origin(value).or_else(|| origin_within(value));
    if let ValueKind::Table(table) = &value.kind {
        // A table has no order: the first by name, so that the answer is always the same.
        table.values().filter_map(nearest).min()
    } else if let ValueKind::Array(list) = &value.kind {
        list.iter().find_map(nearest)
    } else {
        None
    }
}

/// Returns what of a value is no default, as TOML.
fn given_of(value: &Value) -> Option<toml::Value> {
    if value.origin().is_some() {
        return toml_of(value);
    }
    if let ValueKind::Table(table) = &value.kind {
        let entries: Table =
            table.iter().filter_map(|(key, value)| Some((key.clone(), given_of(value)?))).collect();
        // An empty section switches a service on, and no default has one.
        return (table.is_empty() || !entries.is_empty()).then_some(toml::Value::Table(entries));
    }
    let ValueKind::Array(list) = &value.kind else { return None };
    let list: Vec<_> = list.iter().filter_map(given_of).collect();
    (!list.is_empty()).then_some(toml::Value::Array(list))
}

fn value_of(value: toml::Value, origin: &str) -> Value {
    let kind = match value {
        toml::Value::String(text) => ValueKind::String(text),
        toml::Value::Integer(number) => ValueKind::I64(number),
        toml::Value::Float(number) => ValueKind::Float(number),
        toml::Value::Boolean(flag) => ValueKind::Boolean(flag),
        // No key has a date: they are refused before.
        toml::Value::Datetime(date) => ValueKind::String(date.to_string()),
        toml::Value::Array(list) => {
            ValueKind::Array(list.into_iter().map(|value| value_of(value, origin)).collect())
        }
        toml::Value::Table(table) => {
            ValueKind::Table(table.into_iter().map(|(key, value)| (key, value_of(value, origin))).collect())
        }
    };
    Value::new(Some(&origin.to_owned()), kind)
}

/// Returns a value as TOML; `None` for one that is not there.
fn toml_of(value: &Value) -> Option<toml::Value> {
    Some(match &value.kind {
        ValueKind::Nil => return None,
        ValueKind::Boolean(flag) => toml::Value::Boolean(*flag),
        ValueKind::I64(number) => toml::Value::Integer(*number),
        ValueKind::U64(number) => toml::Value::Integer(i64::try_from(*number).ok()?),
        ValueKind::I128(number) => toml::Value::Integer(i64::try_from(*number).ok()?),
        ValueKind::U128(number) => toml::Value::Integer(i64::try_from(*number).ok()?),
        ValueKind::Float(number) => toml::Value::Float(*number),
        ValueKind::String(text) => toml::Value::String(text.clone()),
        ValueKind::Array(list) => toml::Value::Array(list.iter().filter_map(toml_of).collect()),
        ValueKind::Table(table) => {
            let entries = table.iter().filter_map(|(key, value)| Some((key.clone(), toml_of(value)?)));
            toml::Value::Table(entries.collect())
        }
    })
}
