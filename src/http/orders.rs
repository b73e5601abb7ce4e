//! Takes the arbiter's orders and writes down who gave them.

use std::{net::IpAddr, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    App, boards, body,
    error::{self, ApiError},
    hall::Seating,
    identity::Identity,
    query::Path,
    serve::Peer,
};
use crate::{audit, view::BoardView};
use jadoube_core::{
    order::{Order, OrderError},
    settings::check_addressee,
};
use jadoube_runtime::clock::SystemClock;

/// How long a board may take to carry one out.
const CARRYING_OUT: Duration = Duration::from_secs(10);

/// Header with the name of whoever gives an order, percent-encoded.
const ARBITER: &str = "x-arbiter";

/// Longest name, characters.
const LONGEST_NAME: usize = 64;

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
    let value: Value = serde_json::from_str(text).map_err(|error| unprocessable(error.to_string()))?;
    check_addressee(Order::addressee(text).as_deref(), &board.name)
        .map_err(|error| ApiError::new(StatusCode::CONFLICT, error))?;
    // An order for another game than the present one came too late. An alert's order is for the alert's own game, and a result may be
    // given to an earlier one.
    let is_late = matches!(order.inner(), Order::Result { .. });
    let of_game = order.alert().is_none() && !is_late;
    let named = value.get("game").and_then(Value::as_u64).filter(|_| of_game);
    let present = board.game.as_ref().map(|game| u64::from(game.number));
    if let (Some(named), Some(present)) = (named, present)
        && named != present
    {
        let reason = format!("the order is for game {named}, and game {present} is on the board");
        return Err(ApiError::new(StatusCode::CONFLICT, reason));
    }
    let order_alert = order.alert().map(str::to_owned);
    let name = identity.name().map(str::to_owned).or_else(|| sent_name(&headers));
    let by = name.as_deref().unwrap_or_default();
    let outcome = timeout(CARRYING_OUT, app.daemon().order(&board.name, order, by)).await;
    let outcome = match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ OrderError::Syntax(_))) => Err(unprocessable(error.to_string())),
        Ok(Err(error @ OrderError::Refused(_))) => {
            Err(ApiError::new(StatusCode::CONFLICT, error.to_string()))
        }
        Err(_) => {
            let reason = "the board takes no orders at present; the order may still be carried out";
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, reason))
        }
    };
    let about = order_alert.unwrap_or_default();
    let mut entry = record_of(&app, &board, &about, (name, client), value);
    entry.refused = outcome.as_ref().err().map(|error| error.reason.clone());
    audit::record(app.config().log_dir.clone(), entry).await;
    outcome.map(|()| error::json(&json!({ "done": true })))
}

/// Makes an entry of the list of orders; `by` is who gave it, and where from.
pub(super) fn record_of(
    app: &App,
    board: &BoardView,
    alert: &str,
    (arbiter, client): (Option<String>, IpAddr),
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
    audit::OrderRecord {
        at: SystemClock::start().started(),
        arbiter: arbiter.filter(|name| !name.is_empty()),
        address: Some(client),
        board: board.name.to_string(),
        order,
        refused: None,
        about,
    }
}

/// `GET /api/audit`: the latest orders, oldest first.
pub(super) async fn audit(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::arbiter(&app, client, &headers).await?;
    let directory = app.config().log_dir.clone();
    match spawn_blocking(move || audit::read(&directory)).await {
        Ok(Ok(entries)) => Ok(error::json(&entries)),
        Ok(Err(error)) => {
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", audit::NAME)))
        }
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the list cannot be read")),
    }
}

fn unprocessable(reason: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
}

/// Returns the name of whoever gives an order with the token of the daemon, as it was sent.
pub(super) fn sent_name(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(ARBITER)?.to_str().ok()?;
    let text = percent_decode_str(text).decode_utf8().ok()?;
    let name: String = text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sent: &str, expected: Option<&str>) {
        let headers = [(ARBITER.parse().unwrap(), sent.parse().unwrap())].into_iter().collect();
        assert_eq!(sent_name(&headers).as_deref(), expected);
    }

    #[test]
    fn names_are_decoded_and_cut() {
        check("Ada", Some("Ada"));
        check("J%C3%BCrgen%20M.", Some("Jürgen M."));
        check("a%0Ab%00", Some("ab"));
        check("50 %", Some("50 %"));
        check("%zz", Some("%zz"));
        check("%ff", None);
        check(" ", None);
        check(&"x".repeat(100), Some(&"x".repeat(LONGEST_NAME)));
    }
}
