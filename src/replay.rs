//! Owns the replay of captures through the code that runs live.

use std::{io::BufRead, sync::Arc, time::Duration};

use crate::{
    capture::{CaptureError, Entry, Reader, Record},
    config::Config,
    event::Event,
    line::{Line, Link, Output},
    order::Order,
    rules::unwinnable,
    time::Timestamp,
};

/// How far a replay goes on after the last line of a capture.
const GRACE: Duration = Duration::from_secs(3);

/// What a replay met besides events.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Remarks {
    /// Orders that were refused, with line number and reason.
    pub refused: Vec<(u64, String)>,
    /// The last line was torn and is missing.
    pub torn: bool,
    /// Lines that were a little out of order.
    pub disorder: u64,
}

/// Replays a capture up to `until`, giving every event to `sink`.
///
/// What the line wants to send is dropped: the capture holds what was sent.
///
/// # Errors
///
/// Returns an error if the capture cannot be read; events up to the bad line have been given out.
pub fn replay<R: BufRead>(
    reader: &mut Reader<R>,
    config: Arc<Config>,
    until: Timestamp,
    mut sink: impl FnMut(Event),
) -> Result<Remarks, CaptureError> {
    let port = reader.header().get("port").cloned().unwrap_or_else(|| "replay".to_owned());
    let mut line = Line::new(config, &port, 1);
    let mut remarks = Remarks::default();
    let mut end = Timestamp::ZERO;
    loop {
        let number = reader.line_number();
        let Some(record) = reader.next_record()?.filter(|record| record.at <= until) else { break };
        end = record.at;
        if let Err(reason) = feed(&mut line, record) {
            remarks.refused.push((number, reason));
        }
        drain(&mut line, end, &mut sink);
    }
    // The last thing that happened has its consequences, too.
    let end = if until == Timestamp::MAX { end + GRACE } else { until };
    line.finish(end);
    drain(&mut line, end, &mut sink);
    remarks.torn = reader.torn();
    remarks.disorder = reader.disorder();
    Ok(remarks)
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
            line.handle_order(&order, record.at).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Questions are answered at once: a replay has all the time there is.
fn drain(line: &mut Line, now: Timestamp, sink: &mut impl FnMut(Event)) {
    while let Some(output) = line.poll_output() {
        match output {
            Output::Event(event) => sink(event),
            Output::Question(question) => {
                let answer = unwinnable::verdict(&question.position, question.winner);
                line.handle_answer(&question.alert, answer, now);
            }
            Output::Send(_) => {}
        }
    }
}
