use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::json;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context, prelude::*};

use super::*;
use jadoube_core::{
    alert::{AlertState, Party},
    code::Code,
    laws::Edition,
};

#[test]
fn an_alert_is_found_by_board_code_and_article() {
    let fields = written(&EventKind::Alert(alert(Code::IllegalMove, "7.5.1").into()));
    for (field, value) in [
        ("message_id", ALERT),
        ("jadoube_board", "23946"),
        ("jadoube_alert", "23946-3-2"),
        ("jadoube_state", "open"),
        ("jadoube_code", "illegal-move"),
        ("jadoube_article", "7.5.1"),
        ("jadoube_side", "white"),
        ("jadoube_confidence", "certain"),
        ("message", "board 23946: White completed an illegal move."),
    ] {
        assert_eq!(fields.get(field).map(String::as_str), Some(value), "{field}");
    }
}

#[test]
fn equipment_has_no_article() {
    let fields = written(&EventKind::Alert(alert(Code::BoardLink, "").into()));
    assert_eq!(fields.get("jadoube_article"), None);
    assert_eq!(fields.get("jadoube_code").map(String::as_str), Some("board-link"));
}

#[test]
fn a_change_has_the_alerts_id() {
    let facts = serde_json::Map::from_iter([("by".to_owned(), json!("arbiter"))]);
    let update = AlertUpdate { id: "23946-3-2".to_owned(), state: AlertState::Confirmed, since: None, facts };
    let fields = written(&EventKind::AlertUpdate(update.into()));
    assert_eq!(fields.get("message_id").map(String::as_str), Some(UPDATE));
    assert_eq!(fields.get("jadoube_alert").map(String::as_str), Some("23946-3-2"));
    assert_eq!(fields.get("jadoube_state").map(String::as_str), Some("confirmed"));
}

#[test]
fn ids_are_those_of_the_catalogue() {
    let catalogue = include_str!("../../../systemd/jadoube.catalog");
    for id in [ALERT, UPDATE] {
        assert!(id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
        assert!(catalogue.contains(&format!("-- {id}\n")), "{id}");
    }
}

fn alert(code: Code, article: &'static str) -> Alert {
    Alert {
        id: "23946-3-2".to_owned(),
        game: 3,
        severity: jadoube_core::alert::Severity::Act,
        parts: jadoube_core::alert::Parts::default(),
        code,
        article: article.into(),
        authority: None,
        edition: Edition::default(),
        side: Party::One(shakmaty::Color::White),
        ply: 23,
        confidence: Confidence::Certain,
        p: None,
        otherwise: None,
        state: AlertState::Open,
        facts: serde_json::Map::new(),
        proposal: None,
        window: None,
        text: "White completed an illegal move.".to_owned(),
    }
}

/// Returns the fields of the one message that an event gives.
fn written(kind: &EventKind) -> BTreeMap<String, String> {
    let heard = Heard::default();
    let subscriber = tracing_subscriber::registry().with(heard.clone());
    tracing::subscriber::with_default(subscriber, || write("23946", kind));
    let fields = heard.0.lock().unwrap();
    fields.clone()
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<BTreeMap<String, String>>>);

impl<S: Subscriber> Layer<S> for Heard {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Fields(&mut self.0.lock().unwrap()));
    }
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}
