//! Signs arbiters in and out, and lets the chief make and revoke their tokens.

use std::time::Duration;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tracing::info;

use super::{
    App,
    body::{receive_json, receive_json_of_stranger},
    error,
    error::ApiError,
    host,
    identity::Identity,
    orders,
    query::Path,
    serve::{self, IsEncrypted, Peer},
    session::Session,
};
use crate::{
    accounts::{Account, AccountError, AccountFile, DeskLink, NewAccount, desk_address},
    config::{Role, TableSet},
};
use jadoube_core::laws::Language;
use jadoube_runtime::clock::SystemClock;

/// How long the disk may take to tell whether there are new accounts.
const READING: Duration = Duration::from_secs(5);

/// A token that somebody signs in with.
#[derive(Debug, Deserialize)]
struct SignIn {
    token: String,
}

/// `GET /api/session`: who has signed in.
pub(super) async fn session(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    match Identity::of(&app, client, &headers).await? {
        Identity::Token => {
            let name = orders::sent_name(&headers);
            Ok(error::json(&json!({ "arbiter": true, "name": name, "role": Role::Chief, "tables": "" })))
        }
        Identity::Session(session) => Ok(error::json(&describe(&session))),
    }
}

/// `POST /api/session`: signs in with an own token.
pub(super) async fn sign_in(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Extension(IsEncrypted(is_encrypted)): Extension<IsEncrypted>,
    body: Body,
) -> Result<Response, ApiError> {
    let SignIn { token } = receive_json_of_stranger(body).await?;
    if !app.sessions().knows(&token) {
        let reader = app.clone();
        let read = app.files().look(READING, move || reader.sessions().refresh()).await;
        read.ok_or_else(|| {
            let reason = "the accounts cannot be read at present; try again in a moment";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, reason)
        })?;
    }
    let (session, cookie) = app.sessions().sign_in(client, &token).await?;
    serve::recognise(true);
    Ok(with_cookie(error::json(&describe(&session)), &app.sessions().set_cookie(Some(&cookie), is_encrypted)))
}

/// `DELETE /api/session`: signs out.
pub(super) async fn sign_out(State(app): State<App>, headers: HeaderMap) -> Response {
    if let Some(session) = app.sessions().find(&headers) {
        app.sessions().sign_out(&session).await;
    }
    with_cookie(error::json(&json!({ "done": true })), &app.sessions().set_cookie(None, false))
}

/// `GET /api/arbiters`: who has a token.
pub(super) async fn list(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?;
    let all = app.sessions().accounts();
    let entries: Vec<Value> = all
        .iter()
        .map(|(account, sessions)| {
            let Account { name, tables, role, language, made, .. } = account;
            json!({ "name": name, "tables": tables, "role": role, "language": language, "made": made, "sessions": sessions })
        })
        .collect();
    Ok(error::json(&entries))
}

/// What the chief asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    name: String,
    #[serde(default)]
    tables: TableSet,
    #[serde(default)]
    role: Role,
    #[serde(default)]
    language: Option<Language>,
}

/// `POST /api/arbiters`: makes a token, and shows it once.
pub(super) async fn add(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Extension(encrypted): Extension<IsEncrypted>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?;
    let Wanted { name, tables, role, language } = receive_json(body).await?;
    let new = NewAccount { name, tables, role, language };
    let (account, token) = change(&app, move |file| file.add(new, SystemClock::start().started())).await?;
    let desk = desk_of(&app, &headers, encrypted);
    let link = desk.as_ref().map(|desk| DeskLink::new(desk, &token));
    let picture = link.as_ref().and_then(|link| link.svg().ok());
    info!(arbiter = account.name, role = account.role.name(), "a token was made");
    Ok(error::json(&json!({
        "name": account.name,
        "token": token,
        "link": link.as_ref().map(DeskLink::url),
        "picture": picture,
    })))
}

/// `DELETE /api/arbiters/NAME`: makes a token invalid, and signs out whoever uses it.
pub(super) async fn revoke(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?;
    let account = change(&app, move |file| file.revoke(&name)).await?;
    info!(arbiter = account.name, "a token was revoked");
    Ok(error::json(&json!({ "done": true })))
}

/// `POST /api/notify/test`: sends a test message every way, and says what came of each.
pub(super) async fn test_notifications(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Identity::chief(&app, client, &headers).await?.count_order(&app)?;
    #[cfg(feature = "notify")]
    let tried = {
        let config = app.config();
        spawn_blocking(move || crate::notify::test(&config)).await.unwrap_or_default()
    };
    #[cfg(not(feature = "notify"))]
    let tried: Vec<(String, Result<(), String>)> = Vec::new();
    let told = |(way, outcome): (String, Result<(), String>)| json!({ "way": way, "error": outcome.err() });
    Ok(error::json(&tried.into_iter().map(told).collect::<Vec<_>>()))
}

/// Changes the file of the accounts, and reads it.
async fn change<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(AccountFile) -> Result<T, AccountError> + Send + 'static,
) -> Result<T, ApiError> {
    let (file, reader) = (AccountFile::of(&app.config().state_dir), app.clone());
    let changed = spawn_blocking(move || {
        let changed = work(file);
        reader.sessions().refresh();
        changed
    });
    let failed = || ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the accounts cannot be changed");
    changed.await.map_err(|_| failed())?.map_err(|error| {
        let status = match error {
            AccountError::Exists(_) | AccountError::Full => StatusCode::CONFLICT,
            AccountError::Missing(_) => StatusCode::NOT_FOUND,
            AccountError::Name => StatusCode::UNPROCESSABLE_ENTITY,
            AccountError::File { .. } | AccountError::Hash(_) => {
                tracing::error!(%error, "the accounts cannot be changed");
                return failed();
            }
        };
        ApiError::new(status, error.to_string())
    })
}

/// Says where phones find the desk: where the chief has found it, unless that is this machine only.
pub(super) fn desk_of(
    app: &App,
    headers: &HeaderMap,
    IsEncrypted(is_encrypted): IsEncrypted,
) -> Option<String> {
    let http = app.config().http.clone().unwrap_or_default();
    let asked = host::requested(headers).filter(|asked| {
        host::address(asked.host())
            .map_or(asked.host() != "localhost", |address| !address.to_canonical().is_loopback())
    });
    let scheme = if is_encrypted { "https" } else { "http" };
    http.url
        .as_ref()
        .map(|url| url.secret().to_owned())
        .or_else(|| asked.map(|asked| format!("{scheme}://{asked}")))
        .or_else(|| desk_address(&http))
}

fn describe(session: &Session) -> Value {
    let Account { name, tables, role, language, .. } = &session.account;
    json!({
        "arbiter": true,
        "name": name,
        "role": role,
        "tables": tables,
        "language": language,
        "until": session.until,
    })
}

fn with_cookie(response: Response, cookie: &str) -> Response {
    match HeaderValue::from_str(cookie) {
        Ok(cookie) => ([(header::SET_COOKIE, cookie)], response).into_response(),
        Err(_) => response,
    }
}
