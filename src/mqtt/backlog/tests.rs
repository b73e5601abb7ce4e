use std::{collections::BTreeSet, fs};

use super::*;
use crate::{config::MqttConfig, mqtt::topics::Topics};
use jadoube_core::{
    event::{Event, EventKind, Times},
    time::Timestamp,
};

fn published(seq: u64, kind: EventKind) -> Published {
    let at = jiff::Timestamp::from_second(i64::try_from(seq).unwrap()).unwrap();
    let event = Event { at: Timestamp::from_micros(seq * 1_000_000), board: Arc::from("1"), kind };
    Published::new(Arc::from("a"), event.into(), at, seq)
}

fn wanted(seq: u64) -> Published {
    published(seq, EventKind::Retract { game: 1, ply: 1 })
}

/// Hands out everything there is, reading from `config`'s log where that is asked for.
fn drain(backlog: &mut Backlog, config: &Arc<Config>) -> Vec<u64> {
    let mut seqs = Vec::new();
    for _ in 0..100_000 {
        match backlog.next() {
            NextOut::OutgoingEvent(entry) => seqs.push(entry.seq),
            NextOut::Disk(wanted) => {
                backlog.found(read(config, &wanted));
            }
            NextOut::Nothing => return seqs,
        }
    }
    panic!("never done: {backlog:?}");
}

fn hall() -> (tempfile::TempDir, Arc<Config>) {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().into(), state_dir: dir.path().into(), ..Config::default() };
    (dir, Arc::new(config))
}

fn log(dir: &tempfile::TempDir, events: impl IntoIterator<Item = Published>) {
    let lines = events.into_iter().map(|event| event.json().to_owned() + "\n");
    fs::write(dir.path().join("events.jsonl"), lines.collect::<String>()).unwrap();
}

#[test]
fn recent_events_come_from_memory() {
    let (_dir, config) = hall();
    let mut backlog = Backlog::new(10, 10, None);
    assert_eq!(drain(&mut backlog, &config), [0; 0]);
    backlog.push(&wanted(11));
    backlog.push(&published(12, EventKind::Press { side: shakmaty::Color::White, clock: Times::default() }));
    backlog.push(&wanted(13));
    assert_eq!(backlog.behind(), 3);
    assert_eq!(drain(&mut backlog, &config), [11, 13]);
    assert_eq!((backlog.handed(), backlog.behind()), (13, 0));
    backlog.rewind(11, None);
    assert_eq!(drain(&mut backlog, &config), [13], "a new connection gets what was not acknowledged");
    backlog.acknowledged(13);
    assert!(backlog.recent.is_empty());
    backlog.push(&wanted(14));
    assert_eq!(drain(&mut backlog, &config), [14]);
}

#[test]
fn what_memory_does_not_have_is_read_from_the_log() {
    let (dir, config) = hall();
    log(&dir, (1..=20).map(wanted));
    let mut backlog = Backlog::new(3, 10, None);
    for seq in 11..=15 {
        backlog.push(&wanted(seq));
    }
    // The queue has overflowed: 16 and 17 were missed.
    for seq in 18..=20 {
        backlog.push(&wanted(seq));
    }
    assert_eq!(drain(&mut backlog, &config), (4..=20).collect::<Vec<_>>());
}

#[test]
fn a_long_outage_is_bounded_in_memory_and_loses_nothing() {
    let (dir, config) = hall();
    let last = 3 * u64::try_from(RECENT).unwrap();
    log(&dir, (1..=last).map(wanted));
    let mut backlog = Backlog::new(0, 0, None);
    for seq in 1..=last {
        backlog.push(&wanted(seq));
    }
    assert_eq!(backlog.recent.len(), RECENT);
    assert_eq!(drain(&mut backlog, &config), (1..=last).collect::<Vec<_>>());
}

#[test]
fn what_could_not_go_out_is_the_next_again() {
    let (_dir, config) = hall();
    let mut backlog = Backlog::new(0, 0, None);
    backlog.push(&wanted(1));
    backlog.push(&wanted(2));
    let NextOut::OutgoingEvent(first) = backlog.next() else { panic!("{backlog:?}") };
    backlog.put_back(first);
    assert_eq!(backlog.handed(), 0);
    assert_eq!(drain(&mut backlog, &config), [1, 2]);
}

#[test]
fn what_is_nowhere_does_not_hold_up_the_rest() {
    let (dir, config) = hall();
    fs::remove_dir_all(dir.path()).unwrap();
    let mut backlog = Backlog::new(3, 10, None);
    backlog.push(&wanted(11));
    assert_eq!(drain(&mut backlog, &config), [11]);
}

#[test]
fn a_hole_in_a_log_of_0_1_0_is_filled() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state/0.1.0");
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().into(), state_dir: kept.join("state"), ..Config::default() };
    let whole = fs::read_to_string(kept.join("log/events.jsonl")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let (before, after) = lines.split_at(lines.len() - 60);
    let (lost, after) = after.split_at(40);
    fs::write(
        dir.path().join("events.jsonl"),
        before.iter().chain(after).flat_map(|line| [line, "\n"]).collect::<String>(),
    )
    .unwrap();
    let end = u64::try_from(lines.len()).unwrap();
    let span = LogSpan { after: 0, upto: end, since: None, last_try: true };
    let mut found = BTreeSet::new();
    let mut after = 0;
    while after < end {
        let part = read(&Arc::new(config.clone()), &LogSpan { after, ..span.clone() });
        after = part.reached;
        found.extend(part.entries.iter().map(content));
    }
    let lost: Vec<_> = lost.iter().filter_map(|line| OutgoingEvent::logged(line)).collect();
    assert!(lost.len() > 5, "{lost:?}");
    for event in &lost {
        assert!(found.contains(&content(event)), "{event:?}");
    }
}

/// Returns what an event says, without its number, which one that is found in a capture may lack.
fn content(event: &OutgoingEvent) -> String {
    let payload = event.payload(&Topics::new(&MqttConfig::default(), "pi")).unwrap();
    let mut envelope: serde_json::Value = serde_json::from_slice(&payload).unwrap();
    let mut data = envelope["data"].take();
    data.as_object_mut().unwrap().remove("seq");
    data.to_string()
}
