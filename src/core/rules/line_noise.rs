//! A line that damages what the board says.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "line-noise",
    codes: &[Code::LineNoise],
    summary: "More bytes arrive damaged than a sound line damages.",
    hears: Facts::NOISE,
    new: || Box::new(LineNoise),
};

#[derive(Debug)]
struct LineNoise;

impl Rule for LineNoise {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Noise { noisy, bytes } = *fact else { return };
        let code = Code::LineNoise;
        alerts.switch(code, noisy, context, || {
            let text = context.say(Phrase::LineNoise, &[("bytes", &bytes.to_string())]);
            AlertBuilder::new(code, Party::Both, context.game.len(), text).fact("bytes", bytes)
        });
    }
}
