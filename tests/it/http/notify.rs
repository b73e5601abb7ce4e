//! Notifications: what servers get of an alert, that a refusal is tried again, and that no name leaves.

use std::{
    fs,
    io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _},
    net::TcpListener,
};

use serde_json::{Value, json};

use super::{
    Desk,
    ordering::{TOKEN, after_an_illegal_move_with, write_token},
};
use crate::support::{PATIENCE, eventually, run};

/// Handles one request and answers it; returns its head in small letters, and its body.
fn serve(listener: &TcpListener, status: &str) -> (String, String) {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(lines.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    lines.read_exact(&mut body).unwrap();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    (head, String::from_utf8(body).unwrap())
}

#[test]
fn an_alert_reaches_every_way_and_names_no_player() {
    let (ntfy, hook) = (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let dir = tempfile::tempdir().unwrap();
    let (token, mark) = (dir.path().join("token"), dir.path().join("mark"));
    fs::write(&token, "secret-of-ntfy\n").unwrap();
    let mut desk = Desk::start(&format!(
        "url = 'https://hall.example'\n\
         [[notify]]\nkind = 'ntfy'\nurl = 'http://{}/arbiters'\ntoken_file = '{}'\ntables = '1-7'\nseverity = 'look'\n\
         [[notify]]\nkind = 'webhook'\nurl = 'http://{}/x'\ntemplate = '{{\"at\": \"{{title}}\", \"n\": {{table}}}}'\n\
         severity = 'equipment'\nplayers = true\n\
         [[notify]]\nkind = 'webhook'\nurl = 'http://{}/other'\ntables = '8'\nseverity = 'info'\n\
         [[notify]]\nkind = 'command'\ncommand = ['/usr/bin/touch', '{}-{{table}}-{{code}}']\nseverity = 'look'\n",
        ntfy.local_addr().unwrap(),
        token.display(),
        hook.local_addr().unwrap(),
        hook.local_addr().unwrap(),
        mark.display(),
    ));
    drop(desk.plug());
    // It is away for a moment, and gets the message once more.
    serve(&ntfy, "503 Service Unavailable");
    let (head, text) = serve(&ntfy, "200 OK");
    assert!(head.starts_with("post /arbiters ") && head.contains("title: table 7\r\n"), "{head}");
    assert!(head.contains("authorization: bearer secret-of-ntfy") && head.contains("priority: 4"), "{head}");
    assert!(head.contains("click: https://hall.example/#/alert/23946-"), "{head}");
    assert!(!text.is_empty() && !format!("{head}{text}").contains("wei"), "{text}");
    let (head, body) = serve(&hook, "200 OK");
    assert!(head.starts_with("post /x "), "nothing of table 7 goes to whoever looks after table 8: {head}");
    assert_eq!(body, "{\"at\": \"Table 7 (Weiß, W – Black, B)\", \"n\": 7}");
    let marked =
        || dir.path().read_dir().unwrap().any(|file| file.unwrap().file_name() == "mark-7-board-link");
    eventually("the command has been run", || marked().then_some(()));

    let config = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    fs::write(desk.hall.dir.path().join("token"), TOKEN).unwrap();
    drop(ntfy);
    let hooks = std::thread::spawn(move || [(); 2].map(|()| serve(&hook, "200 OK").1));
    let (code, said, error) = run(&["notify", "test", "--config", &config], "");
    assert_eq!(code, 69, "{said}{error}");
    assert!(said.contains("notify 1: ntfy: http://") && said.contains("notify 2: webhook: sent"), "{said}");
    let [first, second] = hooks.join().unwrap();
    assert_eq!(first, "{\"at\": \"jadoube\", \"n\": }");
    assert!(second.contains("\"text\":\"A test: this is how alerts arrive.\""), "{second}");
}

/// A webhook for an arbiter.
fn hook(name: &str, severity: &str, listener: &TcpListener) -> String {
    let address = listener.local_addr().unwrap();
    format!(
        "[[notify]]\nkind = 'webhook'\nurl = 'http://{address}/{name}'\narbiter = '{name}'\nseverity = '{severity}'\n"
    )
}

#[track_caller]
fn expect_nothing(listener: &TcpListener) {
    listener.set_nonblocking(true).unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn an_alert_to_which_nobody_goes_rings_at_the_chiefs() {
    let [ada, chief] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    // The alert is an hour old, as the capture is.
    let (_desk, board) = after_an_illegal_move_with(&format!(
        "escalate_s = 3000\n[[arbiter]]\nname = 'Dora'\ntables = '9'\nrole = 'chief'\n\
         [[arbiter]]\nname = 'Ada'\ntables = '8'\n{}{}",
        hook("Ada", "look", &ada),
        hook("Dora", "act", &chief),
    ));
    let (_, body) = serve(&chief, "200 OK");
    let reported: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(reported["title"], format!("Board {board}"), "{body}");
    assert_eq!(reported["code"], "illegal-move", "{body}");
    assert!(reported["text"].as_str().unwrap().starts_with("Nobody is going: "), "{body}");
    expect_nothing(&ada);
}

#[test]
fn alerts_of_tables_handed_over_ring_at_who_has_them_now() {
    let [ada, bob] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let mut desk = Desk::start(&format!("{}{}", hook("Ada", "look", &ada), hook("Bob", "look", &bob)));
    write_token(&desk.hall, 0o600);
    let post = |path: &str, body: &Value| {
        let head = format!("POST {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {TOKEN}", desk.address);
        let answer = desk.ask(&head, &body.to_string());
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    post("/api/arbiters", &json!({ "name": "Ada", "tables": "1-7" }));
    post("/api/arbiters", &json!({ "name": "Bob", "tables": "8" }));
    post("/api/handover", &json!({ "from": "Ada", "to": "Bob" }));
    drop(desk.plug());
    let (head, body) = serve(&bob, "200 OK");
    assert!(head.starts_with("post /bob ") && body.contains("Table 7"), "{head}{body}");
    expect_nothing(&ada);
}
