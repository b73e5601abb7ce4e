//! Reads captures, line by line, without holding more than one line.

use std::{fmt::Display, io::BufRead, time::Duration};

use super::{CaptureError, Entry, Header, MAGIC, Record};
use crate::time::Timestamp;

/// Longest line that is read: a read of 16 KiB as hex has a third of this.
pub(super) const LONGEST: usize = 1 << 18;

/// Most bytes of a read that is as nearly all are: adapters hand on 62 of a longer message at a time.
const SHORT: usize = 64;

/// Lines that two writers appended may be out of order by this much; more is no capture of one line.
pub(super) const MOST_BACK: Duration = Duration::from_millis(100);

/// No capture is as long: a later time is damage, and following the clock up to it could take hours.
const LATEST: Timestamp = Timestamp::from_micros(366 * 24 * 3600 * 1_000_000);

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads one capture.
///
/// ```
/// use jadoube_core::capture::{Entry, Reader};
///
/// let text = b"# dgt-capture 1\n# port: a\n0.500000 < 8e 00 05 34 00\n";
/// let mut reader = Reader::new("example", &text[..])?;
/// assert_eq!(reader.header()["port"], "a");
/// let record = reader.next_record()?.unwrap();
/// assert_eq!(record.entry, Entry::Received(&[0x8e, 0x00, 0x05, 0x34, 0x00]));
/// # Ok::<(), jadoube_core::capture::CaptureError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    name: String,
    input: R,
    header: Header,
    line: Vec<u8>,
    bytes: Vec<u8>,
    /// The bytes of a line that is as nearly all are.
    short: [u8; SHORT],
    number: u64,
    times: Times,
    pending: bool,
    torn: bool,
}

/// The times of the lines read, which only go on.
#[derive(Debug, Default)]
struct Times {
    last: Timestamp,
    disorder: u64,
}

impl Times {
    /// Handles the time of the next line; returns the time that counts, or the reason why there is none.
    fn next(&mut self, at: Timestamp) -> Result<Timestamp, String> {
        if self.last.since(at) > MOST_BACK {
            return Err(format!("time goes back from {} to {at}", self.last));
        }
        self.disorder += u64::from(at < self.last);
        self.last = self.last.max(at);
        Ok(self.last)
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// Returns an error if the first line is not `# dgt-capture 1` or the input cannot be read.
    pub fn new(name: impl Into<String>, input: R) -> Result<Self, CaptureError> {
        let mut reader = Self {
            name: name.into(),
            input,
            header: Header::new(),
            line: Vec::new(),
            bytes: Vec::new(),
            short: [0; SHORT],
            number: 0,
            times: Times::default(),
            pending: false,
            torn: false,
        };
        let begins = reader.advance()?;
        let first = reader.line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&reader.line);
        if !begins || first != MAGIC.as_bytes() {
            reader.number = 1;
            return Err(reader.error(format!("a capture begins with the line '{MAGIC}'")));
        }
        reader.read_header()?;
        Ok(reader)
    }

    fn read_header(&mut self) -> Result<(), CaptureError> {
        while self.advance()? {
            if let Some(line) = self.line.strip_prefix(b"#") {
                if let Ok(line) = std::str::from_utf8(line)
                    && let Some((key, value)) = line.split_once(':')
                {
                    self.header.insert(key.trim().to_lowercase(), value.trim().to_owned());
                }
            } else if !self.line.is_empty() {
                self.pending = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the header lines, keys in lower case.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the name that errors carry.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reports, at the end, whether the last line was torn and is missing.
    #[must_use]
    pub const fn torn(&self) -> bool {
        self.torn
    }

    /// Returns how many lines were a little earlier than the line before them, and were taken as simultaneous.
    #[must_use]
    pub const fn disorder(&self) -> u64 {
        self.times.disorder
    }

    /// Returns the number of the line read last, from 1.
    #[must_use]
    pub const fn line_number(&self) -> u64 {
        self.number
    }

    /// Reads the next record, `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error with file, line and reason if a line other than a torn last one is not in the format.
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, CaptureError> {
        // Nearly every line lies whole in what has been read, and is as captures are written.
        if !self.pending
            && let Ok(buffer) = self.input.fill_buf()
            && let Some(Plain { at, is_received, count, length }) = parse_plain(buffer, &mut self.short)
        {
            self.input.consume(length);
            self.number += 1;
            let at = self.times.next(at).map_err(|reason| self.error(reason))?;
            let bytes = self.short.get(..count).unwrap_or_default();
            let entry = if is_received { Entry::Received(bytes) } else { Entry::Sent(bytes) };
            return Ok(Some(Record { at, entry }));
        }
        loop {
            if !self.pending && !self.advance()? {
                return Ok(None);
            }
            self.pending = false;
            if !self.line.is_empty() && !self.line.starts_with(b"#") {
                break;
            }
        }
        let (at, kind, text) = match parse(&self.line, &mut self.bytes) {
            Ok(parts) => parts,
            Err(reason) => return Err(self.error(reason)),
        };
        let at = self.times.next(at).map_err(|reason| self.error(reason))?;
        let entry = match kind {
            EntryKind::Open => Entry::Open(text),
            EntryKind::Close => Entry::Close(text),
            EntryKind::Sent => Entry::Sent(&self.bytes),
            EntryKind::Received => Entry::Received(&self.bytes),
            EntryKind::Order => Entry::Order(text),
        };
        Ok(Some(Record { at, entry }))
    }

    /// Moves to the next whole line; a last line without its end is torn and does not count.
    fn advance(&mut self) -> Result<bool, CaptureError> {
        self.line.clear();
        let read = read_line(&mut self.input, &mut self.line)
            .map_err(|source| CaptureError::Io { name: self.name.clone(), source })?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
            return Ok(true);
        }
        if self.line.len() >= LONGEST {
            return Err(self.error(format!("line is longer than {LONGEST} bytes")));
        }
        self.torn = true;
        self.line.clear();
        Ok(false)
    }

    fn error(&self, reason: impl Into<String>) -> CaptureError {
        CaptureError::Line { name: self.name.clone(), line: self.number, reason: reason.into() }
    }
}

fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    use std::io::Read;
    // Nearly every line lies whole in what has been read.
    if let Ok(buffer) = input.fill_buf()
        && let Some(end) = memchr::memchr(b'\n', buffer).filter(|end| *end < LONGEST)
        && let Some(whole) = buffer.get(..=end)
    {
        line.extend_from_slice(whole);
        input.consume(end + 1);
        return Ok(end + 1);
    }
    let limit = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    input.by_ref().take(limit).read_until(b'\n', line)
}

/// Returns the time of a line that is in the format.
pub(super) fn time_of(line: &[u8]) -> Option<Timestamp> {
    parse(line, &mut Vec::new()).ok().map(|(at, _, _)| at)
}

/// Returns the time of a line that is in the format, and whether it is a link that comes up.
pub(super) fn record_of(line: &[u8]) -> Option<(Timestamp, bool)> {
    parse(line, &mut Vec::new()).ok().map(|(at, kind, _)| (at, matches!(kind, EntryKind::Open)))
}

enum EntryKind {
    Open,
    Close,
    Sent,
    Received,
    Order,
}

/// A record of bytes as captures are written: it takes one look at each.
struct Plain {
    at: Timestamp,
    is_received: bool,
    /// How many bytes it has.
    count: usize,
    /// How long the line is, with its end.
    length: usize,
}

/// Reads a record off the front of a text; its bytes go to the front of `bytes`.
///
/// Returns `None` for all that is not as captures are written, for more bytes than there is room for, and for a line whose end
/// is not in the text.
#[inline(never)]
fn parse_plain(text: &[u8], bytes: &mut [u8; SHORT]) -> Option<Plain> {
    let (at, rest) = Timestamp::split_off(text)?;
    let ([kind @ (b'<' | b'>'), b' '], data) = rest.split_first_chunk()? else { return None };
    let mut digits = 0;
    let (threes, _) = data.as_chunks::<3>();
    for (index, ([high, low, end], byte)) in threes.iter().zip(bytes).enumerate() {
        let (high, low) = (nibble(*high), nibble(*low));
        digits |= high | low;
        *byte = high << 4 | low;
        if *end != b' ' {
            let count = index + 1;
            let length = text.len() - data.len() + 3 * count;
            let is_plain = *end == b'\n' && digits <= 0xF;
            return is_plain.then_some(Plain { at, is_received: *kind == b'<', count, length });
        }
    }
    None
}

/// Splits a line into time, kind and text; hex bytes go to `bytes`.
fn parse<'a>(line: &'a [u8], bytes: &mut Vec<u8>) -> Result<(Timestamp, EntryKind, &'a str), String> {
    bytes.clear();
    let (at, rest) = if let Some(split) = Timestamp::split_off(line) {
        split
    } else {
        let (time, rest) = split_once(line).ok_or("expected 'seconds kind data'")?;
        let wrong = |reason: &dyn Display| format!("time '{}': {reason}", String::from_utf8_lossy(time));
        let at = Timestamp::from_ascii(time).map_err(|error| wrong(&error))?;
        if at > LATEST {
            return Err(wrong(&"more than a year after the capture began"));
        }
        (at, rest)
    };
    let (kind, text) = split_once(rest).unwrap_or((rest, b""));
    // Nearly all lines are of this kind.
    if let [kind @ (b'<' | b'>')] = kind {
        hex(text, bytes)?;
        return Ok((at, if *kind == b'<' { EntryKind::Received } else { EntryKind::Sent }, ""));
    }
    let utf8 = |text| std::str::from_utf8(text).map_err(|_| "not UTF-8".to_owned());
    let (kind, text) = (utf8(kind)?, utf8(text)?);
    match kind {
        "@" => Ok((at, EntryKind::Order, text)),
        "!" => match text.split_once(' ').unwrap_or((text, "")) {
            ("open", port) => Ok((at, EntryKind::Open, port)),
            ("close", reason) => Ok((at, EntryKind::Close, reason)),
            (other, _) => Err(format!("link event '{other}': expected open or close")),
        },
        other => Err(format!("kind '{other}': expected one of < > ! @")),
    }
}

/// Splits at the first space.
fn split_once(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, tail) = text.split_at_checked(text.iter().position(|byte| *byte == b' ')?)?;
    Some((head, tail.split_first()?.1))
}

fn hex(text: &[u8], bytes: &mut Vec<u8>) -> Result<(), String> {
    bytes.reserve(text.len() / 3 + 1);
    // As captures are written: two digits and one space after each byte but the last.
    if let (threes, [high, low]) = text.as_chunks::<3>() {
        let mut odd = 0;
        let mut byte = |high, low, space: u8| {
            let (high, low) = (nibble(high), nibble(low));
            odd |= (high | low) & 0xF0 | space ^ b' ';
            high << 4 | low
        };
        bytes.extend(threes.iter().map(|[high, low, space]| byte(*high, *low, *space)));
        bytes.push(byte(*high, *low, b' '));
        if odd == 0 {
            return Ok(());
        }
        bytes.clear();
    }
    hex_of_people(text, bytes)
}

/// Reads hex bytes as people write them, and finds what is none.
fn hex_of_people(mut text: &[u8], bytes: &mut Vec<u8>) -> Result<(), String> {
    loop {
        text = match text {
            [] => break,
            [b' ', rest @ ..] => rest,
            [high, low, rest @ ..]
                if let Some(byte) = hex_byte(*high, *low)
                    && rest.first().is_none_or(|byte| *byte == b' ') =>
            {
                bytes.push(byte);
                // The space is known.
                rest.get(1..).unwrap_or_default()
            }
            _ => {
                let token = split_once(text).map_or(text, |(token, _)| token);
                return Err(format!("'{}' is no hex byte", String::from_utf8_lossy(token)));
            }
        };
    }
    if bytes.is_empty() { Err("no bytes".to_owned()) } else { Ok(()) }
}

/// Returns the byte that two hex digits are.
pub(super) fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let (high, low) = (nibble(high), nibble(low));
    (high | low <= 0xF).then_some(high << 4 | low)
}

/// Returns the value of a hex digit, and of anything else a larger number.
fn nibble(digit: u8) -> u8 {
    const NONE: u8 = 0xFF;
    static DIGITS: [u8; 256] = {
        let mut digits = [NONE; 256];
        let (mut rest, mut byte): (&mut [u8], u8) = (&mut digits, 0);
        while let Some((first, others)) = rest.split_first_mut() {
            *first = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b'A'..=b'F' => byte - b'A' + 10,
                _ => NONE,
            };
            (rest, byte) = (others, byte.wrapping_add(1));
        }
        digits
    };
    DIGITS.get(usize::from(digit)).copied().unwrap_or(NONE)
}
