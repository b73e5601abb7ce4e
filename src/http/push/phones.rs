//! The list of phones that ring while they are locked, and the key for their push services.

use axum::{body::Body, http::StatusCode};
use serde::Deserialize;
use tokio::task::spawn_blocking;
use tracing::error;

use crate::{
    accounts::{PushError, Subscription, Subscriptions},
    http::{App, body::receive_json, error::ApiError},
    notify::PushKey,
};

/// A phone that is switched off.
#[derive(Deserialize)]
struct Gone {
    endpoint: String,
}

/// Returns the key that browsers subscribe to.
pub(super) async fn key(app: &App) -> Result<String, ApiError> {
    let directory = app.config().state_dir.clone();
    work(move || Ok(PushKey::open(&directory)?.public())).await
}

/// Adds the phone of an account.
pub(super) async fn add(app: &App, account: String, body: Body) -> Result<(), ApiError> {
    let subscription: Subscription = receive_json(body).await?;
    let config = app.config();
    let services = config.http.clone().unwrap_or_default().push_services;
    work(move || Subscriptions::of(&config.state_dir).add(&account, subscription, &services)).await
}

/// Removes a phone: whoever knows the address of a subscription has it.
pub(super) async fn remove(app: &App, body: Body) -> Result<(), ApiError> {
    let Gone { endpoint } = receive_json(body).await?;
    let directory = app.config().state_dir.clone();
    work(move || Subscriptions::of(&directory).remove(&endpoint)).await
}

async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PushError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = || {
        let reason = "the phones cannot be written down; the daemon's messages say why";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    };
    spawn_blocking(work).await.map_err(|_| failed())?.map_err(|error| match error {
        PushError::Service(_) | PushError::Keys => {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
        }
        PushError::File(_) => {
            error!(%error, "the phones cannot be written down");
            failed()
        }
    })
}
