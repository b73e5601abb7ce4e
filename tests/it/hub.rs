//! One desk for many halls: hub, broker and daemon; and, run by hand, an Olympiad.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rumqttc::{Client, Event, MqttOptions, Packet, QoS};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    mqtt::{
        Table,
        broker::{Broker, is_missing, wait},
        configuration,
    },
    support::{Hall, PROGRAM, Reserved, Socket},
};

const TOKEN: &str = "0123456789abcdef";

struct Hub {
    child: Child,
    address: String,
    dir: tempfile::TempDir,
    _reserved: Reserved,
}

impl Hub {
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

    fn order(&self, board: &str, order: &Value) -> (u16, String) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent.post(format!("http://{}/api/boards/{board}/orders", self.address));
        let request = request.header("authorization", format!("Bearer {TOKEN}")).header("x-arbiter", "A");
        let mut answer = request.send_json(order).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }
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
    let (status, text) = hub.order("23946", &result(game));
    assert_eq!(status / 100, 2, "{text}");
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
}

/// Halls and boards of an Olympiad.
const HALLS: usize = 30;
const BOARDS: usize = 1_000;

/// Into how many parts a second's states are cut.
const PARTS: usize = 10;

fn state(board: usize, second: u32) -> String {
    json!({
        "board": format!("{board:05}"), "serial": format!("{board:05}"), "port": "/dev/ttyACM0", "version": "1.08",
        "rotated": false, "link": "up", "table": board, "white": format!("White, {board}"), "black": format!("Black, {board}"),
        "placement": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "fen": null, "game": 1, "ply": 0, "result": null,
        "clock": {"white": 5400 - second, "black": 5400, "running": "white", "connected": true, "low_battery": false,
                  "at": jiff::Timestamp::now()},
        "alerts": 0, "updated": jiff::Timestamp::now(),
    })
    .to_string()
}

fn rss(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default().to_owned()
}

fn cpu(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}

#[test]
#[ignore = "by hand, for its figures: cargo nextest run --release --run-ignored only -E 'test(olympiad)' --no-capture"]
#[expect(clippy::disallowed_methods, reason = "its figures are times")]
fn an_olympiad_of_thirty_halls() {
    let dir = tempfile::tempdir().unwrap();
    let broker = Broker::start(
        dir.path(),
        "allow_anonymous true\nmax_queued_messages 100000\nmax_inflight_messages 200\nset_tcp_nodelay true",
    );
    let began = Instant::now();
    let clients: Vec<Client> = (0..HALLS)
        .map(|hall| {
            let mut options = MqttOptions::new(format!("hall-{hall}"), "127.0.0.1", broker.port);
            options.set_inflight(100);
            let (client, mut connection) = Client::new(options, 10_000);
            let answering = client.clone();
            client.subscribe(format!("dgt/h{hall}/d/cmd/+"), QoS::AtLeastOnce).unwrap();
            std::thread::spawn(move || {
                for event in connection.iter() {
                    let Ok(Event::Incoming(Packet::Publish(order))) = event else { continue };
                    let order_text: Value = serde_json::from_slice(&order.payload).unwrap();
                    let reply = json!({"transaction": order_text["transaction"], "ok": true}).to_string();
                    answering
                        .try_publish(format!("{}/reply", order.topic), QoS::AtLeastOnce, false, reply)
                        .unwrap();
                }
            });
            client
        })
        .collect();
    let root = |board: usize| format!("dgt/h{}/d", board % HALLS);
    for (hall, client) in clients.iter().enumerate() {
        client.publish(format!("dgt/h{hall}/d/status"), QoS::AtLeastOnce, true, "online").unwrap();
    }
    let publish = |boards: std::ops::RangeInclusive<usize>, second: u32| {
        for board in boards {
            let client = &clients[board % HALLS];
            let topic = |what: &str| format!("{}/board/{board:05}/{what}", root(board));
            if second == 0 {
                client.publish(topic("availability"), QoS::AtLeastOnce, true, "online").unwrap();
            }
            client.publish(topic("state"), QoS::AtLeastOnce, true, state(board, second)).unwrap();
        }
    };
    publish(1..=BOARDS, 0);
    println!("{BOARDS} boards of {HALLS} halls handed over after {:?}", began.elapsed());
    let started = Instant::now();
    let hub = Hub::start(&broker);
    hub.wait("all boards are there", |boards| {
        boards.len() == BOARDS && boards.iter().all(|board| board["up"] == true)
    });
    println!("the hub shows all boards {:?} after its start", started.elapsed());
    let (process, before) = (hub.child.id(), cpu(hub.child.id()));
    let load = Instant::now();
    let mut latencies = Vec::new();
    let mut round_trips = Vec::new();
    for second in 1..=30 {
        let tick = Instant::now();
        // The daemons do not publish all at the same time.
        for part in 0..PARTS {
            publish(part * BOARDS / PARTS + 1..=(part + 1) * BOARDS / PARTS, second);
            std::thread::sleep(Duration::from_millis(50));
        }
        let board = 1 + usize::try_from(second).unwrap() * 31 % BOARDS;
        let id = format!("{board:05}-1-{second}");
        let alert = json!({"id": id, "code": "illegal-move", "state": "open", "confidence": "certain",
            "board": format!("{board:05}"), "at": jiff::Timestamp::now(), "changed": jiff::Timestamp::now(), "text": "x"});
        let raised = Instant::now();
        clients[board % HALLS]
            .publish(format!("{}/alert/{id}", root(board)), QoS::AtLeastOnce, true, alert.to_string())
            .unwrap();
        hub.wait("the alert is there", |boards| {
            boards.iter().any(|shown| shown["alerts"].to_string().contains(&id))
        });
        latencies.push(raised.elapsed());
        let ordered = Instant::now();
        let (status, text) = hub.order(&format!("{board:05}"), &json!({"order": "flip"}));
        assert_eq!(status / 100, 2, "{text}");
        round_trips.push(ordered.elapsed());
        std::thread::sleep(Duration::from_secs(1).saturating_sub(tick.elapsed()));
    }
    latencies.sort();
    round_trips.sort();
    let seconds = load.elapsed().as_secs_f64();
    println!(
        "{:.0} messages a second for {seconds:.0} s",
        f64::from(u32::try_from(BOARDS).unwrap() * 30) / seconds
    );
    println!("alert to page: median {:?}, worst {:?}", latencies[15], latencies[29]);
    println!("order and answer: median {:?}, worst {:?}", round_trips[15], round_trips[29]);
    println!("hub: {:.0} % of a core, {}", (cpu(process) - before) / seconds * 100.0, rss(process));
}
