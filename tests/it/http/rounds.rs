//! Rounds on a running daemon: pairings are read while boards are in use, results are entered when they are set up again.

use std::{fmt::Write as _, fs, net::TcpStream, path::PathBuf};

use serde_json::{Value, json};

use super::Desk;
use crate::support::{Board, START};

/// A desk whose pairings are in a file, and its board.
struct Event {
    desk: Desk,
    board: Board<TcpStream>,
    file: PathBuf,
}

impl Event {
    fn start(pairings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap().keep();
        let (file, games) = (dir.join("pairings.csv"), dir.join("pgn"));
        fs::write(&file, pairings).unwrap();
        let more = format!("[pgn]\ndir = '{}'\n[pairings]\nfile = '{}'", games.display(), file.display());
        let mut desk = Desk::start(&more);
        super::ordering::write_token(&desk.hall, 0o640);
        let board = desk.plug();
        Self { desk, board, file }
    }

    fn set_up(&mut self, game: u32) {
        self.board.send(&[&[0x86, 0x00, 0x43], START.as_slice()].concat());
        self.desk.wait_json("/api/boards/23946", |board| board["game"]["number"] == game);
    }

    /// Moves pieces, as `from`, `to` and the code of the piece, counted from a8.
    fn play(&mut self, moves: &[[u8; 3]]) {
        for [from, to, piece] in moves {
            self.board.send(&[0x8e, 0, 5, *from, 0, 0x8e, 0, 5, *to, *piece]);
        }
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let token = fs::read_to_string(self.desk.hall.dir.path().join("token")).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {}\ncontent-type: application/json",
            self.desk.address,
            token.trim()
        );
        let answer = self.desk.ask(&head, &body.to_string());
        (answer.status, answer.json())
    }

    fn wait_games(&self, round: u32, wanted: impl Fn(&str) -> bool) -> String {
        self.desk.wait_text(&format!("/round-{round}/games.pgn"), wanted)
    }
}

const E4: [u8; 3] = [52, 36, 1];
const D4: [u8; 3] = [51, 35, 1];
const C4: [u8; 3] = [50, 34, 1];
const E5: [u8; 3] = [12, 28, 7];

#[test]
fn skittles_are_published_in_no_round() {
    let mut event = Event::start("round,table,white,black\n1,7,Adams,Baker\n");
    event.set_up(1);
    event.play(&[E4, E5]);
    event.wait_games(1, |games| games.contains("1. e4"));
    let (status, _) =
        event.post("/api/boards/23946/orders", &json!({"order": "result", "result": "1-0", "game": 1}));
    assert_eq!(status, 200);
    event.set_up(2);
    event.play(&[D4]);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["moves"][0]["san"] == "d4");
    fs::write(&event.file, "round,table,white,black\n2,7,Clark,Davis\n").unwrap();
    event.wait_games(2, |games| games.contains("Clark"));
    event.play(&[E5]);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["moves"][1]["san"] == "e5");
    // They are on the board while the names of the next round are known, and a while later.
    let first = event.wait_games(1, |games| games.contains("1-0\n"));
    assert!(first.contains("Adams") && first.contains("1. e4") && !first.contains("d4"), "{first}");
    event.set_up(3);
    event.play(&[C4]);
    let second = event.wait_games(2, |games| games.contains("1. c4"));
    assert!(second.contains("Clark") && !second.contains("d4"), "{second}");
    let alone = event.wait_games(1, |games| games.contains("1. e4"));
    assert_eq!(alone, first);
}

/// Returns what is known of a table of a round.
fn table(round: &Value, number: u32) -> &Value {
    round["games"].as_array().unwrap().iter().find(|game| game["table"] == number).unwrap()
}

#[test]
fn results_are_entered_for_every_table_of_every_round() {
    let mut event = Event::start(
        "round,table,white,white_elo,black\n1,7,Adams,2100,Baker\n1,8,Clark,2000,\"Davis, D\"\n",
    );
    event.set_up(1);
    event.play(&[E4, E5]);
    event.wait_games(1, |games| games.contains("1. e4"));
    let round = event.desk.wait_json("/api/rounds/1", |round| round["state"] == "playing");
    assert_eq!(
        (&round["playing"], &round["waiting"], &round["missing"]),
        (&json!(1), &json!(1), &json!([7, 8]))
    );
    assert_eq!((&table(&round, 7)["game"]["number"], &table(&round, 8)["serial"]), (&json!(1), &Value::Null));
    let enter = |event: &Event, table: u32, result: &str| {
        let (status, answer) = event
            .post("/api/rounds/1/results", &json!({ "table": table, "result": result, "reason": "slip" }));
        assert_eq!(status, 200, "{answer}");
        answer["before"].clone()
    };
    assert_eq!(enter(&event, 7, "1/2-1/2"), Value::Null);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["result"] == "1/2-1/2");
    // The board is set up again, and the next round is paired: the first one is put right all the same.
    event.set_up(2);
    fs::write(&event.file, "round,table,white,black\n2,7,Baker,Clark\n").unwrap();
    event.wait_games(2, |games| games.contains("Clark"));
    assert_eq!(enter(&event, 7, "0-0"), "1/2-1/2");
    assert_eq!(enter(&event, 8, "+/-"), Value::Null);
    let games = event.wait_games(1, |games| games.contains("forfeit"));
    let results: Vec<&str> = games.lines().filter(|line| line.starts_with("[Result")).collect();
    assert_eq!(results, ["[Result \"0-0\"]", "[Result \"1-0\"]"], "{games}");
    let csv = event.desk.get("/api/rounds/1/results.csv").body;
    let expected = "round,table,white,black,result,white_elo,black_elo,white_fide_id,black_fide_id,state\n\
                    1,7,Adams,Baker,0-0,2100,,,,entered\n1,8,Clark,\"Davis, D\",+/-,2000,,,,entered\n";
    assert_eq!(csv, expected);
    let trf = event.desk.get("/api/rounds/1/results.trf").body;
    let adams = trf.lines().find(|line| line.contains("Adams")).unwrap();
    assert!(adams.starts_with("001    1      Adams") && adams.ends_with("    3 w 0"), "{trf}");
    assert_eq!(enter(&event, 7, "*"), "0-0");
    let round = event.desk.get("/api/rounds/1").json();
    assert_eq!((&table(&round, 7)["result"], &round["state"]), (&json!("1/2-1/2"), &json!("finished")));
    let (status, _) = event.post("/api/rounds/1/results", &json!({ "table": 8, "checked": true }));
    assert_eq!((status, &table(&event.desk.get("/api/rounds/1").json(), 8)["checked"]), (200, &json!(true)));
    for (path, body, status) in [
        ("/api/rounds/1/results", json!({ "table": 8, "result": "2-0" }), 422),
        ("/api/rounds/1/results", json!({ "table": 9, "result": "1-0" }), 404),
        ("/api/rounds/9/results", json!({ "table": 7, "result": "1-0" }), 404),
        ("/api/rounds/1/results", json!({ "table": 7 }), 422),
        ("/api/rounds/1/start", json!({}), 409),
    ] {
        assert_eq!(event.post(path, &body).0, status, "{path} {body}");
    }
    let healthy = event.desk.get("/healthz").body;
    assert!(
        healthy.contains("round 2: planned, 1 tables: 0 playing, 1 waiting, 0 with a result"),
        "{healthy}"
    );
}

#[test]
fn pairings_are_shown_before_they_count() {
    let event = Event::start("round,table,white,black\n1,7,Adams,Baker\n");
    event.wait_games(1, |games| games.contains("Adams"));
    let upload = |query: &str, file: &str| {
        let token = fs::read_to_string(event.desk.hall.dir.path().join("token")).unwrap();
        let head = format!(
            "POST /api/pairings?{query} HTTP/1.1\nhost: {}\nauthorization: Bearer {}",
            event.desk.address,
            token.trim()
        );
        let answer = event.desk.ask(&head, file);
        (answer.status, answer.json())
    };
    let file = "Bo.;Name;Rtg;Res.;Name;Rtg\n7;Baker;2000;;Clark;1900\n8;Davis;1800;;Adams;1700\n";
    let (status, shown) = upload("preview=true&round=2", file);
    assert_eq!(status, 200, "{shown}");
    assert_eq!(
        (&shown["round"], &shown["tables"], &shown["without_board"], &shown["encoding"]),
        (&json!(2), &json!(2), &json!([8]), &json!("UTF-8"))
    );
    let unknown: Vec<&Value> = shown["not_in"].as_array().unwrap().iter().map(|new| &new["name"]).collect();
    assert_eq!(unknown, ["Clark", "Davis"]);
    assert_eq!(event.desk.get("/api/rounds").json().as_array().unwrap().len(), 1, "nothing has changed");
    assert_eq!(upload("preview=true", file).0, 422, "nobody has said which round it is");
    let (status, refused) = upload("name=r2.csv", "table,white,black\nx,A,B\n");
    assert_eq!((status, &refused["line"]), (422, &json!(2)));
    assert_eq!(refused["error"], "r2.csv:2: table 'x' is no number");
    assert_eq!(upload("round=2", file).0, 200);
    let games = event.wait_games(2, |games| games.contains("Davis"));
    assert!(games.contains("[White \"Baker\"]") && games.contains("[WhiteElo \"2000\"]"), "{games}");
    // A newer file counts again, and one that cannot be used is reported.
    fs::write(&event.file, "round,table,white,black\n3,x,A,B\n").unwrap();
    event.desk.wait_text("/healthz", |text| text.contains("pairings.csv:2: table 'x' is no number"));
    fs::write(&event.file, "round,table,white,black\n3,7,Evans,Frank\n").unwrap();
    event.wait_games(3, |games| games.contains("Evans"));
    event.desk.wait_text("/healthz", |text| !text.contains("pairings.csv"));
}

/// Files as pairing programs write them on Windows: a list in code page 1252, the same in UTF-16, and a report in code page 1250.
#[test]
fn pairings_in_other_encodings_are_read() {
    let event = Event::start("round,table,white,black\n1,7,Adams,Baker\n");
    let token = fs::read_to_string(event.desk.hall.dir.path().join("token")).unwrap();
    let names = |round: u32, name: &str, bytes: &[u8]| -> Vec<Value> {
        let address = format!("http://{}/api/pairings?round={round}&name={name}", event.desk.address);
        let bearer = format!("Bearer {}", token.trim());
        let text = ureq::post(address).header("authorization", bearer).send(bytes).unwrap();
        let reported: Value = text.into_body().read_json().unwrap();
        let games = reported["games"].as_array().unwrap().iter();
        games.flat_map(|game| [game["white"].clone(), game["black"].clone()]).collect()
    };
    let list = "table,white,black\n1,\"O\u{2019}Brien, Se\u{e1}n\",\"\u{160}im\u{e1}k, Jan\"\n";
    let windows = b"table,white,black\n1,\"O\x92Brien, Se\xe1n\",\"\x8aim\xe1k, Jan\"\n";
    let wide: Vec<u8> = [0xfeff].into_iter().chain(list.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [list.as_bytes(), windows.as_slice(), &wide] {
        assert_eq!(names(2, "list.csv", bytes), ["O\u{2019}Brien, Se\u{e1}n", "\u{160}im\u{e1}k, Jan"]);
    }
    let rows = [("Dvo\u{f8}\u{e1}k, Ji\u{f8}\u{ed}", "2 w  "), ("Wojtaszek, \u{a3}ukasz", "1 b  ")];
    let mut report = String::new();
    for (number, (name, game)) in (1..).zip(rows) {
        writeln!(
            report,
            "001 {number:>4} m    {name:<33} 2100 CZE     4600001 0000/00/00  0.0    1     {game}\r"
        )
        .unwrap();
    }
    // Each letter is the byte of its number.
    let report: Vec<u8> = report.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    assert_eq!(
        names(1, "report.trf", &report),
        ["Dvo\u{159}\u{e1}k, Ji\u{159}\u{ed}", "Wojtaszek, \u{141}ukasz"]
    );
    event.wait_games(1, |games| games.contains("[White \"Dvo\u{159}\u{e1}k, Ji\u{159}\u{ed}\"]"));
}

#[test]
fn a_game_that_has_left_its_board_is_given_to_a_table() {
    let mut event = Event::start("round,table,white,black\n1,7,Adams,Baker\n");
    event.set_up(1);
    event.play(&[E4, E5]);
    event.wait_games(1, |games| games.contains("1. e4"));
    event.post("/api/boards/23946/orders", &json!({"order": "result", "result": "1-0", "game": 1}));
    event.set_up(2);
    event.play(&[D4, E5]);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["moves"][1]["san"] == "e5");
    event.post("/api/boards/23946/orders", &json!({"order": "result", "result": "0-1", "game": 2}));
    event.set_up(3);
    let pair = |event: &Event, game: u32| {
        event.post("/api/rounds/1/games", &json!({ "table": 7, "board": "23946", "game": game }))
    };
    let (status, answer) = pair(&event, 2);
    assert_eq!(status, 200, "{answer}");
    event.wait_games(1, |games| games.contains("1. d4") && !games.contains("e4"));
    assert_eq!(pair(&event, 1).0, 200);
    let games = event.wait_games(1, |games| games.contains("1. e4") && !games.contains("d4"));
    assert!(games.contains("[White \"Adams\"]") && games.contains("[Result \"1-0\"]"), "{games}");
    let (status, refused) = pair(&event, 9);
    assert_eq!((status, refused["error"].as_str().unwrap().contains("game 9 is not on board")), (409, true));
}
