//! The chain of the list of orders: every line has a hash of itself and names that of the line before it.
//!
//! A line that was changed, taken out or put in later does not fit its neighbours. Whoever may write the file can make a new chain; the
//! daemon's messages have the hash of every line as well, so that its end can be compared.

use blake2::{Blake2s256, Digest as _};
use serde_json::Value;

/// What the first line names: there is none before it.
const BEGIN: &str = "";

/// Returns a line with its place in the chain, and its hash; `body` is an object of JSON with at least one key.
pub(super) fn link(body: &str, before: Option<&str>) -> (String, String) {
    let open = body.strip_suffix('}').unwrap_or(body);
    let open = format!("{open},\"prev\":\"{}\"", before.unwrap_or(BEGIN));
    let hash = hash(&open);
    (format!("{open},\"hash\":\"{hash}\"}}"), hash)
}

/// Returns the hash that a line has, if it has one.
pub(super) fn hash_of(line: &str) -> Option<String> {
    Some(split(line)?.1.to_owned())
}

fn hash(open: &str) -> String {
    Blake2s256::digest(open).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Splits a line into what is hashed and the hash.
fn split(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix("\"}")?.rsplit_once(",\"hash\":\"")
}

/// What was found in a list.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Verdict {
    /// Entries that are as they were written.
    pub(crate) sound: usize,
    /// Entries of versions that knew no chain.
    pub(crate) plain: usize,
    /// What is wrong, each with file and line.
    pub(crate) wrong: Vec<String>,
    /// What is no fault: lines that a loss of power has torn, lines before the first that is there.
    pub(crate) remarks: Vec<String>,
    /// The hash of the last entry.
    pub(crate) last: Option<String>,
}

impl Verdict {
    /// Reads on in a file, after those that were read.
    pub(crate) fn read(&mut self, name: &str, text: &str) {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{name}:{}", index + 1);
            let Ok(entry) = serde_json::from_str::<Value>(line) else {
                self.remarks.push(format!("{place}: is torn, as by a loss of power"));
                continue;
            };
            let prev = entry.get("prev").and_then(Value::as_str);
            let (Some((open, claimed)), Some(prev)) = (split(line), prev) else {
                if self.last.is_some() {
                    self.wrong.push(format!("{place}: has no hash: it was put in or changed"));
                } else {
                    self.plain += 1;
                }
                continue;
            };
            let is_whole = hash(open) == claimed;
            if !is_whole {
                self.wrong.push(format!("{place}: was changed after it was written"));
            }
            match self.last.as_deref() {
                None if prev != BEGIN => {
                    self.remarks.push(format!("{place}: entries before it are in an older file"));
                }
                Some(last) if last != prev => {
                    self.wrong.push(format!(
                        "{place}: does not follow the entry before it: some were taken out, put in or changed"
                    ));
                }
                None | Some(_) => {}
            }
            self.sound += usize::from(is_whole);
            self.last = Some(claimed.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(count: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut last: Option<String> = None;
        for number in 0..count {
            let (line, hash) = link(&format!("{{\"n\":{number}}}"), last.as_deref());
            assert_eq!(hash_of(&line), Some(hash.clone()));
            (last, lines) = (Some(hash), [lines, vec![line]].concat());
        }
        lines
    }

    #[track_caller]
    fn wrong(lines: &[String]) -> Vec<String> {
        let mut verdict = Verdict::default();
        verdict.read("a", &lines.join("\n"));
        verdict.wrong
    }

    #[test]
    fn every_change_is_noticed() {
        let lines = list(4);
        assert_eq!(wrong(&lines), Vec::<String>::new());
        let mut changed = lines.clone();
        changed[1] = changed[1].replace("\"n\":1", "\"n\":9");
        assert_eq!(wrong(&changed), ["a:2: was changed after it was written"]);
        let mut removed = lines.clone();
        removed.remove(1);
        assert!(wrong(&removed)[0].starts_with("a:2: does not follow"), "{removed:?}");
        let mut swapped = lines.clone();
        swapped.swap(1, 2);
        assert_eq!(wrong(&swapped).len(), 3, "{swapped:?}");
        let mut added = lines.clone();
        added.insert(2, "{\"n\":7}".to_owned());
        assert_eq!(wrong(&added), ["a:3: has no hash: it was put in or changed"]);
        let mut rewritten = lines;
        rewritten[3] = link("{\"n\":8}", None).0;
        assert!(wrong(&rewritten)[0].starts_with("a:4: does not follow"));
    }

    #[test]
    fn older_entries_torn_lines_and_rotated_files_are_no_faults() {
        let lines = list(3);
        let mut verdict = Verdict::default();
        verdict.read("a.1", &format!("{{\"n\":0}}\n{}\n{{\"n\":", lines[0]));
        verdict.read("a", &lines[1..].join("\n"));
        assert_eq!((verdict.plain, verdict.sound, verdict.wrong.len()), (1, 3, 0), "{verdict:?}");
        assert_eq!(verdict.remarks, ["a.1:3: is torn, as by a loss of power"]);
        let mut verdict = Verdict::default();
        verdict.read("a", &lines[1..].join("\n"));
        assert_eq!(verdict.remarks, ["a:1: entries before it are in an older file"]);
        assert!(verdict.wrong.is_empty() && verdict.last == hash_of(&lines[2]));
    }
}
