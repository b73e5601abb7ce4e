//! Chooses what a port goes on with: its newest capture, a board's game from another port, or nothing.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::task::spawn_blocking;
use tracing::{Span, debug, error, info};

use super::{
    Beginning, Setup, files,
    session::{STALE, Session},
};
use crate::config::Config;

/// Goes on with the newest capture, if it is young enough and can be read.
pub(super) async fn begin(setup: &Setup) -> Session {
    let config = setup.config.borrow().clone();
    let port = setup.port.clone();
    let beginning = setup.beginning;
    if beginning == Beginning::Fresh {
        return Session::new(config, port);
    }
    let span = Span::current();
    let recovering =
        spawn_blocking(move || span.in_scope(|| recover(&config, &port, beginning == Beginning::LeaveOut)));
    match recovering.await {
        Ok(session) => session,
        // The supervisor counts it and starts the port anew.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Session::new(setup.config.borrow().clone(), setup.port.clone()),
    }
}

fn recover(config: &Arc<Config>, port: &Arc<str>, leave_out: bool) -> Session {
    let fresh = || Session::new(config.clone(), port.clone());
    let path = match files::newest(&config.state_dir, port) {
        Ok(Some(path)) => path,
        Ok(None) => return fresh(),
        Err(error) => {
            error!(%error, "cannot look for an unfinished capture");
            return fresh();
        }
    };
    let left_out = if leave_out { files::leave_out_last(&path) } else { Ok(()) };
    let session = match left_out.and_then(|()| Session::recover(config.clone(), port.clone(), &path)) {
        Ok(session) => session,
        Err(error) => {
            error!(%error, "cannot go on with the capture; it is left as it is, and a new one begins");
            return fresh();
        }
    };
    let age = session.timeline().utc(session.now()).duration_since(session.last_utc());
    if Duration::try_from(age).is_ok_and(|age| age > STALE) {
        debug!(capture = %path.display(), "the newest capture is history");
        return fresh();
    }
    info!(capture = %path.display(), board = session.serial(), "goes on with an unfinished capture");
    session
}

/// Goes on with a game that was played on another port: with a copy, as the other port may need its own.
pub(super) async fn adopt(config: Arc<Config>, port: Arc<str>, from: PathBuf) -> Session {
    let fresh = (config.clone(), port.clone());
    let span = Span::current();
    let adopting = spawn_blocking(move || {
        let _inside = span.enter();
        let copy = files::copy(&config.state_dir, &port, &from)?;
        Session::recover(config, port, &copy)
    });
    match adopting.await {
        Ok(Ok(session)) => {
            info!(board = session.serial(), "goes on with a game from another port");
            session
        }
        Ok(Err(error)) => {
            error!(%error, "cannot go on with a game from another port");
            Session::new(fresh.0, fresh.1)
        }
        Err(error) => {
            error!(%error, "cannot go on with a game from another port");
            Session::new(fresh.0, fresh.1)
        }
    }
}
