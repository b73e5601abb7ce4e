//! Serves the public: games after their delay, and whether all is well. Nothing live can be reached here.

mod page;

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::get,
};
use tokio::{select, sync::watch, task::JoinSet, time::interval};

use super::{error::ApiError, host, listener::Listener, serve};
use crate::service::{DaemonHandle, ServiceContext};

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    #[cfg(feature = "pgn")]
    let games = crate::pgn::router(context.games.clone(), context.config.clone());
    #[cfg(not(feature = "pgn"))]
    let games = Router::new();
    let page = page::router(context.games.clone(), context.config.clone());
    let router = router(context.daemon.clone(), games.merge(page));
    let mut tasks = JoinSet::new();
    let (address, addresses) = watch::channel(None);
    let mut listeners = Listener::passed("public");
    if listeners.is_empty() {
        listeners.push(Listener::at("public", addresses).watched(&context.daemon.figures().health));
    }
    for listener in listeners {
        tasks.spawn(serve::serve(listener, router.clone(), context.shutdown.clone()));
    }
    let mut config = context.config.clone();
    let mut beats = interval(context.heartbeat.period());
    loop {
        let wanted = config.borrow_and_update().public.as_ref().map(|public| public.listen);
        address.send_if_modified(|address| std::mem::replace(address, wanted) != wanted);
        select! {
            Some(Err(failed)) = tasks.join_next() => std::panic::resume_unwind(failed.into_panic()),
            Ok(()) = config.changed() => {}
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => break,
        }
    }
    while tasks.join_next().await.is_some() {}
}

fn router(daemon: DaemonHandle, games: Router) -> Router {
    Router::new()
        .route("/healthz", get(health))
        .with_state(daemon)
        .merge(games)
        .fallback(async || ApiError::not_found("there is no such page"))
        .layer(middleware::from_fn(guard))
}

/// `GET /healthz`: one word. What is wrong names ports and boards, and is reported at the arbiters' listener.
async fn health(State(daemon): State<DaemonHandle>) -> Response {
    word(daemon.figures().health.wrong().is_empty())
}

/// Says whether all is well, and nothing else.
pub(super) fn word(well: bool) -> Response {
    let (status, text) =
        if well { (StatusCode::OK, "ok\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not well\n") };
    (status, [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], text).into_response()
}

async fn guard(request: Request, next: Next) -> Response {
    let mut response = if host::requested(request.headers()).is_some() {
        next.run(request).await
    } else {
        ApiError::new(StatusCode::BAD_REQUEST, "the request names no host, or several").into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // What is public may be shown on any page.
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("cross-origin"),
    );
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, last-modified"));
    response
}
