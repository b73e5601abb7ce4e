//! The daemon and a real broker, which is killed, started again, refuses, and lets others write.

pub(crate) mod broker;
mod coming_and_going;
mod left;
mod takeover;

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Command,
};

use rustix::process::Signal;
use serde_json::Value;

use self::broker::{Broker, is_missing, wait};
use crate::support::{Board, Hall, Reserved, START, Socket};

/// Serial number request, which the daemon sends to identify a board.
const ASK_SERIAL: u8 = 0x45;

fn hall_with(config: &str) -> (Socket, Hall) {
    let socket = Socket::new();
    let hall = Hall::new("");
    hall.configure(&configuration(&socket, config));
    (socket, hall)
}

pub(crate) fn configuration(socket: &Socket, mqtt: &str) -> String {
    let table = "[[table]]\nnumber = 7\nserial = '23946'\nwhite = 'Doe, J'\n";
    let port = socket.port();
    format!(
        "[ports]\nscan = []\n[[port]]\npath = '{port}'\n{table}[mqtt]\nsite = 'hall-a'\ndaemon = 'one'\n{mqtt}\n"
    )
}

/// A board and its position.
pub(crate) struct Table {
    board: Board<TcpStream>,
    fields: [u8; 64],
}

impl Table {
    /// Plugs in a board with the initial position.
    pub(crate) fn plug(socket: &Socket) -> Self {
        Self::plug_with(socket, START)
    }

    fn plug_with(socket: &Socket, fields: [u8; 64]) -> Self {
        let mut board = socket.plug();
        board.wait_command(ASK_SERIAL);
        board.say_serial("23946");
        board.send(&[[0x86, 0x00, 0x43].as_slice(), &fields].concat());
        Self { board, fields }
    }

    /// Moves a piece; squares are numbered from a8 on.
    pub(crate) fn play(&mut self, from: u8, to: u8) {
        let piece = std::mem::take(&mut self.fields[usize::from(from)]);
        self.fields[usize::from(to)] = piece;
        self.board.send(&[0x8e, 0x00, 0x05, from, 0]);
        self.board.send(&[0x8e, 0x00, 0x05, to, piece]);
    }
}

/// Returns the numbers of the events in the log that a broker gets.
fn logged(hall: &Hall) -> Vec<u64> {
    let lines = hall.log("events.jsonl");
    let events = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let quiet = ["lift", "place", "press", "clock"].map(Value::from);
    events
        .filter(|event| !quiet.contains(&event["event"]))
        .map(|event| event["seq"].as_u64().unwrap())
        .collect()
}

/// Returns the number up to which the daemon has noted that the broker has everything.
fn noted(hall: &Hall) -> u64 {
    let text = fs::read_to_string(hall.dir.path().join("state/mqtt.json")).unwrap_or_default();
    let memory: Value = serde_json::from_str(&text).unwrap_or_default();
    memory["acknowledged"].as_u64().unwrap_or(0)
}

fn seqs(events: &[Value]) -> Vec<u64> {
    events.iter().map(|event| event["data"]["seq"].as_u64().unwrap()).collect()
}

#[test]
fn states_are_retained_and_alerts_as_long_as_they_are_open() {
    if is_missing("states_are_retained_and_alerts_as_long_as_they_are_open") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    hall.configure(&configuration(&socket, &format!("url = 'mqtt://127.0.0.1:{}'", broker.port)));
    hall.start();
    let mut listener = broker.listen(&[]);
    let table = Table::plug(&socket);
    listener.wait("dgt/hall-a/one/status", "online");
    listener.wait("dgt/hall-a/one/board/23946/availability", "online");
    let state = listener.wait("board/23946/state", "\"game\":1").json();
    assert_eq!(
        (&state["table"], &state["link"], &state["white"]),
        (&7.into(), &"up".into(), &"Doe, J".into())
    );
    assert_eq!(state["placement"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    let plug_in_again = socket.unplug();
    table.board.hang_up();
    let alert = listener.wait("alert/23946-1-1", "board-link").json();
    assert_eq!(
        (&alert["board"], &alert["table"], &alert["state"]),
        (&"23946".into(), &7.into(), &"open".into())
    );
    listener.wait("board/23946/availability", "offline");
    // A later subscriber gets the open alerts.
    let mut late = broker.listen(&[]);
    late.wait("alert/23946-1-1", "board-link");
    let retained: Vec<&str> =
        late.seen.iter().filter(|message| message.retained).map(|message| message.topic.as_str()).collect();
    for topic in ["status", "info", "board/23946/state", "board/23946/game", "board/23946/availability"] {
        let topic = format!("dgt/hall-a/one/{topic}");
        assert!(retained.contains(&topic.as_str()), "{topic}: {retained:?}");
    }
    let _table = Table::plug(&plug_in_again());
    listener.wait_empty("alert/23946-1-1");
    listener.wait("dgt/hall-a/one/event", "alert-update");
    let events = listener.events();
    let kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"jadoube.alert") && kinds.contains(&"jadoube.alert-update"), "{kinds:?}");
    // The killed daemon cannot publish this; the broker sends its last will.
    hall.signal(Signal::KILL);
    listener.wait("dgt/hall-a/one/status", "offline");
    hall.wait();
}

#[test]
fn after_an_outage_everything_comes_in_order() {
    if is_missing("after_an_outage_everything_comes_in_order") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let password = hall.dir.path().join("password");
    fs::write(&password, "open sesame\n").unwrap();
    let passwords = hall.dir.path().join("broker/passwords");
    fs::create_dir_all(passwords.parent().unwrap()).unwrap();
    fs::write(&passwords, "").unwrap();
    let mut broker = Broker::start(hall.dir.path(), &format!("password_file {}", passwords.display()));
    let login = ["-u", "listener", "-P", "1"];
    broker.let_in("listener", "1");
    broker.let_in("daemon", "open sesame");
    broker.reload();
    let mqtt = format!(
        "url = 'mqtt://127.0.0.1:{}'\nuser = 'daemon'\npassword_file = '{}'",
        broker.port,
        password.display()
    );
    hall.configure(&configuration(&socket, &mqtt));
    // The first event comes with the connection, before the board is plugged in.
    let mut before = broker.listen(&login);
    hall.start();
    let mut table = Table::plug(&socket);
    table.play(52, 36);
    before.wait("board/23946/move", "\"san\":\"e4\"");
    wait(|| noted(&hall) > 0, "it is noted");
    broker.kill();
    hall.wait_message("the broker is away");
    table.play(12, 28);
    wait(|| hall.log("events.jsonl").contains("\"san\":\"e5\""), "the log has the move");
    // The daemon is killed as well while the broker is down: the backlog must not be in memory only.
    hall.signal(Signal::KILL);
    hall.wait();
    // At first the broker admits only the subscriber, so that it misses nothing.
    fs::write(&passwords, "").unwrap();
    broker.let_in("listener", "1");
    broker.again();
    let mut after = broker.listen(&login);
    hall.start();
    let mut table = Table::plug_with(&socket, table.fields);
    hall.wait_message("cannot reach the broker");
    table.play(62, 45);
    wait(|| hall.log("events.jsonl").contains("\"san\":\"Nf3\""), "the log has the move");
    broker.let_in("daemon", "open sesame");
    broker.reload();
    after.wait("board/23946/move", "\"san\":\"Nf3\"");
    table.play(1, 18);
    after.wait("board/23946/move", "\"san\":\"Nc6\"");
    wait(|| hall.log("events.jsonl").contains("\"san\":\"Nc6\""), "the log has the move");
    let (before, after) = (seqs(&before.events()), seqs(&after.events()));
    assert!(before.is_sorted_by(|a, b| a < b), "{before:?}");
    assert!(after.is_sorted_by(|a, b| a < b), "{after:?}");
    let mut all = before.clone();
    all.extend(after.iter().filter(|seq| !before.contains(seq)));
    assert!(all.is_sorted_by(|a, b| a < b), "{before:?} then {after:?}");
    let logged: Vec<u64> = logged(&hall).into_iter().filter(|seq| *seq <= all[all.len() - 1]).collect();
    assert_eq!(all, logged, "{before:?} then {after:?}");
}

#[test]
fn what_the_log_has_lost_comes_from_the_captures() {
    if is_missing("what_the_log_has_lost_comes_from_the_captures") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let mut broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    hall.configure(&configuration(&socket, &format!("url = 'mqtt://127.0.0.1:{}'", broker.port)));
    hall.start();
    let mut before = broker.listen(&[]);
    let mut table = Table::plug(&socket);
    table.play(52, 36);
    before.wait("board/23946/move", "\"san\":\"e4\"");
    let last = before.events().iter().map(|event| event["data"]["seq"].as_u64().unwrap()).max().unwrap();
    wait(|| noted(&hall) >= last, "it is noted");
    broker.kill();
    for (from, to, san) in [(12, 28, "e5"), (62, 45, "Nf3"), (1, 18, "Nc6")] {
        table.play(from, to);
        wait(|| hall.log("events.jsonl").contains(&format!("\"san\":\"{san}\"")), "the log has the move");
    }
    hall.signal(Signal::KILL);
    hall.wait();
    let log = hall.dir.path().join("log/events.jsonl");
    let kept: String = hall
        .log("events.jsonl")
        .lines()
        .filter(|line| !line.contains("\"e5\"") && !line.contains("\"Nf3\""))
        .fold(String::new(), |text, line| text + line + "\n");
    fs::write(&log, kept).unwrap();
    broker.again();
    let mut after = broker.listen(&[]);
    hall.start();
    after.wait("board/23946/move", "\"san\":\"Nc6\"");
    let events = after.events();
    // Events that were sent but not yet noted are sent twice.
    let is_new = |data: &&Value| data["completed"] == false && data["san"] != "e4";
    let moves = events.iter().map(|event| &event["data"]).filter(is_new);
    let sans: Vec<&str> = moves.map(|data| data["san"].as_str().unwrap()).collect();
    assert_eq!(sans[..3], ["e5", "Nf3", "Nc6"], "{events:#?}");
}

#[test]
fn orders_come_in_only_if_that_is_switched_on() {
    if is_missing("orders_come_in_only_if_that_is_switched_on") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    let url = format!("url = 'mqtt://127.0.0.1:{}'", broker.port);
    hall.configure(&configuration(&socket, &url));
    let topic = "dgt/hall-a/one/cmd/23946";
    let order =
        |transaction: &str, order: &str| format!("{{\"transaction\":\"{transaction}\",\"order\":{order}}}");
    // A retained order is old and must not be carried out.
    broker.publish(&[], topic, &order("old", "\"result\",\"result\":\"0-1\""), &["-r"]);
    hall.start();
    let mut listener = broker.listen(&[]);
    let _table = Table::plug(&socket);
    listener.wait("board/23946/state", "\"game\":1");
    broker.publish(&[], topic, &order("a", "\"result\",\"result\":\"1-0\""), &[]);
    hall.configure(&configuration(&socket, &format!("{url}\ncommands = true")));
    hall.signal(Signal::HUP);
    listener.wait("dgt/hall-a/one/info", "\"commands\":true");
    for garbage in ["", "flip", "{\"order\":\"flip\"}", "[[[[[[[[", "{\"transaction\":\"x\"}"] {
        broker.publish(&[], topic, garbage, &[]);
    }
    let refusal = listener.wait("cmd/23946/reply", "\"x\"").json();
    assert_eq!(refusal["ok"], false, "{refusal}");
    broker.publish(&[], topic, &order("b", "\"result\",\"result\":\"1/2-1/2\""), &[]);
    broker.publish(&[], topic, &order("b", "\"result\",\"result\":\"1/2-1/2\""), &[]);
    let reply = listener.wait("cmd/23946/reply", "\"b\"").json();
    assert_eq!((&reply["ok"], &reply["board"]), (&true.into(), &"23946".into()));
    listener.wait("board/23946/state", "\"result\":\"1/2-1/2\"");
    broker.publish(&[], "dgt/hall-a/one/cmd/99999", &order("c", "\"flip\""), &[]);
    let reply = listener.wait("cmd/99999/reply", "\"c\"").json();
    assert_eq!(reply["reason"], "there is no board 99999");
    let results: Vec<Value> =
        listener.events().into_iter().filter(|event| event["type"] == "jadoube.result").collect();
    assert_eq!(results.len(), 1, "{results:#?}");
}

#[test]
fn a_hostile_broker_is_bounded() {
    if is_missing("a_hostile_broker_is_bounded") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    let url = format!("url = 'mqtt://127.0.0.1:{}'\ncommands = true", broker.port);
    hall.configure(&configuration(&socket, &url));
    // A retained order would be received again on every connection.
    let large = hall.dir.path().join("large");
    fs::write(&large, vec![b'x'; 1 << 20]).unwrap();
    let port = broker.port.to_string();
    let status = Command::new("mosquitto_pub")
        .args(["-p", &port, "-q", "1", "-r", "-t", "dgt/hall-a/one/cmd/1", "-f"])
        .arg(&large)
        .status();
    assert!(status.unwrap().success());
    hall.start();
    hall.wait_message("no orders for");
    let mut listener = broker.listen(&[]);
    let _table = Table::plug(&socket);
    listener.wait("board/23946/state", "\"game\":1");
    // Once it is removed, orders are accepted again.
    let clear = ["-p", &port, "-q", "1", "-r", "-t", "dgt/hall-a/one/cmd/1", "-n"];
    assert!(Command::new("mosquitto_pub").args(clear).status().unwrap().success());
    let mut replies = broker.listen(&[]);
    let order = "{\"transaction\": \"t1\", \"order\": \"mute\", \"seconds\": 60}";
    let topic = "dgt/hall-a/one/cmd/23946";
    // Sent until one is answered: the end of the channel ends it.
    let (answered, ends) = std::sync::mpsc::channel::<()>();
    let repeated = std::thread::spawn(move || {
        let again = std::time::Duration::from_millis(500);
        while ends.recv_timeout(again) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            Command::new("mosquitto_pub")
                .args(["-p", &port, "-q", "1", "-t", topic, "-m", order])
                .status()
                .unwrap();
        }
    });
    replies.wait("cmd/23946/reply", "\"ok\":true");
    drop(answered);
    repeated.join().unwrap();
    assert_eq!(hall.stop(), 0);
}

#[test]
fn an_order_behind_one_that_is_too_long_is_carried_out() {
    if is_missing("an_order_behind_one_that_is_too_long_is_carried_out") {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    let http = Reserved::new();
    let more = format!(
        "url = 'mqtt://127.0.0.1:{}'\ncommands = true\n[http]\nlisten = '{}'",
        broker.port, http.address
    );
    hall.configure(&configuration(&socket, &more));
    hall.start();
    let mut listener = broker.listen(&[]);
    let _table = Table::plug(&socket);
    listener.wait("board/23946/state", "\"game\":1");
    let topic = "dgt/hall-a/one/cmd/23946";
    let (large, port) = (hall.dir.path().join("large"), broker.port.to_string());
    let mute = |transaction: &str| {
        format!("{{\"transaction\": \"{transaction}\", \"order\": \"mute\", \"seconds\": 60}}")
    };
    for (number, length) in [5_000, 65_536, 70_000, 1_000_000].into_iter().enumerate() {
        // It would be an order if it were shorter.
        let text = mute("long").replace('}', &format!(", \"by\": \"{}\"}}", "x".repeat(length)));
        fs::write(&large, text).unwrap();
        let publish = ["-p", &port, "-q", "1", "-t", topic, "-f"];
        assert!(Command::new("mosquitto_pub").args(publish).arg(&large).status().unwrap().success());
        // Whoever sends it does so once, and nobody repeats it for him.
        let transaction = format!("behind {number}");
        broker.publish(&[], topic, &mute(&transaction), &[]);
        let reply = listener.wait("cmd/23946/reply", &transaction).json();
        assert_eq!(reply["ok"], true, "{length}: {reply}");
    }
    hall.wait_message("is no order and is ignored");
    let health = format!("http://{}/healthz", http.address);
    let text = |mut answer: ureq::http::Response<ureq::Body>| answer.body_mut().read_to_string().unwrap();
    wait(
        || ureq::get(&health).call().is_ok_and(|answer| text(answer).contains("mqtt-orders: a message of")),
        "health says what came in",
    );
    assert_eq!(hall.stop(), 0);
}

#[test]
fn the_connection_may_be_encrypted() {
    let name = "the_connection_may_be_encrypted";
    if is_missing(name) {
        return;
    }
    let (socket, mut hall) = hall_with("");
    let dir = hall.dir.path().to_owned();
    let openssl = |args: &str| Command::new("openssl").args(args.split(' ')).current_dir(&dir).output();
    if openssl("version").is_err() {
        println!("{name} is skipped: needs the Debian package openssl");
        return;
    }
    let run = |args: &str| assert!(openssl(args).unwrap().status.success(), "{args}");
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.pem");
    run(
        "req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout broker.key -out broker.csr",
    );
    run(
        "x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out broker.pem",
    );
    let path = |file: &str| dir.join(file).display().to_string();
    let reserved = Reserved::new();
    let tls_port = reserved.address.port();
    let config = format!(
        "allow_anonymous true\nlistener {tls_port} 127.0.0.1\ncertfile {}\nkeyfile {}",
        path("broker.pem"),
        path("broker.key")
    );
    let broker = Broker::start(&dir, &config);
    let url = format!("url = 'mqtts://localhost:{tls_port}'\nca_file = '{}'", path("ca.pem"));
    hall.configure(&configuration(&socket, &url));
    hall.start();
    let mut listener = broker.listen(&[]);
    listener.wait("dgt/hall-a/one/status", "online");
    // A certificate without a known issuer is refused.
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout other.key -out other.pem");
    hall.configure(&configuration(&socket, &url.replace("ca.pem", "other.pem")));
    hall.signal(Signal::HUP);
    hall.wait_message("cannot reach the broker");
    listener.wait("dgt/hall-a/one/status", "offline");
    assert_eq!(hall.stop(), 0);
}

/// What a broker says to a client that it lets in.
const WELCOME: [u8; 4] = [0x20, 0x02, 0x00, 0x00];

#[test]
fn a_second_client_with_the_same_name_is_called_that() {
    let broker = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("url = 'mqtt://{}'", broker.local_addr().unwrap());
    let (_socket, mut hall) = hall_with(&url);
    hall.start();
    // A broker says nothing more to a client whose name another one has.
    for _ in 0..3 {
        let (mut client, _) = broker.accept().unwrap();
        assert!(client.read(&mut [0; 1024]).unwrap() > 0);
        client.write_all(&WELCOME).unwrap();
        assert!(client.read(&mut [0; 1024]).unwrap() > 0, "it is let in");
    }
    let seen = hall.wait_message("another client took over this name");
    assert!(seen.last().unwrap().contains("hall-a"), "{seen:?}");
    assert_eq!(hall.stop(), 0);
}
