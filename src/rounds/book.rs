//! Decides which game is that of which table in which round.
//!
//! A game belongs to the table of its board in the round that goes on when its first move is made, once; so do the names. What was
//! on the board when the pairings were read is none of the round, and what is played on it after the game of the round neither.

mod stand_in;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::Timestamp;

use super::{BoundGame, EarlierPart, Entered, ReportedResult, Round, Seat, Stage, Started, Table, Unpaired};
use crate::{
    config::Config,
    view::{BoardView, Boards, GameView},
};
use jadoube_core::{event::BoardId, score::Score, settings::same_serial};

/// Plies after which a game counts as played, although nobody has reported a result.
const PLAYED: usize = 20;

/// Plies that were completed with a clock, after which it does: hardly anybody tries the pieces out with it.
const CLOCKED: usize = 6;

/// Where a game belongs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Place {
    /// To a table of a round.
    Table(u32, u64),
    /// To none.
    Unpaired(u32),
    /// To a table of a round, and it has gone on at another board.
    Left(u32, u64),
}

/// All rounds of the event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    rounds: BTreeMap<u32, Round>,
    current: Option<u32>,
    places: BTreeMap<String, BTreeMap<u32, Place>>,
    /// Rounds that differ from their files.
    pub(super) unsaved: BTreeSet<u32>,
    /// Who is to play, by table.
    planned: BTreeMap<u64, Seat>,
    /// Games that had left their boards when an arbiter said whose they are, by round and table.
    late: BTreeMap<(u32, u64), Arc<GameView>>,
    /// The game on each board.
    present: BTreeMap<BoardId, u32>,
    version: u64,
}

impl Book {
    /// Handles a round as its file has it.
    pub(super) fn take(&mut self, round: Round) {
        let number = round.number;
        for (table, game) in
            round.tables.iter().filter_map(|(number, table)| Some((*number, table.game.as_ref()?)))
        {
            self.place_at(&game.board, game.number, Place::Table(number, table));
            for part in &game.before {
                self.place_at(&part.board, part.number, Place::Left(number, table));
            }
        }
        for game in &round.unpaired {
            self.place_at(&game.board, game.number, Place::Unpaired(number));
        }
        self.rounds.insert(number, round);
    }

    fn place_at(&mut self, board: &str, game: u32, place: Place) {
        self.places.entry(board.to_owned()).or_default().insert(game, place);
    }

    /// Returns all rounds, by number.
    pub(crate) const fn rounds(&self) -> &BTreeMap<u32, Round> {
        &self.rounds
    }

    /// Returns a round.
    pub(crate) fn round(&self, number: u32) -> Option<&Round> {
        self.rounds.get(&number)
    }

    /// Returns the round that the pairings are of.
    pub(crate) fn current(&self) -> Option<&Round> {
        self.rounds.get(&self.current?)
    }

    /// Returns the round that goes on: that of the pairings, or while it has not begun an earlier one of which games go on.
    pub(crate) fn going_on(&self) -> Option<&Round> {
        let current = self.current()?;
        let earlier = self.rounds.range(..current.number).rev().map(|(_, round)| round);
        let mut earlier =
            earlier.filter(|round| round.event == current.event && round.stage() == Stage::Playing);
        if current.started.is_some() { Some(current) } else { earlier.next().or(Some(current)) }
    }

    /// Returns where a game belongs, once that is known.
    pub(crate) fn place(&self, board: &str, game: u32) -> Option<Place> {
        self.places.get(board)?.get(&game).copied()
    }

    /// Returns games that had left their boards when they were given to tables, by round and table.
    pub(crate) const fn late(&self) -> &BTreeMap<(u32, u64), Arc<GameView>> {
        &self.late
    }

    /// Returns how often anything has changed.
    pub(crate) const fn version(&self) -> u64 {
        self.version
    }

    fn touch(&mut self, round: u32) {
        self.unsaved.insert(round);
        self.version += 1;
    }

    /// Handles the tables of a configuration: those of its round, as far as no game has begun there.
    pub(super) fn plan(&mut self, config: &Config, boards: &Boards, now: Timestamp) {
        let Some(number) = config.event.round else {
            self.current = None;
            return;
        };
        let mut planned: BTreeMap<u64, (Seat, &str)> = BTreeMap::new();
        for (place, table) in config.tables.iter().chain(config.boardless.iter()).enumerate() {
            let seat = Seat::at(place, table);
            planned.entry(seat.board).or_insert((seat, &table.serial));
        }
        let is_first = self.rounds.is_empty();
        let event = &config.event.name;
        if self.rounds.get(&number).is_none_or(|round| round.is_stale(event, &planned, now)) {
            let mut round = Round::new(number, event.clone(), now);
            self.set_aside(number);
            if !is_first {
                let begun = boards.values().filter_map(|board| Some((board, board.game.as_ref()?)));
                let begun = begun.filter(|(_, game)| has_begun(game));
                round.carried = begun.map(|(board, game)| (board.name.to_string(), game.number)).collect();
            }
            self.rounds.insert(number, round);
            self.touch(number);
        }
        self.current = Some(number);
        let Some(round) = self.rounds.get_mut(&number) else { return };
        self.planned = planned.iter().map(|(table, (seat, _))| (*table, seat.clone())).collect();
        let before = round.tables.clone();
        round.tables.retain(|table, kept| kept.is_frozen() || planned.contains_key(table));
        for (table, (seat, serial)) in planned {
            let kept = round.tables.entry(table).or_default();
            if !kept.is_frozen() {
                kept.seat = seat;
            }
            serial.clone_into(&mut kept.serial);
        }
        if round.tables != before {
            self.touch(number);
        }
    }

    /// Makes room for a round of the same number; the games of the one before stay out of it.
    fn set_aside(&mut self, number: u32) {
        for place in self.places.values_mut().flat_map(BTreeMap::values_mut) {
            if matches!(place, Place::Table(round, _) | Place::Left(round, _) if *round == number) {
                *place = Place::Unpaired(number);
            }
        }
    }

    /// Looks at the boards: games that have begun get their places, and results are noted.
    pub(super) fn observe(&mut self, config: &Config, boards: &Boards, now: Timestamp) {
        for board in boards.values().filter(|board| board.serial.is_some()) {
            let Some(game) = &board.game else { continue };
            if self.present.insert(board.name.clone(), game.number) != Some(game.number) {
                self.version += 1;
            }
            match self.place(&board.name, game.number) {
                Some(Place::Table(round, table)) => self.note_progress(round, table, game),
                Some(Place::Unpaired(_) | Place::Left(..)) => {}
                None => {
                    if !self.follow(board, game) {
                        self.find_place(config, board, game, now);
                    }
                }
            }
        }
    }

    fn note_progress(&mut self, number: u32, table: u64, game: &GameView) {
        let round = self.rounds.get_mut(&number);
        let Some(known) = round.and_then(|round| round.tables.get_mut(&table)?.game.as_mut()) else { return };
        let result = reported(game);
        let played = known.played || is_played(game) || result.is_some();
        if known.result != result || known.played != played {
            (known.result, known.played) = (result, played);
            self.touch(number);
        }
    }

    fn find_place(&mut self, config: &Config, board: &BoardView, game: &GameView, now: Timestamp) {
        let runs = board.clock.as_ref().is_some_and(|clock| clock.connected && clock.running.is_some());
        let begun = has_begun(game);
        let Some(round) = self.current.and_then(|current| self.rounds.get(&current)) else { return };
        let Some(seat) = seat_of(round, config, &board.name) else { return };
        let number = round.number;
        let knows_earlier = self.rounds.len() > 1;
        if !begun {
            let starts = runs && board.up && round.started.is_none() && round.finished.is_none();
            if starts && round.tables.get(&seat.board).is_some_and(|table| !table.is_frozen()) {
                self.start(number, "clock", now);
            }
            return;
        }
        // Pieces that are moved about while the clock stands still may be put back before the game.
        let is_tried = board.clock.as_ref().is_some_and(|clock| clock.connected)
            && !runs
            && game.result.is_none()
            && game.moves.len() < CLOCKED
            && game.moves.iter().all(|played| !played.completed);
        let is_older = knows_earlier && game.moves.first().is_some_and(|first| first.at < round.planned);
        let is_carried = round.carried.get(&*board.name) == Some(&game.number) || is_older;
        let table = round.tables.get(&seat.board);
        let is_taken = table.is_some_and(|table| {
            table.entered.is_some() && table.game.is_none()
                || table.game.as_ref().is_some_and(|known| known.played)
        });
        if is_carried || is_taken || round.finished.is_some() {
            self.leave_out(number, &board.name, game, Some(seat.board));
        } else if !is_tried {
            self.start(number, if runs { "clock" } else { "move" }, now);
            self.bind(number, seat.named(game.players.as_deref()), &board.name, game);
        }
    }

    fn leave_out(&mut self, number: u32, board: &str, game: &GameView, table: Option<u64>) {
        let Some(round) = self.rounds.get_mut(&number) else { return };
        let (board_name, began) = (board.to_owned(), game.began);
        round.unpaired.push(Unpaired { board: board_name, number: game.number, table, began });
        self.place_at(board, game.number, Place::Unpaired(number));
        self.touch(number);
    }

    fn bind(&mut self, number: u32, seat: Seat, board: &str, game: &GameView) {
        let Some(round) = self.rounds.get_mut(&number) else { return };
        let key = seat.board;
        let table = round.tables.entry(key).or_default();
        table.seat = seat;
        let result = reported(game);
        let played = is_played(game) || result.is_some();
        let (name, began) = (board.to_owned(), game.began);
        let bound = BoundGame { board: name, number: game.number, began, played, result, before: Vec::new() };
        if let Some(other) = table.game.replace(bound) {
            let BoundGame { board, number: other, began, .. } = other;
            round.unpaired.push(Unpaired { board: board.clone(), number: other, table: Some(key), began });
            self.place_at(&board, other, Place::Unpaired(number));
        }
        if let Some(round) = self.rounds.get_mut(&number) {
            round.unpaired.retain(|known| known.board != board || known.number != game.number);
        }
        self.place_at(board, game.number, Place::Table(number, key));
        self.touch(number);
    }

    /// Begins a round that has not begun; says whether it did.
    pub(super) fn start(&mut self, number: u32, by: &str, at: Timestamp) -> bool {
        let Some(round) = self.rounds.get_mut(&number) else { return false };
        let may = round.started.is_none() || round.tables.values().all(|table| table.game.is_none());
        let is_reported_again = round.started.is_some() && matches!(by, "clock" | "move");
        if !may || is_reported_again {
            return false;
        }
        round.started = Some(Started { at, by: by.to_owned() });
        round.finished = None;
        self.touch(number);
        true
    }

    /// Ends a round: no game of it begins any more.
    pub(super) fn finish(&mut self, number: u32, at: Timestamp) -> Result<(), String> {
        let round = self.find_mut(number)?;
        round.finished = Some(at);
        self.touch(number);
        Ok(())
    }

    /// Handles the result of a game, also of one that has left its board: what has a result was played.
    pub(super) fn take_result(&mut self, board: &str, game: u32, score: Option<Score>, by: &str) {
        let Some(Place::Table(number, table)) = self.place(board, game) else { return };
        let round = self.rounds.get_mut(&number);
        let Some(known) = round.and_then(|round| round.tables.get_mut(&table)?.game.as_mut()) else { return };
        let result = score.map(|score| ReportedResult { score, by: by.to_owned() });
        let played = known.played || result.is_some();
        if known.result != result || known.played != played {
            (known.result, known.played) = (result, played);
            self.touch(number);
        }
    }

    /// Enters the result of a table.
    pub(super) fn enter(&mut self, number: u32, table: u64, entered: Option<Entered>) -> Result<(), String> {
        self.table_mut(number, table)?.entered = entered;
        self.touch(number);
        Ok(())
    }

    /// Ticks a result off against the slip.
    pub(super) fn check(&mut self, number: u32, table: u64, checked: bool) -> Result<(), String> {
        self.table_mut(number, table)?.checked = checked;
        self.touch(number);
        Ok(())
    }

    /// Stops or resumes the publication of a table's game, or of all.
    pub(super) fn hold(&mut self, number: u32, table: Option<u64>, held: bool) -> Result<(), String> {
        match table {
            Some(table) => self.table_mut(number, table)?.held = held,
            None => self.find_mut(number)?.tables.values_mut().for_each(|table| table.held = held),
        }
        self.touch(number);
        Ok(())
    }

    /// Gives a table the names of the pairings, though its game has begun.
    pub(super) fn rename(&mut self, number: u32, table: u64) -> Result<(), String> {
        if self.current != Some(number) {
            return Err(format!("the pairings are not those of round {number}"));
        }
        let seat = self.planned.get(&table).cloned();
        let seat = seat.ok_or_else(|| format!("the pairings have no table {table}"))?;
        self.table_mut(number, table)?.seat = seat;
        self.touch(number);
        Ok(())
    }

    /// Makes a game the one of a table; `has_left` says that it is not on its board any more.
    pub(super) fn pair(
        &mut self,
        number: u32,
        table: u64,
        board: &str,
        game: &Arc<GameView>,
        has_left: bool,
    ) -> Result<(), String> {
        let seat = self.table_mut(number, table)?.seat.clone();
        if let Some(Place::Table(other, at)) = self.place(board, game.number) {
            if (other, at) == (number, table) {
                return Ok(());
            }
            self.unpair(other, at)?;
        }
        self.bind(number, seat, board, game);
        self.late.remove(&(number, table));
        if has_left {
            self.late.insert((number, table), game.clone());
        }
        Ok(())
    }

    /// Removes the game of a table.
    pub(super) fn unpair(&mut self, number: u32, table: u64) -> Result<(), String> {
        let known = self.table_mut(number, table)?.game.take();
        let known = known.ok_or_else(|| format!("table {table} has no game in round {number}"))?;
        let BoundGame { board, number: game, began, .. } = known;
        self.place_at(&board, game, Place::Unpaired(number));
        let round = self.find_mut(number)?;
        round.unpaired.push(Unpaired { board, number: game, table: Some(table), began });
        self.touch(number);
        Ok(())
    }

    fn find_mut(&mut self, number: u32) -> Result<&mut Round, String> {
        self.rounds.get_mut(&number).ok_or_else(|| format!("there is no round {number}"))
    }

    fn table_mut(&mut self, number: u32, table: u64) -> Result<&mut Table, String> {
        let round = self.find_mut(number)?;
        round.tables.get_mut(&table).ok_or_else(|| format!("there is no table {table} in round {number}"))
    }

    /// Puts those who play at the boards at this moment in the place of those who are to play there next.
    pub(super) fn seat(&self, config: &mut Config, boards: &Boards) {
        if self.current.is_none() {
            return;
        }
        let mut tables = config.tables.as_ref().clone();
        self.seat_stand_ins(&mut tables, boards);
        for table in &mut tables {
            let board = boards.values().find(|board| same_serial(&board.name, &table.serial));
            let game = board.and_then(|board| Some((board, board.game.as_ref()?)));
            let place = game.and_then(|(board, game)| self.place(&board.name, game.number));
            match place {
                Some(Place::Table(round, number)) => {
                    if let Some(known) = self.round(round).and_then(|round| round.tables.get(&number)) {
                        known.seat.fill(table);
                    }
                }
                Some(Place::Unpaired(_)) => Seat::default().fill(table),
                Some(Place::Left(..)) | None => {}
            }
        }
        if *config.tables != tables {
            config.tables = tables.into();
        }
    }
}

/// Returns whether more has happened than that pieces were set up.
const fn has_begun(game: &GameView) -> bool {
    !game.moves.is_empty() || game.result.is_some()
}

fn is_played(game: &GameView) -> bool {
    let clocked = game.moves.iter().filter(|played| played.completed && played.clock.is_some());
    game.moves.len() >= PLAYED || clocked.count() >= CLOCKED
}

fn reported(game: &GameView) -> Option<ReportedResult> {
    let (score, by) = (Score::parse(game.result?)?, game.by?.to_owned());
    Some(ReportedResult { score, by })
}

/// Returns the seat at a board: that of the table which it stands on in the round, or that of a board on no table.
fn seat_of(round: &Round, config: &Config, board: &str) -> Option<Seat> {
    let table = round.tables.iter().find(|(_, table)| same_serial(&table.serial, board));
    match table {
        Some((number, table)) => Some(Seat { board: *number, ..table.seat.clone() }),
        None => Seat::of(config, board),
    }
}

#[cfg(test)]
mod tests;
