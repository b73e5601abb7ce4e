//! `jadoube emulate`: virtual boards, played by simulated people.

use std::{
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::ValueEnum;
use tokio::select;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::{Exit, Failure, Output, output};
use crate::daemon::log;
use jadoube_core::laws::{Edition, TimeControl};
use jadoube_emulate::{
    clock::Speed,
    games::{self, GameRecord, PgnText},
    hall::{Hall, HallOptions, HallPort, Venue, record},
    hostile::{HostileFault, ParseHostileError},
    people::{Handling, Incident, RulingStyle, Thinking},
    wire::{Faults, NamedFault, ParseFaultError},
};
use jadoube_runtime::platform::Signals;

/// Name of the directory of links, below that for temporary files.
const DIRECTORY: &str = "jadoube-boards";

/// Arguments of `jadoube emulate`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4000))]
    boards: u16,
    /// Serial number of the first board; the others have the next ones
    #[arg(long, value_name = "N", default_value_t = 1025, value_parser = clap::value_parser!(u32).range(1..=99_999))]
    first_serial: u32,
    /// Games to be played, PGN, - for standard input [default: two dozen that come with the program]
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Speed of players and clocks; the lines keep their rate
    #[arg(long, value_name = "X", default_value = "1", value_parser = speed)]
    speed: Speed,
    /// What goes wrong, 'all' for everything; shared out among the boards; may be given several times
    #[arg(long = "incident", value_name = "NAME", value_parser = incidents)]
    incidents: Vec<Incidents>,
    /// What becomes of offences [default: both in turn]
    #[arg(long, value_enum)]
    ruling: Option<RulingName>,
    /// Time control, e.g. 15+10 or 40/5400+30:1800+30
    #[arg(long, value_name = "CONTROL", default_value = "3+2")]
    time: TimeControl,
    /// How the players move pieces
    #[arg(long, value_enum, default_value_t = HandlingName::Blitz)]
    handling: HandlingName,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Noisy lines
    #[arg(long)]
    noisy: bool,
    /// Faults of the lines, e.g. drop=0.001 or hang=0.0001:3 (share of bytes or reads, seconds): drop, flip, insert,
    /// duplicate, delay, cut, hang, lose-updates; 'commands.' before a name applies it to what the host sends.
    /// Or a broken or hostile board, e.g. flood, flood:3 or flood:3@60 (number of the board, seconds until it begins;
    /// without a number the last boards): random-bytes, full-board, sixty-kings, flicker, clock-garbage,
    /// press-every-scan, serial-text, serial-changing, silent, reopening, flood, hang, reset. May be given several times
    #[arg(long = "fault", value_name = "NAME=SHARE[:SECONDS]|KIND[:BOARD[@SECONDS]]")]
    faults: Vec<Fault>,
    /// All boards on one line, in bus mode
    #[arg(long)]
    bus: bool,
    /// Directory of links to the boards [default: jadoube-boards in the directory for temporary files]
    #[arg(long, value_name = "DIR", conflicts_with = "tcp")]
    dir: Option<PathBuf>,
    /// Serve the boards on TCP ports from this one on, instead of pseudo terminals
    #[arg(long, value_name = "ADDR")]
    tcp: Option<SocketAddr>,
    /// Write a capture of one game for each board with the true moves and offences beside it, and end
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dir", "tcp", "bus"])]
    captures: Option<PathBuf>,
}

/// What `--incident` names.
#[derive(Clone, Debug)]
enum Incidents {
    All,
    One(Incident),
}

/// What `--fault` names.
#[derive(Clone, Debug)]
enum Fault {
    Line(NamedFault),
    Board(HostileFault),
}

/// What becomes of an offence, as the command line says it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulingName {
    /// An arbiter has the position put right, and adds time
    Arbiter,
    /// Nobody intervenes, and play goes on
    Stands,
}

/// How pieces are moved, as the command line says it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum HandlingName {
    /// Every move in the usual order of hand movements
    Plain,
    /// As measured in blitz
    Blitz,
    /// As in classical games: captured pieces go first, pieces are adjusted
    Classical,
    /// As in a time scramble
    Scramble,
    /// As in a time scramble, with pieces shoved and knocked over
    Clumsy,
    /// Every legal order of hand movements, with frequent irregularities
    Wild,
}

/// Runs the hall until a signal ends it, or writes captures.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    log::init();
    let (captures, directory, tcp) = (args.captures.clone(), args.dir.clone(), args.tcp);
    let options = hall_options(args)?;
    if let Some(directory) = captures {
        return write_captures(&options, &directory);
    }
    let directory = directory.unwrap_or_else(|| env::temp_dir().join(DIRECTORY));
    let venue = tcp.map_or(Venue::Directory(directory), Venue::Tcp);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot start: {error}")))?;
    runtime.block_on(serve(&options, &venue))
}

async fn serve(options: &HallOptions, venue: &Venue) -> Result<(), Failure> {
    let hall =
        Hall::open(options, venue).await.map_err(|error| Failure::io("cannot put up the boards", &error))?;
    // Standard output is locked only for this write, because the hall runs for hours.
    {
        let mut output = Output::new();
        let lines: String = hall.ports().iter().map(port_line).collect();
        output.text(&lines)?;
    }
    let shutdown = CancellationToken::new();
    let mut signals = Signals::of_the_end()
        .map_err(|error| Failure::new(Exit::Unavailable, format_args!("cannot receive signals: {error}")))?;
    let playing = hall.run(shutdown.clone());
    tokio::pin!(playing);
    select! {
        () = &mut playing => return Ok(()),
        _ = signals.next() => {}
    }
    shutdown.cancel();
    playing.await;
    Ok(())
}

fn port_line(port: &HallPort) -> String {
    format!("{} {}\n", port.serials.join(","), port.address)
}

fn hall_options(args: Args) -> Result<HallOptions, Failure> {
    let games = match &args.pgn {
        Some(file) => read_games(file)?,
        None => games::built_in(),
    };
    let incidents = args.incidents.iter().flat_map(|incidents| match incidents {
        Incidents::All => Incident::ALL.to_vec(),
        Incidents::One(incident) => vec![*incident],
    });
    let handling = match args.handling {
        HandlingName::Plain => Handling::plain(),
        HandlingName::Blitz => Handling::blitz(),
        HandlingName::Classical => Handling::classical(),
        HandlingName::Scramble => Handling::scramble(),
        HandlingName::Clumsy => Handling::clumsy(),
        HandlingName::Wild => Handling::every_order(args.seed),
    };
    let line: Vec<NamedFault> = args.faults.iter().filter_map(Fault::of_line).collect();
    let hostile: Vec<HostileFault> = args.faults.iter().filter_map(Fault::of_board).collect();
    let wrong = if args.noisy && !line.is_empty() {
        Some("--noisy and --fault NAME=SHARE exclude each other")
    } else if args.captures.is_some() && !hostile.is_empty() {
        Some("a capture of a game has no hostile board: leave out --captures or --fault KIND")
    } else if args.bus && !hostile.is_empty() {
        Some("a hostile board needs a line of its own: leave out --bus or --fault KIND")
    } else if HostileFault::shared_out(&hostile, usize::from(args.boards)).is_none() {
        Some("each --fault KIND needs a board of its own: check their numbers and --boards")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        return Err(Failure::new(Exit::Usage, format_args!("{wrong}")));
    }
    Ok(HallOptions {
        first_serial: args.first_serial,
        first_address: None,
        boards: usize::from(args.boards),
        games,
        incidents: incidents.collect(),
        ruling: args.ruling.map(|ruling| match ruling {
            RulingName::Arbiter => RulingStyle::Arbiter,
            RulingName::Stands => RulingStyle::Stands,
        }),
        handling,
        thinking: Thinking::ByClock,
        control: Edition::default().classify(&args.time),
        time_control: args.time,
        flag_control: None,
        speed: args.speed,
        faults: if args.noisy { Faults::NOISY } else { NamedFault::joined(&line, false) },
        command_faults: NamedFault::joined(&line, true),
        hostile,
        bus: args.bus,
        seed: args.seed,
    })
}

impl Fault {
    const fn of_line(&self) -> Option<NamedFault> {
        match self {
            Self::Line(fault) => Some(*fault),
            Self::Board(_) => None,
        }
    }

    const fn of_board(&self) -> Option<HostileFault> {
        match self {
            Self::Line(_) => None,
            Self::Board(fault) => Some(*fault),
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains('=') {
            return text.parse().map(Self::Line).map_err(|error: ParseFaultError| error.to_string());
        }
        text.parse().map(Self::Board).map_err(|error: ParseHostileError| {
            format!("{error}; a fault of a line has a share, e.g. drop=0.001")
        })
    }
}

fn read_games(file: &Path) -> Result<Vec<GameRecord>, Failure> {
    let name = output::name(file);
    // Old files are often not UTF-8; only the moves matter here.
    let text = String::from_utf8_lossy(&output::read(file)?).into_owned();
    let PgnText { games, flaws } = games::read_pgn(&text);
    if games.is_empty() {
        let why = flaws.first().map_or_else(|| "there is no game in it".to_owned(), ToString::to_string);
        return Err(Failure::new(Exit::Data, format_args!("{name}: {why}")));
    }
    for flaw in &flaws {
        warn!("{name}: {flaw}; the rest of this game is left out");
    }
    Ok(games)
}

/// Writes a capture for every board, and beside it a file with the true game.
fn write_captures(options: &HallOptions, directory: &Path) -> Result<(), Failure> {
    let failure = |path: &Path, error: &std::io::Error| Failure::io(path.display(), error);
    fs::create_dir_all(directory).map_err(|error| failure(directory, &error))?;
    let width = options.boards.to_string().len().max(2);
    for number in 0..options.boards {
        let simulation = record(options, number);
        let name = format!("board-{:0width$}", number + 1);
        let capture = directory.join(format!("{name}.dgtcap"));
        fs::write(&capture, simulation.capture()).map_err(|error| failure(&capture, &error))?;
        let mut truth = simulation.truth_json();
        truth.insert("name".to_owned(), name.clone().into());
        truth.insert("game".to_owned(), simulation.truth.name.clone().into());
        let path = directory.join(format!("{name}.truth.json"));
        fs::write(&path, format!("{}\n", serde_json::Value::Object(truth)))
            .map_err(|error| failure(&path, &error))?;
        Output::new().line(&capture.display().to_string())?;
    }
    Ok(())
}

fn speed(text: &str) -> Result<Speed, String> {
    let speed = text.parse().ok().and_then(Speed::new);
    speed.ok_or_else(|| format!("'{text}' is no number between 0.001 and 1000"))
}

fn incidents(text: &str) -> Result<Incidents, String> {
    if text == "all" {
        return Ok(Incidents::All);
    }
    text.parse()
        .map(Incidents::One)
        .map_err(|error: jadoube_emulate::people::ParseIncidentError| error.to_string())
}
