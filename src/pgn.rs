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
mod seat;
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
    seat::Seat,
    sheet::SheetRecord,
    track::{Instant, PublicState, Track},
};
use crate::{
    config::Config,
    published::zone::local_zone,
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

/// How old a game may be that an earlier process has left behind in the folder of the round that goes on.
const RECENT: SignedDuration = SignedDuration::from_hours(24);

/// Works until it is told to end.
pub(crate) async fn run(context: ServiceContext) {
    let clock = SystemClock::start();
    let mut folder = Folder::new(clock, context.daemon.figures().clone());
    let mut publisher = Publisher::new(context.games.clone(), local_zone());
    let mut looks = interval(LOOK.min(context.heartbeat.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
        let config = context.config.borrow().clone();
        let Some(pgn) = &config.pgn else { continue };
        if publisher.needs_past(&config) {
            let path = pgn.dir.join(format!("round-{}", config.event.round.unwrap_or(1)));
            let reading = tokio::task::spawn_blocking(move || folder::left_behind(&path));
            publisher.restore_past(
                context.heartbeat.during(reading).await.unwrap_or_default(),
                &config,
                clock.utc(clock.now()),
            );
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
    zone: TimeZone,
    tracked: BTreeMap<BoardId, TrackedBoard>,
    config: Option<Arc<Config>>,
    index: Index,
    /// The round whose folder has been read.
    past: Option<u32>,
    /// Boards of which nothing is published.
    left_out: BTreeSet<BoardId>,
}

/// A board of the event.
#[derive(Default)]
struct TrackedBoard {
    track: Track,
    /// Who sat there, by round.
    seats: BTreeMap<u32, Seat>,
}

/// Files that have changed, by their paths below the directory of games.
type Changes = Vec<(PathBuf, Document)>;

impl Publisher {
    fn new(games: GameStore, zone: TimeZone) -> Self {
        let (tracked, config, index, past) = (BTreeMap::new(), None, Index::default(), None);
        Self { games, zone, tracked, config, index, past, left_out: BTreeSet::new() }
    }

    /// Looks at all boards at this instant and returns what has changed of what the public may see.
    fn update(&mut self, config: &Arc<Config>, boards: &Boards, instant: Instant) -> Changes {
        let now = instant.now;
        let reloaded = self.config.as_ref().is_none_or(|known| !Arc::ptr_eq(known, config));
        let round = config.event.round;
        if self.config.as_ref().is_some_and(|known| known.event.round != round) {
            for (name, tracked) in &mut self.tracked {
                boards.get(name).into_iter().for_each(|board| tracked.track.begin_round(board));
            }
        }
        self.config = Some(config.clone());
        let mut changed: BTreeSet<(u32, u64)> = BTreeSet::new();
        for (name, board) in boards.iter().filter(|(_, board)| board.serial.is_some()) {
            let Some(seat) = Seat::of(config, name) else {
                self.note_left_out(name);
                continue;
            };
            let tracked = self.tracked.entry(name.clone()).or_default();
            tracked.track.observe(board, round, instant);
            if let Some(round) = round {
                tracked.seats.insert(round, seat.clone());
            }
            let moved = tracked.track.show(delay(config, name), now);
            let Some(game) = &tracked.track.shown().game else { continue };
            let goes_on = round.map_or(game.result.is_none(), |round| round == game.round);
            if !(moved || reloaded && goes_on) {
                continue;
            }
            let seat = tracked.seats.get(&game.round).unwrap_or(&seat);
            if !game.moves.is_empty() || game.result.is_some() || seat.is_paired() {
                let shown = tracked.track.shown();
                let record =
                    SheetRecord { shown, seat, round: game.round, config, today: now, zone: &self.zone };
                put(&mut self.index, &record, name, &mut changed);
            }
        }
        if reloaded {
            self.put_pairings(config, now, &mut changed);
        }
        if changed.is_empty() && !reloaded { Vec::new() } else { self.publish(config, &changed, now) }
    }

    /// Says once of a board that its games are published nowhere.
    fn note_left_out(&mut self, board: &BoardId) {
        if board.parse::<u64>().is_ok() && self.left_out.insert(board.clone()) {
            warn!(%board, "its games are not published: it stands on no table, and its serial number is that of one; add a [[table]]");
        }
    }

    /// Stores games that have not begun, so that everybody knows who is to play.
    fn put_pairings(&mut self, config: &Config, now: Timestamp, changed: &mut BTreeSet<(u32, u64)>) {
        let round = config.event.round.unwrap_or(1);
        let nothing = PublicState::default();
        for (place, table) in config.tables.iter().enumerate() {
            let seat = Seat::at(place, table);
            let games = self.index.rounds.get(&round).map(|round| &round.games);
            let begun = games.and_then(|games| games.get(&seat.board)).is_some_and(|page| page.begun);
            if seat.is_paired() && !begun {
                let record =
                    SheetRecord { shown: &nothing, seat: &seat, round, config, today: now, zone: &self.zone };
                put(&mut self.index, &record, &table.serial, changed);
            }
        }
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
        self.index.current = match config.event.round {
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

    fn needs_past(&self, config: &Config) -> bool {
        self.past != Some(config.event.round.unwrap_or(1))
    }

    /// Takes over what an earlier process has published of the round, so that a restart leaves no game out.
    fn restore_past(&mut self, games: Vec<(u64, String)>, config: &Config, now: Timestamp) {
        let number = config.event.round.unwrap_or(1);
        self.past = Some(number);
        let days = [Some(now), now.checked_sub(RECENT).ok()].map(|at| {
            at.map(|at| format!("[Date \"{}\"]", at.to_zoned(self.zone.clone()).strftime("%Y.%m.%d")))
        });
        let of_this_event = |text: &str| days.iter().flatten().any(|day| text.contains(day.as_str()));
        let round = self.index.rounds.entry(number).or_default();
        for (board, text) in games.into_iter().filter(|(_, text)| of_this_event(text)) {
            let begun = text.contains("\n1. ") || text.contains("...") || !text.contains("[Result \"*\"]");
            let document = GameDocument { pgn: Document::new(text), begun, ..GameDocument::default() };
            round.games.entry(board).or_insert_with(|| Arc::new(document));
        }
        round.joined = game_store::join(round.games.values());
        // What is on the table again tells more than what was written down.
        self.config = None;
    }
}

fn put(index: &mut Index, record: &SheetRecord<'_>, serial: &str, changed: &mut BTreeSet<(u32, u64)>) {
    let document = GameDocument {
        pgn: Document::new(record.pgn()),
        json: Document::new(cloud::game(record, serial)),
        pairing: cloud::pairing(record),
        day: record.day(),
        live: record.is_live(),
        begun: record.shown.game.as_ref().is_some_and(|game| !game.moves.is_empty() || game.result.is_some()),
    };
    let games = &mut index.rounds.entry(record.round).or_default().games;
    if games.get(&record.seat.board).is_none_or(|known| **known != document) {
        games.insert(record.seat.board, Arc::new(document));
        changed.insert((record.round, record.seat.board));
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

/// Returns how long what happens on a board is held back.
fn delay(config: &Config, serial: &str) -> SignedDuration {
    let table = config.table(serial).and_then(|table| table.delay_s);
    let seconds = table.or(config.pgn.as_ref().map(|pgn| pgn.delay_s)).unwrap_or(0);
    SignedDuration::from_secs(seconds.into())
}

#[cfg(test)]
mod tests;
