//! Says what is wrong with a configuration, in one line.

use thiserror::Error;

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
        /// Name of the file, or `--set`.
        file: String,
        /// Path of the key.
        key: String,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// An argument of `--set` cannot be read.
    #[error("--set {setting}: {reason}")]
    Setting {
        /// The argument.
        setting: String,
        /// What is wrong.
        reason: String,
    },
}

impl ConfigError {
    /// Makes an error of what the TOML parser says: several lines, with the place in the first one.
    pub(super) fn syntax(file: &str, error: &::config::ConfigError) -> Self {
        let text = error.to_string();
        let place = text
            .split_once("at line ")
            .and_then(|(_, rest)| rest.lines().next())
            .map(|place| place.replace(", column ", ":"))
            .unwrap_or_default();
        // The parser quotes the line in a frame of bars; what stands outside is what it has to say.
        let reason = text.lines().skip(1).filter(|line| !line.contains('|')).collect::<Vec<_>>().join(" ");
        let reason = if reason.trim().is_empty() { text } else { reason };
        Self::Syntax { file: file.to_owned(), place, reason: one_line(&reason) }
    }
}

/// Returns a text as one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the name that is most like `wanted`, unless none is like it.
pub(super) fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let tolerated = (wanted.chars().count() / 2).max(1);
    names
        .iter()
        // A name that was only begun is near, however long its rest.
        .map(|name| (if name.starts_with(&wanted) { 1 } else { distance(&wanted, name) }, *name))
        .filter(|(distance, _)| *distance <= tolerated)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Returns how many letters have to be put in, left out, changed or swapped with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let at = |row: Option<&Vec<usize>>, column: usize| row.and_then(|row| row.get(column)).copied();
            let above = rows.last();
            let swapped = i > 0 && j > 0 && from.get(i - 1) == Some(b) && to.get(j - 1) == Some(a);
            let candidates = [
                at(above, j).map(|cost| cost + usize::from(a != b)),
                at(above, j + 1).map(|cost| cost + 1),
                row.get(j).map(|cost| cost + 1),
                if swapped { at(rows.get(i.wrapping_sub(1)), j - 1).map(|cost| cost + 1) } else { None },
            ];
            row.push(candidates.into_iter().flatten().min().unwrap_or(usize::MAX));
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(usize::MAX)
}
