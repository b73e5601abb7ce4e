//! The task of one line: passes bytes between a port and the boards on the line, at the right time.

use tokio::{
    select,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{bus_line::BusLine, hostile_line::HostileLine, port::LivePort, scheduled_table::ScheduledTable};
use crate::hostile::LineEvent;
use jadoube_core::time::Timestamp;
use jadoube_runtime::clock::SystemClock;

/// The boards on a line.
#[derive(Debug)]
pub(super) enum LineBoards {
    /// One board.
    Single(Box<ScheduledTable>),
    /// Several.
    Bus(BusLine),
    /// One that is broken or meant to do harm.
    Hostile(Box<HostileLine>),
}

impl LineBoards {
    pub(super) fn single(table: ScheduledTable) -> Self {
        Self::Single(Box::new(table))
    }

    pub(super) fn hostile(line: HostileLine) -> Self {
        Self::Hostile(Box::new(line))
    }

    pub(super) const fn bus(line: BusLine) -> Self {
        Self::Bus(line)
    }

    fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        match self {
            Self::Single(table) => table.table_mut().handle_command_bytes(bytes, now),
            Self::Bus(line) => line.handle_command_bytes(bytes, now),
            Self::Hostile(line) => line.handle_command_bytes(bytes, now),
        }
    }

    fn handle_timeout(&mut self, now: Timestamp) {
        match self {
            Self::Single(table) => table.handle_timeout(now),
            Self::Bus(line) => line.handle_timeout(now),
            Self::Hostile(line) => line.handle_timeout(now),
        }
    }

    fn poll_line(&mut self) -> Option<LineEvent> {
        match self {
            Self::Single(table) => table.poll_line(),
            Self::Bus(_) => None,
            Self::Hostile(line) => line.poll_line(),
        }
    }

    /// Returns whether what a host sends is read.
    fn reads(&self) -> bool {
        match self {
            Self::Single(_) | Self::Bus(_) => true,
            Self::Hostile(line) => line.reads(),
        }
    }

    fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        match self {
            Self::Single(table) => table.table_mut().poll_output(now),
            Self::Bus(line) => line.poll_output(now),
            Self::Hostile(line) => line.poll_output(now),
        }
    }

    fn poll_timeout(&self) -> Option<Timestamp> {
        match self {
            Self::Single(table) => table.poll_timeout(),
            Self::Bus(line) => line.poll_timeout(),
            Self::Hostile(line) => line.poll_timeout(),
        }
    }
}

/// Runs a line until `shutdown`.
pub(super) async fn run(
    mut boards: LineBoards,
    mut port: LivePort,
    clock: SystemClock,
    shutdown: CancellationToken,
) {
    let mut buffer = [0; 256];
    loop {
        let now = clock.now();
        boards.handle_timeout(now);
        while let Some(event) = boards.poll_line() {
            match event {
                LineEvent::Gone => {
                    port.unplug();
                    info!(port = %port.address(), "unplugged");
                }
                LineEvent::Back => match port.plug().await {
                    Ok(()) => info!(port = %port.address(), "plugged in"),
                    Err(error) => {
                        error!(port = %port.address(), %error, "the virtual board cannot be connected again");
                    }
                },
                LineEvent::Reset => port.reset(),
            }
        }
        while let Some(bytes) = boards.poll_output(now) {
            port.write(&bytes);
        }
        let wake = boards.poll_timeout().unwrap_or(Timestamp::MAX);
        select! {
            count = port.read(&mut buffer), if boards.reads() => {
                boards.handle_command_bytes(buffer.get(..count).unwrap_or_default(), clock.now());
            }
            () = sleep_until(Instant::from_std(clock.instant(wake))) => {}
            () = shutdown.cancelled() => return,
        }
    }
}
