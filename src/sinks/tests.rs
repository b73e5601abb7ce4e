use super::*;
use crate::published::event_queue;
use jadoube_core::{
    event::{Event, EventKind, LinkState},
    time::Timestamp,
};
use jadoube_runtime::watchdog::Watchdog;

#[test]
fn events_are_lines_with_time_and_number() {
    assert_eq!(
        published(7).json(),
        "{\"t\":1.5,\"board\":\"23946\",\"event\":\"link\",\"state\":\"up\",\"port\":\"/dev/ttyACM0\",\
         \"at\":\"2026-11-21T20:54:03Z\",\"seq\":7}"
    );
}

#[tokio::test]
async fn the_hub_numbers_events_and_ends_with_the_last_port() {
    let (to_hub, from_ports) = mpsc::channel(HUB_QUEUE);
    let to_sinks = event_queue(SINK_QUEUE);
    let mut sink = to_sinks.subscribe();
    let heartbeat = Watchdog::new(Duration::from_secs(1)).heartbeat("hub");
    for _ in 0..3 {
        let Published { port, event, at, .. } = published(0);
        to_hub.send(Outgoing::Event { port, at, event: event.into() }).await.unwrap();
    }
    drop(to_hub);
    run_hub(from_ports, to_sinks, View::default(), 10, heartbeat).await;
    let mut seqs = Vec::new();
    while let Ok(event) = sink.recv().await {
        seqs.push(event.seq);
    }
    assert_eq!(seqs, [11, 12, 13]);
}

pub(super) fn published(seq: u64) -> Published {
    let kind = EventKind::Link { state: LinkState::Up, port: "/dev/ttyACM0".to_owned() };
    let event = Event { at: Timestamp::from_micros(1_500_000), board: Arc::from("23946"), kind };
    let at = "2026-11-21T20:54:03Z".parse().unwrap();
    Published::new(Arc::from("/dev/ttyACM0"), event.into(), at, seq)
}
