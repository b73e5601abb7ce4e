//! Pairs presses with plies: which ply did each press complete (Art. 6.2.1)?

use std::borrow::Cow;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByColor, Color, Move, Piece, Square};

use super::{
    cost,
    evidence::{Evidence, ExplainedPly, Root},
    window::Press,
};
use crate::{
    game::Played,
    model::{effort, wait},
    position::Position,
    time::Timestamp,
};

/// What a press completed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Outcome {
    /// This ply of the explanation, counted from 0.
    Ply(usize),
    /// Nothing: no move had been made.
    Nothing,
    /// Nothing yet: the piece from this square was in the air.
    InTheAir(Square),
    /// A reaction to an offence of the opponent.
    Reaction,
    /// A press back because pieces of the opponent's lay amiss.
    PressedBack,
    /// A press that asks for no move.
    NotDue,
}

/// All presses of a window, paired.
pub(super) struct Paired {
    pub(super) outcomes: ArrayVec<Outcome, { effort::MOST_PRESSES }>,
    pub(super) cost: u32,
}

/// Pairs the presses of the window with the plies of a chain that ends in `position`.
pub(super) fn pair(
    evidence: &Evidence<'_>,
    root: &Root,
    steps: &[ExplainedPly],
    position: &Position,
) -> Paired {
    let mut pairing = PressPairing {
        evidence,
        root: &root.position,
        steps,
        next: 0,
        waiting: ByColor { white: None, black: None },
        turn: root.position.turn(),
        offender: root.offender,
        faulty: root.faulty,
        reinstated: root.reinstated,
        taken_back: root.taken_back,
        pressed_back: root.pressed_back,
        unseen: ArrayVec::new(),
        cost: 0,
    };
    let presses = evidence.presses;
    let mut outcomes = ArrayVec::new();
    for (index, press) in presses.iter().enumerate() {
        if index >= evidence.ripe && !pairing.ready_for(*press) {
            break;
        }
        let further = presses.iter().skip(index + 1).filter(|other| other.side == press.side).count();
        let answered = presses.get(index + 1).is_some_and(|next| next.at == press.at);
        outcomes.push(pairing.press(*press, further, answered, position));
    }
    pairing.rest();
    Paired { outcomes, cost: pairing.cost + pairing.unseen_presses() }
}

struct PressPairing<'a> {
    evidence: &'a Evidence<'a>,
    root: &'a Position,
    steps: &'a [ExplainedPly],
    next: usize,
    /// Plies that no press has completed.
    waiting: ByColor<Option<usize>>,
    turn: Color,
    offender: Option<Color>,
    faulty: Bitboard,
    reinstated: bool,
    taken_back: bool,
    /// Who pressed because pieces of the opponent's lay amiss.
    pressed_back: Option<Color>,
    /// Plies of which nobody saw the press.
    unseen: ArrayVec<usize, { effort::DEPTH }>,
    cost: u32,
}

impl PressPairing<'_> {
    /// Returns whether a press that is not settled has its ply already.
    fn ready_for(&self, press: Press) -> bool {
        let shown_by = self.evidence.window.count_until(press.at + self.evidence.settle);
        let coming =
            self.steps.iter().skip(self.next).any(|step| step.side == press.side && step.shown <= shown_by);
        self.waiting.get(press.side).is_some() || coming
    }

    /// Pairs one press; the same side presses `further` times after it, and the same report of the clock shows that the
    /// opponent has `answered` it.
    fn press(&mut self, press: Press, further: usize, answered: bool, end: &Position) -> Outcome {
        let shown_by = self.evidence.window.count_until(press.at + self.evidence.settle);
        let last = self.steps.len() - usize::from(self.reply_waits(end));
        let steps = self.steps.iter().take(last).skip(self.next);
        let own = steps.filter(|step| step.side == press.side && step.shown <= shown_by);
        let waits = usize::from(self.waiting.get(press.side).is_some());
        // Plies beyond the presses that are left for them were pressed unseen, before this one.
        let mut skip = (own.count() + waits).saturating_sub(further + 1);
        while let Some(step) = self.steps.get(self.next).filter(|step| step.shown <= shown_by) {
            // The answer completed the opponent's ply: what replies to that, and is seen only now, was pressed for later.
            let replies = step.side == press.side && self.waiting.get(!press.side).is_some();
            if answered && replies && step.shown > self.evidence.window.count_until(press.at) {
                break;
            }
            if self.waiting.get(press.side).is_some() {
                if skip == 0 {
                    break;
                }
                skip -= usize::from(step.side == press.side);
            }
            self.make();
        }
        if let Some(index) = self.waiting.get_mut(press.side).take() {
            self.cost += self.overdue(press, last, end);
            self.pass_over(press, index);
            self.offender = None;
            return Outcome::Ply(index);
        }
        let wronged = self.next == 0
            && self.evidence.wronged == Some(press.side)
            && self.turn == press.side
            && matches!(self.held(press, end), InHand::None);
        if self.offender == Some(!press.side) || wronged || !press.seen {
            self.cost += cost::REACTION + if self.holds_on(press, end) { cost::HELD_ON } else { 0 };
            // A further press is no part of this matter.
            self.offender = None;
            return Outcome::Reaction;
        }
        if self.turn == press.side && self.is_displaced(press, end) {
            self.cost += cost::PRESSED_BACK;
            self.pressed_back = Some(press.side);
            return Outcome::PressedBack;
        }
        if self.turn != press.side {
            // Who agrees that a move is taken back gives the time back, and so does who has put up what lay amiss.
            let taken_back = self.next == 0 && std::mem::take(&mut self.taken_back);
            let gives_back = taken_back || self.pressed_back.take() == Some(!press.side);
            self.cost += if gives_back { cost::REACTION } else { cost::NOT_DUE };
            return Outcome::NotDue;
        }
        self.offender = Some(press.side);
        match self.held(press, end) {
            InHand::One(square) => {
                self.cost += cost::IN_THE_AIR;
                Outcome::InTheAir(square)
            }
            InHand::None => {
                self.cost += cost::NULL_PRESS;
                Outcome::Nothing
            }
            InHand::PutDown => {
                self.cost += cost::NULL_PRESS_AMISS;
                Outcome::Nothing
            }
        }
    }

    /// Handles what the press of a ply shows of the one before it: the lever was up, so that the opponent had pressed for his.
    fn pass_over(&mut self, press: Press, index: usize) {
        if !press.seen || self.evidence.disordered {
            return;
        }
        if let Some(earlier) = self.waiting.get_mut(!press.side).take_if(|earlier| *earlier < index) {
            self.note_unseen(earlier);
        }
    }

    /// Prices that a side pressed for a ply only after the board had shown its next one, which it has not pressed for yet.
    fn overdue(&self, press: Press, last: usize, end: &Position) -> u32 {
        // What is missing may have contained an earlier press.
        if !press.seen || self.evidence.disordered {
            return 0;
        }
        if press.up_at.is_some_and(|at| self.has_moved_on(press.side, at, end)) {
            return cost::LONG_OVERDUE;
        }
        let shown_by = self.evidence.window.count_until(press.at);
        let moved_on = |step: &ExplainedPly| step.side == press.side && step.shown <= shown_by;
        let rest = self.steps.iter().take(last).skip(self.next);
        if rest.into_iter().any(moved_on) { cost::OVERDUE } else { 0 }
    }

    /// Returns whether the board had shown a further ply of a side, or a piece that it had put down and that stands there still, when the clock
    /// reported that this side had not pressed.
    fn has_moved_on(&self, side: Color, at: Timestamp, end: &Position) -> bool {
        let window = self.evidence.window;
        let shown_by = window.count_until(at);
        let mut rest = self.steps.iter().skip(self.next);
        if rest.any(|step| step.side == side && step.shown <= shown_by) {
            return true;
        }
        let put_down = window.board().by_color(side) & !end.board().by_color(side) & !self.faulty;
        end.turn() == side
            && put_down.into_iter().any(|square| {
                let came = window.last_change_of(square);
                came.is_some_and(|(_, change)| !change.dumped && change.at <= at)
            })
    }

    /// Returns whether the last ply is a reply that nobody has pressed for: its side's time still runs.
    fn reply_waits(&self, end: &Position) -> bool {
        let running = self.evidence.presses.last().map(|press| !press.side);
        !self.steps.is_empty() && running == Some(!end.turn())
    }

    fn make(&mut self) {
        let Some(step) = self.steps.get(self.next) else { return };
        // The mover's last ply was never seen to be completed; his next one completes it (Art. 6.2.1.2).
        if let Some(index) = self.waiting.get_mut(step.side).replace(self.next) {
            self.note_unseen(index);
        }
        self.turn = !step.side;
        self.next += 1;
    }

    /// Plies after the last press: replies before the press, and moves that nobody has pressed for.
    fn rest(&mut self) {
        while self.next < self.steps.len() {
            self.cost += if self.evidence.clocked { cost::EARLY_REPLY } else { 0 };
            self.make();
        }
        // A ply that the opponent has answered and pressed for was pressed, too.
        let last = self.steps.len().checked_sub(1);
        for side in [Color::White, Color::Black] {
            if let Some(index) = self.waiting.get(side).filter(|index| Some(*index) != last) {
                self.note_unseen(index);
            }
        }
    }

    /// Notes that nobody saw the press of a ply.
    fn note_unseen(&mut self, index: usize) {
        if self.evidence.clocked && !(self.reinstated && index == 0) {
            self.unseen.push(index);
        }
    }

    /// Prices that nobody saw the presses of some plies. Two players press so soon one after the other that the clock is read before
    /// and after both: it shows the same time running, and says nothing if it adds none.
    fn unseen_presses(&self) -> u32 {
        let mut unseen = self.unseen.clone();
        unseen.sort_unstable();
        let mut price = 0;
        let mut rest = unseen.as_slice();
        while let [first, others @ ..] = rest {
            let hidden = others.first().filter(|next| **next == first + 1 && self.evidence.may_hide_presses);
            (price, rest) = match hidden.map(|next| self.hidden_presses(*first, *next)) {
                Some(pair) => (price + pair, others.get(1..).unwrap_or_default()),
                None => (price + cost::UNSEEN_PRESS, others),
            };
        }
        price
    }

    /// Prices that the presses of two plies fell between two readings of the clock: the wider apart the plies were shown, the rarer.
    fn hidden_presses(&self, first: usize, next: usize) -> u32 {
        let count = |index: usize| self.steps.get(index).map_or(0, |step| step.shown);
        let at = |index| {
            let change =
                count(index).checked_sub(1).and_then(|last| self.evidence.window.changes().get(last));
            change.map(|change| change.at)
        };
        let apart = at(first).zip(at(next)).filter(|_| count(first) < count(next));
        // What one change shows was not seen to be made by two.
        let Some((first, next)) = apart else { return 2 * cost::UNSEEN_PRESS };
        let share = 1.0 - next.since(first).as_secs_f64() / wait::HIDDEN_PRESSES.as_secs_f64();
        let rare = cost::of_one_in(share.max(f64::MIN_POSITIVE).recip());
        (cost::HIDDEN_PRESSES + rare).min(2 * cost::UNSEEN_PRESS)
    }

    /// Returns whether a piece of the opponent's had been in the hand for long at a press: it came down on a square that does not
    /// show it, rather than that both players went on pressing.
    fn holds_on(&self, press: Press, end: &Position) -> bool {
        let window = self.evidence.window;
        let count = window.count_until(press.at);
        let missing =
            end.board().by_color(!press.side) & !window.board_after(count).occupied() & !self.faulty;
        missing.into_iter().any(|square| {
            let lift = window.last_change_within(square, count);
            lift.is_some_and(|lift| press.at.since(lift.at) > wait::HELD)
        })
    }

    /// Returns whether a piece of the opponent's lay beside its square or nowhere at a press since his own time: he is to put it up (Art. 7.4).
    fn is_displaced(&self, press: Press, end: &Position) -> bool {
        let count = self.evidence.window.count_until(press.at);
        let shown = self.evidence.window.board_after(count);
        let expected = self.position_after(self.next, end);
        let (stand, should) = (shown.by_color(!press.side), expected.board().by_color(!press.side));
        let amiss = (should & !shown.occupied() | stand & !should) & !self.faulty;
        amiss.any() && self.evidence.changed_in_time_of(!press.side, amiss, count)
    }

    /// Returns the position after the first plies.
    fn position_after<'p>(&self, count: usize, end: &'p Position) -> Cow<'p, Position> {
        if count >= self.steps.len() {
            return Cow::Borrowed(end);
        }
        let steps = self.steps.iter().take(count);
        Cow::Owned(steps.fold(self.root.clone(), |position, step| step.played.apply(&position)))
    }

    /// Returns the position that the presser's hand was on the way to: what was played later says nothing of it.
    fn in_hand_until<'p>(&self, side: Color, end: &'p Position) -> Cow<'p, Position> {
        let own = self.steps.get(self.next).is_some_and(|step| step.side == side);
        self.position_after(self.next + usize::from(own), end)
    }

    /// Returns what the presser had in the hand when the press was judged.
    fn held(&self, press: Press, end: &Position) -> InHand {
        let window = self.evidence.window;
        let board = window.board_after(window.count_until(press.at + self.evidence.settle));
        let end = self.in_hand_until(press.side, end);
        let own = end.board().by_color(press.side);
        if (board.by_color(press.side) & !own & !self.faulty).any() {
            return InHand::PutDown;
        }
        // Who has taken a piece off and presses has moved.
        let theirs = |shown: &Board| shown.by_color(!press.side);
        let early = window.board_after(window.count_until(press.at.before(self.evidence.settle)));
        let victims =
            theirs(end.board()) & !theirs(&early) & !theirs(&board) & !self.faulty & window.touched();
        let takers = |victim: Square| {
            end.board().attacks_to(victim, press.side, end.board().occupied()) & window.touched()
        };
        // A pawn that captures on its last rank has become nothing yet.
        let promotes = |victim: Square| {
            let pawns = takers(victim) & end.board().pawns() & !board.occupied();
            pawns.single_square().filter(|_| Bitboard::BACKRANKS.contains(victim))
        };
        if let Some(pawn) = victims.into_iter().find_map(promotes) {
            return InHand::One(pawn);
        }
        if victims.into_iter().any(|victim| takers(victim).any()) {
            return InHand::PutDown;
        }
        let lifted = own & !board.occupied() & window.touched();
        lifted.first().or_else(|| self.captor_in_hand(press.side, &board)).map_or(InHand::None, InHand::One)
    }

    /// Returns where the piece stood that makes the next ply, a capture: it was off the board already, and its victim was not.
    fn captor_in_hand(&self, side: Color, board: &Board) -> Option<Square> {
        let step = self.steps.get(self.next).filter(|step| step.side == side)?;
        let Played::Legal(Move::Normal { role, from, capture: Some(_), to, .. }) = step.played else {
            return None;
        };
        let lifted = board.piece_at(from) != Some(Piece { color: side, role });
        (lifted && board.color_at(to) == Some(!side)).then_some(from)
    }
}

/// What a player had in the hand when pressing.
enum InHand {
    /// Nothing.
    None,
    /// The piece from this square.
    One(Square),
    /// Nothing, but a piece stands where it should not.
    PutDown,
}
