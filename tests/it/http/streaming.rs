//! Events as they happen.

use std::{io::Read, net::TcpStream};

use super::{ASK_SERIAL, Desk, Stream};

#[test]
fn events_are_heard_as_they_happen() {
    let mut desk = Desk::start("");
    let mut all = Stream::open(&desk, "", "");
    let mut other = Stream::open(&desk, "?board=11111", "");
    let _board = desk.plug();
    let reported = all.wait_event("board");
    assert_eq!(reported["board"], "23946");
    assert!(reported["seq"].as_u64().is_some() && reported["at"].as_str().is_some(), "{reported}");
    // The other client receives nothing before the end of its stream.
    desk.hall.stop();
    let mut rest = String::new();
    other.lines.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("23946"), "{rest}");
}

#[test]
fn a_lost_connection_goes_on_where_it_was() {
    let mut desk = Desk::start("");
    let mut board = desk.plug();
    let hall = desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    let seq = hall["seq"].as_u64().unwrap();
    // A field update before the first dump has no effect.
    let dump = [[0x86, 0x00, 0x43].as_slice(), &[0x01; 1], &[0x00; 63]].concat();
    board.send(&dump);
    desk.wait_json("/api/hall", |hall| hall["seq"].as_u64().unwrap() > seq);
    let mut stream = Stream::open(&desk, &format!("?after={seq}"), "");
    assert_eq!(stream.wait("id: "), (seq + 1).to_string());
    let mut stream = Stream::open(&desk, "", &format!("\nlast-event-id: {seq}"));
    assert_eq!(stream.wait_event("place")["seq"], seq + 1);
    let mut stream = Stream::open(&desk, "?after=999999", "");
    stream.wait("event: reset");
}

#[test]
fn after_a_restart_clients_read_the_hall_anew() {
    let mut desk = Desk::start("");
    let board = desk.plug();
    let known = desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    let before = known["seq"].as_u64().unwrap();
    desk.hall.stop();
    drop(board);
    desk.hall.start();
    desk.hall.wait_message("listens");
    let mut board = desk.socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    let hall = desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    assert!(hall["seq"].as_u64().unwrap() > before, "numbers go on");
    let mut stream = Stream::open(&desk, "", &format!("\nlast-event-id: {before}"));
    stream.wait("event: reset");
}

#[test]
fn a_client_that_does_not_read_delays_nobody() {
    let mut desk = Desk::start("");
    let deaf: Vec<_> = (0..8).map(|_| Stream::open(&desk, "", "")).collect();
    let mut board = desk.plug();
    let mut stream = Stream::open(&desk, "", "");
    // Rooks appear and disappear on one square: far more events than the buffers of a connection hold.
    let dump = [[0x86, 0x00, 0x43].as_slice(), &[0x00; 64]].concat();
    board.send(&dump);
    for _ in 0..4000 {
        board.send(&[0x8e, 0x00, 0x05, 0x1c, 0x02, 0x8e, 0x00, 0x05, 0x1c, 0x00]);
    }
    board.send(&[0x8e, 0x00, 0x05, 0x1d, 0x0b]);
    while stream.wait_event("place")["square"] == "e5" {}
    drop(deaf);
    assert_eq!(desk.hall.stop(), 0);
}

#[test]
fn idle_connections_of_this_machine_shut_nobody_out() {
    let mut desk = Desk::start("");
    let mut stream = Stream::open(&desk, "", "");
    // More than are served at a time.
    let idle: Vec<TcpStream> = (0..600).map(|_| TcpStream::connect(desk.address).unwrap()).collect();
    assert_eq!(desk.get("/healthz").status, 200);
    // The stream is older than all of them, and goes on.
    let _board = desk.plug();
    assert_eq!(stream.wait_event("board")["board"], "23946");
    drop(idle);
}
