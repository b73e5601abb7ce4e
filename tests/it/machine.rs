//! A machine that has no handles left, sleeps, or is set to another time, and a daemon that is asked to reload again and
//! again.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::Command,
    thread,
    time::Duration,
};

use rustix::process::{Resource, Rlimit, Signal, getrlimit, prlimit};
use serde_json::Value;

use crate::{
    hall::{Boards, LONGEST, check, events, game, of, options},
    support::{Board, Hall, Reserved, START, Socket, Terminal},
};

use jadoube_emulate::hall::{self, HallOptions};
use jadoube_runtime::clock::SystemClock;

mod clocks;

const ASK_SERIAL: u8 = 0x45;

/// Plugs in a board with the pieces in their initial position.
fn plug(socket: &Socket, serial: &str) -> Board<TcpStream> {
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial(serial);
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &START].concat());
    board
}

/// A configuration without any port.
const NO_PORT: &str = "[ports]\nscan = []\n";

/// Makes the first move of a game.
fn play_e4(hall: &Hall, board: &mut Board<impl Read + Write>) {
    board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1]);
    wait("the first move", || has(hall, "\"uci\":\"e2e4\""));
}

/// Starts a daemon with one port, at which the first move of a game is made.
fn in_play(socket: &Socket) -> (Hall, Board<TcpStream>) {
    let mut daemon = Hall::new(&format!("{NO_PORT}[[port]]\npath = '{}'\n", socket.port()));
    daemon.start();
    let mut board = plug(socket, "23946");
    play_e4(&daemon, &mut board);
    (daemon, board)
}

/// Leaves the port of a game out of the configuration, twice: it stays.
fn leave_out(daemon: &mut Hall, port: &str) {
    daemon.configure(NO_PORT);
    for _ in 0..2 {
        daemon.signal(Signal::HUP);
        let messages = daemon.wait_message("configuration read");
        let reported = messages.iter().find(|line| line.contains("stays, as a game is in play there"));
        assert!(reported.is_some_and(|line| line.contains(port)), "{messages:#?}");
    }
}

fn has(hall: &Hall, text: &str) -> bool {
    hall.log("events.jsonl").contains(text)
}

/// Lifts the pawn on e2 and puts it back.
fn shuffle(board: &mut Board<TcpStream>) {
    board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x34, 1]);
}

fn lifts(hall: &Hall) -> usize {
    hall.log("events.jsonl").matches("\"event\":\"lift\"").count()
}

/// Waits until something is so.
#[track_caller]
fn wait(what: &str, is_so: impl Fn() -> bool) {
    let clock = SystemClock::start();
    while !is_so() {
        assert!(clock.now().as_secs() < LONGEST.as_secs_f64(), "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns how many lifts the captures have, however their bytes were split.
fn recorded(hall: &Hall) -> usize {
    let texts = hall.captures().into_iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        let received = text.lines().filter_map(|line| line.split_once(" < ")).map(|(_, bytes)| bytes);
        received.collect::<Vec<_>>().join(" ")
    });
    texts.map(|bytes| bytes.matches("8e 00 05 34 00").count()).sum()
}

/// Checks that the events are numbered without a gap.
#[track_caller]
fn check_numbers(hall: &Hall) {
    let log = hall.log("events.jsonl");
    let numbers: Vec<u64> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert!(numbers.iter().copied().eq(1..=u64::try_from(numbers.len()).unwrap()), "{numbers:?}");
}

fn handles(hall: &Hall) -> String {
    format!("/proc/{}/fd", hall.process().as_raw_nonzero())
}

fn open_handles(hall: &Hall) -> u64 {
    fs::read_dir(handles(hall)).unwrap().count().try_into().unwrap()
}

/// Returns the first handle that is free for good: one that is taken for a moment, as to write a file of state, is not counted.
fn first_free_handle(hall: &Hall) -> u64 {
    let is_open = |number: &u64| fs::symlink_metadata(format!("{}/{number}", handles(hall))).is_ok();
    let look = |_| {
        hall.wait_alive();
        (0..1024).find(|number| !is_open(number)).unwrap()
    };
    (0..5).map(look).min().unwrap()
}

#[test]
fn without_handles_boards_play_on_and_nothing_is_lost() {
    let (first, second, reserved) = (Socket::new(), Socket::new(), Reserved::new());
    let (one, other, http) = (first.port(), second.port(), reserved.address);
    let mut hall = Hall::new(&format!(
        "[ports]\nscan = []\n[[port]]\npath = '{one}'\n[[port]]\npath = '{other}'\n[http]\nlisten = '{http}'"
    ));
    hall.start_with(&[("WATCHDOG_USEC", "3000000")]);
    hall.wait_message("listens");
    let mut board = plug(&first, "23946");
    let other = plug(&second, "23947");
    hall.wait_notification("STATUS=2 boards");
    shuffle(&mut board);
    wait("a lift", || lifts(&hall) == 1);
    // Not one more than it has; those that it closes come free, and are taken by connections.
    let limit = open_handles(&hall);
    let as_before = getrlimit(Resource::Nofile);
    let none_left = Rlimit { current: Some(limit), ..as_before };
    prlimit(Some(hall.process()), Resource::Nofile, none_left).unwrap();
    let browsers: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(http).unwrap()).collect();
    hall.wait_message("no connection can be accepted");
    hall.wait_status(&["http: no connection can be accepted"]);
    // A board that is unplugged meanwhile cannot be opened again; its handle has been taken by a browser.
    other.hang_up();
    hall.wait_message("Too many open files");
    // It says that it lives, or the service manager would end it.
    hall.wait_alive();
    for _ in 0..10 {
        shuffle(&mut board);
    }
    wait("ten lifts", || lifts(&hall) == 11);
    prlimit(Some(hall.process()), Resource::Nofile, as_before).unwrap();
    let _other = plug(&second, "23947");
    hall.wait_status(&["2 boards"]);
    wait("all is well", || {
        let log = hall.log("alerts.jsonl");
        log.matches("\"state\":\"corrected\"").count() == log.matches("\"service-degraded\"").count()
    });
    drop(browsers);
    assert_eq!(hall.stop(), 0);
    assert_eq!((lifts(&hall), recorded(&hall)), (11, 11));
    check_numbers(&hall);
}

#[test]
fn handles_that_are_back_are_noticed_without_a_connection() {
    let reserved = Reserved::new();
    let http = reserved.address;
    let mut hall = Hall::new(&format!("[ports]\nscan = []\n[http]\nlisten = '{http}'"));
    hall.start_with(&[("WATCHDOG_USEC", "600000")]);
    hall.wait_message("listens");
    // The connection takes the last handle, so that the listener has none for the next one, which never comes.
    let as_before = getrlimit(Resource::Nofile);
    let one_left = Rlimit { current: Some(first_free_handle(&hall) + 1), ..as_before };
    prlimit(Some(hall.process()), Resource::Nofile, one_left).unwrap();
    let browser = TcpStream::connect(http).unwrap();
    hall.wait_message("no connection can be accepted");
    hall.wait_status(&["http: no connection can be accepted"]);
    prlimit(Some(hall.process()), Resource::Nofile, as_before).unwrap();
    hall.wait_notification("STATUS=0 boards");
    drop(browser);
    assert_eq!(hall.stop(), 0);
}

#[test]
fn reloads_without_end_disturb_no_game() {
    let few = || HallOptions { boards: 3, ..options() };
    let boards = Boards::play(few());
    let port = |address: &String| format!("[[port]]\npath = '{address}'\n");
    let ports = boards.addresses.iter().map(port).collect::<Vec<_>>().concat();
    let config = |round: usize, more: &str| {
        format!(
            "[event]\ncontrol = 'rapid'\ntime_control = '15+10'\nround = {round}\n[ports]\nscan = []\n{ports}{more}"
        )
    };
    let mut daemon = Hall::new(&config(1, ""));
    daemon.start();
    let clock = SystemClock::start();
    let mut reloads = 0;
    // A busy machine does not get far with them while the games last; two rounds there are.
    while reloads < 20 || (0..few().boards).any(|board| game(&events(&daemon), board).is_none()) {
        assert!(clock.now().as_secs() < LONGEST.as_secs_f64(), "the last game has not come");
        // Ten signals on ten files, of which every third cannot be read; the daemon takes the last one at least.
        for _ in 0..10 {
            reloads += 1;
            daemon.configure(&config(reloads, if reloads % 3 == 0 { "nonsense = 1" } else { "" }));
            daemon.signal(Signal::HUP);
            thread::sleep(Duration::from_millis(10));
        }
        daemon.wait_message(if reloads % 3 == 0 { "unknown key" } else { "configuration read" });
    }
    // The last one counts.
    let last = Socket::new();
    daemon.configure(&config(77, &format!("[[port]]\npath = '{}'\n", last.port())));
    daemon.signal(Signal::HUP);
    drop(last.plug());
    assert_eq!(daemon.stop(), 0);
    let events = events(&daemon);
    for board in 0..few().boards {
        check(&events, board, &hall::record(&few(), board).truth, &[]);
        let downs = of(&events, board, "link").filter(|link| link["state"] == "down").count();
        assert!(downs <= 1, "its port was closed {downs} times");
    }
}

#[test]
fn a_port_in_play_stays_after_a_reload_until_its_game_is_over() {
    let kept = Socket::new();
    let (mut daemon, mut board) = in_play(&kept);
    // A file of which only the beginning is there is read without an error.
    leave_out(&mut daemon, &kept.port());
    // 1... e5
    board.send(&[0x8e, 0, 5, 0x0c, 0, 0x8e, 0, 5, 0x1c, 7]);
    wait("the second move", || has(&daemon, "\"uci\":\"e7e5\""));
    // The kings on e4 and d5: White has won.
    board.send(&[0x8e, 0, 5, 0x3c, 0, 0x8e, 0, 5, 0x24, 0, 0x8e, 0, 5, 0x24, 5]);
    board.send(&[0x8e, 0, 5, 0x04, 0, 0x8e, 0, 5, 0x1b, 11]);
    wait("the result", || has(&daemon, "\"event\":\"game\""));
    daemon.signal(Signal::HUP);
    board.wait_end();
    assert_eq!(daemon.stop(), 0);
}

#[test]
fn a_port_unplugged_in_play_stays_after_a_reload() {
    let kept = Socket::new();
    let (mut daemon, board) = in_play(&kept);
    let port = kept.port();
    let plug_in = kept.unplug();
    board.hang_up();
    wait("the end of the link", || has(&daemon, "\"state\":\"down\""));
    leave_out(&mut daemon, &port);
    // It comes back with 1... e5 on it.
    let kept = plug_in();
    let mut board = kept.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    let mut present = START;
    for (field, piece) in [(0x34, 0), (0x24, 1), (0x0c, 0), (0x1c, 7)] {
        present[field] = piece;
    }
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &present].concat());
    wait("the second move", || has(&daemon, "\"uci\":\"e7e5\""));
    assert_eq!(daemon.log("events.jsonl").matches("\"event\":\"game-start\"").count(), 1);
    assert_eq!(daemon.stop(), 0);
}

#[test]
fn a_port_in_play_that_is_listed_by_a_reload_is_not_closed() {
    let mut daemon = Hall::new("");
    let device = daemon.dir.path().join("ttyBoard");
    let scan = format!("[ports]\nscan = ['{}/tty*']\nrescan_s = 1\n", daemon.dir.path().display());
    let listed = format!("{NO_PORT}[[port]]\npath = '{}'\n", device.display());
    daemon.configure(&scan);
    let mut terminal = Terminal::new(&device);
    let board = &mut terminal.board;
    daemon.start();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &START].concat());
    play_e4(&daemon, board);
    for config in [&listed, &scan, &listed] {
        daemon.configure(config);
        daemon.signal(Signal::HUP);
        daemon.wait_message("configuration read");
    }
    // 1... e5
    board.send(&[0x8e, 0, 5, 0x0c, 0, 0x8e, 0, 5, 0x1c, 7]);
    wait("the second move", || has(&daemon, "\"uci\":\"e7e5\""));
    assert!(!has(&daemon, "\"state\":\"down\""), "{}", daemon.log("events.jsonl"));
    assert_eq!(daemon.stop(), 0);
}
