//! Boards that are broken or meant to do harm, beside one that is neither.

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Hall, START, Socket, Terminal, eventually};

/// Frame of a serial number, five characters.
fn serial(number: u32) -> Vec<u8> {
    let number = format!("{number:05}");
    [[0x91, 0x00, 0x08].as_slice(), number.as_bytes()].concat()
}

/// A hall with two ports.
fn hall(hostile: &Socket, sane: &Socket) -> Hall {
    let (hostile, sane) = (hostile.port(), sane.port());
    let config = format!("[ports]\nscan = []\n[[port]]\npath = '{hostile}'\n[[port]]\npath = '{sane}'\n");
    Hall::new(&config)
}

/// The boards that the log names, without the service itself.
fn named(hall: &Hall) -> BTreeSet<String> {
    let log = hall.log("events.jsonl");
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let named = events.map(|event| event["board"].as_str().unwrap_or_default().to_owned());
    named.filter(|board| board != "service").collect()
}

#[test]
fn a_board_with_changing_numbers_becomes_few_boards() {
    let (hostile, sane) = (Socket::new(), Socket::new());
    let mut hall = hall(&hostile, &sane);
    hall.start();
    let (mut mad, mut board) = (hostile.plug(), sane.plug());
    board.wait_command(0x45);
    board.say_serial("23946");
    hall.wait_message("23946");
    // Each number often enough to be believed, slowly enough to be no flood.
    let mut messages = Vec::new();
    for number in 0..400 {
        mad.send(&serial(30_000 + number).repeat(3));
        thread::sleep(Duration::from_millis(5));
    }
    messages.extend(hall.wait_message("other serial numbers within an hour"));
    mad.hang_up();
    assert_eq!(hall.stop(), 0);
    let named = named(&hall);
    assert!(named.contains("23946") && named.len() <= 10, "{named:?}");
    assert!(hall.captures().len() <= 10, "{:?}", hall.captures());
    let log = hall.log("boards.json");
    assert!(log.len() < 20_000, "{}", log.len());
    let errors = messages.iter().filter(|line| line.contains("ERROR")).count();
    assert!(errors <= 2, "{messages:?}");
}

#[test]
fn a_board_with_a_text_for_a_number_is_called_by_its_port() {
    let (hostile, sane) = (Socket::new(), Socket::new());
    let mut hall = hall(&hostile, &sane);
    hall.start();
    let (mut mad, mut board) = (hostile.plug(), sane.plug());
    board.wait_command(0x45);
    board.say_serial("23946");
    hall.wait_message("23946");
    for text in ["     ", "a/#+b", "../..", "<b>a<", "\u{1b}[2Jx", "00000"] {
        mad.send(&[[0x91, 0x00, 0x08].as_slice(), text.as_bytes()].concat());
    }
    mad.hang_up();
    board.hang_up();
    hall.signal(Signal::TERM);
    assert_eq!(hall.wait(), 0);
    let named = named(&hall);
    assert!(named.iter().all(|board| board == "23946" || board.starts_with("127.0.0.1:")), "{named:?}");
}

#[test]
fn a_line_that_floods_is_cut_to_one_fault() {
    let (hostile, sane) = (Socket::new(), Socket::new());
    let mut hall = hall(&hostile, &sane);
    hall.start();
    let (mut mad, mut board) = (hostile.plug(), sane.plug());
    mad.say_serial("11111");
    let field = [0x8e, 0x00, 0x05, 0x08, 0x01, 0x8e, 0x00, 0x05, 0x08, 0x00].repeat(100);
    let flood = thread::spawn(move || {
        for _ in 0..1000 {
            mad.send(&field);
        }
        mad
    });
    hall.wait_message("more than ten times what a board can");
    board.wait_command(0x45);
    board.say_serial("23946");
    hall.wait_message("23946");
    hall.signal(Signal::TERM);
    assert_eq!(hall.wait(), 0);
    drop(flood);
    let size: u64 = hall.captures().iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(size < 1_000_000, "{size}");
    let log = hall.log("alerts.log");
    assert!(log.lines().count() < 10, "{log}");
}

#[test]
fn a_line_that_never_answers_is_one_outage() {
    let (hostile, sane) = (Socket::new(), Socket::new());
    let mut hall = hall(&hostile, &sane);
    hall.start();
    for _ in 0..4 {
        drop(hostile.plug());
    }
    // Once something answers, it is up.
    let (mut mad, mut board) = (hostile.plug(), sane.plug());
    mad.wait_command(0x45);
    mad.say_serial("11111");
    board.wait_command(0x45);
    board.say_serial("23946");
    hall.wait_message("11111");
    assert_eq!(hall.stop(), 0);
    let log = hall.log("alerts.jsonl");
    let outages =
        log.lines().filter(|line| line.contains("board-link") && line.contains(r#""state":"open""#));
    assert_eq!(outages.count(), 1, "{log}");
    assert!(named(&hall).contains("11111"), "{log}");
}

/// A loose cable makes a device come and go; each time it is found anew.
#[test]
fn a_device_that_never_answers_is_one_outage() {
    let mut hall = Hall::new("");
    let device = hall.dir.path().join("ttyBoard");
    hall.configure(&format!("[ports]\nscan = ['{}/tty*']\nrescan_s = 1", hall.dir.path().display()));
    hall.start();
    let mut said = Vec::new();
    for _ in 0..3 {
        let terminal = Terminal::new(&device);
        said.extend(hall.wait_message("link is up"));
        drop(terminal);
        said.extend(hall.wait_message("the port is gone"));
    }
    assert_eq!(said.iter().filter(|line| line.contains("cannot open")).count(), 1, "{said:#?}");
    // Once something answers, it is up.
    let mut terminal = Terminal::new(&device);
    terminal.board.wait_command(0x45);
    terminal.board.say_serial("23946");
    hall.wait_message("23946");
    assert_eq!(hall.stop(), 0);
    let log = hall.log("alerts.jsonl");
    let outages =
        log.lines().filter(|line| line.contains("board-link") && line.contains(r#""state":"open""#));
    assert_eq!(outages.count(), 1, "{log}");
    assert!(named(&hall).contains("23946"), "{log}");
}

/// What a server at a `tcp://` address does with each connection.
type Manner = fn(&mut TcpStream) -> std::io::Result<()>;

/// Servers that are no board: one that ends each connection, one that says nothing, one that floods, one that sends a byte now and then
/// and so never ends a message, one that says back what it hears, and one whose event log never ends.
const MANNERS: [Manner; 6] = [
    |_| Ok(()),
    |stream| stream.read_to_end(&mut Vec::new()).map(drop),
    |stream| loop {
        stream.write_all(&[0x86; 4096])?;
    },
    |stream| loop {
        stream.write_all(&[0x86, 0x00])?;
        thread::sleep(Duration::from_millis(100));
    },
    |stream| loop {
        let mut heard = [0; 64];
        let count = stream.read(&mut heard)?;
        if count == 0 {
            return Ok(());
        }
        stream.write_all(&heard[..count])?;
    },
    |stream| loop {
        // A whole one of 7,942 bytes, the most that a message has.
        stream.write_all(&[0x8f, 0x3e, 0x06])?;
        stream.write_all(&[0x40; 7939])?;
        thread::sleep(Duration::from_millis(800));
    },
];

#[test]
fn a_game_beside_servers_that_are_no_boards_is_followed() {
    let sane = Socket::new();
    let ports = MANNERS.map(|manner| {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let path = format!("[[port]]\npath = 'tcp://{}'\n", server.local_addr().unwrap());
        // They end with the process of the tests.
        thread::spawn(move || {
            for mut stream in server.incoming().flatten() {
                thread::spawn(move || manner(&mut stream).unwrap_or_default());
            }
        });
        path
    });
    let mut hall =
        Hall::new(&format!("[ports]\nscan = []\n[[port]]\npath = '{}'\n{}", sane.port(), ports.concat()));
    hall.start();
    let mut board = sane.plug();
    board.wait_command(0x45);
    board.say_serial("23946");
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &START].concat());
    let has = |hall: &Hall, text: &str| hall.log("events.jsonl").contains(text).then_some(());
    eventually("the game begins", || has(&hall, "\"event\":\"game-start\""));
    // 1.e4 e5 2.Nf3 Nc6
    for (from, to, piece) in [(52, 36, 1), (12, 28, 7), (62, 45, 3), (1, 18, 9)] {
        board.send(&[0x8e, 0x00, 0x05, from, 0, 0x8e, 0x00, 0x05, to, piece]);
        thread::sleep(Duration::from_millis(800));
    }
    eventually("the moves", || has(&hall, "\"san\":\"Nc6\""));
    assert_eq!(hall.stop(), 0);
    let size: u64 = hall.captures().iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(size < 4_000_000, "{size}");
    let alerts = hall.log("alerts.jsonl");
    assert!(!alerts.lines().any(|line| line.contains("\"board\":\"23946\"")), "{alerts}");
}
