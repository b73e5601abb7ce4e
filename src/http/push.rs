//! Switches notifications for locked phones on and off: browsers say at which push service they can be reached.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde_json::json;

use super::{App, error, error::ApiError, identity::Identity, serve::Peer};
#[cfg(feature = "push")]
use super::{arbiters, orders};
#[cfg(feature = "push")]
use crate::{
    accounts::{PushError, Subscription, Subscriptions},
    notify::PushKey,
};

/// `GET /api/push`: the key that browsers subscribe to.
pub(super) async fn key(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    account(&app, client, &headers).await?;
    #[cfg(feature = "push")]
    {
        let directory = app.config().state_dir.clone();
        let key = work(move || Ok(PushKey::open(&directory)?.public())).await?;
        Ok(error::json(&json!({ "key": key })))
    }
    #[cfg(not(feature = "push"))]
    Err(absent())
}

/// `POST /api/push`: a phone is switched on.
pub(super) async fn subscribe(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let account = account(&app, client, &headers).await?;
    #[cfg(feature = "push")]
    {
        let subscription: Subscription = arbiters::parse(&orders::receive(body).await?)?;
        let config = app.config();
        let services = config.http.clone().unwrap_or_default().push_services;
        work(move || Subscriptions::of(&config.state_dir).add(&account, subscription, &services)).await?;
        Ok(error::json(&json!({ "done": true })))
    }
    #[cfg(not(feature = "push"))]
    {
        drop((account, body));
        Err(absent())
    }
}

/// `DELETE /api/push`: a phone is switched off.
pub(super) async fn unsubscribe(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    account(&app, client, &headers).await?;
    #[cfg(feature = "push")]
    {
        #[derive(serde::Deserialize)]
        struct Gone {
            endpoint: String,
        }
        let Gone { endpoint } = arbiters::parse(&orders::receive(body).await?)?;
        let directory = app.config().state_dir.clone();
        // Whoever knows the address of a subscription has it.
        work(move || Subscriptions::of(&directory).remove(&endpoint)).await?;
        Ok(error::json(&json!({ "done": true })))
    }
    #[cfg(not(feature = "push"))]
    {
        drop(body);
        Err(absent())
    }
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

#[cfg(feature = "push")]
async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PushError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = || {
        let reason = "the phones cannot be written down; the daemon's messages say why";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| failed())?.map_err(|error| match error {
        PushError::Service(_) | PushError::Keys => {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
        }
        PushError::File(_) => {
            tracing::error!(%error, "the phones cannot be written down");
            failed()
        }
    })
}

#[cfg(not(feature = "push"))]
fn absent() -> ApiError {
    ApiError::not_found("this build sends nothing to push services")
}
