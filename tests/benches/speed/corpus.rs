//! Inputs of the benches: games of emulated halls, the same on every machine.
//!
//! Beside them, where they are at hand (`JADOUBE_SHARED`, or `../shared` beside the checkout), captures that are no
//! part of this repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use dgt_protocol::Decoder;
use jadoube::config::Config;
use jadoube_core::settings::LineSettings;
use jadoube_core::{
    capture::{Entry, Reader},
    event::Event,
    laws::{Edition, TimeControl},
    replay,
    time::Timestamp,
};
use jadoube_emulate::{
    clock::Speed,
    games,
    hall::{self, HallOptions},
    people::{Handling, Incident, Thinking},
    wire::Faults,
};

/// Boards of each hall; one game on each.
const BOARDS: usize = 24;

/// A hall's name and its captures, which are made on first use.
type Hall = (&'static str, LazyLock<Vec<Capture>>);

/// All halls; those of the corpus are empty where it is not at hand.
static HALLS: [Hall; 6] = [
    ("clean", LazyLock::new(|| emulate(Faults::NONE, Vec::new()))),
    ("incidents", LazyLock::new(|| emulate(Faults::NONE, Incident::common()))),
    ("noisy", LazyLock::new(|| emulate(Faults::NOISY, Vec::new()))),
    ("corpus/faulty", LazyLock::new(|| shared("faulty"))),
    ("corpus/hall", LazyLock::new(|| shared("hall"))),
    ("corpus/scramble", LazyLock::new(|| shared("scramble"))),
];

/// A capture of one game.
#[derive(Debug)]
pub(crate) struct Capture {
    /// The file.
    pub(crate) text: String,
    /// How long it lasts, seconds.
    pub(crate) seconds: u64,
}

/// Returns the names of the halls that benches go through.
pub(crate) fn halls() -> Vec<&'static str> {
    let is_there = |(name, captures): &&Hall| !name.starts_with("corpus/") || !captures.is_empty();
    HALLS.iter().filter(is_there).map(|(name, _)| *name).collect()
}

/// Returns the captures of a hall.
pub(crate) fn captures(hall: &str) -> &'static [Capture] {
    HALLS.iter().find(|(name, _)| *name == hall).map_or(&[], |(_, captures)| captures)
}

/// Returns the configuration that everything is replayed with: blitz, all else by default.
pub(crate) fn config() -> Arc<LineSettings> {
    Config::parse("bench", "", &["event.control=blitz".to_owned()]).unwrap().line_settings("")
}

/// Returns all bytes that the boards of a hall have sent, and how many messages are in them.
pub(crate) fn stream(hall: &str) -> (Vec<u8>, usize) {
    let mut stream = Vec::new();
    for (_, bytes) in captures(hall).iter().flat_map(Capture::received) {
        stream.extend(bytes);
    }
    let (mut decoder, mut input, mut messages) = (Decoder::new(), &stream[..], 0);
    while decoder.next_frame(&mut input).is_some() {
        messages += 1;
    }
    (stream, messages)
}

/// Returns what a hall's captures replay to.
pub(crate) fn events(hall: &str) -> Vec<Event> {
    captures(hall).iter().flat_map(Capture::events).collect()
}

impl Capture {
    fn new(text: String) -> Self {
        let mut capture = Self { text, seconds: 0 };
        let mut last = Timestamp::ZERO;
        capture.for_each(|at, _| last = at);
        capture.seconds = last.as_micros() / 1_000_000;
        capture
    }

    /// Goes through the records.
    pub(crate) fn for_each(&self, mut take: impl FnMut(Timestamp, Entry<'_>)) {
        let mut reader = Reader::new("bench", self.text.as_bytes()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            take(record.at, record.entry);
        }
    }

    /// Returns what the board has sent, and when.
    pub(crate) fn received(&self) -> Vec<(Timestamp, Vec<u8>)> {
        let mut received = Vec::new();
        self.for_each(|at, entry| {
            if let Entry::Received(bytes) = entry {
                received.push((at, bytes.to_vec()));
            }
        });
        received
    }

    /// Returns what the capture replays to.
    pub(crate) fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut reader = Reader::new("bench", self.text.as_bytes()).unwrap();
        replay::replay(&mut reader, config(), Timestamp::MAX, |event| events.push(event)).unwrap();
        events
    }
}

fn emulate(faults: Faults, incidents: Vec<Incident>) -> Vec<Capture> {
    let time_control: TimeControl = "3+2".parse().unwrap();
    let options = HallOptions {
        first_serial: 1025,
        first_address: None,
        boards: BOARDS,
        games: games::built_in(),
        incidents,
        ruling: None,
        handling: Handling::blitz(),
        thinking: Thinking::ByClock,
        control: Edition::default().classify(&time_control),
        time_control,
        flag_control: None,
        speed: Speed::REAL,
        faults,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: false,
        seed: 1,
    };
    (0..BOARDS).map(|board| Capture::new(hall::record(&options, board).capture())).collect()
}

fn shared(corpus: &str) -> Vec<Capture> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    read(&env::var_os("JADOUBE_SHARED").map_or(beside, PathBuf::from).join("corpus").join(corpus))
}

fn read(directory: &Path) -> Vec<Capture> {
    let files = fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut captures: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "dgtcap")).collect();
    captures.sort();
    captures.iter().map(|file| Capture::new(fs::read_to_string(file).unwrap())).collect()
}
