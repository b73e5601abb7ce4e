//! Takes the arbiter's orders and writes down who gave them.

use std::{collections::BTreeSet, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    App, boards, body,
    by::{By, entry_of},
    error::{self, ApiError},
    hall::Seating,
    identity::Identity,
    query::{Path, Query},
    serve::Peer,
};
use crate::{
    audit,
    view::{BoardView, transfer_of},
};
use jadoube_core::{
    order::{CarriedOut, Order, OrderError},
    printable::is_seen,
    settings::check_addressee,
};
use jadoube_runtime::clock::SystemClock;

/// How long a board may take to carry one out.
const CARRYING_OUT: Duration = Duration::from_secs(10);

/// The answer to an order that was carried out.
#[derive(Serialize)]
struct OrderDone {
    done: bool,
    #[serde(flatten)]
    carried_out: CarriedOut,
}

/// `POST /api/boards/SERIAL/orders`.
pub(super) async fn order(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(serial): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let body = body::receive(body).await?;
    let board = boards::find(&app, &serial)?;
    let text = str::from_utf8(&body).map_err(|_| unprocessable("the order is not UTF-8"))?;
    let order = Order::parse(text).map_err(|error| unprocessable(error.to_string()))?;
    if order.is_internal() {
        return Err(unprocessable("nobody may enter this"));
    }
    let mut value: Value = serde_json::from_str(text).map_err(|error| unprocessable(error.to_string()))?;
    if let Some(Value::String(reason)) = value.get_mut("reason") {
        reason.retain(|sign| sign.is_control() || is_seen(sign));
    }
    check_addressee(Order::addressee(text).as_deref(), &board.name)
        .map_err(|error| ApiError::new(StatusCode::CONFLICT, error))?;
    // An order for another game than the present one came too late. An alert's order is for the alert's own game, and a result may be
    // given to an earlier one.
    let is_late = matches!(order.inner(), Order::Result { .. } | Order::Continue { .. });
    let of_game = order.alert().is_none() && !is_late;
    let named = value.get("game").and_then(Value::as_u64).filter(|_| of_game);
    let present = board.game.as_ref().map(|game| u64::from(game.number));
    if let (Some(named), Some(present)) = (named, present)
        && named != present
    {
        let reason = format!("the order is for game {named}, and game {present} is on the board");
        return Err(ApiError::new(StatusCode::CONFLICT, reason));
    }
    identity.check_board(&app, &board)?;
    for other in others(&app, &order) {
        match app.daemon().view().board(&other) {
            Some(other) => identity.check_board(&app, &other)?,
            None => identity.check_table(&app, None, None)?,
        }
    }
    let order_alert = order.alert().map(str::to_owned);
    let by = By::of(&identity, &headers, client);
    let about = order_alert.unwrap_or_default();
    let mut entry = record_of(&app, &board, &about, by.clone(), value);
    let place = audit::Place::of(&app.config());
    // A kill between here and the entry leaves a note of it.
    let pending = app.daemon().audit().begin(place.clone(), &entry).await;
    let by = by.name.as_deref().unwrap_or_default();
    let outcome = timeout(CARRYING_OUT, app.daemon().order(&board.name, order, by)).await;
    let outcome = match outcome {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error @ OrderError::Syntax(_))) => Err(unprocessable(error.to_string())),
        Ok(Err(error @ OrderError::Refused(_))) => {
            Err(ApiError::new(StatusCode::CONFLICT, error.to_string()))
        }
        Err(_) => {
            let reason = "the board takes no orders at present; the order may still be carried out";
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, reason))
        }
    };
    entry.at = SystemClock::start().started();
    entry.refused = outcome.as_ref().err().map(|error| error.reason.clone());
    entry.id = outcome.as_ref().ok().map(|done| done.id.clone()).filter(|id| !id.is_empty());
    pending.finish(place, entry).await;
    outcome.map(|done| error::json(&OrderDone { done: true, carried_out: done }))
}

/// Returns the boards that an order names besides the one to which it is sent, and changes as well.
fn others(app: &App, order: &Order) -> Vec<String> {
    if let Order::Continue { to, from, .. } = order.inner() {
        return [to, from].into_iter().flatten().cloned().collect();
    }
    let Order::Undo { id: Some(id), .. } = order.inner() else { return Vec::new() };
    let transfer = transfer_of(&app.daemon().view().read().1, id);
    transfer.into_iter().flat_map(|known| [known.to.0, known.from.0]).map(|name| name.to_string()).collect()
}

/// Makes an entry of the list of orders.
pub(super) fn record_of(
    app: &App,
    board: &BoardView,
    alert: &str,
    by: By,
    order: Value,
) -> audit::OrderRecord {
    let config = app.config();
    let seat = Seating::of(board, &config);
    let alert = board.alerts.get(alert);
    let about = audit::About {
        table: seat.table,
        white: seat.white.to_owned(),
        black: seat.black.to_owned(),
        code: alert.map(|alert| alert.code.name()),
        side: alert.and_then(|alert| alert.fields.text("side")),
    };
    entry_of(by, board.name.to_string(), order, about)
}

#[derive(Debug, Deserialize)]
pub(super) struct AuditQuery {
    /// Only rulings on alerts that stand, so many of them.
    rulings: Option<usize>,
}

/// `GET /api/audit`: the latest orders, oldest first.
pub(super) async fn audit(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Query(AuditQuery { rulings }): Query<AuditQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::arbiter(&app, client, &headers).await?;
    let directory = app.config().log_dir.clone();
    match spawn_blocking(move || audit::read(&directory)).await {
        Ok(Ok(entries)) => Ok(error::json(&match rulings {
            Some(most) => rulings_of(entries, most),
            None => entries,
        })),
        Ok(Err(error)) => {
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", audit::NAME)))
        }
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the list cannot be read")),
    }
}

/// Returns the latest rulings on alerts that no later order has taken back or replaced.
fn rulings_of(entries: Vec<Value>, most: usize) -> Vec<Value> {
    let text = |entry: &Value, path: &str| entry.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let (mut settled, mut undone) = (BTreeSet::new(), BTreeSet::new());
    let mut stands = |entry: &Value| {
        if text(entry, "/refused").is_some() {
            return false;
        }
        let alert = text(entry, "/order/alert");
        match text(entry, "/order/order").as_deref() {
            Some("undo") => {
                undone.extend(text(entry, "/order/id"));
                settled.extend(alert);
                false
            }
            Some("confirm" | "dismiss" | "story") => {
                !text(entry, "/id").is_some_and(|id| undone.contains(&id))
                    && alert.is_some_and(|alert| settled.insert(alert))
            }
            _ => false,
        }
    };
    let mut found: Vec<Value> = entries.into_iter().rev().filter(|entry| stands(entry)).take(most).collect();
    found.reverse();
    found
}

fn unprocessable(reason: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rulings_that_were_taken_back_do_not_stand() {
        let entry = |order: &str, alert: &str, id: &str| json!({ "order": { "order": order, "alert": alert }, "id": id });
        let mut refused = entry("confirm", "1-1-4", "o9");
        refused["refused"] = json!("the alert is closed");
        let entries = vec![
            entry("confirm", "1-1-1", "o1"),
            entry("dismiss", "1-1-2", "o2"),
            entry("confirm", "1-1-3", "o3"),
            json!({ "order": { "order": "undo", "id": "o3" } }),
            entry("going", "1-1-5", ""),
            refused,
            entry("undo", "1-1-2", "o4"),
            entry("story", "1-1-2", "o5"),
            entry("dismiss", "1-1-1", "o6"),
        ];
        let ids = |most: usize| -> Vec<String> {
            rulings_of(entries.clone(), most)
                .iter()
                .map(|one| one["id"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(ids(9), ["o5", "o6"]);
        assert_eq!(ids(1), ["o6"]);
    }
}
