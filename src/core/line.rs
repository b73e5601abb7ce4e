//! Owns all that is on one port: decoder, handshake, keep-alive, and the board at its end, or several in bus mode.
//!
//! A `Line` is a value. It reads no clock, opens no file, spawns no task: bytes and times go in, bytes and events
//! come out. Live operation, replay and recovery are the same calls in the same order:
//! one `handle_*`, then [`Line::poll_output`] until it returns `None`, then [`Line::poll_timeout`], then wait.
//!
//! What is due happens at its own instant, however late the caller calls: every `handle_*` first does what was due
//! before. So a replay gives the same events as the live run whose timers rang a little late.

mod bus;
mod counts;
mod download;
mod feed;
mod host;
mod outage;
mod single;

use std::{sync::Arc, time::Duration};

use dgt_protocol::BusCommand;

pub use self::bus::listed_board::ListedBoard;
pub use self::counts::MessageCounts;
use self::{bus::BusLine, single::Single};
use crate::{
    board::{Board, Question},
    event::Event,
    order::{CarriedOut, Order, OrderError},
    settings::{LineSettings, same_serial},
    time::{Due, Timestamp},
};

/// Damaged bytes within [`NOISE_SPAN`] that make a line noisy.
const NOISY: u64 = 12;

/// Time over which damaged bytes are counted.
const NOISE_SPAN: Duration = Duration::from_mins(1);

/// What a line wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Bytes to write to the board; once written they come back through [`Line::handle_sent`].
    Send(Vec<u8>),
    /// An event for the outside.
    Event(Event),
    /// A question to be answered by [`Order::Answer`], away from the path of the events.
    Question(Question),
}

/// What the link does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Link<'a> {
    /// It came up on this port.
    Up(&'a str),
    /// It went down, with the reason where one is known.
    Down(&'a str),
}

/// All that is on one port.
///
/// ```
/// use std::{sync::Arc, time::Duration};
///
/// use jadoube_core::{
///     line::{Line, Link, Output},
///     settings::LineSettings,
///     time::Timestamp,
/// };
///
/// let mut line = Line::new(Arc::new(LineSettings::default()), "/dev/ttyACM0", 1);
/// let mut now = Timestamp::ZERO;
/// line.handle_link(Link::Up("/dev/ttyACM0"), now);
/// let mut sent = Vec::new();
/// while now < Timestamp::ZERO + Duration::from_secs(1) {
///     while let Some(output) = line.poll_output() {
///         match output {
///             // What was written to the board comes back.
///             Output::Send(bytes) => {
///                 line.handle_sent(&bytes, now);
///                 sent.extend(bytes);
///             }
///             Output::Event(event) => assert_eq!(event.board.as_ref(), "ttyACM0"),
///             Output::Question(_) => {}
///         }
///     }
///     now = line.poll_timeout().map_or(now + Duration::from_secs(1), |(at, _)| at);
///     line.handle_timeout(now);
/// }
/// // The board is asked what stands on it, and for all changes.
/// assert!(sent.contains(&0x42) && sent.contains(&0x4B));
/// ```
#[derive(Debug)]
pub struct Line {
    settings: Arc<LineSettings>,
    port: String,
    first_game: u32,
    /// Whether a board has said anything: from then on it is known how many there are.
    heard: bool,
    /// How far time has come.
    clock: Timestamp,
    /// What is due next: it is asked for far more often than it changes.
    due: Due,
    kind: LineKind,
}

/// What is on the port.
#[derive(Debug)]
enum LineKind {
    /// One board.
    Single(Box<Single>),
    /// Several, in bus mode.
    Bus(Box<BusLine>),
}

/// How noisy the line is.
#[derive(Clone, Copy, Debug, Default)]
struct Noise {
    /// Damaged bytes seen so far.
    bytes: u64,
    /// When the present count began, and what it began from.
    since: Timestamp,
    base: u64,
    noisy: bool,
}

impl Line {
    /// Makes a line for a port; the first game found on it gets the number `first_game`.
    ///
    /// The configuration says whether several boards share it. A host that speaks as on a bus, as a capture may show,
    /// makes it one, too.
    #[must_use]
    pub fn new(settings: Arc<LineSettings>, port: &str, first_game: u32) -> Self {
        let serials = settings.bus.clone();
        if serials.is_empty() {
            let kind = LineKind::Single(Box::new(Single::new(&settings, port, first_game)));
            return Self::of(kind, settings, port, first_game);
        }
        Self::on_bus(settings, port, first_game, &serials)
    }

    /// Makes a line that several boards share, those with these serial numbers and all others that answer.
    #[must_use]
    pub fn on_bus(settings: Arc<LineSettings>, port: &str, first_game: u32, serials: &[String]) -> Self {
        let kind = LineKind::Bus(Box::new(BusLine::new(settings.clone(), port, first_game, serials)));
        Self::of(kind, settings, port, first_game)
    }

    /// Nothing is due on a line that has not come up.
    fn of(kind: LineKind, settings: Arc<LineSettings>, port: &str, first_game: u32) -> Self {
        Self {
            settings,
            port: port.to_owned(),
            first_game,
            heard: false,
            clock: Timestamp::ZERO,
            due: None,
            kind,
        }
    }

    /// Returns whether several boards share the line.
    #[must_use]
    pub const fn is_bus(&self) -> bool {
        matches!(self.kind, LineKind::Bus(_))
    }

    /// Handles bytes that the board sent, as one `read` returned them.
    pub fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        self.heard = true;
        match &mut self.kind {
            LineKind::Single(single) => {
                if single.count_down(bytes, now) {
                    debug_assert_eq!(self.due, single.deadline(), "nothing else is due");
                    return;
                }
                single.handle_bytes(bytes, now);
            }
            LineKind::Bus(bus) => bus.handle_bytes(bytes, now),
        }
        self.update_due();
    }

    /// Handles bytes that went out to the board.
    pub fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        self.detect_bus(bytes, now);
        match &mut self.kind {
            LineKind::Single(single) => single.handle_sent(bytes, now),
            LineKind::Bus(bus) => bus.handle_sent(bytes, now),
        }
        self.update_due();
    }

    /// Handles a change of the link.
    pub fn handle_link(&mut self, link: Link<'_>, now: Timestamp) {
        self.handle_timeout(now);
        if let Link::Up(port) = link {
            port.clone_into(&mut self.port);
        }
        match (&mut self.kind, link) {
            (LineKind::Single(single), Link::Up(port)) => single.handle_up(port, now),
            (LineKind::Single(single), Link::Down(_)) => single.handle_down(&self.port, now),
            (LineKind::Bus(bus), Link::Up(port)) => bus.handle_up(port, now),
            (LineKind::Bus(bus), Link::Down(_)) => bus.handle_down(now),
        }
        self.update_due();
    }

    /// Handles an arbiter's order; returns the name by which it is taken back.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(&mut self, order: &Order, now: Timestamp) -> Result<CarriedOut, OrderError> {
        self.handle_order_for(None, order, now)
    }

    /// Handles an arbiter's order for the board with this serial number; where there is only one board the number does
    /// not matter.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order_for(
        &mut self,
        board: Option<&str>,
        order: &Order,
        now: Timestamp,
    ) -> Result<CarriedOut, OrderError> {
        self.handle_timeout(now);
        let outcome = match &mut self.kind {
            LineKind::Single(single) => single.board_mut().handle_order(order, now),
            LineKind::Bus(bus) => bus.handle_order(board, order, now),
        };
        self.update_due();
        outcome
    }

    /// Returns the game before the present one of a board, as the order with which the next capture begins.
    #[must_use]
    pub fn game_before(&self, board: Option<&str>) -> Option<Order> {
        let boards = self.boards();
        let is_it = |id: &str| board.is_none_or(|board| same_serial(board, id));
        match boards.as_slice() {
            [only] => only.game_before(),
            boards => boards.iter().find(|board| is_it(board.id()))?.game_before(),
        }
    }

    /// Handles the time: everything that was due by `now` happens, each at its own instant.
    #[inline]
    pub fn handle_timeout(&mut self, now: Timestamp) {
        if self.due.is_some_and(|(at, _)| at <= now) {
            self.do_what_is_due(now);
        }
        self.clock = self.clock.max(now);
    }

    fn do_what_is_due(&mut self, now: Timestamp) {
        while let Some((at, _)) = self.due.filter(|(at, _)| *at <= now) {
            // What turns out to have been due earlier happens now: time does not go back.
            let at = at.max(self.clock);
            self.clock = at;
            match &mut self.kind {
                LineKind::Single(single) => single.handle_timeout(at),
                LineKind::Bus(bus) => bus.handle_timeout(at),
            }
            self.update_due();
        }
    }

    /// Returns the next thing to be done.
    #[inline]
    pub fn poll_output(&mut self) -> Option<Output> {
        match &mut self.kind {
            // After most messages there is one event, and then nothing.
            LineKind::Single(single) if !single.has_output() => None,
            LineKind::Single(single) => single.poll_output(),
            LineKind::Bus(bus) => {
                let send = bus.poll_send().map(Output::Send);
                send.or_else(|| bus.poll_event().map(Output::Event))
                    .or_else(|| bus.poll_question().map(Output::Question))
            }
        }
    }

    /// Returns when to call [`Line::handle_timeout`], and why.
    #[must_use]
    pub const fn poll_timeout(&self) -> Due {
        self.due
    }

    /// Looks when something is due next; whatever changes that ends with this.
    fn update_due(&mut self) {
        self.due = match &self.kind {
            LineKind::Single(single) => single.deadline(),
            LineKind::Bus(bus) => bus.deadline(),
        };
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        match &mut self.kind {
            LineKind::Single(single) => single.finish(now),
            LineKind::Bus(bus) => bus.finish(now),
        }
        self.update_due();
    }

    /// Returns the boards on the line.
    #[must_use]
    pub fn boards(&self) -> Vec<&Board> {
        match &self.kind {
            LineKind::Single(single) => vec![single.board()],
            LineKind::Bus(bus) => bus.boards().collect(),
        }
    }

    /// Returns how long it took to ask every board of a line with several once; the delay of what they report.
    #[must_use]
    pub fn bus_round(&self) -> Option<Duration> {
        match &self.kind {
            LineKind::Single(_) => None,
            LineKind::Bus(bus) => bus.round(),
        }
    }

    /// Returns how many bytes from the board belonged to no message.
    #[must_use]
    pub const fn damaged(&self) -> u64 {
        match &self.kind {
            LineKind::Single(single) => single.damaged(),
            LineKind::Bus(bus) => bus.damaged(),
        }
    }

    /// Returns how many messages have come since the last call.
    pub fn take_counts(&mut self) -> MessageCounts {
        match &mut self.kind {
            LineKind::Single(single) => single.take_counts(),
            LineKind::Bus(bus) => bus.take_counts(),
        }
    }

    /// Returns the serial numbers that a single board reports with these bytes, if they come next; consumes nothing.
    ///
    /// For a caller that must not let a line hear another board.
    #[must_use]
    pub fn serials_in(&self, bytes: &[u8], now: Timestamp) -> Vec<String> {
        match &self.kind {
            LineKind::Single(single) => single.serials_in(bytes, now),
            LineKind::Bus(_) => Vec::new(),
        }
    }

    /// Returns whether something that a board has said, such as its event log, is handled later: a new line would not know it.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        match &self.kind {
            LineKind::Single(single) => single.is_behind(),
            LineKind::Bus(bus) => bus.is_behind(),
        }
    }

    /// Returns messages from which a new line learns what this one knows of the board, as the board would send them.
    ///
    /// A capture holds one game; the next one begins with these bytes, so that it can be replayed by itself.
    #[must_use]
    pub fn carry_over(&self) -> Vec<u8> {
        match &self.kind {
            LineKind::Single(single) => single.board().carry_over(),
            LineKind::Bus(bus) => bus.carry_over(),
        }
    }

    /// Goes over to bus mode when the host speaks that way before any board has said anything.
    fn detect_bus(&mut self, bytes: &[u8], now: Timestamp) {
        let command = bytes.first_chunk().copied().and_then(BusCommand::decode);
        if !self.heard && !self.is_bus() && command.is_some() {
            self.become_bus(now);
        }
    }

    /// Not inlined, as it takes 8 KB of stack.
    #[inline(never)]
    fn become_bus(&mut self, now: Timestamp) {
        let mut bus = BusLine::new(self.settings.clone(), &self.port, self.first_game, &[]);
        bus.handle_up(&self.port, now);
        self.kind = LineKind::Bus(Box::new(bus));
    }
}

impl Noise {
    /// Returns whether so many damaged bytes so far are nothing new, and no count ends.
    fn is_settled(&self, bytes: u64, now: Timestamp) -> bool {
        bytes == self.bytes && now.since(self.since) < NOISE_SPAN
    }

    /// Returns the number of damaged bytes so far.
    const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Handles the number of damaged bytes so far, of which those that are new are nobody's fault.
    const fn skip(&mut self, bytes: u64) {
        self.base += bytes - self.bytes;
        self.bytes = bytes;
    }

    /// Handles the number of damaged bytes so far; reports when the line has become noisy, or is quiet again.
    fn count(&mut self, bytes: u64, now: Timestamp) -> Option<bool> {
        let before = std::mem::replace(&mut self.bytes, bytes);
        let count = bytes - self.base;
        let over = now.since(self.since) >= NOISE_SPAN;
        let changed = !self.noisy && count >= NOISY || self.noisy && over && count == 0;
        self.noisy ^= changed;
        if over {
            (self.since, self.base) = (now, before);
        }
        changed.then_some(self.noisy)
    }
}

#[cfg(test)]
mod tests;
