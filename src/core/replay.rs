//! Owns the replay of captures through the code that runs live.
//!
//! It says one thing more than the daemon did: a board that went with the program, and not by itself, is an alert here in any case, and
//! live only if it has not come back some seconds after the restart. The daemon holds that alert back (`src/port/session/outputs.rs`);
//! numbers and all other events are the same.

use std::{io::BufRead, sync::Arc, time::Duration};

use crate::{
    capture::{CaptureError, Entry, Header, Reader, Record},
    event::Event,
    line::{Line, Link, Output},
    order::Order,
    rules::unwinnable,
    settings::{LineSettings, check_addressee},
    time::Timestamp,
};

/// Header line of a capture that holds the answers of all searches; in any other capture the replay searches itself.
pub const ANSWERS: (&str, &str) = ("answers", "recorded");

/// Header line of a capture of a line with several boards: their serial numbers.
pub const BUS: &str = "bus";

/// Header line with the number of the game that a capture begins with; without it that is the first.
pub const GAME: &str = "game";

/// How far a replay goes on after the last line of a capture.
pub const GRACE: Duration = Duration::from_secs(3);

/// What a replay met besides events.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Remarks {
    /// Orders that were refused, with line number and reason.
    pub refused: Vec<(u64, String)>,
    /// The last line was torn and is missing.
    pub torn: bool,
    /// Lines that were a little out of order.
    pub disorder: u64,
    /// Bytes from the board that belong to no message.
    pub damaged: u64,
}

/// Replays a capture up to `until`, giving every event to `sink`.
///
/// What the line wants to send is dropped: the capture holds what was sent.
///
/// # Errors
///
/// Returns an error if the capture cannot be read; events up to the bad line have been given out.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use jadoube_core::{capture::Reader, replay::replay, settings::LineSettings, time::Timestamp};
///
/// let capture = b"# dgt-capture 1\n0.000000 ! open tcp://10.0.0.2:4001\n";
/// let mut reader = Reader::new("example", &capture[..])?;
/// let mut kinds = Vec::new();
/// let remarks = replay(&mut reader, Arc::new(LineSettings::default()), Timestamp::MAX, |event| {
///     kinds.push(event.kind.name());
/// })?;
/// assert!(kinds.contains(&"link") && !remarks.torn);
/// # Ok::<(), jadoube_core::capture::CaptureError>(())
/// ```
pub fn replay<R: BufRead>(
    reader: &mut Reader<R>,
    settings: Arc<LineSettings>,
    until: Timestamp,
    sink: impl FnMut(Event),
) -> Result<Remarks, CaptureError> {
    let game = first_game(reader.header());
    replay_from(reader, settings, game, until, sink)
}

/// Does the same for a capture whose first game has the number `first_game`.
///
/// # Errors
///
/// Returns an error if the capture cannot be read; events up to the bad line have been given out.
pub fn replay_from<R: BufRead>(
    reader: &mut Reader<R>,
    settings: Arc<LineSettings>,
    first_game: u32,
    until: Timestamp,
    sink: impl FnMut(Event),
) -> Result<Remarks, CaptureError> {
    let header = reader.header();
    let port = port(header);
    let searches = header.get(ANSWERS.0).is_none_or(|value| value != ANSWERS.1);
    let mut playback = Playback { line: line(header, settings, port, first_game), searches, sink };
    let mut remarks = Remarks::default();
    let mut end = Timestamp::ZERO;
    while let Some(record) = reader.next_record()?.filter(|record| record.at <= until) {
        end = record.at;
        playback.advance(end);
        let outcome = feed(&mut playback.line, record);
        playback.drain(end);
        if let Err(reason) = outcome {
            remarks.refused.push((reader.line_number(), reason));
        }
    }
    // The last thing that happened has its consequences, too.
    let end = if until == Timestamp::MAX { end + GRACE } else { until };
    playback.advance(end);
    playback.line.finish(end);
    playback.drain(end);
    remarks.damaged = playback.line.damaged();
    remarks.torn = reader.torn();
    remarks.disorder = reader.disorder();
    Ok(remarks)
}

/// Returns the number of the game that a capture with this header begins with.
#[must_use]
pub fn first_game(header: &Header) -> u32 {
    header.get(GAME).and_then(|game| game.parse().ok()).unwrap_or(1)
}

/// Returns the port that a capture with this header was recorded on.
#[must_use]
pub fn port(header: &Header) -> &str {
    header.get("port").map_or("replay", String::as_str)
}

/// Makes the line that a capture with this header is of.
#[must_use]
pub fn line(header: &Header, settings: Arc<LineSettings>, port: &str, first_game: u32) -> Line {
    let serials =
        header.get(BUS).map(|serials| serials.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    match serials {
        Some(serials) => Line::on_bus(settings, port, first_game, &serials),
        None => Line::new(settings, port, first_game),
    }
}

/// Gives one record of a capture to a line, as the port did when it was recorded.
///
/// # Errors
///
/// Returns the reason if the record is an order that is refused.
pub fn feed(line: &mut Line, record: Record<'_>) -> Result<(), String> {
    match record.entry {
        Entry::Open(port) => line.handle_link(Link::Up(port), record.at),
        Entry::Close(reason) => line.handle_link(Link::Down(reason), record.at),
        Entry::Sent(bytes) => line.handle_sent(bytes, record.at),
        Entry::Received(bytes) => line.handle_bytes(bytes, record.at),
        Entry::Order(json) => {
            let order = Order::parse(json).map_err(|error| error.to_string())?;
            let board = Order::addressee(json);
            // Of several boards the line finds the one.
            if let (false, [only]) = (line.is_bus(), line.boards().as_slice()) {
                check_addressee(board.as_deref(), only.id())?;
            }
            line.handle_order_for(board.as_deref(), &order, record.at).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// A line that is played back.
struct Playback<S> {
    line: Line,
    searches: bool,
    sink: S,
}

impl<S: FnMut(Event)> Playback<S> {
    /// Lets everything happen that is due by `now`, each at its own instant, so that a question that comes up on the
    /// way is answered at its instant, too.
    fn advance(&mut self, now: Timestamp) {
        while let Some((at, _)) = self.line.poll_timeout().filter(|(at, _)| *at <= now) {
            self.line.handle_timeout(at);
            self.drain(at);
        }
    }

    fn drain(&mut self, now: Timestamp) {
        while let Some(output) = self.line.poll_output() {
            match output {
                Output::Event(event) => (self.sink)(event),
                // A replay has all the time there is.
                Output::Question(question) if self.searches => {
                    let mate = unwinnable::verdict(&question.position, question.winner);
                    let answer = Order::Answer { alert: question.alert, mate };
                    // No answer is refused: one that nobody waits for changes nothing.
                    self.line.handle_order(&answer, now).unwrap_or_default();
                }
                Output::Question(_) | Output::Send(_) => {}
            }
        }
    }
}
