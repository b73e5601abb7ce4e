//! Knows on which port the game of each board is recorded, so that a board that was plugged in elsewhere goes on
//! with its own game.
//!
//! USB hubs that were reset hand out their names anew: board and port are not the same thing.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use crate::port::Claimed;

/// Where the game of each board is recorded.
#[derive(Debug, Default)]
pub(super) struct Registry {
    boards: BTreeMap<String, Location>,
}

#[derive(Debug)]
struct Location {
    port: Arc<str>,
    capture: PathBuf,
    last: jiff::Timestamp,
    /// Whether the board has answered on that port since the link came up.
    connected: bool,
}

impl Registry {
    /// Notes that a port has a board's game; of two after a restart the one with the later input counts.
    pub(super) fn hold(&mut self, port: &Arc<str>, serial: String, capture: PathBuf, last: jiff::Timestamp) {
        match self.boards.get_mut(&serial) {
            Some(entry) if entry.port == *port => {
                entry.capture = capture;
                entry.last = last;
            }
            Some(entry) if entry.connected || entry.last >= last => {}
            _ => {
                self.boards.insert(serial, Location { port: port.clone(), capture, last, connected: false });
            }
        }
    }

    /// Notes that a board has answered on a port and tells who has its game.
    pub(super) fn claim(
        &mut self,
        port: &Arc<str>,
        serial: String,
        capture: Option<PathBuf>,
        now: jiff::Timestamp,
    ) -> Claimed {
        let Some(entry) = self.boards.get_mut(&serial) else {
            let capture = capture.unwrap_or_default();
            self.boards.insert(serial, Location { port: port.clone(), capture, last: now, connected: true });
            return Claimed::Yours;
        };
        if entry.connected && entry.port != *port {
            return Claimed::Taken(entry.port.clone());
        }
        entry.connected = true;
        entry.port = port.clone();
        entry.last = now;
        if capture.as_ref() == Some(&entry.capture) || entry.capture.as_os_str().is_empty() {
            return Claimed::Yours;
        }
        Claimed::Adopt(entry.capture.clone())
    }

    /// Notes that no board answers on a port.
    pub(super) fn disconnect(&mut self, port: &Arc<str>) {
        for entry in self.boards.values_mut().filter(|entry| entry.port == *port) {
            entry.connected = false;
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
        registry.hold(&port(name), serial.to_owned(), PathBuf::from(capture), at(last));
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
        registry.disconnect(&port("a"));
        registry.disconnect(&port("b"));
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

    #[test]
    fn after_a_restart_the_later_capture_counts() {
        let mut registry = Registry::default();
        hold(&mut registry, "a", "1", "a1", 10);
        hold(&mut registry, "b", "1", "b1", 20);
        hold(&mut registry, "c", "1", "c1", 15);
        assert_eq!(claim(&mut registry, "a", "1", Some("a1")), Claimed::Adopt(PathBuf::from("b1")));
    }
}
