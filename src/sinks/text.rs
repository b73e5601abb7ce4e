//! Says alerts in lines for people: when, where, which article, who, what happened, what to do, until when.

use std::{borrow::Cow, collections::BTreeMap, fmt::Display};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use shakmaty::Color;

use crate::{
    config::Config,
    published::{EventId, SERVICE},
};
use jadoube_core::{
    alert::{Alert, AlertState, AlertUpdate, Confidence, Party, Proposal},
    event::{Event, EventKind, LogState},
    laws::Language,
    printable::without_controls,
};

/// Most alerts that are remembered for the line that tells of their end.
const REMEMBERED: usize = 4096;

/// Makes the lines, and remembers what the short ones refer to.
#[derive(Debug, Default)]
pub(crate) struct AlertText {
    open: BTreeMap<String, String>,
}

/// What matters of a line that an earlier process has written about an alert.
#[derive(Deserialize)]
pub(super) struct ToldAlert<'a> {
    /// The board.
    #[serde(borrow, default)]
    pub(super) board: Cow<'a, str>,
    #[serde(borrow)]
    t: Option<&'a RawValue>,
    capture: Option<i64>,
    nth: Option<u32>,
    #[serde(borrow, default, rename = "event")]
    name: Cow<'a, str>,
    id: Option<String>,
    code: Option<String>,
}

impl ToldAlert<'_> {
    /// Returns what identifies it; alerts about the service have nothing that does.
    pub(super) fn event_id(&self) -> Option<EventId> {
        EventId::of_line(&self.board, self.t, self.capture, self.nth)
    }
}

impl AlertText {
    /// Returns the line for an event at a time, if it is about an alert.
    pub(crate) fn line(&mut self, event: &Event, time: impl Display, config: &Config) -> Option<String> {
        let words = Words::of(config.event.language);
        let what = if let EventKind::Alert(alert) = &event.kind {
            self.remember(alert);
            first_line(alert, config, &event.board, words)
        } else if let EventKind::AlertUpdate(update) = &event.kind {
            self.update_line(update, words)
        } else if let EventKind::Entry { text, .. } = &event.kind {
            text.clone()
        } else if let EventKind::Log { state } = event.kind {
            words.log(state).to_owned()
        } else {
            return None;
        };
        Some(join(&[time.to_string(), place(config, &event.board, words), what]))
    }

    /// Remembers an alert that an earlier process has told.
    pub(super) fn remember_told(&mut self, told: ToldAlert<'_>) {
        if let ("alert", Some(id), Some(code)) = (&*told.name, told.id, told.code) {
            self.open.insert(id, code);
        }
    }

    fn remember(&mut self, alert: &Alert) {
        if self.open.len() >= REMEMBERED {
            self.open.pop_first();
        }
        self.open.insert(alert.id.clone(), alert.code.name().to_owned());
    }

    fn update_line(&mut self, update: &AlertUpdate, words: &Words) -> String {
        let is_over = !matches!(update.state, AlertState::Open | AlertState::Acknowledged);
        let known = if is_over { self.open.remove(&update.id) } else { self.open.get(&update.id).cloned() };
        let what = known.unwrap_or_default();
        let state = words.state(update.state);
        let facts: Vec<String> =
            update.facts.iter().filter_map(|(key, value)| words.fact(key, value)).collect();
        join(&[format!("[{}]", update.id), what, state.to_owned(), facts.join(", ")])
    }
}

/// Returns the line that tells of alerts that nobody could write down.
pub(super) fn gap(missed: u64, language: Language) -> String {
    let words = Words::of(language);
    format!("--- {missed} {}", words.missed)
}

fn first_line(alert: &Alert, config: &Config, board: &str, words: &Words) -> String {
    let article =
        if alert.article.is_empty() { String::new() } else { format!("{} {}", words.article, alert.article) };
    let proposal = alert.proposal.as_ref().map(|proposal| words.proposal(proposal)).unwrap_or_default();
    let window = alert.window.as_deref().map(capitalise).unwrap_or_default();
    let end = format!("[{}, {}]", alert.id, words.confidence(alert.confidence));
    join(&[
        article,
        who(alert.side, config, board, words),
        alert.text.trim().to_owned(),
        proposal,
        window,
        end,
    ])
}

/// Puts parts side by side and leaves the empty ones out.
fn join(parts: &[String]) -> String {
    let parts: Vec<String> =
        parts.iter().filter(|part| !part.is_empty()).map(|part| one_line(part)).collect();
    parts.join("  ")
}

/// Texts come from boards and files: whatever they hold, a line stays a line.
fn one_line(text: &str) -> String {
    without_controls(text, ' ').collect()
}

fn place(config: &Config, board: &str, words: &Words) -> String {
    if board == SERVICE {
        return words.service.to_owned();
    }
    match config.table(board).and_then(|table| table.number) {
        Some(number) => format!("{} {number}", words.table),
        None => format!("{} {board}", words.board),
    }
}

fn who(party: Party, config: &Config, board: &str, words: &Words) -> String {
    if board == SERVICE {
        return String::new();
    }
    let table = config.table(board);
    match party {
        Party::Both => words.both.to_owned(),
        Party::One(side) => {
            let player =
                table.map_or("", |table| if side == Color::White { &table.white } else { &table.black });
            let side = words.side(side);
            if player.is_empty() { side.to_owned() } else { format!("{side} ({player})") }
        }
    }
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The words of one language.
struct Words {
    article: &'static str,
    table: &'static str,
    board: &'static str,
    service: &'static str,
    white: &'static str,
    black: &'static str,
    both: &'static str,
    proposal: &'static str,
    add: [&'static str; 2],
    take: [&'static str; 2],
    result: &'static str,
    states: [&'static str; 8],
    confidences: [&'static str; 3],
    facts: [&'static str; 6],
    missed: &'static str,
    logs: [&'static str; 3],
}

const ENGLISH: Words = Words {
    article: "Art.",
    table: "Table",
    board: "Board",
    service: "Service",
    white: "White",
    black: "Black",
    both: "Both",
    proposal: "Proposal",
    add: ["add", "s to the time of"],
    take: ["take", "s of increment from"],
    result: "result",
    states: ["open", "expired", "acknowledged", "confirmed", "dismissed", "corrected", "ended", "withdrawn"],
    confidences: ["possible", "likely", "certain"],
    facts: [
        "reason:",
        "s added",
        "it was no offence",
        "its window has closed",
        "its window is open again",
        "claimed by",
    ],
    missed: "alerts could not be written here",
    logs: [
        "after an outage the board's own log is read, about 9 s; what is played meanwhile follows",
        "the board's own log has told what was played in the outage",
        "the board's own log does not explain the board; moves of the outage are found from the position",
    ],
};

const GERMAN: Words = Words {
    article: "Art.",
    table: "Tisch",
    board: "Brett",
    service: "Dienst",
    white: "Weiß",
    black: "Schwarz",
    both: "Beide",
    proposal: "Vorschlag",
    add: ["Gutschrift", "s für"],
    take: ["Abzug des Inkrements,", "s bei"],
    result: "Ergebnis",
    states: [
        "offen",
        "abgelaufen",
        "gesehen",
        "bestätigt",
        "verworfen",
        "berichtigt",
        "beendet",
        "zurückgezogen",
    ],
    confidences: ["möglich", "wahrscheinlich", "sicher"],
    facts: [
        "Grund:",
        "s gutgeschrieben",
        "es war kein Verstoß",
        "die Frist ist abgelaufen",
        "die Frist läuft wieder",
        "Antrag von",
    ],
    missed: "Meldungen konnten hier nicht geschrieben werden",
    logs: [
        "nach einer Unterbrechung wird der Speicher des Bretts gelesen, etwa 9 s; was inzwischen gespielt wird, folgt",
        "der Speicher des Bretts hat gezeigt, was während der Unterbrechung gespielt wurde",
        "der Speicher des Bretts erklärt die Stellung nicht; die Züge werden aus der Stellung erschlossen",
    ],
};

impl Words {
    const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::De => &GERMAN,
        }
    }

    /// Says a fact of an update; what is only for programs is left out.
    fn fact(&self, key: &str, value: &Value) -> Option<String> {
        let [text, seconds, overturned, window_closed, window_open, claim] = self.facts;
        match (key, value) {
            ("text" | "reason", Value::String(said)) => {
                Some(if key == "text" { said.clone() } else { format!("{text} {said}") })
            }
            ("seconds", value) => Some(format!("{value} {seconds}")),
            ("overturned", Value::Bool(true)) => Some(overturned.to_owned()),
            ("closed", Value::Bool(closed)) => {
                Some(if *closed { window_closed } else { window_open }.to_owned())
            }
            ("claim", Value::String(side)) => Some(format!("{claim} {side}")),
            // When something was put right is when the line was written; the rest a program can read.
            _ => None,
        }
    }

    const fn side(&self, side: Color) -> &'static str {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    const fn state(&self, state: AlertState) -> &'static str {
        let [open, expired, acknowledged, confirmed, dismissed, corrected, ended, withdrawn] = self.states;
        match state {
            AlertState::Open => open,
            AlertState::Expired => expired,
            AlertState::Acknowledged => acknowledged,
            AlertState::Confirmed => confirmed,
            AlertState::Dismissed => dismissed,
            AlertState::Corrected => corrected,
            AlertState::Ended => ended,
            AlertState::Withdrawn => withdrawn,
        }
    }

    const fn log(&self, state: LogState) -> &'static str {
        let [reading, read, useless] = self.logs;
        match state {
            LogState::Reading => reading,
            LogState::Read => read,
            LogState::Useless => useless,
        }
    }

    const fn confidence(&self, confidence: Confidence) -> &'static str {
        let [possible, likely, certain] = self.confidences;
        match confidence {
            Confidence::Possible => possible,
            Confidence::Likely => likely,
            Confidence::Certain => certain,
        }
    }

    fn proposal(&self, proposal: &Proposal) -> String {
        let seconds = |[verb, unit]: [&str; 2], (seconds, side): (u32, Color)| {
            format!("{verb} {seconds} {unit} {}", self.side(side))
        };
        let parts = [
            proposal.add.map(|add| seconds(self.add, add)),
            proposal.take_back.map(|take| seconds(self.take, take)),
            proposal.result.map(|result| format!("{} {result}", self.result)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!("{}: {}", self.proposal, parts.join(", ")) }
    }
}

#[cfg(test)]
pub(super) mod tests;
