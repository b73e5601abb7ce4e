mod fuzz;

use serde_json::{Value, json};

use super::{connection::ClientState, *};
use crate::published::Published;
use jadoube_core::{
    event::{BoardEvent, Event, EventKind, LinkState},
    time::Timestamp,
};

/// A hall of boards that are up.
fn app(serials: &[&str], config: &str) -> App {
    let view = View::default();
    for (index, serial) in serials.iter().enumerate() {
        let port: Arc<str> = format!("/dev/ttyACM{index}").into();
        let board = EventKind::Board(Box::new(BoardEvent::of_serial(Some(serial))));
        for kind in [EventKind::Link { state: LinkState::Up, port: port.to_string() }, board] {
            let event = Event { at: Timestamp::ZERO, board: (*serial).into(), kind };
            view.apply(&Published::new(port.clone(), event.into(), jiff::Timestamp::UNIX_EPOCH, 1));
        }
    }
    let config = Arc::new(Config::parse("test", config, &[]).unwrap());
    App::new(watch::channel(config).1, view, CancellationToken::new())
}

fn session(serials: &[&str]) -> ClientState {
    ClientState::new(app(serials, ""), None)
}

fn ask(session: &mut ClientState, text: &str) -> Vec<Value> {
    session.answer(text).iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

#[track_caller]
fn check_refused(session: &mut ClientState, call: &Value, reason: &str) {
    let answers = ask(session, &call.to_string());
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!((&answers[0]["response"], &answers[0]["id"]), (&json!("error"), &call["id"]));
    for text in ["message", "stacktrace"] {
        assert!(answers[0]["param"][text].as_str().unwrap().contains(reason), "{answers:?}");
    }
}

fn subscribe(id: i32, feed: i32, serial: &str) -> Value {
    json!({"call": "subscribe", "id": id,
        "param": {"feed": "eboardevent", "id": feed, "param": {"serialnr": serial}}})
}

#[test]
fn the_answer_comes_before_the_first_news() {
    let mut session = session(&["23946"]);
    let answers = ask(&mut session, &subscribe(2, 1, "23946").to_string());
    let kinds: Vec<_> = answers.iter().map(|answer| (&answer["response"], &answer["id"])).collect();
    assert_eq!(kinds, [(&json!("call"), &json!(2)), (&json!("feed"), &json!(1))]);
    assert_eq!(answers[0]["param"], Value::Null);
    assert!(session.poll().is_empty(), "it has been sent already");
}

#[test]
fn feeds_are_many_and_end_one_by_one() {
    let mut session = session(&["23946", "00123"]);
    ask(&mut session, &subscribe(1, 1, "23946").to_string());
    ask(&mut session, &subscribe(2, 2, "123").to_string());
    check_refused(&mut session, &subscribe(3, 2, "23946"), "open for another board");
    assert_eq!(ask(&mut session, &subscribe(3, 1, "23946").to_string()).len(), 2, "it begins anew");
    let setup = |feed: i32| {
        json!({"call": "call", "id": 5, "param": {"id": feed, "method": "setup",
            "param": {"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}}})
    };
    let reported = ask(&mut session, &setup(2).to_string());
    assert_eq!((&reported[1]["id"], &reported[1]["param"]["match"]), (&json!(2), &json!(false)));
    assert_eq!(reported.len(), 2, "another feed of the client is not concerned");
    let unsubscribe = json!({"call": "unsubscribe", "id": 9, "param": {"id": 2}});
    assert_eq!(ask(&mut session, &unsubscribe.to_string())[0]["param"], Value::Null);
    check_refused(&mut session, &unsubscribe, "no feed 2");
    check_refused(&mut session, &setup(2), "no feed 2");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let mut session = session(&["23946"]);
    check_refused(&mut session, &json!({"call": "pause", "id": 4}), "unknown call 'pause'");
    check_refused(&mut session, &json!({"call": "subscribe", "id": 4}), "param.feed");
    check_refused(&mut session, &subscribe(4, 1, "99999"), "no board 99999");
    let wrong = json!({"call": "subscribe", "id": 4, "param": {"feed": "23946", "id": 1, "param": {}}});
    check_refused(&mut session, &wrong, "unknown feed '23946'");
    let wrong = json!({"call": "subscribe", "id": 4, "param": {"feed": "eboardevent", "param": {}}});
    check_refused(&mut session, &wrong, "param.id");
    let wrong = json!({"call": "subscribe", "id": 4, "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": 7}}});
    check_refused(&mut session, &wrong, "serialnr");
    check_refused(&mut session, &json!({"call": "call", "id": 4, "param": [1]}), "param.id");
    let long = format!("{{\"call\":\"{}\"}}", "x".repeat(20_000));
    assert_eq!(ask(&mut session, &long)[0]["id"], json!(0));
}

#[test]
fn a_client_of_one_board_knows_of_no_other() {
    let mut session = ClientState::new(app(&["11111", "22222"], ""), Some("22222".into()));
    let boards = ask(&mut session, r#"{"call":"eboards","id":1,"param":null}"#);
    assert_eq!(boards[0]["param"].as_array().unwrap().len(), 1);
    assert_eq!(boards[0]["param"][0]["serialnr"], "22222");
    let sources = ask(&mut session, r#"{"call":"sources","id":1}"#);
    assert_eq!(sources[0]["param"][0]["device"], "ttyACM1");
    check_refused(&mut session, &subscribe(2, 1, "11111"), "no board 11111");
}
