//! Begins captures, goes on with them, and leaves them for the next game.

use std::{mem, path::Path, sync::Arc, time::Duration};

use tracing::{debug, error, info, warn};

use super::{Dated, OutputMode, PortSession, RETURN, STOPPED, damaged::BEHIND, outputs::ends_before};
use crate::{
    config::Config,
    port::{
        files,
        last_sent::{LastSent, ReportedBefore},
        recording::Recording,
        timeline::Timeline,
    },
    published::Numbering,
    sinks::Watermark,
};
use jadoube_core::{
    capture::{self, CaptureError, Entry, Reader, Writer},
    event::EventKind,
    line::{Line, Link},
    order::Order,
    settings::same_serial,
    time::Timestamp,
};
use jadoube_runtime::append::OpenFile;

/// How long after the last record of a capture the next game may begin.
const NEXT_GAME: Duration = Duration::from_mins(1);

impl PortSession {
    /// Goes on with a capture: what it holds is replayed, and what of it the log has is not reported again.
    ///
    /// Without an index nothing is.
    ///
    /// # Errors
    ///
    /// Returns an error if the capture cannot be read or holds a line that is not in the format.
    pub(crate) fn recover(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        reported: Option<ReportedBefore<'_>>,
    ) -> Result<Self, CaptureError> {
        let as_set_now =
            |written| reported.as_ref().map_or(written, |reported| reported.event_index.as_set_now(written));
        let written = files::modified(path).map(as_set_now);
        let (session, started) =
            Self::replay_file(config, port, path, reported.as_ref().map(|reported| reported.event_index))?;
        Ok(session.go_on(path, Recording::resume(path.to_owned()), (started, written), reported))
    }

    /// Goes on with a game of another port whose capture no disk takes at the moment; nothing of it is reported again.
    ///
    /// # Errors
    ///
    /// Returns an error if the text holds a line that is not in the format.
    pub(crate) fn adopt_unwritten(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        text: Vec<u8>,
        reason: &std::io::Error,
    ) -> Result<Self, CaptureError> {
        let (session, started) = Self::replay_text(config, port, path, &text)?;
        Ok(session.go_on(path, Recording::waiting(path.to_owned(), text, reason), (started, None), None))
    }

    /// Goes on with what was replayed of a capture that began, and was written to last, at these instants.
    fn go_on(
        mut self,
        path: &Path,
        recording: Recording,
        (started, written): (jiff::Timestamp, Option<jiff::Timestamp>),
        reported: Option<ReportedBefore<'_>>,
    ) -> Self {
        let end = self.last_utc();
        for board in self.recovered.history.values_mut() {
            Arc::make_mut(board).recovered = Some(end);
        }
        self.timeline = Timeline::resume(started, self.last, written);
        if let Some(mut reported) = reported
            && let Some(watermark) = reported.watermark(path, started)
        {
            // What was due after the last record was reported at its time; here it comes before the link is closed.
            let boards = self.recovered.replayed.iter().map(|dated| dated.event.board.as_ref()).collect();
            let reach = watermark.reach(&boards).min(self.timeline.now());
            self.begin_input(reach);
            self.report_missing(&watermark, &mut reported.states);
        }
        self.recovered.replayed = Vec::new();
        let name = path.display().to_string();
        self.writer = Writer::resume(name, recording, self.last);
        self.mode = OutputMode::Live;
        self.disk.whole_at = self.last;
        self.identity.answered = None;
        if self.link.is_some() {
            // Nobody listened from the last record on.
            self.link_down(STOPPED[1], self.last);
        }
        self.restart.return_at = Some(self.timeline.now() + RETURN);
        self
    }

    /// Returns what the log lacks of a game that is over.
    ///
    /// # Errors
    ///
    /// Returns an error if the capture cannot be read or holds a line that is not in the format.
    pub(crate) fn unreported(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        reported: &mut ReportedBefore<'_>,
    ) -> Result<Vec<Dated>, CaptureError> {
        let (mut session, started) = Self::replay_file(config, port, path, Some(reported.event_index))?;
        let Some(watermark) = reported.watermark(path, started) else { return Ok(Vec::new()) };
        let game = files::game_number(path);
        session.reach_next_game(game);
        // The next game's capture begins with what its start is followed by.
        let next = session.recovered.replayed.iter().position(|dated| begins_later_game(dated, game));
        if let Some(next) = next {
            let started = session.recovered.replayed.split_off(next);
            let ended =
                started.into_iter().filter(|dated| ends_before(&dated.event, Some(game.saturating_add(1))));
            session.recovered.replayed.extend(ended);
        }
        session.report_missing(&watermark, &mut reported.states);
        Ok(session.outputs.events)
    }

    /// Goes on behind the last record until the next game begins, which may have been due a while after it.
    fn reach_next_game(&mut self, game: u32) {
        let is_next = |dated: &Dated| begins_later_game(dated, game);
        if self.recovered.replayed.iter().any(is_next) {
            return;
        }
        let recorded = self.recovered.replayed.len();
        let end = self.last + NEXT_GAME;
        while let Some((at, _)) = self.line.poll_timeout().filter(|(at, _)| *at <= end) {
            self.begin_input(at);
            if self.recovered.replayed.iter().skip(recorded).any(is_next) {
                return;
            }
        }
        // The capture ended otherwise, and what was due later did not happen.
        self.recovered.replayed.truncate(recorded);
    }

    /// Adds what is to be reported of earlier games.
    pub(crate) fn with_past(mut self, past: Vec<Dated>) -> Self {
        self.outputs.past = past;
        self
    }

    pub(super) fn replay_text(
        config: Arc<Config>,
        port: Arc<str>,
        path: &Path,
        bytes: &[u8],
    ) -> Result<(Self, jiff::Timestamp), CaptureError> {
        let name = path.display().to_string();
        let mut reader = Reader::new(&name, bytes)?;
        let game = files::game_number(path);
        let line = Line::new(config.line_settings(&port), &port, game);
        let writer = Writer::resume(&name, Recording::resume(path.to_owned()), Timestamp::ZERO);
        let mut session = Self::with(config, port, line, writer, Timeline::start());
        let started = reader.header().get("started").and_then(|text| text.parse().ok());
        let started = started.unwrap_or_else(|| session.timeline.started());
        session.timeline = Timeline::resume(started, Timestamp::ZERO, None);
        session.numbering = Numbering::of(started);
        session.recorded.number = game;
        session.recorded.carried = reader.header().contains_key(files::BOARD);
        session.mode = OutputMode::Replaying;
        while let Some(record) = reader.next_record()? {
            if let Entry::Received(bytes) = record.entry {
                session.check_serial(bytes, record.at);
            }
            session.replay(record);
        }
        // An earlier process has counted it.
        session.line.take_counts();
        Ok((session, started))
    }

    /// Says what has been replayed and the log lacks, but no state that an earlier capture has reported.
    fn report_missing(&mut self, watermark: &Watermark<'_>, states: &mut LastSent) {
        self.restart
            .alerts
            .retain(|dated| dated.ordinal.is_none_or(|ordinal| !watermark.has_alert(&dated.event, ordinal)));
        let mut missing = mem::take(&mut self.recovered.replayed);
        let boards = missing.iter().map(|dated| dated.event.board.as_ref()).collect();
        if self.recovered.is_damaged && self.identity.serial.is_none() && watermark.has_another(&boards) {
            // The line with the number of the board is the damaged one, and all of this was reported by that.
            return;
        }
        // A link that was up before this capture has been reported, and by the board's own name.
        if let Some(Dated { event, .. }) = missing.first()
            && self.recorded.carried
            && matches!(event.kind, EventKind::Link { .. })
        {
            states.is_news(event);
        }
        let is_put_back = self.recovered.is_put_back;
        let reach = watermark.reach(&missing.iter().map(|dated| dated.event.board.as_ref()).collect());
        let reach = if self.line.is_bus() { reach + BEHIND } else { reach };
        missing.retain(|Dated { at, event, ordinal }| {
            // Of what is put back from the log nothing is new that comes before the end of the log.
            let is_old = is_put_back && event.at < reach;
            states.is_news(event)
                && !is_old
                && ordinal.is_some_and(|ordinal| watermark.lacks(event, ordinal, *at))
        });
        if !missing.is_empty() {
            info!(events = missing.len(), port = %self.port, "the log lacks what the capture has; it is written now");
        }
        self.outputs.events.append(&mut missing);
    }

    /// Withdraws the session's last words: since the link came up another board has talked into it.
    ///
    /// Without this, a board that was plugged into another board's port would write into that board's game.
    pub(crate) fn cut_foreign(&mut self) {
        self.identity.answered = None;
        self.link = None;
        self.line.handle_link(Link::Down("another board is on the port"), self.last);
        // That the board could not be heard was reported when it went; most likely it is on another port by now.
        self.restart.running = true;
        self.drain(None);
        match self.identity.before_link {
            Some(len) => match self.writer.output_mut().cut(len) {
                Ok(()) => debug!(len, "the bytes of another board are removed from the capture"),
                Err(error) => warn!(%error, "cannot remove the bytes of another board from the capture"),
            },
            None => self.record(self.now(), Entry::Close("another board is on the port")),
        }
    }

    /// Forgets the board on the port, since another port has its game: what it has said since the link came up is cut off
    /// the capture, and what it would have reported of the board is dropped.
    pub(crate) fn cut_rival(&mut self, serial: &str) {
        self.identity.before_link = self.identity.before_own_link.take();
        self.cut_foreign();
        self.outputs.events.retain(|dated| !same_serial(&dated.event.board, serial));
    }

    /// Begins the capture of the next game with what is known of the board.
    pub(super) fn rotate(&mut self, game: u32, cause: Option<(&str, &Order)>) {
        let carried = self.line.carry_over();
        // An order that begins a game can be taken back in the new capture only if that knows the game before.
        let before = cause.and_then(|(board, _)| self.line.game_before(Some(board)));
        let connected = self.link.clone();
        self.end_unfit();
        // Boards on one line count their games each by themselves.
        let game = game.max(self.recorded.number + 1);
        let timeline = Timeline::start();
        let writer = begin(&self.config, &self.port, &timeline, game, self.identity.serial.as_deref());
        let line = Line::new(self.config.line_settings(&self.port), &self.port, game);
        let mut next = Self::with(self.config.clone(), self.port.clone(), line, writer, timeline);
        next.recorded.number = game;
        next.identity.serial = self.identity.serial.take();
        next.last_sent = mem::take(&mut self.last_sent);
        next.message_counts = self.take_message_counts();
        next.outputs.sends = mem::take(&mut self.outputs.sends);
        next.outputs.events = mem::take(&mut self.outputs.events);
        next.disk.parting = self.finish();
        *self = next;
        self.mode = OutputMode::Beginning;
        let now = self.now();
        info!(game, capture = %self.path().display(), "next game");
        let port = self.port.clone();
        self.link_up(connected.as_deref().unwrap_or(&port), now);
        if !carried.is_empty() {
            self.received(&carried, now);
            self.line.take_counts();
        }
        self.identity.before_link = None;
        self.identity.answered = None;
        let cause = cause.map(|(board, order)| (board, order.inner()));
        if let (Some((board, Order::NewGame { .. })), Some(before)) = (cause, before) {
            let json = if self.line.is_bus() { before.json_to(board) } else { before.json() };
            match json {
                Ok(json) => self.feed(Entry::Order(&json), now),
                Err(error) => warn!(%error, "the game before is not known in the capture of the next"),
            }
        }
        if let Some((board, order @ Order::NewGame { .. })) = cause
            && let Err(error) = self.order(board, order, now)
        {
            warn!(%error, "the order that began the game is refused in its own capture");
        }
        if connected.is_none() {
            self.link_down("", now);
        }
        self.mode = OutputMode::Live;
    }

    /// Returns the serial number of the board, once it is known, and where its capture lies.
    pub(crate) fn held(&mut self) -> Option<(&str, &Path)> {
        Some((self.identity.serial.as_deref()?, self.writer.output_mut().path()))
    }

    /// Returns whether the disk does not take records.
    pub(crate) fn disk_failed(&mut self) -> bool {
        self.writer.output_mut().failed()
    }

    /// Returns why the disk does not take records.
    pub(crate) fn disk_failure(&mut self) -> Option<String> {
        self.writer.output_mut().failure()
    }

    /// Ends the session: tries once more to write what waits, and returns the file if anything in it is not durable.
    pub(crate) fn finish(&mut self) -> Option<Arc<OpenFile>> {
        if self.writer.output_mut().retry() {
            self.mark_gap(self.last);
        }
        self.take_unsynced()
    }

    /// Returns the file if anything in it is not durable, to make it so.
    pub(crate) fn take_unsynced(&mut self) -> Option<Arc<OpenFile>> {
        self.disk.is_pressing = false;
        if self.writer.output_mut().is_cut(self.last) {
            self.mark_cut();
        }
        self.disk.whole_at = self.last;
        self.writer.output_mut().take_unsynced()
    }

    /// Begins anew in the same file after records were lost.
    pub(super) fn mark_gap(&mut self, now: Timestamp) {
        if self.link.is_some() {
            warn!(capture = %self.path().display(), "records were lost while the disk was full");
            self.record(now, Entry::Close("records were lost"));
            self.begin_again(now);
        }
    }

    /// Goes on in a file of which somebody has cut away what was there: a restart takes from the event log what it can.
    pub(super) fn mark_cut(&mut self) {
        let path = self.path();
        let capture = path.display();
        let game = files::game_number(&path);
        let board = self.identity.serial.as_deref().filter(|_| game > 1);
        let bus = self.config.port(&self.port).map(|port| port.bus.as_slice()).unwrap_or_default();
        let header = files::header(&self.port, self.timeline.started(), game, board, bus);
        let (head, since) = (files::head(&header), self.disk.whole_at);
        let mut is_behind_head = false;
        let marked = self.writer.output_mut().rewrite(|text| {
            is_behind_head = text.starts_with(capture::MAGIC.as_bytes());
            capture::mark_cut(text, &head, since)
        });
        match marked {
            Ok(()) => {
                error!(
                    %capture,
                    "was cut while it is written; the game goes on, and a restart takes its moves from the event log"
                );
                if is_behind_head && self.link.is_some() {
                    self.record(self.last, Entry::Close("records were cut away"));
                }
                self.begin_again(self.last);
            }
            Err(error) => {
                error!(%capture, %error, "was cut while it is written and cannot be mended; a restart would lose its game");
            }
        }
    }

    /// Records that the link comes up, and what is known of the board.
    fn begin_again(&mut self, now: Timestamp) {
        let Some(link) = self.link.clone() else { return };
        self.record(now, Entry::Open(&link));
        let carried = self.line.carry_over();
        if !carried.is_empty() {
            self.record(now, Entry::Received(&carried));
        }
    }
}

/// Returns whether an event is the start of a later game.
fn begins_later_game(dated: &Dated, game: u32) -> bool {
    matches!(dated.event.kind, EventKind::GameStart { game: next, .. } if next > game)
}

/// Begins a capture.
pub(super) fn begin(
    config: &Config,
    port: &str,
    timeline: &Timeline,
    game: u32,
    board: Option<&str>,
) -> Writer<Recording> {
    let path = files::capture_path(&config.state_dir, port, timeline.started(), game);
    let name = path.display().to_string();
    let bus = config.port(port).map(|port| port.bus.as_slice()).unwrap_or_default();
    let header = files::header(port, timeline.started(), game, board, bus);
    // A recording takes every line, on disk or in memory, so there is no error to be expected.
    Writer::new(&name, Recording::begin(path.clone()), &header)
        .unwrap_or_else(|_| Writer::resume(&name, Recording::begin(path), Timestamp::ZERO))
}
