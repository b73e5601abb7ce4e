//! A flag that has fallen (Art. 6.9), and two of them (Guidelines III.3.1; 2009 and 2014: Art. 6.11).

use serde_json::{Value, json};
use shakmaty::{ByColor, Color};

use super::{
    Rule, Spec,
    draft::Draft,
    ledger::Alerts,
    mating::Winnability,
    scene::Scene,
    text::Phrase,
    waiting::{self, Waiting},
};
use crate::{
    alert::{Code, Party},
    fact::Fact,
    laws::Topic,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "flag-fall",
    codes: &[Code::FlagFall, Code::FlagFallDraw, Code::BothFlags],
    summary: "The clock shows a fallen flag, and the moves of the period had not been completed.",
    new: || Box::new(FlagFall::default()),
};

#[derive(Debug, Default)]
struct FlagFall {
    /// How many flags of each side have fallen at the end of a period.
    periods: ByColor<usize>,
    /// When each flag fell for good.
    fallen: ByColor<Option<Timestamp>>,
    fresh: Option<Fresh>,
    waiting: Waiting<Color>,
}

/// A flag that was shown just now; what the board senses late may still show a mate that came first.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    side: Color,
    due: Timestamp,
    /// The question whether the opponent can mate is under way: for this alert, after so many plies.
    alert: u32,
    plies: u32,
    answer: Option<Winnability>,
}

impl Rule for FlagFall {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        match *fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended => {
                self.fresh = None;
                self.waiting.clear();
            }
            Fact::Flag { side, blocked } => self.fall(side, blocked, scene, alerts),
            _ => {}
        }
    }

    fn on_answer(&mut self, alert: u32, answer: Winnability, scene: &Scene<'_>, alerts: &mut Alerts) {
        if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.alert == alert) {
            fresh.answer = Some(answer);
        } else if let Some(side) = self.waiting.take(alert) {
            raise(alert, side, answer, scene, alerts);
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let fresh = self.fresh.map(|fresh| (fresh.due, "a flag may have fallen after mate"));
        fresh.into_iter().chain(self.waiting.deadline()).min()
    }

    fn on_deadline(&mut self, scene: &Scene<'_>, alerts: &mut Alerts) {
        if let Some(fresh) = self.fresh.take_if(|fresh| fresh.due <= scene.now) {
            self.decide(fresh, scene, alerts);
        }
        for (alert, side) in self.waiting.take_due(scene.now) {
            raise(alert, side, Winnability::Unknown, scene, alerts);
        }
    }
}

impl FlagFall {
    fn fall(&mut self, side: Color, blocked: bool, scene: &Scene<'_>, alerts: &mut Alerts) {
        if self.fallen.get(side).is_some() || !blocked && self.ends_a_period(side, scene) {
            return;
        }
        self.fallen.get_mut(side).replace(scene.now);
        match *self.fallen.get(!side) {
            None => {
                let (alert, answer) = waiting::inquire(scene.game.position(), !side, scene, alerts);
                let (due, plies) = (scene.now + scene.settle, scene.game.len());
                self.fresh = Some(Fresh { side, due, alert, plies, answer });
            }
            // One report showed both: which was first cannot be told, and neither has lost yet.
            Some(first) if first == scene.now => {
                self.fresh = None;
                raise_both(None, scene, alerts);
            }
            Some(_) => {
                if let Some(first) = self.fresh.take() {
                    self.decide(first, scene, alerts);
                }
                raise_both(Some(!side), scene, alerts);
            }
        }
    }

    /// Tells whether the flag only ends a period whose moves have been completed.
    fn ends_a_period(&mut self, side: Color, scene: &Scene<'_>) -> bool {
        let Some(control) = &scene.event.time_control else { return false };
        let due = control.moves_due(*self.periods.get(side)).and_then(|moves| usize::try_from(moves).ok());
        let ends = due.is_some_and(|due| scene.game.completed_moves(side) >= due);
        *self.periods.get_mut(side) += usize::from(ends);
        ends
    }

    fn decide(&mut self, fresh: Fresh, scene: &Scene<'_>, alerts: &mut Alerts) {
        // Mate, stalemate and the like came first (Art. 6.9).
        if alerts.is_over(scene) {
            return;
        }
        let Fresh { side, plies, .. } = fresh;
        let (alert, answer) = if plies == scene.game.len() {
            (fresh.alert, fresh.answer)
        } else {
            waiting::inquire(scene.game.position(), !side, scene, alerts)
        };
        match answer {
            Some(answer) => raise(alert, side, answer, scene, alerts),
            None => self.waiting.hold(alert, side, scene.now),
        }
    }
}

fn raise(alert: u32, side: Color, answer: Winnability, scene: &Scene<'_>, alerts: &mut Alerts) {
    let drawn = answer == Winnability::Unwinnable;
    let code = if drawn { Code::FlagFallDraw } else { Code::FlagFall };
    let values = [
        ("side", scene.side(side)),
        ("opponent", scene.side(!side)),
        ("article", scene.laws.article(code).unwrap_or_default()),
        ("authority", scene.laws.authority(code).unwrap_or_default()),
        ("claim", scene.laws.topic(Topic::ClaimOnTime)),
    ];
    let phrase = if drawn { Phrase::FlagFallDraw } else { Phrase::FlagFall };
    let mut draft = Draft::new(code, side, scene.game.len(), scene.say(phrase, &values));
    draft.number = Some(alert);
    let draft = waiting::settle(draft, answer, !side, scene);
    let draft = if scene.laws.claim_only() {
        draft.fact("claim_only", true).sentence(&scene.say(Phrase::DoNotCall, &values))
    } else {
        draft
    };
    let times = scene.clock.times.map(|times| json!({ "white": times.white, "black": times.black }));
    alerts.raise(draft.maybe_fact("clock", times), scene);
}

fn raise_both(first: Option<Color>, scene: &Scene<'_>, alerts: &mut Alerts) {
    let code = Code::BothFlags;
    let article = scene.laws.article(code).unwrap_or_default();
    let values = [("side", first.map_or("", |first| scene.side(first))), ("article", article)];
    let last_period = scene.event.time_control.as_ref().is_none_or(|control| {
        let moves = Color::ALL.into_iter().map(|side| scene.game.completed_moves(side)).min().unwrap_or(0);
        control.is_last_period(u32::try_from(moves).unwrap_or(u32::MAX))
    });
    let drawn = scene.laws.both_flags_draw_at_once() || first.is_none() && last_period;
    let phrase = match (drawn, first) {
        (true, _) => Phrase::BothFlagsDraw,
        (false, Some(_)) => Phrase::BothFlagsKnown,
        (false, None) => Phrase::BothFlagsGoOn,
    };
    let order = first.map_or("unknown", crate::event::side_name);
    let draft = Draft::new(code, Party::Both, scene.game.len(), scene.say(phrase, &values));
    let draft = draft.fact("first", Value::from(order));
    alerts.raise(if drawn { draft.propose_result(None) } else { draft }, scene);
}
