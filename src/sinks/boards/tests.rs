use super::*;
use jadoube_core::{alert::AlertUpdate, event::Event, time::Timestamp};

const NOW: &str = "2026-11-21T20:54:03Z";

#[test]
fn a_board_is_known_by_its_port_until_it_tells_its_number() {
    let mut boards = Snapshots::default();
    boards.apply(&published("ttyACM0", link(LinkState::Up)));
    assert_eq!(boards.known.keys().collect::<Vec<_>>(), ["ttyACM0"]);
    boards.apply(&published(
        "23946",
        EventKind::Board {
            serial: Some("23946".to_owned()),
            long_serial: None,
            version: None,
            rotated: false,
            white_clock: jadoube_core::event::ClockSide::Left,
            seats: jadoube_core::event::Known::Unknown,
            battery: None,
        },
    ));
    assert_eq!(boards.known.keys().collect::<Vec<_>>(), ["23946"]);
    let state = &boards.known["23946"];
    assert_eq!(
        (state.serial.as_deref(), state.port.as_str(), state.up),
        (Some("23946"), "/dev/ttyACM0", true)
    );
}

#[test]
fn a_state_follows_the_events() {
    let mut boards = Snapshots::default();
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
    let state = &boards.known["23946"];
    assert_eq!((state.game, state.ply, state.clock), (2, 4, Some((60, 50))));
    assert_eq!(state.running.as_deref(), Some("black"));
    assert_eq!(state.alerts.iter().collect::<Vec<_>>(), ["23946-2-2"]);
    boards.apply(&published("23946", EventKind::GameStart { game: 3, fen: String::new() }));
    let state = &boards.known["23946"];
    assert_eq!((state.ply, state.alerts.len()), (0, 0));
}

#[test]
fn states_survive_a_restart_unless_they_are_history() {
    let dir = tempfile::tempdir().unwrap();
    let at = |time: &str| Some(time.parse().unwrap());
    let young = Snapshot { up: true, game: 4, updated: at("2026-11-21T18:00:00Z"), ..Snapshot::default() };
    let old = Snapshot { updated: at("2026-11-20T18:00:00Z"), ..Snapshot::default() };
    let file = dir.path().join(FILE);
    assert!(begin(&file, NOW.parse().unwrap()).is_empty());
    let states = BTreeMap::from([("1", young), ("2", old)]);
    write(&file, &serde_json::to_vec(&states).unwrap()).unwrap();
    let known = begin(&file, NOW.parse().unwrap());
    assert_eq!(known.keys().collect::<Vec<_>>(), ["1"]);
    assert_eq!((known["1"].game, known["1"].up), (4, false));
    fs::write(&file, "{\"1\":{}, half a sta").unwrap();
    assert!(begin(&file, NOW.parse().unwrap()).is_empty());
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
