//! Good boards beside one board of every kind that is broken or meant to do harm.

use std::{collections::BTreeMap, thread, time::Duration};

use jadoube_emulate::{
    hall::{self, HallOptions},
    hostile::{HostileFault, HostileKind},
};
use jadoube_runtime::clock::SystemClock;
use serde_json::Value;

use crate::{
    hall::{Boards, LONGEST, check, events, game, options},
    support::Hall,
};

/// Boards on which games are played.
const GOOD: usize = 4;

/// How often the log is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Openings of one alert that a hostile board may cause in half a minute: what is wrong is said, and not again and again.
const FEW: usize = 3;

/// The hall: the good boards, and behind them each kind of hostile board.
fn mixed() -> HallOptions {
    let fault = |kind| HostileFault { kind, board: None, after: Duration::ZERO };
    HallOptions {
        boards: GOOD + HostileKind::ALL.len(),
        hostile: HostileKind::ALL.into_iter().map(fault).collect(),
        ..options()
    }
}

/// Counts alerts that were opened, by board and code.
fn opened(events: &[Value]) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for alert in events.iter().filter(|event| event["event"] == "alert" && event["state"] == "open") {
        let text = |key: &str| alert[key].as_str().unwrap_or_default().to_owned();
        *counts.entry((text("board"), text("code"))).or_default() += 1;
    }
    counts
}

#[test]
fn games_are_exact_beside_every_kind_of_hostile_board() {
    let boards = Boards::play(mixed());
    let port = |address: &String| format!("[[port]]\npath = '{address}'\n");
    let ports = boards.addresses.iter().map(port).collect::<Vec<_>>().concat();
    let config = format!("[event]\ncontrol = 'rapid'\ntime_control = '15+10'\n[ports]\nscan = []\n{ports}");
    let mut daemon = Hall::new(&config);
    daemon.start();
    let clock = SystemClock::start();
    while (0..GOOD).any(|board| game(&events(&daemon), board).is_none()) {
        assert!(clock.now().as_secs() < LONGEST.as_secs_f64(), "the last game has not come");
        thread::sleep(LOOK);
    }
    // A busy machine takes longer for the games.
    let half_minutes = 1 + usize::try_from(clock.now().as_micros() / 30_000_000).unwrap();
    // It still does what it is asked.
    assert_eq!(daemon.stop(), 0);

    let events = events(&daemon);
    for board in 0..GOOD {
        check(&events, board, &hall::record(&mixed(), board).truth, &[]);
    }
    let opened = opened(&events);
    for ((board, code), count) in &opened {
        assert!(*count <= FEW * half_minutes, "{board} {code} {count} times: {opened:?}");
    }
    for capture in daemon.captures() {
        let name = capture.strip_prefix(daemon.dir.path()).unwrap().to_str().unwrap();
        let safe = |letter: char| letter.is_ascii_alphanumeric() || "/.-_".contains(letter);
        assert!(name.chars().all(safe) && !name.contains(".."), "{name}");
    }
    let log = daemon.log("alerts.log");
    assert!(!log.contains('\u{1b}'), "{log}");
}
