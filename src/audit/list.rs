//! The file of the list, and what waits for it: an order that is being carried out, and entries that the disk does not take.
//!
//! An order lies in a file of its own before it is carried out, so that a kill meanwhile leaves none without an entry. What the disk does
//! not take waits in memory, and follows when there is room.

use std::{
    collections::{BTreeMap, VecDeque},
    fs::{self, File},
    io::{self, Write as _},
    mem,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracing::{error, info, warn};

use super::{NAME, chain, end_of};
use crate::config::Config;
use jadoube_runtime::{platform, private, replace::replace_secret};

/// Which entry was written last, beside the list.
const HEAD: &str = "audit.head";

/// The same in the state directory: it finds out who removes the list and what lies beside it.
const COPY: &str = "audit.last";

/// Orders that are being carried out, in the log directory.
const PENDING: &str = "audit.pending";

/// How much of a file's end has its last line for sure: an order has 16 KiB at most.
const LAST: u64 = 64 * 1024;

/// Entries that wait for the disk, bytes.
const MOST: usize = 1 << 20;

/// The last entry of a list.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Head {
    /// How many entries there are up to it, those of earlier versions not counted.
    pub(crate) n: u64,
    pub(crate) hash: String,
}

/// The last entry, as the state directory has it.
#[derive(Debug, Deserialize, Serialize)]
struct Copied {
    #[serde(flatten)]
    head: Head,
    /// Where the list is: another log directory has another one.
    log_dir: PathBuf,
}

impl Head {
    /// Reads which entry was written last; `None` if that is not known.
    pub(crate) fn read(place: &Place) -> Option<Self> {
        let own = private::read(&place.log_dir.join(HEAD)).ok();
        let own: Option<Self> = own.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let copied = place.state_dir.as_ref().and_then(|state_dir| private::read(&state_dir.join(COPY)).ok());
        let copied: Option<Copied> = copied.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let copied = copied.filter(|copied| copied.log_dir == place.log_dir).map(|copied| copied.head);
        // A disk may have taken one of them and not the other.
        own.into_iter().chain(copied).max_by_key(|head| head.n)
    }

    fn write(&self, place: &Place) {
        let copied = Copied { head: self.clone(), log_dir: place.log_dir.clone() };
        let own = (&place.log_dir, HEAD, serde_json::to_vec(self));
        let copied = place.state_dir.as_ref().map(|state_dir| (state_dir, COPY, serde_json::to_vec(&copied)));
        for (directory, name, text) in [own].into_iter().chain(copied) {
            let file = directory.join(name);
            let written = private::make_directory(directory)
                .and_then(|()| replace_secret(&file, &text.unwrap_or_default()));
            if let Err(error) = written {
                warn!(file = %file.display(), %error, "does not say which entry of the audit list is the last one");
            }
        }
    }
}

/// Where a list is, and where else is written down which entry is its last one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Place {
    log_dir: PathBuf,
    /// `None` if nobody knows it.
    state_dir: Option<PathBuf>,
}

impl Place {
    pub(crate) fn of(config: &Config) -> Self {
        Self { log_dir: config.log_dir.clone(), state_dir: Some(config.state_dir.clone()) }
    }

    /// Names a list by its directory alone.
    pub(crate) fn of_list(directory: &Path) -> Self {
        Self { log_dir: directory.to_owned(), ..Self::default() }
    }
}

/// The list of one log directory.
#[derive(Debug, Default)]
pub(super) struct List {
    place: Place,
    /// Orders that are being carried out, each as its entry would be.
    open: BTreeMap<u64, String>,
    /// How many there were.
    number: u64,
    waiting: VecDeque<String>,
    lost: u64,
    failure: Option<String>,
    /// The last entry that this process has written.
    written: Option<Head>,
}

impl List {
    /// Goes on in a log directory; takes up what an earlier process has not come to.
    pub(super) fn enter(&mut self, place: &Place) {
        if self.place == *place {
            return;
        }
        place.clone_into(&mut self.place);
        let left = self.left_over().unwrap_or_else(|error| {
            warn!(file = %place.log_dir.join(PENDING).display(), %error, "cannot be read: an order may have no entry");
            Vec::new()
        });
        for body in left {
            warn!(entry = body, "the program has ended while an order was carried out");
            self.wait(taken_over(&body));
        }
        self.written = None;
        self.flush();
        self.forget();
    }

    /// Notes an order before it is carried out.
    pub(super) fn begin(&mut self, body: String) -> u64 {
        self.number += 1;
        let line = json!({ "n": self.number, "entry": body }).to_string();
        if let Err(error) = self.note(&line) {
            warn!(%error, "an order is carried out before it is written down");
        }
        self.open.insert(self.number, body);
        self.number
    }

    /// Writes the entry of an order that was carried out or refused; returns its hash once it is on the disk.
    pub(super) fn finish(&mut self, number: u64, body: String) -> Option<String> {
        let hash = self.add(body);
        self.open.remove(&number);
        // What waits in memory is lost with the program: then its order stays noted.
        if !self.waiting.is_empty() {
            return None;
        }
        if self.open.is_empty() {
            self.forget();
        } else if let Err(error) = self.note(&json!({ "done": number }).to_string()) {
            warn!(%error, "an order may be in the list twice");
        }
        hash
    }

    /// Writes the entry of an order of which nobody waits for the outcome any more.
    pub(super) fn give_up(&mut self, number: u64) {
        if let Some(body) = self.open.remove(&number) {
            self.wait(interrupted(&body));
        }
    }

    /// Writes an entry; returns its hash once it is on the disk.
    pub(super) fn add(&mut self, body: String) -> Option<String> {
        self.wait(body);
        self.flush()
    }

    /// Writes what waits; returns the hash of the last of it if nothing waits any more.
    pub(super) fn flush(&mut self) -> Option<String> {
        let mut last = None;
        while let Some(body) = self.waiting.pop_front() {
            match append(&self.place, &body, self.written.as_ref()) {
                Ok(head) => {
                    last = Some(head.hash.clone());
                    self.written = Some(head);
                }
                Err(reason) => {
                    if self.failure.is_none() {
                        error!(error = %reason, file = NAME, "an order is not in the audit list yet; tried again");
                    }
                    self.failure = Some(reason.to_string());
                    self.waiting.push_front(body);
                    return None;
                }
            }
        }
        if self.failure.take().is_some() {
            info!(lost = self.lost, "the audit list takes entries again");
        }
        if mem::take(&mut self.lost) > 0 {
            error!(
                "entries of the audit list are lost: too many waited for the disk; the captures have the orders"
            );
        }
        last
    }

    /// Returns whether something waits for the disk, and why.
    pub(super) fn trouble(&self) -> Option<String> {
        let reason = self.failure.as_ref()?;
        Some(format!("cannot write {NAME}: {reason}; {} entries wait", self.waiting.len()))
    }

    /// Returns whether something waits to be written.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn wait(&mut self, body: String) {
        let bytes: usize = self.waiting.iter().map(String::len).sum();
        if bytes + body.len() > MOST {
            error!(entry = body, "an entry of the audit list is lost: too many wait for the disk");
            self.lost += 1;
        } else {
            self.waiting.push_back(body);
        }
    }

    fn note(&self, line: &str) -> io::Result<()> {
        let mut file = private::append(&self.place.log_dir.join(PENDING))?;
        // A line that a full disk has cut takes no other with it.
        file.write_all(format!("\n{line}\n").as_bytes())?;
        file.sync_data()
    }

    /// Forgets all orders that are noted.
    fn forget(&self) {
        if self.has_waiting() {
            return;
        }
        let file = self.place.log_dir.join(PENDING);
        if let Ok(file) = private::append(&file)
            && let Err(error) = file.set_len(0)
        {
            warn!(%error, "an order may be in the list twice");
        }
    }

    /// Returns the orders that an earlier process has begun and whose entries are not in the list.
    fn left_over(&self) -> io::Result<Vec<String>> {
        let mut begun = BTreeMap::new();
        for line in json_lines(&end_of(&self.place.log_dir.join(PENDING), 1 << 20)?) {
            let number = |key| line.get(key).and_then(Value::as_u64);
            if let (Some(number), Some(body)) = (number("n"), line.get("entry").and_then(Value::as_str)) {
                begun.insert(number, body.to_owned());
            } else if let Some(number) = number("done") {
                begun.remove(&number);
            }
        }
        if begun.is_empty() {
            return Ok(Vec::new());
        }
        let listed = json_lines(&end_of(&self.place.log_dir.join(NAME), 1 << 20)?);
        let is_listed = |body: &String| {
            let body: Value = serde_json::from_str(body).unwrap_or_default();
            let is_reported = body.get("given").is_some();
            is_reported
                && listed
                    .iter()
                    .any(|entry| ["given", "board"].iter().all(|key| entry.get(key) == body.get(key)))
        };
        Ok(begun.into_values().filter(|body| !is_listed(body)).collect())
    }
}

/// Makes the entry of an order whose outcome is not known.
fn interrupted(body: &str) -> String {
    let open = body.strip_suffix('}').unwrap_or(body);
    format!("{open},\"interrupted\":true}}")
}

/// Makes the entry of an order that an earlier process has left in a file of which nobody can know who has written it: what it says of its
/// sender is a claim.
fn taken_over(body: &str) -> String {
    let mut entry = match serde_json::from_str(body) {
        Ok(Value::Object(entry)) => entry,
        _ => json!({ "order": { "order": "unreadable", "text": body } })
            .as_object()
            .cloned()
            .unwrap_or_default(),
    };
    // What the chain itself says of an entry.
    for key in ["n", "prev", "hash", "gap", "sealed"] {
        entry.remove(key);
    }
    entry.insert("claimed".to_owned(), true.into());
    entry.insert("interrupted".to_owned(), true.into());
    Value::Object(entry).to_string()
}

fn json_lines(bytes: &[u8]) -> Vec<Value> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Adds a line for a daemon that may run: the files are its own.
pub(super) fn append_for_owner(place: &Place, body: &str) -> io::Result<()> {
    append(place, body, None)?;
    let Place { log_dir, state_dir } = place;
    let copied = state_dir.iter().map(|state_dir| (state_dir, COPY));
    for (directory, name) in [(log_dir, NAME), (log_dir, HEAD)].into_iter().chain(copied) {
        let file = directory.join(name);
        if file.exists() {
            platform::give_to(&file, &fs::metadata(directory)?)?;
        }
    }
    Ok(())
}

/// Adds a line, after the one that this process has `written` last; returns its place. One process at a time does, as each line names the
/// one before it.
fn append(place: &Place, body: &str, written: Option<&Head>) -> io::Result<Head> {
    let directory = &place.log_dir;
    private::make_directory(directory)?;
    let alone = File::open(directory)?;
    alone.lock()?;
    let path = directory.join(NAME);
    // The file may have been rotated.
    let older = path.with_extension("jsonl.1");
    let bytes = end_of(&path, LAST)?;
    let last = match last_of(&bytes) {
        Some(last) => Some(last),
        None => last_of(&end_of(&older, LAST)?),
    };
    let mut more = String::new();
    let (mut n, mut before) = (0, None);
    if let Some(last) = last {
        before = Some(last.hash);
        n = last.n;
    }
    if n == 0 {
        // The first entry of this kind seals those of earlier versions.
        if let Some(seal) = chain::seal([&older, &path])? {
            more = format!(",\"sealed\":\"{seal}\"");
        }
    }
    let older_bytes = end_of(&older, LAST)?;
    let known = Head::read(place);
    let is_there = |head: &Head| {
        before.as_ref() == Some(&head.hash)
            || contains(&bytes, &head.hash)
            || contains(&older_bytes, &head.hash)
    };
    // What this process has written may be in an older file by now, if others have written since.
    let written = written.filter(|own| known.as_ref().is_none_or(|known| known.n <= own.n));
    if let Some(head) = [written, known.as_ref()].into_iter().flatten().find(|head| !is_there(head)) {
        error!(
            missing = head.hash,
            "somebody has changed the audit list: the entry that was written last is not in it any more"
        );
        more += ",\"gap\":true";
        (n, before) = (n.max(head.n), Some(head.hash.clone()));
    } else if known.is_none() && n > 0 {
        error!(
            file = HEAD,
            "is missing or damaged: entries may have been taken from the end of the audit list"
        );
        more += ",\"headless\":true";
    }
    let body = body.strip_suffix('}').unwrap_or(body);
    let (line, hash) = chain::link(&format!("{body}{more},\"n\":{}}}", n + 1), before.as_deref());
    let mut file = private::append(&path)?;
    let whole = file.metadata()?.len();
    // A line that was torn by a loss of power takes no other with it.
    let gap = if bytes.last().is_none_or(|last| *last == b'\n') { "" } else { "\n" };
    let written = file.write_all(format!("{gap}{line}\n").as_bytes()).and_then(|()| file.sync_data());
    if let Err(error) = written {
        // A part of the line, which it would be written beside once there is room.
        file.set_len(whole)?;
        return Err(error);
    }
    let head = Head { n: n + 1, hash };
    head.write(place);
    Ok(head)
}

/// Returns the last whole line that has a hash.
fn last_of(bytes: &[u8]) -> Option<Head> {
    bytes.rsplit(|byte| *byte == b'\n').find_map(|line| {
        let entry: Value = serde_json::from_slice(line).ok()?;
        let hash = chain::hash_of(str::from_utf8(line).ok()?)?;
        Some(Head { n: entry.get("n").and_then(Value::as_u64).unwrap_or(0), hash })
    })
}

fn contains(bytes: &[u8], hash: &str) -> bool {
    let ending = format!("\"hash\":\"{hash}\"}}");
    !hash.is_empty() && bytes.split(|byte| *byte == b'\n').any(|line| line.ends_with(ending.as_bytes()))
}
