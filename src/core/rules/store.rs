//! The alerts of one game: their numbers, their life, and what counts on a player's record.
//!
//! An alert that nobody can act on any more is kept as a line without its text, so that a late confirmation still
//! finds it. At most [`MOST_KEPT`] are kept, at most [`MOST_OPEN`] of them open. Beyond that closed ones go first,
//! the oldest first, and what they added to a record stays on it; then the oldest open one expires, an offence last.

use shakmaty::{ByColor, Color};

use super::{Notice, RuleContext, builder::AlertBuilder, penalty_basis::Basis, text};
use crate::{
    alert::{Alert, AlertState, Confidence, Party, Severity},
    code::Code,
    decoder::Params,
    game::{GameResult, Ply},
    laws::{ActionWindow, Laws},
    model::effort,
    order::Order,
    position::Position,
    time::Timestamp,
};

mod changes;
mod counts;
mod held;
mod journal;
mod life;
mod orders;
mod undo;

/// Alerts kept of one game.
const MOST_KEPT: usize = 48;

/// Alerts of one game that may be open at a time.
const MOST_OPEN: usize = 12;

/// The alerts of one game.
#[derive(Debug, Default)]
pub(super) struct AlertStore {
    /// Number of the game, once there is one.
    game: Option<u32>,
    /// Number of the last alert, counted over all games.
    last: u32,
    /// What that was when the game began.
    base: u32,
    entries: Vec<StoredAlert>,
    /// Irregularities on record that no kept alert stands for.
    record: ByColor<u32>,
    /// Who touched a piece last, and when.
    touched: Option<(Color, Timestamp)>,
    muted_until: Timestamp,
    /// What the arbiter has ruled in this game, as far as it can be taken back.
    rulings: Vec<undo::RuledChange>,
    /// What orders of this game have changed besides.
    journal: journal::Journal,
    /// The counts that were reported last.
    reported: ByColor<u32>,
    /// Seconds are added for each move from now on, as granted in the quickplay finish.
    pub(super) increment: bool,
    /// The ply on which a rule has ended the game.
    decided: Option<u32>,
    /// What ends the game unless play goes on.
    held: Option<GameResult>,
    ended: bool,
    out: Vec<Notice>,
}

/// What is kept of an alert.
#[derive(Debug)]
pub(super) struct StoredAlert {
    pub(super) number: u32,
    pub(super) id: String,
    pub(super) code: Code,
    pub(super) side: Party,
    pub(super) ply: u32,
    pub(super) confidence: Confidence,
    pub(super) state: AlertState,
    pub(super) window: ActionWindow,
    pub(super) pressed_at: Option<Timestamp>,
    pub(super) parent: Option<u32>,
    /// When the opponent pressed back after it.
    pub(super) pressed_back_at: Option<Timestamp>,
    /// It was put right afterwards, but it had been completed: the arbiter may still act on it.
    stands: bool,
    /// The position was reinstated: somebody has acted, and no move of the opponent closes it.
    pub(super) acted_on: bool,
    /// When it was confirmed, if the time to intervene was over then: nothing follows from it.
    pub(super) late_at: Option<Timestamp>,
    /// The ply that closed it, and its state before; until that is completed it may be withdrawn.
    closed_by: Option<(u32, AlertState)>,
    /// Its state before its game ended; it comes back if the game goes on.
    ended_from: Option<AlertState>,
    /// Its state before the arbiter ruled on it; it comes back if the ruling is taken back.
    ruled_from: Option<AlertState>,
    /// Whether the list had an illegal move for it when it was raised.
    pub(super) illegal: bool,
    /// What a penalty for it would be computed from.
    pub(super) basis: Option<Basis>,
    /// All of it, while somebody can act on it.
    alert: Option<Box<Alert>>,
}

impl StoredAlert {
    /// Returns whether somebody can still act on it.
    pub(super) const fn is_open(&self) -> bool {
        match self.state {
            AlertState::Open | AlertState::Acknowledged => true,
            AlertState::Corrected => self.stands,
            AlertState::Expired
            | AlertState::Confirmed
            | AlertState::Dismissed
            | AlertState::Ended
            | AlertState::Withdrawn => false,
        }
    }

    /// Returns whether it names this side.
    pub(super) fn is_of(&self, side: Color) -> bool {
        self.side == Party::One(side)
    }
}

impl AlertStore {
    /// Raises an alert; returns its number, `None` if nobody wants to hear of it at present.
    pub(super) fn raise(&mut self, builder: AlertBuilder, context: &RuleContext<'_>) -> Option<u32> {
        let window = context.laws.window(builder.code);
        let silent = self.is_over(context) || context.now < self.muted_until;
        if silent && window != ActionWindow::InOrder || self.is_known(&builder) {
            return None;
        }
        let number = builder.number.unwrap_or_else(|| self.reserve());
        let language = context.event.language;
        // What has been decided has no window.
        let shown = if is_live(builder.state) { window } else { ActionWindow::Never };
        let until = text::window(shown, builder.side, language);
        let mut parts = builder.parts;
        parts.until = text::window_sentence(shown, builder.side, language).unwrap_or_default();
        let mut facts = builder.facts;
        if let Some(name) = context.laws.own_name() {
            facts.insert("rules".to_owned(), name.into());
        }
        let alert = Alert {
            id: self.id(number, context),
            game: self.game.unwrap_or_else(|| context.game.number()),
            code: builder.code,
            severity: Severity::of(builder.code, builder.confidence),
            article: builder
                .article
                .unwrap_or_else(|| context.laws.article(builder.code).unwrap_or_default().into()),
            authority: builder.authority.or_else(|| context.laws.authority(builder.code).map(Into::into)),
            edition: context.laws.edition(),
            side: builder.side,
            ply: builder.ply,
            confidence: builder.confidence,
            p: builder.weight.map(|weight| Params::DEFAULT.claims.beside(builder.confidence, weight.p)),
            otherwise: builder.weight.and_then(|weight| weight.otherwise).map(|story| context.story(story)),
            state: builder.state,
            facts,
            proposal: builder.proposal,
            window: until,
            text: parts.text(),
            parts,
        };
        let entry = StoredAlert {
            number,
            id: alert.id.clone(),
            code: alert.code,
            side: alert.side,
            ply: alert.ply,
            confidence: alert.confidence,
            state: alert.state,
            window,
            pressed_at: builder.pressed_at,
            parent: builder.parent,
            pressed_back_at: None,
            stands: false,
            acted_on: false,
            late_at: None,
            closed_by: None,
            ended_from: None,
            ruled_from: None,
            illegal: context.game.ply(builder.ply).is_some_and(Ply::is_illegal),
            basis: builder.basis,
            alert: None,
        };
        self.out.push(Notice::Raised(Box::new(alert.clone())));
        let entry = StoredAlert { alert: entry.is_open().then(|| Box::new(alert)), ..entry };
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(effort::ROOM_FOR_ALERTS);
        }
        debug_assert!(number <= self.last, "number {number} was reserved");
        debug_assert!(
            self.entries.iter().all(|other| other.number != number),
            "alert {number} is raised once"
        );
        self.entries.push(entry);
        self.close_if_touched(number, context);
        self.make_room(context);
        Some(number)
    }

    /// Returns the next number for an alert that is still to be decided on.
    pub(super) const fn reserve(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// Returns the identifier of a number.
    pub(super) fn id(&self, number: u32, context: &RuleContext<'_>) -> String {
        let game = self.game.unwrap_or_else(|| context.game.number());
        debug_assert!(number > self.base, "numbers are of this game");
        format!("{}-{game}-{}", context.board, number.saturating_sub(self.base))
    }

    /// Returns the number of an identifier of this game, whether or not the alert has been raised.
    pub(super) fn number(&self, id: &str) -> Option<u32> {
        if let Some(entry) = self.entries.iter().find(|entry| entry.id == id) {
            return Some(entry.number);
        }
        let mut parts = id.rsplitn(3, '-');
        let number: u32 = parts.next()?.parse().ok()?;
        let game: u32 = parts.next()?.parse().ok()?;
        let number = self.base.checked_add(number)?;
        (self.game.is_none_or(|ours| ours == game) && number <= self.last).then_some(number)
    }

    /// Asks a question for an alert with this number.
    pub(super) fn ask(&mut self, number: u32, position: &Position, winner: Color, context: &RuleContext<'_>) {
        let alert = self.id(number, context);
        self.out.push(Notice::Question { alert, position: Box::new(position.clone()), winner });
    }

    /// Returns whether the same was said of the same press: second thoughts judge a press again.
    fn is_known(&self, builder: &AlertBuilder) -> bool {
        let same = |entry: &StoredAlert| {
            entry.pressed_at == builder.pressed_at
                && (entry.code, entry.side) == (builder.code, builder.side)
                && entry.state != AlertState::Withdrawn
                && (entry.state != AlertState::Corrected || entry.stands)
        };
        builder.pressed_at.is_some() && self.entries.iter().any(same)
    }

    /// Says what an arbiter has entered.
    pub(super) fn note(&mut self, order: &Order, text: String) {
        self.out.push(Notice::Entered { order: Box::new(order.clone()), text });
    }

    /// Returns whether the game has ended.
    pub(super) const fn is_over(&self, context: &RuleContext<'_>) -> bool {
        self.is_decided() || context.game.result().is_some()
    }

    /// Returns whether an alert has given the game a result, which the game may not know yet.
    pub(super) const fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// Moves what there is to say into `out`.
    pub(super) fn drain(&mut self, out: &mut Vec<Notice>) {
        out.append(&mut self.out);
    }

    /// Returns the alerts that somebody can still act on.
    pub(super) fn open(&self) -> impl Iterator<Item = &Alert> {
        self.entries().filter_map(|entry| entry.alert.as_deref())
    }

    /// Returns what is kept of the alerts that somebody can still act on.
    pub(super) fn entries(&self) -> impl Iterator<Item = &StoredAlert> {
        self.entries.iter().filter(|entry| entry.is_open())
    }

    /// Returns what is kept of all alerts of the present game, whatever has become of them.
    pub(super) fn present(&self) -> impl DoubleEndedIterator<Item = &StoredAlert> {
        self.entries.iter().filter(|entry| entry.number > self.base)
    }

    /// Returns an alert by its number.
    pub(super) fn entry(&self, number: u32) -> Option<&StoredAlert> {
        self.entries.iter().find(|entry| entry.number == number)
    }

    /// Returns the whole alert by its number, while it is open.
    pub(super) fn alert(&self, number: u32) -> Option<&Alert> {
        self.entry(number).and_then(|entry| entry.alert.as_deref())
    }

    /// Remembers that the opponent has pressed back after an irregularity: that is excused once.
    pub(super) fn note_pressed_back(&mut self, number: u32, at: Timestamp) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
            entry.pressed_back_at = Some(at);
        }
    }

    /// Returns the alerts that follow from an alert, and that somebody can still act on.
    fn children(&self, number: u32) -> Vec<u32> {
        self.entries().filter(|entry| entry.parent == Some(number)).map(|entry| entry.number).collect()
    }

    /// Returns whether an alert with this code is open.
    pub(super) fn has(&self, code: Code) -> bool {
        self.entries().any(|entry| entry.code == code)
    }

    /// Raises an alert about equipment, or closes the one there is because all is in order again.
    pub(super) fn switch(
        &mut self,
        code: Code,
        wrong: bool,
        context: &RuleContext<'_>,
        build: impl FnOnce() -> AlertBuilder,
    ) {
        if !wrong {
            self.close(AlertState::Corrected, context.now, |entry| entry.code == code);
        } else if !self.has(code) {
            self.raise(build(), context);
        }
    }

    /// Returns the offence that a press has completed.
    pub(super) fn offence_at(&self, side: Color, at: Timestamp, laws: &Laws) -> Option<&StoredAlert> {
        let offence = |entry: &&StoredAlert| {
            entry.pressed_at == Some(at) && entry.is_of(side) && laws.counts(entry.code)
        };
        self.entries().find(offence)
    }

    /// Returns whether an alert belongs to the present game.
    pub(super) const fn is_current(&self, entry: &StoredAlert) -> bool {
        entry.number > self.base
    }

    /// Returns the open offences of a player.
    pub(super) fn offences(&self, side: Color, laws: &Laws) -> Vec<&StoredAlert> {
        self.entries()
            .filter(|entry| self.is_current(entry) && entry.is_of(side) && laws.counts(entry.code))
            .collect()
    }

    /// Returns whether a player has touched a piece since a press.
    pub(super) fn touched_since(&self, side: Color, at: Timestamp) -> bool {
        self.touched.is_some_and(|(who, when)| who == side && when >= at)
    }

    /// Returns whether a player touched a piece after one instant and before another.
    pub(super) fn touched_between(&self, side: Color, after: Timestamp, before: Timestamp) -> bool {
        self.touched.is_some_and(|(who, when)| who == side && when >= after && when < before)
    }

    /// A press is judged a little later than it happened; a touch in between has closed what a touch closes.
    fn close_if_touched(&mut self, number: u32, context: &RuleContext<'_>) {
        let Some((side, at)) = self.touched else { return };
        let late = |entry: &StoredAlert| {
            entry.number == number
                && entry.pressed_at.is_some_and(|pressed| pressed <= at)
                && touch_closes(entry, side)
        };
        self.close(AlertState::Expired, context.now, late);
    }

    fn make_room(&mut self, context: &RuleContext<'_>) {
        while self.entries().count() > MOST_OPEN {
            let least = self.entries().min_by_key(|entry| (context.laws.counts(entry.code), entry.number));
            let Some(number) = least.map(|entry| entry.number) else { break };
            self.close(AlertState::Expired, context.now, |entry| entry.number == number);
        }
        while self.entries.len() > MOST_KEPT {
            let over = |entry: &StoredAlert| !entry.is_open() && entry.ruled_from.is_none();
            let Some(index) = self.entries.iter().position(over) else { break };
            let entry = self.entries.remove(index);
            if let Party::One(side) = entry.side
                && entry.state == AlertState::Confirmed
                && entry.late_at.is_none()
                && context.laws.counts(entry.code)
            {
                *self.record.get_mut(side) += 1;
            }
        }
    }
}

/// Returns whether somebody can act on an alert in this state.
const fn is_live(state: AlertState) -> bool {
    matches!(state, AlertState::Open | AlertState::Acknowledged)
}

/// Returns whether a player's touching a piece closes the window.
fn touch_closes(entry: &StoredAlert, side: Color) -> bool {
    match entry.window {
        ActionWindow::ClaimantTouches => entry.is_of(side),
        ActionWindow::OpponentTouches => entry.is_of(!side),
        _ => false,
    }
}
