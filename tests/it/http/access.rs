//! Who may read what: with a delay, nothing live without the token; at the public listener, games and a word.

use std::{fs, io::Write as _, net::TcpStream, os::unix::fs::PermissionsExt as _};

use dgt_protocol::{Field, Message, Piece, Placement};
use tempfile::TempDir;

use super::{
    Answer, Desk, Stream,
    ordering::TOKEN,
    walk::{self, Operation},
};
use crate::support::{Board, PATIENCE, Reserved, eventually};

/// A daemon with both listeners and a delay of an hour.
struct Delayed {
    desk: Desk,
    public: Reserved,
    _dir: TempDir,
}

impl Delayed {
    fn start() -> Self {
        let public = Reserved::new();
        let dir = tempfile::tempdir().unwrap();
        let desk = Desk::start(&format!(
            "[pgn]\ndir = '{}'\ndelay_s = 3600\n[public]\nlisten = '{}'\n",
            dir.path().join("pgn").display(),
            public.address
        ));
        let file = desk.hall.dir.path().join("token");
        fs::write(&file, TOKEN).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        // The message that somebody listens may be that of the other one.
        for address in [desk.address, public.address] {
            eventually("the listener is open", || TcpStream::connect(address).ok().map(drop));
        }
        Self { desk, public, _dir: dir }
    }

    fn at_desk(&self, path: &str, more: &str) -> Answer {
        self.desk.ask(&format!("GET {path} HTTP/1.1\nhost: {}{more}", self.desk.address), "")
    }

    fn in_public(&self, method: &str, path: &str) -> Answer {
        let mut stream = TcpStream::connect(self.public.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {TOKEN}\r\n\r\n",
            self.public.address
        )
        .unwrap();
        Answer::read(stream)
    }

    /// Returns all that can be read without the token: status, headers, lengths, tags and texts of all answers. The board says something
    /// now and then: on a busy machine this takes more than the half minute after which a silent one is called anew.
    fn readable(&self, board: &mut Board<TcpStream>, operations: &[Operation]) -> Vec<String> {
        let reported = |place: &str, Operation { method, path, .. }: &Operation, answer: Answer| {
            let head = answer.head.lines().filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>();
            format!("{place} {method} {path} {} {} {}", answer.status, head.join("\n"), answer.body)
        };
        let answers = operations.iter().enumerate().flat_map(|(number, operation)| {
            if number % 50 == 0 {
                board.say_serial("23946");
            }
            let Operation { method, path, .. } = operation;
            let desk = self.desk.ask(&format!("{method} {path} HTTP/1.1\nhost: {}", self.desk.address), "");
            if operation.asks_for_token == Some(true) {
                assert_eq!(desk.status, 401, "{operation:?}: {desk:?}");
                assert_eq!(
                    (desk.header("etag"), desk.header("last-modified")),
                    (None, None),
                    "{operation:?}"
                );
            }
            let public = self.in_public(method, path);
            if operation.asks_for_token == Some(true) {
                assert!([404, 405].contains(&public.status), "{operation:?}: {public:?}");
            }
            [reported("desk", operation, desk), reported("public", operation, public)]
        });
        answers.collect()
    }
}

fn say(board: &mut Board<TcpStream>, message: Message<'_>) {
    let mut buffer = [0; 128];
    board.send(message.encode(&mut buffer).unwrap());
}

#[test]
fn with_a_delay_nothing_public_changes_with_a_move() {
    let mut delayed = Delayed::start();
    let mut board = delayed.desk.plug();
    say(&mut board, Message::BoardDump(Placement::start()));
    let signed = format!("\nauthorization: Bearer {TOKEN}");
    let plies = |delayed: &Delayed| {
        delayed.at_desk("/api/boards/23946", &signed).json()["game"]["moves"].as_array().map_or(0, Vec::len)
    };
    eventually("the game has begun", || {
        (!delayed.at_desk("/api/boards/23946", &signed).json()["game"].is_null()).then_some(())
    });
    // Games are public an hour later; before that only the pairings are, and in a moment their time.
    for path in ["/round-1/games.pgn", "/round-1/index.json", "/tournament.json", "/current/games.pgn"] {
        eventually(path, || delayed.in_public("GET", path).header("last-modified").map(drop));
    }
    let operations = walk::operations(&delayed.desk);
    let page = |delayed: &Delayed| delayed.in_public("GET", "/").body;
    let shown = page(&delayed);
    assert!(shown.starts_with("<!doctype html>"), "{shown}");
    let before = delayed.readable(&mut board, &operations);
    let field = |rank| Field::at(4, rank).unwrap();
    let pawn = Piece::from_letter('P').unwrap();
    for (field, piece) in [(field(1), Piece::Empty), (field(3), pawn)] {
        say(&mut board, Message::FieldUpdate { field, piece });
    }
    eventually("the arbiter sees the move", || (plies(&delayed) == 1).then_some(()));
    assert_eq!(page(&delayed), shown);
    for (after, before) in delayed.readable(&mut board, &operations).iter().zip(&before) {
        assert_eq!(after, before, "the public does not");
    }
}

#[test]
fn who_reads_the_figures_has_a_token_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("metrics");
    fs::write(&file, "figures-only-0123").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let desk = Desk::start(&format!(
        "metrics_token_file = '{}'\n[pgn]\ndir = '{}'\ndelay_s = 1\n",
        file.display(),
        dir.path().display()
    ));
    let get = |path: &str, token: &str| {
        desk.ask(&format!("GET {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {token}", desk.address), "")
    };
    assert_eq!(get("/metrics", "figures-only-0123").status, 200);
    assert_eq!(desk.get("/metrics").status, 401);
    assert_ne!(get("/api/hall", "figures-only-0123").status, 200);
}

#[test]
fn what_a_proxy_passes_on_needs_the_token() {
    let desk = Desk::start("");
    let passed_on = format!("GET /api/hall HTTP/1.1\nhost: {}\nx-forwarded-for: 127.0.0.1", desk.address);
    assert_eq!(desk.ask(&passed_on, "").status, 401);
    assert_eq!(desk.get("/api/hall").status, 200);
}

#[test]
fn who_listens_without_a_token_hears_nothing_after_a_delay() {
    let mut desk = Desk::start("");
    let mut stream = Stream::open(&desk, "", "");
    let mut hall = Stream::open(&desk, "?hall=true", "");
    let file = desk.hall.dir.path().join("jadoube.toml");
    let text = fs::read_to_string(&file).unwrap().replace("white = 'Weiß, W'", "delay_s = 3600");
    fs::write(&file, text).unwrap();
    desk.hall.signal(rustix::process::Signal::HUP);
    stream.wait_end();
    hall.wait_end();
    assert_eq!(desk.get("/api/events").status, 401);
}

#[test]
fn who_listens_with_a_token_hears_nothing_after_a_new_one() {
    let delayed = Delayed::start();
    let signed = format!("\nauthorization: Bearer {TOKEN}");
    let mut stream = Stream::open(&delayed.desk, "", &signed);
    let file = delayed.desk.hall.dir.path().join("token");
    jadoube_runtime::replace::replace_secret(&file, b"another-0123456789").unwrap();
    stream.wait_end();
    assert_eq!(delayed.at_desk("/api/events", &signed).status, 401);
}
