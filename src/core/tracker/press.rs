//! Pairs presses with plies: which ply did each press complete (Art. 6.2.1)?

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, ByColor, Color, Square};

use super::{
    cost,
    evidence::{Evidence, ExplainedPly, Root},
    window::Press,
};
use crate::{
    model::{effort, wait},
    position::Position,
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
    /// A press that asks for no move.
    NoDuty,
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
        steps,
        next: 0,
        waiting: ByColor { white: None, black: None },
        turn: root.position.turn(),
        offender: root.offender,
        faulty: root.faulty,
        reinstated: root.reinstated,
        taken_back: root.taken_back,
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
    Paired { outcomes, cost: pairing.cost }
}

struct PressPairing<'a> {
    evidence: &'a Evidence<'a>,
    steps: &'a [ExplainedPly],
    next: usize,
    /// Plies that no press has completed.
    waiting: ByColor<Option<usize>>,
    turn: Color,
    offender: Option<Color>,
    faulty: Bitboard,
    reinstated: bool,
    taken_back: bool,
    cost: u32,
}

impl PressPairing<'_> {
    /// Tells whether a press that is not settled has its ply already.
    fn ready_for(&self, press: Press) -> bool {
        let shown_by = self.evidence.window.count_until(press.at + self.evidence.settle);
        let coming =
            self.steps.iter().skip(self.next).any(|step| step.side == press.side && step.shown <= shown_by);
        self.waiting.get(press.side).is_some() || coming
    }

    /// Pairs one press; the same side presses `further` times after it, and the same report of the clock tells that the
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
            self.offender = None;
            return Outcome::Ply(index);
        }
        if self.offender == Some(!press.side) || !press.seen {
            self.cost += cost::REACTION + if self.holds_on(press, end) { cost::HELD_ON } else { 0 };
            return Outcome::Reaction;
        }
        if self.turn != press.side {
            // Who agrees that a move is taken back gives the time back.
            let gives_back = self.next == 0 && std::mem::take(&mut self.taken_back);
            self.cost += if gives_back { cost::REACTION } else { cost::NO_DUTY };
            return Outcome::NoDuty;
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

    /// Tells whether the last ply is a reply that nobody has pressed for: its side's time still runs.
    fn reply_waits(&self, end: &Position) -> bool {
        let running = self.evidence.presses.last().map(|press| !press.side);
        !self.steps.is_empty() && running == Some(!end.turn())
    }

    fn make(&mut self) {
        let Some(step) = self.steps.get(self.next) else { return };
        // The mover's last ply was never seen to be completed; his next one completes it (Art. 6.2.1.2).
        if let Some(index) = self.waiting.get_mut(step.side).replace(self.next) {
            self.cost += self.unseen_press(index);
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
                self.cost += self.unseen_press(index);
            }
        }
    }

    /// Returns what it costs that nobody saw the press of a ply.
    const fn unseen_press(&self, index: usize) -> u32 {
        if self.reinstated && index == 0 || !self.evidence.clocked { 0 } else { cost::UNSEEN_PRESS }
    }

    /// Tells whether a piece of the opponent's had been in the hand for long at a press: it came down on a square that does not
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

    /// Returns what the presser had in the hand when the press was judged.
    fn held(&self, press: Press, end: &Position) -> InHand {
        let window = self.evidence.window;
        let board = window.board_after(window.count_until(press.at + self.evidence.settle));
        let own = end.board().by_color(press.side);
        if (board.by_color(press.side) & !own & !self.faulty).any() {
            return InHand::PutDown;
        }
        let lifted = own & !board.occupied() & window.touched();
        lifted.first().map_or(InHand::None, InHand::One)
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
