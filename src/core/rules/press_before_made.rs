//! A press with a piece still in the air (Art. 6.2.4).

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Fact, Verdict},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "press-before-made",
    codes: &[Code::PressBeforeMade],
    summary: "A press finds a piece in the air, and its placement comes later than what the board senses late.",
    hears: Facts::PRESSED,
    new: || Box::new(PressBeforeMade),
};

#[derive(Debug)]
struct PressBeforeMade;

impl Rule for PressBeforeMade {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Verdict::InTheAir { from, placed } = pressed.verdict else { return };
        let code = Code::PressBeforeMade;
        let from = from.to_string();
        let values = [
            ("side", context.side(pressed.side)),
            ("square", from.as_str()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let text = context.say(Phrase::PressBeforeMade, &values);
        let no_move =
            context.laws.counts(Code::PressWithoutMove).then(|| context.laws.article(Code::PressWithoutMove));
        let builder = AlertBuilder::at_press(code, pressed, text)
            .confidence(pressed.confidence.min(Confidence::Likely))
            .act(&context.say(Phrase::UpToYou, &values))
            .fact("square", from.clone())
            .maybe_fact("placed_at", placed.map(Timestamp::as_secs))
            .maybe_fact("alternatives", no_move.flatten().map(|article| vec![article]));
        alerts.raise(builder, context);
    }
}
