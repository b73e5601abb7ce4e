//! Says what is wrong with a configuration, in one line.

use thiserror::Error;

use super::{own_rules, url::without_secrets};

/// Why a configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// Name of the file.
        file: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("{file}:{place}: {reason}")]
    Syntax {
        /// Name of the file.
        file: String,
        /// Line and column.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A key is unknown or has a wrong value.
    #[error("{file}: {key}: {reason}")]
    Key {
        /// Name of the file or the variable, or `--set`.
        file: String,
        /// Path of the key.
        key: String,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// An option `--set` or a variable cannot be read.
    #[error("{}: {reason}", without_secrets(setting))]
    Setting {
        /// The option with its argument, or the name of the variable.
        setting: String,
        /// What is wrong.
        reason: String,
    },
}

impl ConfigError {
    /// Makes an error of what the TOML parser says of a text.
    pub(super) fn syntax(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let place = format!("{line}:{column}");
        Self::Syntax { file: file.to_owned(), place, reason: one_line(error.message()) }
    }

    /// Returns the line of a syntax error, from 1.
    pub(super) fn line(&self) -> Option<usize> {
        let Self::Syntax { place, .. } = self else { return None };
        place.split(':').next()?.parse().ok()
    }
}

/// Returns a text as one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Says for people what serde says of a value: what is wrong, and the remedy; an address in it without what may be secret.
pub(super) fn reason(message: &str) -> String {
    without_secrets(&reworded(message))
}

/// Says the same with all that the message repeats.
///
/// The wording that is taken apart is that of the provided methods of [`serde::de::Error`].
fn reworded(message: &str) -> String {
    if let Some((field, known)) = unknown(message, "unknown field `") {
        return nearest(field, &known).map_or_else(
            || format!("unknown key; known here: {}", known.join(", ")),
            |name| format!("unknown key, did you mean '{name}'?"),
        );
    }
    if let Some((variant, known)) = unknown(message, "unknown variant `") {
        let hint = nearest(variant, &known).map(|name| format!(", did you mean \"{name}\"?"));
        return format!("\"{variant}\" is none of {}{}", known.join(", "), hint.unwrap_or_default());
    }
    if message.starts_with("missing field `") {
        return "missing".to_owned();
    }
    if message == "invalid socket address syntax" {
        return "expected an address with a port, such as 127.0.0.1:8080".to_owned();
    }
    let found_and_expected =
        message.strip_prefix("invalid type: ").or(message.strip_prefix("invalid value: "));
    let Some((found, expected)) = found_and_expected.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" if found.starts_with("integer") => {
            "a number that is not negative"
        }
        "u8" | "u16" | "u32" | "u64" | "usize" if found.starts_with("floating") => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" | "f64" => "a number",
        "a sequence" => "a list",
        "a borrowed string" => "a string",
        name if name.starts_with("struct") => "a table",
        name => name,
    };
    let found = if found == "map" { "a table" } else { found };
    let quoted = |quote| found.split_once(quote).and_then(|(_, rest)| rest.strip_suffix(quote));
    let hint = match (quoted('"'), quoted('`')) {
        (Some(text), _) if text.parse::<f64>().is_ok() || matches!(text, "true" | "false") => {
            format!("; write {text} without quotation marks")
        }
        (_, Some(number)) if expected == "a string" && found.starts_with("integer") => {
            format!("; write \"{number}\"")
        }
        _ => String::new(),
    };
    format!("expected {expected}, found {found}{hint}")
}

/// Reads what is unknown, and what would be known, from "unknown field `x`, expected one of `a`, `b`".
fn unknown<'a>(message: &'a str, beginning: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let (name, rest) = message.strip_prefix(beginning)?.split_once("`, ")?;
    // Between the first and the second backtick, the third and the fourth, and so on.
    let known = rest.split('`').skip(1).step_by(2).filter(|known| *known != own_rules::KEY);
    Some((name, known.collect()))
}

/// Returns the name that is most like `wanted`, unless none is like it.
fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let tolerated = (wanted.chars().count() / 2).max(1);
    names
        .iter()
        // A name that was only begun is near, however long its rest.
        .map(|name| {
            let begun = name.starts_with(&wanted);
            (if begun { 1 } else { strsim::osa_distance(&wanted, name) }, *name)
        })
        .filter(|(distance, _)| *distance <= tolerated)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
