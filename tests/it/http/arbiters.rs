//! Arbiters with own tokens: the code that signs a phone in, what it may do, and that a revoked one is out at once.

use std::{
    fs::{self, File},
    io::BufRead as _,
};

use rqrr::PreparedImage;
use serde_json::{Value, json};

use super::{Answer, Desk, Stream, ordering};
use crate::support::run;

/// Makes a request look like one of another machine, which needs to sign in.
const FROM_ELSEWHERE: &str = "x-forwarded-for: 192.0.2.7";

/// Characters of a terminal with the two squares that they show, light or not.
const BLOCKS: [(char, [bool; 2]); 4] =
    [(' ', [false, false]), ('▀', [true, false]), ('▄', [false, true]), ('█', [true, true])];

/// A camera sees a square of a code as several points, in each direction.
const POINTS: usize = 4;

/// Reads the code that a terminal shows, as a camera does.
fn scan(shown: &str) -> String {
    let rows: Vec<Vec<[bool; 2]>> = shown
        .lines()
        .filter(|line| {
            line.chars().count() > 20 && line.chars().all(|c| BLOCKS.iter().any(|(block, _)| *block == c))
        })
        .map(|line| line.chars().map(|c| BLOCKS.iter().find(|(block, _)| *block == c).unwrap().1).collect())
        .collect();
    let (width, height) = (rows[0].len() * POINTS, rows.len() * 2 * POINTS);
    let mut image = PreparedImage::prepare_from_greyscale(width, height, |x, y| {
        let (x, y) = (x / POINTS, y / POINTS);
        if rows[y / 2][x][y % 2] { 255 } else { 0 }
    });
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "{shown}");
    grids[0].decode().unwrap().1
}

fn command(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    let config = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    run(&[&["arbiter"], args, &["--config", &config]].concat(), "")
}

/// Makes an arbiter; returns the token that the shown code has.
pub(super) fn add(desk: &Desk, name: &str, more: &[&str]) -> String {
    let url = format!("http://{}", desk.address);
    let (code, shown, errors) = command(desk, &[&["add", name, "--url", &url], more].concat());
    assert_eq!((code, errors.as_str()), (0, ""));
    let link = scan(&shown);
    assert!(shown.contains(&link), "the link stands beside its picture");
    link.strip_prefix(&format!("{url}/#/join/")).unwrap().to_owned()
}

fn ask(desk: &Desk, what: &str, more: &str, body: &str) -> Answer {
    desk.ask(&format!("{what} HTTP/1.1\nhost: {}\n{FROM_ELSEWHERE}{more}", desk.address), body)
}

/// Signs in; returns the line with the cookie.
fn sign_in(desk: &Desk, token: &str) -> String {
    let body = json!({ "token": token }).to_string();
    let answer = ask(desk, "POST /api/session", "", &body);
    assert_eq!(answer.status, 200, "{answer:?}");
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"), "{cookie}");
    format!("\ncookie: {}", cookie.split(';').next().unwrap())
}

#[test]
fn a_phone_signs_in_by_a_code_and_is_out_once_revoked() {
    let (desk, board) = ordering::after_an_illegal_move();
    let ada = sign_in(&desk, &add(&desk, "Ada", &["--tables", "1-3,7"]));
    assert_eq!(ask(&desk, "GET /api/hall", "", "").status, 401);
    assert_eq!(ask(&desk, "GET /api/hall", &ada, "").status, 200);
    let session = ask(&desk, "GET /api/session", &ada, "").json();
    assert_eq!((&session["name"], &session["tables"]), (&json!("Ada"), &json!("1-3,7")));

    // Whoever has signed in has given the order, whatever else the request says.
    let orders = format!("POST /api/boards/{board}/orders");
    let mute = "{\"order\":\"mute\",\"seconds\":60}";
    let given = ask(&desk, &orders, &format!("{ada}\nx-arbiter: Eve"), mute);
    assert_eq!(given.status, 200, "{given:?}");
    let audit = ask(&desk, "GET /api/audit", &ada, "").json();
    assert_eq!(audit.as_array().unwrap().last().unwrap()["arbiter"], "Ada");
    // What is done in a terminal is listed, too.
    let made =
        audit.as_array().unwrap().iter().find(|entry| entry["order"]["order"] == "account-made").unwrap();
    assert_eq!((&made["order"]["name"], &made["order"]["by"]), (&json!("Ada"), &json!("command line")));

    let report = ask(&desk, "GET /api/report", &ada, "");
    assert_eq!(report.status, 200, "an arbiter reads the report: {report:?}");

    let other_site = ask(&desk, &orders, &format!("{ada}\norigin: http://evil.example"), mute);
    assert_eq!(other_site.status, 403);
    assert_eq!(ask(&desk, "GET /api/arbiters", &ada, "").status, 403, "this is for the chief");

    let mut stream = Stream::open(&desk, "", &format!("\n{FROM_ELSEWHERE}{ada}"));
    assert_eq!(command(&desk, &["revoke", "Ada"]).0, 0);
    // The stream ends, and is not only silent.
    let mut line = String::new();
    while line != "0\r\n" {
        line.clear();
        assert!(stream.lines.read_line(&mut line).unwrap() > 0, "the last chunk is empty");
    }
    assert_eq!(ask(&desk, "GET /api/hall", &ada, "").status, 401);
    let (code, _, error) = command(&desk, &["revoke", "Ada"]);
    assert!(code == 65 && error.contains("no arbiter Ada has a token"), "{error}");
}

#[test]
fn a_screen_may_look_only_and_a_chief_makes_and_revokes_tokens() {
    let (mut desk, board) = ordering::after_an_illegal_move();
    let chief = sign_in(&desk, &add(&desk, "Chief", &["--role", "chief"]));
    let body = json!({ "name": "Wall", "role": "screen", "tables": "" }).to_string();
    let made = ask(&desk, "POST /api/arbiters", &chief, &body).json();
    assert!(made["link"].is_null(), "no phone reaches this desk: {made}");
    assert_eq!(ask(&desk, "POST /api/arbiters", &chief, &body).status, 409);
    let wall = sign_in(&desk, made["token"].as_str().unwrap());
    assert_eq!(ask(&desk, "GET /api/hall", &wall, "").status, 200);
    let mute = "{\"order\":\"mute\",\"seconds\":60}";
    let refused = ask(&desk, &format!("POST /api/boards/{board}/orders"), &wall, mute);
    assert_eq!(refused.status, 403, "{refused:?}");

    // A restart signs nobody out.
    assert_eq!(desk.hall.stop(), 0);
    desk.hall.start();
    desk.hall.wait_message("listens");
    assert_eq!(ask(&desk, "GET /api/hall", &wall, "").status, 200);
    let all = ask(&desk, "GET /api/arbiters", &chief, "").json();
    let sessions = |name: &str| {
        all.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["sessions"].clone()
    };
    assert_eq!((sessions("Chief"), sessions("Wall")), (json!(1), json!(1)));

    assert_eq!(ask(&desk, "DELETE /api/arbiters/Wall", &chief, "").status, 200);
    assert_eq!(ask(&desk, "GET /api/hall", &wall, "").status, 401, "at once");
    assert_eq!(ask(&desk, "DELETE /api/session", &chief, "").status, 200);
    assert_eq!(ask(&desk, "GET /api/hall", &chief, "").status, 401);
    let listed = command(&desk, &["list"]).1;
    assert!(listed.contains("Chief") && !listed.contains("Wall"), "{listed}");
}

#[test]
fn the_token_of_the_daemon_is_the_chiefs() {
    let (desk, _) = ordering::after_an_illegal_move();
    let token = format!("\nauthorization: Bearer {}", ordering::TOKEN);
    let session: Value = ask(&desk, "GET /api/session", &token, "").json();
    assert_eq!(session["role"], "chief");
    assert_eq!(ask(&desk, "GET /api/arbiters", &token, "").json(), json!([]));
}

#[test]
fn who_goes_to_a_table_is_sent_to_everybody_at_once() {
    let (mut desk, _) = ordering::after_an_illegal_move();
    let (ada, bob) = (add(&desk, "Ada", &["--tables", "1-7"]), add(&desk, "Bob", &["--tables", "5-9"]));
    let (ada, bob) = (sign_in(&desk, &ada), sign_in(&desk, &bob));
    let alerts = ask(&desk, "GET /api/hall", &ada, "").json()["boards"][0]["alerts"].clone();
    let id = alerts[0]["id"].as_str().unwrap().to_owned();
    // Whoever asks for it gets what is known, and then every change; others get events only.
    let mut reported = Stream::open(&desk, "?attention=true", &format!("\n{FROM_ELSEWHERE}{bob}"));
    let notice = |state: &str| {
        let path = format!("POST /api/alerts/{id}/attention");
        ask(&desk, &path, &ada, &json!({ "state": state }).to_string()).status
    };
    assert_eq!((notice("seen"), notice("going"), notice("dancing")), (200, 200, 422));
    let attention = loop {
        reported.wait("event: attention");
        let attention: Value = serde_json::from_str(&reported.wait("data: ")).unwrap();
        if attention["alerts"][&id]["going"][0]["name"] == "Ada" {
            break attention;
        }
    };
    assert_eq!(attention["sectors"], json!({ "Ada": ["1-7"], "Bob": ["5-9"] }));
    let audit = ask(&desk, "GET /api/audit", &ada, "").json();
    let entry = audit.as_array().unwrap().last().unwrap();
    assert_eq!((&entry["arbiter"], &entry["order"]["order"]), (&json!("Ada"), &json!("going")));
    assert_eq!(ask(&desk, "POST /api/alerts/none/attention", &ada, "{\"state\":\"seen\"}").status, 404);
    assert_eq!(attention["going_s"], json!(180));

    let board = alerts[0]["id"].as_str().unwrap().split('-').next().unwrap().to_owned();
    let watch = |state: &str| {
        let path = format!("POST /api/boards/{board}/attention");
        ask(&desk, &path, &ada, &json!({ "state": state }).to_string()).status
    };
    assert_eq!((watch("watching"), watch("seen")), (200, 422));
    let watching = ask(&desk, "GET /api/attention", &bob, "").json()["watching"][&board].clone();
    assert_eq!((&watching["game"], &watching["by"][0]["name"]), (&json!(1), &json!("Ada")));
    assert_eq!(watch("not-watching"), 200);

    assert_eq!(ask(&desk, "POST /api/handover", &ada, "{\"from\":\"Bob\",\"to\":\"Ada\"}").status, 403);
    assert_eq!(ask(&desk, "POST /api/handover", &ada, "{\"to\":\"Eve\"}").status, 404);
    sign_in(&desk, &add(&desk, "Wall", &["--role", "screen"]));
    assert_eq!(ask(&desk, "POST /api/handover", &ada, "{\"to\":\"Wall\"}").status, 422, "it may only look");
    assert_eq!(ask(&desk, "GET /api/attention", &ada, "").json()["screens"], json!(["Wall"]));
    assert_eq!(ask(&desk, "POST /api/handover", &ada, "{\"to\":\"Bob\"}").status, 200);
    assert_eq!(desk.hall.stop(), 0);
    desk.hall.start();
    desk.hall.wait_message("listens");
    let attention = ask(&desk, "GET /api/attention", &bob, "").json();
    assert_eq!(attention["alerts"][&id]["going"][0]["name"], "Ada", "who goes is known after a restart");
    assert_eq!(
        attention["sectors"],
        json!({ "Ada": [], "Bob": ["1-7", "5-9"], "Wall": [""] }),
        "a restart gives nothing back"
    );
}

#[test]
fn a_link_signs_in_once_and_rules_at_own_tables_only() {
    let table = "[[table]]\nnumber = 5\nserial = '01025'\n";
    let (desk, board) = ordering::after_an_illegal_move_with(table);
    let link = add(&desk, "Ada", &["--tables", "1-3", "--role", "tables"]);
    let ada = sign_in(&desk, &link);
    let again = ask(&desk, "POST /api/session", "", &json!({ "token": link }).to_string());
    assert_eq!(again.status, 401, "{again:?}");
    let wall = sign_in(&desk, &add(&desk, "Wall", &["--role", "screen"]));
    let chief = sign_in(&desk, &add(&desk, "Chief", &["--role", "chief"]));
    let mute = |who: &str| {
        let order = format!("POST /api/boards/{board}/orders");
        ask(&desk, &order, who, "{\"order\":\"mute\",\"seconds\":60}")
    };
    let refused = mute(&ada);
    assert!(refused.status == 403 && refused.body.contains("not one of your tables"), "{refused:?}");
    assert_eq!(mute(&chief).status, 200);
    // The board is at the own table, and the order names another one.
    let fifth = sign_in(&desk, &add(&desk, "Own", &["--tables", "5", "--role", "tables"]));
    assert_eq!(mute(&fifth).status, 200);
    // Who may not rule there does not go there, and nobody goes to what is decided.
    let alerts = ask(&desk, "GET /api/hall", &ada, "").json()["boards"][0]["alerts"].clone();
    let id = alerts[0]["id"].as_str().unwrap();
    let notice = |who: &str, state: &str| {
        let body = json!({ "state": state }).to_string();
        ask(&desk, &format!("POST /api/alerts/{id}/attention"), who, &body)
    };
    for stranger in [&ada, &wall] {
        assert_eq!(notice(stranger, "going").status, 403);
    }
    assert!(notice(&ada, "going").body.contains("not one of your tables"));
    assert_eq!((notice(&ada, "seen").status, notice(&fifth, "going").status), (200, 200));
    let going = || ask(&desk, "GET /api/attention", &ada, "").json()["alerts"][id]["going"].clone();
    assert_eq!(going()[0]["name"], "Own");
    assert_eq!((notice(&chief, "going").status, notice(&fifth, "not-going").status), (200, 200));
    assert_eq!(going().as_array().unwrap().len(), 1, "the other one still goes");
    let dismiss = json!({ "order": "dismiss", "alert": id }).to_string();
    assert_eq!(ask(&desk, &format!("POST /api/boards/{board}/orders"), &chief, &dismiss).status, 200);
    let refused = notice(&fifth, "going");
    assert!(refused.status == 409 && refused.body.contains("is closed"), "{refused:?}");
    for order in [
        r#"{"order":"continue","game":1,"board":"01026"}"#,
        r#"{"order":"continue","game":1,"to":"01026"}"#,
        r#"{"order":"continue","game":1,"from":"01026"}"#,
    ] {
        let refused = ask(&desk, &format!("POST /api/boards/{board}/orders"), &fifth, order);
        assert!(
            refused.status == 403 && refused.body.contains("not one of your tables"),
            "{order}: {refused:?}"
        );
    }
    let result = |table: u32| {
        let body = json!({ "table": table, "result": "1-0" }).to_string();
        ask(&desk, "POST /api/rounds/1/results", &ada, &body).status
    };
    assert_eq!((result(9), result(2)), (403, 404), "a table of others; an own one, and no round");
    // Nobody hands tables to a screen, and a screen switches on no phone.
    let handed = ask(&desk, "POST /api/handover", &ada, "{\"to\":\"Wall\"}");
    assert_eq!(handed.status, 422, "{handed:?}");
    let phone = ask(&desk, "POST /api/push", &wall, "{}");
    assert_eq!(phone.status, if cfg!(feature = "push") { 403 } else { 404 }, "{phone:?}");
    // What was handed to an account does not go to another one of its name.
    assert_eq!(ask(&desk, "POST /api/handover", &ada, "{\"to\":\"Chief\"}").status, 200);
    assert_eq!(command(&desk, &["revoke", "Chief"]).0, 0);
    let sectors = || ask(&desk, "GET /api/attention", &ada, "").json()["sectors"].clone();
    crate::support::eventually("the account is gone", || sectors().get("Chief").is_none().then_some(()));
    let again = sign_in(&desk, &add(&desk, "Chief", &["--role", "chief", "--tables", "9"]));
    assert_eq!(sectors(), json!({ "Ada": ["1-3"], "Chief": ["9"], "Own": ["5"], "Wall": [""] }));
    // Every device is listed, and signed out by itself.
    let devices = ask(&desk, "GET /api/sessions", &again, "").json();
    let of = |name: &str| devices.as_array().unwrap().iter().find(|one| one["arbiter"] == name).unwrap();
    let own = ask(&desk, "GET /api/sessions", &ada, "").json();
    assert_eq!(own.as_array().unwrap().len(), 1, "{own}");
    let end = |who: &str, name: &str| {
        ask(&desk, &format!("DELETE /api/sessions/{}", of(name)["id"].as_str().unwrap()), who, "").status
    };
    assert_eq!((end(&ada, "Wall"), end(&again, "Wall")), (404, 200));
    assert_eq!(ask(&desk, "GET /api/hall", &wall, "").status, 401);
    let audit = ask(&desk, "GET /api/audit", &ada, "").json();
    let orders: Vec<&Value> =
        audit.as_array().unwrap().iter().map(|entry| &entry["order"]["order"]).collect();
    for wanted in ["sign-in", "mute", "hand-over", "device-signed-out"] {
        assert!(orders.contains(&&json!(wanted)), "{wanted}: {audit}");
    }
}

#[test]
fn no_terminal_makes_what_is_in_no_list() {
    let (desk, _) = ordering::after_an_illegal_move();
    add(&desk, "Ada", &[]);
    // Nothing can be written where the file is a directory.
    let list = desk.hall.dir.path().join("log/audit.jsonl");
    let whole = desk.hall.dir.path().join("whole");
    fs::rename(&list, &whole).unwrap();
    fs::create_dir(&list).unwrap();
    let accounts = || fs::read_to_string(desk.hall.dir.path().join("state/arbiters.json")).unwrap();
    let before = accounts();
    for args in [["add", "Eve"].as_slice(), &["link", "Ada", "--url", "http://10.0.0.7"]] {
        let (code, shown, error) = command(&desk, args);
        assert!(code != 0 && shown.is_empty(), "{args:?}: {shown}");
        assert!(error.contains("audit.jsonl") && error.contains("nothing was changed"), "{error}");
        assert_eq!(accounts(), before, "{args:?}");
    }
    // Whose token was lost is out all the same.
    let (code, shown, error) = command(&desk, &["revoke", "Ada"]);
    assert!(code != 0 && shown.contains("counts no more"), "{shown}");
    assert!(error.contains("the list does not have it"), "{error}");
    assert!(!accounts().contains("Ada"));
}

#[test]
fn an_account_being_made_at_a_kill_is_in_the_list() {
    let (mut desk, _) = ordering::after_an_illegal_move();
    let state = desk.hall.dir.path().join("state");
    // Whoever holds the directory keeps others from changing the accounts.
    let directory = File::open(&state).unwrap();
    directory.lock().unwrap();
    let head = format!(
        "POST /api/arbiters HTTP/1.1\nhost: {}\nauthorization: Bearer {}",
        desk.address,
        ordering::TOKEN
    );
    let asked = desk.send(&head, &json!({ "name": "Eve", "role": "chief" }).to_string());
    let pending = desk.hall.dir.path().join("log/audit.pending");
    crate::support::eventually("the order is noted before it is carried out", || {
        fs::read_to_string(&pending).unwrap_or_default().contains("account-made").then_some(())
    });
    desk.hall.kill();
    drop((asked, directory));
    desk.hall.start();
    desk.hall.wait_message("listens");
    let token = format!("\nauthorization: Bearer {}", ordering::TOKEN);
    let audit = ask(&desk, "GET /api/audit", &token, "").json();
    let entry = audit.as_array().unwrap().last().unwrap();
    assert_eq!((&entry["order"]["order"], &entry["order"]["name"]), (&json!("account-made"), &json!("Eve")));
    assert_eq!((&entry["interrupted"], &entry["claimed"]), (&json!(true), &json!(true)));
}
