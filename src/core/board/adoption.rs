//! A board that is first heard of in the middle of a game, and what is read again when the seats turn out otherwise.
//!
//! What the board and its clock report is kept from the beginning of a game until its seats are known, in fields and sides
//! of the clock. When another hypothesis becomes the best, a new tracker reads it again; moves that differ are retracted
//! and emitted anew. After an adoption the rules hear nothing before the seats are known, so that nobody is accused of what
//! rests on them; then they hear all of it.

use arrayvec::ArrayVec;
use dgt_protocol::{Field, Piece, Placement, Side};
use shakmaty::{Bitboard, Color};

use super::{
    Board,
    hidden::sources,
    observed::{Observation, ObservedGame, read},
    seat_evidence::Interval,
    seats::{Belief, Seats},
    setup::{self, kings_stand},
    unclocked::MovesInTurn,
};
use crate::{
    clock::color,
    fact::{Fact, MismatchCause, Pressed, Verdict},
    model::{cost, effort},
    position::Position,
    settings::{Orientation, WhiteClock},
    time::Timestamp,
};

/// What is pending until the seats of a game are known.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub(super) struct Adoption {
    /// Kept from the beginning of the game.
    pub(super) record: Option<ObservedGame>,
    /// The game was adopted in its middle, and the rules have not heard of it.
    pub(super) waiting: bool,
    /// The game was adopted in its middle.
    pub(super) adopted: bool,
    /// The arbiter has been asked whether the sides are swapped.
    asked: bool,
    /// While something is read again: the instant at which its events are emitted.
    pub(super) emits_at: Option<Timestamp>,
    /// Flags that fell on a clock of which nobody knows whose side is whose.
    flags: Vec<(Side, bool)>,
    /// A move was under way when the board was first heard of: a change beside its first dump may be lost.
    pub(super) ignores_timing: bool,
    /// A clock was pressed while no game was on: then the move before may have been under way.
    pub(super) pressed_before: bool,
    /// Whose press was excused last, and on which ply.
    pub(super) excused: Option<(Color, u32)>,
    /// Fields that have reported something since, or of which a later dump has shown, and when first.
    pub(super) verified: Vec<(Field, Timestamp)>,
    /// Moves in turn on a board without a clock, of which no game is known.
    pub(super) in_turn: Option<MovesInTurn>,
    /// What was last emitted of the seats.
    emitted: Option<(Seats, bool)>,
}

impl Adoption {
    /// Goes on with a game adopted in its middle of which the rules hear at once.
    pub(super) fn with_record(&self, record: ObservedGame) -> Self {
        Self { record: Some(record), adopted: true, emitted: self.emitted, ..Self::default() }
    }

    /// Returns the instant at which events are emitted that come up at `at`.
    pub(super) fn emission_time(&self, at: Timestamp) -> Timestamp {
        self.emits_at.unwrap_or(at)
    }

    /// Notes that a field has reported something.
    pub(super) fn note_report(&mut self, field: Field, now: Timestamp) {
        if self.ignores_timing && !self.verified.iter().any(|(other, _)| *other == field) {
            debug_assert!(self.verified.len() < Field::COUNT, "each field is noted once");
            self.verified.push((field, now));
        }
    }

    /// Notes that a dump has shown every field: it shows what changed beside an earlier one.
    pub(super) fn note_dump(&mut self, now: Timestamp) {
        if self.ignores_timing && self.verified.len() < Field::COUNT {
            Field::all().for_each(|field| self.note_report(field, now));
        }
    }

    /// Returns whether a press without a move answers a press that was excused, and whose ply may be another one.
    pub(super) fn answers_excused(&self, pressed: &Pressed) -> bool {
        pressed.verdict == Verdict::Nothing
            && self.excused.is_some_and(|(side, ply)| side != pressed.side && pressed.ply.abs_diff(ply) <= 1)
    }

    /// Returns whether something is being read again.
    pub(super) const fn is_reading(&self) -> bool {
        self.emits_at.is_some()
    }
}

impl Board {
    /// Returns the hypothesis by which play is read.
    pub(super) const fn seats(&self) -> Seats {
        Seats { rotated: self.rotated, white: self.white }
    }

    /// Returns whether the seats are known well enough to accuse somebody.
    pub(super) fn seats_known(&self) -> bool {
        self.belief.knows(self.seats())
    }

    pub(super) fn allows(&self, seats: Seats) -> bool {
        self.allows_in(self.adoption.adopted, seats)
    }

    /// Returns whether a game may have these seats that was, or was not, adopted in its middle.
    fn allows_in(&self, adopted: bool, seats: Seats) -> bool {
        let fits = match self.orientation() {
            // A start position has shown how the board lies.
            Orientation::Auto => adopted || seats.rotated == self.rotated,
            Orientation::Normal => !seats.rotated,
            Orientation::Rotated => seats.rotated,
        };
        let stands = match self.white_clock() {
            WhiteClock::Auto => true,
            WhiteClock::Left => seats.white == Side::Left,
            WhiteClock::Right => seats.white == Side::Right,
        };
        fits && stands
    }

    /// Adds what is stated in the configuration.
    fn take_settings(&mut self) {
        let (orientation, white_clock) = (self.orientation(), self.white_clock());
        if orientation != Orientation::Auto {
            self.belief.add(|seats| seats.rotated != (orientation == Orientation::Rotated), cost::STATED);
        }
        if white_clock != WhiteClock::Auto {
            self.belief
                .add(|seats| (seats.white == Side::Left) != (white_clock == WhiteClock::Left), cost::STATED);
        }
    }

    /// Begins to keep what is reported of a game from its start: that shows how the board lies.
    pub(super) fn keep_from_start(&mut self, position: &Position, now: Timestamp) {
        let (before, known) = (self.seats(), self.seats_known());
        self.belief = Belief::new();
        self.take_settings();
        self.belief.add(|seats| seats.rotated != before.rotated, cost::SEAT_LEAD);
        if known && self.games > 1 {
            self.belief.add(|seats| seats.white != before.white, cost::CHANGED_SIDES);
        }
        // Nobody sets up a game that Black begins.
        if !setup::is_start(position) || position.turn().is_black() {
            self.belief.set_stated();
        }
        if let Some(running) = self.clock.running() {
            self.belief.set_lever(position.turn(), running);
        }
        self.adoption = Adoption { emitted: self.adoption.emitted, ..Adoption::default() };
        self.keep(self.sensing.codes, Some(position.clone()), now);
        self.emit_seats(now);
    }

    pub(super) fn keep(&mut self, base: Placement, start: Option<Position>, began: Timestamp) {
        self.seat_evidence.begin(Some(base));
        let running = self.clock.running();
        let clocked = self.tracker.hears_clock();
        self.adoption.record = Some(ObservedGame {
            base,
            began,
            running,
            start,
            clocked,
            hears_clock: clocked,
            observations: Vec::new(),
            pressed: false,
            whole: false,
            hidden: ArrayVec::new(),
        });
    }

    /// Adopts a game in its middle, from what stands on the board and what a hand has lifted from it.
    pub(super) fn adopt(&mut self, now: Timestamp) {
        self.pending.pick_up = None;
        let (codes, lifted) = self.sensing.with_lifted(now);
        let board = read(&codes, false);
        if self.waiting.is_some()
            || !self.sensing.known
            || !kings_stand(&board)
            || !self.settings.game.fen.is_empty()
            || self.clock.running().is_none()
        {
            return;
        }
        let seats = self.seats_by_looks(&codes);
        self.leave_game(now);
        self.adoption = Adoption {
            waiting: true,
            adopted: true,
            ignores_timing: self.adoption.pressed_before,
            emitted: self.adoption.emitted,
            ..Adoption::default()
        };
        self.keep(codes, None, now);
        if let Some(field) = lifted {
            self.keep_observation(Observation::Field(field, Piece::Empty, false), now);
        }
        // What changed beside the first dump may be lost: another one shows that.
        self.sensing.unsure = true;
        if seats != self.seats() {
            self.set_seating(seats, now);
        }
        self.read_again(now);
        self.emit_seats(now);
    }

    /// Begins to weigh the seats by what stands in the middle of a game; returns the likeliest.
    pub(super) fn seats_by_looks(&mut self, codes: &Placement) -> Seats {
        self.belief = Belief::new();
        self.take_settings();
        self.belief.take_looks(&read(codes, false));
        let found = self.belief.better(self.seats(), |seats| self.allows_in(true, seats));
        found.map_or(self.seats(), |(best, _)| best)
    }

    /// Keeps what is reported, while that is of use.
    pub(super) fn keep_observation(&mut self, observation: Observation, now: Timestamp) {
        let Some(record) = &mut self.adoption.record else { return };
        let clocked = self.tracker.hears_clock();
        if std::mem::replace(&mut record.hears_clock, clocked) != clocked {
            self.keep_observation(Observation::Clock(clocked), now);
            self.keep_observation(observation, now);
            return;
        }
        if record.observations.len() < effort::REREAD {
            record.pressed |= matches!(observation, Observation::Press { .. });
            if record.observations.len() == record.observations.capacity() {
                record.observations.reserve_exact(effort::ROOM_FOR_OBSERVATIONS);
            }
            record.observations.push((now, observation));
            return;
        }
        self.conclude(now);
        self.adoption.record = None;
    }

    /// Handles what moved before this side pressed.
    pub(super) fn take_interval(&mut self, interval: &Interval, pressed: Side, now: Timestamp) {
        if self.read_with_hidden(interval, now) {
            return;
        }
        let Some(record) = self.adoption.record.as_mut().filter(|_| self.adoption.adopted) else { return };
        if !self.adoption.waiting || record.whole {
            return;
        }
        record.whole = interval.from_nowhere.is_none() && interval.mover().is_some();
        if record.whole {
            return;
        }
        self.adoption.ignores_timing = true;
        // What went before was under way when the board was first heard of: the game is adopted here instead.
        let (mut base, mut codes) = (interval.after, self.sensing.codes);
        if let Some((piece, to)) = interval.from_nowhere {
            let captured = record.base.get(to) != Piece::Empty;
            // A twin that could have gone there in one move is more likely one whose lift nobody heard of.
            if let Some(twin) = sources(&base, self.rotated, piece, to, captured).first() {
                base.set(*twin, Piece::Empty);
                codes.set(*twin, Piece::Empty);
            }
        }
        self.sensing.codes = codes;
        self.keep(base, None, now);
        if let Some(record) = &mut self.adoption.record {
            // Whose time ran from that press on; it may have been pressed back since.
            record.running = record.running.map(|_| pressed.other());
        }
        for ((field, was), (_, is)) in base.iter().zip(codes.iter()) {
            if was != is {
                self.keep_observation(Observation::Field(field, is, false), now);
            }
        }
        self.read_again(now);
    }

    /// Looks whether play is to be read by another hypothesis, or whether the seats are known now.
    pub(super) fn review(&mut self, now: Timestamp) {
        if self.adoption.record.is_some()
            && let Some((best, lead)) = self.belief.better(self.seats(), |seats| self.allows(seats))
            && lead >= cost::SEATS_SWITCH
        {
            self.set_seating(best, now);
            let pressed = self.adoption.record.as_ref().is_some_and(|record| record.pressed);
            if self.adoption.waiting || pressed {
                self.retract_accusations(now);
                self.read_again(now);
            } else {
                self.tracker.handle_running(self.view().running, now);
            }
        }
        if self.adoption.record.is_none()
            && self.tracker.is_playing()
            && !self.adoption.asked
            && let Some((_, lead)) = self.belief.better(self.seats(), |_| true)
            && lead >= cost::OTHER_COLOUR_MOVED
        {
            self.adoption.asked = true;
            let cause = MismatchCause::SeatsSwapped;
            self.facts.push(Fact::Mismatch { squares: Bitboard::EMPTY, cause });
        }
        if self.seats_known()
            && self.adoption.record.as_ref().is_none_or(|record| record.pressed || !self.adoption.adopted)
        {
            self.conclude(now);
            let pressed = self.adoption.record.as_ref().is_some_and(|record| record.pressed);
            if pressed && !self.adoption.adopted {
                self.adoption.record = None;
            }
        }
        if self.adoption.record.is_some() || self.adoption.emitted.is_some() {
            self.emit_seats(now);
        }
    }

    /// Ends the wait of the rules: they hear all of the game so far.
    pub(super) fn conclude(&mut self, now: Timestamp) {
        if std::mem::take(&mut self.adoption.waiting) {
            self.read_again(now);
        }
        if self.seats_known() {
            for (side, blocked) in std::mem::take(&mut self.adoption.flags) {
                let side = color(side, self.white);
                self.facts.push(Fact::Flag { side, blocked });
            }
        }
    }

    /// Ends what is kept: something that nobody can read again comes next.
    pub(super) fn close_record(&mut self, now: Timestamp) {
        self.conclude(now);
        self.adoption.record = None;
    }

    /// Notes which side's time starts to run.
    pub(super) fn take_lever(&mut self, running: Side, now: Timestamp) {
        let Some(game) = self.tracker.game().filter(|game| game.is_empty() && game.result().is_none()) else {
            return;
        };
        if !self.adoption.adopted {
            self.belief.set_lever(game.position().turn(), running);
            self.review(now);
        }
    }

    /// Handles a fallen flag; whose it is has to be known.
    pub(super) fn take_flag(&mut self, side: Side, blocked: bool) {
        self.tracker.note_flag();
        if self.adoption.waiting || self.adoption.adopted && !self.seats_known() {
            self.adoption.flags.push((side, blocked));
            self.adoption.flags.truncate(2);
            return;
        }
        let side = color(side, self.white);
        self.facts.push(Fact::Flag { side, blocked });
    }

    /// Reads play by another hypothesis from now on.
    pub(super) fn set_seating(&mut self, seats: Seats, now: Timestamp) {
        let before = std::mem::replace(&mut self.rotated, seats.rotated);
        self.white = seats.white;
        if before != self.rotated {
            self.emit_squares(before, now);
        }
    }

    /// Notes that the seats were emitted as they are.
    pub(super) fn note_emitted_seats(&mut self) {
        self.adoption.emitted = Some((self.seats(), self.seats_known()));
    }

    /// Emits the seats if something about them is new.
    pub(super) fn emit_seats(&mut self, now: Timestamp) {
        let state = (self.seats(), self.seats_known());
        if self.adoption.emitted != Some(state) {
            self.report_board(now);
        }
    }

    /// Handles an arbiter's order about the seats: it is right.
    pub(super) fn take_stated(&mut self, now: Timestamp) {
        let stated = self.seats();
        self.belief = Belief::default();
        self.belief.add(|seats| seats.rotated != stated.rotated, cost::STATED);
        self.belief.add(|seats| seats.white != stated.white, cost::STATED);
        self.adoption.asked = false;
        self.read_again(now);
        self.review(now);
        self.emit_seats(now);
    }
}
