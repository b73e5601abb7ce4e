//! Clients behind proxies: what one of them does wrong is held against it alone.

use std::fs;

use rustix::process::Signal;
use serde_json::json;

use super::{
    Answer, Desk,
    arbiters::add,
    ordering::{TOKEN, after_an_illegal_move_with, write_token},
};

/// Wrong tokens that a client may send before it has to wait.
const TRIES: usize = 8;

/// Asks who has signed in.
fn ask(desk: &Desk, token: &str, headers: &str) -> Answer {
    let head =
        format!("GET /api/session HTTP/1.1\nhost: {}\nauthorization: Bearer {token}{headers}", desk.address);
    desk.ask(&head, "")
}

fn guess(desk: &Desk, headers: &str) -> u16 {
    ask(desk, "wrong", headers).status
}

/// Returns whether a client has sent wrong tokens before: whoever has not may send more than are sent here.
///
/// One after the other is forgotten, on a busy machine perhaps while this is being asked.
fn is_held_up(desk: &Desk, headers: &str) -> bool {
    (1..TRIES).any(|_| guess(desk, headers) == 429)
}

#[test]
fn whoever_guesses_behind_a_trusted_proxy_holds_up_nobody_else() {
    let desk = Desk::start("trusted_proxies = ['127.0.0.0/8', '10.0.0.0/24']");
    write_token(&desk.hall, 0o600);
    let guesser = "\nx-forwarded-for: 192.168.1.9";
    for _ in 0..TRIES {
        assert_eq!(guess(&desk, guesser), 401);
    }
    assert!(is_held_up(&desk, guesser));
    // The same phone, whatever it has made up, over a chain of proxies, or in the other header.
    for same in [
        "\nx-forwarded-for: 192.168.1.7, 192.168.1.9",
        "\nx-forwarded-for: 192.168.1.7\nx-forwarded-for: 192.168.1.9, 10.0.0.3\nx-forwarded-for: 10.0.0.1",
        "\nforwarded: for=192.168.1.7, for=192.168.1.9, for=\"10.0.0.3:4711\"",
    ] {
        assert!(is_held_up(&desk, same), "{same}");
    }
    // Other phones behind the same proxies.
    for other in [
        "\nx-forwarded-for: 192.168.1.7",
        "\nx-forwarded-for: 192.168.1.9, 192.168.1.8",
        "\nforwarded: for=192.168.1.6;proto=https",
        "\nx-forwarded-for: 10.0.0.3, 10.0.0.1",
        "",
    ] {
        assert_eq!(guess(&desk, other), 401, "{other}");
    }
    assert_eq!(ask(&desk, TOKEN, guesser).status, 200, "the right token always counts");
    let claims = format!("GET /api/hall HTTP/1.1\nhost: {}\nx-forwarded-for: 127.0.0.1", desk.address);
    assert_eq!(desk.ask(&claims, "").status, 401, "a phone that claims to be this machine");
}

#[test]
fn a_header_of_no_proxy_changes_nothing_until_a_reload() {
    let mut desk = Desk::start("trusted_proxies = ['10.0.0.1']");
    write_token(&desk.hall, 0o600);
    for number in 0..TRIES {
        assert_eq!(guess(&desk, &format!("\nx-forwarded-for: 10.0.0.{number}")), 401);
    }
    for made_up in ["\nx-forwarded-for: 192.168.1.7", "\nforwarded: for=192.168.1.7", ""] {
        assert!(is_held_up(&desk, made_up), "{made_up}");
    }
    let file = desk.hall.dir.path().join("jadoube.toml");
    let text = fs::read_to_string(&file).unwrap().replace("'10.0.0.1'", "'127.0.0.1'");
    fs::write(&file, text).unwrap();
    desk.hall.signal(Signal::HUP);
    desk.hall.wait_message("configuration read;");
    assert_eq!(guess(&desk, "\nx-forwarded-for: 192.168.1.7"), 401);
}

#[test]
fn the_list_of_orders_has_the_address_of_the_phone() {
    let (desk, board) = after_an_illegal_move_with("trusted_proxies = ['127.0.0.1']");
    let head = |method: &str, path: &str| {
        format!(
            "{method} {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {TOKEN}\nx-forwarded-for: 192.168.1.9",
            desk.address
        )
    };
    let order = head("POST", &format!("/api/boards/{board}/orders"));
    assert_eq!(desk.ask(&order, "{\"order\":\"dismiss\",\"alert\":\"none\"}").status, 409);
    let audit = desk.ask(&head("GET", "/api/audit"), "").json();
    assert_eq!(audit[0]["address"], "192.168.1.9", "{audit}");
}

#[test]
fn a_sessions_cookie_is_secure_behind_an_encrypting_proxy() {
    // Each link signs in once.
    let cookie = |desk: &Desk, name: &str, more: &str| {
        let token = add(desk, name, &[]);
        let head = format!("POST /api/session HTTP/1.1\nhost: {}{more}", desk.address);
        let answer = desk.ask(&head, &json!({ "token": token }).to_string());
        assert_eq!(answer.status, 200, "{more}");
        answer.header("set-cookie").unwrap().to_owned()
    };
    let is_secure = |cookie: &str| cookie.split(';').any(|part| part.trim() == "secure");
    let trusting = Desk::start("trusted_proxies = ['127.0.0.1']");
    let encrypted = "\nx-forwarded-for: 192.168.1.9\nx-forwarded-proto: https";
    assert!(is_secure(&cookie(&trusting, "Ada", encrypted)));
    assert!(!is_secure(&cookie(&trusting, "Bea", "\nx-forwarded-for: 192.168.1.9\nx-forwarded-proto: http")));
    assert!(!is_secure(&cookie(&trusting, "Cy", "\nx-forwarded-for: 192.168.1.9")));
    let wary = Desk::start("");
    assert!(!is_secure(&cookie(&wary, "Ada", encrypted)));
}
