//! Requests that mean harm: smuggled ones, names that lead elsewhere, pages of other sites, more streams than there is room for,
//! and names of players that are code somewhere else.

use std::{
    fs,
    io::{BufRead as _, Read as _, Write as _},
    net::TcpStream,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{
    Answer, Desk, Stream,
    ordering::{TOKEN, after_an_illegal_move_with, order, write_token},
    walk,
};
use crate::support::{PATIENCE, eventually};

/// Names that lead out of a directory, or to the end of a text.
const TRAVERSALS: [&str; 10] = [
    "..",
    "%2e%2e",
    "..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "..%5c..%5cetc%5cpasswd",
    "%2fetc%2fpasswd",
    "....//....//etc/passwd",
    "%252e%252e%252ftoken",
    "token%00.pgn",
    "%c0%ae%c0%ae%c0%aftoken",
    "..%2ftoken",
];

/// A name that is code in a page, a PGN, a log, a terminal, a topic, a spreadsheet and a header.
const NAME: &str =
    "=HYPERLINK(1)</td><script>alert(1)</script>\\\"]\\n[Result \\\"1-0\\\"]\\r\\nX: y\\u001b[2J#/+{\\u0000}";

/// Sends bytes and returns everything that comes back.
fn send_raw(desk: &Desk, text: &str) -> String {
    let mut stream = TcpStream::connect(desk.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(text.as_bytes()).unwrap_or_default();
    let mut answers = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answers) {
        // The server has closed it before it had read everything.
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{text:?} is waited for");
    }
    String::from_utf8_lossy(&answers).into_owned()
}

/// What is refused, and closes the connection where it is not clear where the request ends.
#[test]
fn an_ambiguous_request_is_refused_with_all_behind_it() {
    let desk = Desk::start("");
    let host = format!("host: {}", desk.address);
    let smuggled = format!("GET /api/hall HTTP/1.1\r\n{host}\r\nconnection: close\r\n\r\n");
    let length = smuggled.len();
    for head in [
        format!("GET / HTTP/1.1\r\n{host}\r\n{host}\r\n"),
        format!("GET / HTTP/1.1\r\n{host}\r\nhost: evil.example\r\n"),
        "GET / HTTP/1.1\r\n".to_owned(),
        "GET / HTTP/1.1\r\nhost:\r\n".to_owned(),
        "GET / HTTP/1.1\r\nhost: localhost/x\r\n".to_owned(),
        "GET / HTTP/1.1\r\nhost: a b\r\n".to_owned(),
        format!("GET / HTTP/1.1\r\nhost: evil.example@{}\r\n", desk.address),
        format!("GET http://evil.example/ HTTP/1.1\r\n{host}\r\n"),
        format!("GET http://evil.example@{}/ HTTP/1.1\r\n{host}\r\n", desk.address),
        format!("GET http://{}/ HTTP/1.1\r\nhost: evil.example\r\n", desk.address),
    ] {
        let answers = send_raw(&desk, &format!("{head}connection: close\r\n\r\n"));
        assert!(answers.starts_with("HTTP/1.1 400 "), "{head:?}: {answers}");
    }
    let long = "y".repeat(100_000);
    for (first, lines, body) in [
        ("POST /api/session HTTP/1.1", &*format!("content-length: 3\r\ncontent-length: {length}"), ""),
        ("POST /api/session HTTP/1.1", &format!("content-length: 3, {length}"), ""),
        ("POST /api/session HTTP/1.1", &format!("content-length: +{length}"), ""),
        ("POST /api/session HTTP/1.1", "transfer-encoding: xchunked", ""),
        ("POST /api/session HTTP/1.1", "transfer-encoding: chunked, identity", "0\r\n\r\n"),
        (
            "POST /api/session HTTP/1.1",
            &format!("transfer-encoding: chunked\r\ncontent-length: {length}"),
            "0\r\n\r\n",
        ),
        ("POST /api/session HTTP/1.1", "content-length: 0\r\ntransfer-encoding: chunked", "0\r\n\r\n"),
        ("GET /healthz HTTP/1.1", "transfer-encoding: gzip, chunked", "0\r\n\r\n"),
        ("GET /healthz HTTP/1.1", "transfer-encoding: chunked\r\ntransfer-encoding: chunked", "0\r\n\r\n"),
        ("GET /healthz HTTP/1.1", "transfer-encoding: chunked, chunked", "0\r\n\r\n"),
        ("POST /api/session HTTP/1.1", "transfer-encoding: chunked", "-1\r\n\r\n"),
        ("POST /api/session HTTP/1.1", "transfer-encoding: chunked", "fffffffffffffffff\r\n\r\n"),
        ("GET /healthz HTTP/1.1", "authorization: Bearer a\r\nauthorization: Bearer b", ""),
        (
            "GET /healthz HTTP/1.1",
            &format!("origin: http://{}\r\norigin: http://evil.example", desk.address),
            "",
        ),
        ("GET /healthz HTTP/1.1", "sec-fetch-site: same-origin\r\nsec-fetch-site: cross-site", ""),
        ("GET / HTTP/1.1", "x : y", ""),
        ("GET / HTTP/1.1", "x: a\r\n b", ""),
        ("GET / HTTP/1.1", "x: a\0b", ""),
        ("GET /\0 HTTP/1.1", "x: y", ""),
        ("GET / / HTTP/1.1", "x: y", ""),
        ("GET / HTTP/7.1", "x: y", ""),
        ("GET / HTTP/1.1", &format!("x: {long}"), ""),
    ] {
        let answers = send_raw(&desk, &format!("{first}\r\n{host}\r\n{lines}\r\n\r\n{body}{smuggled}"));
        let what = format!("{first} {:?}: {answers}", lines.chars().take(80).collect::<String>());
        assert!(!answers.contains("HTTP/1.1 2") && answers.matches("HTTP/1.1 ").count() <= 1, "{what}");
    }
    // A length beside 'chunked' counts for nothing (RFC 9112, 6.3), and nobody who has counted it hears of what follows.
    for lines in [
        format!("transfer-encoding: chunked\r\ncontent-length: {length}"),
        format!("content-length: {length}\r\ntransfer-encoding: chunked"),
        "content-length: 0\r\ntransfer-encoding: chunked".to_owned(),
    ] {
        let head = format!("GET /healthz HTTP/1.1\r\n{host}\r\n{lines}\r\n\r\n0\r\n\r\n");
        let answers = send_raw(&desk, &(head + &smuggled));
        assert_eq!(answers.matches("HTTP/1.1 ").count(), 1, "{lines:?}: {answers}");
    }
    let whole =
        format!("GET http://{}/healthz HTTP/1.1\r\n{host}\r\nconnection: close\r\n\r\n", desk.address);
    assert!(send_raw(&desk, &whole).starts_with("HTTP/1.1 200 "), "an address may be whole");
    assert_eq!(desk.get("/healthz").status, 200);
}

#[test]
fn no_page_of_another_site_reads_or_changes_anything() {
    let desk = Desk::start("");
    write_token(&desk.hall, 0o600);
    let own = desk.address.to_string();
    for walk::Operation { method, path, .. } in walk::operations(&desk) {
        if path.contains('?') {
            continue;
        }
        let ask = |host: &str, more: &str| {
            let head = format!("{method} {path} HTTP/1.1\nhost: {host}\nauthorization: Bearer {TOKEN}{more}");
            desk.ask(&head, "")
        };
        // A name that another site lets point to this machine, which a browser takes for its own.
        for rebound in ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "evil.example:8080"] {
            let answer = ask(rebound, "");
            assert_eq!(answer.status, 421, "{method} {path} {rebound}: {answer:?}");
        }
        let is_harmless = ["GET", "HEAD"].contains(&method) && path != "/api/events";
        for more in [
            "\norigin: http://evil.example",
            "\norigin: null",
            "\norigin: http://localhost:1",
            "\nsec-fetch-site: cross-site",
            "\nsec-fetch-site: same-site",
        ] {
            if is_harmless && path.starts_with("/api/") {
                // The browser gets it and does not show it to the page.
                let answer = ask(&own, more);
                assert_eq!(answer.header("access-control-allow-origin"), None, "{method} {path}: {answer:?}");
                assert_eq!(
                    answer.header("cross-origin-resource-policy"),
                    Some("same-origin"),
                    "{method} {path}: {answer:?}"
                );
            } else if !is_harmless {
                assert_eq!(ask(&own, more).status, 403, "{method} {path} {more}");
            }
        }
    }
}

#[test]
fn no_path_leads_to_a_file_that_is_no_page() {
    let games = tempfile::tempdir().unwrap();
    fs::write(games.path().join("token"), "secret beside the games").unwrap();
    let pgn = games.path().join("pgn");
    fs::create_dir_all(pgn.join("round-1")).unwrap();
    let desk = Desk::start(&format!("[pgn]\ndir = '{}'\n", pgn.display()));
    write_token(&desk.hall, 0o600);
    let description = desk.get("/api/openapi.json").json();
    let paths: Vec<&String> = description["paths"].as_object().unwrap().keys().collect();
    let names: Vec<&String> = paths.into_iter().filter(|path| path.contains('{')).collect();
    assert!(names.len() > 10, "{names:?}");
    for path in names {
        for traversal in TRAVERSALS {
            // Every name of the path at once, and in each question.
            let filled: String = path
                .split('/')
                .map(|part| if part.starts_with('{') { traversal } else { part })
                .collect::<Vec<_>>()
                .join("/");
            for filled in
                [filled.clone(), format!("{filled}?alert={traversal}&language={traversal}&from={traversal}")]
            {
                let head =
                    format!("GET {filled} HTTP/1.1\nhost: {}\nauthorization: Bearer {TOKEN}", desk.address);
                let answer = desk.ask(&head, "");
                // The name of an event in the addresses of broadcasters is any name.
                let is_any = filled.starts_with("/get/") || filled.starts_with("/meta/");
                assert!(answer.status < 500 && (is_any || answer.status != 200), "{filled}: {answer:?}");
                for secret in ["root:", "secret beside", TOKEN] {
                    assert!(!answer.body.contains(secret), "{filled}: {answer:?}");
                }
                let place = answer.header("location").unwrap_or("/");
                assert!(
                    place.starts_with('/') && !place.starts_with("//") && !place.contains(".."),
                    "{filled}: {place}"
                );
            }
        }
    }
}

#[test]
fn two_thousand_streams_shut_out_no_pages_and_streams() {
    let wanted = 2000;
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let mut desk = Desk::start("");
    let mut first = Stream::open(&desk, "", "");
    let head =
        format!("GET /api/events HTTP/1.1\r\nhost: {}\r\naccept: text/event-stream\r\n\r\n", desk.address);
    let mut streams = Vec::new();
    for number in 0..wanted {
        let mut stream = TcpStream::connect(desk.address).unwrap();
        // A connection that is one too many may be closed before it has asked.
        stream.write_all(head.as_bytes()).unwrap_or_default();
        streams.push(stream);
        if number % 50 == 0 {
            assert_eq!(desk.get("/healthz").status, 200, "after {number} streams");
        }
    }
    assert_eq!(desk.get("/api/hall").status, 200);
    let _board = desk.plug();
    // Signs of life may come before it.
    let mut line = String::new();
    while !line.contains("23946") {
        line.clear();
        assert!(first.lines.read_line(&mut line).unwrap() > 0, "the first stream was cut off");
    }
    // Once they have left, everybody may listen again.
    drop(streams);
    let head = format!("GET /api/events HTTP/1.1\nhost: {}\naccept: text/event-stream", desk.address);
    eventually("there is room for a stream", || {
        let mut start = [0; 12];
        let mut stream = desk.send(&head, "");
        stream.read_exact(&mut start).unwrap_or_default();
        start.ends_with(b" 200").then_some(())
    });
    assert_eq!(desk.hall.stop(), 0);
}

#[test]
fn requests_that_never_end_hold_up_nobody() {
    let mut desk = Desk::start("");
    let mut stream = Stream::open(&desk, "", "");
    let host = format!("host: {}", desk.address);
    let heads = [
        "G".to_owned(),
        format!("GET /api/hall HTTP/1.1\r\n{host}\r\nx: "),
        format!("POST /api/session HTTP/1.1\r\n{host}\r\ncontent-length: 100\r\n\r\n{{"),
        format!("POST /api/session HTTP/1.1\r\n{host}\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{{"),
    ];
    let slow: Vec<TcpStream> = (0..400)
        .map(|number| {
            let mut stream = TcpStream::connect(desk.address).unwrap();
            stream.write_all(heads[number % heads.len()].as_bytes()).unwrap();
            stream
        })
        .collect();
    for path in ["/healthz", "/api/hall", "/"] {
        assert_eq!(desk.get(path).status, 200, "{path}");
    }
    let _board = desk.plug();
    assert_eq!(stream.wait_event("board")["board"], "23946");
    drop(slow);
    assert_eq!(desk.hall.stop(), 0);
}

#[test]
fn names_are_text_wherever_they_appear() {
    let games = tempfile::tempdir().unwrap();
    let (mut desk, board) =
        after_an_illegal_move_with(&format!("[pgn]\ndir = '{}'\n", games.path().display()));
    // The board of the capture gets a seat, and the names come into its messages.
    let file = desk.hall.dir.path().join("jadoube.toml");
    let name = NAME.replace("\\u0000", "");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("[event]\nname = 'Test'", &format!("[event]\nname = \"{name}\""));
    let text = format!(
        "{text}\n[[table]]\nnumber = 8\nserial = '{board}'\nwhite = \"{name}\"\nblack = \"{name} 2\"\n"
    );
    fs::write(&file, text).unwrap();
    desk.hall.stop();
    desk.hall.start();
    desk.hall.wait_message("listens");
    let hall = desk.wait_json("/api/hall", |hall| {
        hall["boards"]
            .as_array()
            .is_some_and(|boards| boards.iter().any(|found| found["board"] == board.as_str()))
    });
    assert!(hall.to_string().contains("<script>"), "JSON has the name as it is: {hall}");
    assert_eq!(order(&desk, &board, TOKEN, r#"{"order":"result","result":"1-0"}"#).status, 200);
    let raw = |answer: &Answer| format!("{}\n{}", answer.head, answer.body);
    let check = |what: &str, text: &str| {
        let is_plain = |c: char| !c.is_control() || "\n\r\t".contains(c);
        assert!(text.chars().all(is_plain), "{what}: {text:?}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(!lines.iter().any(|line| line.starts_with("X: y")), "{what}: {text}");
        assert!(!lines.iter().any(|line| line.starts_with("=HYPER")), "{what}: {text}");
    };
    // What is refused is repeated in the messages.
    let refused = order(&desk, &board, TOKEN, r#"{"order":"result","result":"1-0\r\n=HYPERLINK(2)"}"#);
    assert_eq!(refused.status, 409);
    check("messages", &desk.hall.wait_message("is no result").join("\n"));
    for path in [
        "/api/hall",
        "/api/round",
        "/api/boards",
        "/api/report",
        "/api/audit",
        "/api/tables",
        "/api/tables/labels",
        "/healthz",
        "/metrics",
        "/round-1/games.pgn",
        "/round-1/index.json",
        "/tournament.json",
    ] {
        let head = format!("GET {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {TOKEN}", desk.address);
        let answer = desk.ask(&head, "");
        check(path, &raw(&answer));
        let kind = answer.header("content-type").unwrap_or_default();
        assert!(!kind.starts_with("text/html"), "{path} is a page");
    }
    // One result of the game that has one, and none that a name has made up.
    let games = desk.wait_text("/current/games.pgn", |text| text.contains("HYPERLINK"));
    for game in games.split("[Event ").skip(1) {
        assert_eq!(game.matches("\n[Result \"").count(), 1, "{games}");
    }
    let page = desk.get("/");
    assert!(!page.body.contains("HYPERLINK"), "pages hold no names");
    desk.hall.stop();
    assert!(desk.hall.log("audit.jsonl").contains("HYPERLINK"), "names are in the list of orders");
    for log in ["alerts.log", "alerts.jsonl", "events.jsonl", "audit.jsonl"] {
        let text = desk.hall.log(log);
        check(log, &text);
        if log.ends_with("jsonl") {
            for line in text.lines() {
                serde_json::from_str::<serde_json::Value>(line)
                    .unwrap_or_else(|error| panic!("{log}: {error}: {line}"));
            }
        }
    }
}
