//! A promotion in which another piece had touched the square first (Art. 4.4.4).

use shakmaty::{Bitboard, Color, Move, Piece, Role, Square};

use super::{
    Rule, Spec, attempt::Attempt, builder::AlertBuilder, context::RuleContext, hears::Facts, obligation,
    released_piece::next_look, store::AlertStore, text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Fact, Pressed, Withdrawal},
    game::Played,
    laws::Topic,
    position::differences,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "promotion-choice",
    codes: &[Code::PromotionChoiceChanged],
    summary: "Another piece that a pawn may become stood on the promotion square before the one that stayed.",
    hears: Facts::TIME.and(Facts::PRESSED).and(Facts::MADE).and(Facts::WITHDRAWN).and(Facts::GAME_STARTED),
    new: || Box::new(PromotionChoice::default()),
};

#[derive(Debug, Default)]
struct PromotionChoice {
    /// The promotion that was completed last.
    completed: Option<Promotion>,
}

/// A promotion that a press completed.
#[derive(Clone, Copy, Debug)]
struct Promotion {
    ply: u32,
    side: Color,
    pressed_at: Timestamp,
    m: Move,
    /// It is no longer what was played: the piece may have been exchanged.
    is_gone: bool,
    /// When the board is looked at next; `None` once the opponent has played, or the exchange was reported.
    look: Option<Timestamp>,
    /// What stood there in its place when the board was looked at last.
    shown: Option<Role>,
    is_reported: bool,
}

impl Rule for PromotionChoice {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::Pressed(pressed) => self.look(pressed, context, alerts),
            Fact::Made { ply } => self.compare(*ply, context, alerts),
            Fact::Withdrawn { ply, because } => {
                // While the clock stands, the arbiter puts things in order.
                let exchanged = *because == Withdrawal::TakenBack;
                self.completed = self.completed.filter(|last| last.ply < *ply || exchanged);
                if let Some(last) = self.completed.as_mut().filter(|last| last.ply >= *ply) {
                    last.is_gone = true;
                }
            }
            Fact::GameStarted => self.completed = None,
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let due = self.completed?.look?;
        Some((due, "a piece that a pawn has become may be exchanged"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let due = |last: &&mut Promotion| last.look.is_some_and(|due| due <= context.now);
        let Some(last) = self.completed.as_mut().filter(due) else { return };
        last.look = None;
        if context.game.len() != last.ply || alerts.is_over(context) {
            return;
        }
        // Whatever stands there once the clock has been stopped, the arbiter has seen.
        if context.clock.times.is_some() && context.clock.running.is_none() {
            return;
        }
        let shown = exchanged(last, context);
        if let Some(chosen) = shown.filter(|_| shown == last.shown)
            && let Some(first) = last.m.promotion()
        {
            last.is_reported = true;
            let builder = build(last.side, last.ply, last.m.to(), [first, chosen], context);
            alerts.raise(at_press(builder, last.pressed_at), context);
            return;
        }
        last.shown = shown;
        last.look = Some(next_look(last.pressed_at, context.now));
    }
}

/// Returns what stands on the promotion square in place of the piece that was chosen, where all else is as it was.
fn exchanged(last: &Promotion, context: &RuleContext<'_>) -> Option<Role> {
    if context.clock.running == Some(last.side) {
        return None;
    }
    let to = last.m.to();
    let piece = context.sensed.piece_at(to).filter(|piece| promotable(*piece, last.side))?;
    let differs = differences(context.game.position().board(), context.sensed);
    (differs == Bitboard::from_square(to)).then_some(piece.role)
}

impl PromotionChoice {
    fn look(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some((m @ Move::Normal { to, promotion: Some(chosen), .. }, ply)) =
            context.completed_move(pressed)
        else {
            return;
        };
        let (side, pressed_at) = (pressed.side, pressed.at);
        self.completed = Some(Promotion {
            ply: pressed.ply,
            side,
            pressed_at,
            m,
            is_gone: false,
            look: Some(next_look(pressed_at, context.now)),
            shown: None,
            is_reported: false,
        });
        if let Some(first) = first_choice(pressed, to, chosen, context) {
            let builder = build(side, pressed.ply, to, [first, chosen], context);
            alerts.raise(at_press(builder, pressed_at).fact("move", ply.san.as_str()), context);
        }
    }

    /// Compares a ply with the one that was completed in its place: another piece stands there now.
    fn compare(&mut self, number: u32, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(last) = self.completed.take_if(|last| last.is_gone && last.ply == number) else { return };
        if last.is_reported {
            return;
        }
        let Some(ply) = context.game.ply(number).filter(|ply| ply.side == last.side) else { return };
        let Played::Legal(m) = &ply.played else { return };
        let (Some(chosen), Some(first)) = (m.promotion(), last.m.promotion()) else { return };
        if (m.from(), m.to()) == (last.m.from(), last.m.to()) && chosen != first {
            let builder = build(last.side, number, m.to(), [first, chosen], context);
            alerts.raise(at_press(builder, last.pressed_at).fact("move", ply.san.as_str()), context);
        }
    }
}

fn at_press(builder: AlertBuilder, pressed_at: Timestamp) -> AlertBuilder {
    AlertBuilder { pressed_at: Some(pressed_at), ..builder }.fact("pressed_at", pressed_at.as_secs())
}

fn build(
    side: Color,
    ply: u32,
    square: Square,
    [first, chosen]: [Role; 2],
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let code = Code::PromotionChoiceChanged;
    let square = square.to_string();
    let values = [
        ("side", context.side(side)),
        ("first", &context.coloured(first.of(side))),
        ("chosen", &context.coloured(chosen.of(side))),
        ("square", square.as_str()),
        ("article", context.laws.article(code).unwrap_or_default()),
        ("duty", context.laws.topic(Topic::PromotionChosen)),
    ];
    AlertBuilder::new(code, side, ply, context.say(Phrase::PromotionChoice, &values))
        .confidence(Confidence::Likely)
        .act(&context.say(Phrase::FirstChoice, &values))
        .act(&obligation::on_request(code, side, context))
        .fact("square", square.clone())
        .fact("first", first.char().to_string())
}

/// Returns the piece that stood on the promotion square first, if it is not the one that was chosen.
///
/// A tag that flickers for less than a scan is no choice, and neither is a piece of the wrong colour.
fn first_choice(pressed: &Pressed, to: Square, chosen: Role, context: &RuleContext<'_>) -> Option<Role> {
    let attempt = Attempt::last(pressed)?;
    attempt.changes().iter().enumerate().find_map(|(index, place)| {
        let piece = place.is.filter(|piece| place.square == to && promotable(*piece, pressed.side))?;
        let departure = attempt.changes().iter().skip(index + 1).find(|change| change.square == to)?;
        (piece.role != chosen && departure.at.since(place.at) > context.scan).then_some(piece.role)
    })
}

const fn promotable(piece: Piece, side: Color) -> bool {
    let own = matches!((piece.color, side), (Color::White, Color::White) | (Color::Black, Color::Black));
    own && !matches!(piece.role, Role::King | Role::Pawn)
}
