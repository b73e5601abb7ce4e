//! `jadoube demo`: an emulated hall, the daemon and the arbiter's desk in one process.
//!
//! The link between the two is that of a real hall, terminals that are opened, read and unplugged. Everything lives
//! in a directory of its own that is gone afterwards.

mod desk;

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io::{self, IsTerminal as _, Read, Seek, SeekFrom},
    net::SocketAddr,
    path::{Path, PathBuf},
    process,
    sync::Arc,
    time::Duration,
};

use tokio::{
    select,
    sync::broadcast::error::RecvError,
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{Exit, Failure, Output};
use crate::{
    config::Config,
    daemon::{Daemon, log},
    published::{EventReader, Published},
    sinks::LogFile,
};
use jadoube_core::{
    event::{EventKind, LinkState, Times},
    laws::{Control, TimeControl},
};
use jadoube_emulate::{
    clock::Speed,
    games,
    hall::{Hall, HallOptions, Venue},
    people::{Handling, Incident, Thinking},
    wire::Faults,
};
use jadoube_runtime::platform::directory_with_mode;

/// How often the alert log is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How often the boards are listed.
const LIST: Duration = Duration::from_secs(25);

/// Default duration, seconds: longer at a terminal than for output into a file.
const AT_TERMINAL: u64 = 900;
const OTHERWISE: u64 = 60;

/// How long tasks that hang may hold up the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Arguments of `jadoube demo`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Args {
    /// How long [default: 900 at a terminal, otherwise 60]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// How many boards; twenty show all incidents at once
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=99))]
    boards: u16,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Address of the arbiter's desk; another port if this one is taken
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

/// Plays and watches for a while, or until it is interrupted.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    // With RUST_LOG set, log messages are shown as well; otherwise only boards and alerts.
    if env::var_os("RUST_LOG").is_some() {
        log::init();
    }
    let directory = OwnDirectory::make()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}")))?;
    let outcome = runtime.block_on(play(args, &directory.0));
    runtime.shutdown_timeout(PATIENCE);
    outcome
}

async fn play(args: Args, directory: &Path) -> Result<(), Failure> {
    let boards = directory.join("boards");
    let hall = Hall::open(&hall_options(args)?, &Venue::Directory(boards.clone()))
        .await
        .map_err(|error| Failure::io("cannot put up the boards", &error))?;
    let mut config = config(directory, &boards);
    config.tables = Arc::new(desk::tables(hall.ports().iter().flat_map(|port| port.serials.iter().cloned())));
    let (http, token) =
        desk::open(args.listen, directory).map_err(|error| Failure::io(args.listen, &error))?;
    let address = http.listen;
    config.http = Some(http);
    let seconds = args.seconds.unwrap_or(if io::stdout().is_terminal() { AT_TERMINAL } else { OTHERWISE });
    let mut alerts = AlertLog { path: config.log_dir.join(LogFile::AlertsText.name()), read: 0 };
    let (daemon, entrance) = Daemon::new(config.clone())?;
    let mut events = entrance.subscribe();
    let mut output = Output::new();
    output.line(&format!(
        "The arbiter's desk: http://{address}/   to give orders, open this link: http://{address}/#/join/{token}\n\
         {} virtual boards, {} kinds of incidents, {seconds} seconds; the alerts as an arbiter reads them:",
        args.boards,
        Incident::common().len(),
    ))?;

    let (stop_watching, stop_playing) = (CancellationToken::new(), CancellationToken::new());
    let watching = daemon.run(Arc::new(move || Ok(config.clone())), stop_watching.clone());
    let playing = hall.run(stop_playing.clone());
    tokio::pin!(watching, playing);
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut list = interval(LIST);
    list.tick().await;
    let end = sleep(Duration::from_secs(seconds));
    tokio::pin!(end);
    let mut room = Room::default();
    // The daemon ends first: otherwise it would report every board as unplugged.
    let outcome = loop {
        select! {
            outcome = &mut watching => break outcome,
            () = &mut playing, if !stop_playing.is_cancelled() => stop_playing.cancel(),
            () = &mut end, if !stop_watching.is_cancelled() => {
                output.text(&room.list())?;
                stop_watching.cancel();
            }
            event = next(&mut events) => match event {
                Ok(event) => room.note(&event),
                Err(RecvError::Lagged(missed)) => room.missed += missed,
                Err(RecvError::Closed) => events = None,
            },
            _ = look.tick() => output.text(&alerts.news())?,
            _ = list.tick() => output.text(&room.list())?,
        }
    };
    if !stop_playing.is_cancelled() {
        stop_playing.cancel();
        playing.await;
    }
    output.text(&alerts.news())?;
    output.line(&room.sum())?;
    Ok(outcome?)
}

/// Waits for the next event; does not return if the channel is closed.
async fn next(events: &mut Option<EventReader>) -> Result<Arc<Published>, RecvError> {
    match events {
        Some(events) => events.recv().await,
        None => std::future::pending().await,
    }
}

/// Options of the emulated hall: real-time handling, short thinking times.
fn hall_options(args: Args) -> Result<HallOptions, Failure> {
    let time_control = |text: &str| -> Result<TimeControl, Failure> {
        text.parse().map_err(|error| Failure::new(Exit::Software, error))
    };
    Ok(HallOptions {
        first_serial: 1025,
        first_address: None,
        boards: usize::from(args.boards),
        games: games::built_in(),
        incidents: Incident::common(),
        ruling: None,
        handling: Handling::blitz(),
        thinking: Thinking::About(0.4),
        time_control: time_control("3+2")?,
        flag_control: Some(time_control("1/20")?),
        control: Control::Blitz,
        speed: Speed::REAL,
        faults: Faults::NONE,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: false,
        seed: args.seed,
    })
}

fn config(directory: &Path, boards: &Path) -> Config {
    let mut config =
        Config { state_dir: directory.join("state"), log_dir: directory.join("log"), ..Config::default() };
    "Demo".clone_into(&mut config.event.name);
    config.event.control = Control::Blitz;
    config.ports.scan = vec![boards.join("board-??").display().to_string()];
    config.ports.rescan_s = 1;
    config
}

/// The alert log as it grows.
struct AlertLog {
    path: PathBuf,
    read: u64,
}

impl AlertLog {
    /// Returns the complete lines added since the last call; none if the file cannot be read.
    fn news(&mut self) -> String {
        let Ok(mut file) = File::open(&self.path) else { return String::new() };
        let mut bytes = Vec::new();
        if file.seek(SeekFrom::Start(self.read)).and_then(|_| file.read_to_end(&mut bytes)).is_err() {
            return String::new();
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.read += u64::try_from(whole).unwrap_or(0);
        String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default()).into_owned()
    }
}

/// What the demo prints about the hall.
#[derive(Default)]
struct Room {
    /// Tables by port, because a board has no serial number before it has sent it.
    tables: BTreeMap<Arc<str>, TableView>,
    moves: u64,
    alerts: BTreeMap<&'static str, u64>,
    missed: u64,
}

/// What the demo prints about one table.
#[derive(Default)]
struct TableView {
    board: String,
    up: bool,
    last: String,
    clock: Option<Times>,
    alerts: u64,
    result: Option<&'static str>,
}

impl Room {
    fn note(&mut self, published: &Published) {
        let table = self.tables.entry(published.port.clone()).or_default();
        published.event.board.as_ref().clone_into(&mut table.board);
        match &published.event.kind {
            EventKind::Link { state, .. } => table.up = *state == LinkState::Up,
            EventKind::Press { clock, .. } => table.clock = Some(*clock),
            EventKind::Clock { clock, .. } => table.clock = *clock,
            EventKind::GameStart { .. } => (table.last, table.result) = (String::new(), None),
            EventKind::Move(m) => {
                let dots = if m.side.is_white() { "." } else { "..." };
                table.last = format!("{}{dots} {}", m.ply.div_ceil(2), m.san);
                self.moves += u64::from(m.completed);
            }
            EventKind::Alert(alert) => {
                table.alerts += 1;
                *self.alerts.entry(alert.code.name()).or_default() += 1;
            }
            EventKind::Result { result, .. } => table.result = (*result != "*").then_some(result),
            EventKind::Board(_)
            | EventKind::Entry { .. }
            | EventKind::Counts { .. }
            | EventKind::Lift { .. }
            | EventKind::Place { .. }
            | EventKind::Retract { .. }
            | EventKind::AlertUpdate(_)
            | EventKind::Game(_)
            | EventKind::Log { .. } => {}
        }
    }

    /// Returns a line for every board.
    fn list(&self) -> String {
        let lines = self.tables.values().map(|table| {
            let clock = table.clock.map_or_else(
                || "-".to_owned(),
                |clock| format!("{} - {}", time(clock.white), time(clock.black)),
            );
            let state = match (table.up, table.result) {
                (false, _) => "no link",
                (true, Some(result)) => result,
                (true, None) => "",
            };
            let board = &table.board;
            format!("    {board:<6} {:<14} {clock:<14} {:>2} alerts  {state}\n", table.last, table.alerts)
        });
        lines.collect()
    }

    /// Returns the summary.
    fn sum(&self) -> String {
        let alerts: Vec<String> = self.alerts.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let missed = if self.missed > 0 {
            format!("; {} events were too fast to be shown", self.missed)
        } else {
            String::new()
        };
        format!(
            "{} boards, {} completed moves; alerts: {}{missed}",
            self.tables.len(),
            self.moves,
            alerts.join(", ")
        )
    }
}

fn time(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A temporary directory, removed on drop.
struct OwnDirectory(PathBuf);

impl OwnDirectory {
    fn make() -> Result<Self, Failure> {
        let path = env::temp_dir().join(format!("jadoube-demo-{}", process::id()));
        // Fails if the directory exists: it might belong to another user.
        directory_with_mode(0o700).create(&path).map_err(|error| Failure::io(path.display(), &error))?;
        Ok(Self(path))
    }
}

impl Drop for OwnDirectory {
    fn drop(&mut self) {
        // There is nothing left to do if removal fails.
        fs::remove_dir_all(&self.0).unwrap_or_default();
    }
}
