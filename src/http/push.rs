//! Switches notifications for locked phones on and off: browsers say at which push service they can be reached.

#[cfg(feature = "push")]
mod phones;
/// A build without push services has no phones.
#[cfg(not(feature = "push"))]
mod phones {
    use axum::body::Body;

    use crate::http::{App, error::ApiError};

    fn absent<T>() -> Result<T, ApiError> {
        Err(ApiError::not_found("this build sends nothing to push services"))
    }

    #[expect(clippy::unused_async, reason = "with push services it reads a file")]
    pub(super) async fn key(_: &App) -> Result<String, ApiError> {
        absent()
    }

    #[expect(clippy::unused_async, reason = "with push services it writes a file")]
    pub(super) async fn add(_: &App, _: String, _: Body) -> Result<(), ApiError> {
        absent()
    }

    #[expect(clippy::unused_async, reason = "with push services it writes a file")]
    pub(super) async fn remove(_: &App, _: Body) -> Result<(), ApiError> {
        absent()
    }
}

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde_json::json;

use super::{App, error, error::ApiError, identity::Identity, serve::Peer};

/// `GET /api/push`: the key that browsers subscribe to.
pub(super) async fn key(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    account(&app, client, &headers).await?;
    Ok(error::json(&json!({ "key": phones::key(&app).await? })))
}

/// `POST /api/push`: a phone is switched on.
pub(super) async fn subscribe(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let account = account(&app, client, &headers).await?;
    Identity::arbiter(&app, client, &headers).await?;
    phones::add(&app, account, body).await?;
    Ok(error::json(&json!({ "done": true })))
}

/// `DELETE /api/push`: a phone is switched off.
pub(super) async fn unsubscribe(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    account(&app, client, &headers).await?;
    phones::remove(&app, body).await?;
    Ok(error::json(&json!({ "done": true })))
}

/// Returns the id of the account of whoever asks.
async fn account(app: &App, client: std::net::IpAddr, headers: &HeaderMap) -> Result<String, ApiError> {
    let identity = Identity::of(app, client, headers).await?;
    identity.count_order(app)?;
    let conflict = |reason: &str| ApiError::new(StatusCode::CONFLICT, reason);
    if app.daemon().is_remote() {
        return Err(conflict("phones are switched on at the desk of their hall"));
    }
    match identity {
        Identity::Session(session) => Ok(session.account.id),
        Identity::Token => Err(conflict("sign in with an own token: notifications go to an arbiter's phone")),
    }
}
