//! Shows what an alert rests on: the events around a moment, the capture that replays it, the position in question.
//!
//! All of it is found by replaying the capture, one at a time, so that however many ask no board is delayed.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::json;
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    App, boards, error,
    error::ApiError,
    frames,
    slice::{Source, Span},
};
use crate::{
    desk::position,
    view::{AlertView, BoardView},
};
use jadoube_core::{
    capture::CaptureError,
    event::{Event, EventKind},
    laws::Language,
    time::Timestamp,
};

/// Longest stretch that is shown.
const LONGEST: Duration = Duration::from_mins(30);

/// Most events that are shown.
const MOST: usize = 5000;

/// What is cut out before an alert, and after it.
const BEFORE: Duration = Duration::from_mins(1);
const AFTER: Duration = Duration::from_secs(5);

/// How long somebody waits for others who have asked before.
const TURN: Duration = Duration::from_secs(10);

/// A stretch of a capture's timeline, seconds, or the alert in question.
#[derive(Debug, Deserialize)]
pub(super) struct EvidenceQuery {
    from: Option<String>,
    to: Option<String>,
    alert: Option<String>,
    /// Another language than the event's.
    language: Option<Language>,
}

/// `GET /api/boards/SERIAL/events?from=T&to=T`, or `?alert=ID`; `language=de` for another language than the event's.
pub(super) async fn events(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let (span, alert) = query.span(&board)?;
    let at = alert.map(|alert| alert.at);
    let language = query.language;
    let work = move |source: &Source| match language {
        Some(language) => source.in_language(language).all_events(span, MOST),
        None => source.all_events(span, MOST),
    };
    let events = with_capture(&app, &board, at, work).await?;
    Ok(error::json(&events))
}

/// `GET /api/boards/SERIAL/frames?from=T&to=T`, or `?alert=ID`: squares and clock after each of these events.
pub(super) async fn frames(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let (span, alert) = query.span(&board)?;
    let at = alert.map(|alert| alert.at);
    let language = query.language;
    let work = move |source: &Source| match language {
        Some(language) => frames::frames(&source.in_language(language), span, MOST),
        None => frames::frames(source, span, MOST),
    };
    Ok(error::json(&with_capture(&app, &board, at, work).await?))
}

/// `GET /api/boards/SERIAL/text?alert=ID&language=de`: sentence, its parts and window of an alert in another language.
pub(super) async fn text(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let (Some(id), Some(language)) = (&query.alert, query.language) else {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "say alert=ID and language=de or en"));
    };
    let alert = find_alert(&board, id)?;
    let (code, t) = (alert.code, alert.t);
    let work = move |source: &Source| {
        let source = source.in_language(language);
        let events = source.all_events(Span { from: t, to: t }, MOST)?;
        Ok(events.into_iter().find_map(|event| {
            let EventKind::Alert(alert) = event.kind else { return None };
            (alert.code == code).then_some((alert.text, alert.window, alert.parts))
        }))
    };
    match with_capture(&app, &board, Some(alert.at), work).await? {
        Some((text, window, parts)) => {
            Ok(error::json(&json!({ "text": text, "window": window, "parts": parts })))
        }
        None => Err(ApiError::not_found(format!("the capture does not tell of {id}"))),
    }
}

/// `GET /api/boards/SERIAL/capture?alert=ID`, or `?from=T&to=T`.
pub(super) async fn capture(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let (span, alert) = query.span(&board)?;
    let (at, wanted) = (alert.map(|alert| alert.at), alert.map(|alert| (alert.code, alert.t)));
    let text = with_capture(&app, &board, at, move |source| {
        source
            .cut(span, |events| wanted.is_none_or(|(code, t)| events.iter().any(|event| is(event, code, t))))
    })
    .await?;
    let name: String = query
        .alert
        .unwrap_or_else(|| serial.clone())
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}.dgtcap\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, text).into_response())
}

/// `GET /api/boards/SERIAL/position`: legal moves and who can still mate; with `?alert=ID` before the move in question.
pub(super) async fn position(
    State(app): State<App>,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let fen = match &query.alert {
        Some(id) => before(&board, find_alert(&board, id)?),
        None => board.game.as_ref().map(|game| game.fen().to_owned()),
    };
    let parsed = fen
        .as_deref()
        .and_then(position::parse)
        .ok_or_else(|| ApiError::not_found("there is no position"))?;
    let mut notes = position::describe(&parsed);
    if query.alert.is_none() {
        let turn = take_turn(&app).await?;
        let mate = spawn_blocking(move || position::search_mate(&parsed)).await;
        drop(turn);
        notes.mate = mate.ok();
    }
    Ok(error::json(&notes))
}

/// Returns the position that a player moved from.
fn before(board: &BoardView, alert: &AlertView) -> Option<String> {
    let facts = alert.fields.get("facts");
    if let Some(fen) = facts.and_then(|facts| facts.get("reinstate")).and_then(|fen| fen.as_str()) {
        return Some(fen.to_owned());
    }
    let game = board.game.as_ref()?;
    let ply = usize::try_from(alert.fields.get("ply")?.as_u64()?).ok()?;
    match ply.checked_sub(2) {
        None => Some(game.start.clone()),
        Some(index) => game.moves.get(index).map(|played| played.fen.to_string()),
    }
}

fn find_alert<'a>(board: &'a BoardView, id: &str) -> Result<&'a AlertView, ApiError> {
    board.alerts.get(id).ok_or_else(|| ApiError::not_found(format!("there is no alert {id}")))
}

fn is(event: &Event, code: jadoube_core::code::Code, t: Timestamp) -> bool {
    matches!(&event.kind, EventKind::Alert(alert) if alert.code == code && event.at == t)
}

impl EvidenceQuery {
    fn span<'a>(&self, board: &'a BoardView) -> Result<(Span, Option<&'a AlertView>), ApiError> {
        let bad = |reason: &str| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason);
        if let Some(id) = &self.alert {
            let alert = find_alert(board, id)?;
            return Ok((Span { from: alert.t.before(BEFORE), to: alert.t + AFTER }, Some(alert)));
        }
        let time = |text: &Option<String>| match text {
            None => Err(bad("say alert=ID, or from=SECONDS and to=SECONDS")),
            Some(text) => text.parse::<Timestamp>().map_err(|error| bad(&error.to_string())),
        };
        let (from, to) = (time(&self.from)?, time(&self.to)?);
        if to < from || to.since(from) > LONGEST {
            return Err(bad("at most half an hour, and its end comes after its beginning"));
        }
        Ok((Span { from, to }, None))
    }
}

async fn take_turn(app: &App) -> Result<tokio::sync::SemaphorePermit<'_>, ApiError> {
    match timeout(TURN, app.replays().acquire()).await {
        Ok(Ok(turn)) => Ok(turn),
        _ => Err(ApiError {
            retry_after: Some(TURN.as_secs()),
            ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "others look at captures; try again in a moment")
        }),
    }
}

async fn with_capture<T: Send + 'static>(
    app: &App,
    board: &BoardView,
    at: Option<jiff::Timestamp>,
    work: impl FnOnce(&Source) -> Result<T, CaptureError> + Send + 'static,
) -> Result<T, ApiError> {
    if app.daemon().is_remote() {
        return Err(ApiError::not_found(format!(
            "the capture of board {} is in its hall; ask the desk there",
            board.name
        )));
    }
    let _turn = take_turn(app).await?;
    let (config, port, name): (_, Arc<str>, _) = (app.config(), board.port.clone(), board.name.clone());
    let found = spawn_blocking(move || match Source::open(config, port, name, at)? {
        Some(source) => work(&source).map(Some),
        None => Ok(None),
    });
    match found.await {
        Ok(Ok(Some(found))) => Ok(found),
        Ok(Ok(None)) => Err(ApiError::not_found("there is no capture of that time")),
        Ok(Err(error)) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the capture cannot be replayed")),
    }
}
