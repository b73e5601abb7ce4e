//! What a browser, or a person, gets by plain requests: the list of boards and a page that says that all is well.

use std::fmt::Write as _;

use axum::{
    Extension,
    extract::{
        Path, Query, State, WebSocketUpgrade, rejection::QueryRejection,
        ws::rejection::WebSocketUpgradeRejection,
    },
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use super::{App, connection, shapes};
use crate::http::serve::Peer;

/// Longest message of a client, bytes; what is longer than a call and shorter than this gets an answer.
const LONGEST: usize = 1 << 20;

/// Whether a request comes from a program on this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct IsFromHere(pub(super) bool);

/// What may stand behind the question mark.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ClientQuery {
    /// The one board that is wanted.
    serialnr: Option<String>,
}

/// Answers a WebSocket for all boards, or for one: `?serialnr=23946`.
pub(super) async fn api(
    State(app): State<App>,
    Extension(IsFromHere(is_from_here)): Extension<IsFromHere>,
    Extension(peer): Extension<Peer>,
    query: Result<Query<ClientQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let only = query.ok().and_then(|Query(query)| query.serialnr);
    let only = only.map(|serial| app.find(&serial).unwrap_or_else(|| serial.as_str().into()));
    open(app, peer, is_from_here, only, upgrade)
}

/// Answers a WebSocket for the board on a table: `/board/7/api/v1.0`; a serial number does, too.
pub(super) async fn one(
    State(app): State<App>,
    Extension(IsFromHere(is_from_here)): Extension<IsFromHere>,
    Extension(peer): Extension<Peer>,
    Path(number): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let config = app.config();
    let table = number.parse::<u32>().ok();
    let table = table.and_then(|number| config.tables.iter().find(|table| table.number == Some(number)));
    let serial = table.map_or(number.as_str(), |table| table.serial.as_str());
    let only = app.find(serial).unwrap_or_else(|| serial.into());
    open(app, peer, is_from_here, Some(only), upgrade)
}

fn open(
    app: App,
    Peer(peer): Peer,
    is_from_here: bool,
    only: Option<std::sync::Arc<str>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        let reason = "this address is for WebSockets; see /doc/index.html";
        return refuse(StatusCode::UPGRADE_REQUIRED, reason);
    };
    let Some(place) = app.place(peer) else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "too many programs are connected already");
    };
    upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(async move |socket| {
        connection::connection(socket, app, place, is_from_here, only).await;
    })
}

/// Lists the boards.
pub(super) async fn eboards(
    State(app): State<App>,
    query: Result<Query<ClientQuery>, QueryRejection>,
) -> Response {
    let only = query.ok().and_then(|Query(query)| query.serialnr);
    let only = only.map(|serial| app.find(&serial).unwrap_or_else(|| serial.as_str().into()));
    pretty(&shapes::eboards(&app.view().read().1, &app.config(), only.as_deref()))
}

/// Lists the ports.
pub(super) async fn sources(State(app): State<App>) -> Response {
    pretty(&shapes::sources(&app.view().read().1))
}

/// Says that the interface is at work; lichess.org links to this page.
pub(super) async fn index(State(app): State<App>) -> Response {
    let boards = shapes::eboards(&app.view().read().1, &app.config(), None);
    let mut rows = String::new();
    for board in &boards {
        let cell = |text: Option<&str>| escape(text.unwrap_or("–"));
        writeln!(
            rows,
            "<tr><td>{}<td>{}<td>{}<td>{}",
            cell(Some(board.serial())),
            cell(board.state()),
            cell(board.source()),
            cell(board.comment())
        )
        .unwrap_or_default();
    }
    html(
        "jadoube",
        &format!(
            "<p>The LiveChess interface is at work: <code>ws://localhost:1982/api/v1.0</code> for WebSockets, \
         <a href=\"/api/v1.0/eboards\">/api/v1.0/eboards</a> and <a href=\"/api/v1.0/sources\">/api/v1.0/sources</a> \
         for plain requests.</p>\n\
         <p>A page that may choose no board takes the first. To give it another one, enter \
         <code>ws://localhost:1982/api/v1.0?serialnr=NUMBER</code> or \
         <code>ws://localhost:1982/board/TABLE/api/v1.0</code> there.</p>\n\
         <p>Chrome asks whether a page may reach this machine (Local Network Access); allow it. Safari does not let \
         pages of the web reach it at all.</p>\n\
         <table><tr><th>Serial number<th>State<th>Port<th>Table\n{rows}</table>\n\
         <p><a href=\"/doc/api/feeds/eboardevent/index.html\">The feed eboardevent</a></p>"
        ),
    )
}

/// Says what the feed reports.
pub(super) async fn feed() -> Response {
    html(
        "jadoube: eboardevent",
        "<p>Subscribe: <code>{\"call\":\"subscribe\",\"id\":1,\"param\":{\"feed\":\"eboardevent\",\"id\":1,\"param\":\
         {\"serialnr\":\"23946\"}}}</code></p>\n\
         <p>BoardNews: <code>serialnr</code>, <code>flipped</code>, and what has changed of <code>board</code> (placement \
         of a FEN) and <code>clock</code> (seconds; <code>run</code> is true for White, false for Black, null if it \
         stands; <code>time</code> in milliseconds).</p>\n\
         <p>Methods, with <code>{\"call\":\"call\",\"id\":2,\"param\":{\"id\":1,\"method\":…,\"param\":…}}</code>: \
         <code>setup</code> with <code>{\"fen\":…}</code>, after which news of the board bring <code>match</code>, and \
         when the moves have changed <code>start</code> and all moves since then as <code>san</code>; <code>flip</code> with \
         <code>{\"flip\":true}</code>. Both concern this feed only.</p>\n\
         <p><a href=\"/doc/index.html\">Overview</a></p>",
    )
}

/// Answers a browser that asks before it asks.
pub(super) async fn preflight() -> Response {
    let allow = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type")),
        (
            header::HeaderName::from_static("access-control-allow-private-network"),
            HeaderValue::from_static("true"),
        ),
    ];
    (StatusCode::NO_CONTENT, allow).into_response()
}

/// Says no in one line.
pub(super) fn refuse(status: StatusCode, reason: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))];
    (status, kind, format!("{reason}\n")).into_response()
}

fn pretty(value: &impl Serialize) -> Response {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, text).into_response()
}

fn html(title: &str, body: &str) -> Response {
    let text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>body{{font:16px sans-serif;max-width:46em;margin:2em auto;padding:0 1em}}\
         td,th{{text-align:left;padding:.2em 1em .2em 0}}</style>\n<h1>{title}</h1>\n{body}\n</html>\n"
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, text).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
