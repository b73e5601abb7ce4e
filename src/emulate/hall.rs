//! Owns a hall of virtual boards: the games of each board, and the tasks of live boards.
//!
//! The tables are values that know no runtime; the tasks here only pass bytes between them
//! and pseudo terminals or sockets. File descriptors limit the number of boards in a process.

pub mod bus_line;
mod hostile_line;
mod options;
mod port;
mod schedule;
mod scheduled_table;
mod task;

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

pub use self::options::HallOptions;
use self::{
    bus_line::BusLine,
    hostile_line::HostileLine,
    port::{LivePort, PtyPort, TcpPort},
    schedule::Schedule,
    scheduled_table::ScheduledTable,
    task::LineBoards,
};
use super::{
    board::BoardOptions,
    hostile::HostileFault,
    random::Random,
    simulate::{self, Simulation},
    table::{Table, TableOptions},
};
use jadoube_runtime::{clock::SystemClock, platform};

/// Where hosts find the boards.
#[derive(Clone, Debug)]
pub enum Venue {
    /// On pseudo terminals, with links in a directory: `board-01`, `board-02`, …
    Directory(PathBuf),
    /// On TCP ports: the first board here, the others on the ports that follow.
    Tcp(SocketAddr),
}

/// The line of one board, or of several on a bus, as a host addresses it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HallPort {
    /// What a host opens.
    pub address: String,
    /// Serial numbers of the boards.
    pub serials: Vec<String>,
}

/// A hall whose ports are open and whose games have not begun.
#[derive(Debug)]
pub struct Hall {
    ports: Vec<HallPort>,
    lines: Vec<(LineBoards, LivePort)>,
    clock: SystemClock,
}

impl Hall {
    /// Opens the ports. Has to be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if a terminal, a link or a socket cannot be made, or a hostile board is none of the hall.
    pub async fn open(options: &HallOptions, venue: &Venue) -> io::Result<Self> {
        allow_many_files();
        let hostile = HostileFault::shared_out(&options.hostile, options.boards)
            .filter(|_| !options.bus || options.hostile.is_empty());
        let hostile = hostile.ok_or_else(|| {
            io::Error::other(
                "each fault of a board needs a board with a line of its own and no other such fault",
            )
        })?;
        let options = Arc::new(options.clone());
        let tables: Vec<(Table, Schedule)> =
            (0..options.boards).map(|number| live_table(&options, number)).collect();
        let mut hall = Self { ports: Vec::new(), lines: Vec::new(), clock: SystemClock::start() };
        if options.bus {
            let serials = tables.iter().map(|(table, _)| table.options().board.serial.clone()).collect();
            let port = open_port(venue, 0, 1).await?;
            hall.add_port(serials, LineBoards::bus(BusLine::new(tables)), port);
            return Ok(hall);
        }
        for (number, ((table, schedule), fault)) in tables.into_iter().zip(hostile).enumerate() {
            let port = open_port(venue, number, options.boards).await?;
            let serial = table.options().board.serial.clone();
            let table = ScheduledTable::new(table, schedule);
            let boards = match fault {
                Some(fault) => {
                    LineBoards::hostile(HostileLine::new(table, fault, serial.clone(), options.seed))
                }
                None => LineBoards::single(table),
            };
            hall.add_port(vec![serial], boards, port);
        }
        Ok(hall)
    }

    /// Returns the ports, in the order of the boards.
    #[must_use]
    pub fn ports(&self) -> &[HallPort] {
        &self.ports
    }

    /// Plays until `shutdown` is cancelled; then closes the ports and removes their links.
    pub async fn run(self, shutdown: CancellationToken) {
        let mut tasks = JoinSet::new();
        for (boards, port) in self.lines {
            tasks.spawn(task::run(boards, port, self.clock, shutdown.clone()));
        }
        while let Some(ended) = tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a virtual board has failed");
            }
        }
    }

    fn add_port(&mut self, serials: Vec<String>, boards: LineBoards, port: LivePort) {
        self.ports.push(HallPort { address: port.address(), serials });
        self.lines.push((boards, port));
    }
}

/// Plays the first game of a board in virtual time, and returns the capture that the product would record.
#[must_use]
pub fn record(options: &HallOptions, number: usize) -> Simulation {
    let options = Arc::new(options.clone());
    let (table, mut schedule) = table(&options, number);
    simulate::record(table, schedule.next_play())
}

/// Puts all boards on one line; returns it with the truth of the first game of each board.
#[must_use]
pub fn bus(options: &HallOptions) -> (BusLine, Vec<crate::truth::Truth>) {
    let options = Arc::new(options.clone());
    let tables = || (0..options.boards).map(|number| table(&options, number));
    let truths = tables().map(|(_, mut schedule)| schedule.next_play().truth).collect();
    (BusLine::new(tables().collect()), truths)
}

/// Returns a table of the hall and its schedule.
fn table(options: &Arc<HallOptions>, number: usize) -> (Table, Schedule) {
    table_with(options, number, |board| board)
}

/// Returns the same for a live hall. Whoever tries a host with one board gets one that answers all questions of newer boards.
fn live_table(options: &Arc<HallOptions>, number: usize) -> (Table, Schedule) {
    table_with(options, number, |board| if number == 0 { board.newer() } else { board })
}

fn table_with(
    options: &Arc<HallOptions>,
    number: usize,
    change: impl FnOnce(BoardOptions) -> BoardOptions,
) -> (Table, Schedule) {
    let mut random = Random::new(options.seed ^ u64::try_from(number).unwrap_or(0).wrapping_mul(0x9e37_79b9));
    let offset = u16::try_from(number).unwrap_or(0);
    let serial = format!("{:05}", options.first_serial.saturating_add(offset.into()));
    let mut table_options = TableOptions::new(
        change(BoardOptions::varied(&serial, random.number())),
        options.time_control.clone(),
    );
    // Some clocks stand reversed.
    table_options.white_left ^= random.chance(0.1);
    table_options.board.bus_address = options.first_address.map(|address| address.saturating_add(offset));
    table_options.faults = options.faults;
    table_options.command_faults = options.command_faults;
    table_options.speed = options.speed;
    let schedule = Schedule::new(options.clone(), number, random);
    (Table::new(table_options, schedule.standing()), schedule)
}

/// Raises the limit of open files as far as the system allows; a thousand boards exceed the usual limit.
fn allow_many_files() {
    if let Err(error) = platform::allow_many_files() {
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
