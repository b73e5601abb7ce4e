//! Decides who may read what is live: positions, moves, alerts, captures and figures.
//!
//! | page | who may read it |
//! |---|---|
//! | the desk's files, games after their delay, whether all is well | everybody |
//! | everything else | whoever has the arbiter's token or an own one; without a delay also programs on this machine |
//! | `/metrics` | the same, and whoever has the token in `http.metrics_token_file` |
//!
//! A request that a proxy has passed on does not come from this machine, wherever the proxy runs.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use tokio::{select, sync::watch};

use super::{
    App,
    error::ApiError,
    host,
    identity::Identity,
    serve::{self, Peer},
    token,
};
use crate::config::Config;

/// Passes a request for something live on, or refuses it.
pub(super) async fn require_reader(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    match check(&app, peer, request.headers()).await {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Passes a request for the figures on, or refuses it.
pub(super) async fn require_monitor(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let file = app.config().http.as_ref().and_then(|http| http.metrics_token_file.clone());
    let is_monitor = match file {
        Some(file) => token::matches(&app, peer.0, file, request.headers()).await,
        None => false,
    };
    if is_monitor {
        serve::recognise(true);
    }
    let checked = if is_monitor { Ok(()) } else { check(&app, peer, request.headers()).await };
    match checked {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Returns whether a request may read what is live.
pub(super) async fn may_read(app: &App, peer: Peer, headers: &HeaderMap) -> bool {
    is_local(&app.config(), peer, headers)
        || [header::AUTHORIZATION, header::COOKIE].iter().any(|name| headers.contains_key(name))
            && check(app, peer, headers).await.is_ok()
}

async fn check(app: &App, peer: Peer, headers: &HeaderMap) -> Result<(), ApiError> {
    if is_local(&app.config(), peer, headers) {
        serve::recognise(true);
        return Ok(());
    }
    Identity::of(app, peer.0, headers).await.map(drop)
}

/// Returns whether a request needs no token, because it comes from this machine and nothing is held back.
fn is_local(config: &Config, Peer(peer): Peer, headers: &HeaderMap) -> bool {
    !config.has_delay() && host::is_from_here(peer, headers)
}

/// Somebody to whom live events are streamed.
#[derive(Debug)]
pub(super) struct Reader {
    app: App,
    peer: Peer,
    headers: HeaderMap,
    /// The configuration with which the reader was looked at last.
    config: watch::Receiver<Arc<Config>>,
    /// The token with which that was done.
    token: watch::Receiver<()>,
}

impl Reader {
    /// Remembers who was let in.
    pub(super) fn new(app: &App, peer: Peer, headers: &HeaderMap) -> Self {
        // Changes since the service began count as new, also one of this moment.
        let (config, token) = (app.0.config.clone(), app.token().changes());
        Self { app: app.clone(), peer, headers: headers.clone(), config, token }
    }

    /// Waits until a new configuration lets the reader in no more, as one with a delay for whoever has no token, or a new token for
    /// whoever has the old one.
    pub(super) async fn shut_out(mut self) {
        loop {
            let changed = select! {
                changed = self.config.changed() => changed,
                changed = self.token.changed() => changed,
            };
            if changed.is_err() {
                return std::future::pending().await;
            }
            if !may_read(&self.app, self.peer, &self.headers).await {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[track_caller]
    fn check_local(config: &str, peer: &str, lines: &[(&str, &str)], expected: bool) {
        let config = Config::parse("t", config, &[]).unwrap();
        let headers = lines
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap()))
            .collect();
        assert_eq!(is_local(&config, Peer(peer.parse().unwrap()), &headers), expected, "{peer} {lines:?}");
    }

    #[test]
    fn this_machine_alone_reads_without_a_token_unless_delayed() {
        let host = ("host", "127.0.0.1:8080");
        check_local("", "127.0.0.1", &[host], true);
        check_local("", "::1", &[("host", "localhost")], true);
        check_local("", "192.168.1.2", &[host], false);
        check_local("[pgn]\ndelay_s = 1", "127.0.0.1", &[host], false);
        check_local("[[table]]\nserial = '1'\ndelay_s = 1", "127.0.0.1", &[host], false);
        check_local("[pgn]\ndelay_s = 0", "127.0.0.1", &[host], true);
    }

    #[test]
    fn whom_a_proxy_speaks_for_is_not_on_this_machine() {
        let host = ("host", "127.0.0.1:8080");
        let by_address = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
        for name in
            by_address.into_iter().chain(["x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"])
        {
            check_local("", "127.0.0.1", &[host, (name, "127.0.0.1")], false);
        }
        check_local("", "127.0.0.1", &[("host", "hall.example")], false);
        let trusted = "[http]\ntrusted_proxies = ['127.0.0.1']";
        check_local(trusted, "127.0.0.1", &[host, ("x-forwarded-for", "127.0.0.1")], false);
    }
}
