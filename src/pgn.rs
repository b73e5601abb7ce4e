//! Owns games as files and as answers to web requests, with the delay that an event asks for.
//!
//! | address, and file below `pgn.dir` | what |
//! |---|---|
//! | `round-N/games.pgn` | all games of a round |
//! | `round-N/game-M.pgn` | the game on table M |
//! | `round-N/index.json`, `tournament.json` | who plays whom, the event in short |
//! | `current/games.pgn` | the games that go on (address only) |
//! | `round-N/game-M.json`, `get/ID/…`, `meta/ID` | the shapes of LiveChess Cloud (address only) |
//!
//! Boards are looked at in the [`View`](crate::view::View) at a steady pace, and what they show waits in a
//! `Track` until its delay is over. Files and answers are made of what has waited, and of nothing
//! else.

#[cfg(feature = "http")]
mod answers;
mod cloud;
mod folder;
mod outcome;
mod past;
mod retag;
mod sheet;
mod track;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use tokio::time::{MissedTickBehavior, interval};
use tracing::warn;

#[cfg(all(test, feature = "http"))]
pub(crate) use self::answers::addresses;
#[cfg(feature = "http")]
pub(crate) use self::answers::router;
use self::{
    folder::Folder,
    sheet::SheetRecord,
    track::{Instant, Placing, PublicState, Shown, Track},
};
use crate::{
    config::{Config, PgnConfig, Publish},
    published::zone::local_zone,
    rounds::{Book, Place, Rounds, Seat, Table},
    service::{
        ServiceContext,
        game_store::{self, Document, GameDocument, GameStore, Index},
    },
    view::Boards,
};
use jadoube_core::event::BoardId;
use jadoube_runtime::clock::SystemClock;

/// How often boards are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let clock = SystemClock::start();
    let mut folder = Folder::new(clock, context.daemon.figures().clone());
    let mut publisher = Publisher::new(context.games.clone(), context.daemon.rounds().clone(), local_zone());
    let mut looks = interval(LOOK.min(context.heartbeat.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
        let config = context.config.borrow().clone();
        let Some(pgn) = &config.pgn else { continue };
        for round in publisher.wanted_past(&config) {
            let path = pgn.dir.join(format!("round-{round}"));
            let reading = tokio::task::spawn_blocking(move || folder::left_behind(&path));
            let left = context.heartbeat.during(reading).await.unwrap_or_default();
            publisher.restore_past(round, left, &config, clock.utc(clock.now()));
        }
        let (_, boards) = context.daemon.view().read();
        for (path, document) in publisher.update(&config, &boards, Instant::of(&clock)) {
            folder.put(pgn.dir.join(path), &document);
        }
        folder.turn().await;
    }
    context.heartbeat.during(folder.end()).await;
}

/// Makes files of boards.
struct Publisher {
    games: GameStore,
    rounds: Rounds,
    zone: TimeZone,
    tracked: BTreeMap<BoardId, Track>,
    /// Who sat at a board in a round, where every board counts its own.
    seats: BTreeMap<(BoardId, u32), Seat>,
    config: Option<Arc<Config>>,
    index: Index,
    book: Book,
    /// What the public has last seen of the game of each table, and on which board.
    kept: BTreeMap<Key, (BoardId, PublicState)>,
    /// What it sees next, as soon as the table is not held.
    unseen: BTreeMap<Key, (BoardId, PublicState)>,
    /// The tables as they were when they were written.
    written: BTreeMap<Key, Table>,
    /// Tables that are to be written.
    due: BTreeSet<Key>,
    /// The rounds whose folders have been read.
    past: BTreeSet<u32>,
    /// Boards of which nothing is published.
    left_out: BTreeSet<BoardId>,
}

/// A round and the number of a table.
type Key = (u32, u64);

/// Files that have changed, by their paths below the directory of games.
type Changes = Vec<(PathBuf, Document)>;

impl Publisher {
    fn new(games: GameStore, rounds: Rounds, zone: TimeZone) -> Self {
        Self {
            games,
            rounds,
            zone,
            tracked: BTreeMap::new(),
            seats: BTreeMap::new(),
            config: None,
            index: Index::default(),
            book: Book::default(),
            kept: BTreeMap::new(),
            unseen: BTreeMap::new(),
            written: BTreeMap::new(),
            due: BTreeSet::new(),
            past: BTreeSet::new(),
            left_out: BTreeSet::new(),
        }
    }

    /// Looks at all boards at this instant and returns what has changed of what the public may see.
    fn update(&mut self, config: &Arc<Config>, boards: &Boards, instant: Instant) -> Changes {
        let now = instant.now;
        let reloaded = self.config.as_ref().is_none_or(|known| !Arc::ptr_eq(known, config));
        self.config = Some(config.clone());
        let mut changed: BTreeSet<Key> = BTreeSet::new();
        if config.event.round.is_some() {
            self.look_at_rounds(config, boards, instant);
            self.put_due(config, boards, now, &mut changed);
        } else {
            self.count_games(config, boards, reloaded, instant, &mut changed);
        }
        if changed.is_empty() && !reloaded { Vec::new() } else { self.publish(config, &changed, now) }
    }

    /// Follows the games of the tables, and finds the tables that are to be written.
    fn look_at_rounds(&mut self, config: &Config, boards: &Boards, instant: Instant) {
        if self.rounds.read(Book::version) != self.book.version() {
            self.book = self.rounds.read(Book::clone);
        }
        for (name, board) in boards.iter().filter(|(_, board)| board.serial.is_some()) {
            if Seat::of(config, name).is_none() {
                self.note_left_out(name);
            }
            let number = board.game.as_ref().map(|game| game.number);
            let placing = match number.and_then(|number| self.book.place(name, number)) {
                Some(Place::Table(round, _)) => Placing::Round(round),
                Some(Place::Unpaired(_) | Place::Left(..)) | None => Placing::Nowhere,
            };
            let track = self.tracked.entry(name.clone()).or_default();
            track.observe(board, placing, shown(config), instant);
            let moved = track.show(delay(config, name), instant.now);
            let Some(game) = track.shown().game.as_ref().filter(|_| moved) else { continue };
            let (key, has_left) = match self.book.place(name, game.number) {
                Some(Place::Table(round, table)) => ((round, table), false),
                Some(Place::Left(round, table)) => ((round, table), true),
                Some(Place::Unpaired(_)) | None => continue,
            };
            // Where it goes on it is shown once its delay is over there.
            let known = self.unseen.get(&key).or_else(|| self.kept.get(&key));
            if !has_left || known.is_none_or(|(board, _)| board == name) {
                self.unseen.insert(key, (name.clone(), track.shown().clone()));
                self.due.insert(key);
            }
        }
        self.look_at_late(config, instant);
        // Not that of the configuration, which names a round a moment after the book has its tables.
        let Some(current) = self.book.current().map(|round| round.number) else { return };
        for (number, round) in self.book.rounds() {
            for (table, known) in &round.tables {
                let key = (*number, *table);
                match self.written.get(&key) {
                    Some(written) if written == known => {}
                    // What earlier processes have written of earlier rounds is as it was.
                    None if *number != current => drop(self.written.insert(key, known.clone())),
                    _ => {
                        self.written.insert(key, known.clone());
                        self.due.insert(key);
                    }
                }
            }
        }
    }

    /// Stores what there is to see of the tables that are due.
    fn put_due(&mut self, config: &Config, boards: &Boards, now: Timestamp, changed: &mut BTreeSet<Key>) {
        let nothing = PublicState::default();
        for key @ (round, number) in std::mem::take(&mut self.due) {
            if !self.past.contains(&round) {
                // What an earlier process has written is read first.
                self.due.insert(key);
                continue;
            }
            let Some(table) = self.book.round(round).and_then(|round| round.tables.get(&number)) else {
                continue;
            };
            let known = self.index.rounds.get(&round).and_then(|round| round.games.get(&number));
            if table.held && known.is_some() {
                continue;
            }
            if !table.held
                && let Some(state) = self.unseen.remove(&key)
            {
                self.kept.insert(key, state);
            }
            let is_of = |(board, state): &&(BoardId, PublicState)| {
                let game = table.game.as_ref().zip(state.game.as_ref());
                game.is_some_and(|(bound, shown)| bound.is_or_was(board, shown.number))
            };
            let kept = self.kept.get(&key).filter(is_of).map(|(_, state)| state);
            let serial = table.game.as_ref().map_or(table.serial.as_str(), |game| game.board.as_str());
            let entered = table.entered.as_ref();
            let waits = entered.is_some_and(|entered| {
                entered.at.checked_add(delay(config, serial)).is_ok_and(|due| due > now)
            });
            if waits {
                self.due.insert(key);
            }
            let is_settled = self.tracked.get(serial).is_none_or(Track::is_settled);
            let present = boards.get(serial).and_then(|board| Some(board.game.as_ref()?.number));
            let has_left = present.is_none_or(|present| !table.has(serial, present) && is_settled);
            let outcome = outcome::result_of(config, table, kept, waits, has_left);
            let is_left = |known: &&Arc<GameDocument>| known.begun && known.json.text.is_empty();
            if let Some(known) = known.filter(is_left).filter(|_| kept.is_none()) {
                // Nothing but its text is left of a game that an earlier process has followed.
                if table.entered.is_some() && !waits || table.game.is_some() && has_left {
                    let text = retag::retag(&known.pgn.text, &table.seat, outcome.map(|(score, _)| score));
                    let document = GameDocument { pgn: Document::new(text), ..GameDocument::clone(known) };
                    insert(&mut self.index, key, document, changed);
                }
                continue;
            }
            let shown = kept.unwrap_or(&nothing);
            if shown.game.is_some() || table.seat.is_paired() || outcome.is_some() {
                let (seat, zone) = (&table.seat, &self.zone);
                let record = SheetRecord { shown, seat, round, outcome, config, today: now, zone };
                put(&mut self.index, &record, serial, changed);
            }
        }
    }

    /// Follows games where every board counts its own.
    fn count_games(
        &mut self,
        config: &Config,
        boards: &Boards,
        reloaded: bool,
        instant: Instant,
        changed: &mut BTreeSet<Key>,
    ) {
        let now = instant.now;
        for (name, board) in boards.iter().filter(|(_, board)| board.serial.is_some()) {
            let Some(seat) = Seat::of(config, name) else {
                self.note_left_out(name);
                continue;
            };
            let track = self.tracked.entry(name.clone()).or_default();
            track.observe(board, Placing::Uncounted, shown(config), instant);
            let moved = track.show(delay(config, name), now);
            let Some(game) = &track.shown().game else { continue };
            if !(moved || reloaded && game.result.is_none()) {
                continue;
            }
            // Who sat there when the game began.
            let present = board.game.as_ref().filter(|present| present.number == game.number);
            let seat = seat.named(present.and_then(|present| present.players.as_deref()));
            let seat = self.seats.entry((name.clone(), game.number)).or_insert(seat);
            if !game.moves.is_empty() || game.result.is_some() || seat.is_paired() {
                let (shown, round) = (track.shown(), game.round);
                let (outcome, zone) = (outcome::reported(shown), &self.zone);
                let record = SheetRecord { shown, seat, round, outcome, config, today: now, zone };
                put(&mut self.index, &record, name, changed);
            }
        }
        if reloaded {
            self.put_pairings(config, now, changed);
        }
    }

    /// Says once of a board that its games are published nowhere.
    fn note_left_out(&mut self, board: &BoardId) {
        if board.parse::<u64>().is_ok() && self.left_out.insert(board.clone()) {
            warn!(%board, "its games are not published: it stands on no table, and its serial number is that of one; add a [[table]]");
        }
    }

    /// Stores games that have not begun, so that everybody knows who is to play.
    fn put_pairings(&mut self, config: &Config, now: Timestamp, changed: &mut BTreeSet<Key>) {
        let (round, shown) = (1, PublicState::default());
        for (place, table) in config.tables.iter().enumerate() {
            let seat = Seat::at(place, table);
            let games = self.index.rounds.get(&round).map(|round| &round.games);
            let begun = games.and_then(|games| games.get(&seat.board)).is_some_and(|page| page.begun);
            if seat.is_paired() && !begun {
                let (shown, seat, zone) = (&shown, &seat, &self.zone);
                let record = SheetRecord { shown, seat, round, outcome: None, config, today: now, zone };
                put(&mut self.index, &record, &table.serial, changed);
            }
        }
    }

    /// Returns the round that goes on as the public sees it: the one before as long as a game of that goes on there and none of this has
    /// begun there.
    fn shown_round(&self, config: &Config) -> Option<u32> {
        let wanted = self.book.going_on().map(|round| round.number).or(config.event.round)?;
        let has = |number: u32, is: fn(&GameDocument) -> bool| {
            self.index.rounds.get(&number).is_some_and(|round| round.games.values().any(|game| is(game)))
        };
        let before = self.index.rounds.range(..wanted).next_back().map(|(number, _)| *number);
        let is_over = |number: u32| self.book.round(number).is_none_or(|round| round.finished.is_some());
        let goes_on = |number: &u32| !is_over(*number) && has(*number, |game| game.live);
        let before = before.filter(|before| goes_on(before) && !has(wanted, |game| game.begun));
        before.or(Some(wanted))
    }

    /// Binds what has changed together.
    fn publish(&mut self, config: &Config, changed: &BTreeSet<(u32, u64)>, now: Timestamp) -> Changes {
        let mut files = Changes::new();
        let rounds: BTreeSet<u32> = changed.iter().map(|(round, _)| *round).collect();
        for number in rounds {
            let Some(round) = self.index.rounds.get_mut(&number) else { continue };
            round.joined = game_store::join(round.games.values());
            round.index = cloud::index(round);
            let folder = PathBuf::from(format!("round-{number}"));
            for (_, board) in changed.iter().filter(|(round, _)| *round == number) {
                let page = round.games.get(board).map(|page| page.pgn.clone());
                files.extend(page.map(|page| (folder.join(format!("game-{board}.pgn")), page)));
            }
            files.push((folder.join("games.pgn"), round.joined.clone()));
            files.push((folder.join("index.json"), round.index.clone()));
        }
        self.index.round = self.shown_round(config);
        self.index.current = match self.index.round {
            Some(round) => {
                self.index.rounds.get(&round).map(|round| round.joined.clone()).unwrap_or_default()
            }
            None => newest(&self.index),
        };
        let serials: Vec<String> = self.tracked.keys().map(ToString::to_string).collect();
        let tournament = cloud::tournament(&config.event, &self.index.rounds, &serials);
        if tournament != self.index.tournament {
            files.push((PathBuf::from("tournament.json"), tournament.clone()));
            self.index.tournament = tournament;
        }
        self.index.date(&self.games.index(), now);
        self.games.replace(self.index.clone());
        files
    }
}

fn put(index: &mut Index, record: &SheetRecord<'_>, serial: &str, changed: &mut BTreeSet<Key>) {
    let has_moves = record.shown.game.as_ref().is_some_and(|game| !game.moves.is_empty());
    let document = GameDocument {
        pgn: Document::new(record.pgn()),
        json: Document::new(cloud::game(record, serial)),
        pairing: cloud::pairing(record),
        names: [record.seat.white.name.clone(), record.seat.black.name.clone()],
        result: record.points(),
        position: record.position(),
        day: record.day(),
        plies: Some(record.shown.game.as_ref().map_or(0, |game| game.moves.len())),
        live: record.is_live(),
        begun: has_moves || record.outcome.is_some(),
    };
    insert(index, (record.round, record.seat.board), document, changed);
}

fn insert(index: &mut Index, key: Key, document: GameDocument, changed: &mut BTreeSet<Key>) {
    let games = &mut index.rounds.entry(key.0).or_default().games;
    if games.get(&key.1).is_none_or(|known| **known != document) {
        games.insert(key.1, Arc::new(document));
        changed.insert(key);
    }
}

/// Joins the newest game of each board.
fn newest(index: &Index) -> Document {
    let mut pages: BTreeMap<u64, &Arc<GameDocument>> = BTreeMap::new();
    for round in index.rounds.values() {
        pages.extend(round.games.iter().map(|(board, page)| (*board, page)));
    }
    game_store::join(pages.into_values())
}

/// Returns which moves the public sees.
fn shown(config: &Config) -> Shown {
    match &config.pgn {
        Some(PgnConfig { publish: Publish::Completed, rest_s, .. }) => {
            Shown::Completed(SignedDuration::from_secs((*rest_s).into()))
        }
        Some(_) | None => Shown::Made,
    }
}

/// Returns how long what happens on a board is held back.
fn delay(config: &Config, serial: &str) -> SignedDuration {
    SignedDuration::from_secs(config.delay_s(serial).unwrap_or(0).into())
}

#[cfg(test)]
mod tests;
