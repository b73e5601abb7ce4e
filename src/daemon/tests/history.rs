//! Captures of earlier games that the event log lacks, beside a board that plays.

use std::{collections::BTreeMap, fmt::Write as _, fs::File, path::Path};

use super::*;
use crate::published::EventId;
use jadoube_core::event::LinkState;
use jadoube_runtime::clock::SystemClock;

/// Earlier games.
const GAMES: u32 = 100;

/// Captures of a port, all of them newer than the event log.
struct History {
    /// When the first of them began, seconds since 1970.
    began: i64,
}

impl History {
    /// Writes them, and a log that ends before them.
    fn write(&self, dir: &Path, port: &str) {
        fs::create_dir_all(dir.join("log")).unwrap();
        let log = dir.join("log/events.jsonl");
        let at = jiff::Timestamp::from_second(self.began - 1000).unwrap();
        fs::write(
            &log,
            format!("{{\"event\":\"link\",\"board\":\"x\",\"t\":0.0,\"at\":\"{at}\",\"seq\":7}}\n"),
        )
        .unwrap();
        let file = File::options().write(true).open(&log).unwrap();
        file.set_modified(std::time::SystemTime::from(at)).unwrap();
        let captures = dir.join("state/captures").join(port.replace("://", "-").replace(':', "-"));
        fs::create_dir_all(&captures).unwrap();
        let hex = |message: &Message<'_>| {
            let mut frame = [0; LONGEST_FRAME];
            let bytes = message.encode(&mut frame).unwrap().iter().map(|byte| format!("{byte:02x}"));
            bytes.collect::<Vec<_>>().join(" ")
        };
        for game in 1..=GAMES {
            let started = jiff::Timestamp::from_second(self.began + i64::from(game)).unwrap();
            let mut text = format!(
                "# dgt-capture 1\n# port: {port}\n# started: {started}\n# game: {game}\n0.1 ! open {port}\n"
            );
            let [lift, place] = pawn_move();
            let said = [Message::Serial(SERIAL), Message::BoardDump(Placement::start()), lift, place];
            for (index, message) in said.iter().enumerate() {
                writeln!(text, "0.{} < {}", index + 2, hex(message)).unwrap();
            }
            let name = format!("{}-x-g{game:03}.dgtcap", started.strftime("%Y%m%dT%H%M%S.%3fZ"));
            fs::write(captures.join(name), text).unwrap();
        }
    }

    /// Returns how often each of their events is in the log, and how many have been reported to their end.
    fn reported(&self, dir: &Path) -> (BTreeMap<EventId, u32>, usize) {
        let text = fs::read_to_string(dir.join("log/events.jsonl")).unwrap();
        let mut reported = BTreeMap::new();
        let mut ends = 0;
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(capture) = line["capture"].as_i64() else { continue };
            if capture > (self.began + i64::from(GAMES)) * 1_000_000 {
                continue;
            }
            ends += usize::from(line["event"] == "place" && line["square"] == "e4");
            let id = EventId {
                board: line["board"].as_str().unwrap().to_owned(),
                capture,
                t: line["t"].to_string().parse().unwrap(),
                nth: line["nth"].as_u64().unwrap().try_into().unwrap(),
            };
            *reported.entry(id).or_default() += 1;
        }
        (reported, ends)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_plays_while_earlier_games_are_written_to_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let port = format!("tcp://{address}");
    let history = History { began: SystemClock::start().started().as_second() - 10_000 };
    history.write(dir.path(), &port);
    // Earlier games wait while somebody else has the turn, and the board plays all the same.
    let turn = port::HISTORY_TURN.acquire().await.unwrap();
    let mut rig = Rig::begin(dir, socket).await;
    rig.greet(&after_pawn_move()).await;
    rig.say(&[update(0x0C, 0), update(0x1C, 7)]).await;
    rig.wait(|kind| matches!(kind, EventKind::Move(played) if *played.uci == *"e7e5")).await;
    let earlier = rig.seen.iter().filter(|event| is_start(&event.event.kind)).count();
    assert!(earlier <= 2, "{earlier} games were reported first");
    let check = |rig: &Rig| {
        let board = rig.desk.view().board(SERIAL).unwrap();
        let game = board.game.as_ref().unwrap();
        assert_eq!((game.number, game.moves.len()), (GAMES, 2), "it goes on with the newest capture");
        assert!(board.up);
    };
    check(&rig);
    // An end in between loses nothing of the rest, and repeats nothing.
    drop(turn);
    for _ in 0..10 {
        rig.wait(is_start).await;
    }
    let turn = port::HISTORY_TURN.acquire().await.unwrap();
    let (dir, socket) = rig.end_of_daemon().await;
    let (_, ends) = history.reported(dir.path());
    assert!((5..75).contains(&ends), "{ends} earlier games were reported before the end");
    drop(turn);
    let mut rig = Rig::begin(dir, socket).await;
    let mut present = after_pawn_move();
    present.set(Field::new(0x0C).unwrap(), Piece::Empty);
    present.set(Field::new(0x1C).unwrap(), Piece::from_byte(7));
    rig.greet(&present).await;
    rig.wait(|kind| matches!(kind, EventKind::Link { state: LinkState::Up, .. })).await;
    let rest = port::unfinished_history(&rig.dir.path().join("state"), &port);
    let done = async {
        while rest.exists() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, done).await.unwrap();
    check(&rig);
    let dir = rig.end().await;
    let (reported, ends) = history.reported(dir.path());
    let twice: Vec<_> = reported.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert_eq!(ends, usize::try_from(GAMES).unwrap());
}
