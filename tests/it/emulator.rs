//! Virtual boards as a host sees them: terminals, sockets, a bus, and captures on disk.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use dgt_protocol::{Address, Answer, BusCommand, BusDecoder, BusRequest, Decoder, Frame, id};

use crate::support::{Emulator, PATIENCE, eventually, run};

/// How long a board may take to answer before it is asked once more.
const ONE_MORE_TRY: Duration = Duration::from_millis(200);

/// The host's end of a link, read by a thread, so that waiting can be limited.
struct Host {
    writer: Box<dyn Write>,
    bytes: Receiver<Vec<u8>>,
}

impl Host {
    fn open(path: &Path) -> Self {
        let device = File::options().read(true).write(true).open(path).unwrap();
        Self::on(device.try_clone().unwrap(), device)
    }

    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address.strip_prefix("tcp://").unwrap()).unwrap();
        Self::on(stream.try_clone().unwrap(), stream)
    }

    fn on(mut reader: impl Read + Send + 'static, writer: impl Write + 'static) -> Self {
        let (sender, bytes) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 256];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { writer: Box::new(writer), bytes }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).unwrap();
    }

    /// Waits for a message that is wanted.
    fn wait<T>(&self, what: &str, wanted: impl Fn(Frame<'_>) -> Option<T>) -> T {
        let mut decoder = Decoder::new();
        loop {
            let bytes =
                self.bytes.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("no {what}: {error}"));
            let mut input = &bytes[..];
            while let Some(frame) = decoder.next_frame(&mut input) {
                if let Some(found) = wanted(frame) {
                    return found;
                }
            }
        }
    }

    /// Asks for the serial number.
    fn serial(&mut self) -> String {
        self.send(&[0x40, 0x45]);
        self.wait("serial number", |frame| {
            (frame.id == id::SERIAL).then(|| String::from_utf8(frame.data.to_vec()).unwrap())
        })
    }

    /// Waits until the link is gone.
    fn wait_end(&self) {
        while self.bytes.recv_timeout(PATIENCE).is_ok() {}
    }
}

fn updates(host: &mut Host) {
    host.send(&[0x4B]);
    host.wait("field update", |frame| (frame.id == id::FIELD_UPDATE).then_some(()));
}

#[test]
fn a_board_on_a_terminal_answers_and_is_played_on() {
    let dir = tempfile::tempdir().unwrap();
    let emulator = Emulator::start(2, &["--speed", "20", "--dir", dir.path().to_str().unwrap()]);
    assert_eq!(emulator.boards.len(), 2);
    for (serial, path) in &emulator.boards {
        let mut host = Host::open(Path::new(path));
        assert_eq!(host.serial(), *serial);
        updates(&mut host);
    }
    // Opening and closing the link has no effect on the board.
    let (serial, path) = &emulator.boards[0];
    assert_eq!(Host::open(Path::new(path)).serial(), *serial);
}

#[test]
fn a_board_on_a_socket_answers_and_takes_the_next_host() {
    let emulator = Emulator::start(2, &["--speed", "20", "--tcp", "127.0.0.1:0"]);
    for (serial, address) in &emulator.boards {
        let mut host = Host::connect(address);
        assert_eq!(host.serial(), *serial);
        updates(&mut host);
    }
    let (serial, address) = &emulator.boards[1];
    assert_eq!(Host::connect(address).serial(), *serial);
}

#[test]
fn a_board_that_is_unplugged_comes_back_under_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["--speed", "50", "--incident", "unplugged", "--dir", dir.path().to_str().unwrap()];
    let emulator = Emulator::start(1, &args);
    let (serial, path) = &emulator.boards[0];
    let mut host = Host::open(Path::new(path));
    assert_eq!(host.serial(), *serial);
    host.wait_end();
    emulator.wait_message("plugged in");
    let mut host = Host::open(Path::new(path));
    // It starts up first, and ignores commands until then. An answer may come in pieces.
    let mut answers = Vec::new();
    eventually("an answer", || {
        host.send(&[0x45]);
        while let Ok(bytes) = host.bytes.recv_timeout(ONE_MORE_TRY) {
            answers.extend(bytes);
            if answers.windows(5).any(|window| window == serial.as_bytes()) {
                return Some(());
            }
        }
        None
    });
}

#[test]
fn boards_on_a_bus_answer_when_they_are_meant() {
    let dir = tempfile::tempdir().unwrap();
    let emulator = Emulator::start(3, &["--bus", "--dir", dir.path().to_str().unwrap()]);
    let (serials, path) = &emulator.boards[0];
    let serials: Vec<&str> = serials.split(',').collect();
    assert_eq!(serials.len(), 3);
    let mut host = Host::open(Path::new(path));
    let mut decoder = BusDecoder::new();
    for serial in serials {
        let address = Address::from_serial(serial).unwrap();
        host.send(&BusCommand { address, request: BusRequest::Ping }.to_bytes());
        // It may come in pieces.
        let reply = loop {
            let bytes = host.bytes.recv_timeout(PATIENCE).unwrap();
            let mut input = &bytes[..];
            if let Some(reply) = decoder.next_reply(&mut input) {
                break (reply.address, reply.answer == Answer::Pong);
            }
        };
        assert_eq!(reply, (address, true));
    }
}

#[test]
fn captures_are_written_with_what_was_true() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, seed: &str| {
        let directory = dir.path().join(name);
        let args = ["emulate", "--boards", "3", "--incident", "illegal-move", "--seed", seed, "--captures"];
        let (status, _, errors) = run(&[&args[..], &[directory.to_str().unwrap()]].concat(), "");
        assert_eq!((status, errors.as_str()), (0, ""));
        fs::read_to_string(directory.join("board-02.dgtcap")).unwrap()
    };
    let capture = write("one", "7");
    assert!(capture.starts_with("# dgt-capture 1\n"), "{}", &capture[..40]);
    assert_eq!(capture, write("same", "7"));
    assert_ne!(capture, write("other", "8"));
    let truth = fs::read_to_string(dir.path().join("one/board-02.truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    assert_eq!(truth["alerts"][0]["code"], "illegal-move");
    assert!(truth["moves"].as_array().unwrap().len() > 10);
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let check = |args: &[&str], input: &str, expect: (i32, &str)| {
        let (status, _, errors) = run(&[&["emulate"], args].concat(), input);
        assert_eq!((status, errors.lines().count()), (expect.0, 1), "{errors}");
        assert!(errors.contains(expect.1), "{errors}");
    };
    check(&["--incident", "earthquake"], "", (64, "no incident 'earthquake'; there are illegal-move, "));
    check(&["--fault", "melt"], "", (64, "'melt' is no kind of board: expected KIND"));
    check(&["--fault", "flood:2"], "", (64, "each --fault KIND needs a board of its own"));
    check(&["--fault", "flood", "--bus"], "", (64, "a hostile board needs a line of its own"));
    check(&["--fault", "drop=0.1", "--noisy"], "", (64, "exclude each other"));
    check(&["--speed", "0"], "", (64, "'0' is no number between 0.001 and 1000"));
    check(&["--pgn", "/nonexistent/games.pgn"], "", (66, "/nonexistent/games.pgn"));
    check(&["--pgn", "-"], "1. e5", (65, "standard input: game 1: '1. e5' is no legal move"));
}
