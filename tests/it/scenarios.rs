//! Rules, tested as an arbiter would describe them: events at board and clock, and the alerts that follow.
//!
//! Every file in `tests/scenarios` is named after a code, but for `orders.txt`, and holds scenarios:
//!
//! ```text
//! == The king is left in check                  a new scenario
//! rules 2023 standard                           edition and control; `supervised` may follow
//! fen 4k3/8/8/8/7b/8/3P4/4K2R w - - 0 1         the game starts here; without it from the initial position
//! set event.time_control=3+2                    any configuration key
//! 2.5  d2-                                      at 2.5 s d2 becomes empty
//! 2.9  d4P                                      … and on d4 stands a white pawn
//! 3.2  press white                              also: stop, start white, flag white, blocked white,
//!                                               flags (both in one report), unflag white, clock white 60
//! 4.0  play e7e5 g1f3                           whole plies, one every two seconds: lift, at +0.5 s place, at
//!                                               +0.8 s press; `made e7e5` is one without its press
//! 9.0  order {"order":"flip"}                   an arbiter's order
//! 9.2  adds white 900                           with the next press of White the clock adds this, too
//! 9.5  link down                                also: link up, clock lost, clock found, clock battery low, charge 10,
//!                                               noise 50 (bytes), dump, wait
//! setup rnbqkbnr/… w - - 0 1                     what stands on the board although the program is not informed
//! stopped black                                 the clock stands still, that side's lever up
//! left 180                                      seconds on both displays
//! increment 3                                   what the clock adds for a move, if other than the time control says
//! ---
//! 3.2  illegal-move white 7.5.1 certain +120    the alert that hangs on what happened at 3.2 s; nothing else comes
//! 9.0  refused                                  the order is refused
//! 9.0  says increment                            what is said of the order holds these words
//! result 1-0                                    the result at the end
//! end illegal-move expired                      the last state of the last alert with this code
//! en Reinstate the position                     an alert or entry says this in English, `de` in German
//! game d4                                       the moves at the end, where they matter
//! ```
//!
//! White has the left side of the clock. An alert may come up to 2.5 s after what it hangs on. `+120` is the time
//! proposed, `-5` the time taken back, `1-0` and the like the result proposed, `by=A.5.2` the article that gives the
//! power, `claim=correct` and the like a fact. Alerts on equipment and for information count only in their own files.

mod bench;
mod script;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use jadoube::config::Config;
use jadoube_core::{
    alert::Alert,
    code::Code,
    laws::{Control, Edition, EventSettings, Laws},
    position::Position,
    rules,
};
use shakmaty::CastlingMode;

use self::{
    bench::Bench,
    script::{Expected, Scenario, scenarios},
};

/// Longest delay of an alert after its cause, seconds.
const LATEST: f64 = 2.5;

/// Scenarios that each code has at least.
const LEAST: usize = 10;

/// What is about equipment or only for information is reported where a scenario asks for it, and in its own file.
const SIDE_NOTES: [&str; 8] = [
    "qpf-eligible",
    "default-time",
    "clock-stopped",
    "clock-low-battery",
    "board-link",
    "clock-link",
    "board-battery",
    "line-noise",
];

#[test]
fn scenarios_raise_their_alerts_and_no_others() {
    let mut failures = String::new();
    let mut count = 0;
    for (name, scenarios) in files() {
        for scenario in scenarios {
            count += 1;
            if let Err(why) = scenario.check(&name) {
                writeln!(failures, "{name}: {}\n{why}", scenario.title).unwrap();
            }
        }
    }
    assert!(count > 0, "there are no scenarios");
    assert!(failures.is_empty(), "{failures}");
}

/// Each code is shown where it comes and where it does not, under each edition that words or rules it differently.
#[test]
fn every_code_and_every_edition_difference_has_scenarios() {
    let files = files();
    let mut gaps = String::new();
    for code in rules::ALL.iter().flat_map(|spec| spec.codes) {
        let name = serde_json::to_value(code).unwrap().as_str().unwrap().to_owned();
        let Some(scenarios) = files.get(&name) else {
            writeln!(gaps, "{name}: no file").unwrap();
            continue;
        };
        let (shown, silent): (Vec<&Scenario>, Vec<&Scenario>) =
            scenarios.iter().partition(|scenario| scenario.expects(&name));
        if scenarios.len() < LEAST || shown.len() < 4 || silent.len() < 3 {
            writeln!(gaps, "{name}: {} shown, {} silent", shown.len(), silent.len()).unwrap();
        }
        // The table is verified: an article requires an alert, no article requires none.
        let mut wanted: BTreeMap<String, String> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for event in events() {
            let cell = cell(*code, &event);
            let alert = Laws::of(&event).article(*code).is_some();
            let which =
                |scenario: &&&Scenario| scenario.event() == (event.rules, event.control, event.supervised);
            let mut pool = if alert { shown.iter() } else { silent.iter() };
            if pool.any(|scenario| which(&scenario)) {
                seen.insert(cell.clone());
            }
            let place = format!("{} {} {}", event.rules, event.control, event.supervised);
            wanted.entry(cell).or_insert(place);
        }
        for (cell, place) in wanted.iter().filter(|(cell, _)| !seen.contains(*cell)) {
            writeln!(gaps, "{name}: nothing shows {cell} (such as {place})").unwrap();
        }
    }
    assert!(gaps.is_empty(), "{gaps}");
}

/// Each row of the page of statements names scenarios or tests that are there, unless nothing can be sensed or entered.
#[test]
fn every_statement_has_its_scenario() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("src/core/rules/STATEMENTS.md")).unwrap();
    let files = files();
    let (mut gaps, mut rows) = (String::new(), 0);
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| #")) {
        rows += 1;
        let shown = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for place in shown.split("; ").filter(|place| *place != "–") {
            let (file, name) = place.split_once("`: ").unwrap_or((place, ""));
            let file = file.trim_matches('`');
            let there = match file.strip_suffix(".txt") {
                Some(scenarios) => {
                    let is_it = |scenario: &&Scenario| scenario.is_called(name);
                    files.get(scenarios).is_some_and(|all| all.iter().filter(is_it).count() == 1)
                }
                None => is_test(&root, file, name.trim_matches('`')),
            };
            if !there {
                writeln!(gaps, "{row}: {place} is not there").unwrap();
            }
        }
    }
    assert_eq!(rows, 100);
    assert!(gaps.is_empty(), "{gaps}");
}

/// Returns whether a file, named by the end of its path, has a test of this name.
fn is_test(root: &Path, file: &str, name: &str) -> bool {
    let places = ["src/core", "src", "tests/it"].map(|folder| root.join(folder).join(file));
    let mut texts = places.iter().filter_map(|path| fs::read_to_string(path).ok());
    texts.any(|text| text.contains(&format!("#[test]\nfn {name}()")))
}

/// The second review of the Laws has sentences that were wrong; each is said somewhere as it should be.
#[test]
fn every_reviewed_sentence_is_expected_by_a_scenario() {
    let said = |language: &str, text: &str| {
        files().values().flatten().any(|scenario| {
            let mut texts = scenario.texts.iter().filter(|(known, _)| known == language);
            texts.any(|(_, expected)| expected.contains(text))
        })
    };
    let mut numbers = BTreeSet::new();
    for line in include_str!("../rules/sentences.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let &[number, language, text] = words.as_slice() else { panic!("{line}") };
        assert!(said(language, text), "no scenario expects: {line}");
        numbers.insert(number.parse::<u32>().unwrap());
    }
    assert_eq!(numbers, (1..=25).collect());
}

/// What the Laws say of a code in one event, as far as it may differ from others.
fn cell(code: Code, event: &EventSettings) -> String {
    let laws = Laws::of(event);
    let (Some(article), authority) = (laws.article(code), laws.authority(code)) else { return "none".into() };
    let counts = laws.counts(code).then(|| (laws.sanction(1), laws.loses_at()));
    format!("{article} {authority:?} {counts:?} {:?}", laws.window(code))
}

fn events() -> impl Iterator<Item = EventSettings> {
    Edition::all().flat_map(|rules| {
        Control::ALL.into_iter().flat_map(move |control| {
            [true, false]
                .into_iter()
                .filter(move |supervised| !supervised || control != Control::Standard)
                .map(move |supervised| EventSettings {
                    rules,
                    control,
                    supervised,
                    ..EventSettings::default()
                })
        })
    })
}

fn files() -> BTreeMap<String, Vec<Scenario>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), scenarios(&fs::read_to_string(path).unwrap()))).collect()
}

impl Scenario {
    fn expects(&self, code: &str) -> bool {
        self.expected.iter().any(|expected| expected.words.first().is_some_and(|word| word == code))
    }

    /// Returns whether this is its whole title, or the number that the title begins with.
    fn is_called(&self, name: &str) -> bool {
        let rest = self.title.strip_prefix(name).filter(|_| !name.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' ') && !name.contains(' '))
    }

    fn event(&self) -> (Edition, Control, bool) {
        let or = |key: &str, value: &str| match self.setting(key) {
            "" => value.to_owned(),
            other => other.to_owned(),
        };
        (
            or("event.rules", "2023").parse().unwrap(),
            or("event.control", "standard").parse().unwrap(),
            self.setting("event.supervised") == "true",
        )
    }

    fn check(&self, file: &str) -> Result<(), String> {
        let bench = self.play("en");
        let mut left: Vec<&(f64, Alert)> = bench.alerts.iter().collect();
        let mut failures = Vec::new();
        for expected in &self.expected {
            match left.iter().position(|(at, alert)| expected.fits(*at, alert)) {
                Some(index) => {
                    left.remove(index);
                }
                None => failures.push(format!("  missing: {} {}", expected.at, expected.words.join(" "))),
            }
        }
        for (at, alert) in left {
            let words = describe(alert);
            let code = words.first().unwrap().as_str();
            if code == file || !SIDE_NOTES.contains(&code) {
                failures.push(format!("  unexpected: {at} {}", words.join(" ")));
            }
        }
        for (code, wanted) in &self.ends {
            let last = bench.alerts.iter().rfind(|(_, alert)| describe(alert).first() == Some(code));
            let state = last.and_then(|(_, alert)| bench.states.get(&alert.id));
            let state = state.map(|state| format!("{state:?}").to_lowercase());
            if state.as_deref() != Some(wanted) {
                let state = state.unwrap_or_default();
                failures.push(format!("  {code} is {state} at the end, not {wanted}"));
            }
        }
        for (at, words) in &self.says {
            let said = |(when, text): &(f64, String)| (when - at).abs() < 0.05 && text.contains(words);
            if !bench.notes.iter().any(said) {
                failures.push(format!("  not said at {at}: {words}; but {:?}", bench.notes));
            }
        }
        if self.result.as_ref().is_some_and(|wanted| *wanted != bench.result) {
            failures.push(format!("  the result is {}", bench.result));
        }
        if bench.refused != self.refused {
            failures.push(format!("  refused at {:?}, not at {:?}", bench.refused, self.refused));
        }
        if self.game.as_ref().is_some_and(|wanted| *wanted != bench.game) {
            failures.push(format!("  the game is: {}", bench.game));
        }
        for language in ["en", "de"] {
            let wanted = self.texts.iter().filter(|(other, _)| other == language);
            let wanted: Vec<&String> = wanted.map(|(_, words)| words).collect();
            if wanted.is_empty() {
                continue;
            }
            let bench = self.play(language);
            let texts = bench.alerts.iter().map(|(_, alert)| alert.text.as_str());
            let said: Vec<&str> = texts.chain(bench.notes.iter().map(|(_, text)| text.as_str())).collect();
            for words in wanted {
                if !said.iter().any(|text| text.contains(words.as_str())) {
                    failures.push(format!("  {language} does not say: {words}; but {said:?}"));
                }
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n") + "\n") }
    }

    /// Plays the scenario through the line that runs live.
    fn play(&self, language: &str) -> Bench {
        // The seats are known, as from the configuration; unknown seats are tested with captures.
        let mut settings = vec!["board.orientation=normal".to_owned(), "board.white_clock=left".to_owned()];
        settings.extend(self.settings.iter().cloned());
        if language != "en" {
            settings.push(format!("event.language={language}"));
        }
        let config = Config::parse("scenario", "", &settings)
            .unwrap_or_else(|error| panic!("{}: {error}", self.title));
        let fen = &config.game.fen;
        let mode = if config.game.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = if fen.is_empty() { Position::initial() } else { Position::from_fen(fen, mode).unwrap() };
        let shown = self.setup.as_deref().map(|fen| Position::from_fen(fen, mode).unwrap());
        let mut bench = Bench::new(&config, shown.as_ref().unwrap_or(&start));
        bench.begin(self.left, self.increment, self.stopped);
        let end = self.acts.last().map_or(0.0, |(at, _)| *at) + 5.0;
        let mut acts = self.acts.iter().peekable();
        let mut second = 0;
        loop {
            let tick = f64::from(second);
            match acts.next_if(|(at, _)| *at <= tick) {
                Some((at, act)) => bench.act(*at, act),
                None if tick > end => break,
                None => {
                    bench.tick(tick);
                    second += 1;
                }
            }
        }
        bench.finish(end);
        bench
    }
}

impl Expected {
    fn fits(&self, at: f64, alert: &Alert) -> bool {
        let words = describe(alert);
        (-0.05..=LATEST).contains(&(at - self.at)) && self.words.iter().all(|word| words.contains(word))
    }
}

/// Says an alert in the words of a scenario.
fn describe(alert: &Alert) -> Vec<String> {
    let json = serde_json::to_value(alert).unwrap();
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let mut words = vec![text("code"), text("side"), text("article"), text("confidence")];
    let proposal = &json["proposal"];
    words.extend(proposal["add_s"].as_u64().map(|seconds| format!("+{seconds}")));
    words.extend(proposal["take_back_s"].as_u64().map(|seconds| format!("-{seconds}")));
    words.extend(proposal["result"].as_str().map(str::to_owned));
    words.extend(json["authority"].as_str().map(|article| format!("by={article}")));
    for (key, value) in json["facts"].as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        words.push(format!("{key}={value}"));
    }
    words
}
