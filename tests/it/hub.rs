//! One desk for many halls: hub, broker and daemon. How quick it is: tests/benches/olympiad.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    mqtt::{
        Table,
        broker::{Broker, is_missing, wait},
        configuration,
    },
    support::{Hall, PATIENCE, PROGRAM, Reserved, Socket, eventually},
};

const TOKEN: &str = "0123456789abcdef";

struct Hub {
    child: Child,
    address: String,
    dir: tempfile::TempDir,
    _reserved: Reserved,
}

impl Hub {
    /// Ends it as a service manager does.
    fn end(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let status = eventually("it ends", || self.child.try_wait().unwrap());
        assert_eq!(status.code(), Some(0));
    }

    fn start(broker: &Broker) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let reserved = Reserved::new();
        let address = reserved.address.to_string();
        let path = |name: &str| dir.path().join(name).display().to_string();
        let config = format!(
            "state_dir = '{}'\nlog_dir = '{}'\n[http]\nlisten = '{address}'\ntoken_file = '{}'\n[mqtt]\nurl = 'mqtt://127.0.0.1:{}'\n",
            path("state"),
            path("log"),
            path("token"),
            broker.port
        );
        fs::write(dir.path().join("hub.toml"), config).unwrap();
        fs::write(dir.path().join("token"), TOKEN).unwrap();
        fs::set_permissions(dir.path().join("token"), fs::Permissions::from_mode(0o600)).unwrap();
        let log = fs::File::create(dir.path().join("stderr")).unwrap();
        let child = Command::new(PROGRAM)
            .args(["hub", "--config"])
            .arg(dir.path().join("hub.toml"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child, address, dir, _reserved: reserved }
    }

    fn hall(&self) -> Option<Value> {
        let mut answer = ureq::get(format!("http://{}/api/hall", self.address)).call().ok()?;
        answer.body_mut().with_config().limit(64 << 20).read_json().ok()
    }

    /// Waits until the hall satisfies a condition.
    fn wait(&self, what: &str, wanted: impl Fn(&[Value]) -> bool) -> Value {
        let is =
            || self.hall().is_some_and(|hall| hall["boards"].as_array().is_some_and(|boards| wanted(boards)));
        wait(is, &format!("{what}; {}", fs::read_to_string(self.dir.path().join("stderr")).unwrap()));
        self.hall().unwrap()
    }

    /// Listens to what is reported from here on.
    fn listen(&self, query: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /api/events{query} HTTP/1.1\r\nhost: {}\r\n\r\n", self.address).unwrap();
        let mut stream = BufReader::new(stream);
        heard_until(&mut stream, "retry: ");
        stream
    }

    fn order(&self, board: &str, order: &Value) -> (u16, String) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent.post(format!("http://{}/api/boards/{board}/orders", self.address));
        let request = request.header("authorization", format!("Bearer {TOKEN}")).header("x-arbiter", "A");
        let mut answer = request.send_json(order).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }
}

/// Returns the lines of a stream up to the one that contains a text.
fn heard_until(stream: &mut BufReader<TcpStream>, text: &str) -> String {
    let mut heard = String::new();
    while !heard.lines().last().is_some_and(|line| line.contains(text)) {
        assert!(stream.read_line(&mut heard).unwrap() > 0, "{text}: {heard}");
    }
    heard
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(|_| ()).unwrap_or_default();
    }
}

#[test]
fn a_hall_far_away_is_on_the_desk_and_takes_orders() {
    if is_missing("a_hall_far_away_is_on_the_desk_and_takes_orders") {
        return;
    }
    let socket = Socket::new();
    let mut hall = Hall::new("");
    let broker = Broker::start(hall.dir.path(), "allow_anonymous true");
    let desk = Reserved::new();
    let mqtt = format!(
        "url = 'mqtt://127.0.0.1:{}'\ncommands = true\n[http]\nlisten = '{}'\nurl = 'https://hall-a.example/'",
        broker.port, desk.address
    );
    hall.configure(&configuration(&socket, &mqtt));
    let hub = Hub::start(&broker);
    hall.start();
    let mut table = Table::plug(&socket);
    table.play(52, 36);
    let is_there = |board: &Value| {
        board["board"] == "23946" && board["up"] == true && board["table"] == 7 && board["hall"] == "hall-a"
    };
    let shown = hub.wait("the board is on the desk", |boards| {
        boards.iter().any(|board| is_there(board) && board["game"]["ply"] == 1)
    });
    assert_eq!(shown["boards"].as_array().unwrap().len(), 1, "{shown}");
    let mut answer = ureq::get(format!("http://{}/api/boards/23946", hub.address)).call().unwrap();
    let board: Value = answer.body_mut().read_json().unwrap();
    assert_eq!(board["desk"], "https://hall-a.example", "its captures are there");
    // As the desk orders: with the number of the game.
    let game = shown["boards"][0]["game"]["number"].as_u64().unwrap();
    let result = |game: u64| json!({"order": "result", "result": "1-0", "game": game});
    let (status, text) = hub.order("23946", &result(game + 7));
    assert!(status / 100 == 4 && text.contains(&format!("the order is for game {}", game + 7)), "{text}");
    let mut page = hub.listen(&format!("?hall=true&after={}", shown["seq"]));
    let mut other = hub.listen("");
    let (status, text) = hub.order("23946", &result(game));
    assert_eq!(status / 100, 2, "{text}");
    let heard = heard_until(&mut page, "\"result\":\"1-0\"");
    assert!(heard.contains("event: board") && !heard.contains("event: reset"), "what has changed: {heard}");
    let heard = heard_until(&mut other, "event: reset");
    assert!(!heard.contains("event: board"), "{heard}");
    let audit = hall.log("audit.jsonl");
    let entry = audit.lines().last().unwrap();
    assert!(entry.contains(&format!("\"game\":{game}")) && entry.contains("\"arbiter\":\"A\""), "{audit}");
    hub.wait("the result is on the desk", |boards| {
        boards.iter().any(|board| board["game"]["result"] == "1-0")
    });
    let (status, text) = hub.order("23946", &json!({"order": "reinstate", "ply": 77}));
    assert!(status / 100 == 4 && text.contains("there is no ply 77"), "{status} {text}");
    hall.signal(Signal::KILL);
    hall.wait();
    hub.wait("the hall is not live", |boards| boards.iter().all(|board| board["up"] == false));
    // Neither who listens nor the broker holds up its end.
    hub.end();
    drop((page, other));
}
