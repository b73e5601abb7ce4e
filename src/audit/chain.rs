//! The chain of the list of orders: every line has a hash of itself and names that of the line before it.
//!
//! A line that was changed, taken out or put in later does not fit its neighbours. Entries are counted, and the first one that is seals what
//! earlier versions have written before it. Whoever may write all files of the directory can make a new chain; the daemon's messages and
//! the report of the round have the hash of the last line as well, so that its end can be compared.

use std::{io, path::Path};

use blake2::{Blake2s256, Digest as _};
use serde_json::Value;

use super::Head;
use jadoube_runtime::private;

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
    written(&Blake2s256::digest(open))
}

fn written(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Returns the hash of all that is in some files, the oldest first; `None` if there is nothing.
pub(super) fn seal(files: [&Path; 2]) -> io::Result<Option<String>> {
    let mut sealed = Sealed::default();
    for file in files {
        match private::read(file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).lines().for_each(|line| sealed.read(line)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sealed.hash())
}

/// What a seal is made of: all lines up to it.
#[derive(Clone, Debug, Default)]
struct Sealed {
    digest: Blake2s256,
    is_any: bool,
}

impl Sealed {
    fn read(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.digest.update(line);
            self.digest.update("\n");
            self.is_any = true;
        }
    }

    fn hash(&self) -> Option<String> {
        self.is_any.then(|| written(&self.digest.clone().finalize()))
    }
}

/// Splits a line into what is hashed and the hash.
fn split(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix("\"}")?.rsplit_once(",\"hash\":\"")
}

/// What was found in a list.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Entries that are as they were written.
    pub(crate) sound: usize,
    /// Entries of versions that knew no chain.
    pub(crate) plain: usize,
    /// Whether what earlier versions have written is sealed, or there is none of it.
    is_sealed: bool,
    /// All lines that were read.
    read: Sealed,
    /// The entries that have to be there, by their hashes, until they are found: the one that was written last, as other files have it, and
    /// those that somebody else knows.
    missing: Vec<String>,
    /// Whether nobody knows which entry was written last, although it is written down beside each list.
    is_headless: bool,
    /// Whether there is no file with entries before those that are read.
    is_oldest: bool,
    /// What is wrong, each with file and line.
    pub(crate) wrong: Vec<String>,
    /// What is no fault: lines that a loss of power has torn, lines before the first that is there.
    pub(crate) remarks: Vec<String>,
    /// The hash of the last entry.
    pub(crate) last: Option<String>,
}

impl Verdict {
    /// Begins with the list of a log directory, of which a file says which entry is the last one; `is_oldest` says whether no older file than
    /// those that are read has entries. What is read of a list elsewhere begins with [`Verdict::default`].
    pub(crate) fn of_directory(last: Option<Head>, is_oldest: bool) -> Self {
        let missing: Vec<String> = last.into_iter().map(|head| head.hash).collect();
        Self { is_headless: missing.is_empty(), is_oldest, missing, ..Self::default() }
    }

    /// Expects an entry of this hash.
    pub(crate) fn expect(&mut self, hash: &str) {
        self.missing.push(hash.to_ascii_lowercase());
    }

    /// Returns whether no entry was read.
    pub(crate) const fn is_empty(&self) -> bool {
        self.plain + self.sound == 0 && self.wrong.is_empty()
    }

    /// Ends after the last file.
    pub(crate) fn end(&mut self) {
        for missing in std::mem::take(&mut self.missing) {
            self.wrong.push(format!(
                "the entry {missing}, which was once the last one, is not there: entries were taken from the end, or the file was emptied"
            ));
        }
        if self.is_headless && self.is_sealed {
            let wrong = "audit.head, which says which entry was written last, is missing or damaged: entries may have been taken from the end";
            self.wrong.push(wrong.to_owned());
        }
        if self.is_headless && self.is_empty() {
            let remark = "no order was given, or the list was removed with all that says which entry was the last one: '--last HASH' finds out, with one that 'journalctl -u jadoube' or a report has";
            self.remarks.push(remark.to_owned());
        }
        if !self.is_sealed && self.plain + self.sound > 0 {
            let remark =
                "entries of earlier versions can be changed unnoticed until the next entry seals them";
            self.remarks.push(remark.to_owned());
        }
    }

    /// Reads on in a file, after those that were read.
    pub(crate) fn read(&mut self, name: &str, text: &str) {
        // No file is rotated before it has an entry.
        self.is_oldest |= text.trim().is_empty();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let before = self.read.hash();
            self.read.read(line);
            let place = format!("{name}:{}", index + 1);
            let Ok(entry) = serde_json::from_str::<Value>(line) else {
                self.remarks.push(format!("{place}: is torn, as by a loss of power"));
                continue;
            };
            let prev = entry.get("prev").and_then(Value::as_str);
            let (Some((open, claimed)), Some(prev)) = (split(line), prev) else {
                if self.last.is_some() || self.is_sealed {
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
            self.missing.retain(|missing| missing != claimed);
            if entry.get("gap").is_some() {
                self.wrong
                    .push(format!("{place}: when it was written, entries before it had been taken out"));
            }
            if entry.get("headless").is_some() {
                let wrong = "when it was written, audit.head was missing or damaged: entries before it may have been taken out";
                self.wrong.push(format!("{place}: {wrong}"));
            }
            if let Some(number) = entry.get("n").and_then(Value::as_u64)
                && !std::mem::replace(&mut self.is_sealed, true)
            {
                let sealed = entry.get("sealed").and_then(Value::as_str);
                // With nothing before it, what was sealed, or counted, is in an older file.
                if before.is_some()
                    && (sealed.is_some() || number > 1 || prev == BEGIN)
                    && sealed != before.as_deref()
                {
                    self.wrong.push(format!("{place}: what is before it was changed, put in or taken out"));
                }
            }
            match self.last.as_deref() {
                None if prev != BEGIN && self.is_oldest => {
                    let wrong = "entries before it were taken out: no older file has any";
                    self.wrong.push(format!("{place}: {wrong}"));
                }
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
            let (line, hash) = link(&format!("{{\"m\":{number}}}"), last.as_deref());
            assert_eq!(hash_of(&line), Some(hash.clone()));
            (last, lines) = (Some(hash), [lines, vec![line]].concat());
        }
        lines
    }

    #[track_caller]
    fn wrong(lines: &[String]) -> Vec<String> {
        let mut verdict = Verdict::default();
        verdict.read("a", &lines.join("\n"));
        verdict.end();
        verdict.wrong
    }

    #[test]
    fn every_change_is_noticed() {
        let lines = list(4);
        assert_eq!(wrong(&lines), Vec::<String>::new());
        let mut changed = lines.clone();
        changed[1] = changed[1].replace("\"m\":1", "\"m\":9");
        assert_eq!(wrong(&changed), ["a:2: was changed after it was written"]);
        let mut removed = lines.clone();
        removed.remove(1);
        assert!(wrong(&removed)[0].starts_with("a:2: does not follow"), "{removed:?}");
        let mut swapped = lines.clone();
        swapped.swap(1, 2);
        assert_eq!(wrong(&swapped).len(), 3, "{swapped:?}");
        let mut added = lines.clone();
        added.insert(2, "{\"m\":7}".to_owned());
        assert_eq!(wrong(&added), ["a:3: has no hash: it was put in or changed"]);
        let mut rewritten = lines;
        rewritten[3] = link("{\"m\":8}", None).0;
        assert!(wrong(&rewritten)[0].starts_with("a:4: does not follow"));
    }

    #[test]
    fn older_entries_torn_lines_and_rotated_files_are_no_faults() {
        let lines = list(3);
        let mut verdict = Verdict::default();
        verdict.read("a.1", &format!("{{\"m\":0}}\n{}\n{{\"m\":", lines[0]));
        verdict.read("a", &lines[1..].join("\n"));
        assert_eq!((verdict.plain, verdict.sound, verdict.wrong.len()), (1, 3, 0), "{verdict:?}");
        assert_eq!(verdict.remarks, ["a.1:3: is torn, as by a loss of power"]);
        let mut verdict = Verdict::default();
        verdict.read("a", &lines[1..].join("\n"));
        assert_eq!(verdict.remarks, ["a:1: entries before it are in an older file"]);
        assert!(verdict.wrong.is_empty() && verdict.last == hash_of(&lines[2]));
    }

    /// What earlier versions have written, and two entries of this one.
    fn sealed() -> Vec<String> {
        let plain = ["{\"n0\":1}".to_owned(), link("{\"m\":2}", None).0];
        let mut all = Sealed::default();
        for line in &plain {
            all.read(line);
        }
        let before = hash_of(&plain[1]);
        let body = format!("{{\"m\":3,\"sealed\":\"{}\",\"n\":1}}", all.hash().unwrap());
        let (first, hash) = link(&body, before.as_deref());
        let (second, _) = link("{\"m\":4,\"n\":2}", Some(&hash));
        [plain.to_vec(), vec![first, second]].concat()
    }

    #[test]
    fn what_earlier_versions_have_written_is_sealed() {
        let lines = sealed();
        assert_eq!(wrong(&lines), Vec::<String>::new());
        for changed in [
            vec!["{\"n0\":9}".to_owned(), lines[1].clone()],
            vec![lines[1].clone()],
            vec!["{\"n0\":1}".to_owned()],
            vec!["{\"n0\":1}".to_owned(), "{\"m\":2}".to_owned()],
            vec![lines[0].clone(), lines[0].clone(), lines[1].clone()],
        ] {
            let lines = [changed, lines[2..].to_vec()].concat();
            assert!(wrong(&lines)[0].contains("what is before it was changed"), "{lines:?}");
        }
        // Entries lose their hashes, as if they were older.
        let (first, hash) = link("{\"m\":1,\"n\":1}", None);
        let (second, _) = link("{\"m\":2,\"n\":2}", Some(&hash));
        assert_eq!(wrong(&[first, second.clone()]), Vec::<String>::new());
        assert!(wrong(&["{\"m\":7}".to_owned(), second])[0].starts_with("a:2: what is before it"));
        let (first, _) = link("{\"m\":1,\"n\":1}", None);
        assert!(wrong(&["{\"m\":7}".to_owned(), first])[0].starts_with("a:2: what is before it"));
    }

    #[test]
    fn entries_that_are_taken_from_the_end_are_missed() {
        let lines = sealed();
        let last = hash_of(&lines[3]).map(|hash| Head { n: 2, hash });
        for kept in 0..lines.len() {
            let mut verdict = Verdict::of_directory(last.clone(), true);
            verdict.read("a", &lines[..kept].join("\n"));
            verdict.end();
            assert!(verdict.wrong[0].contains("is not there"), "{kept}: {verdict:?}");
        }
        // Without the file that says which one was the last.
        for kept in 3..=lines.len() {
            let mut verdict = Verdict::of_directory(None, true);
            verdict.read("a", &lines[..kept].join("\n"));
            verdict.end();
            assert!(verdict.wrong[0].contains("audit.head"), "{kept}: {verdict:?}");
        }
    }

    #[test]
    fn entries_that_are_taken_from_the_beginning_are_missed() {
        let lines = list(3);
        let verdict = |is_oldest| {
            let mut verdict = Verdict { is_oldest, ..Verdict::default() };
            verdict.read("a", &lines[1..].join("\n"));
            (verdict.wrong, verdict.remarks)
        };
        assert_eq!(verdict(true).0, ["a:1: entries before it were taken out: no older file has any"]);
        assert_eq!(verdict(false).1, ["a:1: entries before it are in an older file"]);
        let mut verdict = Verdict::default();
        verdict.read("a.1", "");
        verdict.read("a", &lines[1..].join("\n"));
        assert_eq!(verdict.wrong.len(), 1, "the older file was emptied: {verdict:?}");
    }
}
