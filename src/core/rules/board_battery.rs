//! A board whose battery runs low.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "board-battery",
    codes: &[Code::BoardBattery],
    summary: "The charge of the board's battery is below the configured level.",
    hears: Facts::BOARD_BATTERY,
    new: || Box::new(BoardBattery),
};

/// A charge that wavers around the level is not reported again and again, percent.
const SLACK: u8 = 5;

#[derive(Debug)]
struct BoardBattery;

impl Rule for BoardBattery {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::BoardBattery { percent } = *fact else { return };
        let code = Code::BoardBattery;
        let slack = if alerts.has(code) { SLACK } else { 0 };
        let low = percent < context.event.battery_low_percent.saturating_add(slack);
        alerts.switch(code, low, context, || {
            let text = context.say(Phrase::BoardBattery, &[("percent", &percent.to_string())]);
            AlertBuilder::new(code, Party::Both, context.game.len(), text).fact("percent", percent)
        });
    }
}
