//! How a phone comes to trust the desk's certificate: a page in clear text, and the authority's own certificate.

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header, uri::PathAndQuery},
    middleware,
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use tokio::fs;
use tracing::warn;

use crate::config::AUTHORITY;

use super::{App, error::ApiError, guard, host, pages};

/// What clear text gets where there is a certificate.
pub(super) fn router(app: &App) -> Router {
    Router::new()
        .route("/trust", get(page))
        .route("/ca.crt", get(authority))
        .route("/desk/desk.css", get(async |headers: HeaderMap| pages::page("desk.css", &headers)))
        .route("/desk/icon.svg", get(async |headers: HeaderMap| pages::page("icon.svg", &headers)))
        .fallback(encrypted)
        .with_state(app.clone())
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
}

/// `GET /trust`.
pub(super) async fn page(headers: HeaderMap) -> Result<Response, ApiError> {
    pages::page("trust.html", &headers)
}

/// `GET /ca.crt`.
pub(super) async fn authority(State(app): State<App>) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("the desk has no authority of its own");
    let certificate = app.config().http.clone().unwrap_or_default().certificate.ok_or_else(missing)?;
    let bytes = fs::read(certificate.with_file_name(AUTHORITY)).await.map_err(|_| missing())?;
    Ok(([(header::CONTENT_TYPE, "application/x-x509-ca-cert")], bytes).into_response())
}

/// Sends a browser to https. A token, the cookie of a session and whatever would change something, such as a sign-in, have gone over the air
/// already: whoever has sent them hears of it, as with a redirect its program would go on doing so.
async fn encrypted(State(app): State<App>, request: Request) -> Result<Redirect, ApiError> {
    let headers = request.headers();
    let is_harmless = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_harmless || headers.contains_key(header::AUTHORIZATION) || app.sessions().cookie(headers).is_some()
    {
        if let Some(unsaid) = app.guesses().may_say() {
            warn!(
                unsaid,
                "a token has come in clear text: others may have read it; make a new one, and ask by https://"
            );
        }
        let reason =
            "this token has gone over the network in clear text: make a new one, and ask by https://";
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason));
    }
    let host = host::requested(request.headers());
    let host = host.ok_or_else(|| ApiError::new(StatusCode::BAD_REQUEST, "the request names no host"))?;
    let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    Ok(Redirect::temporary(&format!("https://{host}{path}")))
}
