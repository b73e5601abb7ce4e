//! The description of the interface, `src/http/openapi.json`: every answer is as it says.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader},
};

use serde_json::{Value, json};

use super::{
    Answer, Desk,
    ordering::{TOKEN, after_an_illegal_move_with},
    schema,
};

/// A daemon, and its description.
struct Described {
    desk: Desk,
    document: Value,
    /// Every method, path and status that was seen.
    seen: BTreeSet<String>,
}

/// A request.
struct Request {
    /// As it is described, `get /api/boards/{serial}`.
    operation: String,
    /// As it is sent.
    path: String,
    body: String,
    /// Further lines of its head.
    head: String,
}

impl Described {
    fn start(http: &str) -> (Self, String) {
        let (desk, board) = after_an_illegal_move_with(http);
        let document = desk.get("/api/openapi.json").json();
        (Self { desk, document, seen: BTreeSet::new() }, board)
    }

    /// Sends a request and compares the answer with its description.
    #[track_caller]
    fn check(&mut self, request: &Request) -> Answer {
        let (method, path) = request.operation.split_once(' ').unwrap();
        let described = &self.document["paths"][path][method]["responses"];
        let head = format!(
            "{} {} HTTP/1.1\nhost: {}{}",
            method.to_uppercase(),
            request.path,
            self.desk.address,
            request.head
        );
        let answer = if path == "/api/events" && !request.path.contains("after=") {
            self.head_of_stream(&head)
        } else {
            self.desk.ask(&head, &request.body)
        };
        let what = format!("{} ({}): {}", request.operation, request.path, answer.status);
        let response = &described[answer.status.to_string()];
        let response = match response["$ref"].as_str() {
            Some(target) => self.document.pointer(&target[1..]).unwrap(),
            None => response,
        };
        assert!(response["description"].is_string(), "{what} is not described: {answer:?}");
        self.check_content(&what, response, &answer);
        self.seen.insert(format!("{} {}", request.operation, answer.status));
        answer
    }

    #[track_caller]
    fn check_content(&self, what: &str, response: &Value, answer: &Answer) {
        let Some(content) = response["content"].as_object() else {
            assert_eq!(answer.body, "", "{what}: a body is not described");
            return;
        };
        let kind = answer.header("content-type").unwrap_or_else(|| panic!("{what}: {answer:?}"));
        let kind = kind.split(';').next().unwrap();
        let described = content.get(kind).or_else(|| content.get("*/*"));
        let described = described.unwrap_or_else(|| panic!("{what}: {kind} is not described"));
        if kind == "application/json" && described.get("schema").is_some() {
            let errors = schema::errors(&self.document, &described["schema"], &answer.json());
            assert!(errors.is_empty(), "{what}: {errors:#?}\n{}", answer.body);
        }
    }

    /// Requests a stream, which has no end.
    fn head_of_stream(&self, head: &str) -> Answer {
        let stream = self.desk.send(head, "");
        let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
        let text: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        let is_stream = text.iter().any(|line| line.to_lowercase().contains("text/event-stream"));
        let body = if is_stream { String::new() } else { lines.collect::<Vec<_>>().join("\n") };
        Answer::read(format!("{}\r\n\r\n{body}", text.join("\r\n")).as_bytes())
    }

    /// Returns all operations that are described.
    fn operations(&self) -> Vec<(String, Value)> {
        let paths = self.document["paths"].as_object().unwrap();
        let all = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters");
            methods.map(move |(method, operation)| (format!("{method} {path}"), operation.clone()))
        });
        all.collect()
    }
}

fn signed(operation: &str, path: &str, body: &Value) -> Request {
    let body = match body.as_str() {
        _ if body.is_null() => String::new(),
        // A file.
        Some(text) => text.to_owned(),
        None => body.to_string(),
    };
    let head = format!("\nauthorization: Bearer {TOKEN}");
    Request { operation: operation.to_owned(), path: path.to_owned(), body, head }
}

/// Puts values for the names into a path.
fn filled(path: &str, names: &[(&str, &str)]) -> String {
    names.iter().fold(path.to_owned(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value))
}

#[test]
fn every_answer_is_as_the_description_says() {
    let games = tempfile::tempdir().unwrap();
    let (mut described, board) = Described::start(&format!("[pgn]\ndir = '{}'\n", games.path().display()));
    let shown = described.desk.get(&format!("/api/boards/{board}")).json();
    let (alerts, game) = (shown["alerts"].clone(), shown["game"]["number"].clone());
    let alert = alerts.as_object().unwrap().values().find(|alert| alert["code"] == "illegal-move").unwrap();
    let alert = alert["id"].as_str().unwrap().to_owned();
    described.desk.wait_json("/round-1/index.json", |index| index["pairings"][0].is_object());
    let own = signed("post /api/arbiters", "/api/arbiters", &json!({ "name": "Ada", "tables": "1-9" }));
    let own = described.check(&own).json()["token"].as_str().unwrap().to_owned();
    let other = signed("post /api/arbiters", "/api/arbiters", &json!({ "name": "Cy" }));
    let other = json!({ "token": described.check(&other).json()["token"] });
    let device = described.check(&signed("post /api/session", "/api/session", &other)).json();
    let names = [
        ("device", device["id"].as_str().unwrap()),
        ("serial", board.as_str()),
        ("id", alert.as_str()),
        ("name", "Ada"),
        ("number", "1"),
        ("path", "desk.css"),
        ("folder", "round-1"),
        ("file", "index.json"),
        ("event", "test"),
    ];
    let query = |operation: &str| match operation.rsplit_once("{serial}/").map_or(operation, |(_, end)| end) {
        "post /api/pairings" => "?round=1&name=round.csv".to_owned(),
        "events" | "frames" | "steps" | "capture" => format!("?alert={alert}"),
        "text" => format!("?alert={alert}&language=de"),
        _ => String::new(),
    };
    // The browser of RFC 8291, section 5.
    let public = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    let keys = json!({ "p256dh": public, "auth": "BTBZMqHH6r4Tts7J_aSIgg" });
    let body = |operation: &str| match operation {
        "post /api/boards/{serial}/orders" => json!({ "order": "confirm", "alert": alert, "seconds": 60 }),
        "post /api/alerts/{id}/attention" => json!({ "state": "going" }),
        "post /api/boards/{serial}/attention" => json!({ "state": "watching" }),
        "post /api/push" => json!({ "endpoint": "https://fcm.googleapis.com/x", "keys": keys }),
        "delete /api/push" => json!({ "endpoint": "https://fcm.googleapis.com/x" }),
        "post /api/pairings" => json!("table,white,black\n7,\"Last, First\",\"Other, Player\"\n"),
        "post /api/rounds/{number}/results" => json!({ "table": 7, "result": "1-0" }),
        "post /api/rounds/{number}/games" => json!({ "table": 7, "board": board, "game": game }),
        "post /api/rounds/{number}/names" => json!({ "table": 7 }),
        "post /api/rounds/{number}/broadcast" => json!({ "table": 7, "held": false }),
        "post /api/tables" => json!({ "table": 7, "board": "20007", "walked": [] }),
        "post /api/handover" => json!({ "from": "Ada", "to": null }),
        "post /api/session" => json!({ "token": own }),
        "post /api/arbiters" => json!({ "name": "Bob", "role": "screen", "language": "de" }),
        _ => Value::Null,
    };
    let (last, first): (Vec<_>, Vec<_>) =
        described.operations().into_iter().partition(|(operation, _)| operation.starts_with("delete "));
    let signed_in = described.check(&signed("post /api/session", "/api/session", &json!({ "token": own })));
    let cookie = signed_in.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    for operation in ["get /api/push", "post /api/push", "delete /api/push"] {
        let request = signed(operation, "/api/push", &body(operation));
        let answer = described.check(&Request { head: format!("\ncookie: {cookie}"), ..request });
        assert_eq!(answer.status, if cfg!(feature = "push") { 200 } else { 404 }, "{operation}: {answer:?}");
    }
    // Before it has a game; with one it has begun.
    for (operation, path) in [
        ("post /api/pairings", "/api/pairings?round=1&name=round.csv"),
        ("post /api/rounds/{number}/start", "/api/rounds/1/start"),
    ] {
        let answer = described.check(&signed(operation, path, &body(operation)));
        // A game that is on begins its round.
        let has_begun = answer.status == 409 && operation.ends_with("/start");
        assert!(answer.status == 200 || has_begun, "{operation}: {answer:?}");
        // The file counts once the supervisor has read it.
        described.desk.wait_json("/api/rounds", |rounds| rounds[0].is_object());
    }
    for (operation, about) in first.iter().chain(&last) {
        let path = filled(operation.split_once(' ').unwrap().1, &names);
        let good = described.check(&signed(operation, &(path + &query(operation)), &body(operation)));
        // Phones are an arbiter's, and the token is nobody's.
        let is_phone = good.status == 409 && operation.ends_with(" /api/push");
        let has_begun = good.status == 409 && operation == "post /api/rounds/{number}/start";
        let is_there = good.status < 400 || operation == "get /ca.crt" || is_phone || has_begun;
        assert!(is_there, "{operation}: {good:?}");
        // What somebody without a token gets, who is not on this machine.
        if about["security"].as_array().is_none_or(|needs| !needs.is_empty()) {
            let path = filled(operation.split_once(' ').unwrap().1, &names) + &query(operation);
            let head = "\nx-forwarded-for: 192.0.2.1".to_owned();
            let body = body(operation).to_string();
            let stranger = described.check(&Request { operation: operation.clone(), path, body, head });
            assert_eq!(stranger.status, 401, "{operation}: {stranger:?}");
        }
    }
    // Entries that have come into being meanwhile, and games.
    for path in ["/api/hall", "/api/audit", "/api/report", "/api/attention", "/api/arbiters", "/api/boards"] {
        described.check(&signed(&format!("get {path}"), path, &Value::Null));
    }
    for file in ["games.pgn", "game-1.json", "game-7.pgn"] {
        described.check(&signed("get /{folder}/{file}", &format!("/round-1/{file}"), &Value::Null));
    }
    check_errors(&mut described, &board);
    let every: BTreeSet<String> =
        described.operations().into_iter().map(|(operation, _)| operation).collect();
    let asked: BTreeSet<String> =
        described.seen.iter().map(|seen| seen.rsplit_once(' ').unwrap().0.to_owned()).collect();
    assert_eq!(asked, every);
}

/// What is refused: nothing of that name, a query or a body that is wrong.
fn check_errors(described: &mut Described, board: &str) {
    let at = |end: &str| format!("/api/boards/{board}/{end}");
    for (operation, path, body, status) in [
        ("get /api/boards/{serial}", "/api/boards/1".to_owned(), Value::Null, 404),
        ("get /api/boards/{serial}/events", at("events"), Value::Null, 422),
        ("get /api/boards/{serial}/events", at("events?alert=none"), Value::Null, 404),
        ("get /api/boards/{serial}/frames", at("frames?at=noon"), Value::Null, 400),
        ("get /api/boards/{serial}/steps", at("steps"), Value::Null, 400),
        ("get /api/boards/{serial}/steps", at("steps?alert=none"), Value::Null, 404),
        ("get /api/boards/{serial}/text", at("text"), Value::Null, 422),
        ("get /api/boards/{serial}/capture", at("capture?from=9&to=1"), Value::Null, 422),
        ("get /api/boards/{serial}/position", at("position?alert=none"), Value::Null, 404),
        ("get /api/events", "/api/events?after=noon".to_owned(), Value::Null, 400),
        ("get /api/report", "/api/report?from=noon".to_owned(), Value::Null, 400),
        ("post /api/boards/{serial}/orders", at("orders"), json!({ "order": "dance" }), 422),
        ("post /api/boards/{serial}/orders", at("orders"), json!({ "order": "dismiss", "alert": "no" }), 409),
        ("post /api/boards/{serial}/orders", at("orders"), json!("x".repeat(20_000)), 413),
        (
            "post /api/boards/{serial}/orders",
            "/api/boards/1/orders".to_owned(),
            json!({ "order": "flip" }),
            404,
        ),
        (
            "post /api/alerts/{id}/attention",
            "/api/alerts/none/attention".to_owned(),
            json!({ "state": "seen" }),
            404,
        ),
        ("post /api/arbiters", "/api/arbiters".to_owned(), json!({ "name": "Bob" }), 409),
        ("post /api/arbiters", "/api/arbiters".to_owned(), json!({ "nome": "Bob" }), 422),
        ("post /api/tables", "/api/tables".to_owned(), json!({ "table": 0, "board": "7" }), 422),
        ("post /api/tables", "/api/tables".to_owned(), json!({ "table": 7, "board": "/dev/x" }), 409),
        ("post /api/session", "/api/session".to_owned(), json!({ "token": "wrong" }), 401),
        ("delete /api/arbiters/{name}", "/api/arbiters/Nobody".to_owned(), Value::Null, 404),
        ("post /api/arbiters/{name}/link", "/api/arbiters/Nobody/link".to_owned(), Value::Null, 404),
        ("delete /api/sessions/{device}", "/api/sessions/0".to_owned(), Value::Null, 404),
        ("post /api/handover", "/api/handover".to_owned(), json!({ "from": "No", "to": "One" }), 404),
        ("get /{folder}/{file}", "/round-9/games.pgn".to_owned(), Value::Null, 404),
        ("get /desk/{path}", "/desk/nothing.js".to_owned(), Value::Null, 404),
    ] {
        let answer = described.check(&signed(operation, &path, &body));
        assert_eq!(answer.status, status, "{operation}: {answer:?}");
    }
}
