use super::*;
use crate::{alert::AlertUpdate, event::Event, time::Timestamp};

const NOW: &str = "2026-11-21T20:54:03Z";

#[test]
fn a_board_is_known_by_its_port_until_it_tells_its_number() {
    let mut boards = Boards::default();
    boards.apply(&published("ttyACM0", link(LinkState::Up)));
    let (changed, renamed) = boards.take_changes(MOST);
    assert_eq!(names(&changed), ["ttyACM0"]);
    assert!(renamed.is_empty());
    boards.apply(&published(
        "23946",
        EventKind::Board {
            serial: Some("23946".to_owned()),
            long_serial: None,
            version: None,
            rotated: false,
            battery: None,
        },
    ));
    let (changed, renamed) = boards.take_changes(MOST);
    assert_eq!(names(&changed), ["23946"]);
    assert_eq!(renamed.into_iter().collect::<Vec<_>>(), ["ttyACM0"]);
    let (_, state) = &changed[0];
    assert_eq!(
        (state.serial.as_deref(), state.port.as_str(), state.up),
        (Some("23946"), "/dev/ttyACM0", true)
    );
}

#[test]
fn a_state_follows_the_events() {
    let mut boards = Boards::default();
    for kind in [
        link(LinkState::Up),
        EventKind::GameStart { game: 2, fen: String::new() },
        EventKind::Clock {
            clock: Some(Times { white: 60, black: 50 }),
            running: Some(shakmaty::Color::Black),
            connected: true,
            low_battery: false,
        },
        mark("23946-2-1", AlertState::Open),
        mark("23946-2-2", AlertState::Acknowledged),
        mark("23946-2-1", AlertState::Confirmed),
        EventKind::Retract { game: 2, ply: 5 },
    ] {
        boards.apply(&published("23946", kind));
    }
    let (changed, _) = boards.take_changes(MOST);
    let (_, state) = &changed[0];
    assert_eq!((state.game, state.ply, state.clock), (2, 4, Some((60, 50))));
    assert_eq!(state.running.as_deref(), Some("black"));
    assert_eq!(state.alerts.iter().collect::<Vec<_>>(), ["23946-2-2"]);
    boards.apply(&published("23946", EventKind::GameStart { game: 3, fen: String::new() }));
    let (changed, _) = boards.take_changes(MOST);
    assert_eq!((changed[0].1.ply, changed[0].1.alerts.len()), (0, 0));
    assert!(boards.take_changes(MOST).0.is_empty(), "each change is written once");
}

#[test]
fn states_survive_a_restart_unless_they_are_history() {
    let dir = tempfile::tempdir().unwrap();
    let at = |time: &str| Some(time.parse().unwrap());
    let young = Snapshot { up: true, game: 4, updated: at("2026-11-21T18:00:00Z"), ..Snapshot::default() };
    let old = Snapshot { updated: at("2026-11-20T18:00:00Z"), ..Snapshot::default() };
    let changed = [("1".to_owned(), young), ("2".to_owned(), old)];
    write_all(dir.path(), &changed, &BTreeSet::from(["3".to_owned()])).unwrap();
    fs::write(dir.path().join("4.json"), "half a sta").unwrap();
    let known = begin(dir.path(), NOW.parse().unwrap());
    assert_eq!(known.keys().collect::<Vec<_>>(), ["1"]);
    assert_eq!((known["1"].game, known["1"].up), (4, false));
    assert!(!dir.path().join("2.json").exists());
}

fn published(board: &str, kind: EventKind) -> Published {
    let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
    Published { port: "/dev/ttyACM0".into(), event, at: NOW.parse().unwrap(), seq: 1 }
}

fn link(state: LinkState) -> EventKind {
    EventKind::Link { state, port: "/dev/ttyACM0".to_owned() }
}

fn mark(id: &str, state: AlertState) -> EventKind {
    EventKind::AlertUpdate(Box::new(AlertUpdate {
        id: id.to_owned(),
        state,
        since: None,
        facts: serde_json::Map::new(),
    }))
}

fn names(changed: &[(String, Snapshot)]) -> Vec<&str> {
    changed.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn in_a_large_hall_each_board_has_its_turn() {
    let mut boards = Boards::default();
    let mut written = Vec::new();
    for _ in 0..5 {
        for board in 0..5 {
            boards.apply(&published(&board.to_string(), link(LinkState::Up)));
        }
        written.extend(names(&boards.take_changes(2).0).into_iter().map(str::to_owned));
    }
    assert_eq!(written, ["0", "1", "2", "3", "4", "0", "1", "2", "3", "4"]);
    assert_eq!(names(&boards.take_changes(usize::MAX).0), ["0", "1", "2"]);
}
