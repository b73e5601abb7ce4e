//! The task of one line: carries bytes between a port and what is on the line, at the right time.

use std::time::Duration;

use tokio::{
    select,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{bus_line::BusLine, evening::Evening, port::LivePort};
use crate::table::{LinkEvent, Table};
use jadoube_core::time::Timestamp;
use jadoube_runtime::clock::SystemClock;

/// Time between two games, before players set up the pieces; in the line's time.
const PAUSE: Duration = Duration::from_secs(2);

/// A table and the games that are played on it.
#[derive(Debug)]
pub(super) struct Player {
    table: Table,
    evening: Evening,
    /// When the next game begins.
    next_game: Timestamp,
}

impl Player {
    pub(super) const fn new(table: Table, evening: Evening) -> Self {
        Self { table, evening, next_game: Timestamp::ZERO }
    }

    pub(super) const fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// Lets everything happen that is due, the beginning of the next game included.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.table.handle_timeout(now);
        if self.next_game <= now {
            let play = self.evening.next_play();
            let (_, end) = self.table.seat(play, now + PAUSE);
            self.next_game = end;
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Timestamp> {
        [self.table.poll_timeout(), Some(self.next_game)].into_iter().flatten().min()
    }
}

/// What is on a line.
#[derive(Debug)]
pub(super) enum Station {
    /// One board.
    Single(Box<Player>),
    /// Several.
    Bus(BusLine),
}

impl Station {
    pub(super) fn single(table: Table, evening: Evening) -> Self {
        Self::Single(Box::new(Player::new(table, evening)))
    }

    pub(super) const fn bus(line: BusLine) -> Self {
        Self::Bus(line)
    }

    fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        match self {
            Self::Single(player) => player.table.handle_command_bytes(bytes, now),
            Self::Bus(line) => line.handle_command_bytes(bytes, now),
        }
    }

    fn handle_timeout(&mut self, now: Timestamp) {
        match self {
            Self::Single(player) => player.handle_timeout(now),
            Self::Bus(line) => line.handle_timeout(now),
        }
    }

    fn poll_link(&mut self) -> Option<LinkEvent> {
        match self {
            Self::Single(player) => player.table.poll_link(),
            Self::Bus(_) => None,
        }
    }

    fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        match self {
            Self::Single(player) => player.table.poll_output(now),
            Self::Bus(line) => line.poll_output(now),
        }
    }

    fn poll_timeout(&self) -> Option<Timestamp> {
        match self {
            Self::Single(player) => player.poll_timeout(),
            Self::Bus(line) => line.poll_timeout(),
        }
    }
}

/// Runs a line until `shutdown`.
pub(super) async fn run(
    mut station: Station,
    mut port: LivePort,
    clock: SystemClock,
    shutdown: CancellationToken,
) {
    let mut buffer = [0; 256];
    loop {
        let now = clock.now();
        station.handle_timeout(now);
        while let Some(link) = station.poll_link() {
            match link {
                LinkEvent::Unplugged => {
                    port.unplug();
                    info!(port = %port.address(), "unplugged");
                }
                LinkEvent::Plugged => match port.plug().await {
                    Ok(()) => info!(port = %port.address(), "plugged in"),
                    Err(error) => error!(port = %port.address(), %error, "cannot be plugged in again"),
                },
                LinkEvent::Order(_) => {}
            }
        }
        while let Some(bytes) = station.poll_output(now) {
            port.write(&bytes);
        }
        let wake = station.poll_timeout().unwrap_or(Timestamp::MAX);
        select! {
            count = port.read(&mut buffer) => {
                station.handle_command_bytes(buffer.get(..count).unwrap_or_default(), clock.now());
            }
            () = sleep_until(Instant::from_std(clock.instant(wake))) => {}
            () = shutdown.cancelled() => return,
        }
    }
}
