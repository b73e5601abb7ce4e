//! A promotion in which another piece had touched the square first (Art. 4.4.4).

use shakmaty::{Color, Move, Piece, Role};

use super::{
    Rule, Spec, attempt::Attempt, builder::AlertBuilder, context::RuleContext, duty, hears::Facts,
    store::AlertStore, text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Fact, Pressed},
};

pub(super) const SPEC: Spec = Spec {
    id: "promotion-choice",
    codes: &[Code::PromotionChoiceChanged],
    summary: "Another piece that a pawn may become stood on the promotion square before the one that stayed.",
    hears: Facts::PRESSED,
    new: || Box::new(PromotionChoice),
};

#[derive(Debug)]
struct PromotionChoice;

impl Rule for PromotionChoice {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Some((Move::Normal { to, promotion: Some(chosen), .. }, ply)) = context.completed_move(pressed)
        else {
            return;
        };
        let Some(first) = first_choice(pressed, to, chosen, context) else { return };
        let code = Code::PromotionChoiceChanged;
        let square = to.to_string();
        let values = [
            ("side", context.side(pressed.side)),
            ("first", &context.man(first.of(pressed.side))),
            ("chosen", &context.man(chosen.of(pressed.side))),
            ("square", square.as_str()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let builder = AlertBuilder::at_press(code, pressed, context.say(Phrase::PromotionChoice, &values))
            .confidence(Confidence::Likely)
            .act(&duty::on_request(code, pressed.side, context))
            .act(&context.say(Phrase::FirstChoice, &values))
            .fact("square", square.clone())
            .fact("first", first.char().to_string())
            .fact("move", ply.san.as_str());
        alerts.raise(builder, context);
    }
}

/// Returns the piece that stood on the promotion square first, if it is not the one that was chosen.
///
/// A tag that flickers for less than a scan is no choice, and neither is a piece of the wrong colour.
fn first_choice(
    pressed: &Pressed,
    to: shakmaty::Square,
    chosen: Role,
    context: &RuleContext<'_>,
) -> Option<Role> {
    let attempt = Attempt::last(pressed)?;
    attempt.changes().iter().enumerate().find_map(|(index, place)| {
        let piece = place.is.filter(|piece| place.square == to && promotable(*piece, pressed.side))?;
        let left = attempt.changes().iter().skip(index + 1).find(|change| change.square == to)?;
        (piece.role != chosen && left.at.since(place.at) > context.scan).then_some(piece.role)
    })
}

const fn promotable(piece: Piece, side: Color) -> bool {
    let own = matches!((piece.color, side), (Color::White, Color::White) | (Color::Black, Color::Black));
    own && !matches!(piece.role, Role::King | Role::Pawn)
}
