//! A flag that has fallen (Art. 6.9), and two of them (Guidelines III.3.1; 2009 and 2014: Art. 6.11).

use std::time::Duration;

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
    alert::{Code, Confidence, Party},
    fact::Fact,
    laws::{Control, Topic},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "flag-fall",
    codes: &[Code::FlagFall, Code::FlagFallDraw, Code::BothFlags],
    summary: "The clock shows a fallen flag, and the moves of the period had not been completed.",
    new: || Box::new(FlagFall::default()),
};

/// A clock that blocks stands still from that very report on. One that says it is blocked and runs contradicts itself;
/// so long it may make up its mind.
const CONTRADICTION: Duration = Duration::from_millis(1500);

#[derive(Debug, Default)]
struct FlagFall {
    /// How many flags of each side have fallen at the end of a period.
    periods: ByColor<usize>,
    /// When each flag fell for good.
    fallen: ByColor<Option<Timestamp>>,
    fresh: Option<Fresh>,
    waiting: Waiting<Matter>,
}

/// A flag that is to be reported as soon as it is known what follows from it.
#[derive(Clone, Copy, Debug)]
struct Matter {
    side: Color,
    confidence: Confidence,
    /// Seconds that the player has got for a further period.
    added: Option<u32>,
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
    /// The clock said that it is blocked, and ran.
    contradictory: bool,
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
            // It stands still after all: nothing more to wait for than what the board senses late.
            Fact::ClockStopped => {
                if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.contradictory) {
                    fresh.contradictory = false;
                    fresh.due = fresh.due.min(scene.now + scene.settle);
                }
            }
            _ => {}
        }
    }

    fn on_answer(&mut self, alert: u32, answer: Winnability, scene: &Scene<'_>, alerts: &mut Alerts) {
        if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.alert == alert) {
            fresh.answer = Some(answer);
        } else if let Some(matter) = self.waiting.take(alert) {
            raise(alert, matter, answer, scene, alerts);
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
        for (alert, matter) in self.waiting.take_due(scene.now) {
            raise(alert, matter, Winnability::Unknown, scene, alerts);
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
                let contradictory = blocked && scene.clock.running.is_some();
                let wait = if contradictory { CONTRADICTION } else { scene.settle };
                let (due, plies) = (scene.now + wait, scene.game.len());
                self.fresh = Some(Fresh { side, due, alert, plies, answer, contradictory });
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
        // A blocked clock does not run for the opponent, and one that has gone on to a further period shows its time:
        // then the display, not this report, has to decide.
        let runs_on = fresh.contradictory && scene.clock.running == Some(!side);
        let added = scene.clock.times.map(|times| times.of(side)).filter(|left| *left > 0);
        let added = added.filter(|_| scene.event.time_control.is_none());
        let doubtful = runs_on || added.is_some();
        let confidence = if doubtful { Confidence::Possible } else { Confidence::Certain };
        let matter = Matter { side, confidence, added };
        let (alert, answer) = if plies == scene.game.len() {
            (fresh.alert, fresh.answer)
        } else {
            waiting::inquire(scene.game.position(), !side, scene, alerts)
        };
        match answer {
            Some(answer) => raise(alert, matter, answer, scene, alerts),
            None => self.waiting.hold(alert, matter, scene.now),
        }
    }
}

fn raise(alert: u32, matter: Matter, answer: Winnability, scene: &Scene<'_>, alerts: &mut Alerts) {
    let Matter { side, confidence, added } = matter;
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
    let mut draft = waiting::settle(draft, answer, !side, scene).confidence(confidence);
    if let Some(due) = moves_due(side, scene) {
        let done = scene.game.completed_moves(side).to_string();
        let values = [("done", done.as_str()), ("due", &due.to_string())];
        draft = draft.fact("moves_due", due).sentence(&scene.say(Phrase::MovesNotDone, &values));
    }
    let draft = match added {
        Some(seconds) => draft
            .fact("added_s", seconds)
            .sentence(&scene.say(Phrase::FlagNewPeriod, &[("time", &scene.span(seconds))])),
        None if confidence == Confidence::Possible => draft.sentence(&scene.say(Phrase::FlagRunsOn, &[])),
        None => draft,
    };
    let draft = if scene.laws.claim_only() {
        draft.fact("claim_only", true).sentence(&scene.say(Phrase::DoNotCall, &values))
    } else {
        draft
    };
    let times = scene.clock.times.map(|times| json!({ "white": times.white, "black": times.black }));
    alerts.raise(draft.maybe_fact("clock", times), scene);
}

/// Returns the moves that should have been completed when this flag fell, if that was not the last period.
fn moves_due(side: Color, scene: &Scene<'_>) -> Option<u32> {
    let control = scene.event.time_control.as_ref()?;
    let done = u32::try_from(scene.game.completed_moves(side)).unwrap_or(u32::MAX);
    (0..control.periods().len()).filter_map(|flag| control.moves_due(flag)).find(|due| *due > done)
}

fn raise_both(first: Option<Color>, scene: &Scene<'_>, alerts: &mut Alerts) {
    let code = Code::BothFlags;
    let article = scene.laws.article(code).unwrap_or_default();
    let values = [("side", first.map_or("", |first| scene.side(first))), ("article", article)];
    let control = scene.event.time_control.as_ref();
    let last_period = control.is_none_or(|control| {
        let moves = Color::ALL.into_iter().map(|side| scene.game.completed_moves(side)).min().unwrap_or(0);
        control.is_last_period(u32::try_from(moves).unwrap_or(u32::MAX))
    });
    let guidelines = scene.event.quickplay_finish
        && scene.laws.control() != Control::Blitz
        && control.is_none_or(|control| !control.has_increment());
    let ruled = guidelines || !scene.laws.both_flags_need_guidelines();
    let phrase = match (scene.laws.both_flags_draw_at_once(), first) {
        (true, _) => Phrase::BothFlagsDraw,
        (false, Some(_)) => Phrase::BothFlagsKnown,
        (false, None) if !last_period => Phrase::BothFlagsGoOn,
        (false, None) if ruled => Phrase::BothFlagsDraw,
        (false, None) => Phrase::BothFlagsUnruled,
    };
    let order = first.map_or("unknown", crate::event::side_name);
    let draft = Draft::new(code, Party::Both, scene.game.len(), scene.say(phrase, &values));
    let draft = draft.fact("first", Value::from(order));
    alerts.raise(if phrase == Phrase::BothFlagsDraw { draft.propose_result(None) } else { draft }, scene);
}
