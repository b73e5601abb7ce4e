//! Ends of games by the Laws, and those that wait: where the last moves are not sure and the clock runs, play may go on.

use shakmaty::Color;

use super::{AlertStore, RuleContext, StoredAlert};
use crate::{
    alert::{Confidence, Party},
    code::Code,
    game::GameResult,
    rules::{Notice, builder::AlertBuilder, text::Phrase},
    score::Score,
};

impl AlertStore {
    /// Ends the game by the Laws, with the alert that says so, which is no surer than the plies that have led there. Where it is not sure,
    /// the result waits until the clock is stopped.
    pub(in crate::rules) fn conclude(
        &mut self,
        builder: AlertBuilder,
        winner: Option<Color>,
        by: &'static str,
        context: &RuleContext<'_>,
    ) {
        if self.is_over(context) {
            return;
        }
        let ply = builder.ply;
        let builder = self.name_flag(builder, context);
        let sure = builder.confidence.min(context.word_of_last(ply));
        self.raise(builder.confidence(sure).propose_result(winner), context);
        if sure < Confidence::Certain && context.clock.running.is_some() {
            self.decided = Some(ply);
            self.held = Some(GameResult { score: Score::won_by(winner), by });
        } else {
            self.decide(ply, winner, by);
        }
    }

    /// Adds that a flag had fallen before: it counts from when the arbiter observes it or a player claims it (Art. 6.8).
    fn name_flag(&self, builder: AlertBuilder, context: &RuleContext<'_>) -> AlertBuilder {
        let flag = |entry: &&StoredAlert| matches!(entry.code, Code::FlagFall | Code::FlagFallDraw);
        let fallen = self.entries().filter(|entry| self.is_current(entry)).find(flag);
        let Some((id, Party::One(side))) = fallen.map(|entry| (entry.id.clone(), entry.side)) else {
            return builder;
        };
        let article = context.laws.article(Code::FlagFall).unwrap_or_default();
        let values = [("side", context.side(side)), ("article", article)];
        builder.fact("flag", id).also(&context.say(Phrase::FlagBefore, &values))
    }

    /// Gives the game a result.
    pub(in crate::rules) fn decide(&mut self, ply: u32, winner: Option<Color>, by: &'static str) {
        self.decided = Some(ply);
        self.out.push(Notice::Result(GameResult { score: Score::won_by(winner), by }));
    }

    /// Gives the game the result that waits, if there is one: nobody plays on.
    pub(super) fn release(&mut self) {
        self.out.extend(self.held.take().map(Notice::Result));
    }

    /// Handles the result that waits.
    pub(in crate::rules) const fn take_held(&mut self) -> Option<GameResult> {
        self.held.take()
    }

    /// Notes that no rule has ended the game after all.
    pub(super) const fn undecide(&mut self) {
        self.decided = None;
        self.held = None;
    }
}
