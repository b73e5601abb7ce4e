//! Chooses what a port goes on with: its newest capture, a board's game from another port, or nothing.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::task::spawn_blocking;
use tracing::{Span, debug, error, info};

use super::{
    Beginning, PortContext, PortReport,
    displaced::{DisplacedGame, displaced_games},
    files,
    history::History,
    last_sent::ReportedBefore,
    session::{PortSession, begin_emptied},
    start_slot::start_slot,
};
use crate::{
    config::Config,
    sinks::{EventIndex, STALE},
};

/// Goes on with the newest capture, if it is young enough and can be read; returns also what is to be reported of older ones.
pub(super) async fn begin(context: &PortContext) -> (PortSession, Option<History>) {
    let config = context.config.borrow().clone();
    let port = context.port.clone();
    let beginning = context.beginning;
    if beginning == Beginning::Fresh {
        return (PortSession::new(config, port), None);
    }
    let span = Span::current();
    let event_index = context.reported.clone();
    let slot = start_slot().await;
    let recovering = spawn_blocking(move || {
        span.in_scope(|| {
            let begun = recover(&config, &port, beginning == Beginning::LeaveOut, event_index.as_ref());
            let displaced = displaced_by(&config, &port, &begun.0);
            (begun, displaced)
        })
    });
    let recovered = recovering.await;
    drop(slot);
    match recovered {
        Ok((begun, displaced)) => {
            for DisplacedGame { serial, capture, last } in displaced {
                let report = PortReport::Holds { serial, capture, last };
                if context.reports.send((context.port.clone(), report)).await.is_err() {
                    debug!("the supervisor does not take reports any more");
                }
            }
            begun
        }
        // The supervisor counts it and starts the port anew.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => (PortSession::new(context.config.borrow().clone(), context.port.clone()), None),
    }
}

/// Returns the games of boards that were on the port before the one whose game goes on there.
fn displaced_by(config: &Config, port: &str, session: &PortSession) -> Vec<DisplacedGame> {
    let is_bus = config.port(port).is_some_and(|port| !port.bus.is_empty());
    let Some(own) = session.serial().filter(|_| !is_bus) else { return Vec::new() };
    let captures = files::all(&config.state_dir, port).unwrap_or_default();
    displaced_games(&captures, port, own, session.timeline().utc(session.now()))
}

pub(super) fn recover(
    config: &Arc<Config>,
    port: &Arc<str>,
    leave_out: bool,
    event_index: Option<&Arc<EventIndex>>,
) -> (PortSession, Option<History>) {
    let fresh = || PortSession::new(config.clone(), port.clone());
    let mut captures = match files::all(&config.state_dir, port) {
        Ok(captures) => captures,
        Err(error) => {
            let directory = config.state_dir.join(files::CAPTURES).join(files::slug(port));
            error!(directory = %directory.display(), %error, "cannot look for an unfinished capture");
            return (fresh(), None);
        }
    };
    let newest = loop {
        match captures.pop() {
            Some(path)
                if !files::is_begun(&path)
                    && !begin_emptied(config, port, &path, event_index.map(AsRef::as_ref)) => {}
            Some(path) if files::is_of(&path, port) => break path,
            Some(_) => {}
            None => return (fresh(), None),
        }
    };
    let mut history = event_index.and_then(|index| History::find(config, port, &captures, index));
    let (mut past, states) = history.as_mut().map(History::before_newest).unwrap_or_default();
    let reported = event_index.map(|index| ReportedBefore { states, ..ReportedBefore::new(index) });
    let as_set_now = |written| event_index.map_or(written, |index| index.as_set_now(written));
    let written = files::modified(&newest).map(as_set_now);
    let left_out = if leave_out { files::leave_out_last(&newest) } else { Ok(()) };
    let recovered =
        left_out.and_then(|()| PortSession::recover(config.clone(), port.clone(), &newest, reported));
    let mut session = match recovered {
        Ok(session) => session,
        Err(error) => {
            error!(%error, "cannot go on with the capture; it is left as it is, and a new one begins");
            return (fresh().with_past(past), history);
        }
    };
    let now = session.timeline().utc(session.now());
    // Both, as the calendar may have been set since the capture began.
    let is_stale = |last| Duration::try_from(now.duration_since(last)).is_ok_and(|age| age > STALE);
    if is_stale(session.last_utc()) && written.is_none_or(is_stale) {
        debug!(capture = %newest.display(), "the newest capture is too old to be continued");
        past.extend(session.take_events());
        return (fresh().with_past(past), history);
    }
    info!(capture = %newest.display(), board = session.serial(), "continues an unfinished capture");
    (session.with_past(past), history)
}

/// Goes on with a game that was played on another port: with a copy, as the other port may need its own.
pub(super) async fn adopt(
    config: Arc<Config>,
    port: Arc<str>,
    from: PathBuf,
    event_index: Option<Arc<EventIndex>>,
) -> PortSession {
    let fresh = (config.clone(), port.clone());
    let span = Span::current();
    let adopting = spawn_blocking(move || {
        let _inside = span.enter();
        let copy = files::copy(&config.state_dir, &port, &from)?;
        // What the other port has gone through is reported.
        let event_index = event_index.filter(|event_index| event_index.is_first(&from));
        match copy.failure {
            None => PortSession::recover(
                config,
                port,
                &copy.path,
                event_index.as_deref().map(ReportedBefore::new),
            ),
            Some(reason) => {
                let path = copy.path.display();
                error!(capture = %path, %reason, "cannot be written; the game goes on, and waits in memory for the disk");
                PortSession::adopt_unwritten(config, port, &copy.path, copy.text, &reason)
            }
        }
    });
    match adopting.await {
        Ok(Ok(session)) => {
            info!(board = session.serial(), "continues a game from another port");
            session
        }
        Ok(Err(error)) => {
            error!(%error, "cannot go on with a game from another port");
            PortSession::new(fresh.0, fresh.1)
        }
        Err(error) => {
            error!(%error, "cannot go on with a game from another port");
            PortSession::new(fresh.0, fresh.1)
        }
    }
}
