//! What an explanation leaves unexplained, and what that costs.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Rank, Role, Square};

use super::{Node, Search};
use crate::{
    fact::Change,
    game::Played,
    model::hands,
    position::{Position, differences},
    tracker::{cost, evidence::ExplainedPly, window::Press},
};

impl Search<'_> {
    /// After a gap the clock shows whose turn it is, unless the last ply is still to be pressed.
    pub(super) fn parity(&self, position: &Position) -> u32 {
        if !self.evidence.window.gap || !self.evidence.presses.is_empty() {
            return 0;
        }
        let wrong = self.evidence.running.is_some_and(|side| side != position.turn());
        let plies = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        cost::UNHEARD * plies + if wrong { cost::UNPRESSED } else { 0 }
    }

    /// Prices the squares that read otherwise than the position says, and returns those that are faulty; `None` if they cost
    /// more than `most`.
    pub(super) fn deviation(&self, position: &Position, node: Node, most: u32) -> Option<(u32, Bitboard)> {
        let board = self.evidence.window.board();
        let known = self.root.faulty | node.paid;
        let odd = differences(position.board(), board);
        let us = position.turn();
        if least(position.board(), board, odd & !known, us) > most {
            return None;
        }
        let (price_of_shoves, shoved) = self.shoved(position, odd & !known);
        let mut price = self.stayed(odd, node) + price_of_shoves;
        let mut in_hand = 0;
        // What one of them knocks over are mostly several.
        let mut first = if shoved.is_empty() { cost::ADJUSTED_FIRST } else { cost::FELL_ALONG };
        let mut price_of_fall = || std::mem::replace(&mut first, cost::FELL_ALONG);
        let mut faulty = odd & known | shoved;
        for square in odd & !known & !shoved {
            let (is_corrupted, cost) = match (position.board().piece_at(square), board.piece_at(square)) {
                // Pieces that stand where plies put them are not in a hand that takes them back.
                _ if self.root.standing.contains(square) => (true, cost::STRAY),
                (Some(wanted), None) => match (wanted.color == us, self.lifted_since(square, node.shown)) {
                    (true, true) if in_hand >= hands::BOTH && self.evidence.window.gap => {
                        (true, cost::MISSING)
                    }
                    (true, true) => {
                        in_hand += 1;
                        (false, cost::IN_HAND)
                    }
                    // Who holds a piece when pressing has not lifted it for the next move.
                    (true, _) if self.left_before_press(wanted, square) => (false, cost::ADJUSTED),
                    (true, false) => (false, cost::LIFTED_EARLY),
                    (false, true) if self.slid_on(wanted, square) => {
                        if self.taker_lifted(position, square) {
                            (false, cost::TAKEN_EARLY)
                        } else {
                            (true, cost::SLID_ON)
                        }
                    }
                    (false, true)
                        if attacked(position, square) && !self.left_before_press(wanted, square) =>
                    {
                        (false, cost::VICTIM_LIFTED)
                    }
                    (false, true) if !self.moved_to(square) => {
                        // Nobody adjusts a piece and presses for a legal move: it has fallen, if it does not stand elsewhere.
                        let stands = board.by_piece(wanted) & !position.board().by_piece(wanted);
                        let fell = self.steps.iter().all(|step| step.played.is_legal())
                            && stands.is_empty()
                            && self.was_taken_up(wanted, square)
                            && self.left_before_press(wanted, square);
                        (fell, if fell { price_of_fall() } else { cost::ADJUSTED })
                    }
                    (false, true) if self.is_put_right(square) => (false, cost::PUT_RIGHT),
                    (false, true) if self.was_let_go(wanted, square) => (true, cost::ADJUSTED),
                    // It reads wrongly until it is back, however many plies are made by then.
                    (false, _) if self.was_taken_up(wanted, square) => (true, price_of_fall()),
                    (false, _) => (true, cost::MISSING),
                },
                (None, Some(seen)) if seen.color == us && self.in_hand(position, seen, known) => {
                    (false, self.parked(position, seen, square))
                }
                (Some(wanted), Some(seen))
                    if wanted.color != us && seen.color == us && self.in_hand(position, seen, known) =>
                {
                    (false, self.parked(position, seen, square))
                }
                (None, Some(seen)) if self.slid_over(seen, square) => (true, cost::SLID_OVER),
                (None, Some(seen)) if self.was_captured_beside(seen, square) => (true, cost::VICTIM_PARKED),
                (None, Some(seen)) if self.is_being_captured_beside(position, seen, square) => {
                    (false, cost::VICTIM_PARKED)
                }
                (None, Some(_)) => (true, cost::STRAY),
                (Some(_), Some(_)) => (true, cost::WRONG_PIECE),
                (None, None) => (false, 0),
            };
            price += cost;
            if price > most {
                return None;
            }
            if is_corrupted {
                faulty.add(square);
            }
        }
        // A square that is faulty remains so while nothing is expected of it.
        Some((price, faulty | ((self.root.faulty | node.silent) & !odd)))
    }

    /// Prices a piece of the side to move that stands on another square than it did.
    ///
    /// Before the opponent's press nobody puts a piece to where no move takes it, and leaves it there.
    pub(super) fn parked(&self, position: &Position, piece: Piece, square: Square) -> u32 {
        let lag = self.evidence.jitter / 2;
        let stood = self.evidence.window.last_change_of(square).is_some_and(|(_, last)| {
            let mut presses = self.evidence.presses.iter();
            !last.dumped && presses.any(|press| press.side != piece.color && last.at + lag <= press.at)
        });
        let goes = |m: &Move| {
            let castles = m.is_castle() && matches!(piece.role, Role::King | Role::Rook);
            castles || m.to() == square && m.promotion().unwrap_or(m.role()) == piece.role
        };
        let amiss = stood && !self.evidence.disordered && !position.legal_moves().iter().any(goes);
        if amiss { cost::PARKED_AMISS } else { cost::PARKED }
    }

    /// Returns whether a ply of the chain ended on this square.
    pub(super) fn moved_to(&self, square: Square) -> bool {
        self.steps.iter().any(|step| step.played.ends_on(square))
    }

    /// Returns whether a piece that a ply put on this square stood there when its side pressed, and was taken up again at once after that.
    fn was_let_go(&self, piece: Piece, square: Square) -> bool {
        let window = self.evidence.window;
        let Some(departure) = window.taken_up(square, piece, usize::MAX) else { return false };
        let stood = |press: &Press| {
            press.side == piece.color
                && press.at < departure.at
                && departure.at.since(press.at) <= self.evidence.settle
                && window.showed(square, piece, window.count_until(press.at))
        };
        self.evidence.presses.iter().any(stood)
    }

    /// Returns whether the board reported that such a piece was taken off a square that no ply ended on: it was not lost unseen.
    fn was_taken_up(&self, piece: Piece, square: Square) -> bool {
        self.evidence.window.taken_up(square, piece, usize::MAX).is_some() && !self.moved_to(square)
    }

    /// Returns whether a ply that breaks the rules ended on this square: its piece is taken off it to be put right.
    fn is_put_right(&self, square: Square) -> bool {
        self.steps.last().is_some_and(|step| !step.played.is_legal() && step.played.ends_on(square))
    }

    /// Returns whether a piece that a ply put on this square had left it again when its side pressed: it was on its way.
    fn slid_on(&self, piece: Piece, square: Square) -> bool {
        let window = self.evidence.window;
        let Some((_, last)) = window.last_change_of(square) else { return false };
        let press =
            self.evidence.presses.iter().find(|press| press.side == piece.color && press.at >= last.at);
        // What left for good before the press was not put there to stay, as long as nothing of the opponent's came.
        last.is.is_none()
            && !last.dumped
            && self.moved_to(square)
            && press.is_some_and(|press| {
                let since = window.changes().iter().take_while(|change| change.at <= press.at);
                !since.into_iter().any(|change| {
                    change.at > last.at
                        && change.was.or(change.is).is_some_and(|other| other.color != piece.color)
                })
            })
    }

    /// Returns whether the side to move has lifted a piece that may capture what has come to this square.
    fn taker_lifted(&self, position: &Position, square: Square) -> bool {
        let us = position.turn();
        let lifted =
            position.board().by_color(us) & !self.evidence.window.board().occupied() & !self.root.faulty;
        let takers = position.board().attacks_to(square, us, position.board().occupied());
        (takers & lifted).any()
            || position.legal_moves().iter().any(|m| {
                matches!(m, Move::EnPassant { from, to }
                    if lifted.contains(*from) && Square::from_coords(to.file(), from.rank()) == square)
            })
    }

    /// Returns whether a piece had left this square when its side pressed, and so not by the opponent's hand.
    fn left_before_press(&self, piece: Piece, square: Square) -> bool {
        let lag = self.evidence.jitter / 2;
        self.evidence.window.last_change_of(square).is_some_and(|(_, last)| {
            let mut presses = self.evidence.presses.iter();
            !last.dumped && presses.any(|press| press.side == piece.color && last.at + lag <= press.at)
        })
    }

    /// Returns whether a piece that a ply moved came over this square in this window, so that only its leaving is
    /// missing.
    fn slid_over(&self, piece: Piece, square: Square) -> bool {
        let Some(board) = self.boards.last() else { return false };
        // Two pieces that were moved are no slide: then there are not more of them than there should be.
        let (placed, shown) = (board.by_piece(piece), self.evidence.window.board().by_piece(piece));
        if shown.count() <= placed.count()
            || !self.displayed.get(piece.color).get(piece.role).contains(square)
        {
            return false;
        }
        let has_moved = self.steps.iter().any(|step| match &step.played {
            Played::Legal(m) => placed.contains(m.to()),
            Played::Irregular(_) => false,
        });
        if !has_moved {
            return false;
        }
        let changes = self.evidence.window.changes();
        let came = changes.iter().position(|change| change.square == square && change.is == Some(piece));
        // It was seen to go on.
        came.is_some_and(|came| changes.iter().skip(came + 1).any(|change| change.is == Some(piece)))
    }

    /// Returns whether a square was emptied after so many changes, or hardly before.
    fn lifted_since(&self, square: Square, count: usize) -> bool {
        let last = self.evidence.window.last_change_of(square);
        last.is_some_and(|(index, _)| index + 1 > count || self.together(index + 1, count))
    }

    /// Returns whether a ply of the chain captured such a piece beside this square: whoever took it may have put it down for a moment.
    fn was_captured_beside(&self, piece: Piece, square: Square) -> bool {
        let boards = self.boards.iter().zip(self.boards.iter().skip(1));
        boards.into_iter().any(|(before, after)| {
            let (were, are) = (before.by_piece(piece), after.by_piece(piece));
            (were & !are).into_iter().any(|taken| taken.distance(square) == 1) && are.count() < were.count()
        })
    }

    /// Returns whether the side to move may be capturing such a piece beside this square: it is off its own since the press, or hardly
    /// before, as a press is reported when the clock is read.
    pub(super) fn is_being_captured_beside(&self, position: &Position, piece: Piece, square: Square) -> bool {
        let stood = *self.displayed.get(piece.color).get(piece.role);
        let gone = position.board().by_piece(piece) & stood & !self.evidence.window.board().by_piece(piece);
        let taken = |from: Square| {
            from.distance(square) == 1 && attacked(position, from) && !self.left_before_press(piece, from)
        };
        piece.color != position.turn() && gone.into_iter().any(taken)
    }

    /// Returns whether such a piece is off its square, and so may show up elsewhere.
    fn in_hand(&self, position: &Position, piece: Piece, faulty: Bitboard) -> bool {
        let lifted =
            position.board().by_piece(piece) & !self.evidence.window.board().by_piece(piece) & !faulty;
        lifted.any() || !matches!(piece.role, Role::Pawn | Role::King) && promoting(position)
    }

    /// Prices what showed up for a while and belongs to no position of the chain, but for pieces that were `shoved`; what costs more than
    /// `most` need not be known exactly.
    pub(super) fn transients(&self, most: u32, shoved: Bitboard) -> u32 {
        let window = self.evidence.window;
        let mut price = 0;
        for (index, change) in window.changes().iter().enumerate() {
            let known = shoved.contains(change.square)
                || self.boards.iter().any(|board| match change.is {
                    Some(piece) => board.by_piece(piece).contains(change.square),
                    None => board.occupied().contains(change.square) == change.was.is_none(),
                });
            if known {
                continue;
            }
            price += match change.is {
                None if change.was.is_none() => cost::GHOST,
                None => cost::TOUCHED,
                Some(piece) if self.stood_at_press(piece, change.square, index) => {
                    if self.rested(change, index) { cost::RESTED_AT_PRESS } else { cost::GHOST }
                }
                Some(piece)
                    if self.carried(piece, index) && !self.rested_out_of_turn(piece, change, index) =>
                {
                    cost::PASSED_OVER.max(self.stood_at_reply(piece, change.square, index))
                }
                Some(_) => cost::GHOST,
            };
            if price > most {
                break;
            }
        }
        price
    }

    /// Returns whether a piece stood where this change had brought it for longer than a hand passes over a square.
    fn rested(&self, change: &Change, index: usize) -> bool {
        let departure = self.evidence.window.first_of(change.square, index + 1, |_| true);
        departure.is_some_and(|(_, departure)| departure.at.since(change.at) > hands::PASSING)
    }

    /// Returns whether it did so when its side had moved, and the opponent had not replied: no hand carried it then.
    fn rested_out_of_turn(&self, piece: Piece, change: &Change, index: usize) -> bool {
        let replies = |step: &ExplainedPly| step.side != piece.color && step.shown <= index;
        piece.color != self.root.position.turn()
            && !self.steps.iter().any(replies)
            && self.rested(change, index)
    }

    /// Returns whether a piece still stood where this change had brought it when its side pressed.
    pub(super) fn stood_at_press(&self, piece: Piece, square: Square, index: usize) -> bool {
        let changes = self.evidence.window.changes();
        let Some(arrived) = changes.get(index).map(|change| change.at) else { return false };
        let departure =
            self.evidence.window.first_of(square, index + 1, |_| true).map(|(_, change)| change.at);
        self.evidence.presses.iter().any(|press| {
            // Nobody knows when a press came that was not seen.
            press.side == piece.color
                && arrived <= press.at
                && departure
                    .is_none_or(|departure| press.seen && departure.since(press.at) > self.evidence.lag)
        })
    }

    /// Prices that a piece only passed over a square where it stood when the opponent put a piece down: by then it had been let go of. What
    /// came or left within a scan of that may as well have done so on the other side of it.
    fn stood_at_reply(&self, piece: Piece, square: Square, index: usize) -> u32 {
        let window = self.evidence.window;
        let Some(came) = window.changes().get(index) else { return 0 };
        let Some((number, departure)) = window.first_of(square, index + 1, |_| true) else { return 0 };
        let scan = self.evidence.jitter.as_secs_f64() / 2.0;
        // Each change is reported some time within a scan after it was made.
        let swapped = |first: &Change, second: &Change| {
            let share = 1.0 - second.at.since(first.at).as_secs_f64() / scan;
            share.max(0.0).powi(2) / 2.0
        };
        let since = window.changes().iter().take(number).skip(index + 1);
        let replies =
            since.filter(|reply| reply.is.is_some_and(|other| other.color != piece.color) && !reply.dumped);
        let doubts = replies.map(|reply| swapped(came, reply) + swapped(reply, departure));
        let least = doubts.fold(f64::INFINITY, f64::min);
        if least < 1.0 { cost::of_one_in(least.recip()).min(cost::GHOST) } else { 0 }
    }

    /// Returns whether a piece was off a square where some position of the chain has it.
    fn carried(&self, piece: Piece, index: usize) -> bool {
        let window = self.evidence.window;
        self.boards.iter().any(|board| {
            board
                .by_piece(piece)
                .into_iter()
                .any(|home| !window.showed(home, piece, index) || !window.showed(home, piece, index + 2))
        })
    }
}

/// Returns what squares cost at least that read otherwise than the position says, to be compared before each is looked at.
fn least(position: &Board, shown: &Board, odd: Bitboard, us: Color) -> u32 {
    let count = |squares: Bitboard| u32::try_from(squares.count()).unwrap_or(u32::MAX);
    let (own, gone) = (position.by_color(us), odd & !shown.occupied());
    let parked = odd & shown.by_color(us) & !own;
    let wrong = odd & shown.occupied() & !parked;
    cost::IN_HAND * count(gone & own)
        + cost::LIFTED_EARLY.min(cost::VICTIM_LIFTED) * count(gone & !own)
        + cost::PARKED * count(parked)
        + cost::SLID_OVER * count(wrong)
}

/// Returns whether the side to move attacks a square.
fn attacked(position: &Position, square: Square) -> bool {
    position.board().attacks_to(square, position.turn(), position.board().occupied()).any()
}

/// Returns whether the side to move has a pawn that may be about to become another piece.
fn promoting(position: &Position) -> bool {
    let seventh = position.turn().fold_wb(Rank::Seventh, Rank::Second);
    (position.board().by_piece(position.turn().pawn()) & Bitboard::from(seventh)).any()
}
