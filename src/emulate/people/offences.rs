//! Offences, and what follows from them.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Color, Move, Piece, Role, Square, attacks};

use super::{
    displaced::Fallen,
    gesture::HandlingStyle,
    scene::{IncidentEffect, Scene},
};
use crate::{
    games::Ending,
    incident::{Incident, PlannedIncident, RulingStyle},
    random::span,
};
use jadoube_core::{code::Code, laws::IllegalPosition, time::Timestamp};

impl Scene<'_> {
    /// Plays an incident, if it is possible in this turn.
    pub(super) fn incident(&mut self, planned: PlannedIncident, m: Move, think: Duration) -> IncidentEffect {
        let ruling = planned.ruling;
        if !self.clock_connected && needs_clock(planned.incident) {
            return IncidentEffect::NotApplicable;
        }
        match planned.incident {
            Incident::IllegalMove => self.illegal_piece_move(ruling, m, think),
            Incident::KingLeftInCheck => self.king_left_in_check(ruling, m, think),
            Incident::PawnLeft => self.pawn_left(ruling, m, think),
            Incident::PressWithoutMove => self.press_without_move(ruling, m, think),
            Incident::PressBeforeMade => self.press_before_made(m, think),
            Incident::TwoHandedCastling => self.two_handed_castling(ruling, m, think),
            Incident::RookFirst if m.is_castle() => self.in_style(m, think, HandlingStyle::RookFirst),
            Incident::Slide => self.slow_slide(m, think),
            Incident::TakeBack => self.take_back(m, think),
            Incident::Repetition => self.repetition(ruling),
            Incident::Flag => self.let_flag_fall(),
            Incident::TouchMove => self.touch_move(m, think),
            Incident::Adjust => self.adjust_pieces(think),
            Incident::Swept => self.sweep(think),
            Incident::Unplugged => self.unplug(),
            Incident::Noise => self.line_noise(),
            Incident::LostUpdate => self.lose_update(),
            Incident::DeadSquare => self.dead_square(),
            Incident::Shoved => self.shoved(m, think),
            Incident::ShoveAccepted => self.shove_accepted(m, think),
            Incident::ShoveLeft => self.shove_left(m, think),
            Incident::KnockedOver => self.knock_over(Fallen::AtOnce, m, think),
            Incident::KnockedOverPressed => self.knock_over(Fallen::AfterPress, m, think),
            Incident::KnockedOverLeft => self.knock_over(Fallen::Left, m, think),
            Incident::PressBack => self.knock_over(Fallen::PressedBack, m, think),
            Incident::WronglyRestored => self.restore_wrongly(ruling, think),
            Incident::OffCentre => self.off_centre(m, think),
            Incident::LeverBounce => self.bounce(m, think),
            Incident::Hover => self.hover(m, think),
            Incident::GhostBeside => self.ghost_beside(m, think),
            Incident::KingCaptured => self.king_captured(ruling, m, think),
            Incident::OwnCaptured => self.own_captured(ruling, m, think),
            Incident::OpponentMoved => self.opponent_moved(ruling, m, think),
            Incident::RookFirst
            | Incident::WrongStart
            | Incident::KingsInCentre
            | Incident::Handicap
            | Incident::NoClock => IncidentEffect::NotApplicable,
        }
    }

    /// Makes an illegal move with the piece that is to move.
    fn illegal_piece_move(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let Some(from) = m.from() else { return IncidentEffect::NotApplicable };
        let Some(role) = self.position.board().role_at(from) else { return IncidentEffect::NotApplicable };
        let targets: Vec<Square> = (Square::ALL.into_iter())
            .filter(|to| from.distance(*to) <= 4 && self.is_crooked(role, from, *to))
            .collect();
        let Some(to) = self.random.pick(&targets).copied() else { return IncidentEffect::NotApplicable };
        self.offend(side, from, to, ruling, m, think)
    }

    /// Leaves or puts the own king in check, preferably by a move of another piece.
    fn king_left_in_check(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let moves = self.moves_into_check(side);
        let others: Vec<_> = moves.iter().filter(|(role, _, _)| *role != Role::King).copied().collect();
        let moves = if others.is_empty() { moves } else { others };
        let Some((_, from, to)) = self.random.pick(&moves).copied() else {
            return IncidentEffect::NotApplicable;
        };
        self.offend(side, from, to, ruling, m, think)
    }

    /// Returns the movements of pieces that leave or put their own king in check.
    pub(super) fn moves_into_check(&self, side: Color) -> Vec<(Role, Square, Square)> {
        let board = self.position.board();
        let mut moves = Vec::new();
        for from in board.by_color(side) {
            let Some(role) = board.role_at(from).filter(|role| *role != Role::Pawn) else { continue };
            let targets = board.attacks_from(from) & !board.by_color(side) & !board.kings();
            moves.extend(targets.into_iter().map(|to| (role, from, to)));
        }
        moves.retain(|(role, from, to)| {
            let after = moved(board, *from, *to, Piece { color: side, role: *role });
            is_check(&after, side) && !is_check(&after, !side)
        });
        moves
    }

    /// Completes an illegal move.
    pub(super) fn offend(
        &mut self,
        side: Color,
        from: Square,
        to: Square,
        ruling: RulingStyle,
        m: Move,
        think: Duration,
    ) -> IncidentEffect {
        let Some(piece) = self.board.piece_at(from) else { return IncidentEffect::NotApplicable };
        let Some((lifted, press)) = self.may_offend(side, think, 1.2) else {
            return IncidentEffect::NotApplicable;
        };
        let before = self.board.clone();
        let placed = lifted + self.random.seconds(0.15, 0.6);
        self.set(from, None, lifted);
        if before.color_at(to) == Some(side) {
            self.set(to, None, lifted + span(0.1));
        }
        self.set(to, Some(piece), placed);
        self.expect(Code::IllegalMove, Some(side), press, self.ply());
        match ruling {
            RulingStyle::Stands => {
                self.commit_illegal(format!("{from}{to}"), placed);
                self.press(side, press);
            }
            RulingStyle::Arbiter => {
                self.press(side, press);
                self.intervene(side, &before, side);
                self.replay_bound(&[from, to], m);
            }
        }
        IncidentEffect::TurnDone
    }

    /// Pushes a pawn to its last rank and presses the clock.
    fn pawn_left(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let Move::Normal { role, from, to, capture, promotion: Some(_) } = m else {
            return IncidentEffect::NotApplicable;
        };
        let Some((lifted, press)) = self.may_offend(side, think, 1.2) else {
            return IncidentEffect::NotApplicable;
        };
        let placed = lifted + self.random.seconds(0.2, 0.6);
        self.set(from, None, lifted);
        self.set(to, Some(side.pawn()), placed);
        self.expect(Code::PromotionNotReplaced, Some(side), press, self.ply());
        match ruling {
            RulingStyle::Stands => {
                self.commit_illegal(format!("{from}{to}"), placed);
                self.press(side, press);
                if self.options.laws().illegal_position() != IllegalPosition::Nothing {
                    self.expect(Code::IllegalPositionArmed, Some(side), press, self.plies());
                    self.pawn_stands = true;
                }
            }
            RulingStyle::Arbiter => {
                self.press(side, press);
                let mut board = self.board.clone();
                board.set_piece_at(to, side.queen());
                let queening = Move::Normal { role, from, to, capture, promotion: Some(Role::Queen) };
                self.commit(queening, placed);
                if self.is_over() {
                    return IncidentEffect::TurnDone;
                }
                self.intervene(side, &board, !side);
                if queening != m {
                    self.abandon_record();
                }
            }
        }
        IncidentEffect::TurnDone
    }

    fn press_without_move(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let Some((press, _)) = self.may_offend(side, think, 1.2) else {
            return IncidentEffect::NotApplicable;
        };
        self.expect(Code::PressWithoutMove, Some(side), press, self.ply());
        self.press(side, press);
        match ruling {
            RulingStyle::Stands => {
                // The opponent presses the clock back.
                let back = press + self.random.seconds(0.6, 2.0);
                if self.flag_falls_before(back) {
                    return IncidentEffect::TurnDone;
                }
                self.press(!side, back);
            }
            RulingStyle::Arbiter => {
                let board = self.board.clone();
                self.intervene(side, &board, side);
            }
        }
        self.replay(m);
        IncidentEffect::TurnDone
    }

    /// Presses the clock with the piece in the air. The arbiter does not intervene; the opponent waits for the piece.
    fn press_before_made(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let Move::Normal { role, from, to, capture: None, promotion: None } = m else {
            return IncidentEffect::NotApplicable;
        };
        let (until_press, until_placed) = (self.random.seconds(0.4, 0.8), self.random.seconds(1.2, 2.0));
        if self.truth.moves.is_empty() || self.position.play(m).legal_moves().is_empty() {
            return IncidentEffect::NotApplicable;
        }
        self.notice_amiss(true);
        let lifted = (self.began + think).max(self.settled + span(0.1));
        let press = lifted + until_press;
        let placed = press + until_placed;
        if self.flag_falls_before(press) {
            return IncidentEffect::TurnDone;
        }
        self.expect(Code::PressBeforeMade, Some(side), press, self.ply());
        self.set(from, None, lifted);
        self.set(to, Some(Piece { color: side, role }), placed);
        self.commit(m, placed);
        self.press(side, press);
        IncidentEffect::TurnDone
    }

    fn two_handed_castling(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        if !m.is_castle() || *self.offended.get(side) {
            return IncidentEffect::NotApplicable;
        }
        if !self.make(m, self.began + think, HandlingStyle::TwoHands) || self.is_over() {
            return IncidentEffect::TurnDone;
        }
        *self.offended.get_mut(side) = true;
        self.expect(Code::TwoHandsSuspect, Some(side), self.began, self.plies());
        if ruling == RulingStyle::Arbiter {
            let board = self.board.clone();
            self.intervene(side, &board, !side);
        }
        IncidentEffect::TurnDone
    }

    fn in_style(&mut self, m: Move, think: Duration, style: HandlingStyle) -> IncidentEffect {
        self.make(m, self.began + think, style);
        IncidentEffect::TurnDone
    }

    fn slow_slide(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let slides = m.from().is_some_and(|from| attacks::between(from, m.to()).any());
        if !slides || m.is_castle() || m.is_promotion() {
            return IncidentEffect::NotApplicable;
        }
        self.remark("slide", self.began, self.position.uci(m));
        self.in_style(m, think, HandlingStyle::Slow)
    }

    /// Returns when a hand begins and when it presses, if this player may offend at all: not before the first move,
    /// not twice, and not while the flag is about to fall.
    pub(super) fn may_offend(
        &mut self,
        side: Color,
        think: Duration,
        takes_s: f64,
    ) -> Option<(Timestamp, Timestamp)> {
        if self.truth.moves.is_empty() || *self.offended.get(side) {
            return None;
        }
        self.notice_amiss(true);
        let lifted = (self.began + think).max(self.settled + span(0.1));
        let press = lifted + self.random.seconds(0.8, takes_s);
        if self.clock.flag_fall(self.began).is_some_and(|fall| fall <= press + span(1.0)) {
            return None;
        }
        *self.offended.get_mut(side) = true;
        Some((lifted, press))
    }

    /// Plays the intended move after the clock is started again.
    pub(super) fn replay(&mut self, m: Move) {
        if !self.is_over() {
            let think = self.random.seconds(1.0, 3.0);
            self.make(m, self.began + think, HandlingStyle::Usual);
        }
    }

    /// Plays on with the move of the game after an illegal one on these squares was taken back, in the order in which they were touched: it
    /// may be that of another piece than the one that is bound (Art. 4.3).
    pub(super) fn replay_bound(&mut self, touched: &[Square], m: Move) {
        let (side, plies) = (self.position.turn(), self.plies());
        let binds = |square: Square, other: &Move| {
            if self.position.board().color_at(square) == Some(side) {
                other.from() == Some(square)
            } else {
                other.is_capture() && other.to() == square
            }
        };
        let moves = self.position.legal_moves();
        let bound = touched.iter().find(|square| moves.iter().any(|other| binds(**square, other)));
        let is_broken = bound.is_some_and(|square| !binds(*square, &m));
        self.replay(m);
        if is_broken && self.plies() > plies && !self.is_over() {
            self.expect(Code::TouchMoveSuspect, Some(side), self.began, self.plies());
        }
    }

    /// Returns whether a move is illegal only because the piece does not move like that.
    fn is_crooked(&self, role: Role, from: Square, to: Square) -> bool {
        let (board, side) = (self.position.board(), self.position.turn());
        let piece = Piece { color: side, role };
        if from == to || board.by_color(side).contains(to) || board.kings().contains(to) {
            return false;
        }
        let straight = match role {
            Role::Pawn => {
                // A pawn that leaves its file where nothing is to be taken, and reaches no rank of pieces.
                let rank = side.relative_rank(to.rank()).to_u32();
                from.file() == to.file()
                    || attacks::pawn_attacks(side, from).contains(to)
                    || rank == 0
                    || rank == 7
            }
            Role::King => attacks::king_attacks(from).contains(to) || from.rank() == to.rank(),
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                attacks::attacks(from, piece, board.occupied()).contains(to)
            }
        };
        let after = moved(board, from, to, piece);
        !straight && !is_check(&after, side) && !is_check(&after, !side)
    }

    /// Ends the game if a pawn still stands on its last rank when the next move is completed (Art. A.5.4).
    pub(super) fn track_pawn_on_last_rank(&mut self, press: Timestamp) {
        if !std::mem::take(&mut self.pawn_stands) {
            return;
        }
        if (self.board.pawns() & Bitboard::BACKRANKS).any() {
            self.expect(Code::IllegalPositionDraw, None, press, self.plies());
            self.end(Ending::Drawn);
        }
    }
}

pub(super) fn moved(board: &Board, from: Square, to: Square, piece: Piece) -> Board {
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(to, piece);
    after
}

pub(super) fn is_check(board: &Board, side: Color) -> bool {
    board.king_of(side).is_some_and(|king| board.attacks_to(king, !side, board.occupied()).any())
}

/// Returns whether an incident is one of the clock, or an offence that only a press completes.
const fn needs_clock(incident: Incident) -> bool {
    matches!(
        incident,
        Incident::IllegalMove
            | Incident::KingLeftInCheck
            | Incident::PawnLeft
            | Incident::PressWithoutMove
            | Incident::PressBeforeMade
            | Incident::TwoHandedCastling
            | Incident::Flag
            | Incident::PressBack
            | Incident::LeverBounce
            | Incident::KingCaptured
            | Incident::OwnCaptured
            | Incident::OpponentMoved
    )
}
