use std::{fs, sync::Arc};

use shakmaty::{Color, Piece, Role, Square};

use super::*;
use crate::published::Published;
use jadoube_core::event::LinkState;

const STARTED: &str = "2026-11-21T20:00:00Z";

#[test]
fn what_comes_after_the_last_line_is_missing() {
    check(&[link(1), lift(2), lift(3)], &["1 up", "2 a1", "3 a1"], &[0, 1], &[2]);
    check(&[link(1), lift(2)], &[], &[0, 1], &[]);
    check(&[link(1), lift(2)], &["old"], &[], &[0, 1]);
}

#[test]
fn the_same_in_one_instant_is_counted() {
    check(&[lift(2), lift(2), lift(2)], &["t"], &[0, 1], &[2]);
    check(&[lift(2), lift(2), lift(2)], &["t"], &[0], &[1, 2]);
}

#[test]
fn a_state_that_is_known_is_not_told_again() {
    let mut later = link(9);
    check(&[link(1), later.clone(), lift(10)], &["t"], &[0], &[2]);
    if let EventKind::Link { state, .. } = &mut later.kind {
        *state = LinkState::Down;
    }
    check(&[link(1), later, lift(10)], &["t"], &[0], &[1, 2]);
}

#[test]
fn a_line_that_no_replay_meets_hides_nothing() {
    check(&[lift(2), lift(3), lift(4)], &["stray"], &[0], &[1, 2]);
}

#[test]
fn what_is_older_than_a_log_that_was_cut_is_not_told_again() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    fs::write(log.with_added_extension("1"), line(&lift(100), 100)).unwrap();
    fs::write(&log, line(&lift(200), 200)).unwrap();
    let event_index = EventIndex::read(&log);
    let events = [lift(50), lift(150), lift(250)];
    // The line at 200 is of another board's capture, so to say: no replay meets it.
    assert_eq!(missing(&event_index, &events), [1, 2]);
}

#[test]
fn numbers_go_on_where_they_ended() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("events.jsonl");
    assert_eq!(EventIndex::read(&path).last_seq(), 0);
    for (text, expected) in [
        ("", 0),
        ("{\"seq\":4}\n{\"seq\":5}\n", 5),
        ("{\"seq\":5}\n{\"event\":\"gap\",\"missed\":3}\n", 5),
        ("{\"seq\":5}\n{\"seq\":6,\"tor", 5),
    ] {
        fs::write(&path, text).unwrap();
        assert_eq!(EventIndex::read(&path).last_seq(), expected, "{text}");
    }
    fs::rename(&path, path.with_added_extension("1")).unwrap();
    assert_eq!(EventIndex::read(&path).last_seq(), 5, "also if the log has just been rotated");
}

#[test]
fn a_calendar_that_was_set_back_hides_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    // The second half of the game was told an hour before the first, as calendars go.
    let back = |event: &Event| line_at(event, calendar(event) - SignedDuration::from_hours(1), 1);
    fs::write(&log, line(&lift(3), 3) + &back(&lift(7)) + &back(&lift(8))).unwrap();
    let event_index = EventIndex::read(&log);
    assert_eq!(missing(&event_index, &[lift(3), lift(7), lift(8), lift(9)]), [3]);
    let told = event_index.watermark(Path::new("y"), STARTED.parse().unwrap()).unwrap();
    assert_eq!(told.reach(&BTreeSet::from(["1"])), Timestamp::from_micros(8_000_000));
    // Seen from the calendar of today the capture begins in the future.
    let future = SystemClock::start().started() + SignedDuration::from_hours(1);
    assert!(event_index.watermark(Path::new("z"), future).is_some());
    let present = SystemClock::start().started() + SignedDuration::from_secs(1);
    assert!(event_index.watermark(Path::new("new"), present).is_none(), "it is of this process");
}

#[test]
fn a_capture_is_gone_through_once() {
    let event_index = EventIndex::default();
    let started = STARTED.parse().unwrap();
    assert!(event_index.watermark(Path::new("a"), started).is_some());
    assert!(event_index.watermark(Path::new("a"), started).is_none());
    assert!(!event_index.is_first(Path::new("a")));
    assert!(event_index.is_first(Path::new("b")));
}

#[test]
fn the_log_reaches_as_far_as_its_last_line() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    fs::write(&log, line(&lift(3), 3) + &line(&lift(7), 7) + "{\"t\":9,\"tor").unwrap();
    let event_index = EventIndex::read(&log);
    let reach = |started: &str| {
        let told = event_index.watermark(Path::new(started), started.parse().unwrap()).unwrap();
        told.reach(&BTreeSet::from(["1"]))
    };
    assert_eq!(reach(STARTED), Timestamp::from_micros(7_000_000));
    // The same board's next capture has a timeline of its own.
    assert_eq!(reach("2026-11-21T20:00:06Z"), Timestamp::ZERO);
}

/// Writes a log of some of the events, and others, and checks which of the events are missing there.
#[track_caller]
fn check(events: &[Event], others: &[&str], logged: &[usize], expected: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    let mut text: String = logged.iter().map(|place| line(&events[*place], 1)).collect();
    for other in others {
        let times = format!("\"at\":\"{STARTED}\",\"seq\":1");
        text.push_str(&[r#"{"t":1.0,"board":""#, other, "\",", &times, "}\n"].concat());
        text.push_str(&[r#"{"t":1.5,"board":"1","event":""#, other, "\",", &times, "}\n"].concat());
    }
    fs::write(&log, text).unwrap();
    let event_index = EventIndex::read(&log);
    if logged.len() == events.len() || !others.is_empty() {
        assert_eq!(missing(&event_index, events), expected);
    }
}

fn missing(event_index: &EventIndex, events: &[Event]) -> Vec<usize> {
    let told = event_index.watermark(Path::new("x"), STARTED.parse().unwrap()).unwrap();
    told.missing(events.iter().map(|event| (event, calendar(event)))).into_iter().collect()
}

fn line(event: &Event, seq: u64) -> String {
    line_at(event, calendar(event), seq)
}

fn line_at(event: &Event, at: jiff::Timestamp, seq: u64) -> String {
    Published::new("p".into(), event.clone().into(), at, seq).json().to_owned() + "\n"
}

/// Returns the calendar time of an event.
fn calendar(event: &Event) -> jiff::Timestamp {
    STARTED.parse::<jiff::Timestamp>().unwrap() + event.at.since(Timestamp::ZERO)
}

fn event(second: u64, kind: EventKind) -> Event {
    Event { at: Timestamp::from_micros(second * 1_000_000), board: Arc::from("1"), kind }
}

fn link(second: u64) -> Event {
    event(second, EventKind::Link { state: LinkState::Up, port: "p".to_owned() })
}

fn lift(second: u64) -> Event {
    let piece = Piece { color: Color::White, role: Role::Rook };
    event(second, EventKind::Lift { square: Square::A1, piece })
}
