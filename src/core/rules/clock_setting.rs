//! A clock whose setting does not fit the time control (Art. 6.10.2): times before the first move, increments, and the
//! time of a further period.

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, Pressed},
    laws::{Period, TimeControl},
    time::{ClockFace, Timestamp},
};

pub(super) const SPEC: Spec = Spec {
    id: "clock-setting",
    codes: &[Code::ClockSettingWrong],
    summary: "The clock shows other times, or adds others, than the time control of the event says.",
    hears: Facts::TIME
        .and(Facts::GAME_STARTED)
        .and(Facts::PLAY_STARTED)
        .and(Facts::FLAG)
        .and(Facts::PRESSED)
        .and(Facts::CLOCK_STARTED),
    new: || Box::new(ClockSetting::default()),
};

/// Seconds that may have gone before the clock was read, or that a tick hides.
const HIDDEN_S: u32 = 5;

/// Presses in a row that add something else, before it is said.
const SURE: u8 = 2;

/// Presses in a row that add nothing, or a second less, before it is said: a reading may have been missed.
const SURE_OF_LESS: u8 = 5;

/// More than this is no increment: it is the time of a further period.
const LONGEST_INCREMENT_S: u32 = 120;

/// Clocks add the time of a period within this after zero.
const ADDED_AT_ZERO: Duration = Duration::from_secs(3);

/// Pieces and pawns with which a game begins.
const PIECES: usize = 32;

#[derive(Debug, Default)]
struct ClockSetting {
    started: bool,
    reported_times: bool,
    reported_increment: bool,
    reported_period: ByColor<bool>,
    /// What presses in a row have added that is not the increment, and how often.
    other: Option<(u32, u8)>,
    less: u8,
    /// Whether the time of the next period has come for each side.
    added: ByColor<bool>,
    /// What each side's display showed after its last press, unless the clock has stood since: an arbiter may have set it then.
    remaining: ByColor<Option<u32>>,
    /// Whether each side's flag has been shown.
    flagged: ByColor<bool>,
    /// When the time of the next period is missed at zero, and after which move.
    zero: ByColor<Option<(Timestamp, u32)>>,
}

impl Rule for ClockSetting {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => {
                *self = Self::default();
                self.compare_times(context, alerts);
            }
            Fact::PlayStarted => {
                self.started = true;
                self.compare_times(context, alerts);
            }
            Fact::ClockStarted { .. } => self.remaining = ByColor::default(),
            Fact::Pressed(pressed) if pressed.seen && context.is_dated => {
                self.compare_meanwhile(pressed, context, alerts);
                self.compare_increment(pressed, context, alerts);
                self.close(pressed, context, alerts);
            }
            Fact::Flag { side, .. } => self.watch_flag(*side, context),
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let at = self.zero.iter().flatten().map(|(at, _)| *at).min()?;
        Some((at, "the time of the next period should have come"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        for side in Color::ALL {
            let due = self.zero.get_mut(side).take_if(|(at, _)| *at <= context.now);
            let Some((_, moves)) = due else { continue };
            let stands_at_zero = context.clock.times.is_some_and(|times| times.of(side) == 0);
            if stands_at_zero && !*self.reported_period.get(side) {
                *self.reported_period.get_mut(side) =
                    alerts.raise(missing(side, moves, context), context).is_some();
            }
        }
    }
}

impl ClockSetting {
    /// Remembers that a flag has fallen although the moves of the period are done: now the next one's time is due.
    fn watch_flag(&mut self, side: Color, context: &RuleContext<'_>) {
        let Some(control) = control(context) else { return };
        let done = u32::try_from(context.game.completed_moves(side)).unwrap_or(u32::MAX);
        let first = !std::mem::replace(self.flagged.get_mut(side), true);
        let due = control.moves_due(0).filter(|due| first && control.periods().len() > 1 && done >= *due);
        if let Some(due) = due {
            self.zero.get_mut(side).replace((context.now + ADDED_AT_ZERO, due));
        }
    }

    /// Compares what the displays show before the first move; what stood wrong at the set-up may be put right until then.
    fn compare_times(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(control) = control(context) else { return };
        let Some(times) = context.clock.times else { return };
        // Only a game that begins now has the whole time before it.
        let begins = context.game.is_empty() && is_initial(context) && !context.game.is_adopted();
        if !begins {
            return;
        }
        let base = first(control).base_s;
        // Some clocks add the increment of the first move before it.
        let most = base + first(control).increment_s;
        let fits = |side: Color| {
            let remaining = times.of(side);
            remaining <= most && remaining + HIDDEN_S >= base
        };
        if Color::ALL.into_iter().all(fits) {
            alerts.close(AlertState::Corrected, context.now, |entry| entry.code == Code::ClockSettingWrong);
            self.reported_times = false;
            return;
        }
        // What is far more or far less has still to be set, or is left of another game.
        let is_more = |side: Color| times.of(side) > most && times.of(side) <= base.saturating_mul(2);
        // Less on White's display may have been taken from White, who was late; nothing runs on Black's before White has moved (6.7.2).
        let is_less = times.white == times.black && times.white < base && times.white >= base / 2;
        let is_less_of_black = self.started && fits(Color::White) && times.black < base;
        if self.reported_times || !is_less && !is_less_of_black && !Color::ALL.into_iter().any(is_more) {
            return;
        }
        let party = match (fits(Color::White), fits(Color::Black)) {
            (true, false) => Color::Black.into(),
            (false, true) => Color::White.into(),
            _ => Party::Both,
        };
        let face = |seconds: u32| ClockFace(seconds.into()).to_string();
        let code = Code::ClockSettingWrong;
        let values = [
            ("white", &*face(times.white)),
            ("black", &*face(times.black)),
            ("base", &*face(base)),
            ("control", &*control.to_string()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let act = if self.started { Phrase::CorrectSetting } else { Phrase::CorrectBefore };
        let builder = AlertBuilder::new(code, party, 0, context.say(Phrase::ClockTimes, &values))
            .confidence(Confidence::Likely)
            .act(&context.say(act, &values))
            .fact("expected_s", base);
        self.reported_times = alerts.raise(builder, context).is_some();
    }

    fn compare_increment(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        // An increment may have been granted in the quickplay finish.
        let Some(control) = control(context).filter(|_| !alerts.increment) else { return };
        let moves = moves_at(pressed.side, pressed, context);
        let due = period_of(control, moves.saturating_sub(1)).increment_s;
        let added = pressed.increment_s;
        if added > LONGEST_INCREMENT_S {
            self.compare_period(pressed.side, added, control, pressed, context, alerts);
            return;
        }
        self.miss_period(moves, control, pressed, context, alerts);
        // A tick may hide a second.
        let is_less = added + 1 < due || added == 0 && due > 0;
        let times = self.other.filter(|(other, _)| *other == added).map_or(0, |(_, times)| times);
        self.other = (added > due).then_some((added, times.saturating_add(1)));
        self.less = if is_less { self.less.saturating_add(1) } else { 0 };
        let more = self.other.is_some_and(|(_, times)| times >= SURE);
        if self.reported_increment || !more && self.less < SURE_OF_LESS {
            return;
        }
        let code = Code::ClockSettingWrong;
        let values = [
            ("added", &*context.span(added)),
            ("due", &*context.span(due)),
            ("control", &*control.to_string()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let mut builder =
            AlertBuilder::new(code, Party::Both, pressed.ply, context.say(Phrase::ClockIncrement, &values))
                .confidence(Confidence::Likely)
                .act(&context.say(Phrase::CorrectSetting, &values))
                .fact("added_s", added)
                .fact("expected_s", due);
        builder.pressed_at = Some(pressed.at);
        self.reported_increment = alerts.raise(builder, context).is_some();
    }

    /// Looks whether the time of a further period has come to the player who waits, while the opponent's time ran.
    fn compare_meanwhile(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(times) = context.clock.times else { return };
        let waiting = !pressed.side;
        self.remaining.get_mut(pressed.side).replace(times.of(pressed.side));
        let Some(before) = *self.remaining.get(waiting) else { return };
        let added = times.of(waiting).saturating_sub(before);
        let Some(control) = control(context).filter(|_| added > LONGEST_INCREMENT_S) else { return };
        let next = next_due(control, moves_at(waiting, pressed, context)).map(|due| period_of(control, due));
        if next.is_some_and(|next| added.abs_diff(next.base_s) <= HIDDEN_S + next.increment_s) {
            self.compare_period(waiting, added, control, pressed, context, alerts);
        }
    }

    /// Compares the move at which the time of a further period has come to a side, and how much it is.
    fn compare_period(
        &mut self,
        side: Color,
        added: u32,
        control: &TimeControl,
        pressed: &Pressed,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        *self.added.get_mut(side) = true;
        let moves = moves_at(side, pressed, context);
        let Some(due) = next_due(control, moves) else { return };
        let next = period_of(control, due);
        // The increment comes with it, and ticks hide seconds.
        let fits = added.abs_diff(next.base_s) <= HIDDEN_S + next.increment_s;
        if due == moves && fits || *self.reported_period.get(side) {
            return;
        }
        let (phrase, added) = if due == moves {
            // A tick hides a second of it.
            let whole = added.next_multiple_of(60);
            (Phrase::PeriodOther, if whole - added <= 1 { whole } else { added })
        } else {
            (Phrase::PeriodElsewhere, if fits { next.base_s } else { added })
        };
        let code = Code::ClockSettingWrong;
        let values = [
            ("side", context.side(side)),
            ("added", &*context.span(added)),
            ("move", &*moves.to_string()),
            ("due", &*due.to_string()),
            ("base", &*context.span(next.base_s)),
            ("control", &*control.to_string()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let mut builder = AlertBuilder::new(code, side, pressed.ply, context.say(phrase, &values))
            .confidence(Confidence::Likely)
            .act(&context.say(Phrase::CorrectSetting, &values))
            .fact("added_s", added);
        builder.pressed_at = Some(pressed.at);
        *self.reported_period.get_mut(side) = alerts.raise(builder, context).is_some();
    }

    /// Reports that the time of the next period has not come with the last move of one. A clock that counts no moves adds it at zero: that
    /// this one counts them is known from the event, or from the other player's time.
    fn miss_period(
        &mut self,
        moves: u32,
        control: &TimeControl,
        pressed: &Pressed,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        let side = pressed.side;
        let counts = context.event.move_counter || *self.added.get(!side);
        let due = control.moves_due(0).filter(|due| control.periods().len() > 1 && *due == moves);
        if !counts || due.is_none() || *self.added.get(side) || *self.reported_period.get(side) {
            return;
        }
        let mut builder = missing(side, moves, context);
        (builder.ply, builder.pressed_at) = (pressed.ply, Some(pressed.at));
        *self.reported_period.get_mut(side) = alerts.raise(builder, context).is_some();
    }

    /// Without supervision the setting stands after so many moves (Art. A.5.1.2).
    fn close(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(moves) = context.laws.start_claim_moves() else { return };
        let upto = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
        let made =
            |side: Color| context.game.plies().iter().take(upto).filter(|ply| ply.side == side).count();
        if Color::ALL.into_iter().all(|side| made(side) >= moves) {
            (self.reported_times, self.reported_increment) = (true, true);
            self.reported_period = ByColor { white: true, black: true };
            alerts.close(AlertState::Expired, context.now, |entry| entry.code == Code::ClockSettingWrong);
        }
    }
}

/// Says that the time of the next period has not come.
fn missing(side: Color, moves: u32, context: &RuleContext<'_>) -> AlertBuilder {
    let code = Code::ClockSettingWrong;
    let values = [
        ("side", context.side(side)),
        ("move", &*moves.to_string()),
        ("article", context.laws.article(code).unwrap_or_default()),
        ("authority", context.laws.authority(code).unwrap_or_default()),
    ];
    AlertBuilder::new(code, side, context.game.len(), context.say(Phrase::PeriodMissing, &values))
        .confidence(Confidence::Likely)
        .act(&context.say(Phrase::CorrectSetting, &values))
}

/// Returns the time control, if the moves of this game can be counted.
fn control<'a>(context: &RuleContext<'a>) -> Option<&'a TimeControl> {
    context.event.time_control.as_ref().filter(|_| !context.game.is_adopted())
}

fn first(control: &TimeControl) -> Period {
    control.periods().first().copied().unwrap_or(Period { moves: None, base_s: 0, increment_s: 0 })
}

/// Returns whether a game begins as games do, and not from a position that was set up for it.
fn is_initial(context: &RuleContext<'_>) -> bool {
    let start = context.game.start().board();
    start.occupied().count() == PIECES && start.pawns() == shakmaty::Board::new().pawns()
}

/// Returns the moves that a side has completed up to a press.
fn moves_at(side: Color, pressed: &Pressed, context: &RuleContext<'_>) -> u32 {
    let upto = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
    let own = context.game.plies().iter().take(upto).filter(|ply| ply.side == side).count();
    u32::try_from(own).unwrap_or(u32::MAX)
}

/// Returns the period of a player who has completed this many moves.
fn period_of(control: &TimeControl, moves: u32) -> Period {
    let mut before = 0u32;
    for period in control.periods() {
        let Some(of_period) = period.moves else { return *period };
        before = before.saturating_add(of_period);
        if moves < before {
            return *period;
        }
    }
    control.periods().last().copied().unwrap_or_else(|| first(control))
}

/// Returns the move at which the next time of a period is due for a player who has completed this many; the last one if all
/// have been given.
fn next_due(control: &TimeControl, moves: u32) -> Option<u32> {
    let dues = (0..control.periods().len()).filter_map(|flag| control.moves_due(flag));
    let mut last = None;
    for due in dues {
        last = Some(due);
        if due >= moves {
            break;
        }
    }
    last
}
