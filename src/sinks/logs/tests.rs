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
