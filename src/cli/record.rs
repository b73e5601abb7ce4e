//! `jadoube record`: records one port to a capture, without tracking and rules.
//!
//! It opens the port, sends commands and reads exactly as the daemon does, and drops the events.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::{
    select,
    time::{Instant, sleep_until},
};

use super::{Exit, Failure};
use crate::{
    config::PortConfig,
    daemon::log,
    port::link::{Dialer, LinkEvent},
};
use jadoube_core::{
    capture::{Entry, Header, Writer},
    line::{Line, Link, Output},
    time::Timestamp,
};
use jadoube_runtime::{clock::SystemClock, platform::Signals};

/// Arguments of `jadoube record`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Device, or tcp://host:port
    #[arg(long, value_name = "DEV")]
    port: String,
    /// Capture to write, - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Baud rate; boards with a USB connector of their own ignore it
    #[arg(long, default_value_t = 9600)]
    baud: u32,
    /// A remark for the header, e.g. which board and what happened
    #[arg(long)]
    note: Option<String>,
}

/// Records until a signal ends it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}")))?;
    let outcome = runtime.block_on(record(args));
    // A device that blocks while it is opened does not delay the exit.
    runtime.shutdown_background();
    outcome
}

async fn record(args: &Args) -> Result<(), Failure> {
    let unable = |error| Failure::new(Exit::Unavailable, format_args!("cannot receive signals: {error}"));
    let mut signals = Signals::of_the_end().map_err(unable)?;
    let mut dialer = Dialer::new(PortConfig { baud: args.baud, ..PortConfig::of(&args.port) });
    let mut buffer = [0; 4096];
    let mut recorder: Option<Recorder> = None;
    loop {
        let wake =
            recorder.as_ref().map_or_else(|| SystemClock::start().instant(Timestamp::MAX), Recorder::wake);
        let event = select! {
            event = dialer.next(&mut buffer) => Some(event),
            () = sleep_until(Instant::from_std(wake)) => None,
            _ = signals.next() => break,
        };
        let Some(recorder) = recorder.as_mut() else {
            match event {
                Some(LinkEvent::Up) => recorder = Some(Recorder::begin(args, &mut dialer).await?),
                // Failure of the first open is an error of the command line; later failures are an unplugged board.
                _ => {
                    if let Some(failure) = dialer.failure() {
                        return Err(Failure::new(
                            Exit::of(failure.kind),
                            format_args!("{}: {failure}", args.port),
                        ));
                    }
                }
            }
            continue;
        };
        let now = recorder.clock.now();
        match event {
            Some(LinkEvent::Up) => recorder.write(now, Entry::Open(&args.port))?,
            Some(LinkEvent::Bytes(count)) => {
                recorder.write(now, Entry::Received(buffer.get(..count).unwrap_or_default()))?;
            }
            Some(LinkEvent::Down(reason)) => recorder.write(now, Entry::Close(&reason))?,
            Some(LinkEvent::Trying) => {}
            None => recorder.line.handle_timeout(now),
        }
        recorder.send(&mut dialer).await?;
    }
    if let Some(recorder) = recorder.as_mut().filter(|_| dialer.is_up()) {
        recorder.write(recorder.clock.now(), Entry::Close("stopped"))?;
    }
    Ok(())
}

/// A recording in progress.
struct Recorder {
    clock: SystemClock,
    line: Line,
    writer: Writer<Box<dyn Write>>,
}

impl Recorder {
    async fn begin(args: &Args, dialer: &mut Dialer) -> Result<Self, Failure> {
        // Errors before this are one line on standard error, without log messages.
        log::init();
        let clock = SystemClock::start();
        let mut header = Header::from([
            ("started".to_owned(), clock.started().to_string()),
            ("port".to_owned(), args.port.clone()),
        ]);
        header.extend(args.note.as_ref().map(|note| ("note".to_owned(), note.clone())));
        let name = args.output.display().to_string();
        let output: Box<dyn Write> = if args.output == Path::new("-") {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(&args.output).map_err(|error| Failure::io(&name, &error))?)
        };
        let line = Line::new(Arc::default(), &args.port, 1);
        let mut recorder = Self { clock, line, writer: Writer::new(name, output, &header)? };
        recorder.write(Timestamp::ZERO, Entry::Open(&args.port))?;
        recorder.send(dialer).await?;
        Ok(recorder)
    }

    fn wake(&self) -> std::time::Instant {
        self.clock.instant(self.line.poll_timeout().map_or(Timestamp::MAX, |(at, _)| at))
    }

    /// Writes a record, then passes it to the line.
    fn write(&mut self, now: Timestamp, entry: Entry<'_>) -> Result<(), Failure> {
        self.writer.write(now, entry)?;
        match entry {
            Entry::Open(port) => self.line.handle_link(Link::Up(port), now),
            Entry::Close(reason) => self.line.handle_link(Link::Down(reason), now),
            Entry::Sent(bytes) => self.line.handle_sent(bytes, now),
            Entry::Received(bytes) => self.line.handle_bytes(bytes, now),
            Entry::Order(_) => {}
        }
        Ok(())
    }

    /// Sends the commands of the line; its events are dropped.
    async fn send(&mut self, dialer: &mut Dialer) -> Result<(), Failure> {
        while let Some(output) = self.line.poll_output() {
            let Output::Send(bytes) = output else { continue };
            match dialer.write(&bytes).await {
                Ok(()) => self.write(self.clock.now(), Entry::Sent(&bytes))?,
                Err(LinkEvent::Down(reason)) => self.write(self.clock.now(), Entry::Close(&reason))?,
                Err(LinkEvent::Trying | LinkEvent::Up | LinkEvent::Bytes(_)) => {}
            }
        }
        Ok(())
    }
}
