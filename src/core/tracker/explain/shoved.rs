//! Pieces that stand on the square beside their own: somebody shoved them, or they fell and were put up there (Art. 7.4).

use shakmaty::{Bitboard, Board, Piece, Square};

use super::Search;
use crate::{
    game::Irregular,
    model::wait,
    position::{Position, differences},
    tracker::{cost, offence},
};

impl Search<'_> {
    /// Returns the squares that pieces were shoved from and to, of those that are `odd`, and what that costs: a piece left its square, and
    /// such a piece came to one beside it in a moment. What the side to move has put there before it makes its move is in its hand.
    pub(super) fn shoved(&self, position: &Position, odd: Bitboard) -> (u32, Bitboard) {
        let (expected, shown) = (position.board(), self.evidence.window.board());
        let (mut price, mut squares) = (0, Bitboard::EMPTY);
        for to in odd & shown.occupied() {
            let Some(piece) = shown.piece_at(to) else { continue };
            let moves = piece.color == position.turn() && self.parked(position, piece, to) == cost::PARKED;
            let homes = odd & expected.by_piece(piece) & !shown.occupied() & !squares;
            let goes = |from| offence::reachable(position, from, piece).contains(to);
            let shoved = |from: &Square| {
                from.distance(to) == 1
                    && !self.moved_to(*from)
                    && self.went_over(*from, to)
                    && self.may_have_been_shoved(piece, to)
                    && !self.is_being_captured_beside(position, piece, to)
                    // It is on its way there, until its player has pressed.
                    && (self.came_before_press(piece, to) || !goes(*from))
            };
            let from = homes.into_iter().find(shoved);
            if let Some(from) = from.filter(|_| !moves) {
                squares |= Bitboard::from(from).with(to);
                price += match (price, goes(from)) {
                    (0, true) => cost::SHOVED_AS_IT_MOVES,
                    (0, false) => cost::SHOVED,
                    _ => cost::FELL_ALONG,
                };
            }
        }
        (price, squares)
    }

    /// Names an irregular ply by the legal move that was made, if nothing else was changed than a piece that was shoved meanwhile to the square
    /// beside its own, or two that fell and were put on each other's.
    pub(super) fn named_by_move(&self, before: &Position, played: Irregular, count: usize) -> Irregular {
        let odd = differences(before.board(), &played.board);
        let own = |board: &Board| odd & board.by_color(before.turn());
        let (departure, reached) = (own(before.board()), own(&played.board));
        if odd.count() < 3 {
            return played;
        }
        let moves = departure.into_iter().flat_map(|from| reached.into_iter().map(move |to| (from, to)));
        let named = moves.filter_map(|(from, to)| {
            let promotion = played.promotion.filter(|_| (from, to) == (played.from, played.to));
            let named = Irregular { from, to, promotion, ..played.clone() };
            let (_, (home, stands)) = named.displaced_beside(before)?;
            // A step that the piece can make may be a second move, if it was not made at the same time.
            let steps = before.find(home, stands, None).is_some();
            (!steps || self.changed_together([from, to], [home, stands], count)).then_some(named)
        });
        // The hand that moved one piece brushed the other one afterwards.
        let lifted = |named: &Irregular| {
            self.evidence.window.last_change_within(named.from, count).map(|change| change.at)
        };
        named.min_by_key(lifted).unwrap_or(played)
    }

    /// Returns whether two squares changed while two others did.
    fn changed_together(&self, of_move: [Square; 2], of_shove: [Square; 2], count: usize) -> bool {
        let at =
            |square: Square| self.evidence.window.last_change_within(square, count).map(|change| change.at);
        let span = |squares: [Square; 2]| {
            let [first, second] = squares.map(at);
            first.zip(second).map(|(first, second)| (first.min(second), first.max(second)))
        };
        let Some(((from, until), (first, last))) = span(of_move).zip(span(of_shove)) else { return false };
        first + wait::NUDGE >= from && last <= until + wait::NUDGE
    }

    /// Returns whether what stood on a square came to another one in a moment.
    fn went_over(&self, from: Square, to: Square) -> bool {
        let last = |square| self.evidence.window.last_change_of(square).map(|(_, change)| change);
        let Some((departure, came)) = last(from).zip(last(to)) else { return false };
        !departure.dumped
            && !came.dumped
            && departure.was == came.is
            && departure.at.since(came.at).max(came.at.since(departure.at))
                <= self.evidence.jitter / 2 + wait::SHOVE
    }

    /// Returns whether a piece came to a square when a hand was at work: its player's, who had taken up what he moved, or the opponent's.
    fn may_have_been_shoved(&self, piece: Piece, square: Square) -> bool {
        let window = self.evidence.window;
        let Some((_, came)) = window.last_change_of(square) else { return false };
        let until = came.at + self.evidence.jitter / 2;
        let theirs = self.evidence.presses.iter().chain(&self.evidence.pressed_last);
        let mut own = self.steps.iter().filter(|step| step.side == piece.color);
        let lifted = |from: Square| {
            let mut changes = window.changes().iter().take_while(|change| change.at <= until);
            changes.any(|change| change.square == from && change.is.is_none())
        };
        piece.color == self.root.position.turn() && own.any(|step| step.played.from().is_none_or(lifted))
            || piece.color != self.root.position.turn()
            || theirs.into_iter().any(|press| press.side != piece.color && press.at >= came.at)
    }

    /// Returns whether a piece that stands on a square had come there when its side pressed.
    fn came_before_press(&self, piece: Piece, square: Square) -> bool {
        let came = self.evidence.window.last_change_of(square);
        let pressed =
            |at| self.evidence.presses.iter().any(|press| press.side == piece.color && at <= press.at);
        came.is_some_and(|(_, came)| pressed(came.at))
    }
}
