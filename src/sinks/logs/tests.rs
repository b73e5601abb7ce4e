use std::fs;

use super::*;
use crate::sinks::tests::published;
use jadoube_core::event::EventKind;
use jadoube_runtime::watchdog::Watchdog;

#[tokio::test]
async fn a_sink_that_was_too_slow_tells_how_much_it_missed() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().to_owned(), ..Config::default() };
    let (_reload, config) = watch::channel(Arc::new(config));
    let (to_sinks, sink) = broadcast::channel(2);
    for seq in 1..=5 {
        to_sinks.send(Arc::new(published(seq))).unwrap();
    }
    drop(to_sinks);
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("events");
    run(sink, config, Arc::default(), Health::default(), heartbeat).await;
    let text = fs::read_to_string(dir.path().join("events.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "{\"event\":\"gap\",\"missed\":3}");
    assert_eq!(lines[1..], [published(4).json(), published(5).json()]);
    assert!(text.ends_with('\n'));
}

#[tokio::test]
async fn programs_get_alerts_alone_where_they_want_alerts_alone() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().to_owned(), ..Config::default() };
    let (_reload, config) = watch::channel(Arc::new(config));
    let (to_sinks, sink) = broadcast::channel(8);
    to_sinks.send(Arc::new(published(1))).unwrap();
    let update = serde_json::from_str::<serde_json::Value>("{}").unwrap();
    let update = jadoube_core::alert::AlertUpdate {
        id: "23946-1-1".to_owned(),
        state: jadoube_core::alert::AlertState::Expired,
        since: None,
        facts: update.as_object().unwrap().clone(),
    };
    let Published { port, mut event, at, seq, .. } = published(2);
    event.kind = EventKind::AlertUpdate(Box::new(update));
    to_sinks.send(Arc::new(Published::new(port, event.into(), at, seq))).unwrap();
    drop(to_sinks);
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("alerts");
    run(sink, config, Arc::default(), Health::default(), heartbeat).await;
    let text = fs::read_to_string(dir.path().join("alerts.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert!(text.contains("\"event\":\"alert-update\",\"id\":\"23946-1-1\",\"state\":\"expired\""), "{text}");
}

#[tokio::test]
async fn an_alert_for_programs_has_the_table_and_the_players() {
    let dir = tempfile::tempdir().unwrap();
    let text = format!(
        "log_dir = '{}'\n[[table]]\nnumber = 7\nserial = '23946'\nwhite = 'O\"Neil, A'\nblack = 'Weiss'",
        dir.path().display()
    );
    let config = Config::parse("t", &text, &[]).unwrap();
    let (_reload, config) = watch::channel(Arc::new(config));
    let (to_sinks, sink) = broadcast::channel(8);
    for board in ["23946", "11111"] {
        let Published { port, mut event, at, seq, .. } = published(1);
        event.kind = EventKind::Alert(Box::new(text::tests::alert()));
        event.board = board.into();
        to_sinks.send(Arc::new(Published::new(port, event.into(), at, seq))).unwrap();
    }
    drop(to_sinks);
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("alerts");
    run(sink, config, Arc::default(), Health::default(), heartbeat).await;
    let [told, events] =
        ["alerts.jsonl", "events.jsonl"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
    let lines: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["table"], &lines[0]["white"], &lines[0]["black"]),
        (&7.into(), &"O\"Neil, A".into(), &"Weiss".into())
    );
    assert!(lines[1].get("white").is_none());
    assert!(!events.contains("Weiss"), "events are the same everywhere");
    let line = told.lines().next().unwrap();
    assert_eq!(
        content_of_line(line),
        content_of_line(events.lines().next().unwrap()),
        "a restart knows it again"
    );
}
