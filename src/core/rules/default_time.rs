//! A player of whom nothing has been seen until the default time (Art. 6.7.1).

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Confidence, code::Code, fact::Fact, order::Order, time::Timestamp};

pub(super) const SPEC: Spec = Spec {
    id: "default-time",
    codes: &[Code::DefaultTime],
    summary: "A player has neither touched a piece nor pressed from the start of his clock to the default time.",
    hears: Facts::ALL,
    new: || Box::new(DefaultTime::default()),
};

#[derive(Debug, Default)]
struct DefaultTime {
    players: ByColor<Attendance>,
    /// What was known of a player before an order said that he has arrived.
    before_order: ByColor<Option<Attendance>>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Attendance {
    /// His clock has not run.
    #[default]
    Absent,
    /// He loses when this is past.
    Awaited(Timestamp),
    /// He was seen, or has been reported.
    Settled,
}

impl Rule for DefaultTime {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, _alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended => self.players = ByColor { white: Attendance::Settled, black: Attendance::Settled },
            Fact::Touched { side, .. } => self.seen(*side),
            Fact::Made { ply } => {
                if let Some(ply) = context.game.ply(*ply) {
                    self.seen(ply.side);
                }
            }
            Fact::Pressed(pressed) => self.seen(pressed.side),
            _ => {}
        }
        if context.clock.running.is_some() {
            self.begin(context);
        }
    }

    fn on_order(&mut self, order: &Order, context: &RuleContext<'_>, _alerts: &mut AlertStore) {
        match order {
            Order::Arrived { side } => {
                let side = (*side).into();
                let before = *self.players.get(side);
                self.seen(side);
                *self.before_order.get_mut(side) = Some(before);
            }
            Order::RoundStarted => self.begin(context),
            _ => {}
        }
    }

    fn on_undo(&mut self, order: &Order, context: &RuleContext<'_>) {
        match order {
            Order::Arrived { side } => {
                let side = (*side).into();
                if let Some(before) = self.before_order.get_mut(side).take() {
                    *self.players.get_mut(side) = before;
                }
            }
            Order::RoundStarted if context.clock.running.is_none() => {
                for player in [&mut self.players.white, &mut self.players.black] {
                    if matches!(player, Attendance::Awaited(_)) {
                        *player = Attendance::Absent;
                    }
                }
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.awaited().map(|(_, at)| at).min().map(|at| (at, "the default time is over"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let due: Vec<Color> =
            self.awaited().filter(|(_, at)| *at <= context.now).map(|(side, _)| side).collect();
        let both = due.len() == 2;
        for side in due {
            self.seen(side);
            let code = Code::DefaultTime;
            let time = context.span(context.event.default_time_s.unwrap_or_default());
            let article = context.laws.article(code).unwrap_or_default();
            let values = [("side", context.side(side)), ("time", time.as_str()), ("article", article)];
            let builder =
                AlertBuilder::new(code, side, context.game.len(), context.say(Phrase::DefaultTime, &values));
            let note = if both { context.say(Phrase::BothLate, &[]) } else { String::new() };
            let builder = builder.act(&context.say(Phrase::HasArrived, &values)).act(&note);
            alerts.raise(builder.confidence(Confidence::Possible), context);
        }
    }
}

impl DefaultTime {
    /// The session starts for both players when the round does, or else when the first clock of the board runs.
    fn begin(&mut self, context: &RuleContext<'_>) {
        let Some(span) = context.event.default_time_s.filter(|span| *span > 0) else { return };
        let due = context.now + Duration::from_secs(span.into());
        for player in [&mut self.players.white, &mut self.players.black] {
            if matches!(player, Attendance::Absent) {
                *player = Attendance::Awaited(due);
            }
        }
    }

    fn seen(&mut self, side: Color) {
        *self.players.get_mut(side) = Attendance::Settled;
        *self.before_order.get_mut(side) = None;
    }

    fn awaited(&self) -> impl Iterator<Item = (Color, Timestamp)> {
        self.players.zip_color().into_iter().filter_map(|(side, player)| match player {
            Attendance::Awaited(at) => Some((side, at)),
            Attendance::Absent | Attendance::Settled => None,
        })
    }
}
