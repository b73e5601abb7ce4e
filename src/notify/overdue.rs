//! Urgent alerts to which nobody goes, and which of them the chief knows.

use std::collections::BTreeSet;

use crate::{
    config::Config,
    view::{AlertView, BoardView, Boards},
};
use jadoube_core::{
    alert::{AlertState, Severity},
    event::BoardId,
};

/// Urgent alerts that have gone to the chief, because nobody has reacted in time.
#[derive(Debug, Default)]
pub(super) struct Escalated(BTreeSet<String>);

/// An alert that has been open for too long.
pub(super) struct Overdue<'a> {
    pub(super) board: &'a BoardId,
    pub(super) id: &'a str,
    pub(super) alert: &'a AlertView,
    /// Whether the board has a clock, and neither side's time runs.
    pub(super) clock_stands: bool,
}

impl Escalated {
    /// Notes that an alert has gone to the chief.
    pub(super) fn note(&mut self, alert: &Overdue<'_>) {
        self.0.insert(alert.id.to_owned());
    }

    /// Returns alerts that are overdue for `most_s` seconds at most and have not gone to the chief. After a restart they go there
    /// again.
    pub(super) fn overdue<'a>(
        &mut self,
        boards: &'a Boards,
        config: &Config,
        now: jiff::Timestamp,
        most_s: i64,
    ) -> Vec<Overdue<'a>> {
        // Without the desk nobody can say that they go.
        let limit = config.http.as_ref().map_or(0, |http| i64::from(http.escalate_s));
        if limit == 0 {
            self.0.clear();
            return Vec::new();
        }
        let urgent = boards.values().flat_map(|board| {
            board.open_alerts().filter(|(_, alert)| waits(board, alert)).map(move |(id, alert)| Overdue {
                board: &board.name,
                id,
                alert,
                clock_stands: board.up
                    && board.clock.as_ref().is_some_and(|clock| clock.connected && clock.running.is_none()),
            })
        });
        let due: Vec<Overdue<'a>> = urgent
            .filter(|Overdue { alert, .. }| {
                let age = now.duration_since(alert.at).as_secs();
                (limit..limit.saturating_add(most_s)).contains(&age)
            })
            .collect();
        self.0.retain(|id| due.iter().any(|alert| alert.id == id));
        due.into_iter().filter(|alert| !self.0.contains(alert.id)).collect()
    }
}

/// Returns whether an alert is urgent, and nobody has dealt with it in any way.
fn waits(board: &BoardView, alert: &AlertView) -> bool {
    let is_urgent = || alert.fields.text("severity").as_deref() == Some(Severity::Act.name());
    alert.state == AlertState::Open && !(board.is_over() && alert.code.ends_game()) && is_urgent()
}
