//! Whether the run time grows linearly with the input: `cargo bench --bench speed -- growth`.
//!
//! One board on which game after game is played for hours, one game that becomes longer and longer, and many boards whose
//! records come by turns, as a hall's do. Each row has twice, or ten times, as much as the one before; the last column says
//! how much longer it took.

use std::{fs, sync::Arc, time::Duration};

use jadoube_core::{
    capture::{Entry, Header, Reader, Record, Writer},
    line::{Line, Link, Output},
    position::Position,
    replay,
    settings::LineSettings,
    time::Timestamp,
};
use jadoube_emulate::{
    games::{self, Ending, GameRecord},
    random::Random,
    simulate::{self, Recorded, SimulateOptions, Simulation},
};
use shakmaty::Role;

use crate::corpus;

/// Between two games.
const PAUSE: Duration = Duration::from_mins(5);

/// Number of runs, of which the fastest counts, because the machine has other load.
const TRIES: usize = 5;

/// Each run is repeated for so long: the system counts in ticks.
const LEAST: Duration = Duration::from_millis(200);

/// Plies without a pawn move in the long game, short of those after which the game is drawn.
const QUIET: u32 = 60;

/// Prints the tables.
pub(crate) fn print() {
    let hours = [2, 4, 8, 16].map(|hours| {
        (u64::from(hours), {
            let text = evening(hours, 1);
            fastest(|| play_back(&text))
        })
    });
    table("one board, hours of play", &hours);
    let plies = [75, 150, 300, 600].map(|plies| {
        let text = written(&simulated(long_game(plies), "90+30", 7));
        (plies, fastest(|| play_back(&text)))
    });
    table("one game, plies", &plies.map(|(plies, took)| (plies.try_into().unwrap(), took)));
    let reads = corpus::captures("clean").first().unwrap().received();
    let boards = [1, 10, 100, 1000].map(|boards| (boards, fastest(|| by_turns(boards, &reads))));
    table("boards, a game each", &boards.map(|(boards, took)| (boards.try_into().unwrap(), took)));
}

fn table(what: &str, rows: &[(u64, Duration)]) {
    println!("| {what} | ms | times as much | times as long |\n|---|---|---|---|");
    let mut before = None;
    for (amount, took) in rows {
        let took = took.as_secs_f64() * 1000.0;
        let (more, longer) = before.map_or((String::new(), String::new()), |(then, before): (u64, f64)| {
            ((amount / then).to_string(), format!("{:.2}", took / before))
        });
        println!("| {amount} | {took:.2} | {more} | {longer} |");
        before = Some((*amount, took));
    }
    println!();
}

/// Makes a game of just so many plies: nothing is captured, no position comes twice, and pawns move seldom.
fn long_game(plies: usize) -> GameRecord {
    let mut random = Random::new(600);
    let mut position = Position::initial();
    let (mut moves, mut keys) = (Vec::new(), vec![position.key()]);
    while moves.len() < plies {
        let all = position.legal_moves();
        let pawns = position.halfmoves() >= QUIET;
        let fits = |m: &&shakmaty::Move| {
            let after = position.play(**m);
            !m.is_capture() && !after.is_check(after.turn()) && !keys.contains(&after.key())
        };
        let fitting: Vec<_> = all.iter().filter(fits).collect();
        let wanted: Vec<_> = fitting.iter().filter(|m| (m.role() == Role::Pawn) == pawns).collect();
        let choices: Vec<_> = if wanted.is_empty() { fitting.iter().collect() } else { wanted };
        let m = ***choices.get(random.below(choices.len())).unwrap();
        position = position.play(m);
        keys.push(position.key());
        moves.push(m);
    }
    let thinks = vec![None; plies];
    GameRecord { name: format!("{plies} plies"), moves, thinks, ending: Ending::Unknown }
}

fn simulated(game: GameRecord, control: &str, seed: u64) -> Simulation {
    let mut options = SimulateOptions::new(game, control.parse().unwrap(), seed);
    // All games are played on one board.
    "20001".clone_into(&mut options.board.serial);
    options.board.rotated = false;
    simulate::simulate(&options)
}

/// Writes a simulation as a capture.
fn written(simulation: &Simulation) -> String {
    let mut text = Vec::new();
    let mut writer = Writer::new("growth", &mut text, &Header::new()).unwrap();
    for (at, record) in &simulation.lines {
        writer.write(*at, entry(record)).unwrap();
    }
    String::from_utf8(text).unwrap()
}

fn entry(record: &Recorded) -> Entry<'_> {
    match record {
        Recorded::Open => Entry::Open("growth"),
        Recorded::Close => Entry::Close(""),
        Recorded::Sent(bytes) => Entry::Sent(bytes),
        Recorded::Received(bytes) => Entry::Received(bytes),
        Recorded::Order(json) => Entry::Order(json),
    }
}

/// Makes the capture of a board on which people play for so many hours.
fn evening(hours: u32, seed: u64) -> String {
    let mut text = Vec::new();
    let mut writer = Writer::new("growth", &mut text, &Header::new()).unwrap();
    let mut begun = Timestamp::ZERO;
    let end = Timestamp::ZERO + Duration::from_hours(1) * hours;
    for (game, seed) in games::built_in().into_iter().cycle().zip(seed * 1000..) {
        let simulation = simulated(game, "3+2", seed);
        let mut last = begun;
        for (at, record) in &simulation.lines {
            last = begun + at.since(Timestamp::ZERO);
            if last > end {
                return String::from_utf8(text).unwrap();
            }
            writer.write(last, entry(record)).unwrap();
        }
        writer.write(last, Entry::Close("")).unwrap();
        begun = last + PAUSE;
    }
    String::new()
}

/// Replays a capture.
fn play_back(text: &str) {
    let mut reader = Reader::new("growth", text.as_bytes()).unwrap();
    let sink = |event| {
        std::hint::black_box(event);
    };
    replay::replay(&mut reader, corpus::config(), Timestamp::MAX, sink).unwrap();
}

/// Plays the same game on so many boards at once: each gets what was read in its turn.
fn by_turns(boards: usize, reads: &[(Timestamp, Vec<u8>)]) {
    let config = corpus::config();
    let mut lines: Vec<_> = (0..boards).map(|_| line(&config)).collect();
    for (at, bytes) in reads {
        for line in &mut lines {
            line.handle_timeout(*at);
            replay::feed(line, Record { at: *at, entry: Entry::Received(bytes) }).unwrap();
            while let Some(output) = line.poll_output() {
                if let Output::Event(event) = output {
                    drop(std::hint::black_box(event));
                }
            }
        }
    }
}

fn line(config: &Arc<LineSettings>) -> Line {
    let mut line = Line::new(config.clone(), "growth", 1);
    line.handle_link(Link::Up("growth"), Timestamp::ZERO);
    line
}

fn fastest(work: impl Fn()) -> Duration {
    let tries = (0..TRIES).map(|_| {
        let before = processor_time();
        let (mut took, mut times) = (Duration::ZERO, 0);
        while took < LEAST {
            work();
            times += 1;
            took = processor_time().checked_sub(before).unwrap();
        }
        took / times
    });
    tries.min().unwrap_or_default()
}

/// Returns how long this thread has had a core, which other work on the machine changes little.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}
