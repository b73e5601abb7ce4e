//! A hall of boards on terminals, live: one loses its cable, one is plugged in elsewhere, one has a bad line.
//!
//! The boards are played in this process; between each of them and the terminal that the daemon opens lies a cable
//! that a test can pull out.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    path::PathBuf,
    sync::mpsc::channel,
    thread,
    time::Duration,
};

use jadoube_core::laws::Control;
use jadoube_emulate::{
    clock::Speed,
    games,
    hall::{self, HallOptions, Venue},
    people::{Handling, Thinking},
    truth::Truth,
    wire::{Faults, Wire},
};
use jadoube_runtime::clock::SystemClock;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::support::{Hall, Terminal};

const BOARDS: usize = 24;

/// Plies of each game: long enough for a board's memory to be read in it.
const PLIES: usize = 14;

/// Interval at which the cables are served.
const LOOK: Duration = Duration::from_millis(10);

/// How long a game may take at most.
pub(crate) const LONGEST: Duration = Duration::from_mins(3);

/// The boards with a fault.
const CUT: usize = 4;
const MOVED: usize = 11;
const NOISY: usize = 17;

/// A line that damages one byte in two hundred, by adding another one: which bytes it hits depends on how quick the machine is, and
/// what is lost or changed may be lost for good, so that the game of one run in forty would be another one.
const NOISE: Faults = Faults { insert: 0.004, duplicate: 0.001, ..Faults::NONE };

/// Short games without incidents.
pub(crate) fn options() -> HallOptions {
    let game = |seed| games::invent(seed, PLIES);
    HallOptions {
        first_serial: 1025,
        first_address: None,
        boards: BOARDS,
        games: (1..=12).map(game).collect(),
        incidents: Vec::new(),
        ruling: None,
        handling: Handling::plain(),
        thinking: Thinking::About(1.0),
        time_control: "15+10".parse().unwrap(),
        flag_control: None,
        control: Control::Rapid,
        speed: Speed::REAL,
        faults: Faults::NONE,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: false,
        seed: 7,
    }
}

/// The boards, played in a thread of their own until this is dropped.
pub(crate) struct Boards {
    pub(crate) addresses: Vec<String>,
    shutdown: CancellationToken,
    playing: Option<thread::JoinHandle<()>>,
}

impl Boards {
    pub(crate) fn play(options: HallOptions) -> Self {
        let (sender, addresses) = channel();
        let shutdown = CancellationToken::new();
        let until = shutdown.clone();
        let playing = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let venue = Venue::Tcp("127.0.0.1:0".parse().unwrap());
                let hall = hall::Hall::open(&options, &venue).await.unwrap();
                sender.send(hall.ports().iter().map(|port| port.address.clone()).collect()).unwrap();
                hall.run(until).await;
            });
        });
        Self { addresses: addresses.recv().unwrap(), shutdown, playing: Some(playing) }
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        self.shutdown.cancel();
        self.playing.take().map(|playing| playing.join().unwrap_or_default()).unwrap_or_default();
    }
}

/// The connection of a board and the daemon.
struct Cable {
    board: TcpStream,
    place: PathBuf,
    terminal: Option<(Terminal, File)>,
    wire: Wire,
}

impl Cable {
    fn new(address: &str, place: PathBuf, faults: Faults) -> Self {
        let board = TcpStream::connect(address.strip_prefix("tcp://").unwrap()).unwrap();
        board.set_nonblocking(true).unwrap();
        board.set_nodelay(true).unwrap();
        let mut cable = Self { board, place, terminal: None, wire: Wire::new(faults, 1) };
        cable.plug();
        cable
    }

    fn plug(&mut self) {
        let terminal = Terminal::new(&self.place);
        let end = terminal.board.end();
        fcntl_setfl(&end, fcntl_getfl(&end).unwrap() | OFlags::NONBLOCK).unwrap();
        self.terminal = Some((terminal, end));
    }

    fn pull(&mut self) {
        self.terminal = None;
    }

    /// Forwards bytes in both directions.
    fn carry(&mut self, clock: &SystemClock) {
        let mut buffer = [0; 4096];
        if let Some(count) = some(self.board.read(&mut buffer)) {
            self.wire.carry(buffer[..count].to_vec(), clock.now());
        }
        while let Some(bytes) = self.wire.poll(clock.now()) {
            if let Some((_, end)) = &mut self.terminal {
                end.write_all(&bytes).unwrap();
            }
        }
        if let Some((_, end)) = &mut self.terminal
            && let Some(count) = some(end.read(&mut buffer))
        {
            self.board.write_all(&buffer[..count]).unwrap();
        }
    }
}

/// Returns how many bytes were read, if any.
fn some(read: std::io::Result<usize>) -> Option<usize> {
    match read {
        Ok(0) => None,
        Ok(count) => Some(count),
        Err(error) if error.kind() == ErrorKind::WouldBlock => None,
        Err(error) => panic!("{error}"),
    }
}

/// Serves the cables until the events of the daemon satisfy a condition.
///
/// What a machine that has other work can spare belongs to the boards and the daemon: the log is read on from where it ended.
struct Watch<'a> {
    cables: Vec<Cable>,
    clock: SystemClock,
    log: Log<'a>,
}

/// The log of a daemon, as far as it has been read.
struct Log<'a> {
    hall: &'a Hall,
    read: usize,
    events: Vec<Value>,
}

impl Log<'_> {
    fn read_on(&mut self) {
        let text = self.hall.log("events.jsonl");
        // The last line may be incomplete.
        for line in text.get(self.read..).unwrap_or_default().split_inclusive('\n') {
            let Some(event) = line.strip_suffix('\n') else { break };
            self.events.push(serde_json::from_str(event).unwrap());
            self.read += line.len();
        }
    }
}

impl<'a> Watch<'a> {
    fn new(hall: &'a Hall, cables: Vec<Cable>) -> Self {
        let log = Log { hall, read: 0, events: Vec::new() };
        Self { cables, clock: SystemClock::start(), log }
    }

    #[track_caller]
    fn until(&mut self, what: &str, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let end = self.clock.now() + LONGEST;
        let mut look_at = self.clock.now();
        loop {
            for cable in &mut self.cables {
                cable.carry(&self.clock);
            }
            if look_at <= self.clock.now() {
                look_at = self.clock.now() + Duration::from_millis(250);
                self.log.read_on();
                if is(&self.log.events) {
                    return self.log.events.clone();
                }
                assert!(self.clock.now() < end, "{what} has not come");
            }
            thread::sleep(LOOK);
        }
    }
}

pub(crate) fn events(hall: &Hall) -> Vec<Value> {
    // The last line may be incomplete.
    hall.log("events.jsonl").lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}

fn serial(board: usize) -> String {
    format!("{:05}", 1025 + board)
}

pub(crate) fn of<'a>(events: &'a [Value], board: usize, event: &'a str) -> impl Iterator<Item = &'a Value> {
    let serial = serial(board);
    events.iter().filter(move |line| line["board"] == *serial && line["event"] == event)
}

/// Returns the first whole game of a board.
pub(crate) fn game(events: &[Value], board: usize) -> Option<&Value> {
    of(events, board, "game").next()
}

/// Compares the game of a board, and its alerts beside those about equipment, with what is true.
#[track_caller]
pub(crate) fn check(events: &[Value], board: usize, truth: &Truth, equipment: &[&str]) {
    let game = game(events, board).unwrap();
    let mut found: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|m| m["uci"].as_str().unwrap()).collect();
    let mut played: Vec<&str> = truth.moves.iter().map(|m| m.uci.as_str()).collect();
    if of(events, board, "log").any(|log| log["state"] == "useless") {
        // If the machine stalls for seconds the log of the board is not received; the order of unseen moves is then
        // unknown.
        found.sort_unstable();
        played.sort_unstable();
    }
    assert_eq!(found, played, "board {board}");
    assert_eq!(game["result"], truth.ending.score(), "board {board}");
    let mut expected: BTreeMap<String, i32> = BTreeMap::new();
    for alert in &truth.alerts {
        *expected.entry(alert.code.name().to_owned()).or_default() += 1;
    }
    for alert in of(events, board, "alert") {
        *expected.entry(alert["code"].as_str().unwrap().to_owned()).or_default() -= 1;
    }
    expected.retain(|code, count| *count != 0 && !equipment.contains(&code.as_str()));
    let reported: Vec<&Value> = of(events, board, "alert").collect();
    assert!(
        expected.is_empty(),
        "board {board}: missed and false alerts {expected:?}; reported: {reported:#?}"
    );
}

/// Returns a hall that finds its boards as links in a directory, and the directory.
fn hall_of_links() -> (Hall, PathBuf) {
    let hall = Hall::new("");
    let directory = hall.dir.path().join("boards");
    std::fs::create_dir(&directory).unwrap();
    hall.configure(&format!(
        "[event]\ncontrol = 'rapid'\ntime_control = '15+10'\n[ports]\nscan = ['{}/board-*']\nrescan_s = 1\n",
        directory.display()
    ));
    (hall, directory)
}

#[test]
fn games_are_exact_whatever_happens_to_three_of_24_boards() {
    let truths: Vec<Truth> = (0..BOARDS).map(|board| hall::record(&options(), board).truth).collect();
    let (mut hall, directory) = hall_of_links();
    let boards = Boards::play(options());
    let place = |number: usize| directory.join(format!("board-{number:02}"));
    let cables = boards.addresses.iter().enumerate().map(|(number, address)| {
        let faults = if number == NOISY { NOISE } else { Faults::NONE };
        Cable::new(address, place(number), faults)
    });
    let cables = cables.collect();
    hall.start();
    let mut watch = Watch::new(&hall, cables);

    // In the middle of a game, each at its own ply.
    let plies = |events: &[Value], board: usize| of(events, board, "move").count();
    watch.until("play", |events| plies(events, CUT) >= 3 && plies(events, MOVED) >= 3);
    watch.cables[CUT].pull();
    watch.cables[MOVED].pull();
    let is_down = |events: &[Value], board| {
        of(events, board, "link").last().is_some_and(|link| link["state"] == "down")
    };
    watch.until("the end of two links", |events| is_down(events, CUT) && is_down(events, MOVED));
    watch.cables[CUT].plug();
    watch.cables[MOVED].place = place(BOARDS);
    watch.cables[MOVED].plug();
    let events =
        watch.until("the last game", |events| (0..BOARDS).all(|board| game(events, board).is_some()));

    let moved = of(&events, MOVED, "link").last().unwrap();
    assert!(moved["port"].as_str().unwrap().ends_with(&format!("board-{BOARDS}")), "{moved}");
    for (board, truth) in truths.iter().enumerate() {
        let equipment: &[&str] = match board {
            CUT | MOVED => &["board-link"],
            // A damaged dump may look as if a change had not been reported.
            NOISY => &["line-noise", "board-mismatch"],
            _ => &[],
        };
        check(&events, board, truth, equipment);
    }
    drop(watch);
    assert_eq!(hall.stop(), 0);
}

#[test]
fn games_are_exact_after_a_usb_hub_resets_twenty_boards() {
    const ON_HUB: usize = 20;
    let truths: Vec<Truth> = (0..BOARDS).map(|board| hall::record(&options(), board).truth).collect();
    let (mut hall, directory) = hall_of_links();
    let boards = Boards::play(options());
    let place = |number: usize| directory.join(format!("board-{number:02}"));
    let cables = boards.addresses.iter().enumerate();
    let cables = cables.map(|(number, address)| Cable::new(address, place(number), Faults::NONE)).collect();
    hall.start();
    let mut watch = Watch::new(&hall, cables);
    let plies = |events: &[Value], board: usize| of(events, board, "move").count();
    watch.until("play", |events| (0..ON_HUB).all(|board| plies(events, board) >= 2));
    for board in 0..ON_HUB {
        watch.cables[board].pull();
    }
    // The system names the devices anew, in the order in which they answer.
    for board in 0..ON_HUB {
        watch.cables[board].place = place((board + 7) % ON_HUB);
        watch.cables[board].plug();
    }
    let events =
        watch.until("the last game", |events| (0..BOARDS).all(|board| game(events, board).is_some()));
    for (board, truth) in truths.iter().enumerate() {
        let equipment: &[&str] = if board < ON_HUB { &["board-link"] } else { &[] };
        check(&events, board, truth, equipment);
        let starts = of(&events, board, "game-start").filter(|start| start["game"] == 1).count();
        assert_eq!(starts, 1, "board {board}");
    }
    drop(watch);
    assert_eq!(hall.stop(), 0);
}
