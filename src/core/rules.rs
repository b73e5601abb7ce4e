//! Owns the rules: facts in, alerts out.
//!
//! A rule is one file in `rules/` and one line in [`ALL`]. The [`Referee`] hands every fact to every rule, in that
//! order, and keeps the alerts they raise. It reads no clock, draws no random number and does no chess that takes
//! long: what only a search can say leaves as [`Notice::Question`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the facts that it watches; a new one concerns only rules that name it"
)]

mod attempt;
mod board_battery;
mod board_link;
mod board_mismatch;
mod builder;
mod castling;
mod castling_rook_first;
mod checkmate;
mod claim;
mod claim_window;
mod claimable;
mod clock_battery;
mod clock_link;
mod clock_setting;
mod clock_stopped;
mod colours_reversed;
mod context;
mod dead_position;
mod default_time;
mod draw_offer;
mod entry;
mod fault;
mod fifty;
mod fivefold;
mod flag_fall;
mod hears;
mod helpmate;
mod illegal_move;
mod illegal_position;
mod incident;
mod intended_move;
mod line_noise;
mod mating;
mod obligation;
mod offence;
mod orders;
mod penalty;
mod penalty_basis;
mod press_before_made;
mod press_without_move;
mod promotion_choice;
mod promotion_not_replaced;
mod quickplay;
mod quickplay_ruling;
mod release;
mod released_piece;
mod seventyfive;
mod stalemate;
mod start_position;
mod store;
mod table;
mod text;
mod threefold;
mod touch_move;
mod two_hands;
pub mod unwinnable;
mod waiting;

use std::{cell::Cell, fmt, sync::Arc, time::Duration};

use shakmaty::Color;

pub use mating::Winnability;
pub use table::{own_table, readme_table, table};
pub use text::wrong_sentences;

use self::{context::RuleContext, hears::Facts, store::AlertStore};
use crate::{
    alert::{Alert, AlertUpdate, Confidence},
    clock::ClockView,
    code::Code,
    fact::{Fact, Weight},
    game::{Game, GameResult},
    laws::{EventSettings, Laws},
    model::{hands, scan},
    order::{Order, OrderError},
    position::Position,
    time::{Due, Timestamp, soonest},
};

/// All rules, in the order in which they see a fact: what closes a window comes before what opens one, an offence
/// before what follows from it.
pub const ALL: &[Spec] = &[
    claim_window::SPEC,
    checkmate::SPEC,
    stalemate::SPEC,
    fivefold::SPEC,
    seventyfive::SPEC,
    dead_position::SPEC,
    illegal_move::SPEC,
    promotion_not_replaced::SPEC,
    press_without_move::SPEC,
    press_before_made::SPEC,
    two_hands::SPEC,
    penalty::SPEC,
    illegal_position::SPEC,
    castling_rook_first::SPEC,
    touch_move::SPEC,
    released_piece::SPEC,
    promotion_choice::SPEC,
    board_mismatch::SPEC,
    flag_fall::SPEC,
    threefold::SPEC,
    fifty::SPEC,
    start_position::SPEC,
    clock_setting::SPEC,
    colours_reversed::SPEC,
    intended_move::SPEC,
    draw_offer::SPEC,
    quickplay::SPEC,
    default_time::SPEC,
    clock_stopped::SPEC,
    board_link::SPEC,
    clock_link::SPEC,
    clock_battery::SPEC,
    board_battery::SPEC,
    line_noise::SPEC,
];

/// One rule: what it is called and which alerts it may raise.
#[derive(Clone, Copy)]
pub struct Spec {
    /// Name, for figures and the map.
    pub id: &'static str,
    /// The codes it raises; no other rule raises them.
    pub codes: &'static [Code],
    /// What it watches, one sentence.
    pub summary: &'static str,
    /// What its [`Rule::on_fact`] is called with; everything else passes it by.
    hears: Facts,
    new: fn() -> Box<dyn Rule>,
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spec").field("id", &self.id).field("codes", &self.codes).finish_non_exhaustive()
    }
}

/// A rule of the Laws, watching one board.
trait Rule: fmt::Debug + Send {
    /// Handles the next fact of those that its specification says it hears.
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore);

    /// Handles an order that the store has already carried out.
    fn on_order(&mut self, _order: &Order, _context: &RuleContext<'_>, _alerts: &mut AlertStore) {}

    /// Notes that an order was taken back; the store has withdrawn what it raised.
    fn on_undo(&mut self, _order: &Order, _context: &RuleContext<'_>) {}

    /// Handles the answer to a question; other rules' questions are to be ignored.
    fn on_answer(
        &mut self,
        _alert: u32,
        _answer: Winnability,
        _context: &RuleContext<'_>,
        _alerts: &mut AlertStore,
    ) {
    }

    /// Returns when to call [`Rule::on_deadline`], and why; asked only of rules that hear [`Facts::TIME`].
    fn deadline(&self) -> Due {
        None
    }

    /// Handles the time; called when the deadline has passed.
    fn on_deadline(&mut self, _context: &RuleContext<'_>, _alerts: &mut AlertStore) {}
}

/// What the rules look at besides the fact: the state of the board when it is handled.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What the board is called.
    pub board: &'a str,
    /// The game, which may be ahead of the fact.
    pub game: &'a Game,
    /// The clock.
    pub clock: &'a ClockView,
    /// What the board shows now.
    pub sensed: &'a shakmaty::Board,
    /// The present.
    pub now: Timestamp,
}

/// Something the referee has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A new alert.
    Raised(Box<Alert>),
    /// Something has changed about an alert.
    Updated(Box<AlertUpdate>),
    /// The Laws, or an arbiter's confirmation, give the game this result.
    Result(GameResult),
    /// An arbiter's entry, and what it means.
    Entered {
        /// The entry.
        order: Box<Order>,
        /// A sentence for a person.
        text: String,
    },
    /// An order has changed what is confirmed of the players' irregularities in a game.
    Counted {
        /// Number of the game.
        game: u32,
        /// White's.
        white: u32,
        /// Black's.
        black: u32,
    },
    /// An alert waits for this answer: can `winner` checkmate by any series of legal moves?
    ///
    /// It is to be answered with [`Referee::handle_answer`], at best by [`unwinnable::verdict`] on a thread of its
    /// own; without an answer the alert is raised with the question open.
    Question {
        /// Which alert; it may not have been raised yet.
        alert: String,
        /// The position to search.
        position: Box<Position>,
        /// Who would have to mate.
        winner: Color,
    },
}

/// In place of a scan where nothing is known of times: so far apart, and longer, may be what happened at once.
const UNDATED: Duration = Duration::from_hours(24);

/// Watches one board for what the Laws provide against.
#[derive(Debug)]
pub struct Referee {
    event: Arc<EventSettings>,
    laws: Laws,
    scan: Duration,
    /// A scan takes no longer.
    scan_at_most: Duration,
    settle: Duration,
    /// Until then what is reported has an order and no times.
    undated_until: Timestamp,
    rules: Vec<Box<dyn Rule>>,
    alerts: AlertStore,
    /// The earliest deadline of a rule: it is asked for far more often than it changes. `None` if it may have changed; several
    /// facts come at once.
    due: Cell<Option<Due>>,
}

impl Referee {
    /// Makes a referee for an event; the board needs `scan_ms` for one pass over its squares, and what it reports
    /// within `settle_ms` after a press happened before it.
    #[must_use]
    pub fn new(event: Arc<EventSettings>, scan_ms: u32, settle_ms: u32) -> Self {
        let scan = Duration::from_millis(scan_ms.into());
        Self {
            laws: Laws::of(&event),
            event,
            scan,
            scan_at_most: scan.max(hands::SLOW_SCAN),
            settle: Duration::from_millis(settle_ms.into()),
            undated_until: Timestamp::ZERO,
            rules: ALL.iter().map(|spec| (spec.new)()).collect(),
            alerts: AlertStore::default(),
            due: Cell::new(None),
        }
    }

    /// Notes that up to an instant changes come out of a board's log: their order is true, their times are made up.
    pub fn doubt_times(&mut self, until: Timestamp) {
        self.undated_until = self.undated_until.max(until);
    }

    /// Notes how long this board takes for one pass over its squares.
    pub fn set_scan(&mut self, scan: Duration) {
        self.scan = scan;
        self.scan_at_most = scan + scan::READING;
    }

    /// Notes that the board reports its changes only when it is asked.
    pub const fn set_polled(&mut self) {
        self.scan_at_most = hands::POLLED;
    }

    /// Handles a fact.
    pub fn handle(&mut self, fact: &Fact, context: &Context<'_>, out: &mut Vec<Notice>) {
        let (context, rules, alerts) = self.parts(context);
        alerts.on_fact(fact, &context);
        let (outlasts, ended) = (outlasts_the_game(fact), context.game.result().is_some());
        for place in Facts::of(fact).hearers() {
            let Some(rule) = rules.get_mut(place) else { break };
            // The result ends play and with it every rule but those on equipment, even within one fact.
            if !outlasts && (ended || alerts.is_decided()) {
                break;
            }
            rule.on_fact(fact, &context, alerts);
        }
        self.done(out);
    }

    /// Notes how probable what was said of a press is by now.
    pub fn weigh(
        &mut self,
        pressed_at: Timestamp,
        side: Color,
        sure: Confidence,
        weight: Weight,
        context: &Context<'_>,
        out: &mut Vec<Notice>,
    ) {
        let (context, _, alerts) = self.parts(context);
        alerts.weigh(pressed_at, side, sure, weight, &context);
        self.done(out);
    }

    /// Handles an arbiter's order.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(
        &mut self,
        order: &Order,
        context: &Context<'_>,
        out: &mut Vec<Notice>,
    ) -> Result<(), OrderError> {
        let (context, rules, alerts) = self.parts(context);
        match order {
            Order::Claim { side, kind } => claim::check((*side).into(), kind, &context, alerts)?,
            order => alerts.on_order(order, &context)?,
        }
        entry::enter(order, &context, alerts)?;
        for rule in rules {
            rule.on_order(order, &context, alerts);
        }
        alerts.report_counts(&context);
        self.done(out);
        Ok(())
    }

    /// Handles the result of an end that is not sure, if one waits for play to go on.
    pub const fn take_held(&mut self) -> Option<GameResult> {
        self.alerts.take_held()
    }

    /// Returns whether the ruling on an alert has ended the game; taking it back opens the game again.
    #[must_use]
    pub fn has_ended_game(&self, alert: &str) -> bool {
        self.alerts.has_ended_game(alert)
    }

    /// Handles the answer to a [`Notice::Question`]; it may come at any time, or never.
    pub fn handle_answer(
        &mut self,
        alert: &str,
        answer: Winnability,
        context: &Context<'_>,
        out: &mut Vec<Notice>,
    ) {
        let (context, rules, alerts) = self.parts(context);
        let Some(number) = alerts.number(alert) else { return };
        for rule in rules {
            rule.on_answer(number, answer, &context, alerts);
        }
        self.done(out);
    }

    /// Returns when to call [`Referee::handle_timeout`], and why.
    #[must_use]
    pub fn deadline(&self) -> Due {
        let due = self.due.get().unwrap_or_else(|| {
            let timed = Facts::TIME.hearers().filter_map(|place| self.rules.get(place));
            timed.fold(None, |due, rule| soonest([due, rule.deadline()]))
        });
        self.due.set(Some(due));
        due
    }

    /// Handles the time.
    pub fn handle_timeout(&mut self, context: &Context<'_>, out: &mut Vec<Notice>) {
        let (context, rules, alerts) = self.parts(context);
        for place in Facts::TIME.hearers() {
            let Some(rule) = rules.get_mut(place) else { break };
            if rule.deadline().is_some_and(|(at, _)| at <= context.now) {
                rule.on_deadline(&context, alerts);
            }
        }
        self.done(out);
    }

    /// Passes on what the rules have said.
    fn done(&mut self, out: &mut Vec<Notice>) {
        self.alerts.drain(out);
        self.due.set(None);
    }

    /// Returns the alerts that an arbiter may still act on, oldest first.
    pub fn open_alerts(&self) -> impl Iterator<Item = &Alert> {
        self.alerts.open()
    }

    fn parts<'a>(
        &'a mut self,
        context: &Context<'a>,
    ) -> (RuleContext<'a>, &'a mut [Box<dyn Rule>], &'a mut AlertStore) {
        let Context { board, game, clock, sensed, now } = *context;
        let is_dated = now >= self.undated_until;
        let context = RuleContext {
            board,
            game,
            clock,
            sensed,
            now,
            laws: &self.laws,
            event: &self.event,
            scan: if is_dated { self.scan } else { UNDATED },
            scan_at_most: if is_dated { self.scan_at_most } else { UNDATED },
            settle: self.settle,
            is_dated,
        };
        (context, &mut self.rules, &mut self.alerts)
    }
}

/// Returns whether a fact is about equipment, or of use to a rule after the end of the game.
const fn outlasts_the_game(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::GameStarted
            | Fact::Ended
            | Fact::ClockStarted { .. }
            | Fact::Link { .. }
            | Fact::ClockLink { .. }
            | Fact::ClockBattery { .. }
            | Fact::BoardBattery { .. }
            | Fact::Noise { .. }
    )
}

#[cfg(test)]
mod tests;
