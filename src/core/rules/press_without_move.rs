//! A press although no move has been made (Art. 7.5.3); before 2017 forbidden, but no illegal move.

use super::{
    Rule, Spec,
    builder::append,
    context::RuleContext,
    hears::Facts,
    obligation,
    offence::{self, Offence, Remedy},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    code::Code,
    fact::{Fact, Pressed, Verdict},
};

pub(super) const SPEC: Spec = Spec {
    id: "press-without-move",
    codes: &[Code::PressWithoutMove],
    summary: "A press finds the board as it stood before, and its player has no move to his credit.",
    hears: Facts::PRESSED,
    new: || Box::new(PressWithoutMove),
};

#[derive(Debug)]
struct PressWithoutMove;

impl Rule for PressWithoutMove {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        // What the board was read to have done while nobody saw it accuses nobody: its log has no times, and its last
        // press may be one that was seen.
        if pressed.verdict != Verdict::Nothing || !context.is_dated {
            return;
        }
        // Whoever presses back after an irregularity of the opponent has broken nothing (Art. 7.4.2 asks him to stop
        // the clock, and many know no other way): the alert on that irregularity says so.
        if let Some(cause) = offence::cause(pressed, context, alerts).map(|entry| entry.number) {
            alerts.note_pressed_back(cause, pressed.at);
            let at = pressed.at.as_secs();
            let facts = [("pressed_back_at".to_owned(), at.into())].into_iter().collect();
            alerts.amend(
                cause,
                |alert| drop(alert.facts.insert("pressed_back_at".to_owned(), at.into())),
                facts,
            );
            return;
        }
        let code = Code::PressWithoutMove;
        let side = context.side(pressed.side);
        let article = context.laws.article(code).unwrap_or_default();
        let offence = Offence {
            code,
            pressed,
            text: context.say(Phrase::PressWithoutMove, &[("side", side), ("article", article)]),
            remedy: Remedy::Words(remedy(pressed, context)),
            move_stands: false,
        };
        let builder = offence::build(offence, context, alerts);
        alerts.raise(builder, context);
    }
}

/// Says whose turn it is, and what binds the player: a piece that was taken up and put back.
fn remedy(pressed: &Pressed, context: &RuleContext<'_>) -> String {
    let mut words = context.say(Phrase::ClockBack, &[("side", context.side(pressed.side))]);
    append(&mut words, &obligation::of_returned(pressed, context));
    words
}
