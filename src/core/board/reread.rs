//! Reads again what was kept of a game, by another hypothesis of the seats, and emits what differs.

use dgt_protocol::Side;
use shakmaty::{Bitboard, Color, Move};

use super::{
    Board, from_code,
    observed::{Observation, ObservedGame, read},
    seat_evidence::Interval,
    seats::Seats,
    setup,
};
use crate::{
    alert::Confidence,
    clock::color,
    event::{EventKind, Times},
    fact::{Fact, Pressed, Reason, Verdict, Withdrawal},
    game::Game,
    position::Position,
    settings::WhiteClock,
    time::Timestamp,
    tracker::Press,
};

impl Board {
    /// Emits anew what stands on every square.
    pub(super) fn emit_squares(&mut self, was_rotated: bool, now: Timestamp) {
        let (old, new) = (read(&self.sensing.codes, was_rotated), read(&self.sensing.codes, self.rotated));
        for square in crate::position::differences(&old, &new) {
            if let Some(piece) = old.piece_at(square) {
                self.emit(now, EventKind::Lift { square, piece });
            }
            if let Some(piece) = new.piece_at(square) {
                self.emit(now, EventKind::Place { square, piece });
            }
        }
    }

    /// Reads again what was kept, by the present hypothesis, and emits what differs from what was emitted.
    pub(super) fn read_again(&mut self, now: Timestamp) {
        let Some(record) = self.adoption.record.take() else { return };
        let emitted: Vec<_> =
            self.tracker.game().filter(|game| game.number() == self.games).map_or_else(Vec::new, |game| {
                game.plies().iter().map(|ply| (ply.uci, ply.side, ply.completed)).collect()
            });
        let start =
            self.tracker.game().filter(|game| game.number() == self.games).map(|game| game.start().fen());
        if !self.adoption.waiting && !emitted.is_empty() {
            let fact = Fact::Withdrawn { ply: 1, because: Withdrawal::Reconsidered };
            self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
        }
        self.adoption.emits_at = Some(now);
        self.replay(&record);
        self.adoption.emits_at = None;
        self.adoption.record = Some(record);
        self.emit_differences(start.as_deref(), &emitted, now);
    }

    /// Withdraws what was reported of presses: by other seats they are other players', and what is left of it is reported anew.
    pub(super) fn retract_accusations(&mut self, now: Timestamp) {
        let accused: Vec<_> = self.tracker.accused().collect();
        for (pressed_at, side) in accused {
            let fact = Fact::Righted { pressed_at, side, overturned: true };
            self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
        }
    }

    /// Returns the first move of a game if it was one of Black's, and the side whose time ran has pressed for it, as the first to press: White
    /// may have pressed without a move before (7.5.3).
    pub(super) fn black_begins(&self, interval: &Interval, pressed: Side) -> Option<Move> {
        let game =
            self.tracker.game().filter(|game| game.len() <= 1 && game.completed_moves(Color::White) == 0)?;
        if game.is_adopted()
            || game.start().turn().is_black()
            || self.presses().any(|(side, _)| side != pressed)
            || interval.mover() != Some(Color::Black)
            || !self.belief.has_lever(Color::White, pressed)
        {
            return None;
        }
        let (start, after) = (game.start().pass(), read(&interval.after, self.rotated));
        start.legal_moves().into_iter().find(|m| start.board_after(*m) == after)
    }

    /// Returns the presses that are kept, and when they were reported.
    fn presses(&self) -> impl Iterator<Item = (Side, Timestamp)> {
        let kept = self.adoption.record.iter().flat_map(|record| &record.observations);
        kept.filter_map(|(at, seen)| match seen {
            Observation::Press { side, .. } => Some((*side, *at)),
            Observation::Field(..)
            | Observation::Dump
            | Observation::Running(_)
            | Observation::Gap
            | Observation::Clock(_) => None,
        })
    }

    /// Reads the game again as one that Black has begun with a move, if Black sits on the side of the clock that has pressed for it.
    pub(super) fn let_black_begin(&mut self, first: Move, (pressed, at): (Side, Timestamp), now: Timestamp) {
        let found = self.belief.better(self.seats(), |seats| self.allows(seats));
        let seats = found.map_or(self.seats(), |(best, _)| best);
        let Some(start) = self.adoption.record.as_mut().and_then(|record| record.start.as_mut()) else {
            return;
        };
        if color(pressed, seats.white).is_black() {
            let before = start.clone();
            *start = start.pass();
            // On the side where White usually sits White may have pressed; it is reported by those seats.
            if (pressed == Side::Left) != self.rotated {
                self.suspect_white(before, first, at);
                self.settle(now);
            }
            self.set_seating(seats, now);
            self.read_again(now);
        }
    }

    /// Notes that White may have moved that piece of Black's (Art. 7.5.1): who sits on which side of the clock nobody knows before the next
    /// move.
    fn suspect_white(&mut self, before: Position, first: Move, at: Timestamp) {
        let Some(from) = first.from() else { return };
        let board = before.pass().board_after(first);
        self.facts.push(Fact::Pressed(Box::new(Pressed {
            side: Color::White,
            at,
            seen: true,
            verdict: Verdict::Illegal(Reason::OpponentsPiece { from }),
            confidence: Confidence::Possible,
            weight: None,
            ply: 1,
            before,
            board,
            attempt: Vec::new(),
            off: Bitboard::EMPTY,
            high_residual: false,
            increment_s: 0,
            clock: self.view().times,
        })));
    }

    /// Notes which colour moved before the second press of a game that Black seems to have begun: his second move in a row shows that White
    /// had made the first one.
    pub(super) fn weigh_second_move(
        &mut self,
        interval: &Interval,
        (pressed, at): (Side, Timestamp),
        now: Timestamp,
    ) {
        // Where it was stated that Black begins, nobody has concluded it from a move.
        let concluded = |game: &&Game| !game.is_adopted() && game.start().turn().is_black();
        let begun = self.tracker.game().filter(concluded).filter(|_| !self.belief.is_stated());
        let before: Vec<_> = self.presses().filter(|(_, other)| *other < at).collect();
        let (Some(_), [(first, at)]) = (begun, before.as_slice()) else { return };
        let (first, pressed_at) = (*first, *at);
        if first == pressed {
            return;
        }
        match interval.mover() {
            Some(Color::White) => {
                self.facts.push(Fact::Righted { pressed_at, side: Color::White, overturned: true });
            }
            Some(Color::Black) if self.white_clock() == WhiteClock::Auto => {
                if let Some(start) = self.adoption.record.as_mut().and_then(|record| record.start.as_mut()) {
                    *start = start.pass();
                    self.belief.take_first_move(first);
                    self.set_seating(Seats { white: first, ..self.seats() }, now);
                    self.read_again(now);
                }
            }
            _ => {}
        }
    }

    /// Lets a game begin anew with White's first move, of which Black's has been taken back.
    pub(super) fn let_white_begin(&mut self, start: Position, now: Timestamp) {
        let fact = Fact::Withdrawn { ply: 1, because: Withdrawal::TakenBack };
        self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
        self.emit(now, EventKind::Retract { game: self.games, ply: 1 });
        self.keep_from_start(&start, now);
        self.tracker.start(self.games, start);
        self.settle(now);
    }

    /// Reads again what was kept of an adopted game if its first dump was wrong, as the next one shows.
    pub(super) fn correct_first_dump(&mut self, now: Timestamp) {
        if self.adoption.adopted
            && let Some(record) = &mut self.adoption.record
            && record.correct_base(now)
        {
            self.read_again(now);
        }
    }

    /// Reads again what was kept if the press that was kept last is for a move made before the game was adopted; returns
    /// whether it is.
    pub(super) fn reads_press_for_before(&mut self, now: Timestamp) -> bool {
        let Some(record) = self.adoption.record.as_ref().filter(|_| self.adoption.adopted) else {
            return false;
        };
        let last = record.observations.len().checked_sub(1);
        let is_for_before = last.is_some() && record.pressed_for_before(self.white) == last;
        if is_for_before {
            self.read_again(now);
        }
        is_for_before
    }

    fn replay(&mut self, record: &ObservedGame) {
        self.tracker = self.tracker.successor();
        self.tracker.set_clock(record.clocked, record.began);
        for (field, piece) in record.base.iter() {
            let square = self.square(field);
            self.tracker.handle_square(square, from_code(piece), true, record.began);
        }
        let running = record.running.map(|side| color(side, self.white));
        // Who pressed for that move: it is the other side's turn, and its time counts as running.
        let pressed = record.pressed_for_before(self.white);
        let running = if pressed.is_some() { running.map(|side| !side) } else { running };
        self.tracker.handle_running(running, record.began);
        let mut board = self.tracker.board().clone();
        for (field, piece) in &record.hidden {
            if let Some(piece) = from_code(*piece) {
                board.set_piece_at(self.square(*field), piece);
            }
        }
        let position =
            record.start.clone().or_else(|| setup::middle(&board, running.unwrap_or(Color::White)));
        let Some(position) = position else { return };
        let passed = if record.start.is_none() { setup::passed_pawns(&position) } else { Vec::new() };
        self.tracker.start(self.games, position);
        if self.adoption.adopted
            && let Some(game) = self.tracker.game_mut()
        {
            game.set_adopted();
        }
        self.tracker.start_also(passed);
        self.settle(record.began);
        for (index, (at, observation)) in record.observations.iter().enumerate() {
            if pressed == Some(index) {
                continue;
            }
            while let Some((due, _)) = self.tracker.deadline().filter(|(due, _)| due <= at) {
                self.tracker.handle_timeout(due);
                self.settle(due);
            }
            self.observe(*observation, *at);
            self.settle(*at);
        }
    }

    fn observe(&mut self, observation: Observation, at: Timestamp) {
        match observation {
            Observation::Field(field, piece, dumped) => {
                let square = self.square(field);
                self.tracker.handle_square(square, from_code(piece), dumped, at);
            }
            Observation::Dump => self.tracker.handle_dump(at),
            Observation::Press { side, seen, increment_s, shown } => {
                let clock = shown.map(|(left, right)| match self.white {
                    Side::Left => Times { white: left, black: right },
                    Side::Right => Times { white: right, black: left },
                });
                let side = color(side, self.white);
                self.tracker.handle_press(Press { side, at, up_at: None, seen, increment_s, clock }, at);
            }
            Observation::Running(side) => {
                self.tracker.handle_running(side.map(|side| color(side, self.white)), at);
            }
            Observation::Gap => self.tracker.handle_gap(at),
            Observation::Clock(heard) => self.tracker.set_clock(heard, at),
        }
    }

    fn emit_differences(
        &mut self,
        start: Option<&str>,
        emitted: &[(arrayvec::ArrayString<5>, Color, bool)],
        now: Timestamp,
    ) {
        let Some(game) = self.tracker.game() else { return };
        let (number, fen) = (game.number(), game.start().fen());
        let restarted = start != Some(&fen);
        let same = |(ply, emitted): &(&crate::game::Ply, &(arrayvec::ArrayString<5>, Color, bool))| {
            (ply.uci, ply.side, ply.completed) == **emitted
        };
        let kept = if restarted { 0 } else { game.plies().iter().zip(emitted).take_while(same).count() };
        let length = game.len();
        let first = u32::try_from(kept).unwrap_or(u32::MAX).saturating_add(1);
        if kept < emitted.len() {
            self.emit(now, EventKind::Retract { game: number, ply: first });
        }
        if restarted {
            self.emit_start(now);
        }
        for ply in first..=length {
            let completed =
                self.tracker.game().and_then(|game| game.ply(ply)).is_some_and(|ply| ply.completed);
            self.report_move(ply, completed, now);
        }
    }
}
