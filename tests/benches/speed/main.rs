//! Throughput of each stage from a byte to an alert: `cargo bench --bench speed`.
//!
//! Where a bench counts items and nothing else is said, an item is a second of play: its items in a second are how many
//! times faster than real time one core is.
#![expect(clippy::unwrap_used, reason = "a bench ends with the first mistake")]
#![expect(clippy::print_stdout, reason = "tables are printed")]

mod bytes;
mod corpus;
mod counted;
mod growth;
mod judging;
mod stream;
mod whole;

use std::env;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [_, "growth", ..] => growth::print(),
        [_, "counted", part, times] => counted::work(part, times.parse().unwrap()),
        _ => divan::main(),
    }
}
