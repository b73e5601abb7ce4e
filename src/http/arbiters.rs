//! Signs arbiters in and out, and lets the chief make and revoke their tokens.

use std::time::Duration;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tracing::info;

use super::{
    App,
    body::{receive_json, receive_json_of_stranger},
    by::{self, By},
    error,
    error::ApiError,
    host,
    identity::{self, Identity},
    query::Path,
    serve::{self, IsEncrypted, Peer},
    session::Session,
};
use crate::{
    accounts::{Account, AccountError, AccountFile, DeskLink, NewAccount, desk_address},
    config::{ConfigUrl, Role, TableSet},
};
use jadoube_core::laws::Language;
use jadoube_runtime::clock::SystemClock;

/// How long the disk may take to say whether there are new accounts.
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
            let name = identity::sent_name(&headers);
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
    headers: HeaderMap,
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
    let account = app.sessions().verify(client, &token).await?;
    serve::recognise(true);
    let by = By::account(account.name.clone(), client);
    let signing_in = async {
        let (session, cookie) = app.sessions().open_session(client, account).await?;
        if let Some(name) = host::text(&headers, &header::USER_AGENT) {
            app.sessions().name_device(&session, name).await;
        }
        Ok((session, cookie))
    };
    let (session, cookie) = by::carry_out(&app, by, "sign-in", json!({}), signing_in).await?;
    Ok(with_cookie(error::json(&describe(&session)), &app.sessions().set_cookie(Some(&cookie), is_encrypted)))
}

/// `DELETE /api/session`: signs out.
pub(super) async fn sign_out(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    if let Some(session) = app.sessions().find(&headers) {
        let by = By::account(session.account.name.clone(), client);
        let signing_out = async {
            app.sessions().sign_out(&session).await;
            Ok(())
        };
        if let Err(error) = by::carry_out(&app, by, "sign-out", json!({}), signing_out).await {
            return error.into_response();
        }
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
    let identity = Identity::chief(&app, client, &headers).await?;
    let Wanted { name, tables, role, language } = receive_json(body).await?;
    let order = json!({ "name": name.trim(), "role": role, "tables": tables });
    let new = NewAccount { name, tables, role, language };
    let (until, device) = (link_until(&app), identity.device());
    let making = change(&app, move |file| {
        let (account, token) = file.add(new, SystemClock::start().started())?;
        let (_, code) = file.invite(&account.name, until, device)?;
        Ok((account, token, code))
    });
    let by = By::of(&identity, &headers, client);
    let (account, token, code) = by::carry_out(&app, by, "account-made", order, making).await?;
    let desk = desk_of(&app, &headers, encrypted);
    let link = desk.as_ref().map(|desk| DeskLink::new(desk, &code));
    let picture = link.as_ref().and_then(|link| link.svg().ok());
    info!(arbiter = account.name, role = account.role.name(), "a token was made");
    Ok(error::json(&json!({
        "name": account.name,
        "token": token,
        "link": link.as_ref().map(DeskLink::url),
        "picture": picture,
        "until": until,
    })))
}

/// Says until when a link that is made now can be used.
fn link_until(app: &App) -> jiff::Timestamp {
    let hours = app.config().http.clone().unwrap_or_default().link_h;
    SystemClock::start().started() + SignedDuration::from_hours(i64::from(hours))
}

/// `POST /api/arbiters/NAME/link`: makes a link that signs one more device in, once.
pub(super) async fn link(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Extension(encrypted): Extension<IsEncrypted>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::of(&app, client, &headers).await?;
    if identity.name() != Some(&name) && identity.role() != Role::Chief {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "this is for the chief arbiter, or for the account itself",
        ));
    }
    identity.count_order(&app)?;
    let (until, device) = (link_until(&app), identity.device());
    let order = json!({ "name": name, "until": until });
    let making = change(&app, move |file| file.invite(&name, until, device));
    let by = By::of(&identity, &headers, client);
    let (account, code) = by::carry_out(&app, by, "link-made", order, making).await?;
    let desk = desk_of(&app, &headers, encrypted);
    let link = desk.as_ref().map(|desk| DeskLink::new(desk, &code));
    Ok(error::json(&json!({
        "name": account.name,
        "link": link.as_ref().map(DeskLink::url),
        "picture": link.as_ref().and_then(|link| link.svg().ok()),
        "until": until,
    })))
}

/// `GET /api/sessions`: the devices that are signed in, the own ones; all for the chief.
pub(super) async fn devices(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::of(&app, client, &headers).await?;
    let of = identity.name().filter(|_| identity.role() != Role::Chief);
    Ok(error::json(&app.sessions().devices(of)))
}

/// `DELETE /api/sessions/ID`: signs one device out.
pub(super) async fn end_device(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::of(&app, client, &headers).await?;
    let of = identity.name().filter(|_| identity.role() != Role::Chief);
    let missing = || ApiError::not_found(format!("no device {id} is signed in"));
    let device = app.sessions().devices(of).into_iter().find(|device| device.id == id).ok_or_else(missing)?;
    let order = json!({ "name": device.arbiter, "id": id });
    let ending = async { app.sessions().sign_out_device(&id).await.then_some(()).ok_or_else(missing) };
    by::carry_out(&app, By::of(&identity, &headers, client), "device-signed-out", order, ending).await?;
    Ok(error::json(&json!({ "done": true })))
}

/// `DELETE /api/arbiters/NAME`: makes a token invalid, and signs out whoever uses it.
pub(super) async fn revoke(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let identity = Identity::chief(&app, client, &headers).await?;
    let order = json!({ "name": name });
    let revoking = change(&app, move |file| file.revoke(&name));
    let by = By::of(&identity, &headers, client);
    let account = by::carry_out(&app, by, "account-revoked", order, revoking).await?;
    info!(arbiter = account.name, "a token was revoked");
    Ok(error::json(&json!({ "done": true })))
}

/// `POST /api/notify/test`: sends a test message through every channel, and says what came of each.
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
    let reported =
        |(way, outcome): (String, Result<(), String>)| json!({ "way": way, "error": outcome.err() });
    Ok(error::json(&tried.into_iter().map(reported).collect::<Vec<_>>()))
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
            AccountError::Exists(_) | AccountError::Similar(..) | AccountError::Full => StatusCode::CONFLICT,
            AccountError::Missing(_) => StatusCode::NOT_FOUND,
            AccountError::Name | AccountError::Alphabets => StatusCode::UNPROCESSABLE_ENTITY,
            AccountError::File { .. } | AccountError::Hash(_) | AccountError::Unlisted(_) => {
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
        .map(ConfigUrl::without_user)
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
        "id": session.id(),
    })
}

fn with_cookie(response: Response, cookie: &str) -> Response {
    match HeaderValue::from_str(cookie) {
        Ok(cookie) => ([(header::SET_COOKIE, cookie)], response).into_response(),
        Err(_) => response,
    }
}
