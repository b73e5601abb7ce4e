//! How a game begins and ends at a table.

use shakmaty::{Bitboard, Board, CastlingMode, Color, Piece, Position as _, Setup, Square};

use super::{
    action::Action,
    gesture::HandlingStyle,
    scene::{IncidentEffect, Scene, clock_side},
};
use crate::{
    clock,
    games::{self, Ending},
    incident::{Incident, RulingStyle},
    random::span,
};
use jadoube_core::{code::Code, position::Position, time::Timestamp};

impl Scene<'_> {
    /// Sets up the pieces, and starts White's clock.
    pub(super) fn set_up(&mut self) {
        let wrong = self.plan.iter().position(|planned| planned.incident == Incident::WrongStart);
        let wrong = wrong.map(|place| self.plan.remove(place));
        let side = if self.random.chance(0.5) { Color::White } else { Color::Black };
        let handicap = wrong.is_none() && self.take_planned(Incident::Handicap);
        let board = match (wrong.is_some(), handicap) {
            (true, _) => self.exchanged(side),
            (false, true) => self.without_piece(side),
            (false, false) => Board::new(),
        };
        if self.take_planned(Incident::NoClock) {
            self.truth.incidents.push((1, Incident::NoClock));
            self.clock_connected = false;
        }
        self.schedule(self.options.start, Action::ConnectClock(self.clock_connected));
        let sat = self.options.start + self.random.seconds(0.5, 2.0);
        self.schedule(self.options.start, Action::ResetClock(self.options.time_control.clone()));
        let ready = self.restore_board(&board, sat);
        let start = ready + self.random.seconds(3.0, 6.0);
        self.start_clock(start);
        if let Some(planned) = wrong {
            self.truth.incidents.push((1, planned.incident));
            self.play_from_wrong_start(&board, side, planned.ruling);
        } else if handicap {
            self.truth.incidents.push((1, Incident::Handicap));
            self.restart_game(wrong_position(&board));
            self.abandon_record();
            // What was agreed is not known to the board.
            self.expect(Code::StartPositionWrong, Some(side), start, 1);
            self.remark("handicap", self.options.start, board.to_string());
        }
    }

    /// Removes an incident that concerns the whole game from the plan; returns whether it was there.
    fn take_planned(&mut self, incident: Incident) -> bool {
        let place = self.plan.iter().position(|planned| planned.incident == incident);
        place.map(|place| self.plan.remove(place)).is_some()
    }

    /// Returns the initial position without a piece of one side.
    fn without_piece(&mut self, side: Color) -> Board {
        let pieces = [Square::D1, Square::A1, Square::B1, Square::G1, Square::F2];
        let mut board = Board::new();
        if let Some(square) = self.random.pick(&pieces).copied() {
            board.discard_piece_at(side.fold_wb(square, square.flip_vertical()));
        }
        board
    }

    /// Begins the game with the wrong position on the board; it is found at the first press.
    fn play_from_wrong_start(&mut self, board: &Board, side: Color, ruling: RulingStyle) {
        self.restart_game(wrong_position(board));
        self.abandon_record();
        let Some(m) = games::choose(&self.position, &mut self.random) else { return };
        let think = self.think();
        if !self.make(m, self.began + think, HandlingStyle::Usual) {
            return;
        }
        self.expect(Code::StartPositionWrong, Some(side), self.began, 1);
        self.remark("wrong-start", self.options.start, board.to_string());
        if ruling == RulingStyle::Arbiter {
            self.cancel();
        }
    }

    /// Cancels the game, and begins it again from the right position (Art. 7.2.1).
    fn cancel(&mut self) {
        let stop = self.began.max(self.settled) + self.random.seconds(1.0, 3.0);
        self.stop_clock(stop);
        let begin = stop + self.random.seconds(2.0, 4.0);
        let ready = self.restore_board(&Board::new(), begin);
        let set = ready + self.random.seconds(1.0, 3.0);
        self.schedule(set, Action::ResetClock(self.options.time_control.clone()));
        for color in Color::ALL {
            self.clock.set(clock_side(color), clock::initial_time(&self.options.time_control), set);
        }
        self.clock.set_lever(clock_side(Color::White), set);
        self.restart_game(Position::initial());
        let start = set + self.random.seconds(3.0, 6.0);
        self.start_clock(start);
    }

    /// Lets the flag of the side to move fall.
    pub(super) fn let_flag_fall(&mut self) -> IncidentEffect {
        let Some(fall) = self.clock.flag_fall(self.began) else { return IncidentEffect::NotApplicable };
        self.flag(fall);
        IncidentEffect::TurnDone
    }

    /// Ends the game on time; it is a draw if the opponent has nothing to mate with (Art. 6.9).
    pub(super) fn flag(&mut self, at: Timestamp) {
        let side = self.position.turn();
        let bare = self.position.lawful().is_some_and(|chess| chess.has_insufficient_material(!side));
        self.expect(if bare { Code::FlagFallDraw } else { Code::FlagFall }, Some(side), at, self.ply());
        self.clock.stop(at);
        self.began = at;
        self.end(if bare { Ending::Drawn } else { Ending::Won(!side) });
    }

    /// Stops the clock and shows the result with the kings, unless it is mate or stalemate.
    pub(super) fn conclude(&mut self) {
        let planned = self.plan.iter().position(|planned| planned.incident == Incident::KingsInCentre);
        if let Some(place) = planned {
            self.plan.remove(place);
            self.truth.incidents.push((self.ply(), Incident::KingsInCentre));
        }
        let end = self.began.max(self.settled);
        let stop = end + self.random.seconds(1.0, 3.0);
        // Who sees his flag about to fall stops the clock in time.
        let falls = self.clock.flag_fall(end).map(|fall| fall.before(span(0.1)).max(end));
        let stop = falls.map_or(stop, |falls| stop.min(falls));
        self.stop_clock(stop);
        let obvious =
            self.position.lawful().is_some_and(|chess| chess.is_checkmate() || chess.is_stalemate());
        if self.truth.ending == Ending::Unknown || obvious && planned.is_none() {
            return;
        }
        let begin = stop + self.random.seconds(2.0, 5.0);
        let together = self.random.chance(0.4);
        self.show_result(begin, together);
    }

    /// Puts the kings on the centre squares: both on white ones if White has won, on black ones if Black has, on one
    /// of each for a draw.
    fn show_result(&mut self, begin: Timestamp, together: bool) {
        let squares = match self.truth.ending {
            Ending::Won(Color::White) => [Square::E4, Square::D5],
            Ending::Won(Color::Black) => [Square::E5, Square::D4],
            Ending::Drawn | Ending::Unknown => [Square::E4, Square::E5],
        };
        let mut now = begin;
        for square in squares {
            let taken = self.board.piece_at(square).is_some_and(|piece| piece.role != shakmaty::Role::King);
            if taken {
                self.set(square, None, now);
                now = now + self.random.seconds(0.3, 0.8);
            }
        }
        let kings = Color::ALL.map(|color| (self.board.king_of(color), color.king()));
        // A king that stands where the other one goes has to be lifted first.
        let together = together || squares.iter().any(|square| self.board.kings().contains(*square));
        if together {
            for (from, _) in kings {
                now = self.lift(from, now);
            }
        }
        for ((from, king), square) in kings.into_iter().zip(squares) {
            if !together {
                now = self.lift(from, now);
            }
            self.set(square, Some(king), now);
            now = now + self.random.seconds(0.4, 1.2);
        }
        self.remark("kings", begin, self.truth.ending.score().to_owned());
        // The kings stand long enough for several scans.
        self.schedule(now + span(6.0), Action::StopClock);
    }

    fn lift(&mut self, from: Option<Square>, at: Timestamp) -> Timestamp {
        let Some(from) = from else { return at };
        self.set(from, None, at);
        at + self.random.seconds(0.3, 0.9)
    }

    /// Returns the initial position with two pieces of one side exchanged.
    fn exchanged(&mut self, side: Color) -> Board {
        let pairs = [(Square::D1, Square::E1), (Square::B1, Square::C1), (Square::F1, Square::G1)];
        let (one, other) = self.random.pick(&pairs).copied().unwrap_or((Square::D1, Square::E1));
        let [one, other] = [one, other].map(|square| side.fold_wb(square, square.flip_vertical()));
        let mut board = Board::new();
        let pieces: [Option<Piece>; 2] = [board.piece_at(other), board.piece_at(one)];
        for (square, piece) in [one, other].into_iter().zip(pieces) {
            if let Some(piece) = piece {
                board.set_piece_at(square, piece);
            }
        }
        board
    }
}

/// Returns the position to start from; castling rights remain for kings on their own squares.
fn wrong_position(board: &Board) -> Position {
    let mut setup = Setup::initial();
    let kings: Bitboard = board.kings() & Board::new().kings();
    for color in Color::ALL {
        if (kings & board.by_color(color)).is_empty() {
            setup.castling_rights &= !Bitboard::from(color.backrank());
        }
    }
    setup.board = board.clone();
    Position::from_setup(setup, CastlingMode::Standard)
}
