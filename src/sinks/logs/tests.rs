use std::fs;

use super::*;
use crate::{
    published::{Ordinal, SerializedEvent, event_queue},
    sinks::tests::published,
};
use jadoube_core::event::EventKind;
use jadoube_runtime::watchdog::Watchdog;

#[tokio::test]
async fn a_sink_that_was_too_slow_reports_how_much_it_missed() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().to_owned(), ..Config::default() };
    let (_reload, config) = watch::channel(Arc::new(config));
    let to_sinks = event_queue(2);
    let sink = to_sinks.subscribe();
    for seq in 1..=5 {
        assert!(to_sinks.send(published(seq)));
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
    let to_sinks = event_queue(8);
    let sink = to_sinks.subscribe();
    assert!(to_sinks.send(published(1)));
    let update = serde_json::from_str::<serde_json::Value>("{}").unwrap();
    let update = jadoube_core::alert::AlertUpdate {
        id: "23946-1-1".to_owned(),
        state: jadoube_core::alert::AlertState::Expired,
        since: None,
        facts: update.as_object().unwrap().clone(),
    };
    let Published { port, mut event, at, seq, .. } = published(2);
    event.kind = EventKind::AlertUpdate(Box::new(update));
    assert!(to_sinks.send(Published::new(port, event.into(), at, seq)));
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
    let to_sinks = event_queue(8);
    let sink = to_sinks.subscribe();
    for board in ["23946", "11111"] {
        let Published { port, mut event, at, seq, .. } = published(1);
        event.kind = EventKind::Alert(Box::new(text::tests::alert()));
        event.board = board.into();
        assert!(to_sinks.send(Published::new(port, event.into(), at, seq)));
    }
    drop(to_sinks);
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("alerts");
    run(sink, config, Arc::default(), Health::default(), heartbeat).await;
    let [reported, events] =
        ["alerts.jsonl", "events.jsonl"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
    let lines: Vec<serde_json::Value> =
        reported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["table"], &lines[0]["white"], &lines[0]["black"]),
        (&7.into(), &"O\"Neil, A".into(), &"Weiss".into())
    );
    assert!(lines[1].get("white").is_none());
    assert!(!events.contains("Weiss"), "events are the same everywhere");
}

#[tokio::test]
async fn an_alert_missing_in_the_event_log_is_written_there_alone() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().to_owned(), ..Config::default() };
    let (_reload, config) = watch::channel(Arc::new(config));
    let alert = |nth, seq| {
        let Published { port, mut event, at, .. } = published(1);
        event.kind = EventKind::Alert(Box::new(text::tests::alert()));
        let ordinal = Some(Ordinal { capture: 5, nth });
        Published::new(port, SerializedEvent::new(event, ordinal), at, seq)
    };
    // Killed between the two files: the number of the event had not been taken by any other.
    fs::write(dir.path().join("alerts.jsonl"), format!("{}\n", alert(0, 7).json())).unwrap();
    let to_sinks = event_queue(8);
    let sink = to_sinks.subscribe();
    assert!(to_sinks.send(alert(0, 9)));
    assert!(to_sinks.send(alert(1, 10)));
    drop(to_sinks);
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("alerts");
    run(sink, config, Arc::default(), Health::default(), heartbeat).await;
    let [alerts, events] =
        ["alerts.jsonl", "events.jsonl"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
    let numbers = |text: &str| -> Vec<(u64, u64)> {
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.map(|line| (line["seq"].as_u64().unwrap(), line["nth"].as_u64().unwrap())).collect()
    };
    assert_eq!(numbers(&alerts), [(7, 0), (10, 1)]);
    assert_eq!(numbers(&events), [(9, 0), (10, 1)]);
}

#[tokio::test(start_paused = true)]
async fn logs_that_are_removed_while_they_are_written_come_back_whole() {
    let dir = tempfile::tempdir().unwrap();
    let log_dir = dir.path().join("log");
    let config = Config { log_dir: log_dir.clone(), ..Config::default() };
    let (_reload, config) = watch::channel(Arc::new(config));
    let to_sinks = event_queue(8);
    let sink = to_sinks.subscribe();
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("events");
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(run(sink, config, Arc::default(), Health::default(), heartbeat));
    let log = log_dir.join("events.jsonl");
    let text = |seqs: &[u64]| {
        let lines = seqs.iter().map(|seq| published(*seq).json().to_owned() + "\n");
        lines.collect::<String>()
    };
    let mut reported = Vec::new();
    for seq in 1..=3 {
        reported.push(seq);
        assert!(to_sinks.send(published(seq)));
        // Time passes at once where nothing else is to be done.
        for _ in 0..1000 {
            if fs::read_to_string(&log).is_ok_and(|found| found == text(&reported)) {
                break;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(fs::read_to_string(&log).unwrap(), text(&reported));
        fs::remove_dir_all(&log_dir).unwrap();
    }
    drop(to_sinks);
    tasks.join_next().await.unwrap().unwrap();
}
