//! Pieces beside a move that are shoved or knocked over, and what becomes of them (Art. 7.4).

use std::time::Duration;

use shakmaty::{Bitboard, Move, Piece, Role, Square, attacks};

use super::{
    amiss::{Amiss, squares_of},
    gesture::HandlingStyle,
    scene::{IncidentEffect, Scene, clock_side},
};
use crate::{
    incident::RulingStyle,
    random::{LogNormal, span},
};
use jadoube_core::{
    code::Code,
    decoder::{HandParams, Params},
    time::Timestamp,
};

/// What becomes of pieces that were knocked over.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fallen {
    /// The player puts them up before he presses.
    AtOnce,
    /// One of the players puts them up in the opponent's time.
    AfterPress,
    /// They lie until a move needs them.
    Left,
    /// The opponent presses the clock back; the player puts them up and presses again.
    PressedBack,
}

impl Scene<'_> {
    /// Shoves a piece to the next square; it is put back before the press or at once after it.
    pub(super) fn shoved(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let Some(shoved) = self.choose_shove(m, |_, _, _| true) else {
            return IncidentEffect::NotApplicable;
        };
        let at_once = !self.random.chance(Params::DEFAULT.hands.fallen_at_press.probability());
        let start = self.began + think;
        self.remark_amiss("shoved", start, &[shoved]);
        let made = self.make_amiss(m, start, &[shoved], at_once);
        if made && !at_once && !self.is_over() {
            let from = self.began + self.random.millis(Params::DEFAULT.mishaps.notice_ms);
            self.put_up(&[shoved], from);
        }
        IncidentEffect::TurnDone
    }

    /// Shoves a piece to the next square; nobody notices, and play goes on from there.
    pub(super) fn shove_accepted(&mut self, m: Move, think: Duration) -> IncidentEffect {
        self.notice_amiss(true);
        let after = self.position.play(m);
        let is_possible = |from: Square, to: Square, piece: Piece| {
            let mut board = after.board().clone();
            board.discard_piece_at(from);
            board.set_piece_at(to, piece);
            let stands = after.with_board(board);
            let pawn_fits = piece.role != Role::Pawn || !Bitboard::BACKRANKS.contains(to);
            pawn_fits
                && piece.role != Role::King
                && stands.lawful().is_some()
                && !stands.legal_moves().is_empty()
        };
        let Some(shoved) = self.choose_shove(m, is_possible) else { return IncidentEffect::NotApplicable };
        let start = self.began + think;
        self.remark_amiss("shove-accepted", start, &[shoved]);
        if self.make_amiss(m, start, &[shoved], false) && !self.is_over() {
            self.accept_board();
        }
        IncidentEffect::TurnDone
    }

    /// Shoves a piece to the next square; it is put back some moves later.
    pub(super) fn shove_left(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let Some(mut shoved) = self.choose_shove(m, |_, _, _| true) else {
            return IncidentEffect::NotApplicable;
        };
        let (side, start) = (self.position.turn(), self.began + think);
        shoved.until = self.ply() + 2 + u32::try_from(self.random.below(5)).unwrap_or(0);
        self.remark_amiss("shove-left", start, &[shoved]);
        if self.make_amiss(m, start, &[shoved], false) && !self.is_over() {
            self.expect(Code::BoardMismatch, Some(side), self.began, self.plies());
            self.amiss.push(shoved);
        }
        IncidentEffect::TurnDone
    }

    /// Knocks over pieces of either side while a move is made.
    pub(super) fn knock_over(&mut self, fallen: Fallen, m: Move, think: Duration) -> IncidentEffect {
        let those = self.choose_fallen(m);
        if those.is_empty() {
            return IncidentEffect::NotApplicable;
        }
        let (side, start) = (self.position.turn(), self.began + think);
        self.remark_amiss("knocked-over", start, &those);
        if !self.make_amiss(m, start, &those, fallen == Fallen::AtOnce) || self.is_over() {
            return IncidentEffect::TurnDone;
        }
        match fallen {
            Fallen::AtOnce => {}
            Fallen::AfterPress => {
                self.expect(Code::BoardMismatch, Some(side), self.began, self.plies());
                let from = self.began + self.random.millis(Params::DEFAULT.mishaps.notice_ms);
                self.put_up(&those, from);
            }
            Fallen::Left => {
                self.expect(Code::BoardMismatch, Some(side), self.began, self.plies());
                self.amiss.extend(those);
            }
            Fallen::PressedBack => {
                let [least, most] =
                    Params::DEFAULT.mishaps.press_back_ms.map(|ms| span(f64::from(ms) / 1000.0));
                let reaction = self.random.log_normal(LogNormal::new(1.5, 0.5)).clamp(least, most);
                let back = self.began + reaction;
                let settled = back + span(7.0);
                // A flag is watched, not the pieces.
                let falls =
                    [self.position.turn(), side].map(|color| self.clock.rest(clock_side(color), self.began));
                if falls.into_iter().any(|rest| rest <= settled.since(self.began)) {
                    self.put_up(&those, back);
                    return IncidentEffect::TurnDone;
                }
                self.press(!side, back);
                self.remark("press-back", back, String::new());
                let ready = self.put_up(&those, back + span(0.3));
                let again = ready + self.random.seconds(0.1, 0.6);
                self.press(side, again);
            }
        }
        IncidentEffect::TurnDone
    }

    /// Displaces some neighbouring pieces, and puts them back otherwise than they stood. With an arbiter the player sees it before
    /// he moves; without, play goes on from there.
    pub(super) fn restore_wrongly(&mut self, ruling: RulingStyle, think: Duration) -> IncidentEffect {
        self.notice_amiss(true);
        let Some(centre) = self.random.pick(&Square::ALL).copied() else {
            return IncidentEffect::NotApplicable;
        };
        let mut near: Vec<Square> = self.board.occupied().into_iter().collect();
        near.sort_by_key(|square| (square.distance(centre), *square));
        near.truncate(3 + self.random.below(3));
        let right = self.board.clone();
        let mut wrong = right.clone();
        let pairs: Vec<(Square, Square)> = near
            .iter()
            .flat_map(|one| near.iter().map(|other| (*one, *other)))
            .filter(|(one, other)| one < other && one.distance(*other) <= 2)
            .filter(|(one, other)| right.piece_at(*one) != right.piece_at(*other))
            .collect();
        let Some((one, other)) = self.random.pick(&pairs).copied() else {
            return IncidentEffect::NotApplicable;
        };
        for (square, from) in [(one, other), (other, one)] {
            if let Some(piece) = right.piece_at(from) {
                wrong.set_piece_at(square, piece);
            }
        }
        let stands = self.position.with_board(wrong.clone());
        let pawns_fit = (wrong.pawns() & Bitboard::BACKRANKS).is_empty();
        if !pawns_fit || stands.lawful().is_none() || stands.legal_moves().is_empty() {
            return IncidentEffect::NotApplicable;
        }
        let swept = (self.began + think.min(span(2.0))).max(self.settled + span(0.1));
        for square in &near {
            let at = swept + self.random.seconds(0.0, 0.2);
            self.set(*square, None, at);
        }
        let begin = self.settled + self.random.seconds(0.8, 2.0);
        let done = self.restore_board(&wrong, begin);
        self.remark("wrongly-restored", swept, format!("{one} {other}"));
        match ruling {
            RulingStyle::Arbiter => {
                let seen = done + self.random.seconds(1.0, 6.0);
                self.restore_board(&right, seen);
                IncidentEffect::TurnContinues
            }
            RulingStyle::Stands => {
                self.accept_board();
                IncidentEffect::TurnDone
            }
        }
    }

    /// Makes a move while pieces are displaced, and puts them up before the press if that is `at_once`.
    fn make_amiss(&mut self, m: Move, start: Timestamp, those: &[Amiss], at_once: bool) -> bool {
        self.make_while(m, start, HandlingStyle::Usual, |scene, gesture| {
            scene.displace(gesture, those);
            if at_once {
                scene.put_up_within(gesture, those);
            }
        })
    }

    /// Chooses a piece beside a move and the free square that it is shoved to.
    fn choose_shove(&mut self, m: Move, fits: impl Fn(Square, Square, Piece) -> bool) -> Option<Amiss> {
        let mut shoves = Vec::new();
        for home in self.beside(m) {
            let Some(piece) = self.board.piece_at(home) else { continue };
            let free = self.free_beside(m, home).into_iter().filter(|to| fits(home, *to, piece));
            shoves.extend(free.map(|to| Amiss { home, lies: Some(to), piece, until: u32::MAX }));
        }
        self.random.pick(&shoves).copied()
    }

    /// Chooses one to four pieces beside a move, and where they come to lie.
    fn choose_fallen(&mut self, m: Move) -> Vec<Amiss> {
        let HandParams { fallen_more, shoved, .. } = Params::DEFAULT.hands;
        let (more, elsewhere) = (fallen_more.probability(), shoved.base.probability());
        let mut standing: Vec<Square> = self.beside(m).into_iter().collect();
        let (mut those, mut taken) = (Vec::new(), Bitboard::EMPTY);
        while !standing.is_empty() && those.len() < 4 && (those.is_empty() || self.random.chance(more)) {
            let home = standing.swap_remove(self.random.below(standing.len()));
            let Some(piece) = self.board.piece_at(home) else { continue };
            let free: Vec<Square> = (self.free_beside(m, home) & !taken).into_iter().collect();
            let lies = if self.random.chance(elsewhere) { self.random.pick(&free).copied() } else { None };
            taken |= lies.map_or(Bitboard::EMPTY, Bitboard::from);
            those.push(Amiss { home, lies, piece, until: u32::MAX });
        }
        those
    }

    /// Returns the squares beside the way of a move on which a piece stands that has nothing to do with it.
    fn beside(&self, m: Move) -> Bitboard {
        let ends = m.from().map_or(Bitboard::EMPTY, Bitboard::from).with(m.to());
        let near =
            ends.into_iter().fold(Bitboard::EMPTY, |near, square| near | attacks::king_attacks(square));
        let amiss = self.amiss.iter().fold(Bitboard::EMPTY, |squares, amiss| squares | amiss.squares());
        near & self.board.occupied() & !squares_of(m) & !amiss
    }

    /// Returns the free squares beside a square that a move does not use.
    pub(super) fn free_beside(&self, m: Move, square: Square) -> Bitboard {
        let amiss = self.amiss.iter().fold(Bitboard::EMPTY, |squares, amiss| squares | amiss.squares());
        attacks::king_attacks(square) & !self.board.occupied() & !squares_of(m) & !amiss
    }

    fn remark_amiss(&mut self, what: &'static str, at: Timestamp, those: &[Amiss]) {
        let squares = those.iter().map(|amiss| {
            let lies = amiss.lies.map_or_else(|| "-".to_owned(), |square| square.to_string());
            format!("{}{lies}", amiss.home)
        });
        self.remark(what, at, squares.collect::<Vec<_>>().join(" "));
    }
}
