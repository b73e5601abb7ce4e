//! Rules of a federation or an organiser, which `event.rules` names as a file.

use std::path::{Path, PathBuf};

use jadoube_core::{
    laws::{Edition, Rules},
    rules::wrong_sentences,
};
use toml::{Table, Value};

use super::ConfigError;

/// Largest file of rules, bytes.
const LARGEST: u64 = 256 * 1024;

/// Where the rules of the file stand in a configuration that has been read; no key of a file.
pub(super) const KEY: &str = "own_rules";

/// Name of a file of rules in a bundle.
pub(crate) const BUNDLED: &str = "rules.toml";

/// Puts the rules of the file that `event.rules` names into a configuration; `base` is the folder that its path is relative to,
/// `bundled` the text of the file in a bundle.
///
/// # Errors
///
/// Returns an error if the file cannot be read or holds no rules, or if the configuration has rules that are in no file.
pub(super) fn resolve(
    table: &mut Table,
    base: Option<&Path>,
    bundled: Option<&str>,
) -> Result<(), ConfigError> {
    let Some(event) = table.get_mut("event").and_then(Value::as_table_mut) else { return Ok(()) };
    if event.remove(KEY).is_some() {
        let reason =
            "write these rules into a file, and its path into event.rules, such as rules = \"own.toml\"";
        return Err(ConfigError::Setting { setting: format!("event.{KEY}"), reason: reason.to_owned() });
    }
    let Some(named) = event.get("rules").and_then(Value::as_str) else { return Ok(()) };
    if named.parse::<Edition>().is_ok() || Path::new(named).extension().is_none_or(|it| it != "toml") {
        return Ok(());
    }
    let path = base.map_or_else(|| PathBuf::from(named), |base| base.join(named));
    let (own, read) = match bundled.filter(|_| named == BUNDLED) {
        Some(text) => parse(BUNDLED, text)?,
        None => read(&path)?,
    };
    event.insert("rules".to_owned(), Value::String(own.extends.unwrap_or_default().name().to_owned()));
    event.insert(KEY.to_owned(), Value::Table(read));
    Ok(())
}

/// Reads a file of rules.
///
/// # Errors
///
/// Returns an error if the file cannot be read or holds no rules.
pub(crate) fn load(path: &Path) -> Result<Rules, ConfigError> {
    read(path).map(|(own, _)| own)
}

fn read(path: &Path) -> Result<(Rules, Table), ConfigError> {
    let file = path.display().to_string();
    let failed = |source| ConfigError::Read { file: file.clone(), source };
    if std::fs::metadata(path).map_err(failed)?.len() > LARGEST {
        let reason = format!("rules have at most {LARGEST} bytes");
        return Err(ConfigError::Setting { setting: file, reason });
    }
    let text = std::fs::read_to_string(path).map_err(failed)?;
    parse(&file, &text)
}

fn parse(file: &str, text: &str) -> Result<(Rules, Table), ConfigError> {
    let own = Rules::parse(text).map_err(|error| ConfigError::syntax(file, text, &error))?;
    if let Some(reason) = wrong_sentences(&own).into_iter().next() {
        return Err(ConfigError::Setting { setting: file.to_owned(), reason });
    }
    let table = toml::from_str(text).map_err(|error| ConfigError::syntax(file, text, &error))?;
    Ok((own, table))
}
