//! Owns what a port remembers: the `Line`, its timeline, and the capture that both can be rebuilt from.
//!
//! A session is driven with bytes and times and hands out bytes and events; it knows files and no devices. Every
//! input is recorded before the `Line` sees it. A capture holds one game: when the `Line` reports the next one, the
//! session begins a new capture and a new `Line` with what the old one knew of the board.

mod captures;
mod damaged;
mod identity;
mod lost;
mod orders;
mod outputs;

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use dgt_protocol::Command;
use tracing::{debug, warn};

pub(crate) use self::{damaged::begin_emptied, identity::Identified, outputs::Dated};
use self::{identity::PortIdentity, outputs::Restart};
use super::{durable::Urgency, last_sent::LastSent, recording::Recording, timeline::Timeline};
use crate::{config::Config, published::Numbering, view::Boards};
use jadoube_core::{
    board::Question,
    capture::{Entry, Record, Writer},
    event::{BoardId, Event, EventKind, LinkState},
    line::{Line, MessageCounts},
    order::Order,
    replay,
    rules::Winnability,
    time::Timestamp,
};
use jadoube_runtime::append::OpenFile;

/// How long a disk that failed is left alone.
const RETRY: Duration = Duration::from_secs(10);

/// How long a board may take to come back after a restart before somebody is alerted: five seconds until it is heard, and
/// those after which an outage is over.
const RETURN: Duration = Duration::from_secs(11);

/// Whatever is due is done within this, unless the machine stands still.
const LATE: Duration = Duration::from_millis(100);

/// The unit of time stamps.
const TICK: Duration = Duration::from_micros(1);

/// The reasons for which a link is closed when the program ends, and when it turns out to have ended.
const STOPPED: [&str; 2] = ["stopped", "the program ended"];

/// What a port remembers.
#[derive(Debug)]
pub(crate) struct PortSession {
    config: Arc<Config>,
    port: Arc<str>,
    line: Line,
    writer: Writer<Recording>,
    timeline: Timeline,
    numbering: Numbering,
    /// Time of the last input: the timeline of a capture never goes back.
    last: Timestamp,
    /// Name of the port by which bytes flow, if they do.
    link: Option<String>,
    identity: PortIdentity,
    /// What has come over the link, without what earlier captures have given the line.
    message_counts: MessageCounts,
    recorded: RecordedGame,
    /// Open alerts about equipment and squares: they end with the capture, and the next one raises what is still wrong.
    unfit: BTreeMap<String, BoardId>,
    last_sent: LastSent,
    recovered: Recovered,
    mode: OutputMode,
    disk: Disk,
    restart: Restart,
    outputs: Outputs,
}

/// The game that the capture holds, or is to hold.
#[derive(Debug)]
struct RecordedGame {
    number: u32,
    begun: bool,
    /// Whether its capture goes on with a board that has reported its number in an earlier one.
    carried: bool,
    /// Boards with a game that has no result.
    playing: BTreeSet<BoardId>,
}

/// What recovery has replayed.
#[derive(Debug, Default)]
struct Recovered {
    /// The states of the boards.
    history: Boards,
    /// The events that say anything new, until it is known which of them the log lacks.
    replayed: Vec<Dated>,
    /// Whether lines of the capture had to be left out.
    is_damaged: bool,
    /// Whether the event log reported what the capture had lost.
    is_put_back: bool,
}

/// What the task of the port has to pass on.
#[derive(Debug, Default)]
struct Outputs {
    /// Bytes to the board.
    sends: Vec<Vec<u8>>,
    /// Events to the hub.
    events: Vec<Dated>,
    /// Events of earlier games to the hub, which come before the others.
    past: Vec<Dated>,
    /// Searches.
    questions: Vec<Question>,
}

/// When the disk is due.
#[derive(Debug, Default)]
struct Disk {
    /// When a disk that failed is tried again.
    retry_at: Option<Timestamp>,
    /// Whether what is written is worth being made durable at once.
    is_pressing: bool,
    /// When the capture was whole last.
    whole_at: Timestamp,
    /// The last game's capture, until it is durable.
    parting: Option<Arc<OpenFile>>,
}

/// What becomes of what the line puts out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum OutputMode {
    /// It is old: an earlier process has reported it.
    Replaying,
    /// It is reported, and the next game gets its own capture.
    Live,
    /// It is reported; the capture has just been begun and is not left at once.
    Beginning,
}

impl PortSession {
    /// Begins with nothing.
    pub(crate) fn new(config: Arc<Config>, port: Arc<str>) -> Self {
        let timeline = Timeline::start();
        let writer = captures::begin(&config, &port, &timeline, 1, None);
        let line = Line::new(config.line_settings(&port), &port, 1);
        Self::with(config, port, line, writer, timeline)
    }

    fn with(
        config: Arc<Config>,
        port: Arc<str>,
        line: Line,
        writer: Writer<Recording>,
        timeline: Timeline,
    ) -> Self {
        Self {
            config,
            port,
            line,
            writer,
            numbering: Numbering::of(timeline.started()),
            timeline,
            last: Timestamp::ZERO,
            link: None,
            identity: PortIdentity::default(),
            message_counts: MessageCounts::default(),
            recorded: RecordedGame { number: 1, begun: false, carried: false, playing: BTreeSet::new() },
            unfit: BTreeMap::new(),
            last_sent: LastSent::default(),
            recovered: Recovered::default(),
            mode: OutputMode::Live,
            disk: Disk::default(),
            restart: Restart::default(),
            outputs: Outputs::default(),
        }
    }

    /// Returns the time on the capture's timeline.
    pub(crate) fn now(&self) -> Timestamp {
        self.timeline.now().max(self.last)
    }

    /// Returns the timeline.
    pub(crate) const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Returns the serial number of the board, once it is known.
    pub(crate) fn serial(&self) -> Option<&str> {
        self.identity.serial.as_deref()
    }

    /// Returns where the capture lies.
    pub(crate) fn path(&mut self) -> PathBuf {
        self.writer.output_mut().path().to_owned()
    }

    /// Returns whether the board has ever said anything.
    pub(crate) fn is_kept(&mut self) -> bool {
        self.writer.output_mut().is_kept()
    }

    /// Returns how long it took to ask every board of a line with several once.
    pub(crate) fn bus_round(&self) -> Option<Duration> {
        self.line.bus_round()
    }

    /// Returns the calendar time of the last input.
    pub(crate) fn last_utc(&self) -> jiff::Timestamp {
        self.timeline.utc(self.last)
    }

    /// Uses another configuration from the next game on.
    pub(crate) fn reconfigure(&mut self, config: Arc<Config>) {
        self.config = config;
    }

    /// Handles a link that came up.
    pub(crate) fn link_up(&mut self, port: &str, now: Timestamp) {
        self.identity.before_link = self.writer.output_mut().len();
        self.feed(Entry::Open(port), now);
    }

    /// Handles a link that went down.
    pub(crate) fn link_down(&mut self, reason: &str, now: Timestamp) {
        self.feed(Entry::Close(reason), now);
    }

    /// Handles the end of the program: the link goes down, and that is nobody's fault.
    pub(crate) fn stop(&mut self, now: Timestamp) {
        if self.link.is_some() {
            self.feed(Entry::Close(STOPPED[0]), now);
        }
        let at = self.timeline.utc(self.last);
        let down = self.last_sent.connected().map(|(board, port)| {
            let kind = EventKind::Link { state: LinkState::Down, port: port.to_owned() };
            Dated { at, event: Event { at: self.last, board: board.clone(), kind }, ordinal: None }
        });
        let down: Vec<Dated> = down.collect();
        self.outputs.events.extend(down);
    }

    /// Handles bytes from the board, and none of another one that has reported its number: it must not write into this game.
    pub(crate) fn received(&mut self, bytes: &[u8], now: Timestamp) {
        self.check_serial(bytes, now);
        if !matches!(self.identity.answered, Some(Identified::Other(_))) {
            self.writer.output_mut().keep();
            self.feed(Entry::Received(bytes), now);
        }
    }

    /// Handles bytes that have been read by now. If something was due long before, the machine stood still, and bytes that waited by then
    /// may have come before it was due: they count as if they had, so that nothing is judged without them.
    pub(crate) fn received_by(&mut self, bytes: &[u8], now: Timestamp) {
        let due = self.line.poll_timeout().map_or(now, |(due, _)| due);
        let at = if due + LATE < now { due.before(TICK) } else { now };
        self.received(bytes, at);
    }

    /// Handles bytes that were written to the board.
    pub(crate) fn sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.feed(Entry::Sent(bytes), now);
    }

    /// Handles the time.
    pub(crate) fn tick(&mut self, now: Timestamp) {
        let now = self.begin_input(now);
        if self.restart.return_at.is_some_and(|at| at <= now) {
            self.restart.return_at = None;
            self.outputs.events.append(&mut self.restart.alerts);
        }
        if self.disk.retry_at.is_some_and(|at| at <= now) {
            self.disk.retry_at = Some(now + RETRY);
            if self.writer.output_mut().retry() {
                self.mark_gap(now);
            }
            if !self.writer.output_mut().failed() {
                self.disk.retry_at = None;
            }
        }
    }

    /// Returns when [`PortSession::tick`] is due, and why.
    pub(crate) fn wake(&self) -> Option<(Timestamp, &'static str)> {
        let own = [(self.disk.retry_at, "disk"), (self.restart.return_at, "boards are back, or not")];
        let own = own.into_iter().map(|(at, why)| at.map(|at| (at, why)));
        own.flatten().chain(self.line.poll_timeout()).min_by_key(|(at, _)| *at)
    }

    /// Returns what is to be written to the board.
    pub(crate) fn take_sends(&mut self) -> Vec<Vec<u8>> {
        mem::take(&mut self.outputs.sends)
    }

    /// Returns what is to be reported to the outside.
    pub(crate) fn take_events(&mut self) -> Vec<Dated> {
        mem::take(&mut self.outputs.events)
    }

    /// Returns what is to be reported of earlier games.
    pub(crate) fn take_past(&mut self) -> Vec<Dated> {
        mem::take(&mut self.outputs.past)
    }

    /// Returns what recovery has found out about the boards, once.
    pub(crate) fn take_history(&mut self) -> Boards {
        mem::take(&mut self.recovered.history)
    }

    /// Returns what has to be searched for, outside of the task that serves the board.
    pub(crate) fn take_questions(&mut self) -> Vec<Question> {
        mem::take(&mut self.outputs.questions)
    }

    /// Handles what a search has found.
    pub(crate) fn answer(&mut self, alert: &str, answer: Winnability, now: Timestamp) {
        let answer = Order::Answer { alert: alert.to_owned(), mate: answer };
        // On a line with several boards the alert's number says which one it is for.
        match answer.json() {
            Ok(json) => self.feed(Entry::Order(&json), now),
            Err(error) => warn!(%error, "an answer cannot be recorded"),
        }
    }

    /// Returns how many messages have come since the last call.
    pub(crate) fn take_message_counts(&mut self) -> MessageCounts {
        let mut counts = mem::take(&mut self.message_counts);
        counts += self.line.take_counts();
        counts
    }

    /// Returns which board has answered, once for every answer.
    pub(crate) fn take_identified(&mut self) -> Option<Identified> {
        self.identity.answered.take()
    }

    /// Returns the capture of the game before if it is to be made durable.
    pub(crate) fn take_parting(&mut self) -> Option<Arc<OpenFile>> {
        self.disk.parting.take()
    }

    /// Returns the capture's file if something in it is to be made durable, and how soon.
    pub(crate) fn unsynced(&mut self) -> Option<(&Arc<OpenFile>, Urgency)> {
        let urgency = if self.disk.is_pressing { Urgency::Soon } else { Urgency::Second };
        Some((self.writer.output_mut().unsynced()?, urgency))
    }

    fn feed(&mut self, entry: Entry<'_>, now: Timestamp) {
        let now = self.begin_input(now);
        self.record(now, entry);
        self.replay(Record { at: now, entry });
        self.plan_disk();
    }

    /// Finds the number of the board, which it sends whenever the link has come up, in bytes that come next.
    fn check_serial(&mut self, bytes: &[u8], now: Timestamp) {
        for serial in self.line.serials_in(bytes, now) {
            if self.identity.note(serial, now) {
                self.outputs.sends.push(Command::SendSerial.to_bytes().to_vec());
            }
        }
    }

    /// Lets the line see a record, which is on disk.
    fn replay(&mut self, record: Record<'_>) {
        let at = self.begin_input(record.at);
        match record.entry {
            Entry::Open(port) => {
                self.link = Some(port.to_owned());
                self.identity.doubted = None;
            }
            Entry::Close(reason) => {
                self.link = None;
                self.restart.running = STOPPED.contains(&reason);
            }
            Entry::Order(json) => {
                if let Ok(Order::Answer { alert, .. }) = Order::parse(json) {
                    self.strike_question(&alert);
                }
            }
            Entry::Sent(_) | Entry::Received(_) => {}
        }
        if let Err(reason) = replay::feed(&mut self.line, Record { at, entry: record.entry }) {
            warn!(%at, reason, "an order in the capture is refused");
        }
        self.drain(None);
        self.restart.running = false;
        #[cfg(test)]
        tests::fail_if_wanted(record.entry, self.mode);
    }

    /// Lets happen what was due before an input, as a replay would.
    fn begin_input(&mut self, now: Timestamp) -> Timestamp {
        self.last = self.last.max(now);
        let capture = self.timeline.started();
        if self.line.poll_timeout().is_some_and(|(at, _)| at <= self.last) {
            self.line.handle_timeout(self.last);
            self.drain(None);
        }
        if self.timeline.started() != capture {
            // A new capture has begun, with a timeline of its own.
            self.last = self.now();
        }
        self.plan_disk();
        self.last
    }

    /// Writes a record; a disk that does not take it is `Recording`'s business.
    fn record(&mut self, now: Timestamp, entry: Entry<'_>) {
        if let Err(error) = self.writer.write(now, entry) {
            debug!(%error, "record not written");
        }
    }

    fn plan_disk(&mut self) {
        let now = self.last;
        let recording = self.writer.output_mut();
        if recording.failed() && self.disk.retry_at.is_none() {
            self.disk.retry_at = Some(now + RETRY);
        }
    }
}

#[cfg(test)]
mod tests;
