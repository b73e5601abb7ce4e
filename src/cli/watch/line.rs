//! Makes lines of alerts, with colour where a terminal shows it.

use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use jadoube_core::{alert::Severity, laws::Language, printable::without_controls, words::Phrase};

/// Indentation of wrapped lines.
const INDENT: &str = "          ";

/// Narrowest line that words are wrapped to.
const NARROWEST: usize = 40;

/// Format of the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    colour: bool,
    language: Language,
    /// Columns of the terminal; lines are not wrapped where there is none.
    width: Option<usize>,
}

/// Table and players of a board.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct TableSeat {
    /// Number of the table.
    pub(super) table: Option<u32>,
    /// White's name; empty if it is not known.
    pub(super) white: String,
    /// Black's name; empty if it is not known.
    pub(super) black: String,
}

impl Style {
    pub(super) const fn of(colour: bool, language: Language, width: Option<usize>) -> Self {
        Self { colour, language, width }
    }

    pub(super) const fn is_coloured(self) -> bool {
        self.colour
    }

    /// Makes the line of an alert: when, where, who, how urgent, what.
    pub(super) fn alert(self, event: &Value, seat: &TableSeat, code: &str, severity: Severity) -> String {
        let mark = match severity {
            Severity::Act => "!!",
            Severity::Look | Severity::Equipment => "! ",
            Severity::Info => "  ",
        };
        let colour = match severity {
            Severity::Act => "1;31",
            Severity::Look | Severity::Equipment => "33",
            Severity::Info => "2",
        };
        let head = format!("{mark} {:<10}  {code}", self.place(event, seat));
        let article = text(event, "article");
        let article = if article.is_empty() { String::new() } else { format!(" {article}") };
        let line = format!(
            "{}  {head}{article}  {}  [{}, {}]",
            time(event),
            text(event, "text"),
            text(event, "id"),
            text(event, "confidence")
        );
        self.wrapped(&line).replacen(&head, &self.paint(&head, colour), 1)
    }

    /// Makes the line of a change.
    pub(super) fn update(self, event: &Value, seat: &TableSeat, code: &str) -> String {
        let place = self.place(event, seat);
        let line = format!("   {place:<10}  {code}  {}  [{}]", text(event, "state"), text(event, "id"));
        format!("{}  {}", time(event), self.paint(&line, "2"))
    }

    fn place(self, event: &Value, seat: &TableSeat) -> String {
        let word = |phrase: Phrase| phrase.text(self.language);
        let place = seat.table.map_or_else(
            || format!("{} {}", word(Phrase::WatchBoard), text(event, "board")),
            |table| format!("{} {table}", word(Phrase::WatchTable)),
        );
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { plain(name) };
        if seat.white.is_empty() && seat.black.is_empty() {
            place
        } else {
            format!("{place} ({} – {})", name(&seat.white), name(&seat.black))
        }
    }

    /// Breaks a line between words, so that it fits the terminal.
    fn wrapped(self, line: &str) -> String {
        let Some(width) = self.width.map(|width| width.max(NARROWEST)) else { return line.to_owned() };
        let mut wrapped = String::new();
        let mut column = 0;
        // Several spaces stay together with the word before them.
        for piece in line.split_inclusive(' ') {
            let length = piece.trim_end().chars().count();
            if column > INDENT.len() && column + length > width {
                wrapped.truncate(wrapped.trim_end().len());
                wrapped.push('\n');
                wrapped.push_str(INDENT);
                column = INDENT.len();
                if length == 0 {
                    continue;
                }
            }
            wrapped.push_str(piece);
            column += piece.chars().count();
        }
        wrapped
    }

    fn paint(self, text: &str, colour: &str) -> String {
        if self.colour { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Returns a text of an event on one line, whatever it holds: it may come from another machine.
fn text(event: &Value, key: &str) -> String {
    plain(event.get(key).and_then(Value::as_str).unwrap_or_default())
}

fn plain(text: &str) -> String {
    without_controls(text, ' ').collect()
}

fn time(event: &Value) -> String {
    let at = event.get("at").and_then(Value::as_str).and_then(|at| at.parse::<Timestamp>().ok());
    at.map_or_else(
        || "--:--:--".to_owned(),
        |at| at.to_zoned(TimeZone::system()).strftime("%H:%M:%S").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_says_where_and_what() {
        let event = json!({"board": "23946", "id": "23946-1-2", "code": "flag-fall", "article": "6.8",
            "confidence": "certain", "text": "White's flag\u{1b}[2J fell.", "state": "open"});
        let style = Style::of(false, Language::En, None);
        let seat = |white: &str| TableSeat { table: Some(7), white: white.to_owned(), black: String::new() };
        assert_eq!(
            style.alert(&event, &seat(""), "flag-fall", Severity::Act),
            "--:--:--  !! table 7     flag-fall 6.8  White's flag [2J fell.  [23946-1-2, certain]"
        );
        assert_eq!(
            style.update(&event, &TableSeat::default(), "flag-fall"),
            "--:--:--     board 23946  flag-fall  open  [23946-1-2]"
        );
        let painted =
            Style::of(true, Language::De, None).alert(&event, &seat(""), "flag-fall", Severity::Act);
        assert!(painted.contains("\u{1b}[1;31m!! Tisch 7"), "{painted}");
    }

    #[test]
    fn a_terminal_breaks_lines_between_words() {
        let event = json!({"board": "23946", "id": "23946-1-2", "code": "illegal-move", "article": "7.5.1",
            "confidence": "certain", "text": "White completed an illegal move: the king on e1 is left in check."});
        let seat = TableSeat { table: Some(7), white: "Ada".to_owned(), black: "Bob".to_owned() };
        let style = Style::of(true, Language::En, Some(60));
        let lines = style.alert(&event, &seat, "illegal-move", Severity::Act);
        assert_eq!(
            lines,
            "--:--:--  \u{1b}[1;31m!! table 7 (Ada – Bob)  illegal-move\u{1b}[0m 7.5.1  White\n          \
             completed an illegal move: the king on e1 is left\n          \
             in check.  [23946-1-2, certain]"
        );
    }
}
