//! The web server, used like a browser or a program.

use std::{
    cell::RefCell,
    fmt,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
};

use jadoube_runtime::clock::SystemClock;
use serde_json::Value;

use crate::support::{Board, Hall, PATIENCE, Reserved, Socket, eventually};

mod access;
mod arbiters;
mod attacks;
mod description;
#[cfg(feature = "mdns")]
mod mdns;
mod monitoring;
#[cfg(feature = "notify")]
mod notify;
mod ordering;
mod proxies;
#[cfg(feature = "push")]
mod push;
mod reading;
mod rounds;
mod schema;
mod secrets;
mod state;
mod strangers;
mod streaming;
mod terminal;
#[cfg(feature = "tls")]
mod tls;
mod walk;

/// Serial number request, which the daemon sends to identify a board.
const ASK_SERIAL: u8 = 0x45;

/// A hall with a web server, and boards that can be plugged in.
struct Desk {
    hall: Hall,
    socket: Socket,
    address: SocketAddr,
    _reserved: Reserved,
}

impl Desk {
    /// Starts a daemon with further lines of configuration below `[http]`.
    fn start(http: &str) -> Self {
        let reserved = Reserved::new();
        let address = reserved.address;
        let socket = Socket::new();
        let mut hall = Hall::new("");
        let token = hall.dir.path().join("token");
        hall.configure(&format!(
            "[event]\nname = 'Test'\n[ports]\nscan = []\n[[port]]\npath = '{}'\n\
             [[table]]\nnumber = 7\nserial = '23946'\nwhite = 'Weiß, W'\nblack = 'Black, B'\n\
             [http]\nlisten = '{address}'\ntoken_file = '{}'\n{http}",
            socket.port(),
            token.display()
        ));
        hall.start();
        hall.wait_message("listens");
        Self { hall, socket, address, _reserved: reserved }
    }

    /// Plugs in a board that sends its serial number.
    fn plug(&mut self) -> Board<TcpStream> {
        let mut board = self.socket.plug();
        board.wait_command(ASK_SERIAL);
        board.say_serial("23946");
        self.hall.wait_notification("STATUS=1 board");
        board
    }

    /// Sends a request and returns the whole response.
    fn ask(&self, head: &str, body: &str) -> Answer {
        Answer::read(self.send(head, body))
    }

    /// Sends a GET request.
    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\nhost: {}", self.address), "")
    }

    /// Requests JSON until it satisfies the condition, because events arrive with a delay.
    fn wait_json(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let text = self.wait_text(path, |text| serde_json::from_str(text).is_ok_and(|json| wanted(&json)));
        serde_json::from_str(&text).unwrap()
    }

    /// Requests a text until it satisfies the condition.
    fn wait_text(&self, path: &str, wanted: impl Fn(&str) -> bool) -> String {
        let last = RefCell::new(String::new());
        let what = fmt::from_fn(|f| write!(f, "{path} stays {}", last.borrow()));
        eventually(what, || {
            let text = self.get(path).body;
            last.borrow_mut().clone_from(&text);
            wanted(&text).then_some(text)
        })
    }

    /// Sends a request, its head as lines without their ends.
    fn send(&self, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = head.replace('\n', "\r\n");
        let length =
            if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        let close = if head.contains("text/event-stream") { "" } else { "connection: close\r\n" };
        stream.write_all(format!("{head}\r\n{length}{close}\r\n{body}").as_bytes()).unwrap();
        stream
    }
}

/// A response.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn read(mut stream: impl Read) -> Self {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// An event stream.
struct Stream {
    lines: BufReader<TcpStream>,
    clock: SystemClock,
}

impl Stream {
    /// Opens the stream with further header lines.
    fn open(desk: &Desk, query: &str, head: &str) -> Self {
        let head = format!(
            "GET /api/events{query} HTTP/1.1\nhost: {}\naccept: text/event-stream{head}",
            desk.address
        );
        let mut lines = BufReader::new(desk.send(&head, ""));
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        let mut stream = Self { lines, clock: SystemClock::start() };
        stream.wait("retry: ");
        stream
    }

    /// Waits for a line with this prefix, and returns the rest of it.
    fn wait(&mut self, start: &str) -> String {
        let mut seen = Vec::new();
        let asked = self.clock.now();
        loop {
            let mut line = String::new();
            let count = self.lines.read_line(&mut line).unwrap_or(0);
            assert!(count > 0, "no line '{start}', only {seen:#?}");
            if let Some(rest) = line.strip_prefix(start) {
                return rest.trim_end().to_owned();
            }
            // As long as the daemon lives, there are signs of life.
            let patient = self.clock.now() < asked + PATIENCE;
            assert!(patient, "no line '{start}', only {seen:#?}");
            seen.push(line);
        }
    }

    /// Waits until the server ends the stream.
    fn wait_end(&mut self) {
        let mut line = String::new();
        // The last chunk of an answer is empty.
        while line.trim_end() != "0" {
            line.clear();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the connection was cut");
        }
    }

    /// Waits for an event of this kind.
    fn wait_event(&mut self, kind: &str) -> Value {
        loop {
            let event: Value = serde_json::from_str(&self.wait("data: ")).unwrap();
            if event["event"] == kind {
                return event;
            }
        }
    }
}
