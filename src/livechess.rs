//! Owns the interface that programs know from DGT LiveChess: WebSocket and plain requests on port 1982.
//!
//! | path | what |
//! |---|---|
//! | `/api/v1.0` | WebSocket: `eboards`, `sources`, `subscribe`, `unsubscribe`, `call` |
//! | `/api/v1.0?serialnr=N`, `/board/TABLE/api/v1.0` | the same for one board, for pages that take the first |
//! | `GET /api/v1.0/eboards`, `…/sources` | the lists, as JSON |
//! | `GET /doc/index.html` | a page that says that all is well |
//!
//! Shapes are those of LiveChess to the key, since clients refuse others. Everything that a client sees is read from
//! the [`View`], at a steady pace; nothing that it does is waited for by a board or changes a game.

mod connection;
mod feed;
mod message;
mod origin;
mod pages;
mod places;
mod reconstruction;
mod shapes;

use jadoube_core::settings::same_serial;
use jadoube_runtime::clock::SystemClock;
use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::Response,
    routing::get,
};
use tokio::{select, sync::watch, task::JoinSet, time::interval};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use self::{
    origin::RefusedOrigin,
    places::{Place, Places},
};
use crate::{
    config::Config,
    http::{listener::Listener, serve},
    service::ServiceContext,
    view::View,
};

/// The service's name in the configuration and among the service manager's sockets.
const SERVICE: &str = "livechess";

/// Origins of pages that are reported when they are kept out.
const MOST_REPORTED: usize = 16;

/// What all handlers share.
#[derive(Clone, Debug)]
struct App(Arc<LiveChessState>);

#[derive(Debug)]
struct LiveChessState {
    config: watch::Receiver<Arc<Config>>,
    view: View,
    clock: SystemClock,
    shutdown: CancellationToken,
    places: Places,
    /// Origins of pages that were kept out and reported.
    reported: Mutex<BTreeSet<String>>,
}

impl App {
    fn new(config: watch::Receiver<Arc<Config>>, view: View, shutdown: CancellationToken) -> Self {
        let (clock, reported, places) = (SystemClock::start(), Mutex::default(), Places::default());
        Self(Arc::new(LiveChessState { config, view, clock, shutdown, places, reported }))
    }

    fn config(&self) -> Arc<Config> {
        self.0.config.borrow().clone()
    }

    fn view(&self) -> &View {
        &self.0.view
    }

    fn shutdown(&self) -> &CancellationToken {
        &self.0.shutdown
    }

    /// Returns milliseconds of Unix time.
    fn unix_ms(&self) -> i64 {
        self.0.clock.utc(self.0.clock.now()).as_millisecond()
    }

    /// Returns the name of the board with this serial number, with or without leading zeros.
    fn find(&self, serial: &str) -> Option<Arc<str>> {
        let (_, boards) = self.view().read();
        let known = |name: &&Arc<str>| boards.get(*name).is_some_and(|board| board.serial.is_some());
        boards.keys().filter(known).find(|name| same_serial(name, serial)).cloned()
    }

    /// Reports a page that is kept out, each origin once and not without end: a page can invent them.
    fn report_foreign(&self, origin: &str) {
        let mut reported = self.0.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.len() < MOST_REPORTED && reported.insert(origin.to_owned()) {
            warn!(
                origin,
                "a page that is not on the list is kept out; livechess.origins lists those that may connect"
            );
            if reported.len() == MOST_REPORTED {
                warn!("further pages are kept out without a message");
            }
        }
    }

    /// Claims a place for a connection from an address, if there is one for it.
    fn place(&self, from: IpAddr) -> Option<Place> {
        self.0.places.take(from)
    }
}

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let app = App::new(context.config.clone(), context.daemon.view().clone(), context.shutdown.clone());
    let router = router(&app);
    let mut tasks = JoinSet::new();
    let passed = Listener::passed(SERVICE);
    let own_listeners = passed.is_empty();
    for listener in passed {
        tasks.spawn(serve::serve(listener, router.clone(), context.shutdown.clone()));
    }
    let mut addresses: Vec<watch::Sender<Option<SocketAddr>>> = Vec::new();
    let mut config = context.config.clone();
    let mut beats = interval(context.heartbeat.period());
    loop {
        if own_listeners {
            let listen =
                config.borrow_and_update().livechess.as_ref().map(|livechess| livechess.listen.clone());
            let listen = listen.unwrap_or_default();
            while addresses.len() < listen.len() {
                let (sender, receiver) = watch::channel(None);
                let listener = Listener::at(SERVICE, receiver).watched(&context.daemon.figures().health);
                tasks.spawn(serve::serve(listener, router.clone(), context.shutdown.clone()));
                addresses.push(sender);
            }
            for (index, address) in addresses.iter().enumerate() {
                let wanted = listen.get(index).copied();
                address.send_if_modified(|address| std::mem::replace(address, wanted) != wanted);
            }
        }
        select! {
            Some(Err(failed)) = tasks.join_next() => std::panic::resume_unwind(failed.into_panic()),
            Ok(()) = config.changed() => {}
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => break,
        }
    }
    while tasks.join_next().await.is_some() {}
}

fn router(app: &App) -> Router {
    Router::new()
        .route("/", get(pages::index))
        .route("/doc", get(pages::index))
        .route("/doc/", get(pages::index))
        .route("/doc/index.html", get(pages::index))
        .route("/doc/api/feeds/eboardevent/index.html", get(pages::feed))
        .route("/api/v1.0", get(pages::api).options(pages::preflight))
        .route("/api/v1.0/", get(pages::api))
        .route("/api/v1.0/eboards", get(pages::eboards).options(pages::preflight))
        .route("/api/v1.0/sources", get(pages::sources).options(pages::preflight))
        .route("/board/{number}/api/v1.0", get(pages::one))
        .route("/board/{number}/api/v1.0/", get(pages::one))
        .fallback(async || pages::refuse(StatusCode::NOT_FOUND, "there is nothing here; see /doc/index.html"))
        .with_state(app.clone())
        .layer(middleware::from_fn_with_state(app.clone(), guard))
}

/// Returns whether a request names no key of a WebSocket, or one as RFC 6455 wants it: 16 bytes as Base64.
fn has_good_key(headers: &HeaderMap) -> bool {
    headers.get_all(header::SEC_WEBSOCKET_KEY).iter().all(|key| {
        let key = key.as_bytes();
        key.len() == 24 && key.ends_with(b"==") && !key.starts_with(b"=")
    })
}

/// Keeps pages out that are not on the list.
async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let config = app.config();
    let is_from_here = origin::is_from_here(&request);
    let livechess = config.livechess.clone().unwrap_or_default();
    let (status, reason) = match origin::check(&livechess, request.headers()) {
        Ok(_) if config.has_delay() && !is_from_here => (
            StatusCode::FORBIDDEN,
            "games are delayed: live moves are for programs on this machine, and not through a proxy"
                .to_owned(),
        ),
        Ok(_) if !has_good_key(request.headers()) => {
            (StatusCode::BAD_REQUEST, "Sec-WebSocket-Key is no key of 16 bytes".to_owned())
        }
        Ok(origin) => {
            let socket = request.headers().contains_key(header::UPGRADE);
            request.extensions_mut().insert(pages::IsFromHere(is_from_here));
            let mut response = next.run(request).await;
            if let Some(origin) =
                origin.filter(|_| !socket).and_then(|origin| HeaderValue::try_from(origin).ok())
            {
                response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
                response.headers_mut().insert(header::VARY, HeaderValue::from_static("Origin"));
            }
            return response;
        }
        Err(RefusedOrigin::NoHost) => {
            (StatusCode::BAD_REQUEST, "the request names no host, or several".to_owned())
        }
        Err(RefusedOrigin::Host(host)) => (
            StatusCode::MISDIRECTED_REQUEST,
            format!(
                "this machine is not called {host}; if it is, add it to livechess.hosts in the configuration"
            ),
        ),
        Err(RefusedOrigin::Origin(origin)) => {
            app.report_foreign(&origin);
            let reason =
                format!("pages of {origin} may not connect; see livechess.origins in the configuration");
            (StatusCode::FORBIDDEN, reason)
        }
    };
    pages::refuse(status, &reason)
}

#[cfg(test)]
mod tests;
