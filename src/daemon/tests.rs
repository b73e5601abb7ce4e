//! The daemon in this process, with a board that makes its port fail.

use std::{fs, time::Duration};

use dgt_protocol::{Field, LONGEST_FRAME, Message, Piece, Placement};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    select,
    task::JoinSet,
    time::{sleep, timeout},
};

mod history;

use super::*;
use crate::{
    port,
    published::{EventReader, Published},
};
use jadoube_core::{
    code::Code,
    event::{EventKind, LinkState},
};

/// How long a test waits for something that has to happen.
const PATIENCE: Duration = Duration::from_mins(2);

const SERIAL: &str = "23946";

/// A daemon with one board.
struct Rig {
    dir: TempDir,
    socket: TcpListener,
    board: TcpStream,
    desk: DaemonHandle,
    events: EventReader,
    seen: Vec<Arc<Published>>,
    shutdown: CancellationToken,
    running: JoinSet<Result<(), DaemonError>>,
}

impl Rig {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut rig = Self::begin(dir, socket).await;
        rig.greet(&Placement::start()).await;
        rig
    }

    /// Starts a daemon on a state that is there already; its port is open.
    async fn begin(dir: TempDir, socket: TcpListener) -> Self {
        let (path, port) = (dir.path().display(), socket.local_addr().unwrap());
        let text = format!(
            "state_dir = '{path}/state'\nlog_dir = '{path}/log'\n[ports]\nscan = []\n[[port]]\npath = 'tcp://{port}'"
        );
        let config = Config::parse("test", &text, &[]).unwrap();
        let again = config.clone();
        let (daemon, desk) = Daemon::new(config).unwrap();
        let events = desk.subscribe().unwrap();
        let shutdown = CancellationToken::new();
        let mut running = JoinSet::new();
        running.spawn(daemon.run(Arc::new(move || Ok(again.clone())), shutdown.clone()));
        let board = accept(&socket).await;
        Self { dir, socket, board, desk, events, seen: Vec::new(), shutdown, running }
    }

    /// Waits until the port is opened again; what stands on the board is reported.
    async fn open_again(&mut self, present: &Placement) {
        self.board = accept(&self.socket).await;
        self.greet(present).await;
    }

    async fn greet(&mut self, present: &Placement) {
        self.say(&[Message::Serial(SERIAL), Message::BoardDump(*present)]).await;
    }

    /// Sends messages in one piece.
    async fn say(&mut self, messages: &[Message<'_>]) {
        let mut bytes = Vec::new();
        for message in messages {
            let mut frame = [0; LONGEST_FRAME];
            bytes.extend_from_slice(message.encode(&mut frame).unwrap());
        }
        self.board.write_all(&bytes).await.unwrap();
    }

    /// Waits until the port has hung up.
    async fn wait_hang_up(&mut self) {
        let mut buffer = [0; 256];
        while matches!(timeout(PATIENCE, self.board.read(&mut buffer)).await.unwrap(), Ok(1..)) {}
    }

    /// Waits for an event.
    async fn wait(&mut self, is: impl Fn(&EventKind) -> bool) -> Arc<Published> {
        loop {
            let next = timeout(PATIENCE, self.events.recv()).await;
            let event = next.unwrap_or_else(|_| panic!("not among {:#?}", self.kinds())).unwrap();
            self.seen.push(event.clone());
            if is(&event.event.kind) {
                return event;
            }
        }
    }

    fn kinds(&self) -> Vec<&EventKind> {
        self.seen.iter().map(|event| &event.event.kind).collect()
    }

    /// Counts events of a kind.
    fn count(&self, name: &str) -> usize {
        self.kinds().into_iter().filter(|kind| kind.name() == name).count()
    }

    async fn end(self) -> TempDir {
        self.end_of_daemon().await.0
    }

    /// The port of the board stays.
    async fn end_of_daemon(mut self) -> (TempDir, TcpListener) {
        self.shutdown.cancel();
        self.running.join_next().await.unwrap().unwrap().unwrap();
        (self.dir, self.socket)
    }
}

async fn accept(socket: &TcpListener) -> TcpStream {
    timeout(PATIENCE, socket.accept()).await.unwrap().unwrap().0
}

fn update(field: u8, piece: u8) -> Message<'static> {
    Message::FieldUpdate { field: Field::new(field).unwrap(), piece: Piece::from_byte(piece) }
}

/// 1. e4, as raw fields.
fn pawn_move() -> [Message<'static>; 2] {
    [update(0x34, 0), update(0x24, 1)]
}

fn after_pawn_move() -> Placement {
    let mut placement = Placement::start();
    placement.set(Field::new(0x34).unwrap(), Piece::Empty);
    placement.set(Field::new(0x24).unwrap(), Piece::from_byte(1));
    placement
}

fn is_start(kind: &EventKind) -> bool {
    matches!(kind, EventKind::GameStart { .. })
}

fn is_place(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Place { .. })
}

fn captures(dir: &TempDir) -> String {
    let ports = fs::read_dir(dir.path().join("state/captures")).unwrap();
    let files = ports.flat_map(|port| fs::read_dir(port.unwrap().path()).unwrap());
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Lets the port fail on an input that also holds a move; `text` is what it fails on.
async fn fail(text: &str) -> Rig {
    let mut rig = Rig::new().await;
    rig.wait(is_start).await;
    let [lift, place] = pawn_move();
    rig.say(&[lift, place, Message::Trademark(text)]).await;
    rig.wait_hang_up().await;
    rig
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_hears_of_the_end_first_has_not_failed() {
    for moment in 0..40 {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().display();
        let text = format!("state_dir = '{path}/state'\nlog_dir = '{path}/log'\n[ports]\nscan = []");
        let config = Config::parse("test", &text, &[]).unwrap();
        let (daemon, _desk) = Daemon::new(config.clone()).unwrap();
        let shutdown = CancellationToken::new();
        let mut running = JoinSet::new();
        running.spawn(daemon.run(Arc::new(move || Ok(config.clone())), shutdown.clone()));
        // Some moment or other; nothing has to have happened by then.
        sleep(Duration::from_millis(moment)).await;
        shutdown.cancel();
        running.join_next().await.unwrap().unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_port_has_not_reported_when_it_failed_is_reported_once() {
    let mut rig = fail("please fail once").await;
    rig.wait(is_place).await;
    rig.open_again(&after_pawn_move()).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(_))).await;
    rig.say(&[update(0x0C, 0), update(0x1C, 7)]).await;
    rig.wait(is_place).await;
    // Each of the two moves once, and nothing of the start again.
    let counts = [rig.count("lift"), rig.count("place"), rig.count("game-start")];
    assert_eq!(counts, [2, 32 + 2, 1], "{:#?}", rig.kinds());
    let seqs: Vec<u64> = rig.seen.iter().map(|event| event.seq).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{seqs:?}");
    let dir = rig.end().await;
    assert_eq!(captures(&dir).matches("8e 00 05 34 00").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_always_fails_is_kept_and_left_out() {
    let mut rig = fail("please fail always").await;
    rig.open_again(&after_pawn_move()).await;
    // What the left out input said is seen in what stands on the board.
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"e2e4")).await;
    assert_eq!(rig.count("game-start"), 1, "{:#?}", rig.kinds());
    assert!(rig.desk.figures().health.wrong().is_empty());
    let dir = rig.end().await;
    let captures = captures(&dir);
    let left_out: Vec<&str> = captures.lines().filter(|line| line.starts_with("# left out")).collect();
    assert!(matches!(left_out.as_slice(), [line] if line.contains("8e 00 05 34 00")), "{captures}");
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_and_states_wait_for_no_disk_of_captures_at_the_end() {
    let mut rig = Rig::new().await;
    rig.wait(is_start).await;
    port::hang_disk(true);
    let dir = rig.end().await;
    port::hang_disk(false);
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(read("log/events.jsonl").contains("\"state\":\"down\""), "{}", read("log/events.jsonl"));
    let states = read("state/boards.json");
    assert!(states.contains(SERIAL) && states.contains("\"up\":false"), "{states}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_fails_again_and_again_is_given_up_and_named() {
    let mut rig = fail("please fail once").await;
    for _ in 0..3 {
        rig.open_again(&after_pawn_move()).await;
        rig.say(&[Message::Trademark("please fail once")]).await;
        rig.wait_hang_up().await;
    }
    let reported =
        rig.wait(|kind| matches!(kind, EventKind::Alert(alert) if alert.code == Code::ServiceDegraded)).await;
    assert!(!reported.is_of_board());
    let EventKind::Alert(alert) = &reported.event.kind else { unreachable!() };
    let reason = format!("tcp://{} given up until a reload", rig.socket.local_addr().unwrap());
    assert_eq!(alert.text, format!("A part of the service does not work: ports: {reason}."));
    assert_eq!(rig.desk.figures().health.wrong(), [format!("ports: {reason}")]);
    let board = rig.desk.view().board(SERIAL).unwrap();
    assert!(!board.up, "nobody hears it any more");
    assert_eq!(rig.desk.view().read().1.len(), 1, "the service is no board");
    let dir = rig.end().await;
    let text = fs::read_to_string(dir.path().join("log/alerts.log")).unwrap();
    assert!(text.contains("  Service  A part of the service does not work: ports: "), "{text}");
}

/// Starts a daemon with two ports; returns also the board on the second one.
async fn begin_two(dir: TempDir, [socket, second_socket]: [TcpListener; 2]) -> (Rig, TcpStream, TcpListener) {
    let (first, second) = (socket.local_addr().unwrap(), second_socket.local_addr().unwrap());
    let path = dir.path().display();
    let text = format!(
        "state_dir = '{path}/state'\nlog_dir = '{path}/log'\n[ports]\nscan = []\n[[port]]\npath = 'tcp://{first}'\n\
         [[port]]\npath = 'tcp://{second}'"
    );
    let config = Config::parse("test", &text, &[]).unwrap();
    let again = config.clone();
    let (daemon, desk) = Daemon::new(config).unwrap();
    let events = desk.subscribe().unwrap();
    let shutdown = CancellationToken::new();
    let mut running = JoinSet::new();
    running.spawn(daemon.run(Arc::new(move || Ok(again.clone())), shutdown.clone()));
    let board = accept(&socket).await;
    let intruder = accept(&second_socket).await;
    let rig = Rig { dir, socket, board, desk, events, seen: Vec::new(), shutdown, running };
    (rig, intruder, second_socket)
}

/// Two boards with one number: one that has begun its game, and one that waits; returns also where that is, and the port of the first.
async fn two_with_one_number() -> (Rig, TcpStream, TcpListener, String) {
    let dir = tempfile::tempdir().unwrap();
    let sockets =
        [TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap()];
    let [first, second] =
        [0, 1].map(|index: usize| format!("tcp://{}", sockets[index].local_addr().unwrap()));
    let (mut rig, mut intruder, second_socket) = begin_two(dir, sockets).await;
    rig.greet(&Placement::start()).await;
    rig.say(&pawn_move()).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(_))).await;

    report(&mut intruder, &[Message::Serial(SERIAL), Message::BoardDump(Placement::default())]).await;
    rig.wait(|kind| matches!(kind, EventKind::Alert(alert) if alert.code == Code::ServiceDegraded)).await;
    let named = rig.desk.figures().health.degraded()["duplicates"].clone();
    assert_eq!(
        named,
        format!("board {SERIAL} is on {first} and on {second}; {second} waits until it is alone")
    );
    (rig, intruder, second_socket, first)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_board_with_the_number_waits_while_the_first_is_gone() {
    let (mut rig, mut intruder, _second_socket, first) = two_with_one_number().await;
    report(&mut intruder, &[update(0x10, 1)]).await;
    rig.say(&[update(0x0C, 0), update(0x1C, 7)]).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"e7e5")).await;
    let of_board = rig.seen.iter().filter(|event| *event.event.board == *SERIAL);
    assert!(of_board.clone().all(|event| *event.port == *first), "{:#?}", rig.kinds());
    assert_eq!(rig.count("retract"), 0);

    // A cable that is out for a moment gives its game to nobody.
    let mut present = after_pawn_move();
    present.set(Field::new(0x0C).unwrap(), Piece::Empty);
    present.set(Field::new(0x1C).unwrap(), Piece::from_byte(7));
    rig.board.shutdown().await.unwrap();
    rig.open_again(&present).await;
    report(&mut intruder, &[Message::Serial(SERIAL), update(0x18, 1)]).await;
    rig.say(&[update(0x36, 0), update(0x26, 1)]).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"g2g4")).await;
    let of_board = rig.seen.iter().filter(|event| *event.event.board == *SERIAL);
    assert!(of_board.clone().all(|event| *event.port == *first), "{:#?}", rig.kinds());
    assert_eq!((rig.count("game-start"), rig.count("retract")), (1, 0), "{:#?}", rig.kinds());
    rig.end().await;
}

/// It takes as long as a silence does.
#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_waits_silently_is_called_anew_without_an_alert() {
    let (mut rig, mut intruder, second_socket, first) = two_with_one_number().await;
    let alerts = rig.count("alert");
    let mut buffer = [0; 256];
    let first_board = &mut rig.board;
    let is_over = async { while matches!(intruder.read(&mut buffer).await, Ok(1..)) {} };
    // The first one goes on to answer what it is asked.
    let answers = async {
        let mut asked = [0; 64];
        let mut frame = [0; LONGEST_FRAME];
        let serial = Message::Serial(SERIAL).encode(&mut frame).unwrap();
        while matches!(first_board.read(&mut asked).await, Ok(1..)) {
            first_board.write_all(serial).await.unwrap();
        }
    };
    let silence = async {
        select! {
            () = is_over => (),
            () = answers => panic!("{first} has hung up"),
        }
    };
    timeout(PATIENCE, silence).await.unwrap();
    let mut again = accept(&second_socket).await;
    report(&mut again, &[Message::Serial(SERIAL), Message::BoardDump(Placement::default())]).await;
    rig.say(&[update(0x0C, 0), update(0x1C, 7)]).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"e7e5")).await;
    assert_eq!(rig.count("alert"), alerts, "{:#?}", rig.kinds());
    rig.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_board_with_the_number_gets_no_game_after_a_restart() {
    let (rig, intruder, second_socket, first) = two_with_one_number().await;
    let (dir, socket) = rig.end_of_daemon().await;
    drop(intruder);
    let (mut rig, mut intruder, _second_socket) = begin_two(dir, [socket, second_socket]).await;
    report(&mut intruder, &[Message::Serial(SERIAL), Message::BoardDump(Placement::default())]).await;
    // Nothing says that it was heard: it is asked nothing, and has no events.
    sleep(Duration::from_millis(300)).await;
    rig.greet(&after_pawn_move()).await;
    rig.say(&[update(0x0C, 0), update(0x1C, 7)]).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"e7e5")).await;
    let of_board = rig.seen.iter().filter(|event| *event.event.board == *SERIAL);
    assert!(of_board.clone().all(|event| *event.port == *first), "{:#?}", rig.kinds());
    assert_eq!((rig.count("game-start"), rig.count("retract")), (0, 0), "{:#?}", rig.kinds());
    rig.wait(|kind| matches!(kind, EventKind::Alert(alert) if alert.code == Code::ServiceDegraded)).await;
    rig.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_behind_a_flood_of_megabytes_is_heard_again() {
    let mut rig = Rig::new().await;
    rig.wait(is_start).await;
    timeout(PATIENCE, rig.board.write_all(&vec![0x55; 4 << 20])).await.unwrap().unwrap();
    rig.greet(&Placement::start()).await;
    // It is listened to again once it has been calm for a while.
    rig.wait(|kind| matches!(kind, EventKind::Link { state: LinkState::Up, .. })).await;
    rig.greet(&Placement::start()).await;
    rig.say(&pawn_move()).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(m) if *m.uci == *"e2e4")).await;
    assert_eq!(rig.count("game-start"), 1, "{:#?}", rig.kinds());
    rig.end().await;
}

async fn report(board: &mut TcpStream, messages: &[Message<'_>]) {
    for message in messages {
        let mut frame = [0; LONGEST_FRAME];
        board.write_all(message.encode(&mut frame).unwrap()).await.unwrap();
    }
}
