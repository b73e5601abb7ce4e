//! Takes what happens into the stream: events, and what has changed without one.

use std::{future, time::Duration};

use tokio::{
    select,
    sync::{broadcast::error::RecvError, watch},
    time::{Interval, MissedTickBehavior, interval},
};
use tracing::warn;

use super::{BEHIND, BOARD};
use crate::{
    http::{App, patches::Patches},
    published::EventReader,
};
use jadoube_core::event::Event;
use jadoube_runtime::watchdog::Heartbeat;

/// How long pages have at least, between two times that they read everything anew.
const PAUSE: Duration = Duration::from_millis(200);

/// Most boards of which pages are informed one by one; of more at once, as where a hall comes back, they read everything anew.
const MOST_CHANGED: usize = BEHIND / 2;

/// Subscribes to the daemon's events: a client that connects after this call gets all that follow.
pub(in crate::http) fn subscribe(app: &App) -> Option<EventReader> {
    let events = app.daemon().subscribe()?;
    app.feed().reset(app.daemon().view().seq());
    Some(events)
}

/// Handles the daemon's events until there are no more.
pub(in crate::http) async fn run(app: App, mut events: EventReader, heartbeat: Heartbeat) {
    let view = app.daemon().view();
    let (mut restored, mut updated) = (view.restorations(), view.updates());
    let mut reported = view.seq();
    let mut pause = interval(PAUSE);
    pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut patches = Patches::default();
    let mut beats = interval(heartbeat.period());
    loop {
        select! {
            received = events.recv() => match received {
                Ok(event) => {
                    app.counts().count(&event);
                    app.feed().push(&event);
                    if !app.feed().has_pages() {
                        patches.clear();
                    } else if let Some(board) = view.board(&event.event.board)
                        && let Some(patch) = patches.write(&event, &board, &app.config())
                    {
                        let Event { board, kind, .. } = &event.event;
                        app.feed().push_patch(event.seq, board.clone(), kind.name(), &patch);
                    }
                }
                Err(RecvError::Lagged(missed)) => {
                    warn!(missed, "the event stream was too slow; all clients read the hall anew");
                    app.counts().miss(missed);
                    app.feed().reset(view.seq());
                }
                Err(RecvError::Closed) => return,
            },
            // What recovery finds out, and what a hub hears, is in no event.
            () = restored_anew(&mut pause, &mut restored) => {
                reported = view.seq();
                app.feed().reset(reported);
            }
            Ok(()) = updated.changed() => reported = report_changed(&app, &mut patches, reported),
            _ = beats.tick() => {}
        }
        heartbeat.beat();
    }
}

/// Informs pages of all boards that have changed since the last call, and returns up to where that goes.
fn report_changed(app: &App, patches: &mut Patches, reported: u64) -> u64 {
    let (seq, boards) = app.daemon().view().read();
    let mut changed: Vec<_> = boards.values().filter(|board| board.seq > reported).collect();
    if changed.len() > MOST_CHANGED {
        patches.clear();
        app.feed().reset(seq);
        return seq;
    }
    if app.feed().has_pages() {
        let config = app.config();
        // Whoever is cut off in between comes back with the number of the last one.
        changed.sort_by_key(|board| board.seq);
        for board in changed {
            if let Some(patch) = patches.write_change(board.seq, None, board, &config) {
                app.feed().push_patch(board.seq, board.name.clone(), BOARD, &patch);
            }
        }
    } else {
        patches.clear();
    }
    app.feed().reset_others(seq);
    seq
}

/// Waits for what comes without an event, and for the end of the pause; may be dropped and called again at any time.
async fn restored_anew(pause: &mut Interval, restored: &mut watch::Receiver<u64>) {
    pause.tick().await;
    if restored.changed().await.is_err() {
        future::pending::<()>().await;
    }
}
