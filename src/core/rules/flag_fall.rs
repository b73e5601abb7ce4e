//! A flag that has fallen (Art. 6.9), and two of them (Guidelines III.3.1; 2009 and 2014: Art. 6.11).

use serde_json::{Value, json};
use shakmaty::{ByColor, Color};

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    mating::Winnability,
    offence, quickplay,
    store::{AlertStore, StoredAlert},
    text::Phrase,
    waiting::{self, WaitingAlerts},
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::Fact,
    laws::{Control, Topic},
    model::wait,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "flag-fall",
    codes: &[Code::FlagFall, Code::FlagFallDraw, Code::BothFlags],
    summary: "The clock shows a fallen flag, and the moves of the period had not been completed.",
    hears: Facts::TIME
        .and(Facts::GAME_STARTED)
        .and(Facts::ENDED)
        .and(Facts::FLAG)
        .and(Facts::CLOCK_STOPPED)
        .and(Facts::CLOCK_STARTED)
        .and(Facts::TOUCHED)
        .and(Facts::MADE),
    new: || Box::new(FlagFall::default()),
};

#[derive(Debug, Default)]
struct FlagFall {
    /// How many flags of each side have fallen at the end of a period.
    periods: ByColor<usize>,
    /// When each flag fell for good.
    fallen: ByColor<Option<Timestamp>>,
    fresh: Option<Fresh>,
    /// Who has touched a piece and not moved yet.
    moving: ByColor<bool>,
    waiting: WaitingAlerts<PendingFlagFall>,
    /// When the clock was stopped or started last, so that its times may have been set.
    set_at: Timestamp,
}

/// A flag that is to be reported as soon as it is known what follows from it.
#[derive(Clone, Copy, Debug)]
struct PendingFlagFall {
    side: Color,
    confidence: Confidence,
    /// Seconds that the player has got for a further period.
    added: Option<u32>,
    /// Nobody knows whether the moves of the period were completed.
    uncounted: bool,
    /// When the clock was last stopped or started before it.
    set_at: Timestamp,
}

/// A flag that was shown just now; what the board senses late may still show a mate that came first.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    side: Color,
    shown: Timestamp,
    due: Timestamp,
    /// The question whether the opponent can mate is under way: for this alert, after so many plies.
    alert: u32,
    plies: u32,
    answer: Option<Winnability>,
    /// The clock said that it is blocked, and ran.
    contradictory: bool,
    /// It ran on for the opponent.
    ran_on: bool,
    /// The clock says that there is no further period.
    blocked: bool,
}

impl Fresh {
    /// Returns whether the clock runs on for the opponent, or has.
    fn runs_on(&self, context: &RuleContext<'_>) -> bool {
        self.contradictory && (self.ran_on || context.clock.running == Some(!self.side))
    }
}

impl Rule for FlagFall {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match *fact {
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended => {
                self.fresh = None;
                self.waiting.clear();
            }
            Fact::Flag { side, blocked } => self.fall(side, blocked, context, alerts),
            Fact::Touched { side, .. } => {
                *self.moving.get_mut(side) = true;
                self.wait_for_move_of(side);
            }
            Fact::Made { ply } => {
                if let Some(side) = context.game.ply(ply).map(|ply| ply.side) {
                    *self.moving.get_mut(side) = false;
                    self.wait_for_move_of(side);
                }
            }
            Fact::ClockStarted { .. } => self.set_at = context.now,
            // It stands still after all: nothing more to wait for than what the board senses late.
            Fact::ClockStopped => {
                if self.fresh.is_none() && self.fallen.iter().all(Option::is_none) {
                    self.set_at = context.now;
                }
                if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.contradictory) {
                    fresh.contradictory = false;
                    fresh.due = fresh.due.min(context.now + context.settle);
                }
            }
            _ => {}
        }
    }

    fn on_answer(
        &mut self,
        alert: u32,
        answer: Winnability,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.alert == alert) {
            fresh.answer = Some(answer);
        } else if let Some(pending) = self.waiting.take(alert) {
            raise(alert, pending, answer, context, alerts);
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let fresh = self.fresh.map(|fresh| (fresh.due, "a flag may have fallen after mate"));
        fresh.into_iter().chain(self.waiting.deadline()).min()
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if let Some(fresh) = self.fresh.take_if(|fresh| fresh.due <= context.now) {
            let due = fresh.shown + wait::FLAG_SEEN;
            if fresh.runs_on(context) && context.now < due {
                self.fresh = Some(Fresh { due, ran_on: true, ..fresh });
            } else {
                self.decide(fresh, context, alerts);
            }
        }
        for (alert, pending) in self.waiting.take_due(context.now) {
            raise(alert, pending, Winnability::Unknown, context, alerts);
        }
    }
}

impl FlagFall {
    fn fall(&mut self, side: Color, blocked: bool, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if self.fallen.get(side).is_some() || !blocked && self.ends_a_period(side, context) {
            return;
        }
        self.fallen.get_mut(side).replace(context.now);
        match *self.fallen.get(!side) {
            None => {
                let (alert, answer) = waiting::inquire(context.game.position(), !side, context, alerts);
                let contradictory = blocked && context.clock.running.is_some();
                let (shown, plies) = (context.now, context.game.len());
                let due = shown + context.settle;
                self.fresh = Some(Fresh {
                    side,
                    shown,
                    due,
                    alert,
                    plies,
                    answer,
                    contradictory,
                    ran_on: false,
                    blocked,
                });
                if *self.moving.get(side) {
                    self.wait_for_move_of(side);
                }
            }
            // One report showed both: which was first cannot be known, and neither has lost yet.
            Some(first) if first == context.now => {
                self.fresh = None;
                raise_both(None, context, alerts);
            }
            Some(_) => {
                if let Some(first) = self.fresh.take() {
                    self.decide(first, context, alerts);
                }
                raise_both(Some(!side), context, alerts);
            }
        }
    }

    /// A player who goes on to move may press yet: only then does it show whether the clock really blocks.
    fn wait_for_move_of(&mut self, side: Color) {
        if let Some(fresh) = self.fresh.as_mut().filter(|fresh| fresh.contradictory && fresh.side == side) {
            fresh.due = fresh.due.max(fresh.shown + wait::CONTRADICTION);
        }
    }

    /// Returns whether the flag only ends a period whose moves have been completed.
    fn ends_a_period(&mut self, side: Color, context: &RuleContext<'_>) -> bool {
        let Some(control) = &context.event.time_control else { return false };
        let due = control.moves_due(*self.periods.get(side)).and_then(|moves| usize::try_from(moves).ok());
        let ends = due.is_some_and(|due| context.game.completed_moves(side) >= due);
        *self.periods.get_mut(side) += usize::from(ends);
        ends
    }

    fn decide(&mut self, fresh: Fresh, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        // Mate, stalemate and the like came first (Art. 6.9).
        if alerts.is_over(context) {
            return;
        }
        let Fresh { side, plies, .. } = fresh;
        // A blocked clock does not run for the opponent, unless players stop it at once, and one that has gone on to a further period shows its
        // time: then the display, not this report, has to decide.
        let runs_on = fresh.runs_on(context);
        let added = context.clock.times.map(|times| times.of(side)).filter(|remaining| *remaining > 0);
        let added = added.filter(|_| context.event.time_control.is_none());
        let uncounted = context.hides_period() && !fresh.blocked;
        let doubtful = runs_on || added.is_some() || uncounted;
        let confidence = if doubtful { Confidence::Possible } else { Confidence::Certain };
        let pending = PendingFlagFall { side, confidence, added, uncounted, set_at: self.set_at };
        let (alert, answer) = if plies == context.game.len() {
            (fresh.alert, fresh.answer)
        } else {
            waiting::inquire(context.game.position(), !side, context, alerts)
        };
        match answer {
            Some(answer) => raise(alert, pending, answer, context, alerts),
            None => self.waiting.hold(alert, pending, context.now),
        }
    }
}

fn raise(
    alert: u32,
    pending: PendingFlagFall,
    answer: Winnability,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) {
    let PendingFlagFall { side, confidence, added, uncounted, set_at } = pending;
    let drawn = answer == Winnability::Unwinnable;
    let code = if drawn { Code::FlagFallDraw } else { Code::FlagFall };
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("article", context.laws.article(code).unwrap_or_default()),
        ("authority", context.laws.authority(code).unwrap_or_default()),
        ("claim", context.laws.topic(Topic::ClaimOnTime)),
    ];
    // A claim is decided when either flag has fallen (Guidelines III.5.2).
    let own_claim = quickplay::open_claim(side, alerts);
    let is_own = own_claim.is_some();
    let claim = own_claim.or_else(|| quickplay::open_claim(!side, alerts));
    let due = alerts.penalised_since(!side, set_at, context.laws);
    let phrase = match (context.laws.flag_is_claimed(), drawn) {
        _ if is_own => Phrase::FlagClaimPending,
        _ if claim.is_some() => Phrase::FlagOtherClaimPending,
        (true, _) => Phrase::FlagShown,
        _ if due.is_some() => Phrase::FlagBeforeSetting,
        (false, true) => Phrase::FlagFallDraw,
        (false, false) => Phrase::FlagFall,
    };
    let mut builder = AlertBuilder::new(code, side, context.game.len(), context.say(phrase, &values));
    builder.number = Some(alert);
    let mut builder = waiting::settle(builder, answer, !side, context).confidence(confidence);
    if uncounted {
        builder = builder.fact("counted_since", "adoption");
    } else if let Some(due) = moves_due(side, context).filter(|_| !context.game.is_adopted()) {
        let done = context.game.completed_moves(side).to_string();
        let values = [("done", done.as_str()), ("due", &due.to_string())];
        builder = builder.fact("moves_due", due).also(&context.say(Phrase::MovesNotDone, &values));
    }
    builder = match added {
        Some(seconds) => builder
            .fact("added_s", seconds)
            .act(&context.say(Phrase::FlagNewPeriod, &[("time", &context.span(seconds))])),
        None if uncounted => builder.act(&context.say(Phrase::CountMoves, &[])),
        None if confidence == Confidence::Possible => builder.act(&context.say(Phrase::FlagRunsOn, &[])),
        None => builder,
    };
    let decides = confidence == Confidence::Certain && claim.is_none() && due.is_none();
    if let Some(claim) = claim {
        // The claim was made in time: the arbiter decides it although the flag has fallen.
        let values = [("authority", context.laws.topic(Topic::QuickplayAfterFlag))];
        builder = builder.fact("claim", claim).act(&context.say(Phrase::DecideClaim, &values));
        builder.proposal = None;
    }
    if let Some(rulings) = due {
        // The flag fell on times that the arbiter was still to set.
        let values = [
            ("side", context.side(side)),
            ("opponent", context.side(!side)),
            ("offence", context.laws.authority(Code::IllegalMove).unwrap_or_default()),
            ("article", context.laws.topic(Topic::ClockAfterIrregularity)),
        ];
        builder = builder.fact("time_due", rulings).act(&context.say(Phrase::TimeNotGiven, &values));
        builder.proposal = None;
    }
    builder = name_offences(builder, &[!side], context, alerts);
    builder = offence::name_set_up(builder, context, alerts);
    let builder = if context.laws.flag_is_claimed() {
        builder.fact("claim_only", true).act(&context.say(Phrase::DoNotCall, &values))
    } else if context.laws.calls_flag() && decides {
        builder.act(&context.say(Phrase::FlagCall, &values))
    } else {
        builder
    };
    let times = context.clock.times.map(|times| json!({ "white": times.white, "black": times.black }));
    alerts.raise(builder.maybe_fact("clock", times), context);
}

/// Names the open irregularities of the players who would lose by them: they are ruled on first.
fn name_offences(
    mut builder: AlertBuilder,
    offenders: &[Color],
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let mut ids: Vec<String> = Vec::new();
    let offence = context.laws.authority(Code::IllegalMove).unwrap_or_default();
    for side in offenders {
        let offences = alerts.offences(*side, context.laws);
        if !offences.is_empty() {
            let values = [("opponent", context.side(*side)), ("offence", offence)];
            builder = builder.act(&context.say(Phrase::OffenceOfWinner, &values));
        }
        ids.extend(offences.into_iter().map(|entry| entry.id.clone()));
    }
    builder.maybe_fact("open_offences", (!ids.is_empty()).then_some(ids))
}

/// Returns the moves that should have been completed when this flag fell, if that was not the last period.
fn moves_due(side: Color, context: &RuleContext<'_>) -> Option<u32> {
    let control = context.event.time_control.as_ref()?;
    let done = u32::try_from(context.game.completed_moves(side)).unwrap_or(u32::MAX);
    (0..control.periods().len()).filter_map(|flag| control.moves_due(flag)).find(|due| *due > done)
}

fn raise_both(first: Option<Color>, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let code = Code::BothFlags;
    let unknown = context.laws.topic(Topic::BothFlagsUnknown);
    let known = context.laws.article(Code::FlagFall).unwrap_or_default();
    let control = context.event.time_control.as_ref();
    let uncounted = context.hides_period();
    let last_period = control.is_none_or(|control| {
        let moves = Color::ALL.into_iter().map(|side| context.game.completed_moves(side)).min().unwrap_or(0);
        control.is_last_period(u32::try_from(moves).unwrap_or(u32::MAX))
    });
    let guidelines = context.event.quickplay_finish
        && context.laws.control() != Control::Blitz
        && control.is_none_or(|control| !control.has_increment());
    let ruled = guidelines || !context.laws.both_flags_need_guidelines();
    let phrase = match (context.laws.both_flags_draw_at_once(), first) {
        (true, _) => Phrase::BothFlagsDraw,
        (false, Some(_)) => Phrase::BothFlagsKnown,
        (false, None) if uncounted => Phrase::BothFlagsUnruled,
        (false, None) if !last_period => Phrase::BothFlagsGoOn,
        (false, None) if ruled => Phrase::BothFlagsDraw,
        (false, None) => Phrase::BothFlagsUnruled,
    };
    let order = first.map_or("unknown", crate::side::side_name);
    // Only where the order is unknown have the Guidelines (2014: Art. 6.11) anything to say.
    let by_guidelines = matches!(phrase, Phrase::BothFlagsDraw | Phrase::BothFlagsGoOn);
    // Without a time control nobody can know whether they apply.
    let article = if by_guidelines || control.is_none() { unknown } else { known };
    let values = [
        ("side", first.map_or("", |first| context.side(first))),
        ("article", if by_guidelines { unknown } else { known }),
        ("authority", unknown),
        ("claim", context.laws.topic(Topic::ClaimOnTime)),
    ];
    let mut builder = AlertBuilder::new(code, Party::Both, context.game.len(), context.say(phrase, &values));
    builder.article = Some(article.into());
    let mut builder = builder.fact("first", Value::from(order));
    if uncounted {
        let count = context.say(Phrase::CountMoves, &[]);
        builder = builder.confidence(Confidence::Possible).fact("counted_since", "adoption").act(&count);
    }
    let builder = match phrase {
        Phrase::BothFlagsDraw => builder.act(&context.say(Phrase::DeclareDrawn, &[])).propose_result(None),
        Phrase::BothFlagsUnruled => builder.act(&context.say(Phrase::LookAtClock, &values)),
        Phrase::BothFlagsKnown if context.laws.time_claim_needs_time() => {
            builder.act(&context.say(Phrase::ClaimNeedsTime, &values))
        }
        _ => builder,
    };
    let builder = name_offences(builder, &Color::ALL, context, alerts);
    let builder = offence::name_set_up(builder, context, alerts);
    let drawn = phrase == Phrase::BothFlagsDraw;
    if alerts.raise(builder, context).is_some() && drawn {
        // With both down neither can be claimed any more.
        let one = |entry: &StoredAlert| matches!(entry.code, Code::FlagFall | Code::FlagFallDraw);
        alerts.close(AlertState::Expired, context.now, one);
    }
}
