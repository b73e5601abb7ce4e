//! Delivery of events to HTTP clients.

use divan::{
    Bencher, black_box,
    counter::{BytesCount, ItemsCount},
};
use jadoube::{
    http::{EventFilter, Feed},
    published::Published,
};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::corpus;

/// Events that are published before the clients are polled.
const AT_ONCE: usize = 64;

/// Items are events that have reached a client.
#[divan::bench(args = [1, 16, 256])]
fn fan_out(bencher: Bencher<'_, '_>, clients: usize) {
    let events: Vec<Published> = corpus::events("clean")
        .into_iter()
        .zip(1..=1024)
        .map(|(event, seq)| Published::new("bench".into(), event.into(), jiff::Timestamp::UNIX_EPOCH, seq))
        .collect();
    let reported: usize =
        events.iter().map(|event| format!("id: {}\ndata: {}\n\n", event.seq, event.json()).len()).sum();
    let runtime: Runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    bencher
        .counter(ItemsCount::new(events.len() * clients))
        .counter(BytesCount::new(reported * clients))
        .bench(|| runtime.block_on(report(&events, clients)));
}

/// Publishes events, and waits until every client has received every byte.
async fn report(events: &[Published], clients: usize) {
    let feed = Feed::default();
    let shutdown = CancellationToken::new();
    let mut clients: Vec<_> =
        (0..clients).map(|_| feed.admit(EventFilter::default(), None, &shutdown).unwrap()).collect();
    for client in &mut clients {
        client.next().await.unwrap();
    }
    for some in black_box(events).chunks(AT_ONCE) {
        let mut bytes = 0;
        for event in some {
            bytes += feed.push(event);
        }
        for client in &mut clients {
            let mut got = 0;
            while got < bytes {
                got += black_box(client.next().await.unwrap()).len();
            }
        }
    }
}
