//! A table of behaviour: the results of games on faulty boards, lines and clocks.
//!
//! Simulated people play games on a simulated board, faults are added between board and host, and
//! the results of the replay are counted. `tests/behaviour.txt` holds the counts, so that every change of the
//! tracker shows as numbers.
//!
//! - `cargo test --release -p jadoube-emulate --test behaviour`: compares the table with the file;
//! - `UPDATE_EXPECT=1`: writes the file anew, `tests/latency.txt`, how long alerts take after their press, and
//!   `tests/reliability.txt`, how many of the alerts of each word are true; the commit says why the numbers changed;
//! - `ROW='dead square' SEED=1000 SEEDS=40 DUMP=DIR`: one row (or all that begin so; `ROW=` is all) in detail, with
//!   other seeds; captures and truths of the games that went wrong are left in `DIR`.
#![cfg(test)]

mod calibration;
mod ends;
mod latency;
mod real;
mod reliability;
mod rows;
mod score;
mod tamper;

use std::{
    env, fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use self::{rows::Row, score::Score};

/// Games of each row.
const SEEDS: u64 = 12;

/// The table as it is known.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/behaviour.txt");

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation; tests/run runs it optimised")]
fn behaviour_is_as_the_table_says() {
    let wanted = env::var("ROW").ok();
    let seeds = env::var("SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let dump = env::var("DUMP").ok();
    let mut rows = rows::all();
    if let Some(wanted) = &wanted {
        rows.retain(|row| row.name.starts_with(wanted.as_str()));
        assert!(!rows.is_empty(), "no row begins with '{wanted}'");
    }
    let first = env::var("SEED").map_or(0, |seed| seed.parse().unwrap());
    let scores = play_all(&rows, first, seeds);
    for (row, games) in rows.iter().zip(&scores).filter(|_| wanted.is_some()) {
        for (seed, score) in (first..).zip(games) {
            for complaint in &score.complaints {
                println!("{} seed {seed}: {complaint}", row.name);
            }
            if let Some(dir) = dump.as_ref().filter(|_| !score.complaints.is_empty()) {
                leave(dir, row, seed);
            }
        }
    }
    let table = written(&rows, &scores);
    if wanted.is_some() || seeds != SEEDS {
        println!("{table}\n{}", reliability::written(&rows, &scores));
        return;
    }
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(TABLE, table).unwrap();
        latency::write(&scores);
        reliability::write(&rows, &scores);
        return;
    }
    let known = fs::read_to_string(TABLE).unwrap_or_default();
    for (number, (line, known)) in table.lines().zip(known.lines()).enumerate() {
        assert_eq!(line, known, "line {} of tests/behaviour.txt; UPDATE_EXPECT=1 writes it anew", number + 1);
    }
    assert_eq!(table.lines().count(), known.lines().count());
    latency::check(&scores);
    reliability::check(&rows, &scores);
}

#[test]
fn every_row_of_the_table_is_played() {
    let known = fs::read_to_string(TABLE).unwrap();
    let named: Vec<&str> = known.lines().skip(2).map(|line| line[..rows::WIDTH].trim_end()).collect();
    let rows: Vec<&str> = rows::all().iter().map(|row| row.name).collect();
    assert_eq!(named.split_last().unwrap(), (&"all", &rows[..]));
}

/// Plays so many games of each row, from a seed on, on all cores.
fn play_all(rows: &[Row], first: u64, seeds: u64) -> Vec<Vec<Score>> {
    let jobs: Vec<(usize, u64)> =
        (0..rows.len()).flat_map(|row| (first..first + seeds).map(move |seed| (row, seed))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&(row, seed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((row, seed, score::play(&rows[row].game(seed))));
        }
        done
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    done.sort_by_key(|(row, seed, _)| (*row, *seed));
    let mut scores: Vec<Vec<Score>> = rows.iter().map(|_| Vec::new()).collect();
    for (row, _, score) in done {
        scores[row].push(score);
    }
    scores
}

/// Writes the table.
fn written(rows: &[Row], scores: &[Vec<Score>]) -> String {
    let line = |name: &str, figures: &str| format!("{name:width$}{figures}\n", width = rows::WIDTH);
    let mut table = line("", score::HEADING) + &line("what goes wrong", score::SUBHEADING);
    for (row, games) in rows.iter().zip(scores) {
        table += &line(row.name, &score::sum(games));
    }
    let all: Vec<Score> = scores.iter().flatten().cloned().collect();
    table + &line("all", &score::sum(&all))
}

/// Leaves a game as a capture with its truth, as the tools that score captures read them.
fn leave(dir: &str, row: &Row, seed: u64) {
    fs::create_dir_all(dir).unwrap();
    let game = row.game(seed);
    let simulation = score::simulated(&game);
    let name = format!("{}-{seed:03}", row.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let path = Path::new(dir).join(name);
    fs::write(path.with_extension("dgtcap"), simulation.capture()).unwrap();
    let truth = serde_json::to_string(&simulation.truth_json()).unwrap();
    fs::write(path.with_extension("truth.json"), truth).unwrap();
}
