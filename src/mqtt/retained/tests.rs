use std::sync::Arc;

use super::*;
use crate::{
    config::{MqttConfig, TableSettings},
    view,
};
use jadoube_core::{
    event::{BoardEvent, Event, EventKind, LinkState},
    time::Timestamp,
};

fn event(board: &str, kind: EventKind) -> Event {
    Event { at: Timestamp::ZERO, board: Arc::from(board), kind }
}

fn apply(boards: &mut Boards, seq: u64, board: &str, kind: EventKind) {
    let at = jiff::Timestamp::from_second(i64::try_from(seq).unwrap()).unwrap();
    view::apply(boards, &Arc::from("/dev/a"), &event(board, kind), at, seq);
}

fn link(state: LinkState) -> EventKind {
    EventKind::Link { state, port: "/dev/a".to_owned() }
}

fn named(serial: &str) -> EventKind {
    EventKind::Board(Box::new(BoardEvent::of_serial(Some(serial))))
}

fn retained() -> Retained {
    Retained::new(Topics::new(&MqttConfig::default(), "pi"), BTreeSet::new())
}

/// Returns all messages, without what all topics begin with.
fn take(retained: &mut Retained) -> Vec<(String, String)> {
    let plain = |topic: String| topic.trim_start_matches("dgt/hall/pi/").to_owned();
    std::iter::from_fn(|| retained.next())
        .map(|(topic, payload)| (plain(topic), String::from_utf8(payload).unwrap()))
        .collect()
}

#[test]
fn a_state_goes_out_when_it_has_changed_and_on_every_connection() {
    let (mut retained, mut boards, mut config) = (retained(), Boards::new(), Config::default());
    apply(&mut boards, 1, "23946", link(LinkState::Up));
    apply(&mut boards, 2, "23946", named("23946"));
    retained.update(&boards, &config, true);
    let messages = take(&mut retained);
    let topics: Vec<&str> = messages.iter().map(|(topic, _)| topic.as_str()).collect();
    assert_eq!(topics, ["board/23946/availability", "board/23946/state"]);
    assert_eq!(messages[0].1, "online");
    let state: Value = serde_json::from_str(&messages[1].1).unwrap();
    assert_eq!(
        (&state["serial"], &state["link"], &state["table"]),
        (&json!("23946"), &json!("up"), &Value::Null)
    );
    retained.update(&boards, &config, true);
    assert_eq!(take(&mut retained), []);
    apply(&mut boards, 3, "23946", link(LinkState::Down));
    retained.update(&boards, &config, true);
    assert_eq!(take(&mut retained)[0].1, "offline");
    Arc::make_mut(&mut config.tables).push(TableSettings {
        number: Some(4),
        serial: "23946".to_owned(),
        ..TableSettings::default()
    });
    retained.show_again();
    retained.update(&boards, &config, true);
    let messages = take(&mut retained);
    assert!(messages.len() == 1 && messages[0].1.contains("\"table\":4"), "{messages:?}");
    retained.restart();
    retained.update(&boards, &config, true);
    assert_eq!(take(&mut retained).len(), 2);
}

#[test]
fn a_board_that_has_reported_its_number_leaves_its_first_name() {
    let (mut retained, mut boards, config) = (retained(), Boards::new(), Config::default());
    apply(&mut boards, 1, "a", link(LinkState::Up));
    retained.update(&boards, &config, true);
    assert_eq!(take(&mut retained)[0].0, "board/a/availability");
    apply(&mut boards, 2, "23946", named("23946"));
    retained.update(&boards, &config, true);
    let messages = take(&mut retained);
    let gone: Vec<&str> =
        messages.iter().filter(|(_, payload)| payload.is_empty()).map(|(topic, _)| topic.as_str()).collect();
    assert_eq!(gone, ["board/a/availability", "board/a/state"]);
    assert!(retained.known().contains("dgt/hall/pi/board/a/state"));
    retained.note_removed("dgt/hall/pi/board/a/state");
    assert!(!retained.known().contains("dgt/hall/pi/board/a/state"));
}

#[test]
fn what_an_earlier_process_left_is_withdrawn_if_orphaned() {
    let left = ["board/1/availability", "alert/1-1-1", "status"].map(|topic| format!("dgt/hall/pi/{topic}"));
    let topics = Topics::new(&MqttConfig::default(), "pi");
    let (mut boards, config) = (Boards::new(), Config::default());
    apply(&mut boards, 1, "1", link(LinkState::Up));
    let mut retained = Retained::new(topics, BTreeSet::from(left));
    retained.set("dgt/hall/pi/status", "online".into());
    retained.update(&boards, &config, false);
    assert!(
        take(&mut retained).iter().all(|(_, payload)| !payload.is_empty()),
        "recovery may still bring it back"
    );
    retained.update(&boards, &config, true);
    assert_eq!(take(&mut retained), [("alert/1-1-1".to_owned(), String::new())]);
}

#[test]
fn a_broker_that_takes_nothing_back_fills_no_memory() {
    let mut retained = retained();
    for connection in 0..6 {
        retained.restart();
        for number in 0..=MOST_FOUND {
            retained.note_found(format!("dgt/hall/pi/alert/{connection}-{number}"));
        }
    }
    assert_eq!(retained.known().len(), MOST_KNOWN);
}
