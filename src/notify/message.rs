//! What a notification says, and how it fills a template.

use serde::Serialize;
use serde_json::Value;

use super::overdue::Overdue;
use crate::{
    config::Config,
    published::{Published, SERVICE},
};
use jadoube_core::{
    alert::{Alert, Severity},
    event::BoardId,
    words::Phrase,
};
use jadoube_runtime::clock::SystemClock;

/// A notification.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Notification {
    /// The table or the board, for people.
    pub(super) title: String,
    /// What happened, in one sentence.
    pub(super) text: String,
    pub(super) table: Option<u32>,
    pub(super) board: String,
    pub(super) alert: String,
    pub(super) code: String,
    pub(super) side: String,
    pub(super) severity: Severity,
    /// The page of the alert, if the address of the desk is known.
    pub(super) link: String,
    pub(super) at: jiff::Timestamp,
}

impl Notification {
    /// Makes the notification of an alert; names of players are in it only if they may leave.
    pub(super) fn of(event: &Published, alert: &Alert, config: &Config, players: bool) -> Self {
        let board = &event.event.board;
        Self {
            text: alert.parts.happened.clone(),
            code: alert.code.name().to_owned(),
            side: alert.side.name().to_owned(),
            severity: alert.severity,
            at: event.at,
            ..Self::about(board, &alert.id, config, players)
        }
    }

    /// Makes the notification of an alert to which nobody goes.
    pub(super) fn of_overdue(
        overdue: &Overdue<'_>,
        config: &Config,
        players: bool,
        now: jiff::Timestamp,
    ) -> Self {
        let Overdue { board, id, alert, .. } = overdue;
        let fields = alert.fields.read();
        let field = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let happened = fields.get("parts").and_then(|parts| parts.get("happened")).and_then(Value::as_str);
        let nobody = Phrase::NobodyGoing.text(config.event.language);
        Self {
            text: format!("{nobody}: {}", happened.unwrap_or_default()),
            code: alert.code.name().to_owned(),
            side: field("side").to_owned(),
            severity: Severity::Act,
            at: now,
            ..Self::about(board, id, config, players)
        }
    }

    /// Says which table or board an alert is about, and where it can be seen.
    fn about(board: &BoardId, alert: &str, config: &Config, players: bool) -> Self {
        let table = config.table(board);
        let number = table.and_then(|table| table.number);
        let word = |phrase: Phrase| phrase.text(config.event.language);
        let place = match number {
            Some(number) => format!("{} {number}", word(Phrase::LogTable)),
            None if **board == *SERVICE => word(Phrase::LogService).to_owned(),
            None => format!("{} {board}", word(Phrase::LogBoard)),
        };
        let names = table.filter(|_| players).map(|table| format!(" ({} – {})", table.white, table.black));
        let desk = config.http.as_ref().and_then(|http| http.url.as_ref());
        let link = desk.map(|desk| format!("{}/#/alert/{alert}", desk.base()));
        Self {
            title: place + &names.unwrap_or_default(),
            table: number,
            board: board.to_string(),
            alert: alert.to_owned(),
            link: link.unwrap_or_default(),
            ..Self::test(config)
        }
    }

    /// Makes a notification that is none.
    pub(super) fn test(config: &Config) -> Self {
        Self {
            title: "jadoube".to_owned(),
            text: Phrase::TestMessage.text(config.event.language).to_owned(),
            table: None,
            board: SERVICE.to_owned(),
            alert: "test".to_owned(),
            code: "test".to_owned(),
            side: "both".to_owned(),
            severity: Severity::Act,
            link: config
                .http
                .as_ref()
                .and_then(|http| http.url.as_ref())
                .map_or_else(String::new, |url| url.secret().to_owned()),
            at: SystemClock::start().started(),
        }
    }

    /// Fills a template: `{title}`, `{text}`, `{table}`, `{board}`, `{alert}`, `{code}`, `{side}`, `{severity}`, `{link}`;
    /// `quote` makes a value safe for what is around it.
    pub(super) fn fill(&self, template: &str, quote: fn(&str) -> String) -> String {
        let table = self.table.map(|table| table.to_string()).unwrap_or_default();
        let values = [
            ("title", self.title.as_str()),
            ("text", &self.text),
            ("table", &table),
            ("board", &self.board),
            ("alert", &self.alert),
            ("code", &self.code),
            ("side", &self.side),
            ("severity", self.severity.name()),
            ("link", &self.link),
        ];
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let value = values
                .iter()
                .find_map(|(key, value)| Some((value, after.strip_prefix(key)?.strip_prefix('}')?)));
            if let Some((value, after)) = value {
                filled.push_str(&quote(value));
                rest = after;
            } else {
                filled.push('{');
                rest = after;
            }
        }
        filled + rest
    }
}

/// Writes a value as it stands between the quotation marks of JSON.
pub(super) fn json(value: &str) -> String {
    let quoted = Value::from(value).to_string();
    quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_once() {
        let config = Config::parse("t", "[http]\nurl = 'https://hall'", &[]).unwrap();
        let message =
            Notification { title: "a \"{text}\"".to_owned(), table: Some(7), ..Notification::test(&config) };
        let filled = message.fill("{\"t\": \"{title}\", \"n\": {table}, \"x\": {nothing}}", json);
        assert_eq!(filled, "{\"t\": \"a \\\"{text}\\\"\", \"n\": 7, \"x\": {nothing}}");
        assert_eq!(message.fill("{link}{", str::to_owned), "https://hall{");
    }
}
