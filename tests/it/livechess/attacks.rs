//! Clients of the LiveChess interface that mean harm: frames that are none, floods of them, names that are code, and strangers while
//! games are delayed.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::json;

use super::{START, Scene};
use crate::support::PATIENCE;

/// What opens a WebSocket.
const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// Opens a WebSocket without a library, which would send no nonsense.
fn open_raw(scene: &Scene) -> TcpStream {
    let mut stream = TcpStream::connect(scene.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /api/v1.0 HTTP/1.1\r\nHost: {}\r\n{UPGRADE}\r\n", scene.address).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    stream
}

/// Makes a frame with the mask that clients have to use.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    assert!(length < 126);
    [&[first, 0x80 | length, 0, 0, 0, 0], payload].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_that_listen_to_nothing_keep_nobody_out() {
    let mut scene = Scene::new(&["23946"], "");
    let mut first = scene.connect("/api/v1.0").await;
    first.subscribe(1, 1, "23946").await;
    let idle: Vec<TcpStream> = (0..260).map(|_| open_raw(&scene)).collect();
    let mut last = scene.connect("/api/v1.0").await;
    last.subscribe(1, 1, "23946").await;
    scene.play(0, (4, 1), (4, 3), 'P');
    for client in [&mut first, &mut last] {
        client
            .wait_for(|news| news["param"]["board"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
            .await;
    }
    drop(idle);
    assert_eq!(scene.hall.stop(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_is_none_ends_its_own_connection_only() {
    let mut scene = Scene::new(&["23946"], "");
    let mut sane = scene.connect("/api/v1.0").await;
    sane.subscribe(1, 1, "23946").await;
    let text = br#"{"id":1,"call":"eboards"}"#;
    let unmasked = [&[0x81, 25], text.as_slice()].concat();
    for (what, bytes) in [
        ("a frame without a mask", unmasked),
        ("an unknown kind", frame(0x83, text)),
        ("an unknown kind of control", frame(0x8b, b"")),
        ("reserved bits", frame(0xf1, text)),
        ("a continuation of nothing", frame(0x80, text)),
        ("a beginning within a message", [frame(0x01, b"{"), frame(0x81, text)].concat()),
        ("a ping in parts", frame(0x09, b"x")),
        ("a ping of 64 KiB", [[0x89, 0xfe, 0xff, 0xff].as_slice(), &vec![0; 4 + 0xffff]].concat()),
        ("no UTF-8", frame(0x81, &[0xc3, 0x28])),
        ("no UTF-8 over two frames", [frame(0x01, &[0xe2]), frame(0x80, &[0x28, 0xa1])].concat()),
        ("2^63 bytes", vec![0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("4 GiB", vec![0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("a closing frame of one byte", frame(0x88, &[3])),
        ("HTTP again", format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", scene.address).into_bytes()),
    ] {
        let mut stream = open_raw(&scene);
        // It may be closed before it has taken everything.
        stream.write_all(&bytes).unwrap_or_default();
        let mut rest = Vec::new();
        if let Err(error) = stream.read_to_end(&mut rest) {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{what}: the connection stays");
        }
        let rest = String::from_utf8_lossy(&rest);
        assert!(!rest.contains("serialnr"), "{what} is answered: {rest}");
    }
    // Small frames and pings as fast as they can be written, while nobody reads the answers.
    let flood: Vec<TcpStream> = (0..8).map(|_| open_raw(&scene)).collect();
    let noise =
        [frame(0x89, b"x"), frame(0x81, b"[]"), frame(0x01, b""), frame(0x80, b"")].concat().repeat(5000);
    for mut stream in &flood {
        stream.set_nonblocking(true).unwrap();
        stream.write(&noise).unwrap_or_default();
    }
    scene.play(0, (4, 1), (4, 3), 'P');
    sane.wait_for(|news| news["param"]["board"].is_string() && news["param"]["board"] != START).await;
    assert_eq!(sane.ask(json!({"id": 5, "call": "eboards"})).await["response"], "call");
    drop(flood);
    assert_eq!(scene.hall.stop(), 0);
}

#[test]
fn names_are_text_on_its_pages() {
    let name = "<script>alert(1)</script>&\\\"'\\u001b[2J";
    let table = format!("[[table]]\nnumber = 7\nserial = '23946'\nwhite = \"{name}\"\nblack = \"{name} 2\"");
    let scene = Scene::new(&["23946"], &table);
    for path in ["/", "/doc/index.html", "/doc/api/feeds/eboardevent/index.html", "/board/<script>/api/v1.0"]
    {
        let (head, body) = scene.get(path, "");
        assert!(!body.contains("<script>"), "{path}: {head}\n{body}");
    }
}

/// What LiveChess reports is live: with a delay it is for this machine, and nobody else gets anything that depends on a move.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_delay_only_this_machine_gets_anything() {
    let mut scene = Scene::new(&["23946"], "[pgn]\ndelay_s = 3600");
    let paths = [
        "/",
        "/doc/index.html",
        "/doc/api/feeds/eboardevent/index.html",
        "/api/v1.0",
        "/api/v1.0/eboards",
        "/api/v1.0/eboards?serialnr=23946",
        "/api/v1.0/sources",
        "/board/23946/api/v1.0",
        "/nothing",
    ];
    let strangers = [
        "X-Forwarded-For: 127.0.0.1\r\n",
        "Forwarded: for=127.0.0.1\r\n",
        "X-Real-IP: 127.0.0.1\r\n",
        "X-Forwarded-Host: localhost\r\n",
        "Via: 1.1 proxy\r\n",
        "Host: 192.168.1.5:1982\r\n",
        "Host: hall.example\r\n",
        "Origin: https://evil.example\r\n",
    ];
    let readable = |scene: &Scene| {
        let mut reported = Vec::new();
        for path in paths {
            for stranger in strangers {
                for more in ["", UPGRADE] {
                    let (head, body) = scene.get(path, &format!("{stranger}{more}"));
                    let status = head.split(' ').nth(1).unwrap().to_owned();
                    assert!(["403", "421"].contains(&status.as_str()), "{path} {stranger}: {head}");
                    let head = head.lines().filter(|line| !line.to_lowercase().starts_with("date:"));
                    reported
                        .push(format!("{path} {stranger} {} {body}", head.collect::<Vec<_>>().join("\n")));
                }
            }
        }
        reported
    };
    let before = readable(&scene);
    let mut own = scene.connect("/api/v1.0").await;
    own.subscribe(1, 1, "23946").await;
    scene.play(0, (4, 1), (4, 3), 'P');
    scene.wait_for(|list| list[0]["board"] != START);
    assert_eq!(readable(&scene), before);
}

#[tokio::test]
async fn pages_kept_out_are_reported_once_each_up_to_a_limit() {
    let mut scene = Scene::new(&["23946"], "");
    for number in 0..20 {
        for _ in 0..2 {
            let (head, _) =
                scene.get("/api/v1.0/eboards", &format!("Origin: https://{number}.example.com\r\n"));
            assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
        }
    }
    let messages = scene.hall.wait_message("further pages are kept out without a message");
    let reported = messages.iter().filter(|message| message.contains("is not on the list is kept out"));
    assert_eq!(reported.count(), 16);
    assert_eq!(scene.hall.stop(), 0);
}
