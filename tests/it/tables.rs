//! `jadoube tables walk`: lifted kings say which board is which table, in one walk through the hall.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

use crate::support::{Board, Hall, PROGRAM, START, Socket, eventually, run};

/// Boards of the hall.
const BOARDS: usize = 40;

fn serial(number: usize) -> String {
    format!("{:05}", 20_001 + number)
}

/// Plugs a board in that stands on the start position.
fn plug(socket: &Socket, number: usize) -> Board<TcpStream> {
    let mut board = socket.plug();
    board.say_serial(&serial(number));
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &START].concat());
    board
}

/// Lifts the king on e1, and puts it back once that has been reported.
fn lift_king(hall: &Hall, board: &mut Board<TcpStream>) {
    let lifts = || hall.log("events.jsonl").matches("\"event\":\"lift\"").count();
    let before = lifts();
    board.send(&[0x8E, 0x00, 0x05, 0x3C, 0x00]);
    eventually("the lift", || (lifts() > before).then_some(()));
    board.send(&[0x8E, 0x00, 0x05, 0x3C, 0x05]);
}

#[test]
fn a_walk_over_forty_boards_ends_with_the_right_tables() {
    let sockets: Vec<Socket> = (0..BOARDS).map(|_| Socket::new()).collect();
    let ports: Vec<String> =
        sockets.iter().map(|socket| format!("[[port]]\npath = '{}'\n", socket.port())).collect();
    let mut hall = Hall::new(&format!(
        "[ports]\nscan = []\nrescan_s = 1\n{}[[table]]\nnumber = 3\nserial = '20001'\nwhite = 'Third'\n",
        ports.concat()
    ));
    hall.start();
    let mut boards: Vec<_> =
        sockets.iter().enumerate().map(|(number, socket)| plug(socket, number)).collect();
    hall.wait_status(&["40 boards"]);
    let config = hall.dir.path().join("jadoube.toml");
    let config = config.to_str().unwrap();
    let mut walk = Command::new(PROGRAM)
        .args(["tables", "walk", "--to", "40", "--config", config])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = walk.stdin.take().unwrap();
    let mut lines = BufReader::new(walk.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut wait =
        |text: &str| assert!(lines.any(|line| line.contains(text)), "the walk ends before '{text}'");
    // Boards stand anywhere: seven and forty have no common divisor.
    let on_table = |table: usize| table * 7 % BOARDS;
    for table in 1..=BOARDS {
        wait(&format!("table {table}: lift a king"));
        lift_king(&hall, &mut boards[on_table(table)]);
        wait(&format!("table {table} is board {}", serial(on_table(table))));
        if table == 5 {
            wait("table 6: lift a king");
            lift_king(&hall, &mut boards[on_table(2)]);
            wait("is table 2 already");
            typed.write_all(b"b\n").unwrap();
            wait("table 5: lift a king");
            lift_king(&hall, &mut boards[on_table(5)]);
            wait("table 5 is board");
        }
    }
    wait("40 tables in ");
    assert!(walk.wait().unwrap().success());
    let file = fs::read_to_string(hall.dir.path().join("state/tables.toml")).unwrap();
    let expected: Vec<String> = (1..=BOARDS)
        .map(|table| format!("\n[[table]]\nnumber = {table}\nserial = \"{}\"\n", serial(on_table(table))))
        .collect();
    assert_eq!(file.split_once('\n').unwrap().1, expected.concat() + "\n# end\n");
    // The daemon takes it over without a restart; names stay with the numbers.
    hall.wait_message("boards of the tables read");
    let (status, listed, _) = run(&["tables", "--config", config], "");
    assert_eq!((status, listed.lines().count()), (0, BOARDS), "no duplicates, no gaps:\n{listed}");
    let (_, known, _) = run(&["boards", "--config", config], "");
    assert!(known.contains("table 3: Third – ?"), "{known}");
    let labels = hall.dir.path().join("labels.html");
    let (labels, url) = (labels.to_str().unwrap(), "https://arbiter.example");
    assert_eq!(run(&["tables", "labels", "--config", config, "--output", labels, "--url", url], "").0, 0);
    assert_eq!(fs::read_to_string(labels).unwrap().matches("<svg").count(), BOARDS);
    assert_eq!(hall.stop(), 0);
}

#[test]
fn a_walk_needs_a_daemon() {
    let hall = Hall::new("");
    let config = hall.dir.path().join("jadoube.toml");
    let (status, _, stderr) = run(&["tables", "walk", "--config", config.to_str().unwrap()], "");
    assert!(status == 69 && stderr.contains("no daemon answers"), "{stderr}");
}
