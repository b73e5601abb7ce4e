//! What leaves a board: facts become events, and alerts through the rules.

use dgt_protocol::Message;

use super::{Board, Fact, Question, Timestamp, identity::BoardIdentity};
use crate::{
    clock::ClockView,
    event::{BoardEvent, Event, EventKind, Known},
    game::{Game, Played, Tags},
    rules::{Context, Notice, Referee},
};

/// Longest message that a board is asked to repeat: a dump.
const LONGEST: usize = 128;

/// Returns the name that an order gave a player, or else that of the table.
fn name(ordered: Option<&String>, seated: Option<&String>) -> String {
    ordered.or(seated).cloned().unwrap_or_default()
}

impl Board {
    /// Turns facts into events and alerts until nothing new follows from them.
    pub(super) fn settle(&mut self, now: Timestamp) {
        // After most messages there are none.
        while self.tracker.has_facts() || !self.facts.is_empty() {
            // The lists keep their room.
            let mut facts = std::mem::take(&mut self.reported);
            facts.extend(self.tracker.take_facts());
            facts.append(&mut self.facts);
            // Nothing that follows from them changes the clock.
            let clock = self.view();
            for fact in facts.drain(..) {
                if !self.adoption.is_reading() {
                    self.report(&fact, now);
                }
                self.note_position(&fact, now);
                let fact = self.filter_fact(&fact).map(std::borrow::Cow::into_owned);
                if let Some(fact) = fact.map(|fact| self.weighed(fact, now)) {
                    self.ask_referee(&clock, now, |referee, context, out| {
                        referee.handle(&fact, context, out);
                    });
                }
            }
            self.reported = facts;
        }
        if !self.adoption.is_reading() {
            self.note_difference(now);
        }
    }

    /// Lets the referee look at the board and passes on what it has to say.
    pub(super) fn with_referee<T>(
        &mut self,
        now: Timestamp,
        ask: impl FnOnce(&mut Referee, &Context<'_>, &mut Vec<Notice>) -> T,
    ) -> T {
        self.ask_referee(&self.view(), now, ask)
    }

    fn ask_referee<T>(
        &mut self,
        clock: &ClockView,
        now: Timestamp,
        ask: impl FnOnce(&mut Referee, &Context<'_>, &mut Vec<Notice>) -> T,
    ) -> T {
        let game = self.tracker.game().unwrap_or(&self.no_game);
        let context = Context { board: &self.id, game, clock, sensed: self.tracker.board(), now };
        let mut notices = Vec::new();
        let answer = ask(&mut self.referee, &context, &mut notices);
        for notice in notices {
            match notice {
                Notice::Raised(alert) => self.emit(now, EventKind::Alert(alert)),
                Notice::Updated(update) => self.emit(now, EventKind::AlertUpdate(update)),
                Notice::Entered { order, text } => {
                    let id = self.orders.present();
                    self.emit(now, EventKind::Entry { order, text, id });
                }
                Notice::Counted { game, white, black } => {
                    self.emit(now, EventKind::Counts { game, white, black });
                }
                Notice::Result(result) => {
                    let keep = self.tracker.game().map_or(0, Game::len);
                    self.tracker.end(result, keep);
                }
                Notice::Question { alert, position, winner } => {
                    self.questions.push_back(Question { alert, position, winner });
                }
            }
        }
        answer
    }

    /// Emits from which position the game starts; of a game that was emitted already, that it starts from another one.
    pub(super) fn emit_start(&mut self, now: Timestamp) {
        let Some(game) = self.tracker.game() else { return };
        let (game, fen) = (game.number(), game.start().fen());
        let adopted = self.adoption.adopted;
        let continued = self.continued.clone();
        let is_named = self.players.white.is_some() || self.players.black.is_some();
        let players = is_named.then(|| Box::new(self.players.clone()));
        self.emit(now, EventKind::GameStart { game, fen, adopted, continued, players });
    }

    /// Returns whether the first ply captures a pawn in passing: only this has shown which square was passed before the board was heard.
    fn begins_in_passing(&self) -> bool {
        let first = self.tracker.game().and_then(|game| game.ply(1));
        first.is_some_and(|ply| matches!(ply.played, Played::Legal(m) if m.is_en_passant()))
    }

    /// Emits a fact.
    fn report(&mut self, fact: &Fact, now: Timestamp) {
        match *fact {
            Fact::GameStarted => self.emit_start(now),
            Fact::Made { ply } => {
                if ply == 1 && self.adoption.adopted && self.begins_in_passing() {
                    self.emit_start(now);
                }
                self.report_move(ply, false, now);
            }
            Fact::Completed { ply } => self.report_move(ply, true, now),
            Fact::Withdrawn { ply, .. } => {
                let game = self.games;
                self.emit(now, EventKind::Retract { game, ply });
            }
            Fact::Ended => {
                if let Some(result) = self.tracker.game().and_then(Game::result) {
                    let game = self.games;
                    self.emit(now, EventKind::Result { game, result: result.score(), by: result.by });
                    self.report_game(now);
                }
            }
            Fact::OddStart { .. }
            | Fact::PlayStarted
            | Fact::Pressed(_)
            | Fact::Righted { .. }
            | Fact::Touched { .. }
            | Fact::Flag { .. }
            | Fact::ClockStopped
            | Fact::ClockStarted { .. }
            | Fact::Mismatch { .. }
            | Fact::MismatchCleared { .. }
            | Fact::Link { .. }
            | Fact::ClockLink { .. }
            | Fact::ClockBattery { .. }
            | Fact::BoardBattery { .. }
            | Fact::Noise { .. } => {}
        }
    }

    /// The list may be ahead of the fact: what it said then is what is reported.
    pub(super) fn report_move(&mut self, ply: u32, completed: bool, now: Timestamp) {
        let times = self.view().times;
        let Some(mut event) = self.tracker.game().and_then(|game| game.move_event(ply)) else { return };
        event.completed = completed;
        event.clock = event.clock.or(times);
        self.emit(now, EventKind::Move(Box::new(event)));
    }

    /// Reports the whole game.
    pub(super) fn report_game(&mut self, now: Timestamp) {
        let table = self.settings.table(&self.id);
        let event = &self.settings.event;
        let number = table.and_then(|table| table.number);
        let tags = Tags {
            event: event.name.clone(),
            site: event.site.clone(),
            round: event
                .round
                .zip(number)
                .map(|(round, board)| format!("{round}.{board}"))
                .unwrap_or_default(),
            white: name(self.players.white.as_ref(), table.map(|table| &table.white)),
            black: name(self.players.black.as_ref(), table.map(|table| &table.black)),
            time_control: event.time_control.clone(),
            ..Tags::default()
        };
        if let Some(event) = self.tracker.game().map(|game| game.event(&tags)) {
            self.emit(now, EventKind::Game(Box::new(event)));
        }
    }

    /// Reports the whole game, to which nothing has given a result, or a move that ended it without being sure.
    pub(super) fn report_unfinished(&mut self, now: Timestamp) {
        match self.referee.take_held() {
            Some(result) => {
                self.tracker.end(result, u32::MAX);
                self.settle(now);
            }
            None => self.report_game(now),
        }
    }

    /// Reports the whole game again, if it was played on after the Laws had ended it; all plies but the first `keep` were gestures.
    pub(super) fn report_played_on(&mut self, keep: u32, now: Timestamp) {
        if self.tracker.stop_following(keep) {
            self.settle(now);
            self.report_game(now);
        }
    }

    /// Reports what the board says of itself.
    pub(super) fn report_board(&mut self, now: Timestamp) {
        let BoardIdentity { serial, long_serial, version, battery, .. } = self.identity.clone();
        self.note_emitted_seats();
        let rotated = self.rotated;
        let white_clock = self.white.into();
        let is_known = self.seats_known();
        let seats = if is_known { Known::Known } else { Known::Unknown };
        let reported = BoardEvent { serial, long_serial, version, rotated, white_clock, seats, battery };
        self.emit(now, EventKind::Board(Box::new(reported)));
    }

    pub(super) fn emit(&mut self, at: Timestamp, kind: EventKind) {
        let at = self.adoption.emission_time(at);
        self.events.push_back(Event { at, board: self.id.clone(), kind });
    }

    /// Returns messages from which a new board learns what this one knows, as the board itself would send them.
    #[must_use]
    pub fn carry_over(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut say = |message: Message<'_>| {
            let mut buffer = [0; LONGEST];
            bytes.extend(message.encode(&mut buffer).unwrap_or_default());
        };
        if let Some(serial) = &self.identity.serial {
            say(Message::Serial(serial));
        }
        if let Some(serial) = &self.identity.long_serial {
            say(Message::LongSerial(serial));
        }
        if self.sensing.known {
            say(Message::BoardDump(self.sensing.codes));
        }
        if let Some(report) = self.clock.report() {
            say(Message::Clock(report));
        }
        bytes
    }
}
