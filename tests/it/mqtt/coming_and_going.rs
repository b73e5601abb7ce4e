//! A broker that comes and goes: it refuses, hangs up, takes messages without acknowledging them, as one whose disk is full
//! does, and ends up with every event.
//!
//! `JADOUBE_BROKER_TURNS` sets how often it goes (six times if not given).

use std::{
    collections::BTreeSet,
    env,
    io::{self, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use serde_json::Value;

use super::{Table, configuration, logged};
use crate::support::{Hall, PATIENCE, Socket};

/// What the broker does with a connection.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// It closes the connection at once.
    Gone,
    /// It answers that it is not available.
    Refuse,
    /// It acknowledges so many messages, takes one more, and closes the connection.
    HangUp(usize),
    /// It acknowledges everything.
    Serve,
}

/// The turns of a broker that goes so many times.
fn turns(count: usize) -> impl Iterator<Item = Turn> {
    let kinds =
        [Turn::HangUp(9), Turn::Gone, Turn::HangUp(3), Turn::Refuse, Turn::HangUp(0), Turn::HangUp(1)];
    kinds.into_iter().cycle().take(count).chain(std::iter::repeat(Turn::Serve))
}

/// A message that has come in.
struct Received {
    turn: usize,
    topic: String,
    payload: Vec<u8>,
}

/// Listens, and treats each connection as its turn says.
fn broker(count: usize) -> (u16, Receiver<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, received) = channel();
    thread::spawn(move || {
        for (number, turn) in turns(count).enumerate() {
            let Ok((stream, _)) = listener.accept() else { return };
            // However it ends, the next one comes.
            serve(&stream, number, turn, &sender).unwrap_or_default();
        }
    });
    (port, received)
}

fn serve(mut stream: &TcpStream, number: usize, turn: Turn, received: &Sender<Received>) -> io::Result<()> {
    let mut packets = BufReader::new(stream);
    let mut taken = 0;
    loop {
        let mut head = [0; 1];
        packets.read_exact(&mut head)?;
        let (mut length, mut shift, mut byte) = (0, 0, [0x80]);
        while byte[0] & 0x80 != 0 {
            packets.read_exact(&mut byte)?;
            length |= usize::from(byte[0] & 0x7f) << shift;
            shift += 7;
        }
        let mut body = vec![0; length];
        packets.read_exact(&mut body)?;
        match (head[0] >> 4, turn) {
            // CONNECT to a broker that goes; DISCONNECT.
            (1, Turn::Gone) | (14, _) => return Ok(()),
            // Return code 3: server unavailable.
            (1, Turn::Refuse) => return stream.write_all(&[0x20, 2, 0, 3]),
            (1, _) => stream.write_all(&[0x20, 2, 0, 0])?,
            // PUBLISH with QoS 1: topic, packet identifier, payload.
            (3, _) => {
                assert_eq!(head[0] >> 1 & 3, 1, "each is acknowledged");
                let end = 2 + usize::from(body[0]) * 256 + usize::from(body[1]);
                let topic = String::from_utf8_lossy(&body[2..end]).into_owned();
                if matches!(turn, Turn::HangUp(most) if taken == most) {
                    return Ok(());
                }
                taken += 1;
                let payload = body[end + 2..].to_vec();
                received.send(Received { turn: number, topic, payload }).unwrap_or_default();
                stream.write_all(&[0x40, 2, body[end], body[end + 1]])?;
            }
            // SUBSCRIBE: nothing is kept here.
            (8, _) => stream.write_all(&[0x90, 3, body[0], body[1], 1])?,
            // PINGREQ.
            (12, _) => stream.write_all(&[0xd0, 0])?,
            (kind, _) => panic!("packet {kind}"),
        }
    }
}

/// Notes the number of an event, and the turn in which it has come; returns the turn.
fn note(events: &mut Vec<(usize, u64)>, Received { turn, topic, payload }: &Received) -> usize {
    if topic.ends_with("/move") || topic.ends_with("/event") {
        let event: Value = serde_json::from_slice(payload).unwrap();
        events.push((*turn, event["data"]["seq"].as_u64().unwrap()));
    }
    *turn
}

#[test]
fn a_broker_that_comes_and_goes_has_every_event_in_the_end() {
    let count = env::var("JADOUBE_BROKER_TURNS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let (port, received) = broker(count);
    let socket = Socket::new();
    let mut hall = Hall::new("");
    hall.configure(&configuration(&socket, &format!("url = 'mqtt://127.0.0.1:{port}'")));
    hall.start();
    let mut table = Table::plug(&socket);
    // The knights go out and back; a few moves for each turn, so that some fall into every outage.
    let knights = [(62, 45), (6, 21), (45, 62), (21, 6)];
    let mut knights = knights.into_iter().cycle();
    let mut events: Vec<(usize, u64)> = Vec::new();
    let next = |turn| received.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("nothing after turn {turn}"));
    let mut turn = 0;
    while turn < count {
        for (from, to) in knights.by_ref().take(2) {
            table.play(from, to);
        }
        turn = note(&mut events, &next(turn));
        while let Ok(message) = received.try_recv() {
            turn = note(&mut events, &message);
        }
    }
    // A daemon that ends waits for a broker that is slow for a moment only.
    while logged(&hall).iter().any(|logged| events.iter().all(|(_, seq)| seq != logged)) {
        note(&mut events, &next(turn));
    }
    assert_eq!(hall.stop(), 0);
    while let Ok(message) = received.try_recv() {
        note(&mut events, &message);
    }
    let expected = logged(&hall);
    assert!(expected.len() > 2 * count, "{expected:?}");
    // Over one connection all come in their order; what was not acknowledged comes again over the next one.
    for pair in events.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert!(pair[0].1 < pair[1].1, "{events:?}");
    }
    let seqs: BTreeSet<u64> = events.iter().map(|(_, seq)| *seq).collect();
    assert!(seqs.iter().eq(&expected), "{seqs:?}\n{expected:?}");
    println!("{count} turns, {} events, {} of them twice", seqs.len(), events.len() - seqs.len());
}
