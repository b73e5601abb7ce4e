//! Takes the arbiter's orders and writes down who gave them.

use std::{net::IpAddr, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    App, boards, body,
    error::{self, ApiError},
    hall::Seating,
    identity::{Identity, sent_name},
    query::Path,
    serve::Peer,
};
use crate::{audit, view::BoardView};
use jadoube_core::{
    order::{CarriedOut, Order, OrderError},
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
    let value: Value = serde_json::from_str(text).map_err(|error| unprocessable(error.to_string()))?;
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
    let table = Seating::of(&board, &app.config()).table;
    identity.check_table(&app, board.hall.as_deref(), table)?;
    let order_alert = order.alert().map(str::to_owned);
    let by = By::of(&identity, &headers, client);
    let about = order_alert.unwrap_or_default();
    let mut entry = record_of(&app, &board, &about, by.clone(), value);
    let directory = app.config().log_dir.clone();
    // A kill between here and the entry leaves a note of it.
    let pending = app.daemon().audit().begin(directory.clone(), &entry).await;
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
    pending.finish(directory, entry).await;
    outcome.map(|done| error::json(&OrderDone { done: true, carried_out: done }))
}

/// Who gives an order, and where from.
#[derive(Clone, Debug)]
pub(super) struct By {
    pub(super) name: Option<String>,
    /// Whether the name is that of no account.
    is_claimed: bool,
    client: IpAddr,
}

impl By {
    pub(super) fn of(identity: &Identity, headers: &HeaderMap, client: IpAddr) -> Self {
        let own = identity.name().map(str::to_owned);
        let is_claimed = own.is_none();
        Self { name: own.or_else(|| sent_name(headers)), is_claimed, client }
    }

    /// Names an account that has shown who it is.
    pub(super) const fn account(name: String, client: IpAddr) -> Self {
        Self { name: Some(name), is_claimed: false, client }
    }
}

/// Writes down what somebody has done that is for no board, such as `sign-in`; `more` says what about it.
pub(super) async fn note(app: &App, by: By, what: &str, more: Value) {
    let mut order = json!({ "order": what });
    if let (Value::Object(order), Value::Object(more)) = (&mut order, more) {
        order.extend(more);
    }
    let entry = entry_of(by, String::new(), order, audit::About::default());
    app.daemon().audit().note(app.config().log_dir.clone(), entry).await;
}

fn entry_of(by: By, board: String, order: Value, about: audit::About) -> audit::OrderRecord {
    let now = SystemClock::start().started();
    let arbiter = by.name.filter(|name| !name.is_empty());
    let claimed = by.is_claimed && arbiter.is_some();
    audit::OrderRecord {
        at: now,
        given: now,
        claimed,
        arbiter,
        address: Some(by.client),
        board,
        order,
        refused: None,
        id: None,
        about,
    }
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
