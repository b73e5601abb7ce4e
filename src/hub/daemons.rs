//! Keeps what each daemon has reported, and makes one hall of it.

mod homes;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::SignedDuration;
use tracing::warn;

use self::homes::Homes;
use super::message::{self, BoardGame, BoardState};
use crate::{
    config::TableSettings,
    config::topic_level,
    view::{AlertView, BoardView, Boards},
};

/// Most daemons, boards of one of them, and open alerts of one of them: a broker may hold anything.
const MOST_DAEMONS: usize = 256;
const MOST_BOARDS: usize = 1024;
const MOST_ALERTS: usize = 4096;

/// Most bytes of messages that are held; a thousand boards with games of a hundred moves have a third of it.
const MOST_BYTES: usize = 128 << 20;

/// Longest topic of a daemon, bytes.
const LONGEST_TOPIC: usize = 1024;

/// How long a hall without a daemon is shown.
const LINGER: SignedDuration = SignedDuration::from_hours(12);

/// What all daemons have reported.
#[derive(Debug)]
pub(super) struct Daemons {
    /// By what all topics of a daemon begin with.
    by_root: BTreeMap<String, RemoteDaemon>,
    /// Number of the last change of a board that is shown.
    seq: u64,
    changed: bool,
    alerted: bool,
    /// By the name under which a board is shown: who has it.
    owners: BTreeMap<String, String>,
    homes: Homes,
    room: Room,
    full: bool,
}

/// A board as one daemon reports it.
struct Shown {
    view: Arc<BoardView>,
    table: TableSettings,
    /// When something was heard of it, if its daemon has a calendar to compare with others.
    heard: Option<jiff::Timestamp>,
}

/// How many bytes of messages there is room for.
#[derive(Debug)]
struct Room(usize);

impl Room {
    /// Reserves room for a message in place of one that takes `held`; says whether there is so much.
    const fn take(&mut self, held: &mut usize, wanted: usize) -> bool {
        let free = self.0.saturating_add(*held);
        let fits = wanted <= free;
        if fits {
            (self.0, *held) = (free - wanted, wanted);
        }
        fits
    }
}

/// What one daemon has reported.
#[derive(Debug, Default)]
struct RemoteDaemon {
    online: bool,
    /// Where its desk is.
    desk: Option<Arc<str>>,
    boards: BTreeMap<String, RetainedBoard>,
    /// By the level of their topics.
    alerts: BTreeMap<String, RetainedAlert>,
}

/// What a retained topic holds of an alert.
#[derive(Debug)]
struct RetainedAlert {
    board: String,
    /// Its own name, which orders refer to.
    name: String,
    alert: Arc<AlertView>,
    bytes: usize,
}

/// Alerts of one board, by their numbers.
type Alerts = Vec<(String, Arc<AlertView>)>;

/// What the retained topics hold of one board.
#[derive(Debug, Default)]
struct RetainedBoard {
    up: bool,
    state: Option<BoardState>,
    game: Option<Arc<BoardGame>>,
    /// How long the messages with the two were.
    state_bytes: usize,
    game_bytes: usize,
    /// The view made of it, until something changes.
    view: Option<Arc<BoardView>>,
}

impl Daemons {
    /// Knows nothing yet, and numbers what changes from the next number on.
    pub(super) const fn after(seq: u64) -> Self {
        Self {
            by_root: BTreeMap::new(),
            seq,
            changed: false,
            alerted: false,
            owners: BTreeMap::new(),
            homes: Homes::new(),
            room: Room(MOST_BYTES),
            full: false,
        }
    }

    /// Forgets what was reported, as all of it is reported again after a connection; boards stay those of their halls.
    pub(super) fn begin_anew(&mut self) {
        *self = Self { homes: std::mem::replace(&mut self.homes, Homes::new()), ..Self::after(self.seq) };
    }

    /// Handles a message of this moment; one without a payload clears its topic.
    pub(super) fn handle_message(&mut self, topic: &str, payload: &[u8], now: jiff::Timestamp) {
        let mut levels = topic.splitn(4, '/');
        let (Some("dgt"), Some(site), Some(name), Some(rest)) =
            (levels.next(), levels.next(), levels.next(), levels.next())
        else {
            return;
        };
        if topic.len() > LONGEST_TOPIC {
            return;
        }
        let root = format!("dgt/{site}/{name}");
        if !self.by_root.contains_key(&root) && (payload.is_empty() || self.by_root.len() >= MOST_DAEMONS) {
            return self.note_full(payload);
        }
        self.changed = true;
        let daemon = self.by_root.entry(root).or_default();
        let taken = match rest.split('/').collect::<Vec<_>>()[..] {
            ["status"] => {
                daemon.set_online(payload == b"online");
                true
            }
            ["info"] => {
                daemon.set_desk(message::desk(payload));
                true
            }
            ["board", board, what] => daemon.set_board(board, what, (payload, now), &mut self.room),
            ["alert", id] => {
                self.alerted = true;
                daemon.set_alert(id, payload, &mut self.room)
            }
            _ => true,
        };
        if !taken {
            self.note_full(payload);
        }
    }

    /// Says once that there is more than can be shown.
    fn note_full(&mut self, payload: &[u8]) {
        if !payload.is_empty() && !std::mem::replace(&mut self.full, true) {
            warn!("the broker holds more daemons, boards or alerts than can be shown");
        }
    }

    /// Notes that nothing can be heard.
    pub(super) fn all_down(&mut self) {
        self.changed = true;
        for daemon in self.by_root.values_mut() {
            daemon.set_online(false);
        }
    }

    /// Returns whether something has changed since the last call of [`show`](Self::show).
    pub(super) const fn has_changed(&self) -> bool {
        self.changed
    }

    /// Returns whether alerts are among what has changed.
    pub(super) const fn has_new_alerts(&self) -> bool {
        self.alerted
    }

    /// Returns what all topics of the daemon begin with that has a board.
    pub(super) fn root_of(&self, board: &str) -> Option<String> {
        self.owners.get(board).cloned()
    }

    /// Makes one hall of all: the boards, and who sits where.
    pub(super) fn show(&mut self, now: jiff::Timestamp) -> (Boards, Vec<TableSettings>) {
        (self.changed, self.alerted) = (false, false);
        let mut boards = Boards::new();
        let mut tables: BTreeMap<String, TableSettings> = BTreeMap::new();
        self.owners.clear();
        let mut best: BTreeMap<String, (bool, bool, Option<jiff::Timestamp>)> = BTreeMap::new();
        for (root, daemon) in &mut self.by_root {
            let site: Arc<str> = root.split('/').nth(1).unwrap_or_default().into();
            for Shown { view, table, heard } in daemon.show(&site, now, &mut self.seq) {
                let name = &table.serial;
                let is_home = self.homes.is(name, root);
                if view.up {
                    self.homes.hear(name, root);
                }
                // A board that was carried to another hall is where it can be heard. Anybody at the broker may say so of any board: it
                // stays in the hall that has had it as long as it can be heard there.
                let rank = (view.up, is_home, heard);
                if best.get(name).is_some_and(|other| *other >= rank) {
                    continue;
                }
                best.insert(name.clone(), rank);
                self.owners.insert(name.clone(), root.clone());
                boards.insert(view.name.clone(), view);
                tables.insert(table.serial.clone(), table);
            }
        }
        let up = |name: &str| boards.get(name).is_some_and(|board| board.up);
        self.homes.settle(self.owners.iter().filter(|(name, _)| up(name.as_str())), now);
        (boards, tables.into_values().collect())
    }
}

impl RemoteDaemon {
    fn set_online(&mut self, online: bool) {
        if std::mem::replace(&mut self.online, online) != online {
            self.boards.values_mut().for_each(|retained| retained.view = None);
        }
    }

    fn set_desk(&mut self, desk: Option<Arc<str>>) {
        if self.desk != desk {
            self.desk = desk;
            self.boards.values_mut().for_each(|retained| retained.view = None);
        }
    }

    /// Returns its boards with their tables; those of a daemon that has been gone for long are left out.
    fn show(&mut self, site: &Arc<str>, now: jiff::Timestamp, seq: &mut u64) -> Vec<Shown> {
        let mut raised: BTreeMap<String, Alerts> = BTreeMap::new();
        for RetainedAlert { board, name, alert, .. } in self.alerts.values() {
            raised.entry(topic_level(board)).or_default().push((name.clone(), alert.clone()));
        }
        let mut shown = Vec::new();
        for (key, retained) in &mut self.boards {
            let Some(state) = &retained.state else { continue };
            let ended = !self.online && state.updated.is_none_or(|at| now.duration_since(at) > LINGER);
            if ended {
                continue;
            }
            let heard = state.updated.filter(|_| !state.is_ahead);
            let table = TableSettings {
                number: state.table,
                serial: state.board.clone(),
                white: state.white.clone(),
                black: state.black.clone(),
                ..TableSettings::default()
            };
            let view = retained.view(
                (site, self.desk.as_ref()),
                self.online,
                raised.remove(key).unwrap_or_default(),
                seq,
            );
            shown.extend(view.map(|view| Shown { view, table, heard }));
        }
        shown
    }

    /// Handles something about a board; says whether there was room for it.
    fn set_board(
        &mut self,
        board: &str,
        what: &str,
        (payload, now): (&[u8], jiff::Timestamp),
        room: &mut Room,
    ) -> bool {
        if !self.boards.contains_key(board) && (payload.is_empty() || self.boards.len() >= MOST_BOARDS) {
            return payload.is_empty();
        }
        let retained = self.boards.entry(board.to_owned()).or_default();
        retained.view = None;
        let length = |is_held: bool| if is_held { payload.len() } else { 0 };
        let has_room = match what {
            "availability" => {
                retained.up = payload == b"online";
                true
            }
            "state" => {
                let state: Option<BoardState> = serde_json::from_slice(payload).ok();
                let state = state.filter(|state| topic_level(&state.board) == board);
                let state = state.map(|state| state.received(now));
                let has_room = room.take(&mut retained.state_bytes, length(state.is_some()));
                if has_room {
                    retained.state = state;
                }
                has_room
            }
            "game" => {
                let game: Option<BoardGame> = serde_json::from_slice(payload).ok();
                let has_room = room.take(&mut retained.game_bytes, length(game.is_some()));
                if has_room {
                    retained.game = game.map(Arc::new);
                }
                has_room
            }
            _ => true,
        };
        if retained.state.is_none() && retained.game.is_none() && payload.is_empty() {
            self.boards.remove(board);
        }
        has_room
    }

    /// Handles an alert; says whether there was room for it.
    fn set_alert(&mut self, id: &str, payload: &[u8], room: &mut Room) -> bool {
        if payload.is_empty() {
            if let Some(mut over) = self.alerts.remove(id) {
                room.take(&mut over.bytes, 0);
            }
            return true;
        }
        let Some((board, name, alert)) =
            message::alert(payload).filter(|(_, name, _)| topic_level(name) == id)
        else {
            return true;
        };
        let mut bytes = self.alerts.get(id).map_or(0, |known| known.bytes);
        let is_one_too_many = self.alerts.len() >= MOST_ALERTS && !self.alerts.contains_key(id);
        if is_one_too_many || !room.take(&mut bytes, payload.len()) {
            return false;
        }
        self.alerts.insert(id.to_owned(), RetainedAlert { board, name, alert: Arc::new(alert), bytes });
        true
    }
}

impl RetainedBoard {
    /// Returns the view with these alerts, made anew with the next number if anything has changed; none without a state.
    fn view(
        &mut self,
        (site, desk): (&Arc<str>, Option<&Arc<str>>),
        online: bool,
        alerts: Alerts,
        seq: &mut u64,
    ) -> Option<Arc<BoardView>> {
        let state = self.state.as_ref()?;
        let is_same = |view: &&Arc<BoardView>| {
            let ids: BTreeSet<_> = view.alerts.iter().map(|(id, view)| (id, view.changed)).collect();
            ids == alerts.iter().map(|(id, alert)| (id, alert.changed)).collect()
        };
        let known = self.view.as_ref().filter(is_same).cloned();
        let view = known.unwrap_or_else(|| {
            let name = state.board.as_str().into();
            let mut view = state.view(name, self.game.as_deref(), online && self.up);
            *seq += 1;
            view.seq = *seq;
            view.hall = Some(site.clone());
            view.desk = desk.cloned();
            view.alerts = alerts.into_iter().map(|(id, alert)| (id, (*alert).clone())).collect();
            Arc::new(view)
        });
        self.view = Some(view.clone());
        Some(view)
    }
}

#[cfg(test)]
mod tests;
