//! Takes what the line puts out: what is reported, what is known already, what changes the capture.

use std::mem;

use serde_json::Map;

use super::{OutputMode, PortSession};
use crate::{published::Ordinal, view};
use jadoube_core::{
    alert::{AlertState, AlertUpdate, Severity},
    code::Code,
    event::{Event, EventKind},
    line::Output,
    order::Order,
    time::Timestamp,
};

/// There is always room for so many events.
const FEW: usize = 4;

/// An event with its calendar time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dated {
    /// When it became known, UTC.
    pub(crate) at: jiff::Timestamp,
    /// The event.
    pub(crate) event: Event,
    /// Its number within the capture; `None` if the capture knows nothing of it.
    pub(crate) ordinal: Option<Ordinal>,
}

/// A restart of the program, which takes boards away that were there.
#[derive(Debug, Default)]
pub(super) struct Restart {
    /// Whether the record that is being fed is the restart itself.
    pub(super) running: bool,
    /// Alerts that only the restart has raised, until `return_at`.
    pub(super) alerts: Vec<Dated>,
    /// When boards that have not come back are alerted.
    pub(super) return_at: Option<Timestamp>,
}

impl PortSession {
    /// Handles what the line wants done.
    pub(super) fn drain(&mut self, cause: Option<(&str, &Order)>) {
        if self.mode == OutputMode::Replaying {
            return self.drain_replayed();
        }
        let mut next_game = None;
        while let Some(output) = self.line.poll_output() {
            match output {
                // What the next game ends of the one before only this line knows; the rest the next line says itself.
                Output::Event(event) if next_game.is_some() => {
                    let ordinal = self.numbering.next(&event);
                    if ends_before(&event, next_game) {
                        self.handle_event(event, ordinal);
                    }
                }
                _ if next_game.is_some() => {}
                Output::Send(bytes) => self.outputs.sends.push(bytes),
                Output::Event(event) => {
                    let ordinal = self.numbering.next(&event);
                    next_game = self.handle_event(event, ordinal);
                }
                Output::Question(question) => self.outputs.questions.push(question),
            }
        }
        if let Some(game) = next_game {
            self.rotate(game, cause);
        }
    }

    fn drain_replayed(&mut self) {
        while let Some(output) = self.line.poll_output() {
            match output {
                Output::Event(event) => {
                    if let EventKind::GameStart { game, .. } = event.kind {
                        self.recorded.number = game;
                        self.recorded.begun = true;
                    }
                    self.note(&event);
                    let ordinal = Some(self.numbering.next(&event));
                    let is_news = self.last_sent.is_news(&event);
                    let at = self.timeline.utc(event.at);
                    // What is held back nobody knows of, so nobody would see it end.
                    if let Some(dated) = self.hold(Dated { at, event, ordinal }) {
                        view::apply(&mut self.recovered.history, &self.port, &dated.event, at, 0);
                        if is_news {
                            self.recovered.replayed.push(dated);
                        }
                    }
                }
                // Answers are in the capture; what has none there is asked again.
                Output::Question(question) => self.outputs.questions.push(question),
                Output::Send(_) => {}
            }
        }
    }

    /// Strikes out a question that a capture answers.
    pub(super) fn strike_question(&mut self, answered: &str) {
        self.outputs.questions.retain(|question| question.alert != answered);
    }

    /// Handles an event; returns the number of the game if it is the start of one that belongs into a new capture.
    fn handle_event(&mut self, event: Event, ordinal: Ordinal) -> Option<u32> {
        if let EventKind::GameStart { game, ref continued, .. } = event.kind {
            // On a line with several boards the capture goes on while any other of them plays; and where an event log has
            // reported of the start, while more of it waits.
            let stays =
                self.recorded.playing.iter().any(|board| *board != event.board) || self.line.is_behind();
            // A game that goes on here stays where the order stands that let it.
            let stays = stays || continued.is_some();
            if self.mode == OutputMode::Live && self.recorded.begun && game != self.recorded.number && !stays
            {
                return Some(game);
            }
            self.recorded.begun = true;
            self.recorded.number = self.recorded.number.max(game);
        }
        self.note(&event);
        if matches!(
            event.kind,
            EventKind::Move(_) | EventKind::Result { .. } | EventKind::Alert(_) | EventKind::AlertUpdate(_)
        ) {
            self.disk.is_pressing = true;
        }
        if self.last_sent.is_news(&event) {
            let at = self.timeline.utc(event.at);
            let reported = self.hold(Dated { at, event, ordinal: Some(ordinal) });
            self.outputs.events.extend(reported);
        }
        None
    }

    /// Holds an alert back that only a restart has raised, and drops it when the board is back; returns all others. A replay of the
    /// capture reports it, with its end: its number is taken, so that those of all other alerts are the same.
    fn hold(&mut self, dated: Dated) -> Option<Dated> {
        if let EventKind::Alert(alert) = &dated.event.kind
            && alert.code == Code::BoardLink
            && self.restart.running
        {
            self.restart.alerts.push(dated);
            return None;
        }
        if let EventKind::AlertUpdate(update) = &dated.event.kind {
            let held = self.restart.alerts.len();
            let is_other =
                |held: &Dated| !matches!(&held.event.kind, EventKind::Alert(alert) if alert.id == update.id);
            self.restart.alerts.retain(is_other);
            if self.restart.alerts.len() < held {
                return None;
            }
        }
        Some(dated)
    }

    /// Notes what an event says about boards.
    fn note(&mut self, event: &Event) {
        if let EventKind::GameStart { .. } | EventKind::Result { result: "*", .. } = event.kind {
            self.recorded.playing.insert(event.board.clone());
        } else if let EventKind::Result { .. } = event.kind {
            self.recorded.playing.remove(&event.board);
        }
        if let EventKind::Alert(alert) = &event.kind
            && (alert.severity == Severity::Equipment || alert.code == Code::BoardMismatch)
        {
            self.unfit.insert(alert.id.clone(), event.board.clone());
        } else if let EventKind::AlertUpdate(update) = &event.kind
            && !matches!(update.state, AlertState::Open | AlertState::Acknowledged)
        {
            self.unfit.remove(&update.id);
        }
    }

    /// Accepts the list of events again that have been reported: most reads have one, and take no memory for it then.
    pub(crate) fn keep_room(&mut self, mut reported: Vec<Dated>) {
        if self.outputs.events.is_empty() {
            reported.clear();
            reported.shrink_to(FEW);
            self.outputs.events = reported;
        }
    }

    /// Ends the alerts about equipment and squares of this capture: nobody will hear of them again.
    pub(super) fn end_unfit(&mut self) {
        let at = self.timeline.utc(self.last);
        for (id, board) in mem::take(&mut self.unfit) {
            let update = AlertUpdate { id, state: AlertState::Ended, since: None, facts: Map::new() };
            let event = Event { at: self.last, board, kind: EventKind::AlertUpdate(Box::new(update)) };
            let reported = self.hold(Dated { at, event, ordinal: None });
            self.outputs.events.extend(reported);
        }
    }
}

/// Returns whether an event is about an alert of an earlier game than the one that begins.
pub(super) fn ends_before(event: &Event, next_game: Option<u32>) -> bool {
    let EventKind::AlertUpdate(update) = &event.kind else { return false };
    let game = update.id.rsplit('-').nth(1).and_then(|number| number.parse::<u32>().ok());
    game.zip(next_game).is_some_and(|(game, next)| game < next)
}
