//! Owns the behaviour of a DGT board on the wire, as described in `protocol/PROTOCOL.md`.
//!
//! A [`VirtualBoard`] is a value: bytes, pieces and times go in, bytes come out, and from the same seed always the
//! same ones. It does not know chess rules or players. As on a real board, nothing is turned
//! when White sits at the other side: only the placement differs.

mod bus;
mod clock_port;
mod command_buffer;
mod log;
mod options;
mod outbox;
mod sensors;
pub(crate) mod timing;

use std::time::Duration;

use dgt_protocol::{
    Address, Command, EventLog, Field, LONGEST_FRAME, Message, Piece as Code, Placement, Received, Record,
    Version,
};
use shakmaty::{Board, Piece, Square};

use self::{
    bus::BusState, clock_port::ClockPort, command_buffer::CommandBuffer, log::Log, outbox::Outbox,
    sensors::Sensors,
};
pub use self::{
    clock_port::ClockModel,
    options::BoardOptions,
    sensors::{Scan, ScanOrder},
};
use super::{clock::ChessClock, random::Random};
use jadoube_core::time::Timestamp;

/// How long a board takes to start up after a reset over the bus.
const RESET_TIME: Duration = Duration::from_millis(2500);

/// How long a board takes to start up when it gets power.
const POWER_UP_TIME: Duration = Duration::from_millis(1500);

/// A virtual board.
#[derive(Debug)]
pub struct VirtualBoard {
    options: BoardOptions,
    random: Random,
    power: Power,
    mode: Mode,
    command_buffer: CommandBuffer,
    outbox: Outbox,
    sensors: Sensors,
    log: Log,
    clock: ClockPort,
    bus: BusState,
    busy_until: Timestamp,
    /// When the next wrong reading of a square begins.
    next_glitch: Timestamp,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Power {
    Off,
    /// Starts up until then; it receives and sends nothing.
    Booting(Timestamp),
    On,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Mode {
    Bus,
    Single(Updates),
}

/// What the board sends unrequested in single-board mode.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Updates {
    Idle,
    /// Fields when they change, the clock at least every second.
    All,
    /// Fields when they change.
    Fields,
    /// Fields and the clock when they change.
    Nice,
}

impl VirtualBoard {
    /// Returns a board that was switched on some time ago, with pieces on it and a clock connected.
    #[must_use]
    pub fn new(options: BoardOptions, pieces: &Board, clock: ChessClock) -> Self {
        let placement = placement(pieces, options.rotated);
        let port = ClockPort::new(
            options.clock_model,
            clock,
            options.clock_poll,
            options.clock_phase,
            options.pc_mode,
        );
        let mut board = Self {
            random: Random::new(options.seed),
            power: Power::On,
            mode: Mode::Bus,
            command_buffer: CommandBuffer::default(),
            outbox: Outbox::default(),
            sensors: Sensors::new(options.scan, placement),
            log: Log::default(),
            clock: port,
            bus: BusState::default(),
            busy_until: Timestamp::ZERO,
            next_glitch: Timestamp::MAX,
            options,
        };
        board.plan_glitch(Timestamp::ZERO);
        board.log.power_up(&placement, Timestamp::ZERO);
        board
    }

    /// Returns the properties of the board.
    #[must_use]
    pub const fn options(&self) -> &BoardOptions {
        &self.options
    }

    /// Receives bytes that the host writes now.
    pub fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        if self.power == Power::On {
            self.command_buffer.send(bytes, now);
        }
    }

    /// Sets the piece on a square; `None` removes it.
    pub fn set_square(&mut self, square: Square, piece: Option<Piece>, now: Timestamp) {
        self.handle_timeout(now);
        if let Some(field) = field(square, self.options.rotated) {
            self.sensors.put(field, code(piece), now);
        }
    }

    /// Makes a square read as `shows` until an instant.
    pub fn misread_square(&mut self, square: Square, shows: Option<Piece>, until: Timestamp, now: Timestamp) {
        self.handle_timeout(now);
        if let Some(field) = field(square, self.options.rotated) {
            self.sensors.misread(field, code(shows), until, now);
        }
    }

    /// Returns the clock, to press and to set it.
    pub fn clock_mut(&mut self, now: Timestamp) -> &mut ChessClock {
        self.handle_timeout(now);
        self.clock.clock_mut()
    }

    /// Connects or disconnects the clock.
    pub fn plug_clock(&mut self, plugged: bool, now: Timestamp) {
        self.handle_timeout(now);
        self.clock.plug(plugged);
    }

    /// Switches the power off: pending bytes are lost, the log remains.
    pub fn power_off(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        self.power = Power::Off;
        self.forget(now);
    }

    /// Switches the power on; the board starts in bus mode after `POWER_UP_TIME`.
    pub fn power_on(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        if self.power == Power::Off {
            self.boot(POWER_UP_TIME, now);
        }
    }

    /// Executes all that is due up to `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            self.step(at);
        }
    }

    /// Removes and returns the next bytes that have arrived at the host by `now`.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        self.handle_timeout(now);
        self.outbox.poll(now)
    }

    /// Returns when the next event is due.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        [self.next_event(), self.outbox.next_packet()].into_iter().flatten().min()
    }

    /// Returns what was lost by overload: bytes of commands that found
    /// the board's buffer full, and messages that found its queue full.
    #[must_use]
    pub const fn lost(&self) -> (u64, u64) {
        (self.command_buffer.lost_bytes(), self.outbox.lost())
    }

    fn next_event(&self) -> Option<Timestamp> {
        match self.power {
            Power::Off => return None,
            Power::Booting(until) => return Some(until),
            Power::On => {}
        }
        let command = self.command_buffer.has_command().then_some(self.busy_until);
        let events = [self.command_buffer.next_byte(), command, self.sensors.next(), self.bus.next()];
        events.into_iter().flatten().chain([self.clock.next(), self.next_glitch]).min()
    }

    /// Executes what is due at an instant.
    fn step(&mut self, now: Timestamp) {
        if let Power::Booting(_) = self.power {
            self.wake_up(now);
            return;
        }
        if self.next_glitch <= now {
            self.glitch(now);
        }
        self.command_buffer.receive(now, self.mode == Mode::Bus);
        while let Some((field, piece)) = self.sensors.next_change(now) {
            self.log.field(field, piece, self.sensors.seen(), now);
            if matches!(self.mode, Mode::Single(Updates::All | Updates::Fields | Updates::Nice)) {
                self.send(Message::FieldUpdate { field, piece }, now);
            }
        }
        self.poll_clock(now);
        while let Some(frame) = self.bus.due(now) {
            self.outbox.push(&frame, now);
        }
        if self.busy_until <= now
            && let Some(received) = self.command_buffer.next_command()
        {
            self.busy_until = now;
            self.obey(received, now);
        }
    }

    /// Makes an occupied square read wrongly for one scan: mostly as empty, else as another piece.
    fn glitch(&mut self, now: Timestamp) {
        let seen: Vec<Field> = self
            .sensors
            .seen()
            .iter()
            .filter(|(_, piece)| !piece.is_empty())
            .map(|(field, _)| field)
            .collect();
        if let Some(field) = self.random.pick(&seen).copied() {
            let empty = self.random.chance(0.8);
            let other = self.random.pick(&Code::ALL).copied().unwrap_or_default();
            let shows = if empty { Code::Empty } else { other };
            self.sensors.misread(field, shows, now + self.options.scan.period, now);
        }
        self.plan_glitch(now);
    }

    fn plan_glitch(&mut self, now: Timestamp) {
        self.next_glitch = self.options.glitch_every.map_or(Timestamp::MAX, |every| {
            now + every.mul_f64(self.random.between(0.1, 1.9)).max(self.options.scan.period)
        });
    }

    fn poll_clock(&mut self, now: Timestamp) {
        if let Some(polled) = self.clock.poll(now) {
            if let Some(side) = polled.stopped {
                let time = polled.report.side(side).time;
                self.log.append(Record::Clock { side, time });
            }
            let is_wanted = match self.mode {
                Mode::Single(Updates::Nice) => polled.is_new,
                Mode::Single(Updates::All) => polled.is_new || self.clock.is_report_due(now),
                Mode::Single(Updates::Idle | Updates::Fields) | Mode::Bus => false,
            };
            if is_wanted {
                self.clock.reported(now);
                self.send(Message::Clock(polled.report), now);
            }
        }
        while let Some(ack) = self.clock.next_ack(now) {
            if matches!(self.mode, Mode::Single(Updates::Nice | Updates::All)) {
                if self.options.bluetooth && self.random.chance(0.5) {
                    self.send(Message::ClockZero, now);
                }
                self.send(Message::ClockAck(ack), now);
            }
        }
    }

    fn obey(&mut self, received: Received, now: Timestamp) {
        match (self.mode, received) {
            (_, Received::Command(command)) => self.command(&command, now),
            (Mode::Bus, Received::Bus(command)) => self.bus_command(command, now),
            // The command that switches to bus mode is itself lost (protocol section 1.3).
            (Mode::Single(_), Received::Bus(_) | Received::Refused(0x80..)) => self.mode = Mode::Bus,
            (_, Received::Unknown(_) | Received::Refused(_)) => {}
        }
    }

    fn command(&mut self, command: &Command, now: Timestamp) {
        if self.mode == Mode::Bus {
            self.mode = Mode::Single(Updates::Idle);
        }
        match command {
            Command::Reset => self.mode = Mode::Single(Updates::Idle),
            Command::ToBusMode => self.mode = Mode::Bus,
            Command::SendUpdate => self.mode = Mode::Single(Updates::All),
            Command::SendUpdateBoard => self.mode = Mode::Single(Updates::Fields),
            Command::SendUpdateNice => self.mode = Mode::Single(Updates::Nice),
            Command::SendClock => {
                let ack = self.clock.fresh_ack(now).filter(|_| self.options.bluetooth);
                self.answer(ack.map_or(Message::Clock(self.clock.seen()), Message::ClockAck), now);
            }
            Command::SendBoard => self.answer(Message::BoardDump(*self.sensors.seen()), now),
            Command::SendSerial => self.answer(Message::Serial(&self.options.serial.clone()), now),
            Command::SendLongSerial => {
                if let Some(serial) = self.options.long_serial.clone() {
                    self.answer(Message::LongSerial(&serial), now);
                }
            }
            Command::SendBusAddress => {
                if let Some(address) = self.address() {
                    self.answer(Message::BusAddress(address), now);
                }
            }
            Command::SendTrademark => self.answer(Message::Trademark(&self.trademark()), now),
            Command::SendVersion => self.answer(Message::Version(self.options.version), now),
            Command::SendHardwareVersion if self.options.long_serial.is_some() => {
                self.answer(Message::HardwareVersion(Version { major: 1, minor: 0 }), now);
            }
            Command::SendBattery => {
                if let Some(battery) = self.options.battery {
                    self.answer(Message::Battery(battery), now);
                }
            }
            Command::SendEventLog => {
                let log = self.log.download();
                self.answer(Message::EventLog(EventLog(&log)), now);
            }
            Command::Clock(message) => self.clock.command(message, now, &mut self.random),
            Command::SendHardwareVersion
            | Command::SendDraughtsDark
            | Command::ScanDraughtsDark
            | Command::SendDraughtsLight
            | Command::ScanDraughtsLight
            | Command::ScanDraughtsAll
            | Command::SendI2cClock
            | Command::SendI2cUpdate57
            | Command::SendI2cUpdate58
            | Command::SendPegasusLock
            | Command::SendPegasusKeyState
            | Command::DeveloperKey(_)
            | Command::Leds(_) => {}
        }
    }

    /// Sends a reply after a few milliseconds; until it is sent, further commands wait.
    fn answer(&mut self, message: Message<'_>, now: Timestamp) {
        let from = now + self.random.seconds(0.002, 0.012);
        self.send(message, from);
        self.busy_until = self.outbox.free_at();
    }

    fn send(&mut self, message: Message<'_>, from: Timestamp) {
        let mut frame = [0; LONGEST_FRAME];
        if let Ok(frame) = message.encode(&mut frame) {
            self.outbox.push(frame, from);
        }
    }

    /// Returns the bus address; `None` if the serial number is no number.
    fn address(&self) -> Option<Address> {
        let number = || u16::try_from(self.options.serial.trim().parse::<u64>().ok()? % (1 << 14)).ok();
        self.options.bus_address.or_else(number).and_then(Address::new)
    }

    fn trademark(&self) -> String {
        let Version { major, minor } = self.options.version;
        let serial = &self.options.serial;
        format!("Virtual board\njadoube emulate\nISP/bus/8KP Vs {major}.{minor:02}. Serial nr. {serial} 1.0")
    }

    fn boot(&mut self, takes: Duration, now: Timestamp) {
        self.forget(now);
        self.power = Power::Booting(now + takes);
    }

    fn wake_up(&mut self, now: Timestamp) {
        self.power = Power::On;
        self.sensors.scan_all(now);
        self.log.power_up(self.sensors.seen(), now);
        self.clock.restart(now);
    }

    fn forget(&mut self, now: Timestamp) {
        self.mode = Mode::Bus;
        self.command_buffer.forget();
        self.outbox.forget(now);
        self.bus = BusState::default();
        self.busy_until = now;
    }
}

/// Returns the field under a square. There is always one; the type of the number does not know that.
fn field(square: Square, rotated: bool) -> Option<Field> {
    let number = u8::try_from(square.flip_vertical().to_u32()).ok();
    number.and_then(Field::new).map(|field| if rotated { field.rotated() } else { field })
}

/// Returns the code of a piece.
fn code(piece: Option<Piece>) -> Code {
    piece.and_then(|piece| Code::from_letter(piece.char())).unwrap_or_default()
}

fn placement(pieces: &Board, rotated: bool) -> Placement {
    let mut placement = Placement::EMPTY;
    for (square, piece) in pieces {
        if let Some(field) = field(square, rotated) {
            placement.set(field, code(Some(piece)));
        }
    }
    placement
}

#[cfg(test)]
mod tests;
