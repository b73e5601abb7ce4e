//! Turns logs of a serial proxy into captures: `TIME BRD>APP hex` and `TIME APP>BRD hex`, the time in seconds.

use std::{io::Write, time::Duration};

use super::{CaptureError, Entry, Header, Writer};
use crate::time::Timestamp;

/// What separates a direction: from the board to the program, and back.
const DIRECTIONS: [(&str, bool); 2] = [("BRD>APP", true), ("APP>BRD", false)];

/// One line of a log.
struct Line {
    at: Timestamp,
    received: bool,
    bytes: Vec<u8>,
}

/// Returns whether a text is such a log, by its first line that is no comment.
pub(super) fn is_log(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.split_whitespace().nth(1).is_some_and(|word| direction(word).is_some()))
}

/// Reads a log and writes it as a capture; returns the number of its lines.
pub(super) fn import(name: &str, text: &str, output: impl Write) -> Result<usize, CaptureError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            lines.push(read(line).map_err(|reason| CaptureError::of_line(name, number, reason))?);
        }
    }
    let remark = text.lines().find_map(|line| line.trim().strip_prefix('#')).unwrap_or_default().trim();
    let note = if remark.is_empty() {
        format!("imported from {name}")
    } else {
        format!("imported from {name}, {remark}")
    };
    let port = remark.split_whitespace().find_map(|word| word.strip_prefix("board=")).unwrap_or("proxy");
    let header = [("note".to_owned(), note), ("port".to_owned(), port.to_owned())];
    let mut writer = Writer::new(name, output, &Header::from(header))?;
    writer.write(Timestamp::ZERO, Entry::Open(port))?;
    for line in &lines {
        let bytes = line.bytes.as_slice();
        writer.write(line.at, if line.received { Entry::Received(bytes) } else { Entry::Sent(bytes) })?;
    }
    Ok(lines.len())
}

fn direction(word: &str) -> Option<bool> {
    DIRECTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, received)| *received)
}

fn read(line: &str) -> Result<Line, String> {
    let wanted = || "expected 'SECONDS BRD>APP HEX' or 'SECONDS APP>BRD HEX'".to_owned();
    let mut words = line.split_whitespace();
    let (time, way) = (words.next().ok_or_else(wanted)?, words.next().ok_or_else(wanted)?);
    let received = direction(way).ok_or_else(wanted)?;
    let seconds: f64 = time.parse().map_err(|_| format!("'{time}' is no number of seconds"))?;
    let since =
        Duration::try_from_secs_f64(seconds).map_err(|_| format!("'{time}' is no number of seconds"))?;
    let at = Timestamp::ZERO + since;
    let byte = |word: &str| u8::from_str_radix(word, 16).map_err(|_| format!("'{word}' is no hex byte"));
    let bytes = words.map(byte).collect::<Result<Vec<u8>, String>>()?;
    if bytes.is_empty() {
        return Err(wanted());
    }
    Ok(Line { at, received, bytes })
}
