//! Games that no board has any more: those that an earlier process has published, and those that were given to a table late.

use std::{collections::BTreeSet, sync::Arc};

use jiff::{SignedDuration, Timestamp};

use super::{
    Publisher, delay,
    track::{Instant, PublicState},
};
use crate::{
    config::Config,
    service::game_store::{self, Document, GameDocument},
};

/// How old a game may be that an earlier process has left behind in the folder of the round that goes on.
const RECENT: SignedDuration = SignedDuration::from_hours(24);

impl Publisher {
    /// Handles games that had left their boards when they were given to tables, once their delay is over.
    pub(super) fn look_at_late(&mut self, config: &Config, instant: Instant) {
        for (key, game) in self.book.late() {
            let board = self
                .book
                .round(key.0)
                .and_then(|round| Some(&round.tables.get(&key.1)?.game.as_ref()?.board));
            let Some(board) = board else { continue };
            let last = game.moves.last().map_or(game.began, |last| last.at);
            let is_due = last.checked_add(delay(config, board)).is_ok_and(|due| due <= instant.now);
            let known = self.unseen.get(key).or_else(|| self.kept.get(key));
            let is_kept = known.is_some_and(|(kept, state)| {
                **kept == **board && state.game.as_ref().is_some_and(|kept| kept.number == game.number)
            });
            if is_due && !is_kept {
                self.unseen.insert(*key, (board.as_str().into(), PublicState::of(game, key.0)));
                self.due.insert(*key);
            }
        }
    }

    /// Returns the rounds whose folders are to be read: what an earlier process has published of them stays.
    pub(super) fn wanted_past(&self, config: &Config) -> Vec<u32> {
        let current = config.event.round.unwrap_or(1);
        let due = self.due.iter().map(|(round, _)| *round);
        let wanted: BTreeSet<u32> = due.chain([current]).filter(|round| !self.past.contains(round)).collect();
        wanted.into_iter().collect()
    }

    /// Adopts what an earlier process has published of a round, so that a restart leaves no game out.
    pub(super) fn restore_past(
        &mut self,
        number: u32,
        games: Vec<(u64, String)>,
        config: &Config,
        now: Timestamp,
    ) {
        self.past.insert(number);
        let days = [Some(now), now.checked_sub(RECENT).ok()].map(|at| {
            at.map(|at| format!("[Date \"{}\"]", at.to_zoned(self.zone.clone()).strftime("%Y.%m.%d")))
        });
        let is_present = config.event.round.unwrap_or(1) == number;
        let of_this_event =
            |text: &str| !is_present || days.iter().flatten().any(|day| text.contains(day.as_str()));
        let round = self.index.rounds.entry(number).or_default();
        for (board, text) in games.into_iter().filter(|(_, text)| of_this_event(text)) {
            let begun = game_store::has_moves(&text) || game_store::has_result(&text);
            let document = GameDocument { pgn: Document::new(text), begun, ..GameDocument::default() };
            round.games.entry(board).or_insert_with(|| Arc::new(document));
        }
        round.joined = game_store::join(round.games.values());
        // What is on the table again reports more than what was written down.
        self.config = None;
    }
}
