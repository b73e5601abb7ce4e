//! A player of whom nothing has been seen until the default time (Art. 6.7.1).

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Confidence},
    fact::Fact,
    order::Order,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "default-time",
    codes: &[Code::DefaultTime],
    summary: "A player has neither touched a piece nor pressed from the start of his clock to the default time.",
    new: || Box::new(DefaultTime::default()),
};

#[derive(Debug, Default)]
struct DefaultTime {
    players: ByColor<Player>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Player {
    /// His clock has not run.
    #[default]
    Absent,
    /// He loses when this is past.
    Awaited(Timestamp),
    /// He was seen, or has been reported.
    Settled,
}

impl Rule for DefaultTime {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, _alerts: &mut Alerts) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended => self.players = ByColor { white: Player::Settled, black: Player::Settled },
            Fact::Touched { side, .. } => self.seen(*side),
            Fact::Made { ply } => {
                if let Some(ply) = scene.game.ply(*ply) {
                    self.seen(ply.side);
                }
            }
            Fact::Pressed(pressed) => self.seen(pressed.side),
            _ => {}
        }
        if let (Some(span), Some(side)) = (scene.event.default_time_s, scene.clock.running)
            && let player @ Player::Absent = self.players.get_mut(side)
        {
            *player = Player::Awaited(scene.now + Duration::from_secs(span.into()));
        }
    }

    fn on_order(&mut self, order: &Order, _scene: &Scene<'_>, _alerts: &mut Alerts) {
        if let Order::Arrived { side } = order {
            self.seen((*side).into());
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.awaited().map(|(_, at)| at).min().map(|at| (at, "the default time is over"))
    }

    fn on_deadline(&mut self, scene: &Scene<'_>, alerts: &mut Alerts) {
        let due: Vec<Color> =
            self.awaited().filter(|(_, at)| *at <= scene.now).map(|(side, _)| side).collect();
        for side in due {
            self.seen(side);
            let code = Code::DefaultTime;
            let time = scene.span(scene.event.default_time_s.unwrap_or_default());
            let article = scene.laws.article(code).unwrap_or_default();
            let values = [("side", scene.side(side)), ("time", time.as_str()), ("article", article)];
            let draft = Draft::new(code, side, scene.game.len(), scene.say(Phrase::DefaultTime, &values));
            alerts.raise(draft.confidence(Confidence::Possible), scene);
        }
    }
}

impl DefaultTime {
    fn seen(&mut self, side: Color) {
        *self.players.get_mut(side) = Player::Settled;
    }

    fn awaited(&self) -> impl Iterator<Item = (Color, Timestamp)> {
        self.players.zip_color().into_iter().filter_map(|(side, player)| match player {
            Player::Awaited(at) => Some((side, at)),
            Player::Absent | Player::Settled => None,
        })
    }
}
