//! Turns dumps of other tools into captures: those of `socat -x -v`, and logs of a serial proxy (`proxy`).
//!
//! `socat` prints a direction (`>` is from its first address to its second), a local date and time, and the bytes
//! in hex with their text behind two spaces. Which of its addresses was the board it does not say, but the bytes
//! do: only boards send long runs that begin with a message id.

use std::io::Write;

use jiff::civil::DateTime;

use super::{CaptureError, Entry, Header, Writer, proxy};
use crate::time::Timestamp;

/// One block of a dump.
struct Block {
    at: DateTime,
    micros: u64,
    forth: bool,
    bytes: Vec<u8>,
}

/// Reads a dump and writes it as a capture; returns the number of blocks.
///
/// # Errors
///
/// Returns an error with file, line and reason if the text is no such dump, or if the output cannot be written.
pub fn import(name: &str, dump: &str, output: impl Write) -> Result<usize, CaptureError> {
    let dump = dump.trim_start_matches('\u{feff}');
    if proxy::is_log(dump) {
        return proxy::import(name, dump, output);
    }
    let blocks = blocks(name, dump)?;
    let Some(first) = blocks.first() else {
        return Err(CaptureError::of_line(
            name,
            1,
            "no block of a 'socat -x -v' dump, such as '> 2026/01/31 10:00:00.123456  length=1 from=0 to=0', and no line of a proxy's log, such as '0.120000  BRD>APP  86 00 43'",
        ));
    };
    let board_is_first = board_speaks_forth(&blocks);
    let header =
        Header::from([("note".to_owned(), format!("imported from {name}, local start {}", first.at))]);
    let mut writer = Writer::new(name, output, &header)?;
    writer.write(Timestamp::ZERO, Entry::Open("socat"))?;
    for block in &blocks {
        let whole = block.at.duration_since(first.at).as_secs();
        let whole = u64::try_from(whole).unwrap_or(0) * 1_000_000;
        let at = Timestamp::from_micros((whole + block.micros).saturating_sub(first.micros));
        let entry = if block.forth == board_is_first {
            Entry::Received(&block.bytes)
        } else {
            Entry::Sent(&block.bytes)
        };
        writer.write(at, entry)?;
    }
    Ok(blocks.len())
}

fn board_speaks_forth(blocks: &[Block]) -> bool {
    let ids = |forth| {
        let bytes = blocks.iter().filter(|block| block.forth == forth).flat_map(|block| &block.bytes);
        bytes.filter(|byte| matches!(byte, 0x86 | 0x8d | 0x8e | 0x91 | 0x93)).count()
    };
    ids(true) > ids(false)
}

fn blocks(name: &str, dump: &str) -> Result<Vec<Block>, CaptureError> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fractions = Vec::new();
    for (index, line) in dump.lines().enumerate() {
        let number = u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1);
        if let Some(header) = line.strip_prefix("> ").or_else(|| line.strip_prefix("< ")) {
            let (at, fraction) =
                header_time(header).map_err(|reason| CaptureError::of_line(name, number, reason))?;
            fractions.push(fraction);
            blocks.push(Block { at, micros: 0, forth: line.starts_with('>'), bytes: Vec::new() });
        } else if line.starts_with(' ')
            && let Some(block) = blocks.last_mut()
        {
            let row = line.strip_prefix(' ').unwrap_or(line);
            for token in row.split("  ").next().unwrap_or("").split(' ') {
                block.bytes.push(
                    u8::from_str_radix(token, 16).map_err(|_| {
                        CaptureError::of_line(name, number, format!("'{token}' is no hex byte"))
                    })?,
                );
            }
        } else if !line.is_empty() && line != "--" {
            return Err(CaptureError::of_line(
                name,
                number,
                "neither a block's first line nor its bytes, nor 'SECONDS BRD>APP HEX'",
            ));
        }
    }
    // socat 1.7.4 prints microseconds zero-padded to nine digits, as if they were nanoseconds.
    let nanos = fractions.iter().any(|(value, digits)| *digits == 9 && *value >= 1_000_000);
    for (block, (value, digits)) in blocks.iter_mut().zip(fractions) {
        block.micros = if digits == 9 && nanos { value / 1000 } else { value };
    }
    blocks.retain(|block| !block.bytes.is_empty());
    Ok(blocks)
}

/// Reads `2026/11/21 22:20:43.000626  length=2 from=0 to=1`: the second, and the fraction with its digits.
fn header_time(header: &str) -> Result<(DateTime, (u64, usize)), String> {
    let wanted = || "expected 'YYYY/MM/DD HH:MM:SS.ffffff  length=…'".to_owned();
    let (time, _) = header.split_once("  length=").ok_or_else(wanted)?;
    let (second, fraction) = time.split_once('.').ok_or_else(wanted)?;
    let at = DateTime::strptime("%Y/%m/%d %H:%M:%S", second)
        .map_err(|error| format!("time '{second}': {error}"))?;
    let value = fraction.parse().map_err(|_| wanted())?;
    Ok((at, (value, fraction.len())))
}
