//! Chooses what a port goes on with: its newest capture, a board's game from another port, or nothing.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::task::spawn_blocking;
use tracing::{Span, debug, error, info, warn};

use super::{
    Beginning, PortContext, files,
    last_sent::ToldBefore,
    session::{Dated, PortSession},
};
use crate::{
    config::Config,
    sinks::{EventIndex, STALE},
};

/// How much later than the event log a capture may have been written to without having been told of.
const LAG: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// Goes on with the newest capture, if it is young enough and can be read.
pub(super) async fn begin(context: &PortContext) -> PortSession {
    let config = context.config.borrow().clone();
    let port = context.port.clone();
    let beginning = context.beginning;
    if beginning == Beginning::Fresh {
        return PortSession::new(config, port);
    }
    let span = Span::current();
    let event_index = context.told.clone();
    let recovering = spawn_blocking(move || {
        span.in_scope(|| recover(&config, &port, beginning == Beginning::LeaveOut, event_index.as_deref()))
    });
    match recovering.await {
        Ok(session) => session,
        // The supervisor counts it and starts the port anew.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => PortSession::new(context.config.borrow().clone(), context.port.clone()),
    }
}

fn recover(
    config: &Arc<Config>,
    port: &Arc<str>,
    leave_out: bool,
    event_index: Option<&EventIndex>,
) -> PortSession {
    let fresh = || PortSession::new(config.clone(), port.clone());
    let mut captures = match files::all(&config.state_dir, port) {
        Ok(captures) => captures,
        Err(error) => {
            error!(%error, "cannot look for an unfinished capture");
            return fresh();
        }
    };
    let newest = loop {
        match captures.pop() {
            Some(path) if !files::is_begun(&path) => {
                warn!(capture = %path.display(), "is no capture; power may have failed when it was begun");
            }
            Some(path) if files::is_of(&path, port) => break path,
            Some(_) => {}
            None => return fresh(),
        }
    };
    let mut told = event_index.map(ToldBefore::new);
    let mut news = told.as_mut().map_or_else(Vec::new, |told| untold(config, port, &captures, told));
    let written = files::modified(&newest);
    let left_out = if leave_out { files::leave_out_last(&newest) } else { Ok(()) };
    let recovered = left_out.and_then(|()| PortSession::recover(config.clone(), port.clone(), &newest, told));
    let mut session = match recovered {
        Ok(session) => session,
        Err(error) => {
            error!(%error, "cannot go on with the capture; it is left as it is, and a new one begins");
            return fresh().with_news(news);
        }
    };
    let now = session.timeline().utc(session.now());
    // Both, as the calendar may have been set since the capture began.
    let is_stale = |last| Duration::try_from(now.duration_since(last)).is_ok_and(|age| age > STALE);
    if is_stale(session.last_utc()) && written.is_none_or(is_stale) {
        debug!(capture = %newest.display(), "the newest capture is too old to be continued");
        news.extend(session.take_events());
        return fresh().with_news(news);
    }
    info!(capture = %newest.display(), board = session.serial(), "continues an unfinished capture");
    session.with_news(news)
}

/// Returns what the log lacks of games that ended shortly before the program did.
fn untold(
    config: &Arc<Config>,
    port: &Arc<str>,
    captures: &[PathBuf],
    told: &mut ToldBefore<'_>,
) -> Vec<Dated> {
    let Some(since) = told.event_index.end().and_then(|end| end.checked_sub(LAG).ok()) else {
        return Vec::new();
    };
    let recent = captures.iter().rev().take_while(|path| files::is_written_since(path, since));
    let recent: Vec<&PathBuf> = recent.filter(|path| files::is_of(path, port)).collect();
    let mut events = Vec::new();
    for path in recent.into_iter().rev() {
        match PortSession::untold(config.clone(), port.clone(), path, told) {
            Ok(untold) => events.extend(untold),
            Err(error) => error!(%error, "cannot determine which events of a game the log lacks"),
        }
    }
    events
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
        // What the other port has gone through is told.
        let event_index = event_index.filter(|event_index| event_index.is_first(&from));
        PortSession::recover(config, port, &copy, event_index.as_deref().map(ToldBefore::new))
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
