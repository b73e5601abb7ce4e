//! The last two minutes of a game without increment (Guidelines III.4; 2014: G.4; 2009: Art. 10.2).

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    store::{AlertStore, StoredAlert},
    text::Phrase,
};
use crate::{
    code::Code,
    fact::Fact,
    laws::Control,
    order::{Ground, OrderError},
    side::side_name,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "quickplay",
    codes: &[Code::QpfEligible],
    summary: "The player to move has less than two minutes left in the last period, and no increment.",
    hears: Facts::TIME
        .and(Facts::PLAY_STARTED)
        .and(Facts::CLOCK_STARTED)
        .and(Facts::PRESSED)
        .and(Facts::MADE)
        .and(Facts::GAME_STARTED)
        .and(Facts::ENDED)
        .and(Facts::CLOCK_STOPPED),
    new: || Box::new(Quickplay::default()),
};

/// A player with less than this may make a request or a claim, seconds.
pub(super) const LAST_S: u32 = 120;

#[derive(Debug, Default)]
struct Quickplay {
    /// When the running side will have less than two minutes.
    due: Option<Timestamp>,
    /// For whom it has been reported.
    reported: ByColor<bool>,
}

impl Rule for Quickplay {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::PlayStarted | Fact::ClockStarted { .. } | Fact::Pressed(_) | Fact::Made { .. } => {
                self.watch(context, alerts);
            }
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended | Fact::ClockStopped => self.due = None,
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.due.map(|due| (due, "less than two minutes are left"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.due = None;
        self.watch(context, alerts);
    }
}

impl Quickplay {
    /// Raises the alert, or waits until the running side's time has come down.
    fn watch(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.due = None;
        let granted = alerts.increment;
        let wanted =
            |side| applies(side, granted, context) && !self.reported.get(side) && !alerts.is_over(context);
        let Some((side, remaining)) = running(context).filter(|(side, _)| wanted(*side)) else { return };
        if remaining >= LAST_S {
            self.due = Some(context.now + Duration::from_secs((remaining - LAST_S + 1).into()));
        } else if remaining > 0 {
            let code = Code::QpfEligible;
            let article = context.laws.article(code).unwrap_or_default();
            let request = context.laws.has_quickplay_request();
            let phrase = if request { Phrase::Quickplay } else { Phrase::QuickplayClaimOnly };
            let text = context.say(phrase, &[("side", context.side(side)), ("article", article)]);
            let builder = AlertBuilder::new(code, side, context.game.len(), text).fact("left_s", remaining);
            *self.reported.get_mut(side) = alerts.raise(builder, context).is_some();
        }
    }
}

/// Checks that a player may claim: with less than two minutes left, and before the flag has fallen.
///
/// # Errors
///
/// Returns an error with the reason if it is too early, or too late.
pub(super) fn has_last_minutes(side: Color, context: &RuleContext<'_>) -> Result<(), OrderError> {
    let remaining = context.clock.times.map(|times| times.of(side));
    let name = side_name(side);
    let reason = match remaining {
        Some(0) => format!("{name}'s flag has fallen: a claim had to be made before"),
        _ if *context.clock.flags.get(side) => {
            format!("{name}'s flag has fallen: a claim had to be made before")
        }
        Some(remaining) if remaining < LAST_S => return Ok(()),
        _ => format!("{name} does not have less than two minutes left"),
    };
    Err(OrderError::Refused(reason))
}

/// Says on which ground a claim was made, where that was entered.
pub(super) fn ground_words(ground: Option<Ground>, context: &RuleContext<'_>) -> String {
    match ground {
        Some(Ground::NormalMeans) => context.say(Phrase::GroundMeans, &[]),
        Some(Ground::NoEffort) => context.say(Phrase::GroundEffort, &[]),
        None => String::new(),
    }
}

fn running(context: &RuleContext<'_>) -> Option<(Color, u32)> {
    let side = context.clock.running?;
    Some((side, context.clock.times?.of(side)))
}

/// Returns whether a quickplay finish may be asked for by this side.
///
/// `granted` says that an increment was introduced at a request. In a game of which the beginning was not seen it may be
/// asked for in any period, as nobody knows which one it is.
pub(super) fn may_apply(side: Color, granted: bool, context: &RuleContext<'_>) -> bool {
    can_apply(granted, context) && (context.hides_period() || is_last_period(side, context))
}

/// Checks that a quickplay finish may be asked for by this side; `granted` as in [`may_apply`].
///
/// # Errors
///
/// Returns an error with the reason if not.
pub(super) fn check_applies(side: Color, granted: bool, context: &RuleContext<'_>) -> Result<(), OrderError> {
    if may_apply(side, granted, context) {
        return Ok(());
    }
    let reason = if context.laws.control() == Control::Blitz {
        "the rules of the quickplay finish do not apply in blitz"
    } else {
        "a quickplay finish needs a time control without increment, its last period, and an announcement"
    };
    Err(OrderError::Refused(reason.to_owned()))
}

/// Returns whether a quickplay finish surely applies to this side.
fn applies(side: Color, granted: bool, context: &RuleContext<'_>) -> bool {
    can_apply(granted, context) && is_last_period(side, context)
}

/// Returns whether the moves completed, those that were seen at least, lead to the last period.
fn is_last_period(side: Color, context: &RuleContext<'_>) -> bool {
    let moves = u32::try_from(context.game.completed_moves(side)).unwrap_or(u32::MAX);
    context.event.time_control.as_ref().is_some_and(|control| control.is_last_period(moves))
}

fn can_apply(granted: bool, context: &RuleContext<'_>) -> bool {
    let Some(control) = &context.event.time_control else { return false };
    let announced = context.event.quickplay_finish || !context.laws.quickplay_must_be_announced();
    let allowed = context.laws.article(Code::QpfEligible).is_some() && context.laws.has_quickplay_finish();
    announced && allowed && !granted && !control.has_increment()
}

/// Returns the ground of an open claim, where it was entered.
pub(super) fn open_ground(claim: Option<&str>, alerts: &AlertStore) -> Option<Ground> {
    let alert = claim.and_then(|id| alerts.number(id)).and_then(|number| alerts.alert(number))?;
    let ground = alert.facts.get("ground")?.as_str()?;
    [Ground::NormalMeans, Ground::NoEffort].into_iter().find(|known| known.name() == ground)
}

/// Returns the claim of a side that waits for a decision.
pub(super) fn open_claim(side: Color, alerts: &AlertStore) -> Option<String> {
    let claims = |entry: &&StoredAlert| {
        entry.code == Code::QpfEligible
            && entry.is_of(side)
            && alerts.alert(entry.number).is_some_and(|alert| alert.facts.contains_key("claim"))
    };
    alerts.entries().filter(|entry| alerts.is_current(entry)).find(claims).map(|entry| entry.id.clone())
}
