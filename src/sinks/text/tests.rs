use serde_json::{Map, Value};

use super::*;
use jadoube_core::{
    code::Code,
    event::{Event, LinkState},
    laws::Edition,
    time::Timestamp,
};

#[test]
fn an_alert_says_everything_in_one_line() {
    let config = config("en", true);
    let mut text = AlertText::default();
    assert_eq!(
        line(&mut text, &config, EventKind::Alert(Box::new(alert()))),
        "2026-11-21 21:54:03  Table 3  Art. 7.5.1  White (Last, First)  \
         White completed an illegal move: the king on e1 is left in check.  \
         Proposal: add 60 s to the time of Black, take 10 s of increment from White  \
         Until black's next move is made  [23946-3-2, certain]"
    );
    assert_eq!(
        line(
            &mut text,
            &config,
            update(AlertState::Confirmed, &[("seconds", Value::from(60)), ("reason", Value::from("seen"))])
        ),
        "2026-11-21 21:54:03  Table 3  [23946-3-2]  illegal-move  confirmed  reason: seen, 60 s added"
    );
}

#[test]
fn it_speaks_german() {
    let mut text = AlertText::default();
    let config = config("de", false);
    let german = line(&mut text, &config, EventKind::Alert(Box::new(alert())));
    assert!(german.starts_with("2026-11-21 21:54:03  Brett 23946  Art. 7.5.1  Weiß  "), "{german}");
    assert!(
        german.contains("Vorschlag: Gutschrift 60 s für Schwarz, Abzug des Inkrements, 10 s bei Weiß"),
        "{german}"
    );
    assert!(german.ends_with("[23946-3-2, sicher]"), "{german}");
    let update = line(&mut text, &config, update(AlertState::Expired, &[]));
    assert!(update.ends_with("illegal-move  abgelaufen"), "{update}");
}

#[test]
fn what_there_is_not_leaves_no_hole() {
    let bare = Alert {
        article: "".into(),
        proposal: None,
        window: None,
        side: Party::Both,
        text: "No link.\n".to_owned(),
        ..alert()
    };
    let mut text = AlertText::default();
    assert_eq!(
        line(&mut text, &Config::default(), EventKind::Alert(Box::new(bare))),
        "2026-11-21 21:54:03  Board 23946  Both  No link.  [23946-3-2, certain]"
    );
    let unknown = line(&mut AlertText::default(), &Config::default(), update(AlertState::Dismissed, &[]));
    assert_eq!(unknown, "2026-11-21 21:54:03  Board 23946  [23946-3-2]  dismissed");
}

#[test]
fn what_is_no_alert_has_no_line() {
    let link = EventKind::Link { state: LinkState::Up, port: "p".to_owned() };
    assert_eq!(AlertText::default().line(&event(link), TIME.to_owned(), &Config::default()), None);
}

#[test]
fn a_text_cannot_make_a_line_of_its_own() {
    let forged = Alert { text: "a\n2026-11-21 forged\u{1b}[31m".to_owned(), ..alert() };
    let line = line(&mut AlertText::default(), &Config::default(), EventKind::Alert(Box::new(forged)));
    assert!(!line.contains(['\n', '\u{1b}']), "{line:?}");
}

fn line(text: &mut AlertText, config: &Config, kind: EventKind) -> String {
    text.line(&event(kind), TIME.to_owned(), config).unwrap()
}

const TIME: &str = "2026-11-21 21:54:03";

fn event(kind: EventKind) -> Event {
    Event { at: Timestamp::ZERO, board: "23946".into(), kind }
}

fn config(language: &str, table: bool) -> Config {
    let table = if table { "[[table]]\nnumber = 3\nserial = '23946'\nwhite = 'Last, First'" } else { "" };
    Config::parse("t", &format!("event.language = '{language}'\n{table}"), &[]).unwrap()
}

pub(in crate::sinks) fn alert() -> Alert {
    Alert {
        id: "23946-3-2".to_owned(),
        game: 3,
        severity: jadoube_core::alert::Severity::Act,
        parts: jadoube_core::alert::Parts::default(),
        code: Code::IllegalMove,
        article: "7.5.1".into(),
        authority: None,
        edition: Edition::default(),
        side: Party::One(Color::White),
        ply: 23,
        confidence: Confidence::Certain,
        p: None,
        otherwise: None,
        state: AlertState::Open,
        facts: Map::new(),
        proposal: Some(Proposal {
            add: Some((60, Color::Black)),
            take_back: Some((10, Color::White)),
            result: None,
        }),
        window: Some("until black's next move is made".to_owned()),
        text: "White completed an illegal move: the king on e1 is left in check.".to_owned(),
    }
}

fn update(state: AlertState, facts: &[(&str, Value)]) -> EventKind {
    let facts = facts.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    EventKind::AlertUpdate(Box::new(AlertUpdate { id: "23946-3-2".to_owned(), state, since: None, facts }))
}
