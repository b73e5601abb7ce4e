//! Reads merged values without coercion: a number in quotation marks is no number.
//!
//! The crate `config` merges file and command line; its own deserialiser turns `"9600"` into 9600 and `"yes"` into
//! true. Here a value from the file has to have the type of its key, and only the text of a `--set` is read as
//! whatever its key wants. Errors carry the path of the key.

use std::{collections::BTreeMap, fmt};

use ::config::{File, FileFormat, Value, ValueKind};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

use super::{
    ConfigError,
    error::{nearest, one_line},
};

/// Origin of values that were given as `KEY=VALUE`.
pub(super) const COMMAND_LINE: &str = "--set";

/// Reads a whole configuration.
pub(super) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, StrictError> {
    T::deserialize(Strict { value })
}

/// What is wrong with a value, and the path to it.
#[derive(Debug)]
pub(super) struct StrictError {
    path: String,
    reason: String,
    command_line: bool,
}

impl StrictError {
    /// Names the file, unless the value was given on the command line.
    pub(super) fn in_file(self, file: &str) -> ConfigError {
        let file = if self.command_line { COMMAND_LINE } else { file };
        ConfigError::Key { file: file.to_owned(), key: self.path, reason: self.reason }
    }

    /// Puts the key under which the value was found in front of the path.
    fn under(mut self, segment: &str, value: Option<&Value>) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{segment}{dot}{}", self.path);
        self.command_line |= value.is_some_and(is_text);
        self
    }

    fn of(path: &str, reason: String) -> Self {
        Self { path: path.to_owned(), reason, command_line: false }
    }
}

impl fmt::Display for StrictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

impl std::error::Error for StrictError {}

impl de::Error for StrictError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::of("", one_line(&message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let expected = match expected.to_string() {
            name if name.starts_with("struct ") => "a table".to_owned(),
            name if name == "a sequence" => "a list".to_owned(),
            name if name == "u32" => "a number".to_owned(),
            name => name,
        };
        let mut hint = String::new();
        if let Unexpected::Signed(number) = found
            && matches!(expected.as_str(), "a string" | "a text")
        {
            hint = format!("; write \"{number}\"");
        } else if let Unexpected::Str(text) = found
            && (text.parse::<f64>().is_ok() || matches!(text, "true" | "false"))
        {
            hint = format!("; write {text} without quotation marks");
        }
        Self::custom(format_args!("expected {expected}, found {found}{hint}"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let reason = nearest(field, expected).map_or_else(
            || format!("unknown key; known here: {}", expected.join(", ")),
            |name| format!("unknown key, did you mean '{name}'?"),
        );
        Self::of(field, reason)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let hint =
            nearest(variant, expected).map(|name| format!(", did you mean \"{name}\"?")).unwrap_or_default();
        Self::of("", format!("\"{variant}\" is none of {}{hint}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::of(field, "missing".to_owned())
    }
}

/// Tells whether a value, or all that is in it, was given on the command line.
fn is_text(value: &Value) -> bool {
    if let ValueKind::Table(table) = &value.kind {
        !table.is_empty() && table.values().all(is_text)
    } else if let ValueKind::Array(values) = &value.kind {
        !values.is_empty() && values.iter().all(is_text)
    } else {
        value.origin() == Some(COMMAND_LINE)
    }
}

/// One value.
struct Strict<'a> {
    value: &'a Value,
}

impl Strict<'_> {
    /// Returns the text of a value given on the command line.
    fn text(&self) -> Option<&str> {
        let ValueKind::String(text) = &self.value.kind else { return None };
        is_text(self.value).then_some(text)
    }

    /// Reads the text of the command line as a TOML list or table.
    fn toml(text: &str) -> Result<Value, StrictError> {
        let parsed = ::config::Config::builder()
            .add_source(File::from_str(&format!("value = {text}"), FileFormat::Toml))
            .build()
            .and_then(|parsed| parsed.get::<Value>("value"));
        parsed.map_err(|_| StrictError::custom(format_args!("cannot read {text}")))
    }
}

/// Reads a number or a boolean: from the command line by parsing, otherwise as it is.
macro_rules! scalars {
    ($($method:ident $visit:ident $kind:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, StrictError> {
            let Some(text) = self.text() else { return self.deserialize_any(visitor) };
            let parsed = text.parse().map_err(|_| StrictError::custom(format_args!("'{text}' is no {}", $kind)))?;
            visitor.$visit(parsed)
        }
    )*};
}

impl<'de> Deserializer<'de> for Strict<'_> {
    type Error = StrictError;

    scalars! {
        deserialize_bool visit_bool "true or false",
        deserialize_i8 visit_i8 "number",
        deserialize_i16 visit_i16 "number",
        deserialize_i32 visit_i32 "number",
        deserialize_i64 visit_i64 "number",
        deserialize_u8 visit_u8 "number from 0 on",
        deserialize_u16 visit_u16 "number from 0 on",
        deserialize_u32 visit_u32 "number from 0 on",
        deserialize_u64 visit_u64 "number from 0 on",
        deserialize_f32 visit_f32 "number",
        deserialize_f64 visit_f64 "number",
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, StrictError> {
        match &self.value.kind {
            ValueKind::Nil => visitor.visit_unit(),
            ValueKind::Boolean(value) => visitor.visit_bool(*value),
            ValueKind::I64(value) => visitor.visit_i64(*value),
            ValueKind::I128(value) => visitor.visit_i128(*value),
            ValueKind::U64(value) => visitor.visit_u64(*value),
            ValueKind::U128(value) => visitor.visit_u128(*value),
            ValueKind::Float(value) => visitor.visit_f64(*value),
            ValueKind::String(value) => visitor.visit_str(value),
            ValueKind::Table(table) => {
                // Sorted, so that of two mistakes always the same one is reported.
                let sorted: BTreeMap<&String, &Value> = table.iter().collect();
                visitor.visit_map(Entries { rest: sorted.into_iter(), value: None })
            }
            ValueKind::Array(values) => visitor.visit_seq(Items { rest: values.iter(), index: 0 }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, StrictError> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, StrictError> {
        let Some(text) = self.text() else { return self.deserialize_any(visitor) };
        if text.starts_with('[') {
            return Strict { value: &Self::toml(text)? }.deserialize_any(visitor);
        }
        let values: Vec<Value> =
            text.split(',').map(|part| Value::new(Some(&COMMAND_LINE.to_owned()), part.trim())).collect();
        visitor.visit_seq(Items { rest: values.iter(), index: 0 })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, StrictError> {
        match self.text() {
            Some(text) if text.starts_with('{') => {
                Strict { value: &Self::toml(text)? }.deserialize_any(visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, StrictError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, StrictError> {
        if let ValueKind::String(text) = &self.value.kind {
            visitor.visit_enum(text.as_str().into_deserializer())
        } else if let ValueKind::I64(number) = &self.value.kind {
            Err(StrictError::invalid_type(Unexpected::Signed(*number), &"a text"))
        } else {
            Err(StrictError::custom("expected a text"))
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, StrictError> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The entries of a table.
struct Entries<'a, I> {
    rest: I,
    value: Option<(&'a str, &'a Value)>,
}

impl<'de, 'a, I: Iterator<Item = (&'a String, &'a Value)>> MapAccess<'de> for Entries<'a, I> {
    type Error = StrictError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, StrictError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some((key, value));
        // An unknown key already carries its own name as path.
        let mark = |mut error: StrictError| {
            error.command_line |= is_text(value);
            error
        };
        seed.deserialize(key.as_str().into_deserializer()).map(Some).map_err(mark)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, StrictError> {
        let Some((key, value)) = self.value.take() else {
            return Err(StrictError::custom("value before its key"));
        };
        seed.deserialize(Strict { value }).map_err(|error| error.under(key, Some(value)))
    }
}

/// The items of a list.
struct Items<'a> {
    rest: std::slice::Iter<'a, Value>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = StrictError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, StrictError> {
        let Some(value) = self.rest.next() else { return Ok(None) };
        let segment = format!("[{}]", self.index);
        self.index += 1;
        seed.deserialize(Strict { value }).map(Some).map_err(|error| error.under(&segment, Some(value)))
    }
}
