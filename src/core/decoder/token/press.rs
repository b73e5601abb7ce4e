//! What a press completes, or is owed for.

use shakmaty::Color;

use super::{Claim, Completed, Owed, Token};
use crate::decoder::{moment::Moment, position::Kind, price::Price, sensed::Context};

impl Token {
    /// Notes what a press completed, in place of what was noted before.
    pub(crate) fn claim(&mut self, press: u32, what: Completed, side: Color, ply: u32) {
        let claim = Claim { press, what, side, ply };
        if let Some(old) = self.claims.iter_mut().find(|old| old.press == press) {
            *old = claim;
            return;
        }
        if self.claims.is_full() {
            self.claims.pop_at(0);
        }
        // There is room: the oldest has gone.
        self.claims.extend([claim]);
    }

    /// Returns since when this side has had reason to press back for how pieces lie: something fell in the opponent's turn, not long ago.
    fn amiss_since(&self, side: Color, context: &Context<'_>) -> Option<Moment> {
        let clock = &context.params.clock;
        let pressed = self.pressed_at(!side);
        if context.age(pressed) >= clock.amiss_ms {
            return None;
        }
        // What fell before the opponent's turn is his own affair, or was accepted when he pressed.
        let from = pressed.after(-clock.amiss_ms).max(self.pressed_at(side));
        self.hands.amiss_since(from, pressed.after(clock.amiss_after_ms), pressed.after(-clock.poll_ms))
    }

    /// Handles a press that nothing is known for.
    pub(crate) fn owe(&mut self, side: Color, press: u32, context: &Context<'_>) {
        let clock = &context.params.clock;
        let (top, what) = if self.begins && self.history.is_none() {
            (clock.lever, Completed::Back)
        } else if self.last_ply().is_some_and(super::Made::is_wrong) {
            (clock.back_illegal, Completed::Back)
        } else if let Some(since) = self.amiss_since(side, context) {
            let sooner = clock.reaction_ms.saturating_sub(context.age(since)).max(0);
            (clock.back + clock.back_at_once.at(sooner), Completed::Back)
        } else {
            (clock.nothing, Completed::Nothing)
        };
        let top = top + self.hands.at_press(side, &self.world, context);
        let on_its_way = self.hands.on_its_way_at(context.now, side, context);
        let owed = Owed { side, at: context.now, press, top, what, on_its_way };
        if self.owed.is_full() {
            self.owed.pop();
        }
        self.owed.extend([owed]);
    }

    /// Notes that the oldest press without a ply was for nothing.
    pub(crate) fn give_up(&mut self, context: &Context<'_>) -> Option<Owed> {
        let owed = self.owed.pop_at(0)?;
        let clock = &context.params.clock;
        self.cost += clock.owed.at_most(context.age(owed.at), owed.top).max(owed.top.min(clock.owed_least));
        self.claim(owed.press, owed.what, owed.side, self.plies() + 1);
        *self.pressed.get_mut(owed.side) = owed.at;
        Some(owed)
    }

    /// Notes that the oldest ply that was not pressed has been; `early`: it came after its press.
    pub(crate) fn complete(&mut self, press: u32, side: Color, early: bool) {
        let newer = usize::from(self.open.saturating_sub(1));
        let Some(history) = self.history.clone() else { return };
        let mut plies = history.chain().filter(|made| made.ply.kind != Kind::Left).skip(newer);
        let Some(made) = plies.next() else { return };
        let what = if !made.legal {
            Completed::Illegal
        } else if made.leaves_pawn() {
            Completed::Unreplaced
        } else if early {
            Completed::Early
        } else if plies.next().is_some_and(super::Made::leaves_pawn) {
            Completed::Stands
        } else if made.ply.kind == Kind::Castling {
            Completed::Castling
        } else {
            Completed::Legal
        };
        let ply = made.number;
        drop(plies);
        self.open = self.open.saturating_sub(1);
        if self.open == 0 {
            self.hands.fresh = None;
        }
        self.claim(press, what, side, ply);
    }

    /// Handles a press, if none is owed; `seen`: the lever was seen to move, so that the press before it was seen as well.
    pub(crate) fn press(&mut self, side: Color, press: u32, seen: bool, context: &Context<'_>) {
        let (clock, moves) = (&context.params.clock, &context.params.moves);
        let turn = self.world.turn;
        let oldest = (self.open > 0).then(|| if self.open % 2 == 1 { !turn } else { turn });
        match oldest {
            Some(color) if color == side => {
                // Who has moved again since has let the former press go, and so could his opponent not press: his clock did not run.
                if self.open > 2 {
                    self.open = 2 - self.open % 2;
                }
                if self.open > 1 {
                    self.cost += moves.replied.at(context.age(self.last));
                }
                self.cost += self.hands.at_press(side, &self.world, context);
                self.complete(press, side, false);
                *self.pressed.get_mut(side) = context.now;
            }
            Some(color) => {
                self.cost += if seen { clock.lost } else { clock.unseen };
                self.complete(press, color, false);
                if self.open > 0 {
                    self.complete(press, side, false);
                } else {
                    self.owe(side, press, context);
                }
            }
            // Before the first move the lever is tried, and put right.
            None if self.begins && self.history.is_none() && (turn != side || side.is_black()) => {
                self.cost += clock.lever;
            }
            None if turn == side => self.owe(side, press, context),
            None => self.cost += clock.no_duty,
        }
    }

    /// Notes that the clock runs for this side, after it stood; returns another story, if there is one.
    pub(crate) fn start(&mut self, side: Color, context: &Context<'_>) -> Option<Box<Self>> {
        let (clock, round) = (&context.params.clock, &context.params.round);
        if self.ended {
            self.cost += round.started_after_end;
            return None;
        }
        if self.owed.first().is_some_and(|owed| owed.side == side) {
            while self.give_up(context).is_some() {}
        }
        if self.world.turn == side {
            if self.open > 0 {
                self.cost += clock.started_completes;
                self.open = 0;
            }
            return None;
        }
        if self.open > 0 {
            return None;
        }
        let unheard = self.last_ply().is_some_and(|made| made.inferred).then(|| {
            let mut open = Box::new(self.clone());
            open.open = 1;
            open.cost += clock.started_after_unheard;
            open
        });
        self.cost += clock.wrong_running;
        unheard
    }

    /// Returns what the presses that are owed will cost beyond what they cost by now, if nothing comes.
    pub(crate) fn to_come(&self, context: &Context<'_>) -> Price {
        let owed = &context.params.clock.owed;
        self.owed
            .iter()
            .map(|press| press.top.saturating_sub(owed.at_most(context.age(press.at), press.top)))
            .sum()
    }

    /// Returns the instant of a side's last press.
    pub(crate) fn pressed_at(&self, side: Color) -> Moment {
        *self.pressed.get(side)
    }
}
