//! Paths of keys: `table[0].white` for `--set`, `table 1: white` for people.

use serde_path_to_error::Segment;

/// One step of the path to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum PathStep {
    Key(String),
    Index(usize),
}

/// Returns the steps to the value that serde refuses.
pub(super) fn steps(path: &serde_path_to_error::Path) -> Vec<PathStep> {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(PathStep::Index(*index)),
        Segment::Map { key } => Some(PathStep::Key(key.clone())),
        Segment::Enum { .. } | Segment::Unknown => None,
    };
    path.iter().filter_map(step).collect()
}

/// Writes a path as `--set` reads it: `table[0].white`.
pub(super) fn written(path: &[PathStep]) -> String {
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
pub(super) fn spoken(path: &[PathStep]) -> String {
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

/// Reads a path that [`spoken`] has written.
pub(super) fn heard(text: &str) -> Vec<PathStep> {
    let mut path = Vec::new();
    for part in text.split(": ") {
        let (keys, index) = match part.rsplit_once(' ') {
            Some((keys, number)) => (keys, number.parse::<usize>().ok()),
            None => (part, None),
        };
        path.extend(keys.split('.').map(|key| PathStep::Key(key.to_owned())));
        path.extend(index.and_then(|number| number.checked_sub(1)).map(PathStep::Index));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_for_people_are_read_back() {
        let key = |key: &str| PathStep::Key(key.to_owned());
        for (path, text, option) in [
            (vec![key("mqtt"), key("url")], "mqtt.url", "mqtt.url"),
            (vec![key("table"), PathStep::Index(0), key("white")], "table 1: white", "table[0].white"),
            (vec![key("ports"), key("scan"), PathStep::Index(2)], "ports.scan 3", "ports.scan[2]"),
        ] {
            assert_eq!((spoken(&path), written(&path)), (text.to_owned(), option.to_owned()));
            assert_eq!(heard(text), path);
        }
    }
}
