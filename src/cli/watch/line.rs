//! Makes lines of alerts, with colour where a terminal shows it.

use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use crate::view::Severity;
use jadoube_core::laws::Language;

/// How lines look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    colour: bool,
    language: Language,
}

impl Style {
    pub(super) const fn of(colour: bool, language: Language) -> Self {
        Self { colour, language }
    }

    pub(super) const fn is_coloured(self) -> bool {
        self.colour
    }

    /// Makes the line of an alert: when, where, how urgent, what.
    pub(super) fn alert(self, event: &Value, table: Option<u32>, code: &str, severity: Severity) -> String {
        let mark = match severity {
            Severity::Critical => "!!",
            Severity::Warning => "! ",
            Severity::Info => "  ",
        };
        let colour = match severity {
            Severity::Critical => "1;31",
            Severity::Warning => "33",
            Severity::Info => "2",
        };
        let head = format!("{mark} {:<10}  {code}", self.place(event, table));
        let article = text(event, "article");
        let article = if article.is_empty() { String::new() } else { format!(" {article}") };
        format!(
            "{}  {}{article}  {}  [{}, {}]",
            time(event),
            self.paint(&head, colour),
            text(event, "text"),
            text(event, "id"),
            text(event, "confidence")
        )
    }

    /// Makes the line of a change.
    pub(super) fn update(self, event: &Value, table: Option<u32>, code: &str) -> String {
        let place = self.place(event, table);
        let line = format!("   {place:<10}  {code}  {}  [{}]", text(event, "state"), text(event, "id"));
        format!("{}  {}", time(event), self.paint(&line, "2"))
    }

    fn place(self, event: &Value, table: Option<u32>) -> String {
        let (at_table, at_board) = match self.language {
            Language::En => ("table", "board"),
            Language::De => ("Tisch", "Brett"),
        };
        table.map_or_else(
            || format!("{at_board} {}", text(event, "board")),
            |table| format!("{at_table} {table}"),
        )
    }

    fn paint(self, text: &str, colour: &str) -> String {
        if self.colour { format!("\u{1b}[{colour}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Returns a text of an event on one line, whatever it holds: it may come from another machine.
fn text(event: &Value, key: &str) -> String {
    let text = event.get(key).and_then(Value::as_str).unwrap_or_default();
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
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
        let style = Style::of(false, Language::En);
        assert_eq!(
            style.alert(&event, Some(7), "flag-fall", Severity::Critical),
            "--:--:--  !! table 7     flag-fall 6.8  White's flag [2J fell.  [23946-1-2, certain]"
        );
        assert_eq!(
            style.update(&event, None, "flag-fall"),
            "--:--:--     board 23946  flag-fall  open  [23946-1-2]"
        );
        let painted = Style::of(true, Language::De).alert(&event, Some(7), "flag-fall", Severity::Critical);
        assert!(painted.contains("\u{1b}[1;31m!! Tisch 7"), "{painted}");
    }
}
