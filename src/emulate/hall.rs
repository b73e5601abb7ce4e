//! Owns a hall of virtual boards: which games are played on which board, and the live boards themselves.
//!
//! What happens at a table is decided by values that know no runtime; the tasks here only carry bytes between them
//! and pseudo terminals or sockets, as many in one process as there are file descriptors.

pub mod bus_line;
mod evening;
mod port;
mod task;

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc};

use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::{
    bus_line::BusLine,
    evening::Evening,
    port::{LivePort, PtyPort, TcpPort},
    task::Station,
};
use super::{
    board::BoardOptions,
    clock::Speed,
    games::GameRecord,
    people::{Handling, Incident, Ruling, Thinking},
    random::Random,
    simulate::{self, Simulation},
    table::{Table, TableOptions},
    wire::Faults,
};
use jadoube_core::laws::{Control, TimeControl};
use jadoube_runtime::clock::SystemClock;

/// What is played in a hall, and how.
#[derive(Clone, Debug)]
pub struct HallOptions {
    /// How many boards there are.
    pub boards: usize,
    /// The games to be played, over and over.
    pub games: Vec<GameRecord>,
    /// What goes wrong: shared out among the boards.
    pub incidents: Vec<Incident>,
    /// What becomes of offences; one and the other in turn if not given.
    pub ruling: Option<Ruling>,
    /// How the players move pieces.
    pub handling: Handling,
    /// How long they think.
    pub thinking: Thinking,
    /// What the clocks are set to.
    pub time_control: TimeControl,
    /// What they are set to where a flag shall fall, so that nobody has to wait for it.
    pub flag_control: Option<TimeControl>,
    /// Which part of the Laws applies.
    pub control: Control,
    /// How fast people and clocks live; the lines keep their pace.
    pub speed: Speed,
    /// How bad the lines to the host are.
    pub faults: Faults,
    /// How bad the lines from the host are.
    pub command_faults: Faults,
    /// Whether all boards share one line.
    pub bus: bool,
    /// Seed of everything that chance decides.
    pub seed: u64,
}

/// Where the boards are to be found.
#[derive(Clone, Debug)]
pub enum Venue {
    /// On pseudo terminals, with links in a directory: `board-01`, `board-02`, …
    Directory(PathBuf),
    /// On TCP ports: the first board here, the others on the ports that follow.
    Tcp(SocketAddr),
}

/// A line to a board, or to several on a bus, as a host has to know it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HallPort {
    /// What a host opens.
    pub address: String,
    /// Serial numbers of the boards.
    pub serials: Vec<String>,
}

/// A hall in which everything is ready and nobody plays yet.
#[derive(Debug)]
pub struct Hall {
    ports: Vec<HallPort>,
    stations: Vec<(Station, LivePort)>,
    clock: SystemClock,
}

impl Hall {
    /// Puts up the boards. Has to be called within a runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if a terminal, a link or a socket cannot be made.
    pub async fn open(options: &HallOptions, venue: &Venue) -> io::Result<Self> {
        allow_many_files();
        let options = Arc::new(options.clone());
        let tables: Vec<(Table, Evening)> =
            (0..options.boards).map(|number| table(&options, number)).collect();
        let mut hall = Self { ports: Vec::new(), stations: Vec::new(), clock: SystemClock::start() };
        if options.bus {
            let serials = tables.iter().map(|(table, _)| table.options().board.serial.clone()).collect();
            let port = open_port(venue, 0, 1).await?;
            hall.put_up(serials, Station::bus(BusLine::new(tables)), port);
            return Ok(hall);
        }
        for (number, (table, evening)) in tables.into_iter().enumerate() {
            let port = open_port(venue, number, options.boards).await?;
            let serials = vec![table.options().board.serial.clone()];
            hall.put_up(serials, Station::single(table, evening), port);
        }
        Ok(hall)
    }

    /// Returns where the boards are to be found.
    #[must_use]
    pub fn ports(&self) -> &[HallPort] {
        &self.ports
    }

    /// Lets people play until `shutdown`; then the boards are taken away, and with them their links.
    pub async fn run(self, shutdown: CancellationToken) {
        let mut tasks = JoinSet::new();
        for (station, port) in self.stations {
            tasks.spawn(task::run(station, port, self.clock, shutdown.clone()));
        }
        while let Some(ended) = tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a virtual board has failed");
            }
        }
    }

    fn put_up(&mut self, serials: Vec<String>, station: Station, port: LivePort) {
        self.ports.push(HallPort { address: port.address(), serials });
        self.stations.push((station, port));
    }
}

/// Plays the first game of a board in virtual time, and returns what a host would have recorded of it.
#[must_use]
pub fn record(options: &HallOptions, number: usize) -> Simulation {
    let options = Arc::new(options.clone());
    let (table, mut evening) = table(&options, number);
    simulate::run(table, evening.next_play(), None)
}

/// Puts all boards on one line, and tells what will be true in the first game of each.
#[must_use]
pub fn bus(options: &HallOptions) -> (BusLine, Vec<crate::truth::Truth>) {
    let options = Arc::new(options.clone());
    let tables = || (0..options.boards).map(|number| table(&options, number));
    let truths = tables().map(|(_, mut evening)| evening.next_play().truth).collect();
    (BusLine::new(tables().collect()), truths)
}

/// Makes a table of the hall and what will be played on it.
fn table(options: &Arc<HallOptions>, number: usize) -> (Table, Evening) {
    let mut random = Random::new(options.seed ^ u64::try_from(number).unwrap_or(0).wrapping_mul(0x9e37_79b9));
    // Numbers up to 16383 are addresses on a bus as well.
    let serial = format!("{:05}", 1025 + number);
    let mut table_options =
        TableOptions::new(BoardOptions::varied(&serial, random.number()), options.time_control.clone());
    // Some clocks stand the wrong way round.
    table_options.white_left ^= random.chance(0.1);
    table_options.faults = options.faults;
    table_options.command_faults = options.command_faults;
    table_options.speed = options.speed;
    let evening = Evening::new(options.clone(), number, random);
    (Table::new(table_options, evening.standing()), evening)
}

/// Raises the number of open files as far as the system allows; a thousand boards need more than is usual.
fn allow_many_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!(%error, "the number of open files stays as it is");
    }
}

async fn open_port(venue: &Venue, number: usize, of: usize) -> io::Result<LivePort> {
    match venue {
        Venue::Directory(directory) => {
            let width = of.to_string().len().max(2);
            let link = directory.join(format!("board-{:0width$}", number + 1));
            PtyPort::open(link).map(LivePort::Pty)
        }
        Venue::Tcp(first) => {
            let mut address = *first;
            let offset = u16::try_from(number).ok();
            let port = offset
                .and_then(|offset| first.port().checked_add(if first.port() == 0 { 0 } else { offset }));
            address.set_port(port.ok_or_else(|| io::Error::other("more boards than TCP ports"))?);
            TcpPort::open(address).await.map(LivePort::Tcp)
        }
    }
}
