use std::{fs, path::Path, sync::Arc};

use jadoube_core::{
    capture::Reader,
    event::{Event, Times},
    replay,
    time::Timestamp,
};
use serde_json::json;

use super::*;
use crate::view::{ClockView, View};

/// What a page knows of a board; it takes patches in as `hall.js` does.
#[derive(Default)]
struct Page {
    seq: u64,
    summary: Map<String, Value>,
    alerts: BTreeMap<String, Value>,
}

impl Page {
    fn take(&mut self, patch: &[u8]) {
        let patch: Value = serde_json::from_slice(patch).unwrap();
        self.seq = patch["seq"].as_u64().unwrap();
        let changed = patch["changed"].as_object().cloned().unwrap_or_default();
        self.summary.extend(changed);
        if patch["whole"] == json!(true) {
            self.alerts.clear();
        }
        for id in patch["gone"].as_array().into_iter().flatten() {
            self.alerts.remove(id.as_str().unwrap());
        }
        for alert in patch["alerts"].as_array().into_iter().flatten() {
            self.alerts.insert(alert["id"].as_str().unwrap().to_owned(), alert.clone());
        }
    }

    fn open(&self) -> Vec<&Value> {
        let is_open = |alert: &&Value| matches!(alert["state"].as_str(), Some("open" | "acknowledged"));
        self.alerts.values().filter(is_open).collect()
    }
}

/// Checks that a page shows what `GET /api/hall` would.
#[track_caller]
fn check(page: &Page, board: &BoardView, config: &Config) {
    let mut summary = serde_json::to_value(Summary::of(board, config)).unwrap();
    let alerts = summary.as_object_mut().unwrap().remove("alerts").unwrap();
    assert_eq!(Value::Object(page.summary.clone()), summary);
    assert_eq!(json!(page.open()), alerts);
}

fn events(name: &str) -> Vec<Event> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures").join(name);
    let bytes = fs::read(&path).unwrap();
    let mut reader = Reader::new(name, &bytes[..]).unwrap();
    let config = Config::default();
    let settings = config.line_settings(replay::port(reader.header()));
    let mut events = Vec::new();
    replay::replay(&mut reader, settings, Timestamp::MAX, |event| events.push(event)).unwrap();
    events
}

#[test]
fn a_page_that_takes_the_patches_shows_what_the_service_knows() {
    let (config, port) = (Config::default(), Arc::<str>::from("/dev/p"));
    let mut reported = 0;
    for name in ["illegal-move.dgtcap", "flag.dgtcap", "golden-session.dgtcap", "kings-in-centre.dgtcap"] {
        let (view, mut patches) = (View::default(), Patches::default());
        let mut pages: BTreeMap<BoardId, Page> = BTreeMap::new();
        for (seq, event) in (1..).zip(events(name)) {
            let board = event.board.clone();
            let published = Published::new(port.clone(), event.into(), jiff::Timestamp::UNIX_EPOCH, seq);
            view.apply(&published);
            let known = view.board(&board).unwrap();
            let patch = patches.write(&published, &known, &config).unwrap();
            let page = pages.entry(board.clone()).or_default();
            page.take(&patch);
            check(page, &known, &config);
            reported += page.alerts.len();
            // Whoever comes back late reads the board as a whole.
            let (last, boards) = view.read();
            let mut late = Page { seq: 7, ..Page::default() };
            late.alerts.insert("gone".to_owned(), json!({ "state": "open" }));
            let own = boards.into_iter().filter(|(name, _)| *name == board).collect();
            for patch in since(0, last, &own, &config) {
                late.take(&patch);
            }
            check(&late, &known, &config);
            assert_eq!((late.seq, since(seq, last, &own, &config).len()), (seq, 0), "{name}");
        }
    }
    assert!(reported > 0, "there were alerts");
}

#[test]
fn a_patch_has_what_has_changed_and_nothing_else() {
    let (config, port) = (Config::default(), Arc::<str>::from("/dev/p"));
    let (view, mut patches) = (View::default(), Patches::default());
    let mut sizes: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for (seq, event) in (1..).zip(events("golden-session.dgtcap")) {
        let kind = event.kind.name();
        let published = Published::new(port.clone(), event.into(), jiff::Timestamp::UNIX_EPOCH, seq);
        view.apply(&published);
        let known = view.board(&published.event.board).unwrap();
        let patch = patches.write(&published, &known, &config).unwrap();
        let patch: Value = serde_json::from_slice(&patch).unwrap();
        assert_eq!(patch["event"], kind);
        let keys = patch["changed"].as_object().map_or(0, Map::len);
        sizes.entry(kind).or_default().push(keys);
    }
    assert_eq!(sizes["press"].iter().max(), Some(&1), "the clock");
    assert!(
        sizes["lift"].iter().chain(&sizes["place"]).all(|keys| *keys <= 1),
        "pieces in the air: {sizes:?}"
    );
    assert!(sizes["move"].iter().all(|keys| *keys <= 2), "game and pieces in the air: {sizes:?}");
}

#[test]
fn a_change_without_an_event_says_if_only_the_clock_has_changed() {
    let config = Config::default();
    let mut patches = Patches::default();
    let mut board = BoardView::new("1".into());
    let mut reported = |seq, board: &BoardView| -> Value {
        serde_json::from_slice(&patches.write_change(seq, None, board, &config).unwrap()).unwrap()
    };
    assert_eq!(reported(1, &board)["whole"], true);
    board.battery = Some(50);
    assert_eq!(reported(2, &board), json!({ "seq": 2, "board": "1", "changed": { "battery": 50 } }));
    board.clock = Some(ClockView {
        times: Times { white: 60, black: 50 },
        running: None,
        connected: true,
        low_battery: false,
        at: jiff::Timestamp::UNIX_EPOCH,
    });
    assert_eq!(reported(3, &board)["event"], "clock");
    board.up = !board.up;
    board.clock = None;
    assert_eq!(reported(4, &board)["event"], Value::Null);
}
