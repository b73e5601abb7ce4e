//! Keeps what each daemon has told, and makes one hall of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::SignedDuration;
use tracing::warn;

use super::message::{self, BoardGame, BoardState};
use crate::{
    config::TableSettings,
    config::topic_level,
    view::{AlertView, BoardView, Boards},
};

/// Most daemons, boards of one of them, and open alerts of one of them: a broker may hold anything.
const MOST_HALLS: usize = 256;
const MOST_BOARDS: usize = 1024;
const MOST_ALERTS: usize = 4096;

/// How long a hall without a daemon is shown.
const LINGER: SignedDuration = SignedDuration::from_hours(12);

/// What all daemons have told.
#[derive(Debug, Default)]
pub(super) struct Halls {
    daemons: BTreeMap<String, Hall>,
    changed: bool,
    /// By the name under which a board is shown: who has it.
    owners: BTreeMap<String, String>,
    full: bool,
}

/// What one daemon has told.
#[derive(Debug, Default)]
struct Hall {
    online: bool,
    boards: BTreeMap<String, RetainedBoard>,
    alerts: BTreeMap<String, (String, Arc<AlertView>)>,
}

/// What the retained topics hold of one board.
#[derive(Debug, Default)]
struct RetainedBoard {
    up: bool,
    state: Option<BoardState>,
    game: Option<Arc<BoardGame>>,
    /// The view made of it, until something changes.
    view: Option<Arc<BoardView>>,
}

impl Halls {
    /// Takes a message; one without a payload takes its topic back.
    pub(super) fn handle_message(&mut self, topic: &str, payload: &[u8]) {
        let mut levels = topic.splitn(4, '/');
        let (Some("dgt"), Some(site), Some(daemon), Some(rest)) =
            (levels.next(), levels.next(), levels.next(), levels.next())
        else {
            return;
        };
        let root = format!("dgt/{site}/{daemon}");
        if !self.daemons.contains_key(&root) && (payload.is_empty() || self.daemons.len() >= MOST_HALLS) {
            return self.note_full(payload);
        }
        self.changed = true;
        let hall = self.daemons.entry(root).or_default();
        let taken = match rest.split('/').collect::<Vec<_>>()[..] {
            ["status"] => {
                hall.set_online(payload == b"online");
                true
            }
            ["board", board, what] => hall.set_board(board, what, payload),
            ["alert", id] => hall.set_alert(id, payload),
            _ => true,
        };
        if !taken {
            self.note_full(payload);
        }
    }

    /// Says once that there is more than can be shown.
    fn note_full(&mut self, payload: &[u8]) {
        if !payload.is_empty() && !std::mem::replace(&mut self.full, true) {
            warn!("the broker holds more halls, boards or alerts than can be shown");
        }
    }

    /// Takes note that nothing can be heard.
    pub(super) fn all_down(&mut self) {
        self.changed = true;
        for hall in self.daemons.values_mut() {
            hall.set_online(false);
        }
    }

    /// Tells whether something has changed since the last call of [`show`](Self::show).
    pub(super) const fn has_changed(&self) -> bool {
        self.changed
    }

    /// Returns what all topics of the daemon begin with that has a board.
    pub(super) fn root_of(&self, board: &str) -> Option<String> {
        self.owners.get(board).cloned()
    }

    /// Makes one hall of all: the boards, and who sits where.
    pub(super) fn show(&mut self, now: jiff::Timestamp) -> (Boards, Vec<TableSettings>) {
        self.changed = false;
        let mut boards = Boards::new();
        let mut tables: BTreeMap<String, TableSettings> = BTreeMap::new();
        self.owners.clear();
        for (root, hall) in &mut self.daemons {
            let online = hall.online;
            let mut raised: BTreeMap<String, Vec<(String, Arc<AlertView>)>> = BTreeMap::new();
            for (id, (board, alert)) in &hall.alerts {
                raised.entry(topic_level(board)).or_default().push((id.clone(), alert.clone()));
            }
            for (key, retained) in &mut hall.boards {
                let Some(state) = &retained.state else { continue };
                let ended = !online && state.updated.is_none_or(|at| now.duration_since(at) > LINGER);
                if ended {
                    continue;
                }
                let up = online && retained.up;
                let alerts = raised.remove(key).unwrap_or_default();
                let is_same = |view: &&Arc<BoardView>| {
                    let ids: BTreeSet<_> = view.alerts.iter().map(|(id, view)| (id, view.changed)).collect();
                    ids == alerts.iter().map(|(id, alert)| (id, alert.changed)).collect()
                };
                let known = retained.view.as_ref().filter(is_same).cloned();
                let view = known.unwrap_or_else(|| {
                    let mut view = state.view(state.board.as_str().into(), retained.game.as_deref(), up);
                    view.alerts = alerts.into_iter().map(|(id, alert)| (id, (*alert).clone())).collect();
                    Arc::new(view)
                });
                retained.view = Some(view.clone());
                // A board that was carried to another hall is where it can be heard.
                let rank = |view: &BoardView| (view.up, view.updated);
                if boards.get(&view.name).is_some_and(|other| rank(other) >= rank(&view)) {
                    continue;
                }
                let name = view.name.to_string();
                self.owners.insert(name.clone(), root.clone());
                let table = TableSettings {
                    number: state.table,
                    serial: name.clone(),
                    white: state.white.clone(),
                    black: state.black.clone(),
                    ..TableSettings::default()
                };
                tables.insert(name, table);
                boards.insert(view.name.clone(), view);
            }
        }
        (boards, tables.into_values().collect())
    }
}

impl Hall {
    fn set_online(&mut self, online: bool) {
        if std::mem::replace(&mut self.online, online) != online {
            self.boards.values_mut().for_each(|retained| retained.view = None);
        }
    }

    /// Takes something about a board; tells whether there was room for it.
    fn set_board(&mut self, board: &str, what: &str, payload: &[u8]) -> bool {
        if !self.boards.contains_key(board) && (payload.is_empty() || self.boards.len() >= MOST_BOARDS) {
            return payload.is_empty();
        }
        let retained = self.boards.entry(board.to_owned()).or_default();
        retained.view = None;
        match what {
            "availability" => retained.up = payload == b"online",
            "state" => {
                retained.state = serde_json::from_slice(payload)
                    .ok()
                    .filter(|state: &BoardState| topic_level(&state.board) == board);
            }
            "game" => retained.game = serde_json::from_slice(payload).ok().map(Arc::new),
            _ => {}
        }
        if retained.state.is_none() && retained.game.is_none() && payload.is_empty() {
            self.boards.remove(board);
        }
        true
    }

    /// Takes an alert; tells whether there was room for it.
    fn set_alert(&mut self, id: &str, payload: &[u8]) -> bool {
        if payload.is_empty() {
            self.alerts.remove(id);
            return true;
        }
        let Some((board, name, alert)) =
            message::alert(payload).filter(|(_, name, _)| topic_level(name) == id)
        else {
            return true;
        };
        // Under its own name, which orders refer to.
        if self.alerts.len() >= MOST_ALERTS && !self.alerts.contains_key(&name) {
            return false;
        }
        self.alerts.insert(name, (board, Arc::new(alert)));
        true
    }
}

#[cfg(test)]
mod tests;
