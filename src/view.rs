//! Owns what is known of every board at this moment: what desks, broadcasts and monitors show.
//!
//! The hub applies every event before it hands it on, so whoever has listened first and then reads the view misses
//! nothing: events up to [`View::seq`] are in it, later ones are still to come. Readers hold no lock while they work;
//! what they have read stays as it was. After a restart the view is rebuilt from what recovery has replayed.

mod board;
mod derived;
mod fields;
mod game;
mod mute;
mod steps;
mod transfer;

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::sync::watch;

pub use self::board::{AlertView, BoardView, ClockView};
pub use self::derived::{Count, Counts, PieceOnSquare, Progress, counts, in_air};
pub use self::fields::Fields;
pub use self::game::{GameView, MoveView};
pub use self::steps::{Given, Headway, Plan, Range, Ranges, RulingStep, Sensed, StepState, WrongSquare};
pub(crate) use self::transfer::{Transferred, transfer_of};
use crate::published::Published;
use jadoube_core::event::{BoardId, Event, EventKind};

/// The boards of a hall by name.
pub type Boards = BTreeMap<BoardId, Arc<BoardView>>;

/// What is known of every board; clones share it.
#[derive(Clone, Debug, Default)]
pub struct View(Arc<RwLock<ViewState>>);

#[derive(Debug, Default)]
struct ViewState {
    seq: u64,
    /// How often recovery has reported something.
    restored: watch::Sender<u64>,
    /// How often boards have changed without an event; each has the number of its last change.
    updated: watch::Sender<u64>,
    boards: Boards,
    rounds: BTreeMap<Arc<str>, Duration>,
}

impl View {
    /// Makes a view of no boards after the event with this number.
    pub(crate) fn after(seq: u64) -> Self {
        Self(Arc::new(RwLock::new(ViewState { seq, ..ViewState::default() })))
    }

    /// Returns the number of the last event that is in the view, and all boards.
    #[must_use]
    pub fn read(&self) -> (u64, Boards) {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (state.seq, state.boards.clone())
    }

    /// Returns the board with this name.
    #[must_use]
    pub fn board(&self, name: &str) -> Option<Arc<BoardView>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).boards.get(name).cloned()
    }

    /// Returns the number of the last event that is in the view.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).seq
    }

    /// Returns how often recovery has reported something that no event reports.
    pub(crate) fn restored(&self) -> u64 {
        *self.0.read().unwrap_or_else(PoisonError::into_inner).restored.borrow()
    }

    /// Sends what comes without an event, as often as it comes.
    pub(crate) fn restorations(&self) -> watch::Receiver<u64> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).restored.subscribe()
    }

    /// Returns how long each line with several boards takes to ask all of them once, by port.
    #[must_use]
    pub fn bus_rounds(&self) -> BTreeMap<Arc<str>, Duration> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).rounds.clone()
    }

    /// Notes how long a line with several boards took to ask all of them once.
    pub(crate) fn note_round(&self, port: Arc<str>, round: Duration) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).rounds.insert(port, round);
    }

    /// Handles an event in.
    pub(crate) fn apply(&self, published: &Published) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.seq = published.seq;
        if !published.is_of_board() {
            return;
        }
        apply(&mut state.boards, &published.port, &published.event, published.at, published.seq);
    }

    /// Notes that an event has been reported that changes no board.
    pub(crate) fn pass(&self, seq: u64) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).seq = seq;
    }

    /// Reports changes without an event that are numbered like events, as often as they come.
    pub(crate) fn updates(&self) -> watch::Receiver<u64> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).updated.subscribe()
    }

    /// Shows these boards and no others. Those that have changed have a number of their own beyond the last one; whoever
    /// looks has to look anew if a board is gone, or stands for another than before.
    pub(crate) fn update(&self, boards: Boards) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let (seq, before) = (state.seq, &state.boards);
        let is_same = |board: &Arc<BoardView>| {
            before.get(&board.name).is_some_and(|known| Arc::ptr_eq(known, board)) || board.seq > seq
        };
        let is_gone = before.keys().any(|name| !boards.contains_key(name));
        let reported =
            if is_gone || !boards.values().all(is_same) { &state.restored } else { &state.updated };
        reported.send_modify(|reported| *reported += 1);
        state.seq = boards.values().map(|board| board.seq).max().unwrap_or(seq).max(seq);
        state.boards = boards;
    }

    /// Notes what recovery has found out about boards.
    pub(crate) fn restore(&self, boards: Boards) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.boards.extend(boards);
        state.restored.send_modify(|restored| *restored += 1);
    }
}

/// Handles an event; `seq` is 0 for those that are reported to nobody.
pub(crate) fn apply(boards: &mut Boards, port: &Arc<str>, event: &Event, at: jiff::Timestamp, seq: u64) {
    if let EventKind::Board(board) = &event.kind
        && (board.serial.is_some() || board.long_serial.is_some())
        && let early = early_name(port)
        && *event.board != *early
        && let Some(mut early) = boards.remove(early)
    {
        Arc::make_mut(&mut early).name = event.board.clone();
        boards.entry(event.board.clone()).or_insert(early);
    }
    let board =
        boards.entry(event.board.clone()).or_insert_with(|| Arc::new(BoardView::new(event.board.clone())));
    Arc::make_mut(board).apply(port, event, at, seq);
}

/// Returns what a board is called before it has reported its number.
pub(crate) fn early_name(port: &str) -> &str {
    port.rsplit('/').next().unwrap_or(port)
}

#[cfg(test)]
mod tests;
