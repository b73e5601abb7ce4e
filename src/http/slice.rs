//! Cuts pieces out of captures: the events around a moment, and a capture of its own that shows the same.

use std::{borrow::Cow, fs, io, sync::Arc, time::Duration};

use serde_json::json;

use crate::{
    config::Config,
    port,
    view::{self, Boards},
};
use jadoube_core::{
    capture::{CaptureError, Entry, Header, Reader, Record, Writer},
    event::{Event, EventKind},
    laws::Language,
    line::{Line, Output},
    replay,
    time::Timestamp,
};

/// How long after its last record something may be reported of a capture: a deadline that has passed while nothing was heard.
const SILENCE: Duration = Duration::from_hours(24);

/// A capture on disk, and how it is read.
#[derive(Clone)]
pub(super) struct CaptureSource {
    pub(super) config: Arc<Config>,
    /// The port that it was recorded on.
    pub(super) port: Arc<str>,
    /// The board that is asked about; on a line with several it is one of them.
    pub(super) board: Arc<str>,
    name: String,
    text: Vec<u8>,
    first_game: u32,
}

/// A stretch of a capture's timeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
}

impl CaptureSource {
    /// Reads the capture of a port that holds an instant, or its newest.
    pub(super) fn open(
        config: Arc<Config>,
        port: Arc<str>,
        board: Arc<str>,
        at: Option<jiff::Timestamp>,
    ) -> Result<Option<Self>, CaptureError> {
        let io = |source: io::Error| CaptureError::Io { name: port.to_string(), source };
        let Some(path) = port::capture_at(&config.state_dir, &port, at).map_err(io)? else { return Ok(None) };
        let text = fs::read(&path).map_err(io)?;
        let first_game = port::game_number(&path);
        // The full name is nobody's business outside of this machine.
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Some(Self { config, port, board, name, text, first_game }))
    }

    /// Returns where an instant of the day is on the timeline of the capture; its beginning if that is not known.
    pub(super) fn timestamp(&self, at: jiff::Timestamp) -> Timestamp {
        let header = self.reader(&self.text).ok().map(|reader| reader.header().clone());
        let started = header.and_then(|header| header.get("started")?.parse::<jiff::Timestamp>().ok());
        let micros = started.map(|started| at.duration_since(started).as_micros());
        Timestamp::from_micros(micros.and_then(|micros| micros.max(0).try_into().ok()).unwrap_or(0))
    }

    /// Returns the same capture, written in a language if one is wished.
    pub(super) fn spoken(&self, language: Option<Language>) -> Cow<'_, Self> {
        language.map_or(Cow::Borrowed(self), |language| Cow::Owned(self.in_language(language)))
    }

    /// Returns the same capture, which the rules write in another language.
    pub(super) fn in_language(&self, language: Language) -> Self {
        let mut config = (*self.config).clone();
        config.event.language = language;
        Self { config: Arc::new(config), ..self.clone() }
    }

    fn reader<'a>(&self, text: &'a [u8]) -> Result<Reader<&'a [u8]>, CaptureError> {
        Reader::new(&self.name, text)
    }

    /// Returns what the board and the rules had to say in a span, at most `most` events.
    pub(super) fn events(&self, text: &[u8], span: Span, most: usize) -> Result<Vec<Event>, CaptureError> {
        let mut events = Vec::new();
        self.replay_text(text, span, |event| {
            let inside = span.from <= event.at && event.at <= span.to && *event.board == *self.board;
            if inside && events.len() < most && !matches!(event.kind, EventKind::Game(_)) {
                events.push(event);
            }
        })?;
        Ok(events)
    }

    /// Replays the capture from its beginning to the end of a span, and gives out every event.
    pub(super) fn replay(&self, span: Span, sink: impl FnMut(Event)) -> Result<(), CaptureError> {
        self.replay_text(&self.text, span, sink)
    }

    fn replay_text(&self, text: &[u8], span: Span, sink: impl FnMut(Event)) -> Result<(), CaptureError> {
        let mut reader = self.reader(text)?;
        // What comes a little later is not to be judged early because the replay ends. No capture reports of what is long after
        // its end, and playing up to the year 9999 would take hours.
        let until = (span.to + replay::GRACE).min(end(text) + SILENCE);
        let settings = self.config.line_settings(&self.port);
        replay::replay_from(&mut reader, settings, self.first_game, until, sink)?;
        Ok(())
    }

    /// Returns the events of a span of the whole capture.
    pub(super) fn all_events(&self, span: Span, most: usize) -> Result<Vec<Event>, CaptureError> {
        self.events(&self.text, span, most)
    }

    /// Returns a capture that begins with what was known at the beginning of a span and ends with the span.
    ///
    /// The records before the span are left out if the rest shows what `shows` looks for; otherwise all are there,
    /// as counts and repetitions come from far back.
    pub(super) fn cut(&self, span: Span, shows: impl Fn(&[Event]) -> bool) -> Result<Vec<u8>, CaptureError> {
        if let Some(short) = self.short(span)?
            && shows(&self.events(&short, span, usize::MAX)?)
        {
            return Ok(short);
        }
        let mut writer = self.writer("from the beginning of the game")?;
        let mut reader = self.reader(&self.text)?;
        while let Some(record) = reader.next_record()?.filter(|record| record.at <= span.to) {
            writer.write(record.at, record.entry)?;
        }
        Ok(std::mem::take(writer.output_mut()))
    }

    /// Tries to begin in the middle: the link, what the board is and shows, and the position that was reached.
    fn short(&self, span: Span) -> Result<Option<Vec<u8>>, CaptureError> {
        let mut reader = self.reader(&self.text)?;
        if reader.header().contains_key(replay::BUS) {
            // A line with several boards has more than one game.
            return Ok(None);
        }
        let mut line = Line::new(self.config.line_settings(&self.port), &self.port, self.first_game);
        let mut boards = Boards::new();
        let mut writer = self.writer("from the middle of the game: what was known then comes first")?;
        let mut open_at: Option<String> = None;
        let mut begun = false;
        while let Some(record) = reader.next_record()?.filter(|record| record.at <= span.to) {
            if record.at >= span.from {
                if !std::mem::replace(&mut begun, true) {
                    line.handle_timeout(record.at);
                    note(&mut line, &self.port, &mut boards);
                    let Some(fen) =
                        boards.get(&*self.board).and_then(|board| Some(board.game.as_ref()?.fen()))
                    else {
                        return Ok(None);
                    };
                    let Some(port) = &open_at else { return Ok(None) };
                    let order = json!({ "order": "new-game", "fen": fen }).to_string();
                    writer.write(record.at, Entry::Open(port))?;
                    writer.write(record.at, Entry::Received(&line.carry_over()))?;
                    writer.write(record.at, Entry::Order(&order))?;
                }
                writer.write(record.at, record.entry)?;
            } else {
                open_at = match record.entry {
                    Entry::Open(port) => Some(port.to_owned()),
                    Entry::Close(_) => None,
                    Entry::Sent(_) | Entry::Received(_) | Entry::Order(_) => open_at,
                };
                // A refused order has changed nothing.
                replay::feed(&mut line, Record { at: record.at, entry: record.entry }).unwrap_or_default();
                note(&mut line, &self.port, &mut boards);
            }
        }
        Ok(begun.then(|| std::mem::take(writer.output_mut())))
    }

    fn writer(&self, note: &str) -> Result<Writer<Vec<u8>>, CaptureError> {
        let mut header: Header = self.reader(&self.text)?.header().clone();
        header.insert("note".to_owned(), format!("cut out of {}, {note}", self.name));
        Writer::new(&self.name, Vec::new(), &header)
    }
}

/// Returns when the last whole record of a capture was written, on its timeline.
fn end(text: &[u8]) -> Timestamp {
    let time = |line: &[u8]| Timestamp::from_ascii(line.split(|byte| *byte == b' ').next()?).ok();
    // Behind the last line end comes nothing, or a line that is being written.
    text.rsplit(|byte| *byte == b'\n').skip(1).find_map(time).unwrap_or(Timestamp::ZERO)
}

fn note(line: &mut Line, port: &Arc<str>, boards: &mut Boards) {
    while let Some(output) = line.poll_output() {
        if let Output::Event(event) = output {
            view::apply(boards, port, &event, jiff::Timestamp::UNIX_EPOCH, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> CaptureSource {
        let (config, name, text) = (Arc::new(Config::default()), "t".to_owned(), text.into());
        CaptureSource { config, port: "p".into(), board: "p".into(), name, text, first_game: 1 }
    }

    #[test]
    fn what_is_asked_of_the_far_future_is_answered_at_once() {
        // A board that is asked again and again: up to the year 9999 that would take hours.
        let source =
            source("# dgt-capture 1\n# started: 2026-11-29T00:00:00Z\n0.000000 ! open p\n0.010000 > 42\n");
        let mut far: Vec<Timestamp> =
            ["999999999999", "18446744073709"].map(|text| text.parse().unwrap()).into();
        far.push(source.timestamp("9999-12-30T22:00:00Z".parse().unwrap()));
        for at in far {
            assert!(source.all_events(Span { from: at, to: at }, 1).unwrap().is_empty(), "{at}");
        }
    }

    #[test]
    fn a_capture_ends_with_its_last_whole_record() {
        for (text, expected) in
            [("", 0.0), ("# a\n", 0.0), ("# a\n1.5 > 42\n", 1.5), ("1.5 > 42\n7.0 > 4", 1.5)]
        {
            let expected = Timestamp::ZERO + Duration::from_secs_f64(expected);
            assert_eq!(end(text.as_bytes()), expected, "{text}");
        }
    }
}
