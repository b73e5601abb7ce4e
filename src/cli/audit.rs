//! `jadoube audit`: whether the list of orders is as it was written.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{ConfigArgs, Exit, Failure, Output, complain, output::printable};
use crate::audit::{Head, NAME, Verdict};
use jadoube_runtime::private;

/// Longest file, MiB: many times as long as a list grows.
const LONGEST: u64 = 256;

/// Arguments of `jadoube audit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// Files of the list, the oldest first [default: audit.jsonl.1 and audit.jsonl in the log directory]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Returns the hash of the entry that was written last, as its file has it.
fn last_of(directory: &Path) -> Option<String> {
    Head::read(directory).map(|head| head.hash)
}

/// Returns whether older entries may be in other files of a directory: those that were rotated away, which may be compressed.
fn has_others(directory: &Path, read: &[PathBuf]) -> bool {
    let others = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    others.into_iter().any(|other| {
        let is_older = other.file_name().to_string_lossy().starts_with(NAME) && !read.contains(&other.path());
        is_older && other.metadata().is_ok_and(|meta| meta.len() > 0)
    })
}

/// Checks every line.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let is_default = args.files.is_empty();
    let (files, mut verdict) = if is_default {
        let directory = args.config.load()?.log_dir;
        let files = vec![directory.join(format!("{NAME}.1")), directory.join(NAME)];
        let verdict = Verdict::of_directory(last_of(&directory), !has_others(&directory, &files));
        (files, verdict)
    } else {
        // The last entry is known of the list at its own place only.
        let last = args.files.last().filter(|file| file.ends_with(NAME)).and_then(|file| file.parent());
        let last = last.and_then(last_of);
        let verdict = last.map_or_else(Verdict::default, |last| Verdict::of_directory(Some(last), false));
        (args.files.clone(), verdict)
    };
    for file in &files {
        match fs::File::open(file).and_then(|file| private::bytes_of(file, LONGEST)) {
            Ok(bytes) => verdict.read(&file.display().to_string(), &String::from_utf8_lossy(&bytes)),
            Err(error) if is_default && error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::io(file.display(), &error)),
        }
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
            "the last one is {}; 'journalctl -u jadoube' and the report of the round have the same one last, if none was taken from the end",
            printable(last)
        )),
        None => Ok(()),
    }
}
