use jadoube_core::{
    alert::{AlertState, AlertUpdate},
    event::{Event, LinkState},
    time::Timestamp,
};

use super::*;
use crate::published::EventKind;

fn numbered(seq: u64, kind: EventKind) -> Published {
    let event = Event { at: Timestamp::ZERO, board: "23946".into(), kind };
    Published::new("/dev/ttyACM0".into(), event.into(), jiff::Timestamp::UNIX_EPOCH, seq)
}

fn link(seq: u64) -> Published {
    numbered(seq, EventKind::Link { state: LinkState::Up, port: String::new() })
}

fn alert(seq: u64) -> Published {
    let update = AlertUpdate {
        id: String::new(),
        state: AlertState::Ended,
        since: None,
        facts: serde_json::Map::default(),
    };
    numbered(seq, EventKind::AlertUpdate(Box::new(update)))
}

/// Reads what there is: numbers of events, and how many were missed as a negative one.
fn read(reader: &mut EventReader) -> Vec<i64> {
    let mut read = Vec::new();
    loop {
        match reader.try_recv() {
            Ok(event) => read.push(i64::try_from(event.seq).unwrap()),
            Err(TryRecvError::Lagged(missed)) => read.push(-i64::try_from(missed).unwrap()),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return read,
        }
    }
}

fn waiting(sender: &EventSender) -> (usize, usize) {
    let queue = sender.0.lock();
    (queue.waiting.len(), queue.waiting.capacity())
}

#[test]
fn every_reader_gets_what_was_sent_since_it_began() {
    let sender = event_queue(8);
    assert!(!sender.send(link(1)), "nobody reads");
    let mut first = sender.subscribe();
    assert!(sender.send(link(2)));
    let mut second = sender.source().subscribe().unwrap();
    assert!(sender.send(link(3)));
    assert_eq!((first.len(), second.len()), (2, 1));
    assert_eq!((read(&mut first), read(&mut second)), (vec![2, 3], vec![3]));
    assert!(first.is_empty() && second.is_empty());
}

#[test]
fn a_slow_reader_is_sent_how_many_it_missed_and_delays_nobody() {
    let sender = event_queue(3);
    let (mut slow, mut quick) = (sender.subscribe(), sender.subscribe());
    for seq in 1..=5 {
        assert!(sender.send(link(seq)));
        assert_eq!(read(&mut quick), [i64::try_from(seq).unwrap()]);
    }
    assert_eq!(read(&mut slow), [-2, 3, 4, 5]);
}

#[test]
fn only_what_waits_takes_memory() {
    let sender = event_queue(16384);
    assert_eq!(waiting(&sender), (0, 0));
    let (mut one, mut other) = (sender.subscribe(), sender.subscribe());
    for seq in 0..10_000 {
        sender.send(link(seq));
    }
    assert_eq!(read(&mut one).len(), 10_000);
    assert_eq!(waiting(&sender).0, 10_000, "the other has not read them");
    for _ in 0..4_000 {
        other.try_recv().unwrap();
    }
    assert_eq!(waiting(&sender).0, 6_000);
    drop(other);
    let (left, room) = waiting(&sender);
    assert!(left == 0 && room <= KEPT, "{left} {room}");
}

#[test]
fn a_reader_that_goes_leaves_what_others_have_not_read() {
    let sender = event_queue(4);
    let (mut slow, mut leaving) = (sender.subscribe(), sender.subscribe());
    for seq in 1..=6 {
        sender.send(link(seq));
        if seq == 4 {
            assert_eq!(read(&mut leaving), [1, 2, 3, 4]);
        }
    }
    drop(leaving);
    assert_eq!(read(&mut slow), [-2, 3, 4, 5, 6]);
    assert_eq!(waiting(&sender).0, 0);
}

#[tokio::test]
async fn a_reader_waits_for_news_and_ends_after_the_last_one() {
    let sender = event_queue(8);
    let source = sender.source();
    let mut reader = sender.subscribe();
    let mut reading = tokio::task::JoinSet::new();
    reading.spawn(async move {
        let mut read = Vec::new();
        loop {
            match reader.recv().await {
                Ok(event) => read.push(event.seq),
                Err(end) => return (read, end),
            }
        }
    });
    for seq in 1..=3 {
        tokio::task::yield_now().await;
        sender.send(link(seq));
    }
    drop(sender);
    assert_eq!(reading.join_next().await.unwrap().unwrap(), (vec![1, 2, 3], RecvError::Closed));
    assert!(source.subscribe().is_none());
}

#[tokio::test]
async fn who_waits_for_an_alert_is_woken_by_nothing_else() {
    let sender = event_queue(8);
    let mut reader = sender.subscribe();
    {
        let mut waiting = by_hand(reader.urgent());
        assert!(!waiting.is_ready());
        sender.send(link(1));
        assert!(!waiting.is_woken() && !waiting.is_ready());
        sender.send(alert(2));
        assert!(waiting.is_woken() && waiting.is_ready());
    }
    assert_eq!(read(&mut reader), [1, 2]);
    let mut waiting = by_hand(reader.urgent());
    assert!(!waiting.is_ready(), "it was read");
    drop(sender);
    assert!(waiting.is_woken() && waiting.is_ready(), "no alert can come any more");
}

#[tokio::test]
async fn a_rush_of_events_is_not_gathered_to_its_end() {
    let sender = event_queue(1024);
    let mut reader = sender.subscribe();
    for rush in 0..2 {
        let first = rush * RUSH + 1;
        {
            let mut waiting = by_hand(reader.urgent());
            (first..first + RUSH - 1).for_each(|seq| assert!(sender.send(link(seq))));
            assert!(!waiting.is_ready() && !waiting.is_woken());
            sender.send(link(first + RUSH - 1));
            assert!(waiting.is_woken() && waiting.is_ready());
        }
        assert_eq!(read(&mut reader).len(), usize::try_from(RUSH).unwrap());
        assert!(!by_hand(reader.urgent()).is_ready(), "all was read");
    }
}

/// A future that is polled by hand, and whether it was woken since.
struct Polled<F> {
    future: std::pin::Pin<Box<F>>,
    woken: Arc<Woken>,
}

#[derive(Default)]
struct Woken(std::sync::atomic::AtomicBool);

impl std::task::Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, std::sync::atomic::Ordering::SeqCst);
    }
}

fn by_hand<F: Future<Output = ()>>(future: F) -> Polled<F> {
    Polled { future: Box::pin(future), woken: Arc::default() }
}

impl<F: Future<Output = ()>> Polled<F> {
    fn is_woken(&self) -> bool {
        self.woken.0.load(std::sync::atomic::Ordering::SeqCst)
    }

    fn is_ready(&mut self) -> bool {
        let waker = std::task::Waker::from(self.woken.clone());
        self.future.as_mut().poll(&mut std::task::Context::from_waker(&waker)).is_ready()
    }
}

#[tokio::test(start_paused = true)]
async fn a_reader_of_alerts_passes_over_all_else() {
    let sender = event_queue(8);
    let mut reader = sender.subscribe();
    for event in [link(1), link(2), alert(3), link(4)] {
        sender.send(event);
    }
    assert_eq!(reader.recv_alert().await.unwrap().seq, 3);
    let waits = timeout(Duration::from_secs(1), reader.recv_alert()).await;
    assert!(waits.is_err() && reader.is_empty(), "what is no alert does not pile up");
    let reported = async {
        sender.send(link(5));
        tokio::task::yield_now().await;
        sender.send(alert(6));
    };
    // No alert waits for others.
    let (event, ()) =
        timeout(GATHER / 2, async { tokio::join!(reader.recv_alert(), reported) }).await.unwrap();
    assert_eq!(event.unwrap().seq, 6);
    (7..17).for_each(|seq| assert!(sender.send(link(seq))));
    assert!(matches!(reader.recv_alert().await, Err(RecvError::Lagged(2))));
    drop(sender);
    assert!(matches!(reader.recv_alert().await, Err(RecvError::Closed)));
}
