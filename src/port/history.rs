//! Works off captures of earlier games whose events the event log may lack, beside the port's own work.
//!
//! There may be thousands of them after a disk that took no logs. The port listens meanwhile: what they asks goes to the
//! logs and to whoever follows events, and changes no state of a board, which is that of a newer game. How far the work
//! has got is noted in a file beside the captures, so that an end of the program in between loses nothing of the rest.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Semaphore, mpsc},
    task::spawn_blocking,
    time::sleep,
};
use tracing::{Span, error, info, warn};

use super::{
    files,
    last_sent::{LastSent, ReportedBefore},
    session::{Dated, PortSession, begin_emptied},
};
use crate::{
    config::Config,
    published::SerializedEvent,
    sinks::{EventIndex, Outgoing},
};
use jadoube_runtime::{
    clock::SystemClock,
    private,
    replace::{Durability, kept_aside, replace},
};

/// How much later than the event log a capture may have been written to without having been reported of.
const LAG: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// Events after which the sinks get time to write them.
const CHUNK: usize = 256;

/// That time. Sinks may be [`SINK_QUEUE`](crate::sinks::SINK_QUEUE) events behind.
const PAUSE: Duration = Duration::from_millis(200);

/// Time after which what was reported last is in the log.
const WRITTEN: Duration = Duration::from_secs(5);

/// Boards that play come first: one port at a time.
pub(crate) static TURN: Semaphore = Semaphore::const_new(1);

/// Returns the file that says which captures of a port are still to be worked off.
pub(crate) fn unfinished_history(state_dir: &Path, port: &str) -> PathBuf {
    state_dir.join(files::CAPTURES).join(files::slug(port)).join("untold.json")
}

/// Which captures are still to be worked off: those whose names sort between these two, both included.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Unfinished {
    first: String,
    last: String,
    /// When the log began that they were compared with first, UTC: what is older was reported.
    from: Option<jiff::Timestamp>,
}

impl Unfinished {
    fn read(file: &Path) -> Option<Self> {
        let bytes = match private::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                warn!(file = %file.display(), %error, "cannot read which captures are still to be reported");
                return None;
            }
        };
        let read = serde_json::from_slice(&bytes);
        read.inspect_err(|error| {
            let kept = kept_aside(file);
            warn!(file = %file.display(), %error, kept, "is damaged; captures before the end of the event log are not reported");
        })
        .ok()
    }

    fn write(&self, file: &Path) {
        let json = serde_json::to_vec(self).map_err(io::Error::from);
        if let Err(error) = json.and_then(|json| replace(file, &json, Durability::Volatile)) {
            warn!(file = %file.display(), %error, "cannot note how far earlier games have been reported");
        }
    }

    fn has(&self, name: &str) -> bool {
        (self.first.as_str()..=self.last.as_str()).contains(&name)
    }
}

/// Captures of earlier games that are to be worked off.
#[derive(Debug)]
pub(super) struct History {
    replay: Replay,
    /// Oldest first.
    captures: Vec<PathBuf>,
    unfinished: Unfinished,
    file: PathBuf,
}

/// What a capture is compared with.
#[derive(Clone, Debug)]
struct Replay {
    config: Arc<Config>,
    port: Arc<str>,
    event_index: Arc<EventIndex>,
    from: Option<jiff::Timestamp>,
}

impl Replay {
    /// Returns what the log lacks of a game; `states` are those that the capture before it ended with.
    fn unreported(&self, path: &Path, states: &mut LastSent) -> Vec<Dated> {
        if !files::is_begun(path) && !begin_emptied(&self.config, &self.port, path, Some(&self.event_index)) {
            return Vec::new();
        }
        let mut reported = ReportedBefore { from: self.from, ..ReportedBefore::new(&self.event_index) };
        reported.states = mem::take(states);
        let unreported = PortSession::unreported(self.config.clone(), self.port.clone(), path, &mut reported);
        *states = reported.states;
        unreported.unwrap_or_else(|error| {
            error!(%error, "cannot determine which events of a game the log lacks");
            Vec::new()
        })
    }
}

impl History {
    /// Finds those among the captures of a port, oldest first and without the newest, that the event log may lack.
    pub(super) fn find(
        config: &Arc<Config>,
        port: &Arc<str>,
        captures: &[PathBuf],
        event_index: &Arc<EventIndex>,
    ) -> Option<Self> {
        let since = event_index.end().and_then(|end| end.checked_sub(LAG).ok());
        let file = unfinished_history(&config.state_dir, port);
        let earlier = event_index.is_of_log().then(|| Unfinished::read(&file)).flatten();
        // Captures that have been removed since are nobody's business any more, nor is the log of that time.
        let earlier = earlier.filter(|earlier| captures.iter().any(|path| earlier.has(&name_of(path))));
        let is_recent = |path: &&PathBuf| since.is_some_and(|since| files::is_written_since(path, since));
        let begin = captures.len() - captures.iter().rev().take_while(is_recent).count();
        let is_due = |index: usize, path: &Path| {
            index >= begin || earlier.as_ref().is_some_and(|earlier| earlier.has(&name_of(path)))
        };
        let due =
            captures.iter().enumerate().filter(|(index, path)| is_due(*index, path)).map(|(_, path)| path);
        let captures: Vec<PathBuf> = due.filter(|path| files::is_of(path, port)).cloned().collect();
        let from = earlier.map_or_else(|| event_index.from(), |earlier| earlier.from);
        let unfinished =
            Unfinished { first: name_of(captures.first()?), last: name_of(captures.last()?), from };
        let replay =
            Replay { config: config.clone(), port: port.clone(), event_index: event_index.clone(), from };
        Some(Self { replay, captures, unfinished, file })
    }

    /// Returns what the log lacks of the game before the newest capture, and the states at its end, with which that
    /// capture begins.
    pub(super) fn before_newest(&mut self) -> (Vec<Dated>, LastSent) {
        let mut states = LastSent::default();
        // What a port that has failed lacks is of the last minute, and the log does not know it.
        let count = if self.replay.event_index.is_of_log() {
            self.unfinished.write(&self.file);
            1
        } else {
            self.captures.len()
        };
        let last = self.captures.split_off(self.captures.len().saturating_sub(count));
        (last.iter().flat_map(|path| self.replay.unreported(path, &mut states)).collect(), states)
    }

    /// Says what the log lacks of the other games, oldest first.
    pub(super) async fn work_off(mut self, events: mpsc::Sender<Outgoing>) {
        let captures = mem::take(&mut self.captures);
        let count = captures.len();
        if count > 0 {
            info!(captures = count, "earlier games that the log may lack are reported while the board plays");
        }
        let clock = SystemClock::start();
        let mut noted = clock.now();
        let mut handed_over = None;
        let mut states = LastSent::default();
        let mut reported = 0;
        for path in captures {
            let Ok(_turn) = TURN.acquire().await else { return };
            let name = name_of(&path);
            let (span, replay) = (Span::current(), self.replay.clone());
            let mut before = mem::take(&mut states);
            let replaying = spawn_blocking(move || {
                let _inside = span.enter();
                let unreported = replay.unreported(&path, &mut before);
                (before, unreported)
            });
            let unreported = match replaying.await {
                Ok((after, unreported)) => {
                    states = after;
                    unreported
                }
                Err(error) => {
                    error!(capture = name, %error, "has made the program fail and is left out; this is a bug in jadoube");
                    Vec::new()
                }
            };
            for dated in unreported {
                if events.send(past(&self.replay.port, dated)).await.is_err() {
                    return;
                }
                reported += 1;
                if reported % CHUNK == 0 {
                    sleep(PAUSE).await;
                }
            }
            let now = clock.now();
            if now.since(noted) > WRITTEN {
                noted = now;
                // What was handed over then is in the log by now.
                if let Some(first) = handed_over.replace(name) {
                    self.unfinished.first = first;
                    let (unfinished, file) = (self.unfinished.clone(), self.file.clone());
                    spawn_blocking(move || unfinished.write(&file)).await.unwrap_or_default();
                }
            }
        }
        sleep(WRITTEN).await;
        let removing = spawn_blocking(move || {
            if let Err(error) = fs::remove_file(&self.file) {
                warn!(file = %self.file.display(), %error, "cannot be removed");
            }
        });
        removing.await.unwrap_or_default();
        if count > 0 {
            info!(captures = count, events = reported, "earlier games are reported");
        }
    }
}

/// Returns what the hub gets of an earlier game.
pub(super) fn past(port: &Arc<str>, dated: Dated) -> Outgoing {
    let event = SerializedEvent::new(dated.event, dated.ordinal);
    Outgoing::Past { port: port.clone(), at: dated.at, event }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_that_is_cut_anywhere_is_kept_aside() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("untold.json");
        let from = Some(jiff::Timestamp::UNIX_EPOCH);
        let unfinished =
            Unfinished { first: "a-g001.dgtcap".to_owned(), last: "b-g002.dgtcap".to_owned(), from };
        assert!(Unfinished::read(&file).is_none());
        unfinished.write(&file);
        assert_eq!(Unfinished::read(&file).unwrap().from, from);
        let whole = fs::read(&file).unwrap();
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).unwrap();
            assert!(Unfinished::read(&file).is_none(), "{length}");
            assert!(!file.exists(), "{length}");
            assert_eq!(fs::read(dir.path().join("untold.json.damaged")).unwrap(), &whole[..length]);
        }
    }
}
