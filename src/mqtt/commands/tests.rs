mod fuzz;

use super::*;
use crate::{
    config::{Config, MqttConfig},
    daemon::Daemon,
};

struct Bench {
    _dir: tempfile::TempDir,
    // Without it every order would be refused at once.
    daemon: Option<Daemon>,
    topics: Topics,
    commands: Commands,
}

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { log_dir: dir.path().into(), state_dir: dir.path().into(), ..Config::default() };
    let place = Place::of(&config);
    let (daemon, desk) = Daemon::new(config).unwrap();
    let link = jadoube_core::event::EventKind::Link {
        state: jadoube_core::event::LinkState::Up,
        port: "p".to_owned(),
    };
    let event = jadoube_core::event::Event {
        at: jadoube_core::time::Timestamp::ZERO,
        board: "23946".into(),
        kind: link,
    };
    let at = jiff::Timestamp::UNIX_EPOCH;
    desk.view().apply(&crate::published::Published::new("p".into(), event.into(), at, 1));
    let topics = Topics::new(&MqttConfig::default(), "pi");
    Bench { _dir: dir, daemon: Some(daemon), topics, commands: Commands::new(desk, place) }
}

impl Bench {
    fn send(&mut self, board: &str, payload: &str) {
        let topic = format!("dgt/hall/pi/cmd/{board}");
        self.commands.handle_message(&self.topics, &topic, payload.as_bytes(), false);
    }

    fn replies(&mut self) -> Vec<String> {
        let next = || self.commands.next_reply(&self.topics);
        std::iter::from_fn(next)
            .map(|(topic, payload)| topic + " " + std::str::from_utf8(&payload).unwrap())
            .collect()
    }
}

#[tokio::test]
async fn what_is_no_order_is_ignored() {
    let mut bench = bench();
    let long = format!("{{\"transaction\":\"{}\",\"order\":\"flip\"}}", "x".repeat(129));
    let deep = "[".repeat(4000);
    for bad in
        ["", "flip", "{}", "{\"order\":\"flip\"}", "{\"transaction\":1,\"order\":\"flip\"}", &long, &deep]
    {
        bench.send("23946", bad);
    }
    let order = "{\"transaction\":\"a\",\"order\":\"flip\"}";
    bench.commands.handle_message(&bench.topics, "dgt/hall/pi/cmd/23946", order.as_bytes(), true);
    bench.commands.handle_message(&bench.topics, "dgt/other/pi/cmd/23946", order.as_bytes(), false);
    bench.commands.handle_message(&bench.topics, "dgt/hall/pi/cmd/23946", " ".repeat(5000).as_bytes(), false);
    assert_eq!(bench.commands.ignored, 10);
    assert_eq!(bench.replies(), Vec::<String>::new());
}

#[tokio::test]
async fn a_wrong_order_is_refused_with_the_reason() {
    let mut bench = bench();
    bench.send("23946", "{\"transaction\":\"a\",\"order\":\"flap\"}");
    bench.send("1", "{\"transaction\":\"b\",\"order\":\"flip\"}");
    bench.send("23946", "{\"transaction\":\"c\",\"order\":\"answer\",\"alert\":\"1\",\"mate\":\"possible\"}");
    bench.send("23946", "{\"transaction\":\"d\",\"order\":\"flip\",\"game\":\"first\"}");
    bench.send("23946", "{\"transaction\":\"e\",\"order\":\"mute\",\"second\":60}");
    let replies = bench.replies();
    assert!(replies[3].contains("is no number of a game"), "{replies:?}");
    assert!(replies[4].contains("\"ok\":false"), "a misspelt key is not ignored: {replies:?}");
    assert!(replies[0].starts_with("dgt/hall/pi/cmd/23946/reply {"), "{replies:?}");
    assert!(replies[0].contains("\"ok\":false") && replies[0].contains("has to be"), "{replies:?}");
    assert!(replies[1].contains("there is no board 1"), "{replies:?}");
    assert!(replies[2].contains("nobody may enter this"), "{replies:?}");
}

#[tokio::test]
async fn a_flood_is_bounded() {
    let mut bench = bench();
    for number in 0..10_000 {
        bench.send("23946", &format!("{{\"transaction\":\"{number}\",\"order\":\"flip\"}}"));
    }
    assert_eq!(bench.commands.waiting.len(), MOST_WAITING);
    let replies = bench.replies();
    assert_eq!(replies.len(), MOST_ANSWERS);
    assert!(replies[0].contains("too many orders"), "{replies:?}");
}

#[tokio::test]
async fn an_order_that_comes_twice_waits_once() {
    let mut bench = bench();
    for _ in 0..3 {
        bench.send("23946", "{\"transaction\":\"a\",\"order\":\"flip\"}");
    }
    assert_eq!((bench.commands.waiting.len(), bench.commands.running.len()), (0, 1));
    bench.daemon = None;
    bench.commands.done().await;
    let replies = bench.replies();
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert!(replies[0].contains("about to end"), "{replies:?}");
}

#[tokio::test]
async fn an_order_that_names_another_board_is_refused() {
    let mut bench = bench();
    bench.send("23946", r#"{"transaction":"a","order":"flip","board":"999"}"#);
    let replies = bench.replies();
    assert!(replies.len() == 1 && replies[0].contains("the order is for board 999"), "{replies:?}");
}
