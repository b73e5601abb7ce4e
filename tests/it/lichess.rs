//! The push to Lichess, against a stand-in that enforces the documented rules.
//! What is pushed of whole rounds, and of a game with an illegal move that stands, is compared in `day`.

use std::{
    cell::RefCell,
    fmt, fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
};

use jadoube_core::game::{PgnReader, PgnToken};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::support::{Hall, PATIENCE, Reserved, eventually};

pub(crate) const TOKEN: &str = "lip_0123456789";

/// Requests and responses of the test server.
#[derive(Debug)]
pub(crate) struct Push {
    pub(crate) status: u16,
    games: usize,
    pub(crate) body: String,
}

/// A server that takes pushes as Lichess documents them; the answers in `scripted` come first.
pub(crate) fn stand_in(scripted: Vec<(u16, &'static str)>) -> (String, Receiver<Push>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, pushes) = channel();
    thread::spawn(move || {
        let mut scripted = scripted.into_iter();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (head, body) = read(&stream);
            let (status, answer) = match refusal(&head, &body) {
                Some((status, error)) => (status, json!({ "error": error })),
                None => match scripted.next() {
                    Some((status, error)) => (status, json!({ "error": error })),
                    None => (200, json!({ "games": games(&body) })),
                },
            };
            // Requests are handled one at a time.
            listener.set_nonblocking(true).unwrap();
            let alone = listener.accept().is_err();
            listener.set_nonblocking(false).unwrap();
            let status = if alone { status } else { 429 };
            let text = answer.to_string();
            write!(stream, "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}", text.len()).unwrap();
            let games = body.matches("[Event ").count();
            if sender.send(Push { status, games, body }).is_err() {
                return;
            }
        }
    });
    (address, pushes)
}

fn read(stream: &TcpStream) -> (Vec<String>, String) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let length = value(&head, "content-length").parse().unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

fn value(head: &[String], name: &str) -> String {
    let fields = head.iter().filter_map(|line| line.split_once(':'));
    fields
        .into_iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map_or(String::new(), |(_, value)| value.trim().to_owned())
}

/// Returns what is wrong with a request.
fn refusal(head: &[String], body: &str) -> Option<(u16, &'static str)> {
    if head[0] != "POST /api/broadcast/round/abcdefgh/push HTTP/1.1" {
        return Some((404, "no such round"));
    }
    if value(head, "authorization") != format!("Bearer {TOKEN}") {
        return Some((401, "No such token"));
    }
    if !value(head, "content-type").starts_with("text/plain")
        || !value(head, "user-agent").starts_with("jadoube/")
    {
        return Some((400, "wrong headers"));
    }
    match body.matches("[Event ").count() {
        0 => Some((400, "Found an empty PGN")),
        101.. => Some((400, "too many games")),
        _ => None,
    }
}

/// Replays the games; a game with an illegal move is refused.
fn games(body: &str) -> Vec<Value> {
    let mut games: Vec<Value> = Vec::new();
    let mut position = Chess::default();
    for token in PgnReader::new(body) {
        let game = games.last_mut();
        match (token.unwrap(), game) {
            (PgnToken::Game, _) => {
                games.push(json!({"tags": {}, "moves": 0}));
                position = Chess::default();
            }
            (PgnToken::Tag { name, value }, Some(game)) => {
                if name == "FEN" {
                    let start = value.parse::<Fen>().unwrap();
                    position = start.into_position(CastlingMode::Standard).unwrap();
                }
                game["tags"][name] = Value::from(value);
            }
            (PgnToken::Move(san), Some(game)) if game.get("error").is_none() => {
                match san.san.to_move(&position) {
                    Ok(played) => {
                        position.play_unchecked(played);
                        game["moves"] = Value::from(game["moves"].as_u64().unwrap() + 1);
                    }
                    Err(error) => game["error"] = Value::from(error.to_string()),
                }
            }
            _ => {}
        }
    }
    for game in games.iter_mut().filter(|game| game.get("error").is_some()) {
        game.as_object_mut().unwrap().remove("moves");
    }
    games
}

fn game(round: &str, moves: &str) -> String {
    format!(
        "[Event \"Open\"]\n[Round \"{round}\"]\n[White \"W\"]\n[Black \"B\"]\n[Result \"*\"]\n\n{moves} *\n\n"
    )
}

/// Starts a daemon with these games of round 3; returns the address of the metrics.
fn start(hall: &mut Hall, address: &str, token: &str, games: &str) -> Reserved {
    let http = Reserved::new();
    let path = |name: &str| hall.dir.path().join(name);
    fs::write(path("token"), format!("{token}\n")).unwrap();
    write(hall, games);
    let config = format!(
        "[ports]\nscan = []\n[http]\nlisten = '{}'\n[event]\nround = 3\n[pgn]\ndir = '{}'\n[lichess]\nurl = '{address}'\nround = 'abcdefgh'\ntoken_file = '{}'",
        http.address,
        path("pgn").display(),
        path("token").display()
    );
    hall.configure(&config);
    hall.start();
    http
}

/// Requests until the response contains a text: metrics follow the log with a short delay.
fn wait_reported(http: &Reserved, path: &str, text: &str) -> String {
    let last = RefCell::new(String::new());
    let what = fmt::from_fn(|f| write!(f, "'{text}' in {path}:\n{}", last.borrow()));
    eventually(what, || {
        if let Ok(mut answer) = ureq::get(format!("http://{}{path}", http.address)).call() {
            *last.borrow_mut() = answer.body_mut().read_to_string().unwrap();
        }
        let last = last.borrow();
        last.contains(text).then(|| last.clone())
    })
}

fn write(hall: &Hall, games: &str) {
    let directory = hall.dir.path().join("pgn/round-3");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("new"), games).unwrap();
    fs::rename(directory.join("new"), directory.join("games.pgn")).unwrap();
}

#[test]
fn a_snapshot_is_pushed_after_every_change() {
    let (address, pushes) = stand_in(Vec::new());
    let mut hall = Hall::new("");
    let http = start(&mut hall, &address, TOKEN, &(game("3.1", "1. e4") + &game("3.2", "1. d4")));
    let push = pushes.recv_timeout(PATIENCE).unwrap();
    assert_eq!((push.status, push.games), (200, 2), "{push:?}");
    write(&hall, &(game("3.1", "1. e4 e5") + &game("3.2", "1. d4 Ke3")));
    let push = pushes.recv_timeout(PATIENCE).unwrap();
    assert!(push.status == 200 && push.body.contains("1. e4 e5"), "{push:?}");
    hall.wait_message("Lichess does not take a game");
    let reported = wait_reported(&http, "/healthz", "\ndegraded: lichess: does not take game 3.2: ");
    wait_reported(&http, "/metrics", "\ndgt_export_refused_games{sink=\"lichess\"} 1\n");
    let reported = reported.trim_end().rsplit("degraded: ").next().unwrap().to_owned();
    hall.wait_notification(&format!("STATUS=0 boards; {reported}"));
    write(&hall, &(game("3.1", "1. e4 e5") + &game("3.2", "1. d4 d5")));
    assert_eq!(pushes.recv_timeout(PATIENCE).unwrap().status, 200);
    hall.wait_message("Lichess takes the game again");
    wait_reported(&http, "/metrics", "\ndgt_export_refused_games{sink=\"lichess\"} 0\n");
    wait_reported(&http, "/metrics", "\ndgt_export_last_success_timestamp_seconds{sink=\"lichess\"} ");
    let many: String = (1..=120).map(|board| game(&format!("3.{board}"), "1. e4")).collect();
    write(&hall, &many);
    hall.wait_message("Lichess takes 100 games in a round");
    let push = pushes.recv_timeout(PATIENCE).unwrap();
    assert_eq!((push.status, push.games), (200, 100));
    assert_eq!(hall.stop(), 0);
}

#[test]
fn a_server_that_refuses_is_left_alone() {
    let (address, pushes) = stand_in(vec![(429, "too many")]);
    let mut hall = Hall::new("");
    start(&mut hall, &address, TOKEN, &game("3.1", "1. e4"));
    assert_eq!(pushes.recv_timeout(PATIENCE).unwrap().status, 429);
    hall.wait_message("next push in 60 s");
    write(&hall, &game("3.1", "1. e4 e5"));
    assert_eq!(hall.stop(), 0);
    assert!(pushes.try_recv().is_err(), "it has asked again");
    let (address, pushes) = stand_in(Vec::new());
    let http = start(&mut hall, &address, "wrong", &game("3.1", "1. e4"));
    assert_eq!(pushes.recv_timeout(PATIENCE).unwrap().status, 401);
    hall.wait_message("needs the right study:write");
    wait_reported(&http, "/healthz", "degraded: lichess: refuses the push: No such token");
    wait_reported(&http, "/metrics", "\ndgt_export_failures_total{sink=\"lichess\"} 1\n");
    assert_eq!(hall.stop(), 0);
}
