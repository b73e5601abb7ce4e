//! Games that go on at another board: they stay those of their tables, and the board stands in for the table's own.

use super::{Book, EarlierPart, Place};
use crate::{
    config::TableSettings,
    rounds::seat,
    view::{BoardView, Boards, GameView},
};
use jadoube_core::{event::Continuation, settings::same_serial};

impl Book {
    /// Gives a game its place that has gone on from another board; says whether it has one.
    pub(super) fn follow(&mut self, board: &BoardView, game: &GameView) -> bool {
        let Some(before) = game.continued.clone() else { return false };
        self.go_on(&board.name, game.number, &before);
        self.place(&board.name, game.number).is_some()
    }

    /// Notes that a game goes on, as another one of another board or as itself.
    pub(in crate::rounds) fn go_on(&mut self, board: &str, game: u32, before: &Continuation) {
        let Some(Place::Table(number, table) | Place::Left(number, table)) =
            self.place(&before.board, before.game)
        else {
            return;
        };
        let known =
            self.rounds.get_mut(&number).and_then(|round| round.tables.get_mut(&table)?.game.as_mut());
        let Some(known) = known.filter(|known| known.is_or_was(&before.board, before.game)) else { return };
        if known.board == board && known.number == game {
            return;
        }
        let left = EarlierPart {
            board: std::mem::replace(&mut known.board, board.to_owned()),
            number: known.number,
        };
        known.number = game;
        known.before.retain(|part| part.board != board || part.number != game);
        known.before.push(left.clone());
        self.place_at(&left.board, left.number, Place::Left(number, table));
        self.place_at(board, game, Place::Table(number, table));
        self.touch(number);
    }

    /// Puts boards at which games of tables have gone on in the place of those of the tables: as long as the game is on the board, and
    /// after it until the table's own board is up again.
    pub(super) fn seat_stand_ins(&self, tables: &mut [TableSettings], boards: &Boards) {
        for place in 0..tables.len() {
            let Some(table) = tables.get(place) else { continue };
            let number = seat::number(place, table);
            let last = self.rounds.values().rev().find_map(|round| round.tables.get(&number)?.game.as_ref());
            let Some(game) = last.filter(|game| !same_serial(&game.board, &table.serial)) else { continue };
            let is_taken = tables.iter().any(|other| same_serial(&other.serial, &game.board));
            let present = boards.get(game.board.as_str()).and_then(|board| board.game.as_ref());
            let is_on = present.is_some_and(|present| present.number == game.number);
            let own = boards.values().find(|board| same_serial(&board.name, &table.serial));
            if !is_taken
                && (is_on || !own.is_some_and(|own| own.up))
                && let Some(table) = tables.get_mut(place)
            {
                table.serial.clone_from(&game.board);
            }
        }
    }
}
