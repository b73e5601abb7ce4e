use std::fs;

use super::*;
use crate::published::{Published, event_queue};
use jadoube_core::{
    alert::{Alert, AlertState, AlertUpdate, Confidence, Parts, Party, Severity},
    code::Code,
    event::{BoardEvent, Event, EventKind, LinkState, Times},
    laws::Edition,
    time::Timestamp,
};
use jadoube_runtime::watchdog::Watchdog;
use tokio::{task::JoinSet, time::sleep};

const NOW: &str = "2026-11-21T20:54:03Z";

/// Reads back what is written.
fn snapshots(earlier: &BTreeMap<String, BoardSnapshot>, boards: &Boards) -> BTreeMap<String, BoardSnapshot> {
    serde_json::from_str(&write_all(earlier, boards).unwrap()).unwrap()
}

#[test]
fn a_board_is_known_by_its_port_until_it_reports_its_number() {
    let (view, earlier) =
        (View::default(), BTreeMap::from([("ttyACM0".to_owned(), BoardSnapshot::default())]));
    view.apply(&published("ttyACM0", link(LinkState::Up)));
    let known = snapshots(&earlier, &view.read().1);
    assert_eq!(known.keys().collect::<Vec<_>>(), ["ttyACM0"]);
    view.apply(&published("23946", EventKind::Board(Box::new(BoardEvent::of_serial(Some("23946"))))));
    let known = snapshots(&earlier, &view.read().1);
    assert_eq!(known.keys().collect::<Vec<_>>(), ["23946"], "nor by what an earlier process called it");
    let state = &known["23946"];
    assert_eq!(
        (state.serial.as_deref(), state.port.as_str(), state.up),
        (Some("23946"), "/dev/ttyACM0", true)
    );
}

#[test]
fn a_state_is_an_extract_of_the_view() {
    let view = View::default();
    for kind in [
        link(LinkState::Up),
        EventKind::game_start(2, ""),
        clock(Some(Times { white: 60, black: 50 })),
        alert("23946-2-1"),
        alert("23946-2-2"),
        mark("23946-2-2", AlertState::Acknowledged),
        mark("23946-2-1", AlertState::Confirmed),
    ] {
        view.apply(&published("23946", kind));
    }
    let odd = BoardSnapshot {
        game: 7,
        battery: Some(50),
        version: Some("a \"b\"\n\\".to_owned()),
        alerts: ["1".to_owned(), "2".to_owned()].into(),
        ..BoardSnapshot::default()
    };
    let earlier = BTreeMap::from([("2".to_owned(), odd.clone())]);
    let known = snapshots(&earlier, &view.read().1);
    assert_eq!(known["2"], odd, "boards that are not there keep what was known of them");
    let state = &known["23946"];
    assert_eq!((state.game, state.ply, state.clock), (2, 0, Some((60, 50))));
    assert_eq!(state.running.as_deref(), Some("black"));
    assert_eq!(state.alerts.iter().collect::<Vec<_>>(), ["23946-2-2"]);
    assert_eq!(state.updated, Some(NOW.parse().unwrap()));
    view.apply(&published("23946", clock(None)));
    let state = &snapshots(&earlier, &view.read().1)["23946"];
    assert_eq!((state.clock, state.running.as_deref()), (None, None), "no clock shows no time");
}

#[test]
fn states_survive_a_restart_unless_they_are_history() {
    let dir = tempfile::tempdir().unwrap();
    let at = |time: &str| Some(time.parse().unwrap());
    let young =
        BoardSnapshot { up: true, game: 4, updated: at("2026-11-21T18:00:00Z"), ..BoardSnapshot::default() };
    let old = BoardSnapshot { updated: at("2026-11-20T18:00:00Z"), ..BoardSnapshot::default() };
    let file = dir.path().join(FILE);
    assert!(begin(&file, NOW.parse().unwrap()).is_empty());
    let states = BTreeMap::from([("1", young), ("2", old)]);
    fs::write(&file, serde_json::to_vec(&states).unwrap()).unwrap();
    let known = begin(&file, NOW.parse().unwrap());
    assert_eq!(known.keys().collect::<Vec<_>>(), ["1"]);
    assert_eq!((known["1"].game, known["1"].up), (4, false));
    let whole = fs::read(&file).unwrap();
    for length in 0..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        assert!(begin(&file, NOW.parse().unwrap()).is_empty(), "{length}");
        assert!(!file.exists(), "{length}");
        assert_eq!(fs::read(dir.path().join("boards.json.damaged")).unwrap(), &whole[..length]);
    }
}

/// Looks until it is so, for a quarter of an hour at most, which passes at once.
async fn wait(is: impl Fn() -> bool) {
    for _ in 0..900 {
        if is() {
            return;
        }
        sleep(PERIOD).await;
    }
    panic!("it is not so");
}

#[tokio::test(start_paused = true)]
async fn states_as_they_were_before_the_disk_failed_are_well() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("state");
    fs::create_dir(&place).unwrap();
    let (file, health, view) = (place.join(FILE), Health::default(), View::default());
    let (events, shutdown) = (event_queue(1), CancellationToken::new());
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("boards");
    view.apply(&numbered(1, "23946", link(LinkState::Up)));
    let now = NOW.parse().unwrap();
    let (source, stop) = (events.source(), shutdown.clone());
    let mut sink = JoinSet::new();
    sink.spawn(run(source, view.clone(), file.clone(), now, health.clone(), heartbeat, stop));
    wait(|| file.exists()).await;
    // The disk is gone, and comes back with what was on it.
    let away = dir.path().join("away");
    fs::rename(&place, &away).unwrap();
    view.apply(&numbered(2, "23946", link(LinkState::Down)));
    wait(|| !health.wrong().is_empty()).await;
    fs::rename(&away, &place).unwrap();
    view.apply(&numbered(3, "23946", link(LinkState::Up)));
    wait(|| health.wrong().is_empty()).await;
    drop(events);
    shutdown.cancel();
    sink.join_all().await;
    assert!(read(&file).unwrap()["23946"].up);
}

fn published(board: &str, kind: EventKind) -> Published {
    numbered(1, board, kind)
}

fn numbered(seq: u64, board: &str, kind: EventKind) -> Published {
    let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
    Published::new("/dev/ttyACM0".into(), event.into(), NOW.parse().unwrap(), seq)
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

fn clock(clock: Option<Times>) -> EventKind {
    let running = clock.map(|_| shakmaty::Color::Black);
    EventKind::Clock { clock, running, connected: clock.is_some(), low_battery: false }
}

fn alert(id: &str) -> EventKind {
    EventKind::Alert(Box::new(Alert {
        id: id.to_owned(),
        game: 2,
        code: Code::IllegalMove,
        severity: Severity::Act,
        article: "7.5.1".into(),
        authority: None,
        edition: Edition::default(),
        side: Party::One(shakmaty::Color::White),
        ply: 1,
        confidence: Confidence::Certain,
        p: None,
        otherwise: None,
        state: AlertState::Open,
        facts: serde_json::Map::new(),
        proposal: None,
        window: None,
        text: String::new(),
        parts: Parts::default(),
    }))
}
