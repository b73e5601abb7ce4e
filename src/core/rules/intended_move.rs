//! A claim was wrong, and its intended move has not been played (Art. 9.5.3).

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::Alert,
    code::Code,
    fact::Fact,
    order::{Claim, Order},
};

pub(super) const SPEC: Spec = Spec {
    id: "intended-move",
    codes: &[Code::IntendedNotPlayed],
    summary: "A claim with an intended move was wrong, and another move is pressed.",
    hears: Facts::GAME_STARTED.and(Facts::ENDED).and(Facts::PRESSED),
    new: || Box::new(IntendedMove::default()),
};

#[derive(Debug, Default)]
struct IntendedMove {
    /// The move that must be played, and the ply that it is.
    due: Option<(u32, String)>,
}

impl Rule for IntendedMove {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted | Fact::Ended => self.due = None,
            Fact::Pressed(pressed) => {
                let Some((played, ply)) = context.completed_move(pressed) else { return };
                let Some((_, intended)) = self.due.take_if(|(due, _)| *due == pressed.ply) else { return };
                if pressed.before.san(played) == intended {
                    return;
                }
                let code = Code::IntendedNotPlayed;
                let values = [
                    ("side", context.side(pressed.side)),
                    ("move", &context.san(&intended)),
                    ("played", &context.san(&ply.san)),
                    ("article", context.laws.article(code).unwrap_or_default()),
                ];
                let text = context.say(Phrase::IntendedNotPlayed, &values);
                let builder = AlertBuilder::at_press(code, pressed, text).confidence(pressed.confidence);
                let builder = builder.act(&context.say(Phrase::PlayIntended, &values));
                alerts.raise(builder.fact("intended", intended), context);
            }
            _ => {}
        }
    }

    fn on_undo(&mut self, order: &Order, _context: &RuleContext<'_>) {
        if let Order::Claim { kind: Claim::Intended { .. }, .. } = order {
            self.due = None;
        }
    }

    fn on_order(&mut self, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Order::Claim { kind: Claim::Intended { intended }, .. } = order else { return };
        // Where the beginning of the game was not seen nobody knows whether the claim was wrong.
        if alerts.is_over(context) || context.game.is_adopted() {
            return;
        }
        // Nor where it waits for the arbiter to decide on the count, or on an irregularity before it.
        let claim = alerts.present().next_back().and_then(|entry| alerts.alert(entry.number));
        let waits = |alert: &Alert| {
            alert.facts.contains_key("counted_through") || alert.facts.contains_key("open_offence")
        };
        if claim.is_some_and(waits) {
            return;
        }
        let position = context.game.position();
        let san = super::claim::parse(intended, context).ok().map(|m| position.san(m));
        self.due = san.map(|san| (context.game.len().saturating_add(1), san));
    }
}
