//! Writes the log files: all events for programs, alerts for programs, alerts for people.
//!
//! One task writes all three, and the event log last: what is in it is in the others. So a restart has to compare
//! with the event log only, and an alert that is reported again, as the event log lacks it, is not written twice.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
    path::Path,
    sync::Arc,
    time::Duration,
};

use serde::Serialize;
use tokio::{
    select,
    sync::{
        broadcast::error::{RecvError, TryRecvError},
        watch,
    },
    task::spawn_blocking,
    time::{MissedTickBehavior, interval, timeout},
};
use tracing::{error, warn};

use super::{
    AlertText, EventIndex,
    event_index::tail,
    text::{self, ReportedAlert},
};
use crate::{
    config::Config,
    metrics::Health,
    published::{EventId, EventReader, Published, zone::local_zone},
};
use jadoube_core::event::EventKind;
use jadoube_runtime::{
    append::{AppendFile, Found},
    watchdog::Heartbeat,
};

/// Bytes that wait for a disk that takes none, for each file.
const DISK_QUEUE: usize = 1 << 20;

/// How long a disk that failed is left alone.
const RETRY: Duration = Duration::from_secs(10);

/// How long events wait for others to be written with them; alerts wait for nothing. A line is in its file within a fiftieth of a second,
/// and a hall of a thousand boards makes a hundred writes a second and not thousands.
const GATHER: Duration = Duration::from_millis(10);

/// Most events written in one go.
const BATCH: usize = 256;

/// How much of the alert logs is compared with the event log after a restart; the lines of a batch, and more.
const TAIL: u64 = 1 << 19;

/// A file that events are written to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum LogFile {
    /// Alerts, for programs.
    AlertsJson,
    /// One line per alert, for people.
    AlertsText,
    /// All events, for programs.
    EventsJson,
}

impl LogFile {
    /// All of them, in the order in which they are written.
    const ALL: [Self; 3] = [Self::AlertsJson, Self::AlertsText, Self::EventsJson];

    /// Returns the file's name in the log directory.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::AlertsText => "alerts.log",
            Self::AlertsJson => "alerts.jsonl",
            Self::EventsJson => "events.jsonl",
        }
    }
}

/// Writes the log files until there are no more events.
pub(crate) async fn run(
    mut events: EventReader,
    mut config: watch::Receiver<Arc<Config>>,
    event_index: Arc<EventIndex>,
    health: Health,
    heartbeat: Heartbeat,
) {
    let log_dir = config.borrow().log_dir.clone();
    let mut files = LogFile::ALL.map(|kind| AppendFile::new(log_dir.join(kind.name()), DISK_QUEUE));
    let mut writer =
        LineFormatter { text: AlertText::default(), ahead: Ahead::default(), zone: local_zone() };
    writer.read_tail(&log_dir, &event_index);
    drop(event_index);
    let mut beats = interval(heartbeat.period());
    let mut retry = interval(RETRY);
    retry.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut more = true;
    while more {
        let mut batch = Batch::default();
        let mut reopen = false;
        let mut retry_due = false;
        let current = config.borrow().clone();
        select! {
            received = events.recv() => match received {
                Ok(event) => {
                    writer.render(&event, &current, &mut batch);
                    if !batch.reports_alerts() && events.len() < BATCH {
                        timeout(GATHER, events.urgent()).await.unwrap_or_default();
                    }
                    more = writer.drain(&mut events, &current, &mut batch);
                }
                Err(RecvError::Lagged(missed)) => batch.report_gap(missed, &current),
                Err(RecvError::Closed) => more = false,
            },
            // A reload is also the sign that files may have been rotated.
            Ok(()) = config.changed() => {
                config.mark_unchanged();
                reopen = true;
            }
            _ = retry.tick() => retry_due = true,
            _ = beats.tick() => {}
        }
        heartbeat.beat();
        if batch.is_empty() && !reopen && !retry_due {
            continue;
        }
        let writing = spawn_blocking(move || {
            for (kind, file) in LogFile::ALL.into_iter().zip(&mut files) {
                if reopen {
                    file.reopen();
                }
                if retry_due {
                    put_back(file);
                    let lost = file.retry();
                    if lost > 0 {
                        file.append(gap(kind, lost, &current).as_bytes());
                    }
                }
                file.append(batch.of(kind).as_bytes());
            }
            files
        });
        match heartbeat.during(writing).await {
            Ok(written) => {
                files = written;
                health.set("logs", files.iter().find_map(AppendFile::failure));
            }
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return,
        }
    }
}

/// Puts a file back that was removed while it is written: what follows would be nowhere, and a restart report everything again.
fn put_back(file: &mut AppendFile) {
    match file.put_back_removed() {
        Ok(Found::Whole | Found::Cut) => {}
        Ok(Found::PutBack) => {
            warn!(file = %file.path().display(), "was removed while it is written; it is put back");
        }
        Err(error) => {
            error!(file = %file.path().display(), %error, "was removed while it is written, and cannot be put back");
        }
    }
}

/// Returns the line that reports of events that nobody could write down.
fn gap(kind: LogFile, missed: u64, config: &Config) -> String {
    match kind {
        LogFile::AlertsText => text::gap(missed, config.event.language) + "\n",
        LogFile::AlertsJson | LogFile::EventsJson => {
            format!("{{\"event\":\"gap\",\"missed\":{missed}}}\n")
        }
    }
}

/// Lines that are written in one go.
#[derive(Debug, Default)]
struct Batch {
    texts: [String; 3],
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.texts.iter().all(String::is_empty)
    }

    fn report_gap(&mut self, missed: u64, config: &Config) {
        for (kind, text) in LogFile::ALL.into_iter().zip(&mut self.texts) {
            text.push_str(&gap(kind, missed, config));
        }
    }

    fn reports_alerts(&self) -> bool {
        let [alerts_json, alerts_text, _] = &self.texts;
        !alerts_json.is_empty() || !alerts_text.is_empty()
    }

    fn of(&self, kind: LogFile) -> &str {
        let [alerts_json, alerts_text, events] = &self.texts;
        match kind {
            LogFile::AlertsJson => alerts_json,
            LogFile::AlertsText => alerts_text,
            LogFile::EventsJson => events,
        }
    }
}

/// Turns events into lines.
struct LineFormatter {
    text: AlertText,
    ahead: Ahead,
    zone: jiff::tz::TimeZone,
}

/// What the alert logs report and the event log does not, as the program was killed between the two.
#[derive(Debug, Default)]
struct Ahead {
    alerts: BTreeSet<EventId>,
    lines: HashSet<String>,
}

impl LineFormatter {
    /// Reads what the alert logs report already.
    fn read_tail(&mut self, log_dir: &Path, event_index: &EventIndex) {
        let read = |kind: LogFile| {
            let path = log_dir.join(kind.name());
            let (bytes, _) = tail(&path, TAIL).unwrap_or_else(|error| {
                error!(file = %path.display(), %error, "cannot determine which alerts are in the log");
                (Vec::new(), true)
            });
            String::from_utf8_lossy(&bytes).into_owned()
        };
        for line in read(LogFile::AlertsJson).split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let Ok(reported) = serde_json::from_str::<ReportedAlert<'_>>(line) else { continue };
            self.ahead.alerts.extend(reported.event_id().filter(|id| !event_index.has_alert(id)));
            self.text.remember_reported(reported);
        }
        if !self.ahead.alerts.is_empty() {
            self.ahead.lines = read(LogFile::AlertsText).lines().map(str::to_owned).collect();
        }
    }

    /// Handles what else is there already; says whether more may come.
    fn drain(&mut self, events: &mut EventReader, config: &Config, batch: &mut Batch) -> bool {
        for _ in 1..BATCH {
            match events.try_recv() {
                Ok(event) => self.render(&event, config, batch),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Closed) => return false,
                Err(TryRecvError::Lagged(missed)) => batch.report_gap(missed, config),
            }
        }
        true
    }

    fn render(&mut self, event: &Published, config: &Config, batch: &mut Batch) {
        let [alerts_json, alerts_text, events] = &mut batch.texts;
        let json = event.json();
        if event.is_alert() {
            let is_ahead = self.ahead.remove(event);
            if !is_ahead {
                push_line(alerts_json, &with_players(event, config));
            }
            let time = event.at.to_zoned(self.zone.clone()).strftime("%Y-%m-%d %H:%M:%S");
            let line = self.text.line(&event.event, &time, config);
            let line = line.filter(|line| !is_ahead || !self.ahead.lines.remove(line));
            if let Some(line) = line {
                push_line(alerts_text, &line);
            }
        }
        push_line(events, json);
    }
}

impl Ahead {
    /// Returns whether an alert has been written already, and forgets it.
    fn remove(&mut self, published: &Published) -> bool {
        let Some(ordinal) = published.ordinal.filter(|_| !self.alerts.is_empty()) else { return false };
        self.alerts.remove(&EventId::of(&published.event, ordinal))
    }
}

/// Returns an alert as JSON with its table and players: the event itself has no names, and by the time of a report others may sit
/// there.
fn with_players<'a>(event: &'a Published, config: &Config) -> Cow<'a, str> {
    /// Who sat where.
    #[derive(Serialize)]
    struct Players<'a> {
        table: Option<u32>,
        white: &'a str,
        black: &'a str,
    }

    let json = event.json();
    let EventKind::Alert(_) = event.event.kind else { return json.into() };
    let Some(table) = config.table(&event.event.board) else { return json.into() };
    let players = Players { table: table.number, white: &table.white, black: &table.black };
    match (json.strip_suffix('}'), serde_json::to_string(&players)) {
        (Some(head), Ok(tail)) => format!("{head},{}", tail.trim_start_matches('{')).into(),
        _ => json.into(),
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests;
