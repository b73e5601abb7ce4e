//! Reads captures that power cuts and bad blocks of a disk have damaged: what is left of a game is worth more than a line of it.

use std::{fs, path::Path, sync::Arc, time::Duration};

use tracing::{error, warn};

use super::{
    PortSession,
    lost::{LoggedGames, logged_capture},
};
use crate::{config::Config, port::files, sinks::EventIndex};
use jadoube_core::{
    capture::{CaptureError, Reader, holes, is_mendable, mark_cut, mend},
    time::Timestamp,
};
use jadoube_runtime::{private, replace::set_aside};

/// How much later than live the boards of a bus say what is put back: what they are asked for is reported at the pace of a hand.
pub(super) const BEHIND: Duration = Duration::from_secs(10);

impl PortSession {
    /// Replays a capture; returns also when its timeline began.
    ///
    /// Lines that are not in the format are kept as remarks and left out. A beginning that its head does not report is that of its
    /// name, and exact where the log has reported of it: by that the log knows what it has of the capture.
    pub(super) fn replay_file(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        index: Option<&EventIndex>,
    ) -> Result<(Self, jiff::Timestamp), CaptureError> {
        let name = path.display().to_string();
        let bus = config.port(&port).map(|port| port.bus.clone()).filter(|bus| !bus.is_empty());
        let (mut text, torn) = files::read_whole(path)?;
        if torn {
            warn!(capture = %name, "the last line was torn and is cut off");
        }
        let replay = |text: &[u8]| Self::replay_text(config.clone(), port.clone(), path, text);
        let mut replayed = replay(&text);
        let mut is_damaged = false;
        if let Err(CaptureError::Line { line, reason, .. }) = &replayed
            && is_mendable(&text)
        {
            let (mended, bad) = mend(&text);
            warn!(
                capture = %name, line, reason, lines = bad.len(),
                "the capture is damaged; lines that are not in the format are kept as remarks and left out"
            );
            put_back(path, &mended);
            (text, is_damaged) = (mended, true);
            replayed = replay(&text);
        }
        if let Ok((session, _)) = &replayed
            && let Some(named) = files::start_of(path).filter(|_| !is_dated(&text))
        {
            let boards = session.recovered.replayed.iter().map(|dated| &dated.event.board);
            let reported =
                |index: &EventIndex| boards.clone().find_map(|board| index.exact_start(board, named));
            let started = index.and_then(reported).unwrap_or(named);
            warn!(capture = %name, %started, "the head does not say when the capture began; its name does");
            text = dated(&text, started);
            put_back(path, &text);
            replayed = Self::replay_text(config.clone(), port.clone(), path, &text);
        }
        if let Ok((session, started)) = &replayed
            && let Some(index) = index
            && let Some(log) = index.log()
            && (!holes(&text).is_empty() || session.lacks(index, *started))
            && let Some(reported) = LoggedGames::read(log, *started, bus.as_deref())
            && let Some(whole) = reported.put_into(&text, &port)
        {
            let last = index.last_reported(*started).unwrap_or(session.last);
            let reach = if bus.is_some() { last + BEHIND } else { last };
            // What was due after the last record was reported at its time, and is not lost.
            let found_in = |text: &[u8]| {
                let Ok((mut session, _)) = replay(text) else { return 0 };
                let recorded = reported.found_in(&session.recovered.history);
                session.begin_input(reach);
                recorded.max(reported.found_in(&session.recovered.history))
            };
            if found_in(&whole) > found_in(&text)
                && let Ok((mut session, started)) = Self::replay_text(config, port, path, &whole)
            {
                warn!(capture = %name, "what the capture has lost of its games is taken from the event log");
                put_back(path, &whole);
                session.recovered.is_put_back = true;
                if session.line.is_bus() {
                    // What was put back last is reported by then.
                    session.begin_input(session.last + BEHIND);
                }
                replayed = Ok((session, started));
            }
        }
        if let Ok((session, _)) = &mut replayed {
            session.recovered.is_damaged = is_damaged;
        }
        replayed
    }
}

impl PortSession {
    /// Returns whether the replay has found less of a game than the log reports.
    fn lacks(&self, index: &EventIndex, started: jiff::Timestamp) -> bool {
        index.games(started).any(|(board, logged)| {
            let game = self.recovered.history.get(board).and_then(|board| board.game.as_ref());
            let plies = game.map_or(0, |game| game.moves.len());
            let is_over = game.is_some_and(|game| game.result.is_some());
            usize::try_from(logged.plies).is_ok_and(|logged| logged > plies) || logged.is_over && !is_over
        })
    }
}

/// Begins a capture anew of which nothing is left, if the event log reports of its game, so that a replay takes that from there; reports
/// whether it has.
pub(crate) fn begin_emptied(config: &Config, port: &str, path: &Path, index: Option<&EventIndex>) -> bool {
    let name = path.display();
    let unreadable = fs::File::open(path).err();
    let named = files::start_of(path);
    let reported = index.zip(named).and_then(|(index, named)| {
        // Most are of a power cut in the moment in which they were begun, in a hall a thousand: the log is not read for these.
        let log = index.log().filter(|_| index.knows(named))?;
        let others = files::all(&config.state_dir, port).unwrap_or_default();
        let before = others.iter().rfind(|other| **other < *path && files::is_begun(other));
        logged_capture(log, named, port, before.and_then(|before| files::started(before)).into_iter())
    });
    let Some((started, board)) = reported else {
        if let Some(error) = unreadable {
            error!(
                capture = %name,
                %error,
                "the capture cannot be read, and the end of the event log has no game of it; give it to the user of the service \
                 and restart, or go on without it"
            );
            return false;
        }
        warn!(
            capture = %name,
            "is no capture; power may have failed when it was begun. If there was a game in it, it is lost: the end of the event \
             log has none"
        );
        return false;
    };
    let game = files::game_number(path);
    let bus = config.port(port).map(|port| port.bus.as_slice()).unwrap_or_default();
    let board = Some(board.as_str()).filter(|_| game > 1 && bus.is_empty());
    let head = files::head(&files::header(port, started, game, board, bus));
    let is_empty = fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
    let begun = if is_empty { Ok(()) } else { set_aside(path).map(drop) };
    match begun.and_then(|()| private::write(path, &mark_cut(&[], &head, Timestamp::ZERO))) {
        Ok(()) if let Some(error) = unreadable => {
            error!(
                capture = %name,
                %error,
                "the capture cannot be read and is kept beside it, as it is; moves and result are taken from the event log, the clock is \
                 lost"
            );
            true
        }
        Ok(()) => {
            warn!(capture = %name, "nothing is left of the capture; moves and result are taken from the event log, the clock is lost");
            true
        }
        Err(error) => {
            error!(capture = %name, %error, "nothing is left of the capture, and it cannot be written anew; its game is lost");
            false
        }
    }
}

/// Replaces a capture by what could be read of it; on a disk that does not take it, the next start reads the damaged one again.
fn put_back(path: &Path, text: &[u8]) {
    if let Err(error) = files::put_back(path, text) {
        warn!(%error, "the capture stays damaged on the disk; its game goes on");
    }
}

/// Returns whether the head of a capture says when it began.
fn is_dated(text: &[u8]) -> bool {
    let reader = Reader::new("", text);
    reader.is_ok_and(|reader| {
        reader.header().get("started").is_some_and(|started| started.parse::<jiff::Timestamp>().is_ok())
    })
}

/// Returns a capture whose head says at its end when it began: of two lines that do the later one counts.
fn dated(text: &[u8], started: jiff::Timestamp) -> Vec<u8> {
    let head = text
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| line.starts_with(b"#"))
        .map(<[u8]>::len)
        .sum::<usize>();
    let mut dated = text.to_owned();
    dated.splice(head..head, format!("# started: {started}\n").into_bytes());
    dated
}
