//! Strangers who hold connections or guess: nobody who has signed in, or has the token, is kept out by them.

use std::{
    fs,
    io::Write as _,
    net::{IpAddr, SocketAddr, TcpStream},
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{
    Desk,
    ordering::{TOKEN, write_token},
};
use crate::support::{Hall, PATIENCE, Reserved};

/// Allows this process as many connections as the system does.
fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

/// Begins a request from one of this machine's addresses.
fn begin(from: [u8; 4], to: SocketAddr, head: &str) -> TcpStream {
    use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &SocketAddr::from((IpAddr::from(from), 0))).unwrap();
    connect(&socket, &to).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // One that is one too many may be closed before it has asked.
    stream.write_all(head.as_bytes()).unwrap_or_default();
    stream
}

fn read_with_token(desk: &Desk, path: &str, token: &str) -> u16 {
    let head = format!("GET {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {token}", desk.address);
    desk.ask(&head, "").status
}

#[test]
fn sign_ins_that_are_never_sent_keep_nobody_out() {
    raise_limit();
    let desk = Desk::start("[pgn]\ndelay_s = 60\n");
    write_token(&desk.hall, 0o600);
    let host = format!("host: {}", desk.address);
    let heads = [
        format!("POST /api/session HTTP/1.1\r\n{host}\r\ncontent-length: 100\r\n\r\n"),
        format!("POST /api/session HTTP/1.1\r\n{host}\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{{"),
        format!("GET /api/hall HTTP/1.1\r\n{host}\r\nauthorization: Bearer {TOKEN}0\r\n\r\n"),
    ];
    let mut held = Vec::new();
    for number in 0..960_usize {
        let from = [127, 0, 0, 2 + u8::try_from(number % 8).unwrap()];
        held.push(begin(from, desk.address, &heads[number % heads.len()]));
        if number % 40 == 39 {
            assert_eq!(read_with_token(&desk, "/api/hall", TOKEN), 200, "after {number}");
        }
    }
    for number in 0..25 {
        assert_eq!(read_with_token(&desk, "/api/hall", TOKEN), 200, "{number}");
    }
}

#[test]
fn public_games_are_read_however_many_take_no_answer() {
    raise_limit();
    let (reserved, games) = (Reserved::new(), tempfile::tempdir().unwrap());
    let address = reserved.address;
    let mut hall = Hall::new(&format!(
        "[ports]\nscan = []\n[pgn]\ndir = '{}'\n[public]\nlisten = '{address}'\n",
        games.path().display()
    ));
    hall.start();
    hall.wait_message("listens");
    let heads = [
        format!("POST /healthz HTTP/1.1\r\nhost: {address}\r\ncontent-length: 100\r\n\r\n"),
        format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\ncontent-length: 100\r\n\r\n"),
        format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n"),
    ];
    let held: Vec<TcpStream> =
        (0..600_usize).map(|number| begin([127, 0, 0, 2], address, &heads[number % heads.len()])).collect();
    for _ in 0..10 {
        let asked = begin(
            [127, 0, 0, 1],
            address,
            &format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"),
        );
        assert_eq!(super::Answer::read(asked).status, 200);
    }
    drop(held);
}

#[test]
fn a_guess_that_is_refused_is_not_compared() {
    let mut desk = Desk::start("");
    let path = desk.hall.dir.path().join("token");
    write_token(&desk.hall, 0o600);
    fs::write(&path, "4711\n").unwrap();
    let answers: Vec<u16> =
        (0..14).map(|guess| read_with_token(&desk, "/api/session", &format!("{guess:04}"))).collect();
    assert!(answers[..8] == [401; 8] && answers[8..].contains(&429), "{answers:?}");
    // It may be that one of eight seconds has passed, and one more is compared.
    let right: Vec<u16> = (0..4).map(|_| read_with_token(&desk, "/api/session", "4711")).collect();
    assert!(right.contains(&429), "{right:?}");
    // One that nobody guesses counts, and that others have guessed is said.
    fs::write(&path, format!("{TOKEN}\n")).unwrap();
    assert_eq!(read_with_token(&desk, "/api/session", TOKEN), 200);
    desk.hall.wait_message("the right token after wrong ones");
}

#[test]
fn the_monitoring_token_is_guessed_no_faster_than_others() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "4711\n").unwrap();
    let config = format!("metrics_token_file = '{}'\n[pgn]\ndelay_s = 60\n", file.path().display());
    let desk = Desk::start(&config);
    write_token(&desk.hall, 0o600);
    assert_eq!(read_with_token(&desk, "/metrics", "4711"), 200);
    let answers: Vec<u16> =
        (0..14).map(|guess| read_with_token(&desk, "/metrics", &format!("{guess:04}"))).collect();
    assert!(answers[..8] == [401; 8] && answers[8..].contains(&429), "{answers:?}");
    let right: Vec<u16> = (0..4).map(|_| read_with_token(&desk, "/metrics", "4711")).collect();
    assert!(right.contains(&429), "{right:?}");
}
