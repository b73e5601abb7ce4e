//! The decoder in shadow: replays captures through the decoder alone, in the form of `jadoube replay --format jsonl`, so that what
//! scores the program scores it; `shadow compare FILE...` runs the tracker beside it and prints where the two differ.
//!
//! `shadow replay [--rules R] [--control C] [--fen FEN] FILE...`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "events are printed")]

mod compare;
mod follow;

use std::{fs::File, io::BufReader, process::ExitCode};

use jadoube_core::{
    capture::Reader,
    laws::{Control, Edition},
    position::Position,
};

/// What to replay, and how.
struct Job {
    compares: bool,
    edition: Edition,
    control: Control,
    start: Position,
    files: Vec<String>,
}

fn main() -> ExitCode {
    let Some(job) = job(std::env::args().skip(1)) else {
        eprintln!("shadow replay|compare [--rules R] [--control C] [--fen FEN] FILE...");
        return ExitCode::from(2);
    };
    let mut failed = false;
    for file in &job.files {
        let run = if job.compares { compare::run } else { follow::run };
        if let Err(error) = run(&job, file) {
            eprintln!("{error}");
            failed = true;
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Reads the arguments; options of the program that mean nothing here are passed over.
fn job(mut arguments: impl Iterator<Item = String>) -> Option<Job> {
    let compares = match arguments.next()?.as_str() {
        "replay" => false,
        "compare" => true,
        _ => return None,
    };
    let mut job = Job {
        compares,
        edition: Edition::default(),
        control: Control::default(),
        start: Position::initial(),
        files: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rules" => job.edition = arguments.next()?.parse().ok()?,
            "--control" => job.control = arguments.next()?.parse().ok()?,
            "--fen" => {
                let mode = shakmaty::CastlingMode::Standard;
                job.start = Position::from_fen(&arguments.next()?, mode).ok()?;
            }
            "--format" | "--set" | "--config" | "--until" => {
                arguments.next()?;
            }
            option if option.starts_with("--") => {}
            file => job.files.push(file.to_owned()),
        }
    }
    Some(job)
}

/// Opens a capture.
fn open(file: &str) -> Result<Reader<BufReader<File>>, String> {
    let opened = File::open(file).map_err(|error| format!("{file}: {error}"))?;
    Reader::new(file, BufReader::new(opened)).map_err(|error| error.to_string())
}
