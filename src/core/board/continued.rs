//! A game that goes on at another board, or at its own again: it waits until the board shows its position.

use shakmaty::Bitboard;

use super::{Board, undo::EnteredOrder};
use crate::{
    event::{Continuation, EventKind},
    game::{Game, GameResult},
    model::decision,
    order::{Continued, Order, OrderError, Players, refused},
    position::differences,
    score::Score,
    settings::same_serial,
    time::Timestamp,
    words::Phrase,
};

/// A game that waits for its position.
#[derive(Debug)]
pub(super) struct WaitingGame {
    game: Game,
    continued: Continued,
}

/// The game that was on the board before, as it can be taken up again: written down, as that takes least room.
#[derive(Debug)]
pub(super) struct EarlierGame {
    number: u32,
    json: Box<str>,
    result: Option<GameResult>,
}

impl Board {
    /// Lets a game go on here or elsewhere.
    pub(super) fn continue_game(
        &mut self,
        (named, to, from): (Option<u32>, Option<&str>, Option<&str>),
        record: Option<&Continued>,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        if let Some(record) = record {
            return self.wait_for(record.clone(), entered, now);
        }
        let is_here = |board: &str| same_serial(board, &self.id);
        if let Some(from) = from.filter(|from| !is_here(from)) {
            return Err(refused(format!("what was played at board {from} is not known here")));
        }
        if let Some(to) = to.filter(|to| !is_here(to)) {
            return self.hand_over(named, to, entered, now);
        }
        let present = self.tracker.game().map(Game::number);
        let number = named.or(present).ok_or_else(|| refused("say which game goes on"))?;
        let continued = if present == Some(number) {
            self.tracker.game().map(|game| self.describe(game))
        } else {
            self.earlier.as_ref().filter(|earlier| earlier.number == number).and_then(EarlierGame::read)
        };
        let continued = continued
            .ok_or_else(|| refused(format!("what was played in game {number} is not known any more")))?;
        self.wait_for(continued, entered, now)
    }

    /// Describes a game of this board for where it goes on.
    fn describe(&self, game: &Game) -> Continued {
        let counts = self.referee.counts();
        Continued {
            white: self.players.white.clone(),
            black: self.players.black.clone(),
            counts: (counts.white, counts.black),
            result: game.result().map(|result| result.score().to_owned()),
            orders: self.orders.last_of(game.number()),
            ..game.to_continue(&self.id)
        }
    }

    /// Keeps what is known of the game that leaves the board.
    pub(super) fn keep_earlier(&mut self) {
        let Some(game) = self.tracker.game().filter(|game| !game.is_empty()) else { return };
        let (number, result) = (game.number(), game.result());
        let Ok(json) = serde_json::to_string(&self.describe(game)) else { return };
        self.earlier = Some(EarlierGame { number, json: json.into(), result });
    }

    /// Handles what was played on the board before the capture.
    pub(super) fn set_earlier(&mut self, record: &Continued) {
        let Ok(json) = serde_json::to_string(record) else { return };
        let result = record.result.as_deref().and_then(Score::parse);
        let result = result.map(|score| GameResult { score, by: "arbiter" });
        self.earlier = Some(EarlierGame { number: record.game, json: json.into(), result });
    }

    /// Returns the game before, as the next capture has it.
    #[must_use]
    pub fn game_before(&self) -> Option<Order> {
        let record = self.earlier.as_ref()?.read()?;
        Some(Order::Before { record: Box::new(record) })
    }

    /// Lets the game go on at another board: this one is free.
    fn hand_over(
        &mut self,
        named: Option<u32>,
        to: &str,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let game = self.game()?;
        let number = game.number();
        if let Some(named) = named.filter(|named| *named != number) {
            return Err(refused(format!("game {named} is not on the board; game {number} is")));
        }
        if game.result().is_some() {
            return Err(refused(format!("game {number} is over")));
        }
        self.close_record(now);
        self.close_game(now);
        self.tracker.leave();
        let values = [("number", &*number.to_string()), ("board", to)];
        entered.text = Some(Phrase::GoesOnElsewhere.fill(self.settings.event.language, &values));
        Ok(())
    }

    /// Keeps a game that goes on here once the board shows its position.
    fn wait_for(
        &mut self,
        continued: Continued,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let is_own = same_serial(&continued.board, &self.id);
        let number = if is_own { continued.game } else { self.next_game() };
        let game = Game::continued(number, &continued, self.mode(), now).map_err(refused)?;
        self.close_record(now);
        // The same game goes on: nothing ends.
        if self.tracker.game().is_none_or(|present| present.number() != number) {
            self.close_game(now);
        }
        self.tracker.leave();
        entered.text = Some(self.words_of_waiting(&game));
        self.waiting = Some(Box::new(WaitingGame { game, continued }));
        self.look_for_waiting(now);
        Ok(())
    }

    fn words_of_waiting(&self, game: &Game) -> String {
        let values = [("plies", &*game.len().to_string()), ("fen", &game.position().fen())];
        Phrase::GoesOnHere.fill(self.settings.event.language, &values)
    }

    /// Lets the game that waits go on if the board shows its position; returns whether one waits.
    pub(super) fn look_for_waiting(&mut self, now: Timestamp) -> bool {
        let Some(waiting) = &self.waiting else { return false };
        let position = waiting.game.position().board().clone();
        let shown = self.tracker.board();
        if !self.sensing.known {
            return true;
        }
        if position != *shown {
            let mut turned = shown.clone();
            turned.rotate_180();
            if position != turned || !self.rotate(now) {
                return true;
            }
        }
        if let Some(waiting) = self.waiting.take() {
            let WaitingGame { game, continued } = *waiting;
            self.resume(game, &continued, now);
        }
        true
    }

    /// Goes on with a game whose position the board shows.
    pub(super) fn resume(&mut self, game: Game, continued: &Continued, now: Timestamp) {
        let (number, result) = (game.number(), game.result());
        self.latest = self.latest.max(self.games).max(number);
        self.games = number;
        self.players = Players { white: continued.white.clone(), black: continued.black.clone() };
        self.forget_pending();
        let position = game.position().clone();
        self.keep_from_start(&position, now);
        // What was played before cannot be read again by other seats.
        self.adoption.record = None;
        self.continued = Some(Continuation { board: continued.board.as_str().into(), game: continued.game });
        let length = game.len();
        self.tracker.resume(game);
        self.settle(now);
        for ply in 1..=length {
            self.report_move(ply, true, now);
        }
        self.continued = None;
        let (white, black) = continued.counts;
        let is_known = self.referee.counts() == shakmaty::ByColor { white, black };
        if (white, black) != (0, 0) && !is_known {
            self.referee.set_counts(shakmaty::ByColor { white, black });
            self.emit(now, EventKind::Counts { game: number, white, black });
        }
        if let Some(result) = result {
            self.tracker.end(result, u32::MAX);
        }
        self.settle(now);
    }

    pub(super) const fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Waits for no position any more: the board's own game goes on at once, or the one before.
    pub(super) fn stop_waiting(&mut self, now: Timestamp) -> Result<(), OrderError> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let WaitingGame { game, continued } = *waiting;
        if same_serial(&continued.board, &self.id) {
            self.resume(game, &continued, now);
        } else if self.earlier.is_some() {
            self.resume_earlier(now)?;
        }
        Ok(())
    }

    /// Resumes the game that was on the board before, whatever the board shows: the order that began the present one is taken back.
    pub(super) fn resume_earlier(&mut self, now: Timestamp) -> Result<(), OrderError> {
        let earlier = self.earlier.take().ok_or_else(|| refused("the game before is not known any more"))?;
        let game = earlier.read().and_then(|continued| {
            Some((Game::continued(earlier.number, &continued, self.mode(), now).ok()?, continued))
        });
        let Some((mut game, continued)) = game else {
            return Err(refused("the game before is not known any more"));
        };
        game.set_result(earlier.result);
        self.close_record(now);
        self.waiting = None;
        self.close_game(now);
        self.tracker.leave();
        self.resume(game, &continued, now);
        self.orders.take_up(earlier.number, continued.orders);
        Ok(())
    }

    /// Reports the present game as it is; what it was stays known until the next one is left.
    pub(super) fn close_game(&mut self, now: Timestamp) {
        if self.tracker.is_playing() {
            self.settle(now);
            self.conclude(now);
            self.report_unfinished(now);
        }
        self.report_played_on(u32::MAX, now);
        self.keep_earlier();
        self.latest = self.latest.max(self.games);
        self.forget_pending();
    }

    /// Returns the number that the next game gets.
    pub(super) fn next_game(&self) -> u32 {
        self.latest.max(self.games) + 1
    }

    /// Forgets what might have begun or ended a game.
    pub(super) fn forget_pending(&mut self) {
        self.pending.start = None;
        (self.pending.absent, self.pending.agreed) = (Bitboard::EMPTY, shakmaty::ByColor::default());
        self.pending.put_right = None;
        self.pending.result = None;
        self.pending.beside_kings = None;
        self.pending.pick_up = None;
        (self.pending.unheard_since, self.pending.pressed_since) = (false, false);
    }

    /// Forgets moves that seemed to be made while pieces were set up, before the clock was ever started: what stands now is the middle of a
    /// game that was begun elsewhere.
    pub(super) fn forget_set_up(&mut self, now: Timestamp) {
        let is_other = |game: &&Game| {
            let odd = differences(game.position().board(), self.tracker.board());
            !game.is_empty()
                && !game.is_adopted()
                && (odd & !self.tracker.faulty_squares()).count() > decision::MOST_BROUGHT
        };
        let game = self.tracker.game().filter(|game| game.result().is_none()).filter(is_other);
        let Some((game, length)) = game.map(|game| (game.number(), game.len())) else { return };
        if self.tracker.is_clocked() {
            return;
        }
        self.close_record(now);
        self.tracker.edit(0, length, Vec::new());
        self.emit(now, EventKind::Retract { game, ply: 1 });
        self.close_game(now);
        self.tracker.leave();
    }
}

impl EarlierGame {
    fn read(&self) -> Option<Continued> {
        serde_json::from_str(&self.json).ok()
    }
}
