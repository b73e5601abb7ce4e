//! Turns logs of a serial proxy into captures: `TIME BRD>APP hex` and `TIME APP>BRD hex`, the time in seconds or as that of the day.

use std::{io::Write, time::Duration};

use super::{CaptureError, Entry, Header, Writer, reader::hex_byte};
use crate::time::Timestamp;

/// What separates a direction: from the board to the program, and back.
const DIRECTIONS: [(&str, bool); 2] = [("BRD>APP", true), ("APP>BRD", false)];

const DAY: Duration = Duration::from_hours(24);

/// When a line was written.
enum Time {
    Since(Timestamp),
    OfDay(Duration),
}

/// What a line says.
struct Read {
    time: Time,
    received: bool,
    bytes: Vec<u8>,
}

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
    let mut lines: Vec<Line> = Vec::new();
    let mut time_before = None;
    let mut rest = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = rest.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = match read(line) {
            Ok(read) => read,
            // The log was cut off within it.
            Err(_) if rest.peek().is_none() && !text.ends_with('\n') => break,
            Err(reason) => return Err(CaptureError::of_line(name, number, reason)),
        };
        let last = lines.last().map_or(Timestamp::ZERO, |last| last.at);
        let at = match read.time {
            // Two directions may be written in another order than that of their times.
            Time::Since(at) => at.max(last),
            Time::OfDay(time) => {
                let before = time_before.replace(time).unwrap_or(time);
                // The first of the next day comes after midnight.
                let since = time.checked_sub(before).unwrap_or_else(|| (time + DAY).saturating_sub(before));
                if since > DAY / 2 { last } else { last + since }
            }
        };
        lines.push(Line { at, received: read.received, bytes: read.bytes });
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

fn read(line: &str) -> Result<Read, String> {
    let wanted = || "expected 'SECONDS BRD>APP HEX' or 'SECONDS APP>BRD HEX'".to_owned();
    let mut words = line.split_whitespace();
    let (time, marker) = (words.next().ok_or_else(wanted)?, words.next().ok_or_else(wanted)?);
    let received = direction(marker).ok_or_else(wanted)?;
    let time =
        read_time(time).ok_or_else(|| format!("'{time}' is no number of seconds and no time of day"))?;
    let mut bytes = Vec::new();
    for word in words {
        let no_byte = || format!("'{word}' is no hex byte");
        for pair in word.as_bytes().chunks(2) {
            let [high, low] = pair else { return Err(no_byte()) };
            bytes.push(hex_byte(*high, *low).ok_or_else(no_byte)?);
        }
    }
    if bytes.is_empty() {
        return Err(wanted());
    }
    Ok(Read { time, received, bytes })
}

/// Reads seconds since the log began, or a time of day such as `10:00:00.125`.
fn read_time(text: &str) -> Option<Time> {
    let duration = |seconds: &str| Duration::try_from_secs_f64(seconds.parse().ok()?).ok();
    let Some((hours, (minutes, seconds))) =
        text.split_once(':').and_then(|(hours, rest)| Some((hours, rest.split_once(':')?)))
    else {
        return Some(Time::Since(Timestamp::ZERO + duration(text)?));
    };
    let whole = |text: &str, below: u64| text.parse().ok().filter(|value: &u64| *value < below);
    let (hours, minutes) = (whole(hours, 24)?, whole(minutes, 60)?);
    let seconds = duration(seconds).filter(|seconds| *seconds < Duration::from_mins(1))?;
    Some(Time::OfDay(Duration::from_secs(hours * 3600 + minutes * 60) + seconds))
}
