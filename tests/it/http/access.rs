//! Who may read what: with a delay, nothing live without the token; at the public door, games and a word.

use std::{fs, io::Write as _, net::TcpStream, os::unix::fs::PermissionsExt as _};

use dgt_protocol::{Field, Message, Piece, Placement};
use tempfile::TempDir;

use super::{Answer, Desk, ordering::TOKEN};
use crate::support::{Board, PATIENCE, Reserved};

/// Every path with live data; each path of the router is listed here or in [`OPEN`].
const LIVE: [&str; 17] = [
    "/api/hall",
    "/api/round",
    "/api/push",
    "/api/tables",
    "/api/tables/labels",
    "/api/boards",
    "/api/boards/23946",
    "/api/boards/23946/events",
    "/api/boards/23946/events?from=0&to=10",
    "/api/boards/23946/text?alert=1&language=de",
    "/api/boards/23946/capture?alert=1",
    "/api/boards/23946/position",
    "/api/boards/1",
    "/api/events",
    "/api/audit",
    "/metrics",
    "/api/session",
];

/// Every path that needs no token.
const OPEN: [&str; 19] = [
    "/",
    "/table/7",
    "/board/23946",
    "/desk/desk.js",
    "/healthz",
    "/api/openapi.json",
    "/current/games.pgn",
    "/round-1/games.pgn",
    "/round-1/game-7.pgn",
    "/round-1/game-7.json",
    "/round-1/game-1.json",
    "/round-1/index.json",
    "/round-2/games.pgn",
    "/tournament.json",
    "/get/x/tournament.json",
    "/get/x/round-1/game-1.json",
    "/get/x/round-1/index.json",
    "/meta/x",
    "/nothing",
];

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
        Self { desk, public, _dir: dir }
    }

    fn at_desk(&self, path: &str, more: &str) -> Answer {
        self.desk.ask(&format!("GET {path} HTTP/1.1\nhost: {}{more}", self.desk.address), "")
    }

    fn in_public(&self, path: &str) -> Answer {
        let mut stream = TcpStream::connect(self.public.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {TOKEN}\r\n\r\n",
            self.public.address
        )
        .unwrap();
        Answer::read(stream)
    }

    /// Returns all that can be read without the token: status, headers, lengths, tags and texts of all pages.
    fn readable(&self) -> Vec<String> {
        let told = |answer: Answer| {
            let head = answer.head.lines().filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>();
            format!("{} {} {}", answer.status, head.join("\n"), answer.body)
        };
        let pages = || LIVE.iter().chain(&OPEN);
        let desk = pages().map(|path| format!("{path} {}", told(self.at_desk(path, ""))));
        desk.chain(pages().map(|path| format!("public {path} {}", told(self.in_public(path))))).collect()
    }
}

fn say(board: &mut Board<TcpStream>, message: Message<'_>) {
    let mut buffer = [0; 128];
    board.send(message.encode(&mut buffer).unwrap());
}

#[test]
fn with_a_delay_nothing_that_can_be_read_without_the_token_changes_with_a_move() {
    let mut delayed = Delayed::start();
    let mut board = delayed.desk.plug();
    say(&mut board, Message::BoardDump(Placement::start()));
    let signed = format!("\nauthorization: Bearer {TOKEN}");
    let plies = |delayed: &Delayed| {
        delayed.at_desk("/api/boards/23946", &signed).json()["game"]["moves"].as_array().map_or(0, Vec::len)
    };
    for _ in 0..2000 {
        if !delayed.at_desk("/api/boards/23946", &signed).json()["game"].is_null() {
            break;
        }
    }
    // Games are public an hour later; before that only the pairings are, and in a moment their time.
    for path in ["/round-1/games.pgn", "/round-1/index.json", "/tournament.json", "/current/games.pgn"] {
        for _ in 0..600 {
            if delayed.in_public(path).header("last-modified").is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    let before = delayed.readable();
    for path in LIVE {
        let answer = delayed.at_desk(path, "");
        assert_eq!(answer.status, 401, "{path}: {answer:?}");
        assert_eq!(answer.header("etag"), None, "{path}");
        assert_eq!(delayed.in_public(path).status, 404, "{path}");
    }
    let field = |rank| Field::at(4, rank).unwrap();
    let pawn = Piece::from_letter('P').unwrap();
    for (field, piece) in [(field(1), Piece::Empty), (field(3), pawn)] {
        say(&mut board, Message::FieldUpdate { field, piece });
    }
    for _ in 0..5000 {
        if plies(&delayed) == 1 {
            break;
        }
    }
    assert_eq!(plies(&delayed), 1, "the arbiter sees the move");
    assert_eq!(delayed.readable(), before, "the public does not");
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
