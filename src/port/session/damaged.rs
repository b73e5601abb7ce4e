//! Reads captures that power cuts and bad blocks of a disk have damaged: what is left of a game is worth more than a line of it.

use std::{path::Path, sync::Arc};

use tracing::warn;

use super::{PortSession, lost::LoggedGame};
use crate::{config::Config, port::files, sinks::EventIndex};
use jadoube_core::capture::{CaptureError, Reader, holes, is_mendable, mend};

impl PortSession {
    /// Replays a capture; returns also when its timeline began.
    ///
    /// Lines that are not in the format are kept as remarks and left out. A beginning that its head does not tell is that of its
    /// name, and exact where the log has told of it: by that the log knows what it has of the capture.
    pub(super) fn replay_file(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        index: Option<&EventIndex>,
    ) -> Result<(Self, jiff::Timestamp), CaptureError> {
        let name = path.display().to_string();
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
            let told = |index: &EventIndex| boards.clone().find_map(|board| index.exact_start(board, named));
            let started = index.and_then(told).unwrap_or(named);
            warn!(capture = %name, %started, "the head does not tell when the capture began; its name does");
            text = dated(&text, started);
            put_back(path, &text);
            replayed = Self::replay_text(config.clone(), port.clone(), path, &text);
        }
        if let Ok((session, started)) = &replayed
            && let Some(index) = index
            && let Some(log) = index.log()
            && !session.line.is_bus()
            && (!holes(&text).is_empty() || index.plies(*started) > session.plies_found())
            && let Some(told) = LoggedGame::read(log, *started)
            && let Some(whole) = told.put_into(&text, &port)
        {
            let found = told.found_in(&session.recovered.history);
            let better = Self::replay_text(config, port, path, &whole);
            if let Ok((mut session, started)) = better
                && told.found_in(&session.recovered.history) > found
            {
                warn!(capture = %name, "what the capture has lost of its game is taken from the event log");
                put_back(path, &whole);
                session.recovered.is_put_back = true;
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
    /// Returns the number of plies that the replay has found.
    fn plies_found(&self) -> usize {
        let games = self.recovered.history.values().filter_map(|board| board.game.as_ref());
        games.map(|game| game.moves.len()).max().unwrap_or(0)
    }
}

/// Replaces a capture by what could be read of it; on a disk that does not take it, the next start reads the damaged one again.
fn put_back(path: &Path, text: &[u8]) {
    if let Err(error) = files::put_back(path, text) {
        warn!(%error, "the capture stays damaged on the disk; its game goes on");
    }
}

/// Tells whether the head of a capture says when it began.
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
