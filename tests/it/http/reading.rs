//! What can be read: boards, pages, and what strangers get.

use super::Desk;
use crate::support::Reserved;

#[test]
fn the_hall_and_its_boards_are_read() {
    let mut desk = Desk::start("");
    let empty = desk.get("/api/hall");
    assert_eq!(empty.status, 200);
    assert_eq!(empty.header("content-type"), Some("application/json"));
    assert_eq!(empty.header("cache-control"), Some("no-store"));
    assert!(empty.json()["boards"].is_array(), "{empty:?}");
    let _board = desk.plug();
    let hall = desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    assert_eq!(hall["event"]["name"], "Test");
    assert_eq!(hall["event"]["rules"], "2023");
    assert!(hall["seq"].as_u64().unwrap() > 0);
    let board = &hall["boards"][0];
    assert_eq!(board["board"], "23946");
    assert_eq!(board["up"], true);
    assert_eq!(board["table"], 7);
    assert_eq!(board["white"], "Weiß, W");
    assert_eq!(board["port"], desk.socket.port());
    let one = desk.get("/api/boards/23946").json();
    assert_eq!(one["pieces"], "8/8/8/8/8/8/8/8");
    assert_eq!(one["counts"]["white"]["official"], 0);
    assert_eq!(desk.get("/api/boards").json()[0]["board"], "23946");
    let missing = desk.get("/api/boards/1");
    assert_eq!((missing.status, missing.json()["error"].as_str()), (404, Some("there is no board 1")));
    for path in ["/api/events?after=noon", "/api/report?from=noon", "/api/boards/23946/frames?at=noon"] {
        let wrong = desk.get(path);
        assert_eq!(wrong.status, 400, "{path}: {wrong:?}");
        assert!(wrong.json()["error"].is_string(), "{path}: {wrong:?}");
    }
    assert_eq!(desk.hall.stop(), 0);
}

#[test]
fn pages_come_with_a_strict_policy_and_are_not_sent_twice() {
    let desk = Desk::start("");
    let page = desk.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'; "), "{page:?}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let tag = page.header("etag").unwrap();
    let again = desk.ask(&format!("GET / HTTP/1.1\nhost: {}\nif-none-match: {tag}", desk.address), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    for path in ["/desk/nothing.js", "/desk/../Cargo.toml", "/desk/%2e%2e/Cargo.toml", "/etc/passwd"] {
        assert_eq!(desk.get(path).status, 404, "{path}");
    }
}

#[test]
fn strangers_are_kept_out() {
    let desk = Desk::start("hosts = ['hall.example']");
    let own = format!("{}", desk.address);
    let ask = |head: &str| desk.ask(head, "").status;
    assert_eq!(ask("GET / HTTP/1.1\nhost: hall.example"), 200);
    // A request by name may come from a proxy on behalf of an unknown client.
    assert_eq!(ask("GET /api/hall HTTP/1.1\nhost: hall.example"), 401);
    assert_eq!(ask("GET /api/hall HTTP/1.1\nhost: evil.example"), 421);
    assert_eq!(ask(&format!("GET /api/events HTTP/1.1\nhost: {own}\norigin: http://evil.example")), 403);
    let order = format!("POST /api/boards/23946/orders HTTP/1.1\nhost: {own}\norigin: http://evil.example");
    let refused = desk.ask(&order, "{\"order\":\"flip\"}");
    assert_eq!((refused.status, refused.body.lines().count()), (403, 1));
}

#[test]
fn an_address_in_use_is_said_once_and_tried_again() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let mut hall = crate::support::Hall::new(&format!("[ports]\nscan = []\n[http]\nlisten = '{address}'"));
    hall.start();
    let messages = hall.wait_message("cannot listen");
    assert!(messages.last().unwrap().contains("set http.listen"), "{messages:?}");
    drop(taken);
    let messages = hall.wait_message("listens");
    assert!(!messages.iter().any(|message| message.contains("cannot listen")), "{messages:?}");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn a_reload_moves_the_server_to_another_address() {
    let reserved = [Reserved::new(), Reserved::new()];
    let [first, second] = reserved.each_ref().map(|reserved| reserved.address);
    let config = |address| format!("[ports]\nscan = []\n[http]\nlisten = '{address}'");
    let mut hall = crate::support::Hall::new(&config(first));
    hall.start();
    hall.wait_message("listens");
    std::net::TcpStream::connect(first).unwrap();
    hall.configure(&config(second));
    hall.signal(rustix::process::Signal::HUP);
    hall.wait_message("listens");
    std::net::TcpStream::connect(second).unwrap();
    assert!(std::net::TcpStream::connect(first).is_err());
    assert_eq!(hall.stop(), 0);
}

#[test]
fn what_is_wrong_with_a_query_is_an_error_as_any_other() {
    let desk = Desk::start("");
    for path in ["/api/events?after=soon", "/api/boards/23946/events?at=yesterday"] {
        let answer = desk.get(path);
        assert_eq!((answer.status, answer.header("content-type")), (400, Some("application/json")), "{path}");
        let reported: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        assert!(reported["error"].as_str().is_some_and(|reason| !reason.is_empty()), "{path}: {reported}");
    }
}
