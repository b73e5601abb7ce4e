mod fuzz;

use serde_json::{Value, json};

use super::*;

fn at(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(second).unwrap()
}

fn state(board: &str, table: u32, second: i64) -> Value {
    json!({"board": board, "serial": board, "port": "/dev/ttyACM0", "link": "up", "table": table, "white": "A",
           "black": "B", "placement": "8/8/8/8/8/8/8/8", "clock": {"white": 60, "black": 50, "running": "white",
           "connected": true, "low_battery": false, "at": at(second)}, "updated": at(second)})
}

fn alert(id: &str, board: &str) -> Value {
    json!({"id": id, "code": "illegal-move", "state": "open", "confidence": "certain", "board": board, "at": at(5),
           "changed": at(5), "t": 1.5, "text": "…", "table": 1})
}

fn take(daemons: &mut Daemons, topic: &str, payload: &Value) {
    daemons.handle_message(topic, payload.to_string().as_bytes(), at(5));
}

/// A hall with one board, heard at second 5.
fn hall(daemons: &mut Daemons, root: &str, board: &str, table: u32) {
    daemons.handle_message(&format!("{root}/status"), b"online", at(5));
    daemons.handle_message(&format!("{root}/board/{board}/availability"), b"online", at(5));
    take(daemons, &format!("{root}/board/{board}/state"), &state(board, table, 5));
}

#[test]
fn many_halls_make_one() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/a/one", "11111", 1);
    hall(&mut daemons, "dgt/b/one", "22222", 2);
    take(&mut daemons, "dgt/b/one/alert/22222-1-1", &alert("22222-1-1", "22222"));
    let (boards, tables) = daemons.show(at(10));
    assert_eq!(boards.keys().map(AsRef::as_ref).collect::<Vec<&str>>(), ["11111", "22222"]);
    assert_eq!(tables.iter().map(|table| table.number).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(
        boards["22222"].up && boards["22222"].clock.as_ref().is_some_and(|clock| clock.running.is_some())
    );
    assert_eq!((boards["11111"].hall.as_deref(), boards["22222"].hall.as_deref()), (Some("a"), Some("b")));
    assert_eq!(boards["22222"].open_alerts().count(), 1);
    assert_eq!(daemons.root_of("22222").as_deref(), Some("dgt/b/one"));
    assert!(!daemons.has_changed());
    daemons.handle_message("dgt/b/one/alert/22222-1-1", b"", at(5));
    assert!(daemons.has_changed());
    assert_eq!(daemons.show(at(10)).0["22222"].open_alerts().count(), 0);
    take(
        &mut daemons,
        "dgt/a/one/board/11111/game",
        &json!({"number": 3, "start": "8/8/8/8/8/8/8/8 w - - 0 1", "began": at(1),
        "moves": [{"uci": "e2e4", "san": "e4", "legal": true, "completed": true, "confidence": "certain", "clock": null,
        "at": at(2), "fen": "x"}], "result": "1-0", "by": "arbiter"}),
    );
    let game = daemons.show(at(10)).0["11111"].game.clone().unwrap();
    assert_eq!((game.number, game.moves.len(), game.result, game.by), (3, 1, Some("1-0"), Some("arbiter")));
}

#[test]
fn boards_name_the_desk_of_their_hall() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/a/one", "11111", 1);
    hall(&mut daemons, "dgt/b/one", "22222", 1);
    let desks = |daemons: &mut Daemons| {
        let boards = daemons.show(at(10)).0;
        ["11111", "22222"].map(|board| boards[board].desk.as_deref().map(str::to_owned))
    };
    take(&mut daemons, "dgt/a/one/info", &json!({"desk": "https://10.0.0.7:8080/"}));
    take(&mut daemons, "dgt/b/one/info", &json!({"desk": null}));
    assert_eq!(desks(&mut daemons), [Some("https://10.0.0.7:8080".to_owned()), None]);
    for wrong in ["javascript:alert(1)", "http://user:secret@10.0.0.7", "//10.0.0.7", "data:text/html,x", ""]
    {
        take(&mut daemons, "dgt/b/one/info", &json!({"desk": wrong}));
        assert_eq!(desks(&mut daemons)[1], None, "{wrong}");
    }
    take(&mut daemons, "dgt/b/one/info", &json!({"desk": "http://hall-b.local:8080/chess/?x#y"}));
    assert_eq!(desks(&mut daemons)[1].as_deref(), Some("http://hall-b.local:8080/chess"));
    daemons.handle_message("dgt/a/one/info", b"", at(5));
    assert_eq!(desks(&mut daemons)[0], None);
}

#[test]
fn a_hall_that_has_ended_is_not_live() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/a/one", "11111", 1);
    assert!(daemons.show(at(10)).0["11111"].up);
    daemons.handle_message("dgt/a/one/status", b"offline", at(5));
    let board = daemons.show(at(10)).0["11111"].clone();
    assert!(!board.up && board.clock.as_ref().is_some_and(|clock| clock.running.is_none()), "{board:?}");
    daemons.handle_message("dgt/a/one/info", b"{}", at(5));
    assert!(daemons.show(at(13 * 3600)).0.is_empty(), "yesterday's hall");
    daemons.handle_message("dgt/a/one/status", b"online", at(5));
    assert_eq!(daemons.show(at(13 * 3600)).0.len(), 1);
}

#[test]
fn a_board_that_moved_is_where_it_can_be_heard() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/a/one", "11111", 1);
    hall(&mut daemons, "dgt/b/one", "11111", 2);
    daemons.handle_message("dgt/a/one/board/11111/availability", b"offline", at(5));
    let (boards, tables) = daemons.show(at(10));
    assert_eq!((boards.len(), tables[0].number), (1, Some(2)));
    assert_eq!(daemons.root_of("11111").as_deref(), Some("dgt/b/one"));
}

/// The hall where a board is shown at a second.
fn hall_of(daemons: &mut Daemons, board: &str, second: i64) -> String {
    daemons.show(at(second)).0[board].hall.as_deref().unwrap_or_default().to_owned()
}

#[test]
fn a_board_stays_in_its_hall_whatever_another_one_says() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/b/one", "11111", 1);
    assert_eq!(hall_of(&mut daemons, "11111", 10), "b");
    for (root, updated) in [("dgt/a/one", 5), ("dgt/c/one", 5), ("dgt/d/one", 4_070_908_800)] {
        hall(&mut daemons, root, "11111", 7);
        take(&mut daemons, &format!("{root}/board/11111/state"), &state("11111", 7, updated));
        assert_eq!(hall_of(&mut daemons, "11111", 10), "b", "{root}");
        assert_eq!(daemons.root_of("11111").as_deref(), Some("dgt/b/one"));
    }
    // While its daemon starts anew, the board is where it can be heard, and then at home again; also after a new connection.
    daemons.handle_message("dgt/b/one/status", b"offline", at(20));
    assert_ne!(hall_of(&mut daemons, "11111", 20), "b");
    daemons.begin_anew();
    hall(&mut daemons, "dgt/a/one", "11111", 7);
    hall(&mut daemons, "dgt/b/one", "11111", 1);
    assert_eq!(hall_of(&mut daemons, "11111", 300), "b");
    // Carried to another hall for good.
    daemons.handle_message("dgt/b/one/board/11111/availability", b"offline", at(400));
    assert_eq!(hall_of(&mut daemons, "11111", 400), "a");
    assert_eq!(hall_of(&mut daemons, "11111", 1100), "a");
    daemons.handle_message("dgt/b/one/board/11111/availability", b"online", at(1200));
    assert_eq!(hall_of(&mut daemons, "11111", 1200), "a");
}

#[test]
fn a_time_of_the_future_is_not_believed() {
    let mut daemons = Daemons::after(0);
    hall(&mut daemons, "dgt/b/one", "11111", 1);
    hall(&mut daemons, "dgt/a/one", "11111", 7);
    take(&mut daemons, "dgt/a/one/board/11111/state", &state("11111", 7, 4_070_908_800));
    assert_eq!(hall_of(&mut daemons, "11111", 10), "b", "although nobody was there first");
    daemons.handle_message("dgt/b/one/board/11111/availability", b"offline", at(5));
    assert_eq!(daemons.show(at(10)).0["11111"].updated, Some(at(5)));
}

#[test]
fn what_a_broker_holds_is_bounded_and_may_be_anything() {
    let mut daemons = Daemons::after(0);
    for topic in ["", "dgt", "dgt/a", "dgt/a/b", "x/a/b/status", "dgt/a/b/board/1/2/3", "dgt/a/b/alert/1"] {
        for payload in ["", "x", "{}", "[]", "{\"board\":1}", "{\"board\":\"2\"}"] {
            daemons.handle_message(topic, payload.as_bytes(), at(5));
        }
    }
    daemons.handle_message("dgt/a/b/board/1/state", b"{\"board\":\"2\"}", at(5));
    assert!(daemons.show(at(0)).0.is_empty());
    for number in 0..2 * MOST_DAEMONS {
        daemons.handle_message(&format!("dgt/a/{number}/status"), b"online", at(5));
    }
    assert_eq!(daemons.by_root.len(), MOST_DAEMONS);
    for number in 0..2 * MOST_BOARDS {
        daemons.handle_message(&format!("dgt/a/1/board/{number}/availability"), b"online", at(5));
    }
    assert_eq!(daemons.by_root["dgt/a/1"].boards.len(), MOST_BOARDS);
    for number in 0..2 * MOST_ALERTS {
        let id = number.to_string();
        take(&mut daemons, &format!("dgt/a/1/alert/{id}"), &alert(&id, "1"));
    }
    assert_eq!(daemons.by_root["dgt/a/1"].alerts.len(), MOST_ALERTS);
}

#[test]
fn what_changes_has_the_next_number_and_nothing_else() {
    let mut daemons = Daemons::after(7);
    hall(&mut daemons, "dgt/a/one", "11111", 1);
    hall(&mut daemons, "dgt/b/one", "22222", 2);
    let mut numbers = |topic: &str, payload: &Value| {
        take(&mut daemons, topic, payload);
        daemons.show(at(10)).0.into_values().map(|board| board.seq).collect::<Vec<_>>()
    };
    assert_eq!(numbers("dgt/a/one/status", &json!("x")), [8, 9], "not online any more");
    assert_eq!(numbers("dgt/b/one/board/22222/state", &state("22222", 2, 6)), [8, 10]);
    assert_eq!(numbers("dgt/a/one/alert/11111-1-1", &alert("11111-1-1", "11111")), [11, 10]);
    assert_eq!(daemons.seq, 11);
}

#[test]
fn an_alert_of_a_board_named_by_its_port_goes_when_withdrawn() {
    let mut daemons = Daemons::after(0);
    let (port, level) = ("/dev/ttyACM0", "dev-ttyacm0");
    daemons.handle_message("dgt/a/one/status", b"online", at(5));
    take(&mut daemons, &format!("dgt/a/one/board/{level}/state"), &state(port, 1, 5));
    let topic = format!("dgt/a/one/alert/{level}-1-1");
    take(&mut daemons, &topic, &alert("/dev/ttyACM0-1-1", port));
    let open = |daemons: &mut Daemons| {
        let (boards, _) = daemons.show(at(10));
        let open: Vec<String> = boards[port].open_alerts().map(|(id, _)| id.to_owned()).collect();
        open
    };
    assert_eq!(open(&mut daemons), ["/dev/ttyACM0-1-1"], "under its own name, which orders refer to");
    daemons.handle_message(&topic, b"", at(5));
    assert!(open(&mut daemons).is_empty());
}

#[test]
fn what_a_broker_holds_takes_so_much_memory_at_most() {
    let mut daemons = Daemons::after(0);
    let total = 20_000;
    daemons.room = Room(total);
    let game = |length: usize| json!({"number": 1, "start": "x".repeat(length), "began": at(1), "moves": [], "result": null, "by": null});
    let topic = |board: u32| format!("dgt/a/one/board/{board}/game");
    for board in 0..100 {
        take(&mut daemons, &topic(board), &game(5_000));
        take(&mut daemons, &format!("dgt/a/one/alert/{board}-1-1"), &alert(&format!("{board}-1-1"), "0"));
    }
    let held = |daemons: &Daemons| {
        let daemon = &daemons.by_root["dgt/a/one"];
        let boards = daemon.boards.values().map(|board| board.state_bytes + board.game_bytes);
        boards.chain(daemon.alerts.values().map(|alert| alert.bytes)).sum::<usize>()
    };
    assert!(daemons.full && held(&daemons) + daemons.room.0 == total, "{}", held(&daemons));
    // What is replaced or taken back makes room.
    for board in 0..3 {
        take(&mut daemons, &topic(board), &game(10));
    }
    for board in 0..100 {
        daemons.handle_message(&format!("dgt/a/one/alert/{board}-1-1"), b"", at(5));
    }
    take(&mut daemons, &topic(7), &game(17_000));
    assert!(daemons.by_root["dgt/a/one"].boards["7"].game_bytes > 17_000);
    assert_eq!(held(&daemons) + daemons.room.0, total);
    let long = format!("dgt/a/one/board/{}/game", "1".repeat(LONGEST_TOPIC));
    take(&mut daemons, &long, &game(1));
    assert!(daemons.by_root["dgt/a/one"].boards.keys().all(|board| board.len() < 10));
}
