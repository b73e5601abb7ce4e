//! Finds the places of a capture where records are missing, and marks one where they were cut away while it was written.

use super::{MAGIC, mend::REMARK, reader::record_of};
use crate::time::Timestamp;

/// Remark in the place of what was cut away.
const CUT: &[u8] = b"# records were cut away here while this capture was written\n";

/// What a record begins with that was written after that and that says nothing without what was cut away.
const BEHIND: &[u8] = b"# behind the cut: ";

/// A place of a capture where records are missing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Hole {
    /// Where in the text they would stand.
    pub at: usize,
    /// Time of the last record before it, if there is any.
    pub after: Option<Timestamp>,
    /// Time of the first record behind it, if there is any.
    pub before: Option<Timestamp>,
    /// Whether that is a link that comes up.
    pub opens: bool,
}

/// Returns where records are missing: lines that are not in the format were made remarks, records were cut away, or the capture
/// does not begin with a link that comes up.
#[must_use]
pub fn holes(text: &[u8]) -> Vec<Hole> {
    let mut holes = Vec::new();
    let (mut last, mut is_open, mut at) = (None, false, 0);
    let time = |line: Option<&[u8]>| record_of(line?).map(|(time, _)| time);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let record = line.trim_ascii_end();
        if line.starts_with(b"#") {
            is_open |= [REMARK, CUT].iter().any(|remark| line.starts_with(remark));
        } else if !record.is_empty() {
            // Beside a hole only, as most captures have none and many records.
            if (is_open || last.is_none())
                && let Some((before, opens)) = record_of(record)
                && (is_open || !opens)
            {
                holes.push(Hole { at, after: time(last), before: Some(before), opens });
            }
            (last, is_open) = (Some(record), false);
        }
        at += line.len();
    }
    if is_open {
        holes.push(Hole { at, after: time(last), before: None, opens: false });
    }
    holes
}

/// Returns the places between two records, and behind the last one, in which something else happened than the records say: nothing
/// marks a place where whole lines were cut away.
pub fn spaces(text: &[u8], is_wanted: impl Fn(Timestamp, Option<Timestamp>) -> bool) -> Vec<Hole> {
    let mut spaces = Vec::new();
    let (mut last, mut at) = (None, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if let Some((before, opens)) = record_of(line.trim_ascii_end()) {
            let after = last.replace(before).filter(|after| is_wanted(*after, Some(before)));
            spaces.extend(after.map(|_| Hole { at, after, before: Some(before), opens }));
        }
        at += line.len();
    }
    let after = last.filter(|after| is_wanted(*after, None));
    spaces.extend(after.map(|_| Hole { at, after, before: None, opens: false }));
    spaces
}

/// Marks in a capture where records were cut away after an instant in which it was whole. Where its head is gone, too, it gets
/// `head`, and what was written since is kept as remarks: of which board it is stood before.
#[must_use]
pub fn mark_cut(text: &[u8], head: &[u8], since: Timestamp) -> Vec<u8> {
    let mut marked = Vec::with_capacity(head.len() + text.len() + CUT.len());
    if !text.starts_with(MAGIC.as_bytes()) {
        marked.extend_from_slice(head);
        marked.extend_from_slice(CUT);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            marked.extend_from_slice(BEHIND);
            marked.extend_from_slice(line);
        }
        return marked;
    }
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let is_before = |line: &&[u8]| record_of(line.trim_ascii_end()).is_none_or(|(time, _)| time < since);
    let place = lines.by_ref().take_while(is_before).map(<[u8]>::len).sum();
    let (before, behind) = text.split_at_checked(place).unwrap_or((text, &[]));
    marked.extend_from_slice(before);
    marked.extend_from_slice(CUT);
    marked.extend_from_slice(behind);
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Reader, mend};

    const HEAD: &str = "# dgt-capture 1\n# port: a\n";

    fn micros(seconds: u64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[track_caller]
    fn check(text: &str, expected: &[(Option<u64>, Option<u64>, &str)]) {
        let found = holes(text.as_bytes());
        let found: Vec<_> = found.iter().map(|hole| (hole.after, hole.before, &text[hole.at..])).collect();
        let time = |seconds: Option<u64>| seconds.map(micros);
        let expected = expected.iter().map(|(after, before, rest)| (time(*after), time(*before), *rest));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }

    #[test]
    fn records_are_missing_beside_a_line_that_was_no_record() {
        check(&format!("{HEAD}0.0 ! open a\n1.0 < 8e\n# a note\n2.0 < 8e\n"), &[]);
        check(HEAD, &[]);
        let bad = "# not in the format: ";
        let text = format!("{HEAD}0.0 ! open a\n1.0 < 8e\n{bad}x\n{bad}y\n4.0 < 8e\n{bad}z\n");
        check(&text, &[(Some(1), Some(4), &format!("4.0 < 8e\n{bad}z\n")), (Some(4), None, "")]);
        check(&format!("{HEAD}3.0 < 8e\n"), &[(None, Some(3), "3.0 < 8e\n")]);
    }

    #[test]
    fn spaces_are_those_in_which_something_happened() {
        let text = format!("{HEAD}0.0 ! open a\n1.0 < 8e\n# a note\n4.0 < 8e\n7.0 < 8e\n");
        let found = |happened: u64| {
            let happened = micros(happened);
            let is_in = |after, before: Option<Timestamp>| {
                after < happened && before.is_none_or(|before| happened < before)
            };
            let spaces = spaces(text.as_bytes(), is_in);
            spaces.iter().map(|space| &text[space.at..]).collect::<Vec<_>>()
        };
        assert_eq!(found(3), ["4.0 < 8e\n7.0 < 8e\n"]);
        assert_eq!(found(5), ["7.0 < 8e\n"]);
        assert_eq!(found(8), [""]);
        assert!(found(4).is_empty());
    }

    #[test]
    fn what_was_cut_is_marked_where_it_was() {
        let rest = "7.0 < 8e\n8.0 < 8e\n";
        let marked =
            |text: &str| String::from_utf8(mark_cut(text.as_bytes(), HEAD.as_bytes(), micros(7))).unwrap();
        let all = marked(rest);
        assert!(all.starts_with(HEAD) && all.contains("# behind the cut: 8.0 < 8e\n"), "{all}");
        check(&(all + "9.0 ! open a\n"), &[(None, Some(9), "9.0 ! open a\n")]);
        let whole_lines = format!("{HEAD}0.0 ! open a\n1.0 < 8e\n");
        check(&marked(&(whole_lines.clone() + rest)), &[(Some(1), Some(7), rest)]);
        // Half a line is left of what was there, and what was written next follows at once.
        let (glued, _) = mend(marked(&format!("{whole_lines}2.0 < 8{rest}")).as_bytes());
        let glued = String::from_utf8(glued).unwrap();
        check(&glued, &[(Some(1), Some(8), "8.0 < 8e\n")]);
        assert!(Reader::new("a", glued.as_bytes()).is_ok() && glued.contains("2.0 < 87.0 < 8e\n"), "{glued}");
    }
}
