//! One walk through the hall: a king that is lifted says which board stands on the table.
//!
//! The events of the daemon are read from its log, so that this works without any service of it.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{
    cli::{ConfigArgs, Exit, Failure, NO_DAEMON, Output},
    daemon,
    pairings::{Assignment, Taken, Walk, WalkError},
    sinks::LogFile,
};

/// Time between two looks at the log.
const LOOK: Duration = Duration::from_millis(200);

/// Arguments of `jadoube tables walk`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// First table
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
    /// Last table [default: until q]
    #[arg(long, value_name = "N")]
    to: Option<u32>,
}

/// What a line that was typed asks for.
enum Step {
    Next,
    Back,
    End,
}

/// Asks for one table after another.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load()?;
    if !daemon::is_running(&config.state_dir) {
        return Err(Failure::new(Exit::Unavailable, NO_DAEMON));
    }
    let path = Assignment::path(&config.state_dir);
    Assignment::read(&path).map_err(|reason| Failure::new(Exit::Data, reason))?;
    let mut log = Tail::begin(config.log_dir.join(LogFile::EventsJson.name()))?;
    let steps = typed();
    let (mut walk, mut table) = (Walk::new(path.clone()), args.from);
    let mut output = Output::new();
    output.text(
        "Lift a king on each table as it is asked for. Enter: leave the table out, b: back, q: end.\n",
    )?;
    let mut asked = None;
    loop {
        if args.to.is_some_and(|last| table > last) {
            break;
        }
        if asked.replace(table) != Some(table) {
            output.text(&format!("table {table}: lift a king\n"))?;
        }
        match steps.recv_timeout(LOOK) {
            Ok(Step::Next) => table += 1,
            Ok(Step::Back) => table = table.saturating_sub(1).max(1),
            Ok(Step::End) => break,
            Err(RecvTimeoutError::Timeout) => {}
            // Nobody types any more; the kings still say everything.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
        }
        for board in log.lifted_kings()? {
            let (said, is_done) = take(&mut walk, table, &board)?;
            if let Some(text) = said {
                output.text(&text)?;
            }
            table += u32::from(is_done);
        }
    }
    let (count, path) = (walk.len(), path.display());
    output.line(&format!("{count} tables in {path}; 'jadoube tables' lists duplicates and gaps"))
}

/// Handles a board whose king was lifted; returns what to say, and whether the next table comes.
fn take(walk: &mut Walk, table: u32, board: &str) -> Result<(Option<String>, bool), Failure> {
    let taken = walk.take(table, board).map_err(|error| match error {
        WalkError::Read(reason) => Failure::new(Exit::Data, reason),
        WalkError::Write { path, error } => Failure::io(path.display(), &error),
    })?;
    Ok(match taken {
        Taken::Placed => (Some(format!("table {table} is board {board}\n")), true),
        Taken::Repeated(_) => (None, false),
        Taken::Elsewhere(other) => {
            let said = format!("board {board} is table {other} already; go back with b if that is wrong\n");
            (Some(said), false)
        }
        Taken::Nameless => (Some(format!("{board} has not sent its number; see 'jadoube doctor'\n")), false),
    })
}

/// Reads what is typed in a thread of its own, which ends with the process.
fn typed() -> Receiver<Step> {
    let (sender, steps) = sync_channel(16);
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let step = match line.trim() {
                "q" => Step::End,
                "b" => Step::Back,
                _ => Step::Next,
            };
            if sender.send(step).is_err() {
                return;
            }
        }
    });
    steps
}

/// The end of the log of events.
struct Tail {
    path: PathBuf,
    read: u64,
    rest: Vec<u8>,
}

impl Tail {
    /// What is in the log already is left out.
    fn begin(path: PathBuf) -> Result<Self, Failure> {
        let read = match File::open(&path).and_then(|file| file.metadata()) {
            Ok(meta) => meta.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(Failure::io(path.display(), &error)),
        };
        Ok(Self { path, read, rest: Vec::new() })
    }

    /// Returns the boards on which a king was lifted since the last call, oldest first.
    fn lifted_kings(&mut self) -> Result<Vec<String>, Failure> {
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            // A log that has been rotated begins anew.
            if file.metadata()?.len() < self.read {
                (self.read, self.rest) = (0, Vec::new());
            }
            file.seek(SeekFrom::Start(self.read))?;
            file.read_to_end(&mut bytes)
        });
        match read {
            Ok(count) => self.read += u64::try_from(count).unwrap_or(0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::io(self.path.display(), &error)),
        }
        self.rest.append(&mut bytes);
        let end = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let whole: Vec<u8> = self.rest.drain(..end).collect();
        let lines = BufReader::new(&*whole).lines().map_while(Result::ok);
        Ok(lines.filter_map(|line| king_of(&serde_json::from_str(&line).ok()?)).collect())
    }
}

/// Returns the board of an event that says that a king was lifted.
fn king_of(event: &Value) -> Option<String> {
    let text = |key: &str| event.get(key).and_then(Value::as_str);
    let is_king = text("event") == Some("lift") && matches!(text("piece"), Some("K" | "k"));
    is_king.then(|| text("board").map(str::to_owned)).flatten()
}
