//! Shows what an alert rests on: the events around a moment, the capture that replays it, the position in question.
//!
//! All of it is found by replaying the capture, one at a time, so that however many ask no board is delayed.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::task::spawn_blocking;

use super::{
    App, boards, error,
    error::ApiError,
    frames,
    query::{Path, Query},
    replays::{Asker, TURN, Turn},
    slice::{CaptureSource, Span},
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

/// What is shown before and after an instant of the day.
const BEFORE_INSTANT: Duration = Duration::from_secs(30);
const AFTER_INSTANT: Duration = Duration::from_secs(10);

/// A stretch of a capture's timeline, seconds; the alert in question; or an instant of any game, which says also where
/// to look for an alert of an earlier one.
#[derive(Debug, Deserialize)]
pub(super) struct EvidenceQuery {
    from: Option<String>,
    to: Option<String>,
    alert: Option<String>,
    at: Option<jiff::Timestamp>,
    /// Another language than the event's.
    language: Option<Language>,
}

/// `GET /api/boards/SERIAL/events?from=T&to=T`, `?alert=ID` or `?at=INSTANT`; `language=de` for another language than
/// the event's.
pub(super) async fn events(
    State(app): State<App>,
    client: Asker,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let place = query.place(&board)?;
    let language = query.language;
    let question = format!("events {} {place:?} {language:?}", board.name);
    let work = move |source: &CaptureSource| source.spoken(language).all_events(place.span(source), MOST);
    shared(&app, client, &board, place.at(), question, work).await
}

/// `GET /api/boards/SERIAL/frames?from=T&to=T`, `?alert=ID` or `?at=INSTANT`: squares and clock after each of these
/// events.
pub(super) async fn frames(
    State(app): State<App>,
    client: Asker,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let place = query.place(&board)?;
    let language = query.language;
    let question = format!("frames {} {place:?} {language:?}", board.name);
    let work =
        move |source: &CaptureSource| frames::frames(&source.spoken(language), place.span(source), MOST);
    shared(&app, client, &board, place.at(), question, work).await
}

/// `GET /api/boards/SERIAL/text?alert=ID&language=de`: sentence, its parts, window and other story of an alert in another
/// language;
/// `at=INSTANT` for an alert of an earlier game.
pub(super) async fn text(
    State(app): State<App>,
    client: Asker,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let (Some(id), Some(language)) = (query.alert.clone(), query.language) else {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "say alert=ID and language=en, de, fr, es or it",
        ));
    };
    let place = query.place(&board)?;
    let code = board.alerts.get(&id).map(|alert| (alert.code, alert.t));
    let wanted = id.clone();
    let work = move |source: &CaptureSource| {
        let events = source.in_language(language).all_events(place.span(source), MOST)?;
        let mut found: Option<(String, Map<String, Value>)> = None;
        for event in events {
            match (event.kind, &mut found) {
                (EventKind::Alert(alert), None)
                    if code == Some((alert.code, event.at)) || alert.id == wanted =>
                {
                    let mut said = Map::new();
                    said.insert("text".to_owned(), alert.text.into());
                    said.insert("window".to_owned(), json!(alert.window));
                    said.insert("parts".to_owned(), json!(alert.parts));
                    said.extend(alert.otherwise.map(|story| ("otherwise".to_owned(), story.into())));
                    found = Some((alert.id, said));
                }
                // The other story is another one when more has been read.
                (EventKind::AlertUpdate(update), Some((id, said))) if update.id == *id => {
                    said.extend(update.facts.get_key_value("otherwise").map(|(k, v)| (k.clone(), v.clone())));
                }
                _ => {}
            }
        }
        Ok(found.map(|(_, said)| said))
    };
    let turn = take_turn(&app, client).await?;
    match with_capture(&app, turn, &board, place.at(), work).await?.1 {
        Some(said) => Ok(error::json(&said)),
        None => Err(ApiError::not_found(format!("the capture has nothing of {id}"))),
    }
}

/// `GET /api/boards/SERIAL/capture?alert=ID`, `?from=T&to=T` or `?at=INSTANT`.
pub(super) async fn capture(
    State(app): State<App>,
    client: Asker,
    Path(serial): Path<String>,
    Query(query): Query<EvidenceQuery>,
) -> Result<Response, ApiError> {
    let board = boards::find(&app, &serial)?;
    let place = query.place(&board)?;
    let id = query.alert.clone().unwrap_or_default();
    let wanted = board.alerts.get(&id).map(|alert| (alert.code, alert.t));
    let turn = take_turn(&app, client).await?;
    let (_, text) = with_capture(&app, turn, &board, place.at(), move |source| {
        source.cut(place.span(source), |events| {
            wanted.is_none_or(|(code, t)| events.iter().any(|event| is(event, code, t)))
        })
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
    client: Asker,
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
        let turn = take_turn(&app, client).await?;
        let search = move || (position::search_mate(&parsed), turn);
        notes.mate = spawn_blocking(search).await.ok().map(|(mate, _)| mate);
    }
    Ok(error::json(&notes))
}

/// Returns the position that a player moved from.
fn before(board: &BoardView, alert: &AlertView) -> Option<String> {
    let fields = alert.fields.read();
    let facts = fields.get("facts");
    if let Some(fen) = facts.and_then(|facts| facts.get("reinstate")).and_then(|fen| fen.as_str()) {
        return Some(fen.to_owned());
    }
    let game = board.game.as_ref()?;
    let ply = usize::try_from(fields.get("ply")?.as_u64()?).ok()?;
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

/// Where evidence is found.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A stretch of the timeline of the newest capture, or of the one that holds an instant.
    Timeline(Span, Option<jiff::Timestamp>),
    /// A stretch around an instant of the day: so much before and after it.
    Around(jiff::Timestamp, Duration, Duration),
}

impl Place {
    /// Returns the instant by which the capture is found.
    const fn at(self) -> Option<jiff::Timestamp> {
        match self {
            Self::Timeline(_, at) => at,
            Self::Around(at, ..) => Some(at),
        }
    }

    /// Returns the stretch on the timeline of its capture.
    fn span(self, source: &CaptureSource) -> Span {
        match self {
            Self::Timeline(span, _) => span,
            Self::Around(at, before, after) => {
                let at = source.timestamp(at);
                Span { from: at.before(before), to: at + after }
            }
        }
    }
}

impl EvidenceQuery {
    fn place(&self, board: &BoardView) -> Result<Place, ApiError> {
        let bad = |reason: &str| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason);
        if let Some(id) = &self.alert {
            return match (board.alerts.get(id), self.at) {
                (Some(alert), _) => {
                    let span = Span { from: alert.t.before(BEFORE), to: alert.t + AFTER };
                    Ok(Place::Timeline(span, Some(alert.at)))
                }
                (None, Some(at)) => Ok(Place::Around(at, BEFORE, AFTER)),
                (None, None) => Err(ApiError::not_found(format!("there is no alert {id}"))),
            };
        }
        if let Some(at) = self.at {
            return Ok(Place::Around(at, BEFORE_INSTANT, AFTER_INSTANT));
        }
        let time = |text: &Option<String>| match text {
            None => Err(bad("say alert=ID, at=INSTANT, or from=SECONDS and to=SECONDS")),
            Some(text) => text.parse::<Timestamp>().map_err(|error| bad(&error.to_string())),
        };
        let (from, to) = (time(&self.from)?, time(&self.to)?);
        if to < from || to.since(from) > LONGEST {
            return Err(bad("at most half an hour, and its end comes after its beginning"));
        }
        Ok(Place::Timeline(Span { from, to }, None))
    }
}

async fn take_turn(app: &App, client: Asker) -> Result<Turn, ApiError> {
    app.replays().turn(client).await.ok_or_else(|| ApiError {
        retry_after: Some(TURN.as_secs()),
        ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "others look at captures; try again in a moment")
    })
}

/// Answers a question that many may ask at once, as of an alert that everybody looks at: those who wait for the same get it from one replay.
async fn shared<T: Serialize + Send + 'static>(
    app: &App,
    client: Asker,
    board: &BoardView,
    at: Option<jiff::Timestamp>,
    question: String,
    work: impl FnOnce(&CaptureSource) -> Result<T, CaptureError> + Send + 'static,
) -> Result<Response, ApiError> {
    let turn = take_turn(app, client).await?;
    if let Some(answer) = app.replays().answer(&turn, &question) {
        return Ok(error::json_text(answer));
    }
    // Long answers are written where they delay nobody.
    let written = move |source: &CaptureSource| Ok(error::json_bytes(&work(source)?));
    let (turn, answer) = with_capture(app, turn, board, at, written).await?;
    let answer = answer.map_err(|status| ApiError::new(status, "the answer cannot be written"))?;
    app.replays().keep(&turn, question, &answer);
    Ok(error::json_text(answer))
}

/// Has a capture replayed by whoever has the turn, and gives that back. Whoever hangs up meanwhile leaves it to the replay, which goes on:
/// else any number of them would run.
async fn with_capture<T: Send + 'static>(
    app: &App,
    turn: Turn,
    board: &BoardView,
    at: Option<jiff::Timestamp>,
    work: impl FnOnce(&CaptureSource) -> Result<T, CaptureError> + Send + 'static,
) -> Result<(Turn, T), ApiError> {
    if app.daemon().is_remote() {
        return Err(ApiError::not_found(format!(
            "the capture of board {} is in its hall; ask the desk there",
            board.name
        )));
    }
    let (config, port, name): (_, Arc<str>, _) = (app.config(), board.port.clone(), board.name.clone());
    let find = move || {
        let source = CaptureSource::open(config, port, name, at)?;
        Ok::<_, CaptureError>((turn, source.map(|source| work(&source)).transpose()?))
    };
    match spawn_blocking(find).await {
        Ok(Ok((turn, Some(found)))) => Ok((turn, found)),
        Ok(Ok((_, None))) => Err(ApiError::not_found("there is no capture of that time")),
        Ok(Err(error)) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the capture cannot be replayed")),
    }
}
