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
    words::Phrase,
};

/// Most alerts that are remembered for the line that reports of their end.
const REMEMBERED: usize = 4096;

/// Makes the lines, and remembers what the short ones refer to.
#[derive(Debug, Default)]
pub(crate) struct AlertText {
    open: BTreeMap<String, String>,
}

/// What matters of a line that an earlier process has written about an alert.
#[derive(Deserialize)]
pub(super) struct ReportedAlert<'a> {
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

impl ReportedAlert<'_> {
    /// Returns what identifies it; alerts about the service have nothing that does.
    pub(super) fn event_id(&self) -> Option<EventId> {
        EventId::of_line(&self.board, self.t, self.capture, self.nth)
    }
}

impl AlertText {
    /// Returns the line for an event at a time, if it is about an alert.
    pub(crate) fn line(&mut self, event: &Event, time: impl Display, config: &Config) -> Option<String> {
        let words = Words(config.event.language);
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

    /// Remembers an alert that an earlier process has reported.
    pub(super) fn remember_reported(&mut self, reported: ReportedAlert<'_>) {
        if let ("alert", Some(id), Some(code)) = (&*reported.name, reported.id, reported.code) {
            self.open.insert(id, code);
        }
    }

    fn remember(&mut self, alert: &Alert) {
        if self.open.len() >= REMEMBERED {
            self.open.pop_first();
        }
        self.open.insert(alert.id.clone(), alert.code.name().to_owned());
    }

    fn update_line(&mut self, update: &AlertUpdate, words: Words) -> String {
        let is_over = !matches!(update.state, AlertState::Open | AlertState::Acknowledged);
        let known = if is_over { self.open.remove(&update.id) } else { self.open.get(&update.id).cloned() };
        let what = known.unwrap_or_default();
        let state = words.state(update.state);
        let facts: Vec<String> =
            update.facts.iter().filter_map(|(key, value)| words.fact(key, value)).collect();
        join(&[format!("[{}]", update.id), what, state.to_owned(), facts.join(", ")])
    }
}

/// Returns the line that reports of alerts that nobody could write down.
pub(super) fn gap(missed: u64, language: Language) -> String {
    format!("--- {missed} {}", Phrase::LogMissed.text(language))
}

fn first_line(alert: &Alert, config: &Config, board: &str, words: Words) -> String {
    let article = if alert.article.is_empty() {
        String::new()
    } else {
        format!("{} {}", words.say(Phrase::LogArticle), alert.article)
    };
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

fn place(config: &Config, board: &str, words: Words) -> String {
    if board == SERVICE {
        return words.say(Phrase::LogService).to_owned();
    }
    match config.table(board).and_then(|table| table.number) {
        Some(number) => format!("{} {number}", words.say(Phrase::LogTable)),
        None => format!("{} {board}", words.say(Phrase::LogBoard)),
    }
}

fn who(party: Party, config: &Config, board: &str, words: Words) -> String {
    if board == SERVICE {
        return String::new();
    }
    let table = config.table(board);
    match party {
        Party::Both => words.say(Phrase::LogBoth).to_owned(),
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
#[derive(Clone, Copy)]
struct Words(Language);

impl Words {
    fn say(self, phrase: Phrase) -> &'static str {
        phrase.text(self.0)
    }

    /// Says a fact of an update; what is only for programs is left out.
    fn fact(self, key: &str, value: &Value) -> Option<String> {
        match (key, value) {
            ("text", Value::String(said)) => Some(said.clone()),
            ("reason", Value::String(said)) => Some(format!("{} {said}", self.say(Phrase::FactReason))),
            ("seconds", value) => Some(format!("{value} {}", self.say(Phrase::FactSeconds))),
            ("overturned", Value::Bool(true)) => Some(self.say(Phrase::FactOverturned).to_owned()),
            ("closed", Value::Bool(closed)) => {
                let phrase = if *closed { Phrase::FactClosed } else { Phrase::FactReopened };
                Some(self.say(phrase).to_owned())
            }
            ("claim", Value::String(side)) => Some(format!("{} {side}", self.say(Phrase::FactClaim))),
            // When something was put right is when the line was written; the rest a program can read.
            _ => None,
        }
    }

    fn side(self, side: Color) -> &'static str {
        self.say(match side {
            Color::White => Phrase::White,
            Color::Black => Phrase::Black,
        })
    }

    fn state(self, state: AlertState) -> &'static str {
        self.say(match state {
            AlertState::Open => Phrase::StateOpen,
            AlertState::Expired => Phrase::StateExpired,
            AlertState::Acknowledged => Phrase::StateAcknowledged,
            AlertState::Confirmed => Phrase::StateConfirmed,
            AlertState::Dismissed => Phrase::StateDismissed,
            AlertState::Corrected => Phrase::StateCorrected,
            AlertState::Ended => Phrase::StateEnded,
            AlertState::Withdrawn => Phrase::StateWithdrawn,
        })
    }

    fn log(self, state: LogState) -> &'static str {
        self.say(match state {
            LogState::Reading => Phrase::LogReading,
            LogState::Read => Phrase::LogRead,
            LogState::Useless => Phrase::LogUseless,
        })
    }

    fn confidence(self, confidence: Confidence) -> &'static str {
        self.say(match confidence {
            Confidence::Possible => Phrase::WordPossible,
            Confidence::Likely => Phrase::WordLikely,
            Confidence::Certain => Phrase::WordCertain,
        })
    }

    fn proposal(self, proposal: &Proposal) -> String {
        let seconds = |phrase: Phrase, (seconds, side): (u32, Color)| {
            phrase.fill(self.0, &[("seconds", &seconds.to_string()), ("side", self.side(side))])
        };
        let parts = [
            proposal.add.map(|add| seconds(Phrase::LogAdd, add)),
            proposal.take_back.map(|take| seconds(Phrase::LogTakeBack, take)),
            proposal.result.map(|result| format!("{} {result}", self.say(Phrase::LogResult))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!("{}: {}", self.say(Phrase::LogProposal), parts.join(", "))
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
