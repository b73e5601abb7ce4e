//! `jadoube replay`: recorded captures through the code that runs live.
//!
//! Several captures are replayed in parallel, one thread each. Output is printed in the order of the arguments while it
//! is produced: a thread ahead of its turn blocks after [`AHEAD`] chunks, and no capture is started that is [`WAITING`]
//! places behind the one that is printed. So memory does not grow with the number of captures.

mod format;
mod progress;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor},
    path::{Path, PathBuf},
    slice,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use self::{
    format::{Format, Formatter},
    progress::ReplayProgress,
};
use super::{
    Failure, Output,
    bundle::read::{self, Contents},
    complain, output,
};
use crate::config::Config;
use jadoube_core::{
    capture::Reader,
    laws::{Control, Edition},
    replay::{self, Remarks},
    settings::check_start,
    time::Timestamp,
};

/// Chunks of output that a capture may be ahead of its turn.
const AHEAD: usize = 16;

/// Captures that have been begun and wait to be printed.
const WAITING: usize = 64;

/// Bytes of output that make a chunk.
const CHUNK: usize = 1 << 16;

/// Arguments of `jadoube replay`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Format of the output: every event, one line per alert, or the game
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023 [default: 2023]
    #[arg(long, value_name = "EDITION")]
    rules: Option<Edition>,
    /// Which part of the Laws applies: standard, rapid, blitz [default: standard]
    #[arg(long)]
    control: Option<Control>,
    /// Rapid or blitz under full supervision: the Competition Rules apply
    #[arg(long)]
    supervised: bool,
    /// The game starts from this position, side to move and castling rights included
    #[arg(long, value_parser = position)]
    fen: Option<String>,
    /// Configuration file; without it the defaults apply, whatever this machine's daemon uses
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Any configuration key, e.g. `board.scan_ms=100`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Stop at this time of the capture
    #[arg(long, value_name = "SECONDS")]
    until: Option<Timestamp>,
    /// Captures or bundles, - for standard input; a bundle brings its configuration
    #[arg(value_name = "CAPTURE", required = true)]
    captures: Vec<PathBuf>,
}

/// Parses a position from which a game may start.
fn position(text: &str) -> Result<String, String> {
    check_start(text).map(|()| text.to_owned())
}

/// Output of a replay on its way to standard output.
enum Part {
    Text(Vec<u8>),
    Remarks(Remarks),
    Failure(Failure),
}

/// Replays captures.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let captures = args.sources()?;
    let job = Job {
        format: args.format,
        named: captures.len() > 1,
        until: args.until.unwrap_or(Timestamp::MAX),
        captures,
    };
    let (sender, turns) = sync_channel(WAITING);
    let queue = Arc::new(Mutex::new(Queue { captures: job.captures.iter(), turns: sender }));
    let threads = thread::available_parallelism().map_or(1, usize::from).min(job.captures.len());
    thread::scope(|scope| {
        for _ in 0..threads {
            let (job, queue) = (&job, queue.clone());
            scope.spawn(move || job.work(&queue));
        }
        // Only the worker threads hold the sender, so the channel closes when they end.
        drop(queue);
        job.print(turns)
    })
}

/// A capture, and the configuration that it is replayed with.
struct Input {
    name: PathBuf,
    config: Arc<Config>,
    /// What it holds, if it comes out of a bundle, or why it is nowhere.
    bytes: Result<Option<Arc<[u8]>>, Failure>,
}

/// The captures that have not been started.
struct Queue<'a> {
    captures: slice::Iter<'a, Input>,
    /// Channels of their outputs, in order.
    turns: SyncSender<Receiver<Part>>,
}

impl<'a> Queue<'a> {
    /// Returns the next capture and the channel of its output; `None` if there is none or the printer has ended.
    fn next(&mut self) -> Option<(&'a Input, SyncSender<Part>)> {
        let capture = self.captures.next()?;
        let (sender, parts) = sync_channel(AHEAD);
        self.turns.send(parts).ok()?;
        Some((capture, sender))
    }
}

impl Args {
    /// Applies the options to the configuration, `--set` last.
    ///
    /// Without a file, that is the one of a bundle: its name, its text and that of its rules.
    fn load(&self, bundled: Option<(&str, &str, Option<&str>)>) -> Result<Config, Failure> {
        let rules = self.rules.map(|edition| format!("event.rules={edition}"));
        let control = self.control.map(|control| format!("event.control={control}"));
        let supervised = self.supervised.then(|| "event.supervised=true".to_owned());
        let fen = self.fen.as_ref().map(|fen| format!("game.fen={fen}"));
        let options = [rules, control, supervised, fen].into_iter().flatten();
        let settings: Vec<String> = options.chain(self.settings.iter().cloned()).collect();
        Ok(match (&self.config, bundled) {
            (Some(file), _) => Config::load(Some(file), &settings)?,
            (None, Some((name, text, rules))) => Config::parse_bundled(name, text, rules, &settings)?,
            (None, None) => Config::parse("command line", "", &settings)?,
        })
    }

    /// Returns the captures, also those in bundles.
    fn sources(&self) -> Result<Vec<Input>, Failure> {
        let config = Arc::new(self.load(None)?);
        let mut sources = Vec::new();
        for name in &self.captures {
            let input = |bytes| Input { name: name.clone(), config: config.clone(), bytes };
            match read::contents(name) {
                Ok(None) => sources.push(input(Ok(None))),
                Ok(Some(contents)) => match self.bundled(name, contents) {
                    Ok((captures, failure)) => {
                        sources.extend(captures);
                        sources.extend(failure.map(|failure| input(Err(failure))));
                    }
                    Err(failure) => sources.push(input(Err(failure))),
                },
                Err(failure) => sources.push(input(Err(failure))),
            }
        }
        Ok(sources)
    }

    /// Returns the captures of a bundle, and what is wrong with the rest of it.
    fn bundled(&self, name: &Path, contents: Contents) -> Result<(Vec<Input>, Option<Failure>), Failure> {
        let file = name.join("jadoube.toml").display().to_string();
        let config = Arc::new(self.load(Some((&file, &contents.config, contents.rules.as_deref())))?);
        let captures = contents.captures.into_iter();
        let inputs =
            captures.map(|(name, bytes)| Input { name, config: config.clone(), bytes: Ok(Some(bytes)) });
        Ok((inputs.collect(), contents.failure))
    }
}

/// What the worker threads share.
struct Job {
    format: Format,
    named: bool,
    until: Timestamp,
    captures: Vec<Input>,
}

impl Job {
    /// Replays one capture after another until none is left or the printer has ended.
    fn work(&self, queue: &Mutex<Queue<'_>>) {
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((capture, sender)) = next() {
            let end = match self.replay(capture, &sender) {
                Ok(remarks) => Part::Remarks(remarks),
                Err(failure) => Part::Failure(failure),
            };
            if sender.send(end).is_err() {
                return;
            }
        }
    }

    fn replay(&self, source: &Input, sender: &SyncSender<Part>) -> Result<Remarks, Failure> {
        let Input { name: capture, config, bytes } = source;
        let name = output::name(capture);
        let input: Box<dyn BufRead> = if let Some(bytes) = bytes.as_ref().map_err(Clone::clone)? {
            Box::new(Cursor::new(bytes.clone()))
        } else if capture == Path::new("-") {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(capture).map_err(|error| Failure::io(&name, &error))?;
            Box::new(BufReader::with_capacity(CHUNK, file))
        };
        let mut reader = Reader::new(&name, input)?;
        let prefix = if self.named { format!("{name}: ") } else { String::new() };
        let mut formatter = Formatter::new(self.format, config, prefix, reader.header());
        let mut text = Vec::new();
        let mut heard = true;
        let settings = config.line_settings(replay::port(reader.header()));
        let outcome = replay::replay(&mut reader, settings, self.until, |event| {
            formatter.write(&event, &mut text);
            if text.len() >= CHUNK && heard {
                heard = sender.send(Part::Text(std::mem::take(&mut text))).is_ok();
            }
        });
        // Output before a bad line is kept. A closed channel is noticed with the next message.
        sender.send(Part::Text(text)).unwrap_or_default();
        Ok(outcome?)
    }

    /// Prints the outputs one after another.
    ///
    /// A capture that cannot be replayed does not stop the others.
    fn print(&self, turns: Receiver<Receiver<Part>>) -> Result<(), Failure> {
        let mut stdout = Output::new();
        let mut failed: Option<Failure> = None;
        let mut progress = ReplayProgress::new(self.captures.len());
        for (capture, parts) in self.captures.iter().zip(turns) {
            for part in parts {
                match part {
                    Part::Text(text) => stdout.bytes(&text)?,
                    Part::Remarks(remarks) => remark(&capture.name, &remarks, &mut progress),
                    Part::Failure(failure) => {
                        if let Some(earlier) = failed.replace(failure) {
                            progress.clear();
                            complain(&earlier.to_string());
                        }
                    }
                }
            }
            progress.step();
        }
        progress.clear();
        failed.map_or(Ok(()), Err)
    }
}

/// Prints the remarks of a replay on standard error.
fn remark(capture: &Path, remarks: &Remarks, progress: &mut ReplayProgress) {
    let name = output::name(capture);
    let mut lines: Vec<String> = remarks
        .refused
        .iter()
        .map(|(line, reason)| format!("{name}:{line}: the order is refused: {reason}"))
        .collect();
    if remarks.disorder > 0 {
        lines.push(format!(
            "{name}: lines a little earlier than the line before them, taken as simultaneous: {}",
            remarks.disorder
        ));
    }
    if remarks.damaged > 0 {
        lines.push(format!("{name}: damaged bytes from the board skipped: {}", remarks.damaged));
    }
    if remarks.torn {
        lines.push(format!("{name}: the last line is torn and was left out"));
    }
    if !lines.is_empty() {
        progress.clear();
    }
    for line in lines {
        complain(&line);
    }
}
