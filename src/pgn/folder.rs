//! Games as files, in the folders that LiveChess makes and uploaders watch.
//!
//! A file is whole or not there: it is written under a name that no uploader takes and put in its place at once. A
//! disk that takes nothing, or hangs, holds up nobody but itself; what is to be written waits, only the newest of each
//! file.

mod ledger;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::task::{JoinHandle, spawn_blocking};
use tracing::{error, info, warn};

use self::ledger::Ledger;
use crate::{metrics::Figures, service::game_store::Document};
use jadoube_core::time::Timestamp;
use jadoube_runtime::{clock::SystemClock, private, replace::replace_public};

/// What monitoring calls it.
const SINK: &str = "pgn";

/// What is added to the name of a file that somebody has edited.
const EDITED: &str = "edited";

/// How long a disk that has failed is left alone.
const RETRY: Duration = Duration::from_secs(10);

type Files = BTreeMap<PathBuf, Arc<str>>;

/// What is to be written.
#[derive(Debug)]
pub(super) struct Folder {
    clock: SystemClock,
    figures: Figures,
    waiting: Files,
    writing: Option<JoinHandle<WriteOutcome>>,
    not_before: Timestamp,
    failing: bool,
}

#[derive(Debug, Default)]
struct WriteOutcome {
    left: Files,
    error: Option<(PathBuf, io::Error)>,
}

impl Folder {
    pub(super) fn new(clock: SystemClock, figures: Figures) -> Self {
        figures.exports.begin(SINK);
        Self {
            clock,
            figures,
            waiting: BTreeMap::new(),
            writing: None,
            not_before: Timestamp::ZERO,
            failing: false,
        }
    }

    /// Has a file written.
    pub(super) fn put(&mut self, path: PathBuf, document: &Document) {
        self.waiting.insert(path, document.text.clone());
    }

    /// Goes on writing; returns at once.
    pub(super) async fn turn(&mut self) {
        if self.writing.as_ref().is_some_and(JoinHandle::is_finished) {
            self.finish().await;
        }
        if self.writing.is_none() && !self.waiting.is_empty() && self.not_before <= self.clock.now() {
            let files = std::mem::take(&mut self.waiting);
            self.writing = Some(spawn_blocking(move || write_all(files)));
        }
    }

    /// Writes what is left.
    pub(super) async fn end(&mut self) {
        self.finish().await;
        self.not_before = Timestamp::ZERO;
        self.turn().await;
        self.finish().await;
    }

    async fn finish(&mut self) {
        let Some(writing) = self.writing.take() else { return };
        let outcome = match writing.await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return,
        };
        for (path, text) in outcome.left {
            self.waiting.entry(path).or_insert(text);
        }
        if let Some((path, error)) = outcome.error {
            self.not_before = self.clock.now() + RETRY;
            self.figures.exports.fail(SINK);
            self.figures.health.degrade(SINK, Some(format!("{}: {error}", path.display())));
            if !std::mem::replace(&mut self.failing, true) {
                error!(file = %path.display(), %error, "games cannot be written, see pgn.dir; tried again");
            }
        } else {
            self.figures.exports.succeed(SINK, self.clock.utc(self.clock.now()));
            if std::mem::take(&mut self.failing) {
                self.figures.health.degrade(SINK, None);
                info!("games are written again");
            }
        }
    }
}

/// Writes files, each folder's for itself.
fn write_all(files: Files) -> WriteOutcome {
    let mut outcome = WriteOutcome::default();
    let mut folders: BTreeMap<PathBuf, Files> = BTreeMap::new();
    for (path, text) in files {
        let folder = path.parent().unwrap_or(&path).to_owned();
        folders.entry(folder).or_default().insert(path, text);
    }
    for (folder, files) in folders {
        let written = if outcome.error.is_none() { write_folder(&folder, &files) } else { Ok(()) };
        match written {
            Ok(()) if outcome.error.is_none() => {}
            Ok(()) => outcome.left.extend(files),
            Err(error) => {
                outcome.error = Some((folder, error));
                outcome.left.extend(files);
            }
        }
    }
    outcome
}

fn write_folder(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut ledger = Ledger::read(folder)?;
    for (path, text) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let present = match private::read(path) {
            Ok(present) => Some(present),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let own = present.filter(|present| *present == text.as_bytes() || ledger.has(&name, present));
        if own.is_none() {
            keep_edited(path)?;
        }
        ledger.note(&name, text.as_bytes(), own.as_deref());
    }
    // Before the files, so that what a kill leaves half done is still known.
    ledger.write()?;
    files.iter().try_for_each(|(path, text)| replace_public(path, text.as_bytes()))
}

/// Keeps beside it what somebody has made of a file, or has put there.
fn keep_edited(path: &Path) -> io::Result<()> {
    let kept = path.with_added_extension(EDITED);
    match fs::rename(path, &kept) {
        Ok(()) => {
            warn!(file = %path.display(), kept = %kept.display(), "somebody has edited a file that is written anew");
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the games of a round that an earlier process has left on the disk, by board.
pub(super) fn left_behind(directory: &Path) -> Vec<(u64, String)> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let game = |entry: io::Result<fs::DirEntry>| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?;
        let board = name.strip_prefix("game-")?.strip_suffix(".pgn")?.parse().ok()?;
        Some((board, private::read_to_string(&path).ok()?))
    };
    entries.filter_map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Export;

    #[tokio::test]
    async fn files_are_whole_and_the_newest_wins() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = Folder::new(SystemClock::start(), Figures::default());
        let path = dir.path().join("round-1/game-7.pgn");
        folder.put(path.clone(), &Document::new("old".to_owned()));
        folder.put(path.clone(), &Document::new("new".to_owned()));
        folder.end().await;
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let mut names: Vec<_> =
            fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".written", "game-7.pgn"], "nothing is left over");
        assert_eq!(left_behind(path.parent().unwrap()), [(7, "new".to_owned())]);
    }

    #[tokio::test]
    async fn what_somebody_has_edited_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = Folder::new(SystemClock::start(), Figures::default());
        let path = dir.path().join("game-7.pgn");
        for (text, edit) in [("first", "by hand"), ("second", "second"), ("third", "third")] {
            folder.put(path.clone(), &Document::new(text.to_owned()));
            folder.end().await;
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            fs::write(&path, edit).unwrap();
        }
        assert_eq!(fs::read_to_string(dir.path().join("game-7.pgn.edited")).unwrap(), "by hand");
    }

    #[tokio::test]
    async fn what_somebody_has_edited_while_nothing_ran_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let (path, kept) = (dir.path().join("game-7.pgn"), dir.path().join("game-7.pgn.edited"));
        let write = async |text: &str| {
            let mut folder = Folder::new(SystemClock::start(), Figures::default());
            folder.put(path.clone(), &Document::new(text.to_owned()));
            folder.end().await;
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        };
        write("first").await;
        // Nobody has edited what the program itself has written.
        write("second").await;
        assert!(!kept.exists());
        fs::write(&path, "by hand").unwrap();
        write("second").await;
        assert_eq!(fs::read_to_string(&kept).unwrap(), "by hand");
        fs::remove_file(&kept).unwrap();
        write("third").await;
        assert!(!kept.exists());
        // A kill before the file had its new text.
        let noted = fs::read(dir.path().join(".written")).unwrap();
        write("fourth").await;
        fs::write(dir.path().join(".written"), noted).unwrap();
        fs::write(&path, "second").unwrap();
        write("fifth").await;
        assert!(!kept.exists());
    }

    #[tokio::test]
    async fn a_folder_of_an_earlier_version_is_written_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("game-7.pgn");
        fs::write(&path, "of an earlier version").unwrap();
        let mut folder = Folder::new(SystemClock::start(), Figures::default());
        folder.put(path.clone(), &Document::new("first".to_owned()));
        folder.end().await;
        assert!(!dir.path().join("game-7.pgn.edited").exists());
        // What somebody adds to a folder that is known is no file of ours.
        let other = dir.path().join("game-8.pgn");
        fs::write(&other, "mine").unwrap();
        folder.put(other, &Document::new("first".to_owned()));
        folder.end().await;
        assert_eq!(fs::read_to_string(dir.path().join("game-8.pgn.edited")).unwrap(), "mine");
    }

    #[tokio::test]
    async fn what_a_disk_does_not_take_waits() {
        let dir = tempfile::tempdir().unwrap();
        let figures = Figures::default();
        let mut folder = Folder::new(SystemClock::start(), figures.clone());
        let round = dir.path().join("round-1");
        fs::write(&round, "a file where a directory should be").unwrap();
        folder.put(round.join("games.pgn"), &Document::new("game".to_owned()));
        folder.end().await;
        assert!(folder.failing);
        let reported = || (figures.exports.read()[SINK], figures.health.degraded().contains_key(SINK));
        assert!(matches!(reported(), (Export { successes: 0, failures: 1, .. }, true)), "{:?}", reported());
        fs::remove_file(&round).unwrap();
        folder.end().await;
        assert!(!folder.failing);
        assert!(matches!(
            reported(),
            (Export { successes: 1, failures: 1, last_success: Some(_), .. }, false)
        ));
        assert_eq!(fs::read_to_string(round.join("games.pgn")).unwrap(), "game");
    }
}
