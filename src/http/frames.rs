//! Owns what a board showed from instant to instant, as a replay: its squares and its clock after every event.
//!
//! The capture is replayed by the code that the daemon runs, and the view takes the events in as it does for the desk.

use serde::Serialize;

use super::slice::{CaptureSource, Span};
use crate::view::{self, BoardView, Boards};
use jadoube_core::{
    capture::CaptureError,
    event::{Event, EventKind, Times},
    side::side_name,
    time::Timestamp,
};

/// What the board showed from an instant on, until the next frame.
#[derive(Debug, Serialize)]
pub(super) struct ReplayFrame {
    t: Timestamp,
    /// The squares as the board senses them, as in FEN.
    pieces: String,
    clock: Option<FrameClock>,
    /// What was reported at that instant.
    events: Vec<Event>,
}

/// What the clock showed.
#[derive(Debug, Serialize)]
struct FrameClock {
    #[serde(flatten)]
    times: Times,
    /// Whose time ran.
    running: Option<&'static str>,
}

impl ReplayFrame {
    fn of(t: Timestamp, board: Option<&BoardView>) -> Self {
        let mut frame = Self { t, pieces: String::new(), clock: None, events: Vec::new() };
        frame.show(board);
        frame
    }

    /// Shows what is known of the board now.
    fn show(&mut self, board: Option<&BoardView>) {
        self.pieces = board.map(|board| board.squares.board_fen().to_string()).unwrap_or_default();
        let clock = board.and_then(|board| board.clock.as_ref()).filter(|clock| clock.connected);
        self.clock =
            clock.map(|clock| FrameClock { times: clock.times, running: clock.running.map(side_name) });
    }
}

/// Returns the frames of a span, at most `most`. The first shows what stood at its beginning.
pub(super) fn frames(
    source: &CaptureSource,
    span: Span,
    most: usize,
) -> Result<Vec<ReplayFrame>, CaptureError> {
    let mut boards = Boards::new();
    let mut frames: Vec<ReplayFrame> = Vec::new();
    let port = source.port.clone();
    source.replay(span, |event| {
        if event.at > span.to || frames.len() >= most || matches!(event.kind, EventKind::Game(_)) {
            return;
        }
        if event.at >= span.from && frames.is_empty() {
            frames.push(ReplayFrame::of(span.from, boards.get(&*source.board).map(AsRef::as_ref)));
        }
        view::apply(&mut boards, &port, &event, jiff::Timestamp::UNIX_EPOCH, 0);
        if event.at < span.from || *event.board != *source.board {
            return;
        }
        let board = boards.get(&*source.board).map(AsRef::as_ref);
        match frames.last_mut().filter(|last| last.t >= event.at) {
            Some(last) => last.show(board),
            None => frames.push(ReplayFrame::of(event.at, board)),
        }
        if let Some(last) = frames.last_mut() {
            last.events.push(event);
        }
    })?;
    Ok(frames)
}
