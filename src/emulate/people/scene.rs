//! The state of a simulated game: pieces, turn, clock, actions so far; and an ordinary turn.

use std::time::Duration;

use dgt_protocol::Side;
use shakmaty::{Board, ByColor, Color, Move, Piece, Square};

use super::{
    action::{Action, Play, TimedAction},
    amiss::Amiss,
    gesture::{self, Gesture, HandlingStyle},
    handling::Thinking,
    options::PlayOptions,
};
use crate::{
    clock::{self, ChessClock, Speed},
    games::{self, Ending, GameRecord},
    incident::PlannedIncident,
    random::{LogNormal, Random, span},
    truth::{ExpectedAlert, Remark, TrueMove, Truth},
};
use jadoube_core::{code::Code, position::Position, time::Timestamp};

/// Plies after which a game that left its record ends.
const AFTERPLAY: std::ops::Range<usize> = 16..50;

/// How an incident affects a turn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum IncidentEffect {
    /// It is not possible in this turn.
    NotApplicable,
    /// It happened, and the turn continues as usual.
    TurnContinues,
    /// It happened, and completed the turn.
    TurnDone,
}

pub(super) struct Scene<'a> {
    record: &'a GameRecord,
    pub(super) options: &'a PlayOptions,
    pub(super) random: Random,
    actions: Vec<TimedAction>,
    /// The pieces after all actions so far.
    pub(super) board: Board,
    pub(super) position: Position,
    /// White has the left side here.
    pub(super) clock: ChessClock,
    /// When the turn began: the clock of the side to move was started.
    pub(super) began: Timestamp,
    /// When the last piece was touched.
    pub(super) settled: Timestamp,
    pub(super) truth: Truth,
    pub(super) plan: Vec<PlannedIncident>,
    /// Who committed an offence: a second one would lose the game.
    pub(super) offended: ByColor<bool>,
    /// Number of moves of the record that were played; `None` after the game left it.
    followed: Option<usize>,
    /// The last ply of a game that left its record.
    last_ply: usize,
    /// Keys of the positions since the last irregular move.
    keys: Vec<u64>,
    /// Whether a pawn stands on its last rank and nobody intervened.
    pub(super) pawn_stands: bool,
    /// Pieces that do not stand where they should, and are still to be put up.
    pub(super) amiss: Vec<Amiss>,
    /// Readings of pieces that stand beside the middle of their squares.
    pub(super) unread: Vec<TimedAction>,
    /// Whether the clock is connected to the board.
    pub(super) clock_connected: bool,
    over: bool,
}

impl<'a> Scene<'a> {
    pub(super) fn new(record: &'a GameRecord, options: &'a PlayOptions) -> Self {
        let position = Position::initial();
        let truth = Truth {
            name: record.name.clone(),
            control: options.control,
            moves: Vec::new(),
            alerts: Vec::new(),
            remarks: Vec::new(),
            incidents: Vec::new(),
            unsuited: Vec::new(),
            ending: record.ending,
        };
        Self {
            record,
            random: Random::new(options.seed),
            actions: Vec::new(),
            board: options.standing.clone(),
            clock: ChessClock::new(&options.time_control, Side::Left, Speed::REAL, options.start),
            began: options.start,
            settled: options.start,
            truth,
            plan: options.incidents.clone(),
            offended: ByColor::default(),
            followed: Some(0),
            last_ply: usize::MAX,
            keys: vec![position.key()],
            position,
            pawn_stands: false,
            amiss: Vec::new(),
            unread: Vec::new(),
            clock_connected: true,
            over: false,
            options,
        }
    }

    pub(super) const fn is_over(&self) -> bool {
        self.over
    }

    /// Ends the game.
    pub(super) const fn end(&mut self, ending: Ending) {
        self.truth.ending = ending;
        self.over = true;
    }

    /// Plays one turn with its incidents, or ends the game.
    pub(super) fn turn(&mut self) {
        let next = self.next_move();
        let Some(m) = next else {
            self.end(if self.followed.is_some() { self.record.ending } else { self.judge() });
            return;
        };
        let think = self.think();
        let due: Vec<PlannedIncident> =
            self.plan.iter().copied().filter(|planned| planned.from_ply <= self.ply()).collect();
        self.notice_amiss(false);
        for planned in due {
            let ply = self.ply();
            let outcome = self.incident(planned, m, think);
            if outcome == IncidentEffect::NotApplicable {
                continue;
            }
            self.truth.incidents.push((ply, planned.incident));
            if let Some(place) = self.plan.iter().position(|other| *other == planned) {
                self.plan.remove(place);
            }
            if outcome == IncidentEffect::TurnDone {
                return;
            }
        }
        if !self.mishap(m, think) {
            self.ordinary_turn(m, think);
        }
    }

    /// Makes a move and presses the clock.
    pub(super) fn ordinary_turn(&mut self, m: Move, think: Duration) {
        let ready = self.began + think;
        if self.random.chance(self.options.handling.adjust) {
            self.adjust(ready.before(span(1.6)).max(self.began + span(0.3)));
        }
        // The first move waits for the clock.
        let early = !self.truth.moves.is_empty() && self.random.chance(self.options.handling.early_reply);
        let premove = !self.truth.moves.is_empty() && self.random.chance(self.options.handling.premove);
        let start = match (premove, early) {
            (true, _) => self.began + self.random.seconds(0.01, 0.08),
            (false, true) => self.settled + self.random.seconds(0.05, 0.25),
            (false, false) => ready,
        };
        let style = if premove { HandlingStyle::Quick } else { HandlingStyle::Usual };
        self.make(m, start, style);
    }

    /// Makes a move from an instant on, and presses the clock. Returns `false` if the flag fell before.
    pub(super) fn make(&mut self, m: Move, start: Timestamp, style: HandlingStyle) -> bool {
        self.make_while(m, start, style, |_, _| {})
    }

    /// Makes a move while something else happens on the board, which may add to its gesture.
    pub(super) fn make_while(
        &mut self,
        m: Move,
        start: Timestamp,
        style: HandlingStyle,
        happens: impl FnOnce(&mut Self, &mut Gesture),
    ) -> bool {
        let side = self.position.turn();
        let start = self.clear_way(m, start).max(self.settled + span(0.02));
        let mut gesture =
            gesture::gesture(m, side, &self.board, style, &self.options.handling, &mut self.random);
        happens(self, &mut gesture);
        let delay = match style {
            HandlingStyle::Quick => self.random.seconds(0.03, 0.10),
            HandlingStyle::Usual
            | HandlingStyle::Slow
            | HandlingStyle::TwoHands
            | HandlingStyle::RookFirst => self.random.log_normal(self.options.handling.press).max(span(0.08)),
        };
        let press = (start + gesture.done + delay).max(self.began + span(0.04));
        if self.flag_falls_before(press) {
            return false;
        }
        self.perform(&gesture, start);
        let castles_wrong = gesture.rook_first;
        self.commit(m, start + gesture.made);
        if castles_wrong {
            self.expect(Code::CastlingRookFirst, Some(side), press, self.plies());
            self.remark("rook-first", start, self.last_uci());
        }
        if self.over {
            if self.random.chance(self.options.handling.press_after_mate) {
                self.press(side, press);
            }
            return true;
        }
        self.press(side, press);
        self.expect_claims(press);
        self.track_pawn_on_last_rank(press);
        true
    }

    /// Schedules the changes of a gesture.
    pub(super) fn perform(&mut self, gesture: &Gesture, start: Timestamp) {
        for change in &gesture.changes {
            let at = start + change.after;
            if change.unread.is_zero() {
                self.set(change.square, change.piece, at);
            } else {
                self.set_unread(change.square, change.piece, at, at + change.unread);
            }
        }
    }

    /// Records a legal move.
    pub(super) fn commit(&mut self, m: Move, made_at: Timestamp) {
        let uci = self.position.uci(m);
        self.position = self.position.play(m);
        self.keys.push(self.position.key());
        self.truth.moves.push(TrueMove { uci, legal: true, made_at });
        if let Some(followed) = &mut self.followed {
            *followed += 1;
        }
        self.check_end_of_game(made_at);
    }

    /// Records an illegal move that stands.
    pub(super) fn commit_illegal(&mut self, uci: String, made_at: Timestamp) {
        self.position = self.position.leave(self.board.clone());
        self.truth.moves.push(TrueMove { uci, legal: false, made_at });
        self.keys = vec![self.position.key()];
        self.abandon_record();
    }

    /// Plays moves that are not in the record, and returns to it.
    pub(super) fn play_off_record(&mut self, play: impl FnOnce(&mut Self)) {
        let followed = self.followed.take();
        play(self);
        self.followed = followed;
    }

    /// Continues without the record, because the position differs.
    pub(super) fn abandon_record(&mut self) {
        self.followed = None;
        self.last_ply = self.truth.moves.len() + AFTERPLAY.start + self.random.below(AFTERPLAY.len());
    }

    /// Continues from what stands on the board, with the same side to move.
    pub(super) fn accept_board(&mut self) {
        self.position = self.position.with_board(self.board.clone());
        self.keys = vec![self.position.key()];
        self.abandon_record();
    }

    /// Restarts the game from a position.
    pub(super) fn restart_game(&mut self, position: Position) {
        self.keys = vec![position.key()];
        self.position = position;
        self.truth.moves.clear();
        self.followed = Some(0);
    }

    /// Presses the clock; the opponent's turn begins.
    pub(super) fn press(&mut self, side: Color, at: Timestamp) {
        self.schedule(at, Action::Press(side));
        self.clock.press(clock_side(side), at);
        self.began = at;
    }

    /// Ends the game on time if the running flag falls before an instant; returns whether it did.
    pub(super) fn flag_falls_before(&mut self, at: Timestamp) -> bool {
        let Some(fall) = self.clock.flag_fall(self.began).filter(|fall| *fall <= at) else { return false };
        self.flag(fall);
        true
    }

    /// Changes the piece on a square.
    pub(super) fn set(&mut self, square: Square, piece: Option<Piece>, at: Timestamp) {
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
        self.settled = self.settled.max(at);
        self.unread.retain(|reading| reading.at < at || !reading.is_of(square));
        self.schedule(at, Action::Set(square, piece));
    }

    /// Puts a piece down that the board reads later, unless something else comes to its square before.
    fn set_unread(&mut self, square: Square, piece: Option<Piece>, at: Timestamp, read: Timestamp) {
        if let Some(piece) = piece {
            self.board.set_piece_at(square, piece);
        }
        self.settled = self.settled.max(at);
        self.unread.push(TimedAction { at: read, action: Action::Set(square, piece) });
    }

    pub(super) fn schedule(&mut self, at: Timestamp, action: Action) {
        self.actions.push(TimedAction { at, action });
    }

    /// Records what has to be noticed.
    pub(super) fn expect(&mut self, code: Code, side: Option<Color>, at: Timestamp, ply: u32) {
        if !self.clock_connected && matches!(code, Code::FlagFall | Code::FlagFallDraw) {
            return;
        }
        self.truth.alerts.push(ExpectedAlert { code, side, at, ply });
    }

    pub(super) fn remark(&mut self, what: &'static str, at: Timestamp, about: String) {
        self.truth.remarks.push(Remark { what, at, about });
    }

    /// Returns the number of the ply that is to be played, from 1.
    pub(super) fn ply(&self) -> u32 {
        self.plies() + 1
    }

    /// Returns how many plies stand.
    pub(super) fn plies(&self) -> u32 {
        u32::try_from(self.truth.moves.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn last_uci(&self) -> String {
        self.truth.moves.last().map(|m| m.uci.clone()).unwrap_or_default()
    }

    /// Returns how often the present position has occurred.
    pub(super) fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.keys.iter().filter(|earlier| **earlier == key).count()
    }

    /// Ends the simulation and returns the game.
    pub(super) fn finish(mut self) -> Play {
        self.conclude();
        self.truth.unsuited = self.plan.iter().map(|planned| planned.incident).collect();
        self.actions.append(&mut self.unread);
        self.actions.sort_by_key(|timed| timed.at);
        let end = self.actions.last().map_or(self.began, |timed| timed.at).max(self.began) + span(4.0);
        Play { actions: self.actions, truth: self.truth, end, standing: self.board }
    }

    /// Returns the next move of the record, or a chosen one without a record.
    fn next_move(&mut self) -> Option<Move> {
        if let Some(followed) = self.followed {
            let m = self.record.moves.get(followed).copied()?;
            if self.position.is_legal(m) {
                return Some(m);
            }
            self.abandon_record();
        }
        if self.truth.moves.len() >= self.last_ply {
            return None;
        }
        games::choose(&self.position, &mut self.random)
    }

    /// Returns the result by the position.
    fn judge(&self) -> Ending {
        games::judge(&self.position)
    }

    pub(super) fn think(&mut self) -> Duration {
        let side = self.position.turn();
        let rest = self.clock.rest(clock_side(side), self.began).as_secs_f64();
        let recorded = self.followed.and_then(|followed| self.record.thinks.get(followed).copied().flatten());
        let wanted = match (recorded, self.options.thinking) {
            (Some(think), Thinking::ByClock) => think,
            (_, Thinking::About(seconds)) => self.random.log_normal(LogNormal::new(seconds, 0.5)),
            (None, Thinking::ByClock) => {
                let increment = clock::increment(&self.options.time_control).as_secs_f64();
                let opening = if self.truth.moves.len() < 12 { 0.35 } else { 1.0 };
                let median = (rest / 55.0 + increment * 0.5) * opening;
                self.random.log_normal(LogNormal::new(median.max(0.2), 0.8))
            }
        };
        wanted.min(span((rest - 2.5).max(rest * 0.1))).max(span(0.1))
    }

    fn check_end_of_game(&mut self, at: Timestamp) {
        let (side, ply) = (self.position.turn(), self.plies());
        if self.position.is_checkmate() {
            self.expect(Code::Checkmate, Some(side), at, ply);
            self.end(Ending::Won(!side));
        } else if self.position.is_stalemate() {
            self.expect(Code::Stalemate, Some(side), at, ply);
            self.end(Ending::Drawn);
        } else if self.position.lawful().is_some_and(shakmaty::Position::is_insufficient_material) {
            self.expect(Code::DeadPosition, None, at, ply);
            self.end(Ending::Drawn);
        } else if self.repetitions() >= 5 {
            self.expect(Code::FivefoldDraw, None, at, ply);
            self.end(Ending::Drawn);
        } else if self.position.halfmoves() >= 150 {
            self.expect(Code::SeventyfiveDraw, None, at, ply);
            self.end(Ending::Drawn);
        }
    }

    fn expect_claims(&mut self, press: Timestamp) {
        let (side, ply) = (self.position.turn(), self.plies());
        if self.repetitions() == 3 {
            self.expect(Code::ThreefoldClaimable, Some(side), press, ply);
        }
        if self.position.halfmoves() == 100 {
            self.expect(Code::FiftyClaimable, Some(side), press, ply);
        }
    }
}

/// Returns the clock side of a player in the simulation, before the table maps it.
pub(super) const fn clock_side(color: Color) -> Side {
    match color {
        Color::White => Side::Left,
        Color::Black => Side::Right,
    }
}
