use std::{fs, sync::Arc};

use shakmaty::{Color, Piece, Role, Square};

use super::*;
use crate::published::{Numbering, Published, SerializedEvent};
use jadoube_core::event::LinkState;

const STARTED: &str = "2026-11-21T20:00:00Z";

#[test]
fn what_comes_after_the_last_line_is_missing() {
    check(&[link(1), lift(2), lift(3)], &["1 up", "2 a1", "3 a1"], &[0, 1], &[2]);
    check(&[link(1), lift(2)], &[], &[0, 1], &[]);
    check(&[link(2), lift(3)], &["old"], &[], &[0, 1]);
}

#[test]
fn the_same_in_one_instant_is_counted() {
    check(&[lift(2), lift(2), lift(2)], &["t"], &[0, 1], &[2]);
    check(&[lift(2), lift(2), lift(2)], &["t"], &[0], &[1, 2]);
}

#[test]
fn a_line_that_no_replay_meets_hides_nothing() {
    check(&[lift(2), lift(3), lift(4)], &["stray"], &[0], &[1, 2]);
}

#[test]
fn what_is_older_than_a_log_that_was_cut_is_not_reported_again() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    let of_other = |second| line(&lift(second)).replace(r#""board":"1""#, r#""board":"2""#);
    fs::write(log.with_added_extension("1"), of_other(100)).unwrap();
    fs::write(&log, of_other(200)).unwrap();
    let event_index = EventIndex::read(&log);
    assert_eq!(missing(&event_index, &[lift(50), lift(150), lift(250)]), [1, 2]);
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
    // The second half of the game was reported an hour before the first, as calendars go.
    let back =
        |event: &Event| line_at(event, numbers(event), calendar(event) - SignedDuration::from_hours(1));
    let text = line(&lift(3)) + &back(&lift(7)) + &back(&lift(8));
    for text in [unnumbered(&text), text] {
        fs::write(&log, text).unwrap();
        let event_index = EventIndex::read(&log);
        assert_eq!(missing(&event_index, &[lift(3), lift(7), lift(8), lift(9)]), [3]);
        let reported = event_index.watermark(Path::new("y"), STARTED.parse().unwrap()).unwrap();
        assert_eq!(reported.reach(&BTreeSet::from(["1"])), Timestamp::from_micros(8_000_001));
    }
    let event_index = EventIndex::read(&log);
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
    let text = line(&lift(3)) + &line(&lift(7)) + "{\"t\":9,\"tor";
    for text in [unnumbered(&text), text] {
        fs::write(&log, text).unwrap();
        let event_index = EventIndex::read(&log);
        let reach = |started: &str| {
            let reported = event_index.watermark(Path::new(started), started.parse().unwrap()).unwrap();
            reported.reach(&BTreeSet::from(["1"]))
        };
        // Just after it, so that what comes next is not of that instant.
        assert_eq!(reach(STARTED), Timestamp::from_micros(7_000_001));
        // The same board's next capture has a timeline of its own.
        assert_eq!(reach("2026-11-21T20:00:06Z"), Timestamp::ZERO);
    }
}

#[test]
fn an_alert_may_be_reported_after_what_came_later() {
    // A restart holds an alert back until it is clear that the board does not return.
    let events = [lift(2), alert(3, "1-1-1"), lift(4), alert(5, "1-1-2"), lift(6)];
    check(&events, &[], &[0, 2, 4], &[1, 3]);
    check(&events, &[], &[0, 2, 4, 3], &[1]);
}

#[test]
fn a_log_of_0_1_0_reaches_to_its_last_instant() {
    let events = [lift(2), alert(2, "1-1-1"), lift(3), alert(3, "1-1-2"), lift(4)];
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    let text: String = events[..3].iter().map(line).collect();
    fs::write(&log, unnumbered(&text)).unwrap();
    assert_eq!(missing(&EventIndex::read(&log), &events), [3, 4]);
    // The new version goes on in the same file.
    let last = numbered(&events)[3];
    fs::write(&log, unnumbered(&text) + &line_at(&events[3], Some(last), calendar(&events[3]))).unwrap();
    assert_eq!(missing(&EventIndex::read(&log), &events), [4]);
}

#[test]
fn records_that_power_loss_took_shift_no_number() {
    // The log has three events of an instant of which the capture has one only; the game went on after it.
    let before = [lift(2), lift(2), lift(2), lift(5)];
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    let numbers = numbered(&before);
    let lines = before.iter().zip(numbers).take(3);
    let text: String = lines.map(|(event, number)| line_at(event, Some(number), calendar(event))).collect();
    fs::write(&log, text).unwrap();
    assert_eq!(missing(&EventIndex::read(&log), &[lift(2), lift(5), lift(6)]), [1, 2]);
}

/// Writes a log of some of the events, and others, and checks which of the events are missing there.
#[track_caller]
fn check(events: &[Event], others: &[&str], logged: &[usize], expected: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("events.jsonl");
    let numbers = numbered(events);
    let logged = logged.iter().map(|place| (&events[*place], numbers[*place]));
    let mut text: String =
        logged.map(|(event, number)| line_at(event, Some(number), calendar(event))).collect();
    for other in others {
        let times = format!("\"at\":\"{STARTED}\",\"seq\":1");
        text.push_str(&[r#"{"t":1.0,"board":""#, other, "\",", &times, "}\n"].concat());
        text.push_str(&[r#"{"t":1.5,"board":"1","event":""#, other, "\",", &times, "}\n"].concat());
    }
    fs::write(&log, text).unwrap();
    assert_eq!(missing(&EventIndex::read(&log), events), expected);
}

fn missing(event_index: &EventIndex, events: &[Event]) -> Vec<usize> {
    let reported = event_index.watermark(Path::new("x"), STARTED.parse().unwrap()).unwrap();
    let numbered = events.iter().zip(numbered(events)).enumerate();
    let missing = numbered.filter(|(_, (event, number))| reported.lacks(event, *number, calendar(event)));
    missing.map(|(place, _)| place).collect()
}

/// Numbers the events of a capture.
fn numbered(events: &[Event]) -> Vec<Ordinal> {
    let mut numbering = Numbering::of(STARTED.parse().unwrap());
    events.iter().map(|event| numbering.next(event)).collect()
}

/// Numbers an event that is the only one at its time.
fn numbers(event: &Event) -> Option<Ordinal> {
    numbered(std::slice::from_ref(event)).pop()
}

fn line(event: &Event) -> String {
    line_at(event, numbers(event), calendar(event))
}

fn line_at(event: &Event, ordinal: Option<Ordinal>, at: jiff::Timestamp) -> String {
    let event = SerializedEvent::new(event.clone(), ordinal);
    Published::new("p".into(), event, at, 1).json().to_owned() + "\n"
}

/// Returns lines as 0.1.0 wrote them.
fn unnumbered(lines: &str) -> String {
    let lines = lines.split_inclusive('\n').map(|line| match line.split_once(",\"capture\":") {
        Some((line, rest)) => line.to_owned() + ",\"at\":" + rest.split_once(",\"at\":").unwrap().1,
        None => line.to_owned(),
    });
    lines.collect()
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

fn alert(second: u64, id: &str) -> Event {
    let update = crate::sinks::text::tests::alert();
    event(second, EventKind::Alert(Box::new(jadoube_core::alert::Alert { id: id.to_owned(), ..update })))
}

#[test]
fn files_from_before_a_calendar_change_keep_their_age() {
    let at = |second| jiff::Timestamp::from_second(second).unwrap();
    let by = SignedDuration::from_hours(40);
    let (read, leap) = (at(1_000_000), by.as_secs());
    // The leap is known to a second only: the last file was written just before.
    for known in [leap - 1, leap, leap + 1] {
        let index = EventIndex { read: Some(read), ..EventIndex::default() }
            .after_leap(SignedDuration::from_secs(known));
        assert!(read.duration_since(index.as_set_now(at(1_000_000 - leap))).as_secs() <= 1);
        assert!(index.as_set_now(at(1_000_000 - leap)) <= read);
        assert_eq!(index.as_set_now(at(1_000_007)), at(1_000_007), "written by this process");
    }
}
