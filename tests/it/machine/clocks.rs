//! Clocks of the machine that jump: it has slept or stood still, or somebody has set it, while a board plays.
//!
//! A library that is loaded before the others adds to what the daemon reads from them.

use super::*;

/// What the daemon asks for the time in place of the system.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile long long *added;

__attribute__((constructor)) static void begin(void) {
    added = mmap(0, 16, PROT_READ, MAP_SHARED, open(getenv("ADDED_SECONDS"), O_RDONLY), 0);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    int result = syscall(SYS_clock_gettime, clock, at);
    if (clock == CLOCK_REALTIME) at->tv_sec += added[0];
    if (clock == CLOCK_MONOTONIC) at->tv_sec += added[1];
    return result;
}
"#;

const HOUR_S: i64 = 3600;

/// How long games are held back.
const DELAY_S: u64 = 4;

/// A daemon with one board, and the clocks that it reads.
struct Rig {
    hall: Hall,
    socket: Socket,
    library: PathBuf,
    added: PathBuf,
}

impl Rig {
    /// Starts it; `None` if there is no compiler.
    fn start() -> Option<Self> {
        let socket = Socket::new();
        let hall = Hall::new("");
        let games = hall.dir.path().join("pgn");
        hall.configure(&format!(
            "[event]\ncontrol = 'rapid'\n[ports]\nscan = []\n[[port]]\npath = '{}'\n\
             [pgn]\ndir = '{}'\ndelay_s = {DELAY_S}",
            socket.port(),
            games.display()
        ));
        let path = |name: &str| hall.dir.path().join(name);
        let (source, library, added) = (path("shim.c"), path("shim.so"), path("added"));
        fs::write(&source, SHIM).unwrap();
        fs::write(&added, [0; 16]).unwrap();
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
        if !compiled.is_ok_and(|status| status.success()) {
            println!("skipped: needs a C compiler");
            return None;
        }
        let mut rig = Self { hall, socket, library, added };
        rig.run();
        Some(rig)
    }

    /// Starts the daemon.
    fn run(&mut self) {
        let [library, added] = [&self.library, &self.added].map(|path| path.to_str().unwrap());
        self.hall.start_with(&[
            ("LD_PRELOAD", library),
            ("ADDED_SECONDS", added),
            ("WATCHDOG_USEC", "3000000"),
        ]);
    }

    /// Sets calendar and clock ahead of those of the machine.
    fn set(&self, calendar_s: i64, clock_s: i64) {
        // In its place, as the daemon has the file in its memory.
        let file = fs::File::options().write(true).open(&self.added).unwrap();
        let bytes = [calendar_s.to_le_bytes(), clock_s.to_le_bytes()].concat();
        std::os::unix::fs::FileExt::write_all_at(&file, &bytes, 0).unwrap();
    }

    fn events(&self) -> Vec<Value> {
        events(&self.hall)
    }

    /// Waits for a move and returns it.
    #[track_caller]
    fn wait_move(&self, san: &str) -> Value {
        let find = || self.events().into_iter().find(|event| event["san"] == san);
        wait(san, || find().is_some());
        find().unwrap()
    }

    fn end(mut self) -> Vec<Value> {
        assert_eq!(self.hall.stop(), 0);
        self.events()
    }
}

/// Moves a piece: squares from a8 on.
fn play(board: &mut Board<TcpStream>, from: u8, to: u8, piece: u8) {
    board.send(&[0x8e, 0, 5, from, 0, 0x8e, 0, 5, to, piece]);
}

/// Returns how far an event's calendar time is ahead of the machine's, in whole hours.
fn hours_ahead(event: &Value) -> i64 {
    let at: jiff::Timestamp = event["at"].as_str().unwrap().parse().unwrap();
    let ahead = at.duration_since(SystemClock::start().started()).as_secs();
    (ahead + HOUR_S / 2).div_euclid(HOUR_S)
}

/// Plays four moves, with the clocks of the machine changed after each of the first three.
fn check(changes: [(i64, i64); 3]) {
    let Some(rig) = Rig::start() else { return };
    let mut board = plug(&rig.socket, "23946");
    let moves =
        [(0x34, 0x24, 1, "e4"), (0x0c, 0x1c, 7, "e5"), (0x3e, 0x2d, 3, "Nf3"), (0x01, 0x12, 9, "Nc6")];
    let mut changes = changes.into_iter();
    let mut calendar = 0;
    for (from, to, piece, san) in moves {
        play(&mut board, from, to, piece);
        let reported = rig.wait_move(san);
        assert_eq!(hours_ahead(&reported), calendar / HOUR_S, "{reported}");
        if let Some((calendar_s, clock_s)) = changes.next() {
            calendar = calendar_s;
            rig.set(calendar_s, clock_s);
            // Whatever is due by the new time has its turn: the service manager hears of it.
            rig.hall.wait_alive();
        }
    }
    let captures = rig.hall.captures();
    assert_eq!(captures.len(), 1, "one game: {captures:?}");
    let events = rig.end();
    // Each is reported when it is made, and again once it is completed.
    let made = events.iter().filter(|event| event["event"] == "move" && event["completed"] == false);
    let sans: Vec<&str> = made.map(|event| event["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6"]);
    let alerts: Vec<&Value> = events.iter().filter(|event| event["event"] == "alert").collect();
    assert!(alerts.is_empty(), "{alerts:#?}");
}

#[test]
fn a_machine_that_slept_goes_on_with_its_games() {
    // Sleep stops the clock, and not the calendar.
    check([(8 * HOUR_S, 0), (8 * HOUR_S, 0), (20 * HOUR_S, 0)]);
}

#[test]
fn a_calendar_set_forth_without_a_daemon_begins_no_game_anew() {
    let Some(mut rig) = Rig::start() else { return };
    let mut board = plug(&rig.socket, "23946");
    play(&mut board, 0x34, 0x24, 1);
    rig.wait_move("e4");
    rig.hall.kill();
    drop(board);
    // A machine that has just learnt what day it is.
    rig.set(40 * HOUR_S, 0);
    rig.run();
    let mut board = rig.socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    let mut fields = START;
    fields.swap(0x34, 0x24);
    board.send(&[[0x86, 0x00, 0x43].as_slice(), &fields].concat());
    play(&mut board, 0x0c, 0x1c, 7);
    let reported = rig.wait_move("e5");
    assert_eq!((&reported["ply"], hours_ahead(&reported)), (&2.into(), 40), "{reported}");
    assert_eq!(rig.hall.captures().len(), 1, "the game goes on");
    // What it has heard of is reported once, and the hours have no part in the game.
    let events = rig.end();
    assert_eq!(events.iter().filter(|event| event["san"] == "e4" && event["completed"] == false).count(), 1);
    assert!(reported["t"].as_f64().unwrap() < 3600.0, "{reported}");
}

#[test]
fn a_machine_that_stood_still_goes_on_with_its_games() {
    check([(HOUR_S, HOUR_S), (HOUR_S, HOUR_S), (9 * HOUR_S, 9 * HOUR_S)]);
}

#[test]
fn a_calendar_that_is_set_forth_and_back_in_a_game_is_followed() {
    // Daylight saving time moves no calendar in UTC; this is who sets it by hand, and a machine that learns the year.
    check([(HOUR_S, 0), (-HOUR_S, 0), (24 * 365 * HOUR_S, 0)]);
}

/// Plays a move, sets the calendar forth before the daemon is killed and while it is down, and waits until the move is published.
#[track_caller]
fn check_delay(before_s: i64, meanwhile_s: i64) {
    let Some(mut rig) = Rig::start() else { return };
    let mut board = plug(&rig.socket, "23946");
    // The pieces stand there, which is known by now.
    shuffle(&mut board);
    wait("a lift", || lifts(&rig.hall) == 1);
    let clock = SystemClock::start();
    play(&mut board, 0x34, 0x24, 1);
    rig.wait_move("e4");
    rig.set(before_s, 0);
    rig.hall.kill();
    rig.set(before_s + meanwhile_s, 0);
    rig.run();
    let file = rig.hall.dir.path().join("pgn/round-1/games.pgn");
    wait("the move is published", || fs::read_to_string(&file).is_ok_and(|games| games.contains("1. e4")));
    let waited = clock.now().as_secs();
    assert!(waited >= Duration::from_secs(DELAY_S).as_secs_f64(), "published after {waited} s");
    rig.end();
}

#[test]
fn a_calendar_set_forth_and_a_restart_publish_nothing_early() {
    check_delay(HOUR_S, 0);
    check_delay(0, HOUR_S);
}
