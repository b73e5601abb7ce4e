//! Times, headers and lines as PGN has them.

use std::fmt::Write as _;

use arrayvec::ArrayString;

use crate::{
    laws::{Period, TimeControl},
    printable::without_controls,
};

/// Longest line of a move text (PGN standard 8.2.1).
const WIDTH: usize = 80;

/// Writes a time as `h:mm:ss`.
pub(super) fn face(seconds: u32) -> ArrayString<16> {
    let mut face = ArrayString::new();
    let digit = |number: u32| char::from_digit(number % 10, 10).unwrap_or('0');
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours < 10 {
        face.push(digit(hours));
    } else {
        // It has at most seven digits.
        write!(face, "{hours}").unwrap_or_default();
    }
    for number in [minutes, seconds % 60] {
        face.push(':');
        face.push(digit(number / 10));
        face.push(digit(number));
    }
    face
}

/// Writes a time control as the PGN standard has it: `40/5400+30:1800+30`, seconds throughout.
pub(super) fn in_seconds(control: &TimeControl) -> String {
    let period = |period: &Period| {
        let moves = period.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment =
            if period.increment_s > 0 { format!("+{}", period.increment_s) } else { String::new() };
        format!("{moves}{}{increment}", period.base_s)
    };
    control.periods().iter().map(period).collect::<Vec<_>>().join(":")
}

/// Leaves out what no header may hold.
pub(super) fn clean(text: &str) -> String {
    let text: String = without_controls(text, ' ').collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn tag(pgn: &mut String, name: &str, value: &str) {
    // The standard has a way to write a quotation mark, and there are readers that refuse the whole game for it.
    let value = value.replace('\\', "\\\\").replace('"', "'");
    writeln!(pgn, "[{name} \"{value}\"]").unwrap_or_default();
}

/// Text broken into lines between tokens.
#[derive(Default)]
pub(super) struct Wrapped {
    pub(super) text: String,
    column: usize,
}

impl Wrapped {
    /// Appends a token that consists of these parts.
    pub(super) fn token(&mut self, parts: &[&str]) {
        let length: usize = parts.iter().map(|part| part.chars().count()).sum();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        for part in parts {
            self.text.push_str(part);
        }
        self.column += length;
    }

    pub(super) fn comment<'a>(&mut self, notes: impl Iterator<Item = &'a str>) {
        let mut notes = notes.peekable();
        let mut open = "{";
        while let Some(note) = notes.next() {
            let close = if notes.peek().is_none() { "}" } else { "" };
            if note.contains(['{', '}']) {
                self.token(&[open, &note.replace(['{', '}'], ""), close]);
            } else {
                self.token(&[open, note, close]);
            }
            open = "";
        }
    }
}
