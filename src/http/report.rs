//! The incident report of a round: every alert that was ruled on or had to be acted on, with its rulings, and what else
//! was entered.
//!
//! It is read from the logs, so that it also has what boards have forgotten with their next game.

use std::{collections::BTreeMap, io, path::Path};

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::{App, error, error::ApiError, hall::Seating, identity::Identity, query::Query, serve::Peer};
use crate::{audit, config::Config, view::Boards};
use jadoube_runtime::clock::SystemClock;

/// The log of alerts in the log directory.
const ALERTS: &str = "alerts.jsonl";

/// How much of the end of that log is read.
const READ: u64 = 8 * 1024 * 1024;

/// What a report covers if nobody has said when the round began.
const WITHOUT_ROUND: SignedDuration = SignedDuration::from_hours(24);

/// What is written of an alert beside what the report finds out.
const LEFT_OUT: [&str; 7] = ["event", "seq", "t", "at", "state", "capture", "nth"];

/// The span of a report; without it the round that goes on.
#[derive(Debug, Deserialize)]
pub(super) struct ReportQuery {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    /// A round, which counts from its start to the pairings of the next one.
    round: Option<u32>,
}

/// The span of a round.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    round: Option<u32>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

/// A report.
#[derive(Debug, Serialize)]
struct Report {
    event: String,
    round: Option<u32>,
    from: Timestamp,
    to: Timestamp,
    incidents: Vec<ReportedIncident>,
    /// Orders that were carried out and are about no alert.
    entries: Vec<Value>,
    /// The last entry of the list of orders, to compare.
    list: Option<audit::Head>,
}

/// An alert and what became of it.
#[derive(Debug, Serialize)]
struct ReportedIncident {
    table: Option<u32>,
    white: String,
    black: String,
    /// When it was raised, UTC.
    at: Timestamp,
    /// When it changed last, UTC.
    changed: Timestamp,
    state: String,
    /// The alert, with all that has changed since.
    #[serde(flatten)]
    alert: Map<String, Value>,
    /// The orders about it that were carried out, oldest first.
    rulings: Vec<Value>,
}

/// `GET /api/report?round=N`, or `from=INSTANT&to=INSTANT`: without either since the round has begun, or of the last day.
pub(super) async fn report(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    Query(query): Query<ReportQuery>,
) -> Result<Response, ApiError> {
    Identity::arbiter(&app, client, &headers).await?;
    let config = app.config();
    let (_, boards) = app.daemon().view().read();
    let now = SystemClock::start().started();
    let span = span(&app, query.round)?;
    let made = spawn_blocking(move || {
        let alerts = audit::tail(&config.log_dir.join(ALERTS), READ)?;
        let orders = audit::read(&config.log_dir)?;
        let mut report = Report::make(&query, span, now, alerts, &orders, &config, &boards);
        report.list = audit::Head::read(&audit::Place::of(&config));
        Ok::<_, io::Error>(report)
    });
    match made.await {
        Ok(Ok(report)) => Ok(error::json(&report)),
        Ok(Err(error)) => {
            let place = Path::new(ALERTS).display();
            Err(ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("{place}, {}: {error}", audit::NAME),
            ))
        }
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the logs cannot be read")),
    }
}

/// Returns from when to when a round counts: the one that is asked for, or the one that goes on.
fn span(app: &App, wanted: Option<u32>) -> Result<Span, ApiError> {
    app.daemon().rounds().read(|book| {
        let round = match wanted {
            Some(number) => {
                let unknown = || ApiError::not_found(format!("there is no round {number}"));
                Some(book.round(number).ok_or_else(unknown)?)
            }
            None => book.current(),
        };
        let Some(round) = round else { return Ok(Span::default()) };
        let from = round.started.as_ref().map(|started| started.at);
        let next = book
            .round(round.number + 1)
            .map(|next| next.started.as_ref().map_or(next.planned, |started| started.at));
        Ok(Span { round: Some(round.number), from, to: next })
    })
}

impl Report {
    fn make(
        query: &ReportQuery,
        span: Span,
        now: Timestamp,
        alerts: Vec<Value>,
        orders: &[Value],
        config: &Config,
        boards: &Boards,
    ) -> Self {
        let to = query.to.or(span.to).unwrap_or(now);
        let from = query.from.or(span.from).or_else(|| round_began(orders, to));
        let from = from.unwrap_or_else(|| to.saturating_sub(WITHOUT_ROUND).unwrap_or(Timestamp::MIN));
        let inside = |at: Timestamp| from <= at && at <= to;
        let done: Vec<&Value> =
            orders.iter().filter(|order| is_done(order) && instant(order).is_some_and(inside)).collect();
        let mut incidents = fold(alerts);
        incidents.retain(|_, incident| inside(incident.at));
        for (id, incident) in &mut incidents {
            let about = |order: &&&Value| text(order, "/order/alert") == Some(id.as_str());
            incident.rulings = done.iter().filter(about).map(|order| (*order).clone()).collect();
            incident.seat(&done, config, boards);
        }
        let mut incidents: Vec<ReportedIncident> =
            incidents.into_values().filter(ReportedIncident::belongs_into_report).collect();
        incidents.sort_by_key(|incident| incident.at);
        // Sign-ins and the like are of no board.
        let is_of_board = |order: &&&Value| text(order, "/board") != Some("");
        let entries = done.iter().filter(is_of_board).filter(|order| text(order, "/order/alert").is_none());
        let (event, round) = (config.event.name.clone(), span.round.or(config.event.round));
        Self {
            event,
            round,
            from,
            to,
            incidents,
            entries: entries.map(|order| (*order).clone()).collect(),
            list: None,
        }
    }
}

impl ReportedIncident {
    /// Notes who sat there from the rulings, from other orders for the game, from what the log says of the alert, or else from
    /// the tables of this moment if the game is still on the board.
    fn seat(&mut self, orders: &[&Value], config: &Config, boards: &Boards) {
        let name = |order, key| text(order, key).unwrap_or_default().to_owned();
        let game = self.alert.get("game").and_then(Value::as_u64);
        let is_of_game = |order: &&Value| {
            order.get("board") == self.alert.get("board")
                && order.pointer("/order/game").and_then(Value::as_u64) == game
        };
        let of_game = orders.iter().copied().filter(|order| game.is_some() && is_of_game(order));
        let known = self.rulings.iter().chain(of_game).find(|order| text(order, "/white").is_some());
        if let Some(order) = known {
            (self.white, self.black) = (name(order, "/white"), name(order, "/black"));
        }
        let name = self.alert.get("board").and_then(Value::as_str).unwrap_or_default();
        let Some(board) = boards.get(name) else { return };
        let seat = Seating::of(board, config);
        self.table = self.table.or(seat.table);
        let present = board.game.as_ref().map(|game| u64::from(game.number));
        if self.white.is_empty() && game == present {
            (self.white, self.black) = (seat.white.to_owned(), seat.black.to_owned());
        }
    }

    /// Returns whether an arbiter has ruled on it, or would have had to.
    fn belongs_into_report(&self) -> bool {
        let severity = self.alert.get("severity").and_then(Value::as_str);
        !self.rulings.is_empty()
            || matches!(self.state.as_str(), "confirmed" | "dismissed")
            || severity == Some("act")
    }
}

/// Collects alerts, by id, with what has changed of each.
fn fold(alerts: Vec<Value>) -> BTreeMap<String, ReportedIncident> {
    let mut incidents: BTreeMap<String, ReportedIncident> = BTreeMap::new();
    for line in alerts {
        let (Some(at), Some(id)) = (instant(&line), text(&line, "/id").map(str::to_owned)) else { continue };
        let is_new = text(&line, "/event") == Some("alert");
        let state = text(&line, "/state").unwrap_or_default().to_owned();
        let Value::Object(mut fields) = line else { continue };
        fields.retain(|key, _| !LEFT_OUT.contains(&key.as_str()));
        if is_new {
            // By the time of the report somebody else may sit there.
            let mut name = |key| match fields.remove(key) {
                Some(Value::String(name)) => name,
                _ => String::new(),
            };
            let (white, black) = (name("white"), name("black"));
            let table = fields.remove("table").and_then(|table| u32::try_from(table.as_u64()?).ok());
            let (alert, rulings) = (fields, Vec::new());
            incidents
                .insert(id, ReportedIncident { table, white, black, at, changed: at, state, alert, rulings });
        } else if let Some(incident) = incidents.get_mut(&id) {
            (incident.state, incident.changed) = (state, at);
            incident.alert.extend(fields);
        }
    }
    incidents
}

/// Returns when the round began that went on at an instant, if somebody has said so.
fn round_began(orders: &[Value], at: Timestamp) -> Option<Timestamp> {
    let begun =
        orders.iter().filter(|order| text(order, "/order/order") == Some("round-started") && is_done(order));
    // The order is given for every board; the first of those within a minute is the beginning.
    let last = begun.clone().filter_map(instant).filter(|began| *began <= at).max()?;
    begun
        .filter_map(instant)
        .filter(|began| last.duration_since(*began) <= SignedDuration::from_mins(1) && *began <= last)
        .min()
}

fn instant(line: &Value) -> Option<Timestamp> {
    text(line, "/at")?.parse().ok()
}

/// Returns whether an order was carried out.
fn is_done(order: &Value) -> bool {
    order.get("refused").is_none_or(Value::is_null)
}

/// Returns a text by its path.
fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    value.pointer(path)?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(minute: u32) -> String {
        format!("2026-05-01T10:{minute:02}:00Z")
    }

    fn alert(id: &str, minute: u32, severity: &str) -> Value {
        json!({
            "event": "alert", "at": at(minute), "t": 1.0, "seq": 1, "board": "23946", "id": id, "game": 1,
            "code": "illegal-move", "severity": severity, "state": "open", "parts": { "happened": "It happened." },
        })
    }

    fn update(id: &str, minute: u32, state: &str) -> Value {
        json!({ "event": "alert-update", "at": at(minute), "board": "23946", "id": id, "state": state, "seconds": 60 })
    }

    fn order(minute: u32, order: &Value, refused: Option<&str>) -> Value {
        json!({
            "at": at(minute), "arbiter": "Ada", "board": "23946", "order": order, "refused": refused,
            "table": 3, "white": "Weiss", "black": "Schwarz",
        })
    }

    fn report(orders: &[Value]) -> Report {
        let query = ReportQuery { from: None, to: None, round: None };
        let alerts = vec![
            alert("a-1-1", 1, "act"),
            alert("a-1-2", 12, "act"),
            update("a-1-2", 14, "confirmed"),
            alert("a-1-3", 15, "look"),
            alert("a-1-4", 16, "act"),
            update("a-1-4", 17, "expired"),
            alert("a-1-5", 18, "look"),
            update("a-1-5", 19, "dismissed"),
        ];
        let now = at(30).parse().unwrap();
        Report::make(&query, Span::default(), now, alerts, orders, &Config::default(), &Boards::new())
    }

    fn ids(report: &Report) -> Vec<&str> {
        report.incidents.iter().map(|incident| incident.alert["id"].as_str().unwrap()).collect()
    }

    #[test]
    fn a_report_has_the_incidents_of_the_round_with_their_rulings() {
        let confirm = json!({ "order": "confirm", "alert": "a-1-2", "seconds": 60 });
        let late = json!({ "order": "dismiss", "alert": "a-1-2" });
        let made = report(&[
            order(2, &json!({ "order": "round-started" }), None),
            order(10, &json!({ "order": "round-started" }), None),
            order(11, &json!({ "order": "round-started" }), Some("too late")),
            order(14, &confirm, None),
            order(15, &late, Some("the window has closed")),
            order(20, &json!({ "order": "penalty", "side": "white", "game": 1 }), None),
        ]);
        assert_eq!(made.from, at(10).parse().unwrap());
        assert_eq!(ids(&made), ["a-1-2", "a-1-4", "a-1-5"]);
        let first = &made.incidents[0];
        assert_eq!(
            (first.state.as_str(), first.white.as_str(), first.black.as_str()),
            ("confirmed", "Weiss", "Schwarz")
        );
        assert_eq!((first.rulings.len(), &first.rulings[0]["order"]), (1, &confirm));
        assert_eq!(first.alert["seconds"], 60);
        assert_eq!(made.incidents[1].state, "expired");
        assert_eq!(made.incidents[1].white, "Weiss", "the penalty was for the same game");
        let entered: Vec<&Value> = made.entries.iter().map(|entry| &entry["order"]["order"]).collect();
        assert_eq!(entered, ["round-started", "penalty"]);
    }

    #[test]
    fn who_sat_there_is_in_the_log_of_alerts() {
        let mut logged = alert("a-1-1", 1, "act");
        logged.as_object_mut().unwrap().extend([
            ("table".to_owned(), json!(9)),
            ("white".to_owned(), json!("Then")),
            ("black".to_owned(), json!("Before")),
        ]);
        let (query, now) = (ReportQuery { from: None, to: None, round: None }, at(30).parse().unwrap());
        let made = |orders: &[Value]| {
            Report::make(
                &query,
                Span::default(),
                now,
                vec![logged.clone()],
                orders,
                &Config::default(),
                &Boards::new(),
            )
            .incidents
            .remove(0)
        };
        let incident = made(&[]);
        assert_eq!(
            (incident.table, incident.white.as_str(), incident.black.as_str()),
            (Some(9), "Then", "Before")
        );
        assert!(!incident.alert.contains_key("white") && !incident.alert.contains_key("table"));
        // Whoever ruled there has seen them.
        let ruled = made(&[order(2, &json!({ "order": "dismiss", "alert": "a-1-1" }), None)]);
        assert_eq!(ruled.white, "Weiss");
    }

    #[test]
    fn without_the_beginning_of_a_round_it_is_the_last_day() {
        let made = report(&[]);
        assert_eq!(ids(&made), ["a-1-1", "a-1-2", "a-1-4", "a-1-5"]);
        assert_eq!(made.to.duration_since(made.from), WITHOUT_ROUND);
    }
}
