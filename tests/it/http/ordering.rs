//! Orders, who gave them, and what alerts rest on.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::Value;

use super::{Answer, Desk, Stream};
use crate::support::{Hall, run};

pub(super) const TOKEN: &str = "0123456789abcdef";

/// A hall with a board whose game, with an illegal move, is in a capture of an hour ago.
pub(super) fn after_an_illegal_move() -> (Desk, String) {
    after_an_illegal_move_with("")
}

/// The same, with further lines of configuration below `[http]`.
pub(super) fn after_an_illegal_move_with(http: &str) -> (Desk, String) {
    let mut desk = Desk::start(http);
    desk.hall.stop();
    write_token(&desk.hall, 0o640);
    let port = desk.socket.port();
    let slug = port.replace("://", "-").replace(':', "-");
    let directory = desk.hall.dir.path().join("state/captures").join(&slug);
    fs::remove_dir_all(&directory).unwrap_or_default();
    fs::create_dir_all(&directory).unwrap();
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures/illegal-move.dgtcap"))
            .unwrap();
    let started = jiff::Timestamp::now() - jiff::SignedDuration::from_mins(60);
    // It ends with the alert, which is open.
    let early = |line: &&str| {
        line.split('.').next().and_then(|second| second.parse().ok()).is_some_and(|second: u32| second < 29)
    };
    let records = text.lines().filter(early).collect::<Vec<_>>().join("\n");
    let text =
        format!("# dgt-capture 1\n# port: {port}\n# started: {started}\n# answers: recorded\n{records}\n");
    fs::write(directory.join(format!("{}-{slug}-g001.dgtcap", started.strftime("%Y%m%dT%H%M%S.%3fZ"))), text)
        .unwrap();
    desk.hall.start();
    desk.hall.wait_message("listens");
    let boards = desk.wait_json("/api/boards", |boards| {
        !boards[0]["alerts"].as_object().is_none_or(serde_json::Map::is_empty)
    });
    (desk, boards[0]["board"].as_str().unwrap().to_owned())
}

pub(super) fn write_token(hall: &Hall, mode: u32) {
    let path = hall.dir.path().join("token");
    fs::write(&path, format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

pub(super) fn order(desk: &Desk, board: &str, token: &str, body: &str) -> Answer {
    let head = format!(
        "POST /api/boards/{board}/orders HTTP/1.1\nhost: {}\nauthorization: Bearer {token}\nx-arbiter: J%C3%BCrgen",
        desk.address
    );
    desk.ask(&head, body)
}

fn read(desk: &Desk, path: &str, token: &str) -> Answer {
    desk.ask(&format!("GET {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {token}", desk.address), "")
}

/// The illegal move's alert.
fn alert(desk: &Desk, board: &str) -> Value {
    let board = desk.get(&format!("/api/boards/{board}")).json();
    let alerts = board["alerts"].as_object().unwrap();
    alerts
        .values()
        .find(|alert| alert["code"] == "illegal-move")
        .unwrap_or_else(|| panic!("{alerts:?}"))
        .clone()
}

#[test]
fn an_order_needs_the_token_and_is_written_down() {
    let (desk, board) = after_an_illegal_move();
    let id = alert(&desk, &board)["id"].as_str().unwrap().to_owned();
    let body = format!("{{\"order\":\"confirm\",\"alert\":\"{id}\",\"seconds\":60}}");
    let mut stream = Stream::open(&desk, "?events=alert-update", "");
    assert_eq!(order(&desk, &board, "wrong", &body).status, 401);
    assert_eq!(
        desk.ask(&format!("POST /api/boards/{board}/orders HTTP/1.1\nhost: {}", desk.address), &body).status,
        401
    );
    assert_eq!(alert(&desk, &board)["state"], "open", "nothing has changed");
    let nonsense = order(&desk, &board, TOKEN, "{\"order\":\"dance\"}");
    assert_eq!((nonsense.status, nonsense.body.lines().count()), (422, 1), "{nonsense:?}");
    assert_eq!(order(&desk, "1", TOKEN, &body).status, 404);
    let refused = order(&desk, &board, TOKEN, "{\"order\":\"dismiss\",\"alert\":\"none\"}");
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.json()["error"].as_str().unwrap().contains("there is no alert none"));
    let other = order(&desk, &board, TOKEN, "{\"order\":\"flip\",\"board\":\"999\"}");
    assert_eq!(other.status, 409, "{other:?}");
    assert!(other.json()["error"].as_str().unwrap().contains("for board 999"), "{other:?}");
    assert_eq!(order(&desk, &board, TOKEN, &"x".repeat(20_000)).status, 413);
    assert_eq!(order(&desk, &board, TOKEN, &body).status, 200);
    let update = stream.wait_event("alert-update");
    assert_eq!((update["id"].as_str(), update["state"].as_str()), (Some(id.as_str()), Some("confirmed")));
    let counts = desk.get(&format!("/api/boards/{board}")).json()["counts"].clone();
    assert_eq!(
        counts["white"]["official"].as_u64().unwrap() + counts["black"]["official"].as_u64().unwrap(),
        1
    );
    assert_eq!(read(&desk, "/api/audit", "wrong").status, 401);
    let audit = read(&desk, "/api/audit", TOKEN).json();
    let entries = audit.as_array().unwrap();
    assert_eq!(entries.len(), 2, "{audit}");
    assert_eq!(entries[0]["refused"], "there is no alert none in this game");
    assert_eq!((entries[1]["arbiter"].as_str(), &entries[1]["refused"]), (Some("Jürgen"), &Value::Null));
    assert_eq!(entries[1]["order"]["alert"], id);
    assert_eq!(entries[1]["address"], "127.0.0.1");

    // What was written cannot be changed unnoticed.
    assert_eq!(entries[1]["prev"], entries[0]["hash"]);
    let config = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    let (code, said, error) = run(&["audit", "--config", &config], "");
    assert!(code == 0 && said.starts_with("2 entries are as they were written"), "{said}{error}");
    let list = desk.hall.dir.path().join("log/audit.jsonl");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("Jürgen", "Nobody")).unwrap();
    let (code, _, error) = run(&["audit", list.to_str().unwrap()], "");
    assert!(code == 65 && error.contains("audit.jsonl:2: was changed after it was written"), "{error}");
}

#[test]
fn a_list_that_was_removed_is_missed() {
    let (mut desk, board) = after_an_illegal_move();
    assert_eq!(order(&desk, &board, TOKEN, "{\"order\":\"flip\"}").status, 200);
    let entries = read(&desk, "/api/audit", TOKEN).json();
    let last = entries.as_array().unwrap().last().unwrap()["hash"].as_str().unwrap().to_owned();
    assert_eq!(desk.hall.stop(), 0);
    let dir = desk.hall.dir.path().to_owned();
    let config = dir.join("jadoube.toml").display().to_string();
    let audit = |more: &[&str]| run(&[&["audit", "--config", &config], more].concat(), "");
    // What the journal or a report has is found.
    assert_eq!(audit(&["--last", &last]).0, 0);
    let (code, _, error) = audit(&["--last", &"0".repeat(64)]);
    assert!(code == 65 && error.contains("entries were taken from the end"), "{error}");
    // All that lies with the list is removed while no daemon runs, then what lies elsewhere.
    for name in ["log/audit.jsonl", "log/audit.head"] {
        fs::remove_file(dir.join(name)).unwrap();
    }
    let (code, _, error) = audit(&[]);
    assert!(code == 65 && error.contains(&last), "{error}");
    fs::remove_file(dir.join("state/audit.last")).unwrap();
    let (code, _, error) = audit(&[]);
    assert!(code == 65 && error.contains("captures there have orders, and the list has no entry"), "{error}");
    fs::remove_dir_all(dir.join("state/captures")).unwrap();
    let (code, said, _) = audit(&[]);
    assert!(code == 0 && said.contains("--last HASH"), "nobody can know: {said}");
    assert_eq!(audit(&["--last", &last]).0, 65);
}

#[test]
fn a_wrong_token_can_be_tried_a_few_times() {
    let desk = Desk::start("");
    write_token(&desk.hall, 0o600);
    assert_eq!(read(&desk, "/api/session", TOKEN).json()["arbiter"], true);
    let wrong: Vec<u16> = (0..12).map(|_| read(&desk, "/api/session", "wrong").status).collect();
    // On a busy machine some are forgotten meanwhile.
    let (first, further) = wrong.split_at(8);
    assert!(first == [401; 8] && further.contains(&429), "{wrong:?}");
    assert_eq!(read(&desk, "/api/session", TOKEN).status, 200, "the right one always counts");
    assert_eq!(desk.get("/api/hall").status, 200, "reading goes on");
}

#[test]
fn a_token_that_others_can_read_counts_for_nothing() {
    let mut desk = Desk::start("");
    write_token(&desk.hall, 0o644);
    assert_eq!(read(&desk, "/api/session", TOKEN).status, 403);
    desk.hall.wait_message("chmod 640");
}

#[test]
fn a_slice_of_the_capture_replays_the_alert() {
    let (desk, board) = after_an_illegal_move();
    let alert = alert(&desk, &board);
    let id = alert["id"].as_str().unwrap();
    let slice = desk.get(&format!("/api/boards/{board}/capture?alert={id}"));
    assert_eq!(slice.status, 200, "{slice:?}");
    assert!(slice.header("content-disposition").unwrap().contains(&format!("{id}.dgtcap")), "{slice:?}");
    let (code, events, errors) = run(&["replay", "--format", "jsonl", "-"], &slice.body);
    assert_eq!((code, errors.as_str()), (0, ""));
    let found = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<Value> = found.filter(|event| event["code"] == "illegal-move").collect();
    assert_eq!(found.len(), 1, "{events}");
    assert_eq!((&found[0]["t"], &found[0]["side"]), (&alert["t"], &alert["side"]));

    let t = alert["t"].as_f64().unwrap();
    let around =
        desk.get(&format!("/api/boards/{board}/events?from={:.3}&to={:.3}", t - 20.0, t + 1.0)).json();
    let around = around.as_array().unwrap();
    assert!(
        around.iter().any(|event| event["event"] == "lift")
            && around.iter().any(|event| event["event"] == "press")
    );
    assert!(around.iter().any(|event| event["event"] == "alert" && event["id"] == id), "{around:?}");
    assert_eq!(desk.get(&format!("/api/boards/{board}/events?from=5&to=4")).status, 422);
    assert_eq!(desk.get(&format!("/api/boards/{board}/events?from=0&to=99999")).status, 422);
    // The frames hold the same events, and pieces that follow from them.
    let frames =
        desk.get(&format!("/api/boards/{board}/frames?from={:.3}&to={:.3}", t - 20.0, t + 1.0)).json();
    let frames = frames.as_array().unwrap();
    let reported: Vec<&Value> = frames.iter().flat_map(|frame| frame["events"].as_array().unwrap()).collect();
    assert_eq!(reported, around.iter().collect::<Vec<_>>());
    for pair in frames.windows(2) {
        let moved = pair[1]["events"].as_array().unwrap().iter();
        let moved = moved.filter(|event| event["event"] == "lift" || event["event"] == "place").count();
        assert_eq!(pair[0]["pieces"] != pair[1]["pieces"], moved > 0, "{pair:#?}");
        assert!(pair[0]["t"].as_f64() < pair[1]["t"].as_f64(), "{pair:#?}");
    }
    assert_eq!(desk.get(&format!("/api/boards/{board}/frames?from=5&to=4")).status, 422);
    let notes = desk.get(&format!("/api/boards/{board}/position?alert={id}")).json();
    assert!(!notes["moves"].as_array().unwrap().is_empty(), "{notes}");
    let notes = desk.get(&format!("/api/boards/{board}/position")).json();
    assert_eq!(notes["mate"]["white"], "possible", "{notes}");
}

#[test]
fn a_result_that_is_taken_back_is_emitted() {
    let (mut desk, board) = after_an_illegal_move();
    let result = |score: &str| {
        order(&desk, &board, TOKEN, &format!("{{\"order\":\"result\",\"result\":\"{score}\"}}"))
    };
    assert_eq!(result("1-0").status, 200);
    desk.wait_json("/api/hall", |hall| hall["boards"][0]["game"]["result"] == "1-0");
    for _ in 0..2 {
        assert_eq!(result("*").status, 200);
    }
    let hall = desk.wait_json("/api/hall", |hall| hall["boards"][0]["game"]["result"].is_null());
    assert!(hall["boards"][0]["game"]["by"].is_null(), "{hall}");
    assert_eq!(desk.hall.stop(), 0);
    let log = desk.hall.log("events.jsonl");
    let results: Vec<&str> = log.lines().filter(|line| line.contains("\"event\":\"result\"")).collect();
    assert!(results.len() == 2 && results[1].contains("\"result\":\"*\",\"by\":\"arbiter\""), "{results:#?}");
}

#[test]
fn an_alert_is_written_in_either_language() {
    let (desk, board) = after_an_illegal_move();
    let alerts = desk.get(&format!("/api/boards/{board}")).json();
    let (id, alert) = alerts["alerts"].as_object().unwrap().iter().next().unwrap();
    let reported =
        |language: &str| desk.get(&format!("/api/boards/{board}/text?alert={id}&language={language}"));
    let same = serde_json::json!({
        "text": alert["text"], "window": alert["window"], "parts": alert["parts"], "otherwise": alert["otherwise"],
    });
    assert_eq!(reported("en").json(), same);
    let german = reported("de").json();
    assert!(german["text"].as_str().unwrap().contains("regelwidrig"), "{german}");
    assert!(german["window"].as_str().unwrap().starts_with("bis "), "{german}");
    assert!(german["otherwise"].as_str().unwrap().starts_with("Sonst: "), "{german}");
    assert!(reported("fr").json()["text"].as_str().unwrap().contains("coup illégal"));
    assert_eq!(reported("pt").status, 400);
    assert_eq!(desk.get(&format!("/api/boards/{board}/text?alert={id}")).status, 422);
    assert_eq!(desk.get(&format!("/api/boards/{board}/text?alert=1-1-1&language=de")).status, 404);
}
