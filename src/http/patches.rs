//! What has changed of the boards in short: pages that show the hall apply it, and follow no event by themselves.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::hall::{AlertSummary, Summary, waits};
use crate::{
    config::Config,
    published::Published,
    view::{AlertView, BoardView, Boards, Fields, Headway},
};
use jadoube_core::event::BoardId;

/// The clock in a summary, and the kind of the events that change nothing else.
const CLOCK: &str = "clock";

/// What has changed of one board.
#[derive(Debug, Serialize)]
struct Patch<'a> {
    /// Number of the last event that is in it.
    seq: u64,
    board: &'a str,
    /// The kind of event that changed it; none if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    /// Whether it is the whole board, and not only what has changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    /// Keys of the summary, each with its new value.
    #[serde(skip_serializing_if = "Map::is_empty")]
    changed: Map<String, Value>,
    /// Alerts that are new or have changed; those of a whole board are the open ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alerts: Vec<Value>,
    /// Alerts that are no more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<String>,
}

/// What was sent of every board.
#[derive(Debug, Default)]
pub(super) struct Patches(BTreeMap<BoardId, LastReported>);

#[derive(Debug)]
struct LastReported {
    summary: Map<String, Value>,
    alerts: BTreeMap<String, ReportedAlert>,
}

/// What the summary of an alert is made of.
#[derive(Debug, Eq, PartialEq)]
struct ReportedAlert {
    changed: jiff::Timestamp,
    waits: bool,
    progress: Option<Headway>,
    fields: Fields,
}

impl LastReported {
    fn of(board: &BoardView, config: &Config) -> Self {
        let mut summary = match serde_json::to_value(Summary::without_alerts(board, config)) {
            Ok(Value::Object(summary)) => summary,
            _ => Map::new(),
        };
        summary.remove("alerts");
        let is_over = board.is_over();
        let reported = |alert: &AlertView| ReportedAlert {
            changed: alert.changed,
            waits: waits(alert, is_over),
            progress: board.progress(alert),
            fields: alert.fields.clone(),
        };
        let alerts = board.alerts.iter().map(|(id, alert)| (id.clone(), reported(alert))).collect();
        Self { summary, alerts }
    }
}

impl Patches {
    /// Forgets what was reported; the next patch of each board is the whole board.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Writes what an event has changed of its board.
    pub(super) fn write(&mut self, event: &Published, board: &BoardView, config: &Config) -> Option<Vec<u8>> {
        self.write_change(event.seq, Some(event.event.kind.name()), board, config)
    }

    /// Writes what has changed of a board since it was last sent; `cause` is the kind of event, if there was one.
    pub(super) fn write_change(
        &mut self,
        seq: u64,
        cause: Option<&'static str>,
        board: &BoardView,
        config: &Config,
    ) -> Option<Vec<u8>> {
        let now = LastReported::of(board, config);
        let Some(before) = self.0.get_mut(&board.name) else {
            let text = whole(seq, board, config, cause);
            self.0.insert(board.name.clone(), now);
            return text;
        };
        let differs = |known: Option<&Value>, value: &Value| known != Some(value);
        let changed = now.summary.iter().filter(|(key, value)| differs(before.summary.get(*key), value));
        let alerts = now.alerts.iter().filter(|(id, reported)| before.alerts.get(*id) != Some(reported));
        let alerts = alerts.filter_map(|(id, _)| board.alerts.get(id));
        let gone = before.alerts.keys().filter(|id| !now.alerts.contains_key(*id));
        let mut patch = Patch {
            seq,
            board: &board.name,
            event: cause,
            whole: false,
            changed: changed.map(|(key, value)| (key.clone(), value.clone())).collect(),
            alerts: alerts.map(|alert| summary_of(alert, board)).collect(),
            gone: gone.cloned().collect(),
        };
        let is_clock = patch.changed.len() == 1 && patch.changed.contains_key(CLOCK);
        if is_clock && patch.alerts.is_empty() && patch.gone.is_empty() {
            patch.event = cause.or(Some(CLOCK));
        }
        let text = serde_json::to_vec(&patch).ok();
        *before = now;
        text
    }
}

/// Writes all boards about which there was something after an event, for a page that knows the hall up to there.
pub(super) fn since(after: u64, seq: u64, boards: &Boards, config: &Config) -> Vec<Vec<u8>> {
    let changed = boards.values().filter(|board| board.seq > after);
    changed.filter_map(|board| whole(seq, board, config, None)).collect()
}

fn whole(seq: u64, board: &BoardView, config: &Config, event: Option<&str>) -> Option<Vec<u8>> {
    let LastReported { summary, .. } = LastReported::of(board, config);
    let alerts = board.open_alerts().map(|(_, alert)| summary_of(alert, board)).collect();
    let patch =
        Patch { seq, board: &board.name, event, whole: true, changed: summary, alerts, gone: Vec::new() };
    serde_json::to_vec(&patch).ok()
}

fn summary_of(alert: &AlertView, board: &BoardView) -> Value {
    serde_json::to_value(AlertSummary::of(alert, board)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
