//! `jadoube audit`: whether the list of orders is as it was written.

use std::{
    fs,
    io::{BufRead as _, BufReader, ErrorKind},
    path::{Path, PathBuf},
};

use super::{ConfigArgs, Exit, Failure, Output, complain, output::printable};
use crate::{
    audit::{Head, NAME, Place, Verdict},
    port::{CAPTURES, capture_directories, captures_in},
};
use jadoube_core::order::Order;
use jadoube_runtime::private;

/// Longest file, MiB: many times as long as a list grows.
const LONGEST: u64 = 256;

/// Arguments of `jadoube audit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// An entry that has to be there, by its hash: what the journal or the report of a round names as the last one
    #[arg(long, value_name = "HASH")]
    last: Vec<String>,
    /// Files of the list, the oldest first [default: audit.jsonl.1 and audit.jsonl in the log directory]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Returns whether older entries may be in other files of a directory: those that were rotated away, which may be compressed.
fn has_others(directory: &Path, read: &[PathBuf]) -> bool {
    let others = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    others.into_iter().any(|other| {
        let is_older = other.file_name().to_string_lossy().starts_with(NAME) && !read.contains(&other.path());
        is_older && other.metadata().is_ok_and(|meta| meta.len() > 0)
    })
}

/// Returns whether captures have an order that somebody has given.
fn has_ordered(state_dir: &Path) -> bool {
    let all =
        capture_directories(state_dir).into_iter().flatten().flat_map(|directory| captures_in(&directory));
    all.flatten().any(|capture| {
        let lines = private::open(&capture).map(|file| BufReader::new(file).lines());
        lines.into_iter().flatten().map_while(Result::ok).any(|line| is_given(&line))
    })
}

/// Returns whether a line of a capture has an order that the program has not given itself.
fn is_given(line: &str) -> bool {
    let order = line.split_once(" @ ").filter(|(time, _)| time.parse::<f64>().is_ok());
    order
        .and_then(|(_, json)| Order::parse(json).ok())
        .is_some_and(|order| !order.is_internal() && !matches!(order.inner(), Order::RoundStarted))
}

/// Checks every line.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let is_default = args.files.is_empty();
    let mut state_dir = None;
    let (files, mut verdict) = if is_default {
        let config = args.config.load()?;
        let directory = &config.log_dir;
        let files = vec![directory.join(format!("{NAME}.1")), directory.join(NAME)];
        let is_oldest = !has_others(directory, &files);
        state_dir = Some(config.state_dir.clone()).filter(|_| is_oldest);
        (files, Verdict::of_directory(Head::read(&Place::of(&config)), is_oldest))
    } else {
        // The last entry is known of the list at its own place only.
        let last = args.files.last().filter(|file| file.ends_with(NAME)).and_then(|file| file.parent());
        let last = last.and_then(|directory| Head::read(&Place::of_list(directory)));
        let verdict = last.map_or_else(Verdict::default, |last| Verdict::of_directory(Some(last), false));
        (args.files.clone(), verdict)
    };
    args.last.iter().for_each(|hash| verdict.expect(hash.trim()));
    for file in &files {
        match fs::File::open(file).and_then(|file| private::bytes_of(file, LONGEST)) {
            Ok(bytes) => verdict.read(&file.display().to_string(), &String::from_utf8_lossy(&bytes)),
            Err(error) if is_default && error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::io(file.display(), &error)),
        }
    }
    let has_ordered = |state_dir: &PathBuf| verdict.is_empty() && has_ordered(state_dir);
    if let Some(state_dir) = state_dir.filter(has_ordered) {
        let captures = state_dir.join(CAPTURES);
        verdict.wrong.push(format!(
            "{}: captures there have orders, and the list has no entry: it was removed with audit.head and audit.last, or the logs were cleaned",
            captures.display()
        ));
    }
    verdict.end();
    let mut output = Output::new();
    for remark in &verdict.remarks {
        output.line(&printable(remark))?;
    }
    if let Some((last, others)) = verdict.wrong.split_last() {
        for wrong in others {
            complain(wrong);
        }
        return Err(Failure::new(Exit::Data, last));
    }
    if verdict.plain > 0 {
        output.line(&format!("{} entries of earlier versions have no hash", verdict.plain))?;
    }
    output.line(&format!("{} entries are as they were written", verdict.sound))?;
    match &verdict.last {
        Some(last) => output.line(&format!(
            "the last one is {}; with the one that 'journalctl -u jadoube' and the report of the round have last, '--last HASH' finds it or misses it",
            printable(last)
        )),
        None => Ok(()),
    }
}
