//! Answers what there is to see in the hall: every board in short.

use std::collections::BTreeMap;

use axum::{extract::State, http::HeaderMap, response::Response};
use serde::Serialize;
use serde_json::Value;
use shakmaty::{ByColor, Color};

use super::{App, gzip, rounds};
use crate::{
    config::{Config, TableSettings},
    view::{AlertView, BoardView, ClockView, GameView, Headway, PieceOnSquare, counts, in_air},
};
use jadoube_core::{
    laws::{Control, Edition, Language, TimeControl},
    side::side_name,
};
use jadoube_runtime::clock::SystemClock;

/// `GET /api/hall`.
pub(super) async fn hall(State(app): State<App>, headers: HeaderMap) -> Response {
    let (seq, boards) = app.daemon().view().read();
    let config = app.config();
    let hall = HallSummary {
        seq,
        at: SystemClock::start().started(),
        event: Event::of(&config),
        round: rounds::present(&app),
        boards: boards.values().map(|board| Summary::of(board, &config)).collect(),
    };
    // There is no secret in it, and nothing of the request.
    gzip::json(&hall, &headers).await
}

#[derive(Serialize)]
struct HallSummary<'a> {
    seq: u64,
    at: jiff::Timestamp,
    event: Event<'a>,
    /// The round that the pairings are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<Value>,
    boards: Vec<Summary<'a>>,
}

/// What is played.
#[derive(Serialize)]
struct Event<'a> {
    name: &'a str,
    rules: Edition,
    control: Control,
    supervised: bool,
    language: Language,
    time_control: Option<&'a TimeControl>,
    scan_ms: u32,
}

impl<'a> Event<'a> {
    fn of(config: &'a Config) -> Self {
        let event = &config.event;
        Self {
            name: &event.name,
            rules: event.rules,
            control: event.control,
            supervised: event.supervised,
            language: event.language,
            time_control: event.time_control.as_ref(),
            scan_ms: config.board.scan_ms,
        }
    }
}

/// A board in short.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    board: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hall: Option<&'a str>,
    serial: Option<&'a str>,
    port: &'a str,
    up: bool,
    #[serde(flatten)]
    seat: Seating<'a>,
    clock: Option<&'a ClockView>,
    battery: Option<u8>,
    game: Option<GameSummary<'a>>,
    in_air: Vec<PieceOnSquare>,
    muted_until: Option<jiff::Timestamp>,
    /// Irregularities on record in the present game, if there are any.
    offences: Option<Offences>,
    alerts: Vec<AlertSummary>,
}

/// How many irregularities of each player the arbiter has confirmed.
#[derive(Serialize)]
struct Offences {
    white: u64,
    black: u64,
}

impl Offences {
    fn of(board: &BoardView) -> Option<Self> {
        let counts = counts(board);
        let (white, black) = (counts.white.official, counts.black.official);
        (white > 0 || black > 0).then_some(Self { white, black })
    }
}

impl<'a> Summary<'a> {
    pub(super) fn of(board: &'a BoardView, config: &'a Config) -> Self {
        let alerts = board.open_alerts().map(|(_, alert)| AlertSummary::of(alert, board)).collect();
        Self { alerts, ..Self::without_alerts(board, config) }
    }

    /// Returns the same with no alerts in it.
    pub(super) fn without_alerts(board: &'a BoardView, config: &'a Config) -> Self {
        Self {
            board: &board.name,
            hall: board.hall.as_deref(),
            serial: board.serial.as_deref(),
            port: &board.port,
            up: board.up,
            seat: Seating::of(board, config),
            clock: board.clock.as_ref(),
            battery: board.battery,
            game: board.game.as_ref().map(GameSummary::of),
            in_air: in_air(board),
            muted_until: board.muted_until,
            offences: Offences::of(board),
            alerts: Vec::new(),
        }
    }
}

/// Who plays where.
#[derive(Serialize)]
pub(super) struct Seating<'a> {
    pub(super) table: Option<u32>,
    pub(super) white: &'a str,
    pub(super) black: &'a str,
}

impl<'a> Seating<'a> {
    pub(super) fn of(board: &BoardView, config: &'a Config) -> Self {
        let table: Option<&TableSettings> = board.serial.as_deref().and_then(|serial| config.table(serial));
        Self {
            table: table.and_then(|table| table.number),
            white: table.map_or("", |table| &table.white),
            black: table.map_or("", |table| &table.black),
        }
    }
}

/// A game in short.
#[derive(Serialize)]
struct GameSummary<'a> {
    number: u32,
    began: jiff::Timestamp,
    ply: usize,
    /// What is to be played next.
    #[serde(rename = "move")]
    next: Option<Next>,
    last: Option<Last<'a>>,
    fen: &'a str,
    result: Option<&'static str>,
    by: Option<&'static str>,
    /// How often White and Black have pressed, as the clock's counter shows it, if it is not what has been played.
    #[serde(skip_serializing_if = "Option::is_none")]
    presses: Option<[u32; 2]>,
}

#[derive(Serialize)]
struct Next {
    number: u32,
    side: &'static str,
}

#[derive(Serialize)]
struct Last<'a> {
    san: &'a str,
    uci: &'a str,
    side: &'static str,
    legal: bool,
    completed: bool,
}

impl<'a> GameSummary<'a> {
    fn of(game: &'a GameView) -> Self {
        let next = game.next();
        let last = game.moves.last().map(|last| Last {
            san: &last.san,
            uci: &last.uci,
            side: side_name(next.map_or(Color::White, |(_, side)| !side)),
            legal: last.legal,
            completed: last.completed,
        });
        Self {
            number: game.number,
            began: game.began,
            ply: game.moves.len(),
            next: next.map(|(number, side)| Next { number, side: side_name(side) }),
            last,
            fen: game.fen(),
            result: game.result,
            by: game.by,
            presses: game.counter().map(|ByColor { white, black }| [white, black]),
        }
    }
}

/// An alert in short.
#[derive(Serialize)]
pub(super) struct AlertSummary {
    at: jiff::Timestamp,
    changed: jiff::Timestamp,
    /// Whether somebody may have to deal with it; one that only says how a game has ended waits until its result is set.
    waits: bool,
    /// How far the arbiter is at board and clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Headway>,
    #[serde(flatten)]
    fields: BTreeMap<&'static str, Value>,
}

impl AlertSummary {
    pub(super) fn of(alert: &AlertView, board: &BoardView) -> Self {
        const SHOWN: [&str; 14] = [
            "id",
            "game",
            "severity",
            "parts",
            "code",
            "side",
            "ply",
            "article",
            "authority",
            "confidence",
            "state",
            "text",
            "window",
            "proposal",
        ];
        let mut fields = alert.fields.read();
        let fields = SHOWN.iter().filter_map(|key| Some((*key, fields.remove(*key)?))).collect();
        Self {
            at: alert.at,
            changed: alert.changed,
            waits: waits(alert, board.is_over()),
            progress: board.progress(alert),
            fields,
        }
    }
}

/// Returns whether somebody may have to deal with an alert.
pub(super) const fn waits(alert: &AlertView, is_over: bool) -> bool {
    alert.is_open() && !(is_over && alert.code.ends_game())
}
