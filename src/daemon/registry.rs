//! Knows on which port the game of each board is recorded, so that a board that was plugged in elsewhere goes on
//! with its own game.
//!
//! USB hubs that were reset hand out their names anew: board and port are not the same thing. Two boards may report one number, too: then
//! the one that was there keeps the game, also while its cable is out for a moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use jiff::SignedDuration;

use crate::port::Claimed;

/// How long a board that is gone keeps its game from one with its number that was connected beside it: that is no board which was
/// plugged in elsewhere.
const KEPT: SignedDuration = SignedDuration::from_mins(10);

/// How long a board is waited for where it was before a restart, if one elsewhere reports its number first.
const EXPECTED: SignedDuration = SignedDuration::from_secs(5);

/// Where the game of each board is recorded.
#[derive(Debug, Default)]
pub(super) struct Registry {
    boards: BTreeMap<String, Location>,
    /// Ports that are called anew, as nothing is heard there: a board that waits is asked nothing.
    called_anew: BTreeSet<Arc<str>>,
}

#[derive(Debug)]
struct Location {
    port: Arc<str>,
    capture: PathBuf,
    last: jiff::Timestamp,
    /// Until when the board is waited for there after a restart, as nothing has been heard there.
    expected: Option<jiff::Timestamp>,
    /// Whether the board has answered on that port since the link came up.
    connected: bool,
    /// When it was heard no more.
    left: Option<jiff::Timestamp>,
    /// Ports with another board of this number, which wait, and since when.
    rivals: BTreeMap<Arc<str>, jiff::Timestamp>,
}

impl Location {
    fn new(port: Arc<str>, capture: PathBuf, last: jiff::Timestamp) -> Self {
        Self { port, capture, last, expected: None, connected: false, left: None, rivals: BTreeMap::new() }
    }

    /// Returns whether the game is not for the board on another port, which has the number of one that is or was connected.
    fn is_kept_from(&self, port: &Arc<str>, now: jiff::Timestamp) -> bool {
        let is_away = self.left.is_some_and(|left| now.duration_since(left) < KEPT);
        self.port != *port && (self.connected || is_away && self.rivals.contains_key(port))
    }

    /// Returns whether the board may still be where it was before a restart: nobody knows yet which one is on another port.
    fn is_expected_elsewhere(&self, port: &Arc<str>, now: jiff::Timestamp) -> bool {
        self.port != *port && self.expected.is_some_and(|until| now < until)
    }
}

impl Registry {
    /// Notes that a port has a board's game; of two after a restart the one with the later input counts.
    pub(super) fn hold(
        &mut self,
        port: &Arc<str>,
        serial: String,
        capture: PathBuf,
        last: jiff::Timestamp,
        now: jiff::Timestamp,
    ) {
        match self.boards.get_mut(&serial) {
            Some(entry) if entry.port == *port => {
                entry.capture = capture;
                entry.last = last;
            }
            Some(entry) if entry.connected || entry.last >= last => {}
            _ => {
                let expected = now.checked_add(EXPECTED).ok();
                let entry = Location { expected, ..Location::new(port.clone(), capture, last) };
                self.boards.insert(serial, entry);
            }
        }
    }

    /// Notes that a board has answered on a port and informs who has its game.
    pub(super) fn claim(
        &mut self,
        port: &Arc<str>,
        serial: String,
        capture: Option<PathBuf>,
        now: jiff::Timestamp,
    ) -> Claimed {
        // What was expected there has not come: another board has.
        for (_, other) in
            self.boards.iter_mut().filter(|(number, entry)| entry.port == *port && **number != serial)
        {
            other.expected = None;
        }
        let Some(entry) = self.boards.get_mut(&serial) else {
            let capture = capture.unwrap_or_default();
            let entry = Location { connected: true, ..Location::new(port.clone(), capture, now) };
            self.boards.insert(serial, entry);
            return Claimed::Yours;
        };
        if entry.is_kept_from(port, now) {
            entry.rivals.entry(port.clone()).or_insert(now);
            return Claimed::Taken(entry.port.clone());
        }
        if entry.is_expected_elsewhere(port, now) {
            return Claimed::Expected(entry.port.clone());
        }
        entry.rivals.remove(port);
        (entry.expected, entry.left) = (None, None);
        entry.connected = true;
        entry.port = port.clone();
        entry.last = now;
        if capture.as_ref() == Some(&entry.capture) || entry.capture.as_os_str().is_empty() {
            return Claimed::Yours;
        }
        Claimed::Adopt(entry.capture.clone())
    }

    /// Notes that no board answers on a port.
    pub(super) fn disconnect(&mut self, port: &Arc<str>, now: jiff::Timestamp) {
        let is_called_anew = self.called_anew.remove(port);
        for entry in self.boards.values_mut() {
            if entry.port == *port && std::mem::take(&mut entry.connected) {
                entry.left = Some(now);
            }
            // Whatever is plugged in there next may be the first board.
            if !is_called_anew {
                entry.rivals.remove(port);
            }
        }
    }

    /// Notes that a port has heard its board last at an instant, though it was asked since: one that came elsewhere after that may be
    /// this board.
    pub(super) fn unheard(&mut self, port: &Arc<str>, last: jiff::Timestamp) {
        self.called_anew.insert(port.clone());
        for entry in self.boards.values_mut().filter(|entry| entry.port == *port) {
            entry.rivals.retain(|_, since| *since < last);
        }
    }

    /// Notes that a port is given up: whoever has its boards may go on.
    pub(super) fn release(&mut self, port: &Arc<str>) {
        for entry in self.boards.values_mut().filter(|entry| entry.port == *port) {
            (entry.connected, entry.expected, entry.left) = (false, None, None);
        }
    }

    /// Forgets the games that a port has: their captures are not to be used.
    pub(super) fn forget(&mut self, port: &Arc<str>) {
        self.boards.retain(|_, entry| entry.port != *port);
    }

    /// Returns the boards whose games a port has.
    pub(super) fn boards_of(&self, port: &str) -> impl Iterator<Item = &str> {
        self.boards.iter().filter(move |(_, entry)| *entry.port == *port).map(|(serial, _)| serial.as_str())
    }

    /// Returns the port that has a board's game.
    pub(super) fn port_of(&self, serial: &str) -> Option<&Arc<str>> {
        self.boards.get(serial).map(|entry| &entry.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str) -> Arc<str> {
        Arc::from(name)
    }

    fn at(second: i64) -> jiff::Timestamp {
        jiff::Timestamp::from_second(second).unwrap()
    }

    fn hold(registry: &mut Registry, name: &str, serial: &str, capture: &str, last: i64) {
        registry.hold(&port(name), serial.to_owned(), PathBuf::from(capture), at(last), at(99));
    }

    fn claim(registry: &mut Registry, name: &str, serial: &str, capture: Option<&str>) -> Claimed {
        registry.claim(&port(name), serial.to_owned(), capture.map(PathBuf::from), at(100))
    }

    #[test]
    fn a_new_board_belongs_to_its_port() {
        let mut registry = Registry::default();
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(registry.port_of("1"), Some(&port("a")));
        assert_eq!(registry.port_of("2"), None);
    }

    #[test]
    fn two_boards_that_change_places_take_their_games_along() {
        let mut registry = Registry::default();
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(claim(&mut registry, "b", "2", Some("b2")), Claimed::Yours);
        registry.disconnect(&port("a"), at(100));
        registry.disconnect(&port("b"), at(100));
        assert_eq!(claim(&mut registry, "a", "2", None), Claimed::Adopt(PathBuf::from("b2")));
        hold(&mut registry, "a", "2", "a2", 101);
        assert_eq!(claim(&mut registry, "a", "2", Some("a2")), Claimed::Yours);
        assert_eq!(claim(&mut registry, "b", "1", None), Claimed::Adopt(PathBuf::from("a1")));
        hold(&mut registry, "b", "1", "b1", 102);
        assert_eq!(claim(&mut registry, "b", "1", Some("b1")), Claimed::Yours);
    }

    #[test]
    fn a_game_that_was_forgotten_begins_anew() {
        let mut registry = Registry::default();
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        registry.forget(&port("a"));
        assert_eq!(claim(&mut registry, "a", "1", Some("a2")), Claimed::Yours);
    }

    #[test]
    fn a_board_that_is_there_twice_keeps_its_game() {
        let mut registry = Registry::default();
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(claim(&mut registry, "b", "1", Some("b1")), Claimed::Taken(port("a")));
        hold(&mut registry, "b", "1", "b1", 200);
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
    }

    /// Two boards with one number, of which the second one waits.
    fn rivals() -> Registry {
        let mut registry = Registry::default();
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(claim(&mut registry, "b", "1", None), Claimed::Taken(port("a")));
        registry
    }

    fn claim_at(registry: &mut Registry, name: &str, second: i64) -> Claimed {
        registry.claim(&port(name), "1".to_owned(), None, at(second))
    }

    #[test]
    fn a_cable_that_is_out_for_a_moment_gives_no_game_to_a_rival() {
        let mut registry = rivals();
        registry.disconnect(&port("a"), at(110));
        assert_eq!(claim_at(&mut registry, "b", 112), Claimed::Taken(port("a")));
        // One that waits is asked nothing, says nothing, and is called anew.
        registry.unheard(&port("b"), at(110));
        registry.disconnect(&port("b"), at(140));
        assert_eq!(claim_at(&mut registry, "b", 141), Claimed::Taken(port("a")));
        assert_eq!(claim_at(&mut registry, "b", 709), Claimed::Taken(port("a")));
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        // The same once more; the first board comes back under another name.
        registry.disconnect(&port("a"), at(800));
        assert_eq!(claim_at(&mut registry, "b", 801), Claimed::Taken(port("a")));
        assert_eq!(claim_at(&mut registry, "c", 802), Claimed::Adopt(PathBuf::from("a1")));
        assert_eq!(claim_at(&mut registry, "b", 803), Claimed::Taken(port("c")));
        registry.disconnect(&port("c"), at(810));
        assert_eq!(claim_at(&mut registry, "b", 1410), Claimed::Adopt(PathBuf::from("a1")), "it is gone");
    }

    #[test]
    fn a_board_that_was_plugged_in_elsewhere_goes_on_at_once() {
        // Its old port heard nothing any more, and did not know why.
        let mut registry = rivals();
        registry.unheard(&port("a"), at(99));
        registry.disconnect(&port("a"), at(131));
        assert_eq!(claim_at(&mut registry, "b", 132), Claimed::Adopt(PathBuf::from("a1")));
        // It was heard while the other one was there, which is another board.
        let mut registry = rivals();
        registry.unheard(&port("a"), at(101));
        registry.disconnect(&port("a"), at(131));
        assert_eq!(claim_at(&mut registry, "b", 132), Claimed::Taken(port("a")));
        registry.release(&port("a"));
        assert_eq!(claim_at(&mut registry, "b", 133), Claimed::Adopt(PathBuf::from("a1")), "a reload");
        // It was the second one that went, and the first one that came in its place.
        let mut registry = rivals();
        registry.disconnect(&port("b"), at(110));
        registry.disconnect(&port("a"), at(111));
        assert_eq!(claim_at(&mut registry, "b", 112), Claimed::Adopt(PathBuf::from("a1")));
    }

    #[test]
    fn after_a_restart_the_later_capture_counts() {
        let mut registry = Registry::default();
        hold(&mut registry, "a", "1", "a1", 10);
        hold(&mut registry, "b", "1", "b1", 20);
        hold(&mut registry, "c", "1", "c1", 15);
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Expected(port("b")));
        assert_eq!(
            claim_at(&mut registry, "a", 104),
            Claimed::Adopt(PathBuf::from("b1")),
            "nothing has come there"
        );
    }

    #[test]
    fn after_a_restart_a_board_is_waited_for_where_it_was() {
        let mut registry = Registry::default();
        hold(&mut registry, "a", "1", "a1", 10);
        assert_eq!(claim_at(&mut registry, "b", 100), Claimed::Expected(port("a")));
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Yours);
        assert_eq!(claim_at(&mut registry, "b", 102), Claimed::Taken(port("a")));
        // All names were handed out anew: each board is waited for until another one has reported its number there.
        let mut registry = Registry::default();
        hold(&mut registry, "a", "1", "a1", 10);
        hold(&mut registry, "b", "2", "b2", 10);
        assert_eq!(claim(&mut registry, "b", "1", None), Claimed::Expected(port("a")));
        assert_eq!(claim(&mut registry, "a", "2", None), Claimed::Adopt(PathBuf::from("b2")));
        assert_eq!(claim(&mut registry, "b", "1", None), Claimed::Adopt(PathBuf::from("a1")));
    }
}
