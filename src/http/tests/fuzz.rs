//! Requests: an address on the first line, the body behind it. None makes the server fail, and what is refused says why.

use axum::{
    Extension,
    body::{Body, to_bytes},
    http::{Method, Request, header},
};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use jadoube_core::event::{Event, EventKind, LinkState};
use jadoube_runtime::watchdog::Watchdog;

use crate::{
    daemon::Daemon,
    http::{
        serve::{IsEncrypted, Peer},
        *,
    },
    published::Published,
    service::game_store::GameStore,
};

const TOKEN: &str = "0123456789abcdef";

/// What a desk with a board gets; nobody carries orders out there.
pub(super) fn context(dir: &std::path::Path) -> ServiceContext {
    let token = dir.join("token");
    jadoube_runtime::replace::replace_secret(&token, TOKEN.as_bytes()).unwrap();
    let text = format!("[http]\ntoken_file = '{}'", token.display());
    let config =
        Config { state_dir: dir.into(), log_dir: dir.into(), ..Config::parse("test", &text, &[]).unwrap() };
    let (_, daemon) = Daemon::new(config.clone()).unwrap();
    let link = EventKind::Link { state: LinkState::Up, port: "p".to_owned() };
    let event = Event { at: jadoube_core::time::Timestamp::ZERO, board: "23946".into(), kind: link };
    daemon.view().apply(&Published::new("p".into(), event.into(), jiff::Timestamp::UNIX_EPOCH, 1));
    ServiceContext {
        config: watch::channel(Arc::new(config)).1,
        daemon,
        games: GameStore::default(),
        shutdown: CancellationToken::new(),
        heartbeat: Watchdog::new(LOOK).heartbeat("http"),
    }
}

/// A desk that a program on the same machine asks.
pub(super) fn desk(app: &App) -> Router {
    let peer = Peer([127, 0, 0, 1].into());
    router(app, Router::new()).layer(Extension(peer)).layer(Extension(IsEncrypted(false)))
}

#[test]
fn requests_are_answered_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let desk = TowerToHyperService::new(runtime.block_on(async { desk(&App::new(&context(dir.path()))) }));
    crate::fuzz::fuzz("http", |input| {
        let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
        let (address, body) = input.split_at(end);
        let body = body.get(1..).unwrap_or_default().to_vec();
        let method = if body.is_empty() { Method::GET } else { Method::POST };
        let Ok(address) = std::str::from_utf8(address) else { return };
        let request = Request::builder().method(method).uri(address).header(header::HOST, "localhost");
        let request = request.header(header::AUTHORIZATION, format!("Bearer {TOKEN}"));
        let Ok(request) = request.body(Body::from(body)) else { return };
        runtime.block_on(async {
            let response = desk.call(request).await.unwrap();
            let status = response.status();
            assert!(!status.is_server_error() || status == 503, "{address}: {status}");
            let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap());
            let is_json = kind == Some("application/json");
            if kind != Some("text/event-stream") {
                let text = to_bytes(response.into_body(), 1 << 20).await.unwrap();
                let value = serde_json::from_slice(&text).unwrap_or(serde_json::Value::Null);
                assert!(!is_json || !value.is_null(), "{address}");
                assert!(
                    !status.is_client_error() || value["error"].is_string(),
                    "{address}: {status} {text:?}"
                );
            }
        });
    });
}
