//! The LiveChess interface, used by an independent WebSocket library.

use std::{
    cell::RefCell,
    fmt,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
};

use dgt_protocol::{ClockReport, ClockTime, Field, Lever, Message, Piece, Placement, SideTime};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{self, Error, client::IntoClientRequest as _},
};

use crate::support::{Board, Hall, PATIENCE, Socket, eventually};

mod attacks;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A free local address; other tests use other loopback addresses.
fn free() -> SocketAddr {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let place = std::net::Ipv4Addr::new(127, 64 | high, middle, low);
    TcpListener::bind((place, 0)).unwrap().local_addr().unwrap()
}

/// A daemon that serves the interface, and the boards that are plugged in.
struct Scene {
    hall: Hall,
    address: SocketAddr,
    boards: Vec<Board<TcpStream>>,
}

impl Scene {
    /// Plugs in boards that show the start position.
    fn new(serials: &[&str], more: &str) -> Self {
        let address = free();
        let sockets: Vec<Socket> = serials.iter().map(|_| Socket::new()).collect();
        let ports: Vec<String> =
            sockets.iter().map(|socket| format!("[[port]]\npath = '{}'", socket.port())).collect();
        let listen = format!("[livechess]\nlisten = ['{address}']\norigins = ['https://*.example.org']");
        let mut hall = Hall::new(&format!("[ports]\nscan = []\n{}\n{listen}\n{more}", ports.join("\n")));
        hall.start();
        let boards = sockets.iter().zip(serials).map(|(socket, serial)| {
            let mut board = socket.plug();
            board.wait_command(0x45);
            board.say_serial(serial);
            say(&mut board, Message::BoardDump(Placement::start()));
            board
        });
        let boards = boards.collect();
        let scene = Self { hall, address, boards };
        scene.wait_for(|list| {
            let there = |serial: &str| {
                list.as_array()
                    .unwrap()
                    .iter()
                    .any(|board| board["serialnr"] == *serial && board["board"] == START)
            };
            serials.iter().all(|serial| there(serial))
        });
        scene
    }

    /// Moves a piece.
    fn play(&mut self, board: usize, from: (u8, u8), to: (u8, u8), piece: char) {
        let field = |(file, rank)| Field::at(file, rank).unwrap();
        let piece = Piece::from_letter(piece).unwrap();
        for (field, piece) in [(field(from), Piece::Empty), (field(to), piece)] {
            say(&mut self.boards[board], Message::FieldUpdate { field, piece });
        }
    }

    /// Sends a request without an origin, and returns head and body.
    fn get(&self, path: &str, headers: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = format!("Host: {}\r\n", self.address);
        let names_host = headers.lines().any(|line| line.starts_with("Host:"));
        let host = if names_host { "" } else { &host };
        write!(stream, "GET {path} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    /// Waits for a list of boards.
    fn wait_for(&self, wanted: impl Fn(&Value) -> bool) {
        let list = RefCell::new(Value::Null);
        let what = fmt::from_fn(|f| write!(f, "boards are otherwise: {}", list.borrow()));
        eventually(what, || {
            TcpStream::connect(self.address).ok()?;
            *list.borrow_mut() = serde_json::from_str(&self.get("/api/v1.0/eboards", "").1).unwrap();
            wanted(&list.borrow()).then_some(())
        });
    }

    async fn connect(&self, path: &str) -> Client {
        let (socket, response) = connect_async(format!("ws://{}{path}", self.address)).await.unwrap();
        assert_eq!(response.status(), 101);
        for header in ["sec-websocket-extensions", "sec-websocket-protocol", "access-control-allow-origin"] {
            assert!(!response.headers().contains_key(header), "{response:?}");
        }
        Client(socket)
    }
}

fn say(board: &mut Board<TcpStream>, message: Message<'_>) {
    let mut buffer = [0; 128];
    let bytes = message.encode(&mut buffer).unwrap();
    board.send(bytes);
}

struct Client(WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>);

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.send(tungstenite::Message::text(text)).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.expect("no message").unwrap().unwrap();
            if let tungstenite::Message::Text(text) = message {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    async fn ask(&mut self, call: Value) -> Value {
        self.send(&call.to_string()).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], call["id"], "{answer}");
        answer
    }

    async fn subscribe(&mut self, id: u32, feed: u32, serial: &str) -> Value {
        let param = json!({"feed": "eboardevent", "id": feed, "param": {"serialnr": serial}});
        let answer = self.ask(json!({"id": id, "call": "subscribe", "param": param})).await;
        assert_eq!((&answer["response"], &answer["param"]), (&json!("call"), &Value::Null), "{answer}");
        let first = self.next().await;
        assert_eq!((&first["response"], &first["id"]), (&json!("feed"), &json!(feed)), "{first}");
        first
    }

    /// Waits for a message that satisfies a condition.
    async fn wait_for(&mut self, mut wanted: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await;
            assert_eq!(message["response"], "feed", "{message}");
            let news = &message["param"];
            assert!(news.get("board").is_some() || news.get("clock").is_some(), "{message}");
            if wanted(&message) {
                return message;
            }
        }
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_game_is_followed_through_the_interface() {
    let mut scene = Scene::new(&["23946"], "");
    let mut client = scene.connect("/api/v1.0").await;
    let boards = client.ask(json!({"id": 1, "call": "eboards"})).await;
    assert_eq!(keys(&boards), ["id", "param", "response", "time"]);
    assert!(boards["time"].is_i64() && boards["id"].is_i64());
    assert_eq!(
        keys(&boards["param"][0]),
        ["battery", "board", "clock", "comment", "flipped", "serialnr", "source", "state"]
    );
    let first = client.subscribe(2, 1, "23946").await;
    assert_eq!(first["param"], json!({"serialnr": "23946", "flipped": false, "board": START, "clock": null}));
    let fen = format!("{START} w KQkq - 0 1");
    let setup = json!({"id": 1, "method": "setup", "param": {"fen": fen}});
    let answer = client.ask(json!({"id": 3, "call": "call", "param": setup})).await;
    assert_eq!((&answer["response"], &answer["param"]), (&json!("call"), &Value::Null));
    let reported = client.next().await;
    assert_eq!(keys(&reported["param"]), ["board", "clock", "flipped", "match", "san", "serialnr", "start"]);
    assert_eq!((&reported["param"]["start"], &reported["param"]["san"]), (&json!(fen), &json!([])));
    scene.play(0, (4, 1), (4, 3), 'P');
    client.wait_for(|news| news["param"]["san"] == json!(["e4"]) && news["param"]["match"] == true).await;
    scene.play(0, (4, 6), (4, 4), 'p');
    client.wait_for(|news| news["param"]["san"] == json!(["e4", "e5"])).await;
    let end = json!({"id": 9, "call": "unsubscribe", "param": {"id": 1}});
    assert_eq!(client.ask(end).await["param"], Value::Null);
    scene.play(0, (6, 0), (5, 2), 'N');
    let answer = client.ask(json!({"id": 10, "call": "sources", "param": {}})).await;
    assert_eq!(keys(&answer["param"][0]), ["active", "device", "name", "present", "status", "type"]);
    assert_eq!(scene.hall.stop(), 0);
}

#[tokio::test]
async fn a_clock_comes_alone_in_whole_seconds() {
    let mut scene = Scene::new(&["23946"], "");
    let mut client = scene.connect("/api/v1.0").await;
    client.subscribe(1, 1, "23946").await;
    let side = |minutes, seconds| SideTime {
        time: ClockTime { hours: 1, minutes, seconds },
        ..ClockReport::DISCONNECTED.left
    };
    let report = ClockReport {
        right: side(29, 50),
        left: side(30, 0),
        running: true,
        lever: Lever::LeftUp,
        connected: true,
        ..ClockReport::DISCONNECTED
    };
    // Twice: a report that nothing confirms may be damaged.
    for _ in 0..2 {
        say(&mut scene.boards[0], Message::Clock(report));
    }
    let news = client.wait_for(|news| news["param"]["clock"].is_object()).await;
    assert_eq!(keys(&news["param"]), ["clock", "flipped", "serialnr"], "the board has not changed");
    let clock = &news["param"]["clock"];
    assert_eq!(keys(clock), ["black", "run", "time", "white"]);
    let mut times = [clock["white"].as_u64().unwrap(), clock["black"].as_u64().unwrap()];
    times.sort_unstable();
    assert_eq!(times, [5390, 5400]);
    assert!(clock["run"].is_boolean() && clock["time"].is_i64() && news["time"].is_i64(), "{news}");
    let list = client.ask(json!({"id": 2, "call": "eboards"})).await;
    assert_eq!(keys(&list["param"][0]["clock"]), ["black", "run", "time", "white"]);
}

#[tokio::test]
async fn a_setup_concerns_one_feed_and_moves_may_be_withdrawn() {
    let mut scene = Scene::new(&["23946"], "");
    let mut client = scene.connect("/api/v1.0").await;
    client.subscribe(1, 1, "23946").await;
    client.subscribe(2, 2, "23946").await;
    let setup = |fen: String| {
        let param = json!({"id": 1, "method": "setup", "param": {"fen": fen}});
        json!({"id": 3, "call": "call", "param": param})
    };
    let elsewhere = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    client.ask(setup(elsewhere.to_owned())).await;
    let reported = client.next().await;
    let (start, san, is_there) =
        (&reported["param"]["start"], &reported["param"]["san"], &reported["param"]["match"]);
    assert_eq!((start, san, is_there), (&json!(elsewhere), &json!([]), &json!(false)));
    client.ask(setup(format!("{START} w KQkq - 0 1"))).await;
    assert_eq!(client.next().await["param"]["match"], true);
    scene.play(0, (4, 1), (4, 3), 'P');
    let mut plain = false;
    client
        .wait_for(|news| {
            assert!(news["id"] == 1 || keys(&news["param"]) == ["board", "flipped", "serialnr"], "{news}");
            plain |= news["id"] == 2;
            news["param"]["san"] == json!(["e4"])
        })
        .await;
    // The whole list, which is shorter after a take-back.
    scene.play(0, (4, 3), (4, 1), 'P');
    client
        .wait_for(|news| {
            plain |= news["id"] == 2;
            news["id"] == 1 && news["param"]["san"] == json!([]) && news["param"]["match"] == true && plain
        })
        .await;
}

#[tokio::test]
async fn several_clients_and_feeds_do_not_mix() {
    let mut scene = Scene::new(&["11111", "22222"], "[[table]]\nnumber = 1\nserial = '22222'");
    let (mut one, mut two) =
        (scene.connect("/api/v1.0").await, scene.connect("/api/v1.0/?serialnr=11111").await);
    let list = one.ask(json!({"id": 0, "call": "eboards", "param": null})).await;
    let serials: Vec<&Value> = list["param"].as_array().unwrap().iter().map(|b| &b["serialnr"]).collect();
    assert_eq!(serials, ["22222", "11111"], "in the order of the tables");
    let list = two.ask(json!({"id": 1, "call": "eboards", "param": {}})).await;
    assert_eq!(list["param"].as_array().unwrap().len(), 1);
    one.subscribe(5, 1, "11111").await;
    one.subscribe(6, 2, "22222").await;
    two.subscribe(1, 1, "11111").await;
    let refused = two.ask(json!({"id": 2, "call": "subscribe",
        "param": {"feed": "eboardevent", "id": 2, "param": {"serialnr": "22222"}}}));
    assert_eq!(refused.await["response"], "error");
    let flip = json!({"id": 1, "method": "flip", "param": {"flip": true}});
    one.ask(json!({"id": 7, "call": "call", "param": flip})).await;
    assert_eq!(one.next().await["param"]["flipped"], true);
    scene.play(1, (3, 1), (3, 3), 'P');
    let news = one.wait_for(|news| news["id"] == 2 && news["param"]["board"] != START).await;
    assert_eq!(news["param"]["serialnr"], "22222");
    scene.play(0, (4, 1), (4, 3), 'P');
    let news = two.wait_for(|news| news["param"]["board"] != START).await;
    assert_eq!((&news["param"]["serialnr"], &news["param"]["flipped"]), (&json!("11111"), &json!(false)));
    let mut table = scene.connect("/board/1/api/v1.0").await;
    let list = table.ask(json!({"id": 1, "call": "eboards"})).await;
    assert_eq!(list["param"][0]["serialnr"], "22222");
    drop(scene.boards.remove(1));
    scene.wait_for(|list| list[0]["serialnr"] == "11111" && list[1]["state"] == "NOTRESPONDING");
}

#[tokio::test]
async fn bad_input_is_answered_and_never_ends_the_connection() {
    let scene = Scene::new(&["23946"], "");
    let mut client = scene.connect("/api/v1.0").await;
    for bad in [
        "",
        "x",
        "[]",
        "null",
        "7",
        "{",
        "{\"id\":1}",
        "{\"call\":null,\"id\":\"a\"}",
        "\u{0}",
        "{\"call\":{}}",
    ] {
        client.send(bad).await;
        let answer = client.next().await;
        assert_eq!(answer["response"], "error", "{bad} {answer}");
        assert!(
            answer["param"]["message"].is_string() && answer["param"]["stacktrace"].is_string(),
            "{answer}"
        );
    }
    client.0.send(tungstenite::Message::binary(vec![0xff; 300])).await.unwrap();
    assert_eq!(client.next().await["response"], "error");
    client.send(&"[".repeat(500_000)).await;
    assert_eq!(client.next().await["response"], "error");
    let fen = json!({"id": 1, "method": "setup", "param": {"fen": "nonsense"}});
    for call in [
        json!({"id": 4, "call": "nonsense"}),
        json!({"id": "4", "call": "subscribe", "param": {"feed": "liveviewer", "id": 1, "param": {"serialnr": "23946"}}}),
        json!({"id": 4, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "1"}}}),
        json!({"id": 4.5, "call": "call", "param": {"id": 1, "method": "flip", "param": {"flip": true}}}),
        json!({"id": 4, "call": "unsubscribe", "param": {"id": 1}}),
        json!({"id": 4, "call": "call", "param": fen}),
    ] {
        assert_eq!(client.ask(call).await["response"], "error");
    }
    client.0.send(tungstenite::Message::Ping(b"alive".as_slice().into())).await.unwrap();
    let pong = timeout(PATIENCE, client.0.next()).await.unwrap().unwrap().unwrap();
    assert_eq!(pong, tungstenite::Message::Pong(b"alive".as_slice().into()));
    assert_eq!(client.ask(json!({"id": 5, "call": "eboards"})).await["response"], "call");
}

#[tokio::test]
async fn pages_that_are_not_on_the_list_are_kept_out() {
    let scene = Scene::new(&["23946"], "");
    let attempt = async |name: &'static str, value: &str| {
        let mut request = format!("ws://{}/api/v1.0", scene.address).into_client_request().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        match connect_async(request).await {
            Ok((_, response)) => response.status().as_u16(),
            Err(Error::Http(response)) => response.status().as_u16(),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(attempt("Origin", "https://play.example.org").await, 101);
    assert_eq!(attempt("Origin", &format!("http://{}", scene.address)).await, 101);
    assert_eq!(attempt("Origin", "https://example.com").await, 403);
    assert_eq!(attempt("Origin", "null").await, 403);
    assert_eq!(attempt("Host", "rebound.example.com").await, 421);
    let upgrade = |key: &str| {
        scene.get(
            "/api/v1.0",
            &format!("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"),
        )
    };
    for key in ["", "short", "===================================="] {
        assert!(upgrade(key).0.starts_with("HTTP/1.1 400 "), "{key}");
    }
    let (head, body) = scene.get("/api/v1.0/eboards", "Origin: https://evil.example.com\r\n");
    assert!(head.starts_with("HTTP/1.1 403 ") && !body.contains("23946"), "{head}");
    let (head, _) = scene.get("/api/v1.0/eboards", "Host: rebound.example.com\r\n");
    assert!(head.starts_with("HTTP/1.1 421 "), "{head}");
    let (head, body) = scene.get("/api/v1.0/eboards", "Origin: https://a.example.org\r\n");
    assert!(head.contains("access-control-allow-origin: https://a.example.org"), "{head}");
    assert!(body.contains("\"serialnr\": \"23946\""), "{body}");
}

#[tokio::test]
async fn a_browser_sees_that_it_is_at_work() {
    let scene = Scene::new(&["23946"], "");
    for (path, text) in [
        ("/doc/index.html", "23946"),
        ("/doc/api/feeds/eboardevent/index.html", "setup"),
        ("/api/v1.0/sources", "\"type\": \"NETWORK\""),
        (&format!("http://{}/api/v1.0/eboards", scene.address), "23946"),
    ] {
        let (head, body) = scene.get(path, "");
        assert!(head.starts_with("HTTP/1.1 200 ") && body.contains(text), "{path}: {head}");
    }
    assert!(scene.get("/api/v1.0", "").0.starts_with("HTTP/1.1 426 "));
    assert!(scene.get("/elsewhere", "").0.starts_with("HTTP/1.1 404 "));
}

#[tokio::test]
async fn clients_that_flood_or_do_not_read_delay_nobody() {
    let mut scene = Scene::new(&["23946"], "");
    let mut reader = scene.connect("/api/v1.0").await;
    reader.subscribe(1, 1, "23946").await;
    // These send requests without pause and read nothing.
    let mut deaf = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let mut client = scene.connect("/api/v1.0").await;
        client.subscribe(1, 1, "23946").await;
        deaf.spawn(async move {
            while client.0.send(tungstenite::Message::text(r#"{"id":1,"call":"eboards"}"#)).await.is_ok() {}
        });
    }
    for (from, to) in [((4, 1), (4, 3)), ((3, 1), (3, 3)), ((2, 1), (2, 3))] {
        scene.play(0, from, to, 'P');
    }
    reader.wait_for(|news| news["param"]["board"] == "rnbqkbnr/pppppppp/8/8/2PPP3/8/PP3PPP/RNBQKBNR").await;
    deaf.shutdown().await;
    assert_eq!(scene.hall.stop(), 0);
}
