//! The daemon with boards on TCP and on pseudo terminals.

use std::{fs, net::TcpStream};

use rustix::process::Signal;

use crate::support::{Board, Hall, Socket, Terminal, eventually, records, run};

/// Serial number request, which the daemon sends to identify a board.
const ASK_SERIAL: u8 = 0x45;

fn listed(port: &str) -> String {
    format!("[ports]\nscan = []\n[[port]]\npath = '{port}'\n")
}

#[test]
fn a_hall_without_boards_is_a_healthy_start() {
    let mut hall = Hall::new("[ports]\nscan = []");
    hall.start();
    hall.signal(Signal::TERM);
    hall.wait_notification("STOPPING=1");
    assert_eq!(hall.wait(), 0);
    assert!(hall.captures().is_empty());
}

#[test]
fn a_board_is_asked_and_recorded() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    hall.start();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    assert_eq!(hall.stop(), 0);
    board.wait_end();
    let capture = hall.capture();
    assert!(
        capture.starts_with("# dgt-capture 1\n# answers: recorded\n# port: tcp://127.0.0.1:"),
        "{capture}"
    );
    assert!(capture.contains("\n# started: 2"), "{capture}");
    assert_eq!(records(&capture, '!'), [format!("! open {}", socket.port()), "! close stopped".to_owned()]);
    assert!(records(&capture, '>').contains(&"> 45".to_owned()), "{capture}");
    assert_eq!(records(&capture, '<').concat().matches("91 00 08 32 33 39 34 36").count(), 1, "{capture}");
    assert!(capture.ends_with("! close stopped\n"), "the last line is whole");
    let events = hall.log("events.jsonl");
    let first = events.lines().next().unwrap_or_default();
    assert!(first.contains("\"event\":\"link\"") && first.contains("\"seq\":1"), "{events}");
    assert!(events.contains("\"board\":\"23946\",\"event\":\"board\""), "{events}");
}

#[test]
fn a_restart_goes_on_with_capture_and_numbers() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    for ending in [Signal::KILL, Signal::TERM] {
        hall.start();
        let mut board = socket.plug();
        board.wait_command(ASK_SERIAL);
        board.say_serial("23946");
        hall.wait_notification("STATUS=1 board");
        hall.signal(ending);
        hall.wait();
    }
    let capture = hall.capture();
    let port = socket.port();
    let open = format!("! open {port}");
    assert_eq!(records(&capture, '!'), [&open, "! close the program ended", &open, "! close stopped"]);
    let times: Vec<f64> = capture.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    assert!(times.is_sorted(), "{capture}");
    let seqs: Vec<u64> = hall
        .log("events.jsonl")
        .lines()
        .map(|line| line.rsplit_once("\"seq\":").unwrap().1.trim_end_matches('}').parse().unwrap())
        .collect();
    assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
}

#[test]
fn a_torn_capture_is_mended() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    hall.start();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    hall.stop();
    let path = &hall.captures()[0];
    let whole = fs::read_to_string(path).unwrap();
    fs::write(path, format!("{whole}99.0 < 8e 0")).unwrap();
    hall.start();
    hall.wait_message("the last line was torn");
    drop(socket.plug());
    hall.stop();
    assert!(hall.capture().starts_with(&whole));
    assert!(!hall.capture().contains("8e 0"));
}

#[test]
fn a_board_is_unplugged_and_plugged_in_again() {
    let mut hall = Hall::new("");
    let device = hall.dir.path().join("ttyBoard");
    hall.configure(&format!("[ports]\nscan = ['{}/tty*']\nrescan_s = 1", hall.dir.path().display()));
    let mut terminal = Terminal::new(&device);
    hall.start();
    terminal.board.wait_command(ASK_SERIAL);
    terminal.board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    drop(terminal);
    hall.wait_notification("STATUS=1 board, 1 down");
    let mut terminal = Terminal::new(&device);
    terminal.board.wait_command(ASK_SERIAL);
    terminal.board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    assert_eq!(hall.stop(), 0);
    let capture = hall.capture();
    let link = records(&capture, '!');
    assert_eq!(link.len(), 4, "{link:?}");
    assert!(link[1].starts_with("! close "), "{link:?}");
    assert_eq!(records(&capture, '<').len(), 2);
}

#[test]
fn a_device_that_is_missing_is_named_once() {
    let mut hall = Hall::new(&listed("/dev/nowhere"));
    hall.start();
    let mut messages = Vec::new();
    for _ in 0..3 {
        messages.extend(hall.wait_message("is the board plugged in?"));
    }
    let warnings: Vec<&String> = messages.iter().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 1, "{messages:?}");
    assert!(warnings[0].contains("/dev/nowhere"), "{warnings:?}");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn a_device_in_use_is_named_with_the_remedy() {
    let mut hall = Hall::new("");
    let device = hall.dir.path().join("ttyBoard");
    hall.configure(&listed(device.to_str().unwrap()));
    let _terminal = Terminal::new(&device);
    let other = fs::File::open(&device).unwrap();
    other.try_lock().unwrap();
    hall.start();
    hall.wait_message("another program uses it");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn two_boards_that_change_places_keep_their_games() {
    let sockets = [Socket::new(), Socket::new()];
    let ports = sockets.each_ref().map(Socket::port);
    let mut hall = Hall::new(&format!("{}[[port]]\npath = '{}'\n", listed(&ports[0]), ports[1]));
    hall.start();
    let plug = |hall: &mut Hall, serials: [&str; 2]| {
        let boards = [0, 1].map(|at| {
            let mut board = sockets[at].plug();
            board.wait_command(ASK_SERIAL);
            board.say_serial(serials[at]);
            board
        });
        hall.wait_notification("STATUS=2 boards");
        boards
    };
    let boards = plug(&mut hall, ["11111", "22222"]);
    boards.into_iter().for_each(Board::hang_up);
    hall.wait_notification("STATUS=2 boards, 2 down");
    let mut boards = plug(&mut hall, ["22222", "11111"]);
    let answer = |boards: &mut [Board<TcpStream>; 2]| {
        for (board, serial) in boards.iter_mut().zip(["22222", "11111"]) {
            board.wait_command(ASK_SERIAL);
            board.say_serial(serial);
        }
    };
    // Each port asks for the serial number once more to confirm it,
    answer(&mut boards);
    for _ in 0..2 {
        hall.wait_message("continues a game from another port");
    }
    // and again after it has taken over the game.
    answer(&mut boards);
    for _ in 0..2 {
        hall.wait_message("identified=Own(");
    }
    assert_eq!(hall.stop(), 0);
    let hex = |serial: &str| serial.bytes().fold(String::new(), |text, byte| text + &format!(" {byte:02x}"));
    for path in hall.captures() {
        let capture = fs::read_to_string(&path).unwrap();
        let [one, two] = ["11111", "22222"].map(|serial| capture.contains(&hex(serial)));
        assert!(one != two, "one capture, one board: {capture}");
    }
    let newest = |port: &str| {
        let captures = hall.captures().into_iter().rev().map(|path| fs::read_to_string(path).unwrap());
        captures.into_iter().find(|capture| capture.contains(&format!("# port: {port}\n"))).unwrap()
    };
    assert_eq!(newest(&ports[0]).matches(&hex("22222")).count(), 2, "{}", newest(&ports[0]));
    assert_eq!(newest(&ports[1]).matches(&hex("11111")).count(), 2, "{}", newest(&ports[1]));
}

#[test]
fn a_reload_adds_and_removes_ports() {
    let (first, second) = (Socket::new(), Socket::new());
    let mut hall = Hall::new(&listed(&first.port()));
    hall.start();
    let mut board = first.plug();
    board.wait_command(ASK_SERIAL);
    hall.configure(&listed(&second.port()));
    hall.signal(Signal::HUP);
    board.wait_end();
    second.plug().wait_command(ASK_SERIAL);
    hall.configure("nonsense = 1");
    hall.signal(Signal::HUP);
    hall.wait_message("unknown key");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn names_change_between_rounds_without_a_restart() {
    let mut hall = Hall::new("");
    let file = hall.dir.path().join("pairings.csv");
    let table = "[ports]\nscan = []\nrescan_s = 1\n[[table]]\nnumber = 1\nserial = '23946'";
    hall.configure(&format!("{table}\n[pairings]\nfile = '{}'", file.display()));
    fs::write(&file, "round,table,white,black\n1,1,A,B\n").unwrap();
    hall.start();
    hall.wait_message("pairings read round=1 games=1 at_boards=1");
    fs::write(&file, "round,table,white,black\n2,x,C,D\n").unwrap();
    hall.wait_message("pairings.csv:2: table 'x' is no number; the pairings before it stay");
    fs::write(&file, "round,table,white,black\n2,1,C,D\n2,2,E,F\n").unwrap();
    hall.wait_message("pairings read round=2 games=2 at_boards=1");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn the_watchdog_hears_of_a_daemon_that_lives() {
    let mut hall = Hall::new("[ports]\nscan = []");
    hall.start_with(&[("WATCHDOG_USEC", "600000")]);
    for _ in 0..3 {
        hall.wait_notification("WATCHDOG=1");
    }
    assert_eq!(hall.stop(), 0);
}

#[test]
fn two_daemons_do_not_share_a_state_directory() {
    let mut hall = Hall::new("[ports]\nscan = []");
    hall.start();
    let config = hall.dir.path().join("jadoube.toml");
    let (code, _, stderr) = run(&["run", "--config", config.to_str().unwrap()], "");
    assert_eq!(code, 69);
    assert!(stderr.lines().last().unwrap().ends_with("another jadoube is running here"), "{stderr}");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn two_daemons_do_not_share_a_directory_of_logs() {
    let mut hall = Hall::new("[ports]\nscan = []");
    hall.start();
    let directory = hall.dir.path().display();
    let config = hall.dir.path().join("other.toml");
    let text = format!("state_dir = '{directory}/other'\nlog_dir = '{directory}/log'\n[ports]\nscan = []\n");
    fs::write(&config, text).unwrap();
    let (code, _, stderr) = run(&["run", "--config", config.to_str().unwrap()], "");
    assert_eq!(code, 69);
    let reported = format!("{directory}/log: another jadoube is running here");
    assert!(stderr.lines().last().unwrap().ends_with(&reported), "{stderr}");
    assert_eq!(hall.stop(), 0);
}

#[test]
fn directories_removed_while_a_daemon_runs_are_kept_from_others() {
    let mut hall = Hall::new("[ports]\nscan = []");
    hall.start_with(&[("WATCHDOG_USEC", "900000")]);
    let directory = hall.dir.path().to_owned();
    for name in ["state", "log"] {
        // What is written meanwhile would be in the way of removing it in its place.
        fs::rename(directory.join(name), directory.join("removed")).unwrap();
        fs::remove_dir_all(directory.join("removed")).unwrap();
        let seen = hall.wait_message("its lock was gone");
        assert!(seen.last().unwrap().contains(&format!("/{name}")), "{seen:?}");
    }
    let other = directory.join("other.toml");
    for (state, log) in [("state", "other-log"), ("other-state", "log")] {
        let text = format!(
            "state_dir = '{0}/{state}'\nlog_dir = '{0}/{log}'\n[ports]\nscan = []\n",
            directory.display()
        );
        fs::write(&other, text).unwrap();
        let (code, _, stderr) = run(&["run", "--config", other.to_str().unwrap()], "");
        assert_eq!(code, 69);
        assert!(stderr.lines().last().unwrap().ends_with("another jadoube is running here"), "{stderr}");
    }
    assert_eq!(hall.stop(), 0);
}

#[test]
fn boards_are_listed_while_the_daemon_runs_and_afterwards() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    hall.start();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    assert_eq!(hall.stop(), 0);
    let config = hall.dir.path().join("jadoube.toml");
    let (code, stdout, _) = run(&["boards", "--config", config.to_str().unwrap()], "");
    assert_eq!(code, 0);
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("SERIAL  PORT "), "{stdout}");
    assert!(lines[1].starts_with(&format!("23946   {}  down ", socket.port())), "{stdout}");
    assert_eq!(lines[2], "(no daemon is running)");
    let (_, stdout, _) = run(&["boards", "--json", "--config", config.to_str().unwrap()], "");
    assert!(stdout.starts_with("{\"serial\":\"23946\""), "{stdout}");
}

#[test]
fn a_disk_that_takes_no_records_does_not_stop_play() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    // A file where the directory of captures should be.
    fs::create_dir_all(hall.dir.path().join("state")).unwrap();
    fs::write(hall.dir.path().join("state/captures"), "").unwrap();
    hall.start();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    // The disk may have failed before the board has reported its number.
    hall.wait_status(&["STATUS=1 board"]);
    hall.wait_message("games go on");
    fs::remove_file(hall.dir.path().join("state/captures")).unwrap();
    assert_eq!(hall.stop(), 0);
    assert!(records(&hall.capture(), '<').concat().contains("91 00 08"), "what waited is written");
}

#[test]
fn record_captures_a_port_and_nothing_else() {
    use std::process::{Command, Stdio};
    let socket = Socket::new();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.dgtcap");
    let mut child = Command::new(crate::support::PROGRAM)
        .args(["record", "--port", &socket.port(), "--note", "a test", "-o", file.to_str().unwrap()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    board.hang_up();
    // It opens the port again, and by then it has written what came before.
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::INT).unwrap();
    board.wait_end();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let capture = fs::read_to_string(&file).unwrap();
    assert!(capture.starts_with("# dgt-capture 1\n# note: a test\n# port: tcp://"), "{capture}");
    assert_eq!(records(&capture, '<').concat().matches("91 00 08").count(), 1, "{capture}");
    assert_eq!(records(&capture, '!').len(), 4, "{capture}");
    assert!(capture.ends_with("! close stopped\n"), "{capture}");
}

#[test]
fn a_silent_board_behind_a_network_is_called_anew() {
    let socket = Socket::new();
    let mut hall = Hall::new(&listed(&socket.port()));
    hall.start();
    let mut lost = socket.plug();
    lost.wait_command(ASK_SERIAL);
    lost.say_serial("23946");
    // Nobody says that the connection is lost: it stays open at this end.
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    let is_up = || {
        let links: Vec<bool> = hall
            .log("events.jsonl")
            .lines()
            .filter(|line| line.contains(r#""event":"link""#))
            .map(|line| line.contains(r#""state":"up""#))
            .collect();
        (links.ends_with(&[false, true])).then_some(())
    };
    eventually("the board is heard again", is_up);
    lost.wait_end();
    assert_eq!(hall.stop(), 0);
    let capture = hall.capture();
    assert!(capture.contains("! close nothing is heard\n"), "{capture}");
}
