//! Keeps lines of a capture that are not in the format as remarks, so that what stands behind them can be read.

use std::time::Duration;

use super::reader::{LONGEST, MOST_BACK, time_of};
use crate::time::Timestamp;

/// What a line that is left out begins with from then on.
const REMARK: &[u8] = b"# not in the format: ";

/// Turns lines that are not in the format, or whose time is not between those around them, into remarks; returns the
/// new text and the numbers of those lines, from 1. A last line without its end is left as it is.
#[must_use]
pub fn mend(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut bad = Vec::new();
    // The last two good lines.
    let (mut before, mut last) = (Timestamp::ZERO, (0, Timestamp::ZERO));
    for (number, line) in (1..).zip(&lines) {
        let Some(line) = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line)) else {
            continue;
        };
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let Some(at) = time_of(line).filter(|_| line.len() < LONGEST) else {
            bad.push(number);
            continue;
        };
        let back = |from: Timestamp| -> Duration { from.since(at) };
        if back(last.1) <= MOST_BACK {
            (before, last) = (last.1, (number, at.max(last.1)));
        } else if back(before) <= MOST_BACK {
            // The line before this one is the one that is alone with its time.
            bad.push(last.0);
            last = (number, at.max(before));
        } else {
            bad.push(number);
        }
    }
    bad.sort_unstable();
    let mut mended = Vec::with_capacity(text.len());
    for (number, line) in (1..).zip(lines) {
        if bad.binary_search(&number).is_ok() {
            mended.extend_from_slice(REMARK);
        }
        mended.extend_from_slice(line);
    }
    (mended, bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], bad: &[usize]) {
        let text = format!("# dgt-capture 1\n{}\n", lines.join("\n"));
        let (mended, found) = mend(text.as_bytes());
        assert_eq!(found, bad);
        let mut reader = super::super::Reader::new("a", mended.as_slice()).unwrap();
        let mut records = 0;
        while reader.next_record().unwrap().is_some() {
            records += 1;
        }
        assert_eq!(records, lines.len() - bad.len());
        for line in lines {
            assert!(String::from_utf8_lossy(&mended).contains(line), "{line}: nothing is thrown away");
        }
    }

    #[test]
    fn bad_lines_become_remarks_and_the_rest_is_read() {
        check(&["0.0 ! open a", "1.0 < 8e", "2.0 > 42"], &[]);
        check(&["0.0 ! open a", "1.0 ? 8e", "2.0 > 42"], &[3]);
        check(&["garbage", "1.0 < 8", "\u{0}\u{0}\u{0}", "2.0 > 42", "3.0 @ {}"], &[2, 3, 4]);
    }

    #[test]
    fn the_line_that_is_alone_with_its_time_is_the_bad_one() {
        check(&["1.0 < 8e", "2.0 < 8e", "9002.0 < 8e", "3.0 < 8e", "4.0 < 8e"], &[4]);
        check(&["1.0 < 8e", "2.0 < 8e", "0.3 < 8e", "3.0 < 8e", "4.0 < 8e"], &[4]);
        check(&["9.0 < 8e", "2.0 < 8e", "3.0 < 8e"], &[2]);
    }
}
