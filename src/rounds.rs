//! Owns the rounds of the event: which game is that of which table, under which names, and with which result.
//!
//! A round is planned once its pairings are read, begins by an order, a button or the first clock, and is over when every table has a
//! result. What is known of it lies in `rounds/round-N.json` in the state directory, so that a restart changes nothing. It knows
//! boards by what the [`View`](crate::view::View) reports of them, and asks none anything.

mod book;
pub(crate) mod export;
mod round;
mod seat;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use jiff::Timestamp;
use tokio::sync::watch;
use tracing::error;

pub(crate) use self::{
    book::{Book, Place},
    round::{
        BoundGame, EarlierPart, Entered, ReportedResult, ResultState, Round, Stage, Started, Table, Unpaired,
    },
    seat::{PgnPlayer, Seat},
};
use crate::{
    config::Config,
    view::{Boards, GameView},
};
use jadoube_core::{event::Continuation, score::Score};
use jadoube_runtime::{
    private,
    replace::{Durability, replace, set_aside},
};

/// The rounds; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    book: RwLock<Book>,
    /// Where they are kept; `None` for boards of other machines.
    directory: Option<PathBuf>,
    /// One at a time writes files.
    writing: Mutex<()>,
    changed: watch::Sender<u64>,
}

impl Rounds {
    /// Reads what an earlier process has left in the state directory.
    pub(crate) fn open(state_dir: &Path) -> Self {
        let directory = state_dir.join("rounds");
        let mut book = Book::default();
        for path in fs::read_dir(&directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let is_round = path.extension().is_some_and(|end| end == "json");
            match is_round.then(|| read(&path)) {
                Some(Ok(round)) => book.take(round),
                Some(Err(error)) => {
                    let kept = set_aside(&path).map(|aside| aside.display().to_string()).unwrap_or_default();
                    error!(file = %path.display(), error, kept, "a round cannot be read, and begins anew");
                }
                None => {}
            }
        }
        let book = RwLock::new(book);
        Self(Arc::new(Shared { book, directory: Some(directory), ..Shared::default() }))
    }

    /// Reads something of the rounds.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Book) -> T) -> T {
        look(&self.0.book.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<T>(&self, change: impl FnOnce(&mut Book) -> T) -> T {
        let mut book = self.0.book.write().unwrap_or_else(PoisonError::into_inner);
        let before = book.version();
        let done = change(&mut book);
        let version = book.version();
        drop(book);
        if version != before {
            self.0.changed.send_replace(version);
        }
        done
    }

    /// Reports every change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changed.subscribe()
    }

    /// Handles a configuration with the pairings in it, as it was read.
    pub(crate) fn plan(&self, config: &Config, boards: &Boards, now: Timestamp) {
        self.write(|book| book.plan(config, boards, now));
    }

    /// Looks at the boards.
    pub(crate) fn observe(&self, config: &Config, boards: &Boards, now: Timestamp) {
        self.write(|book| book.observe(config, boards, now));
    }

    /// Puts those who play at the boards at this moment in the place of those who are to play there next.
    pub(crate) fn seat(&self, config: &mut Config, boards: &Boards) {
        self.read(|book| book.seat(config, boards));
    }

    /// Begins a round that has not begun; says whether it did.
    pub(crate) fn start(&self, round: u32, by: &str, at: Timestamp) -> bool {
        self.write(|book| book.start(round, by, at))
    }

    /// Ends a round.
    ///
    /// # Errors
    ///
    /// Returns a reason if there is none.
    pub(crate) fn finish(&self, round: u32, at: Timestamp) -> Result<(), String> {
        self.write(|book| book.finish(round, at))
    }

    /// Handles the result of a game, also of one that has left its board.
    pub(crate) fn take_result(&self, board: &str, game: u32, score: Option<Score>, by: &str) {
        self.write(|book| book.take_result(board, game, score, by));
    }

    /// Notes that a game of a board goes on, as another one of another board or as itself.
    pub(crate) fn take_continuation(&self, board: &str, game: u32, before: &Continuation) {
        self.write(|book| book.go_on(board, game, before));
    }

    /// Enters the result of a table, or takes what was entered back.
    ///
    /// # Errors
    ///
    /// Returns a reason if there is no such table.
    pub(crate) fn enter(&self, round: u32, table: u64, entered: Option<Entered>) -> Result<(), String> {
        self.write(|book| book.enter(round, table, entered))
    }

    /// Ticks a result off against the slip.
    ///
    /// # Errors
    ///
    /// Returns a reason if there is no such table.
    pub(crate) fn check(&self, round: u32, table: u64, checked: bool) -> Result<(), String> {
        self.write(|book| book.check(round, table, checked))
    }

    /// Stops the publication of a table's game, or of all, or resumes it: the public then sees all of it at once.
    ///
    /// # Errors
    ///
    /// Returns a reason if there is no such table.
    pub(crate) fn hold(&self, round: u32, table: Option<u64>, held: bool) -> Result<(), String> {
        self.write(|book| book.hold(round, table, held))
    }

    /// Gives a table the names of the pairings, though its game has begun.
    ///
    /// # Errors
    ///
    /// Returns a reason if the pairings do not have it.
    pub(crate) fn rename(&self, round: u32, table: u64) -> Result<(), String> {
        self.write(|book| book.rename(round, table))
    }

    /// Makes a game the one of a table; `has_left` says that it is not on its board any more.
    ///
    /// # Errors
    ///
    /// Returns a reason if there is no such table.
    pub(crate) fn pair(
        &self,
        round: u32,
        table: u64,
        board: &str,
        game: &Arc<GameView>,
        has_left: bool,
    ) -> Result<(), String> {
        self.write(|book| book.pair(round, table, board, game, has_left))
    }

    /// Removes the game of a table.
    ///
    /// # Errors
    ///
    /// Returns a reason if it has none.
    pub(crate) fn unpair(&self, round: u32, table: u64) -> Result<(), String> {
        self.write(|book| book.unpair(round, table))
    }

    /// Writes what has changed to the disk; what it does not take is written the next time.
    ///
    /// # Errors
    ///
    /// Returns the first error of the disk.
    pub(crate) fn save(&self) -> io::Result<()> {
        let Some(directory) = &self.0.directory else { return Ok(()) };
        let _turn = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let unsaved: Vec<Round> = {
            let mut book = self.0.book.write().unwrap_or_else(PoisonError::into_inner);
            let numbers = std::mem::take(&mut book.unsaved);
            numbers.iter().filter_map(|number| book.round(*number).cloned()).collect()
        };
        let mut outcome = Ok(());
        for round in unsaved {
            let written = write(directory, &round);
            if written.is_err() {
                self.0.book.write().unwrap_or_else(PoisonError::into_inner).unsaved.insert(round.number);
            }
            outcome = outcome.and(written);
        }
        outcome
    }

    /// Returns whether something is to be written.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.read(|book| !book.unsaved.is_empty())
    }
}

fn read(path: &Path) -> Result<Round, String> {
    let text = private::read_to_string(path).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

fn write(directory: &Path, round: &Round) -> io::Result<()> {
    private::make_directory(directory)?;
    let text = serde_json::to_vec_pretty(round)?;
    replace(&directory.join(format!("round-{}.json", round.number)), &text, Durability::Synced)
}
