//! Keeps lines of a capture that are not in the format as remarks, so that what stands behind them can be read.

use super::{
    MAGIC,
    reader::{LONGEST, MOST_BACK, time_of},
};
use crate::time::Timestamp;

/// What a line that is left out begins with from then on.
pub(super) const REMARK: &[u8] = b"# not in the format: ";

/// First line of captures of all versions, up to the version.
const FORMAT: &[u8] = b"# dgt-capture ";

/// Longest part of a line that is left out: a reader takes no line longer than [`LONGEST`], a remark neither.
const PART: usize = LONGEST / 2;

/// Turns lines that are not in the format, or whose time is not between those around them, into remarks; returns the
/// new text and the numbers of those lines, from 1. A last line without its end is left as it is.
///
/// The result has the first line of a capture, whatever the text begins with.
#[must_use]
pub fn mend(text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut bad = Vec::new();
    let mut timed = Vec::new();
    for (number, line) in (1..).zip(&lines) {
        let Some(line) = whole(line) else { continue };
        if number == 1 && line == MAGIC.as_bytes() {
            continue;
        }
        let is_short = line.len() < LONGEST;
        match time_of(line).filter(|_| is_short) {
            Some(at) => timed.push((number, at)),
            // A first line is never a remark: it is where the format stands.
            None if is_short && number > 1 && (line.is_empty() || line.starts_with(b"#")) => {}
            None => bad.push(number),
        }
    }
    bad.extend(out_of_order(&timed));
    bad.sort_unstable();
    let mut mended = Vec::with_capacity(text.len());
    if lines.first().and_then(|line| whole(line)) != Some(MAGIC.as_bytes()) {
        mended.extend_from_slice(MAGIC.as_bytes());
        mended.push(b'\n');
    }
    for (number, line) in (1..).zip(lines) {
        if bad.binary_search(&number).is_ok() {
            leave_out(line, &mut mended);
        } else {
            mended.extend_from_slice(line);
        }
    }
    (mended, bad)
}

/// Returns whether a text is a damaged capture: it has records, and is in no other format.
#[must_use]
pub fn is_mendable(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').filter_map(whole).peekable();
    let is_other = |first: &&[u8]| {
        let version = first.strip_prefix(FORMAT).unwrap_or_default();
        !version.is_empty() && version.iter().all(u8::is_ascii_digit) && *first != MAGIC.as_bytes()
    };
    !lines.peek().is_some_and(is_other) && lines.any(|line| time_of(line).is_some())
}

/// Returns a line without its end, unless it has none.
fn whole(line: &[u8]) -> Option<&[u8]> {
    line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Writes a line as a remark, or as several.
fn leave_out(line: &[u8], mended: &mut Vec<u8>) {
    let mut parts = line.chunks(PART).peekable();
    while let Some(part) = parts.next() {
        mended.extend_from_slice(REMARK);
        mended.extend_from_slice(part);
        if parts.peek().is_some() {
            mended.push(b'\n');
        }
    }
}

/// Returns the lines whose times are not between those of the others: as few as can be, since most lines of a capture are
/// right, and a time that is too late by mistake must not take what comes behind it along.
fn out_of_order(timed: &[(usize, Timestamp)]) -> Vec<usize> {
    let kept = longest_ascending(timed);
    let mut bad = Vec::new();
    let mut last = Timestamp::ZERO;
    let mut ahead = kept.iter().copied().peekable();
    for (index, (number, at)) in timed.iter().enumerate() {
        // Those kept are in order among themselves, also with what is a little too late between them.
        let is_kept = ahead.next_if_eq(&index).is_some();
        let next = ahead.peek().and_then(|next| timed.get(*next));
        let is_little =
            last.since(*at) <= MOST_BACK && next.is_none_or(|(_, next)| at.since(*next) <= MOST_BACK);
        if is_kept || is_little {
            last = last.max(*at);
        } else {
            bad.push(*number);
        }
    }
    bad
}

/// Returns where the longest run of times that do not go back has its members, others between them left out.
fn longest_ascending(timed: &[(usize, Timestamp)]) -> Vec<usize> {
    // For each length, where the run of it ends that ends earliest; for each time, what comes before it in its run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(timed.len());
    let time = |index: usize| timed.get(index).map(|(_, at)| *at);
    for (index, (_, at)) in timed.iter().enumerate() {
        let length = ends.partition_point(|end| time(*end) <= Some(*at));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        run.push(index);
        next = before.get(index).copied().flatten();
    }
    run.reverse();
    run
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
    fn a_line_of_any_length_is_left_out() {
        let long = "x".repeat(3 * LONGEST);
        for long in [long.clone(), format!("# {long}")] {
            let (mended, bad) = mend(format!("# dgt-capture 1\n1.0 < 8e\n{long}\n2.0 > 42\n").as_bytes());
            assert_eq!(bad, [3]);
            let mut reader = super::super::Reader::new("a", mended.as_slice()).unwrap();
            let mut records = 0;
            while reader.next_record().unwrap().is_some() {
                records += 1;
            }
            assert_eq!(records, 2);
            let kept = String::from_utf8(mended).unwrap();
            assert!(kept.replace("\n# not in the format: ", "").contains(&long), "nothing is thrown away");
        }
    }

    #[test]
    fn a_first_line_is_put_before_a_text_that_has_lost_it() {
        let mended = |text: &str| {
            is_mendable(text.as_bytes()).then(|| String::from_utf8(mend(text.as_bytes()).0).unwrap())
        };
        let rest = "# port: a\n1.0 < 8e\n";
        let with = |before: &str| Some(format!("# dgt-capture 1\n{before}{rest}"));
        assert_eq!(mended(&format!("# dgt-capture 1\n{rest}")), with(""));
        assert_eq!(mended(&format!("\0\0\0\n{rest}")), with("# not in the format: \0\0\0\n"));
        assert_eq!(mended(&format!("# dgt-capt\n{rest}")), with("# not in the format: # dgt-capt\n"));
        assert_eq!(mended("1.0 < 8e\n"), Some("# dgt-capture 1\n1.0 < 8e\n".to_owned()));
        assert_eq!(mended(&format!("# dgt-capture 2\n{rest}")), None, "it is of a later version");
        assert_eq!(mended("\0\0\0"), None, "power has failed when it was begun");
        assert_eq!(mended("# note: a\n1.0 < 8"), None);
        assert_eq!(mended(""), None);
    }

    #[test]
    fn the_line_that_is_alone_with_its_time_is_the_bad_one() {
        check(&["1.0 < 8e", "2.0 < 8e", "9002.0 < 8e", "3.0 < 8e", "4.0 < 8e"], &[4]);
        check(&["1.0 < 8e", "2.0 < 8e", "0.3 < 8e", "3.0 < 8e", "4.0 < 8e"], &[4]);
        check(&["9.0 < 8e", "2.0 < 8e", "3.0 < 8e"], &[2]);
        check(&["1.0 < 8e", "9002.0 < 8e", "9003.0 < 8e", "3.0 < 8e", "4.0 < 8e", "5.0 > 42"], &[3, 4]);
        check(&["7.0 < 8e", "6.0 < 8e", "3.0 < 8e", "3.0 < 8e", "5.0 > 42"], &[2, 3]);
    }

    #[test]
    fn lines_a_little_out_of_order_are_kept() {
        check(&["1.0 < 8e", "1.09 < 8e", "1.02 < 8e", "0.995 < 8e", "2.0 < 8e", "0.5 > 42"], &[7]);
        check(
            &["1.0 < 8e", "1.09 < 8e", "1.0 < 8e", "0.98 < 8e", "9.0 < 8e", "2.0 < 8e", "3.0 > 42"],
            &[5, 6],
        );
    }
}
