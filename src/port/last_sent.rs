//! Remembers what the outside has been sent, so that a restart or a new capture does not report it again.

use std::{collections::BTreeSet, path::Path};

use crate::sinks::{EventIndex, Watermark};
use jadoube_core::event::{BoardId, Event, EventKind, LinkState};

/// What the outside has been sent of states that stay as they are until the next event of their kind.
#[derive(Clone, Debug, Default)]
pub(super) struct LastSent {
    link: ByBoard,
    board: ByBoard,
    clock: ByBoard,
    game: ByBoard,
    /// Boards that have reported their number; before that they are called like their port.
    numbered: BTreeSet<BoardId>,
}

/// The last event of a kind of each board, in the order of their names. Most ports have one board, for which a tree would
/// take room for eleven.
#[derive(Clone, Debug, Default)]
struct ByBoard(Vec<(BoardId, EventKind)>);

impl ByBoard {
    fn iter(&self) -> impl Iterator<Item = &(BoardId, EventKind)> {
        self.0.iter()
    }

    fn contains(&self, board: &BoardId) -> bool {
        self.iter().any(|(known, _)| known == board)
    }

    /// Returns the one of the board whose name is the first.
    fn first(&self) -> Option<&EventKind> {
        self.0.first().map(|(_, kind)| kind)
    }

    /// Sets what is known of a board; says whether that is news.
    fn set(&mut self, board: &BoardId, kind: &EventKind) -> bool {
        let place = self.0.partition_point(|(known, _)| known < board);
        match self.0.get_mut(place) {
            Some((known, last)) if known == board => {
                let is_news = last != kind;
                if is_news {
                    last.clone_from(kind);
                }
                is_news
            }
            Some(_) | None => {
                self.0.reserve_exact(1);
                self.0.insert(place, (board.clone(), kind.clone()));
                true
            }
        }
    }
}

impl LastSent {
    /// Returns the boards that the outside believes to be connected, with their ports.
    pub(super) fn connected(&self) -> impl Iterator<Item = (&BoardId, &str)> {
        let counts = |board: &BoardId| self.numbered.is_empty() || self.numbered.contains(board);
        self.link.iter().filter(move |(board, _)| counts(board)).filter_map(|(board, kind)| {
            let EventKind::Link { state: LinkState::Up, port } = kind else { return None };
            Some((board, port.as_str()))
        })
    }

    /// Notes an event and says whether it says anything that was not known.
    pub(super) fn is_news(&mut self, event: &Event) -> bool {
        let known = match &event.kind {
            EventKind::Link { .. } => &mut self.link,
            EventKind::Board(board) => {
                if board.serial.is_some() {
                    self.numbered.insert(event.board.clone());
                }
                // The link by which it reports its number is its own.
                if let Some(link) = self.link.first().cloned()
                    && !self.link.contains(&event.board)
                {
                    self.link.set(&event.board, &link);
                }
                &mut self.board
            }
            EventKind::Clock { .. } => &mut self.clock,
            EventKind::GameStart { .. } => &mut self.game,
            EventKind::Lift { .. }
            | EventKind::Place { .. }
            | EventKind::Press { .. }
            | EventKind::Move(_)
            | EventKind::Retract { .. }
            | EventKind::Alert(_)
            | EventKind::AlertUpdate(_)
            | EventKind::Result { .. }
            | EventKind::Game(_)
            | EventKind::Entry { .. }
            | EventKind::Counts { .. }
            | EventKind::Log { .. } => return true,
        };
        known.set(&event.board, &event.kind)
    }
}

/// What the outside has been sent before this session began.
#[derive(Debug)]
pub(crate) struct ReportedBefore<'a> {
    /// What is known of it one by one.
    pub(super) event_index: &'a EventIndex,
    /// The states at the end of the capture that was gone through last: the next one begins with them again.
    pub(super) states: LastSent,
    /// When the log begins that is known one by one, UTC: what is older was reported.
    pub(super) from: Option<jiff::Timestamp>,
}

impl<'a> ReportedBefore<'a> {
    /// Begins with nothing but an index.
    pub(crate) fn new(event_index: &'a EventIndex) -> Self {
        Self { event_index, states: LastSent::default(), from: event_index.from() }
    }

    /// Says how far the log goes for a capture that was begun at `started`, unless that has been asked for already.
    pub(super) fn watermark(&self, capture: &Path, started: jiff::Timestamp) -> Option<Watermark<'a>> {
        self.event_index.watermark(capture, started).map(|watermark| watermark.after(self.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jadoube_core::time::Timestamp;

    #[test]
    fn a_state_is_news_until_it_is_known() {
        let mut last_sent = LastSent::default();
        let mut is_news = |board: &str, kind: EventKind| {
            last_sent.is_news(&Event { at: Timestamp::ZERO, board: BoardId::from(board), kind })
        };
        let link = |state| EventKind::Link { state, port: "p".to_owned() };
        let start = |game| EventKind::game_start(game, "f");
        assert!(is_news("1", link(LinkState::Up)));
        assert!(!is_news("1", link(LinkState::Up)));
        assert!(is_news("2", link(LinkState::Up)));
        assert!(is_news("1", link(LinkState::Down)));
        assert!(is_news("1", link(LinkState::Up)));
        assert!(is_news("1", start(1)));
        assert!(!is_news("1", start(1)));
        assert!(is_news("1", start(2)));
        assert!(is_news("1", EventKind::Retract { game: 1, ply: 1 }));
        assert!(is_news("1", EventKind::Retract { game: 1, ply: 1 }), "what happens may happen twice");
    }

    #[test]
    fn a_board_is_connected_by_its_own_name() {
        let mut last_sent = LastSent::default();
        let mut report = |board: &str, kind: EventKind| {
            last_sent.is_news(&Event { at: Timestamp::ZERO, board: BoardId::from(board), kind });
            last_sent.connected().map(|(board, port)| format!("{board} {port}")).collect::<Vec<_>>()
        };
        let link = |state| EventKind::Link { state, port: "/dev/p".to_owned() };
        let board = |serial| EventKind::Board(Box::new(jadoube_core::event::BoardEvent::of_serial(serial)));
        assert_eq!(report("p", link(LinkState::Up)), ["p /dev/p"]);
        assert_eq!(report("p", board(None)), ["p /dev/p"]);
        assert_eq!(report("1", board(Some("1"))), ["1 /dev/p"]);
        assert!(report("1", link(LinkState::Down)).is_empty());
    }
}
