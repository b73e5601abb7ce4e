//! Owns the web server: the arbiter's desk, its interface for programs, orders, metrics and games.
//!
//! | path | what |
//! |---|---|
//! | `GET /`, `/desk/…` | the desk |
//! | `GET /api/hall` | all boards in short |
//! | `GET /api/round` | how ready each table is for the round |
//! | `GET /api/boards`, `/api/boards/SERIAL` | all that is known of boards |
//! | `GET /api/boards/SERIAL/events`, `…/capture`, `…/position` | what an alert rests on |
//! | `GET /api/boards/SERIAL/steps` | what is still to be done at board and clock about an alert |
//! | `GET /api/boards/SERIAL/text` | what an alert says in another language |
//! | `GET /api/events` | events as they happen |
//! | `POST /api/boards/SERIAL/orders` | an order, with the arbiter's token |
//! | `GET /api/openapi.json` | this interface, described for programs |
//! | `GET /trust`, `/ca.crt` | how a phone trusts the desk's certificate |
//! | `GET /healthz`, `/metrics` | for monitoring |
//! | `/api/session` | `GET`: who has signed in; `POST` and `DELETE`: signs in with an own token, and out |
//! | `POST /api/notify/test` | for the chief: sends a test message every way of `[[notify]]` |
//! | `/api/push` | `GET`: the key for a browser's push service; `POST` and `DELETE`: a phone is switched on and off |
//! | `/api/arbiters` | for the chief: who has a token; `POST` makes one, `DELETE …/NAME` revokes it |
//! | `/api/tables` | for the chief: which board is which table; `POST` says that a king was lifted, `GET …/labels` has labels to print |
//! | `GET /api/attention` | who has seen which alert, who goes there, who looks after which tables |
//! | `POST /api/alerts/ID/attention`, `/api/handover` | says so |
//! | `GET /api/broadcast` | what the public sees of each game, and how each way out does |
//! | `POST /api/rounds/N/broadcast` | the publication of a table's game stops, or goes on |
//! | `GET /api/audit` | who ordered what |
//! | `GET /api/report` | incidents and rulings of a round |
//! | `GET /round-N/games.pgn`, … | games, see `pgn` |
//!
//! What is live needs the arbiter's token, see `access`; `public` is the address for everybody.
//!
//! It reads the [`View`](crate::view::View) and hears the events like any other sink; nothing that a client does or
//! fails to do is waited for by a board.

mod access;
#[cfg(feature = "mdns")]
mod announce;
mod arbiters;
mod attention;
mod boards;
mod body;
mod broadcast;
mod by;
mod error;
mod evidence;
mod feed;
mod frames;
mod guard;
mod guesses;
mod gzip;
mod hall;
pub(crate) mod host;
mod identity;
mod limit;
pub(crate) mod listener;
mod monitor;
pub(crate) mod network;
mod orders;
mod pages;
mod patches;
mod persistence;
mod proxy;
pub(crate) mod public;
mod push;
mod query;
mod readiness;
mod replays;
mod report;
mod round;
mod rounds;
mod routes;
mod ruling;
pub(crate) mod serve;
mod session;
mod slice;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod tls;
mod token;
mod trust;
pub(crate) mod unclaimed;

use jadoube_runtime::{clock::SystemClock, look::Looks};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, http::StatusCode, middleware};
use tokio::{
    select,
    sync::watch,
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

pub use self::feed::{Client, EventFilter, Feed};
use self::{
    attention::Attention,
    error::ApiError,
    guesses::Guesses,
    listener::Listener,
    replays::Replays,
    session::Sessions,
    tls::{Keys, TlsListener},
    token::TokenWatch,
};
use crate::{
    config::Config,
    metrics::Counts,
    service::{DaemonHandle, ServiceContext, game_store::GameStore},
};

/// Where events are streamed.
const EVENTS: &str = "/api/events";

/// How often the accounts are looked at: a revoked token is out after this time.
const LOOK: Duration = Duration::from_secs(1);

/// What all handlers share.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<AppState>);

#[derive(Debug)]
struct AppState {
    config: watch::Receiver<Arc<Config>>,
    daemon: DaemonHandle,
    games: GameStore,
    shutdown: CancellationToken,
    feed: Feed,
    counts: Counts,
    started: jiff::Timestamp,
    guesses: Guesses,
    token: TokenWatch,
    sessions: Sessions,
    /// Who reads the files of those who may come in.
    files: Looks,
    /// Who asks the disks how they are.
    disks: Looks,
    attention: Attention,
    /// Held by whoever changes the file of the tables.
    tables: Mutex<()>,
    /// Captures are replayed one at a time.
    replays: Replays,
}

impl App {
    fn new(context: &ServiceContext) -> Self {
        Self(Arc::new(AppState {
            config: context.config.clone(),
            daemon: context.daemon.clone(),
            games: context.games.clone(),
            shutdown: context.shutdown.clone(),
            feed: Feed::default(),
            counts: Counts::default(),
            started: SystemClock::start().started(),
            guesses: Guesses::new(),
            token: TokenWatch::new(),
            files: Looks::default(),
            disks: Looks::default(),
            sessions: Sessions::new(context.config.clone()),
            attention: Attention::new(&context.config.borrow().state_dir),
            tables: Mutex::default(),
            replays: Replays::new(),
        }))
    }

    /// Returns the configuration of this moment.
    fn config(&self) -> Arc<Config> {
        self.0.config.borrow().clone()
    }

    fn daemon(&self) -> &DaemonHandle {
        &self.0.daemon
    }

    fn games(&self) -> &GameStore {
        &self.0.games
    }

    fn feed(&self) -> &Feed {
        &self.0.feed
    }

    fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Returns when the service began, UTC.
    fn started(&self) -> jiff::Timestamp {
        self.0.started
    }

    fn guesses(&self) -> &Guesses {
        &self.0.guesses
    }

    fn token(&self) -> &TokenWatch {
        &self.0.token
    }

    fn disks(&self) -> &Looks {
        &self.0.disks
    }

    fn files(&self) -> &Looks {
        &self.0.files
    }

    fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    fn attention(&self) -> &Attention {
        &self.0.attention
    }

    fn tables(&self) -> &Mutex<()> {
        &self.0.tables
    }

    fn replays(&self) -> &Replays {
        &self.0.replays
    }

    fn shutdown(&self) -> &CancellationToken {
        &self.0.shutdown
    }
}

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let app = App::new(&context);
    #[cfg(feature = "pgn")]
    let games = crate::pgn::router(context.games.clone(), context.config.clone());
    #[cfg(not(feature = "pgn"))]
    let games = Router::new();
    let router = router(&app, games);
    let mut tasks = JoinSet::new();
    // Before the listeners: events after a connection reach its client.
    if let Some(events) = feed::subscribe(&app) {
        tasks.spawn(feed::run(app.clone(), events, context.heartbeat.clone()));
    }
    let keys = Keys::new(context.config.clone(), &context.daemon.figures().health);
    let tls = TlsListener::new(router, trust::router(&app), &keys).behind(context.config.clone());
    let (address, addresses) = watch::channel(None);
    let mut listeners = Listener::passed("http");
    if listeners.is_empty() {
        listeners.push(Listener::at("http", addresses).watched(&context.daemon.figures().health));
    }
    for listener in listeners {
        tasks.spawn(serve::serve_at(listener, tls.clone(), context.shutdown.clone()));
    }
    let mut config = context.config.clone();
    let mut beats = interval(context.heartbeat.period());
    let mut looks = interval(LOOK);
    let mut accounts = app.sessions().changes();
    // What was handed over before the program ended may be of accounts that are no more.
    accounts.mark_changed();
    #[cfg(feature = "mdns")]
    let mut announcer = announce::Announcer::new(&context.daemon.figures().health, &context.shutdown);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let wanted = config.borrow_and_update().http.as_ref().map(|http| http.listen);
        address.send_if_modified(|address| std::mem::replace(address, wanted) != wanted);
        #[cfg(feature = "mdns")]
        announcer.follow(config.borrow().http.as_ref(), &mut tasks);
        select! {
            Some(Err(failed)) = tasks.join_next() => std::panic::resume_unwind(failed.into_panic()),
            Ok(()) = config.changed() => {}
            Ok(()) = accounts.changed() => attention::follow(&app).await,
            _ = beats.tick() => {}
            _ = looks.tick() => {
                let (app, keys) = (app.clone(), keys.clone());
                // A disk that does not answer would hold one thread more each time.
                if let Some(turn) = app.files().turn() {
                    // It reads small files that have changed, and otherwise asks for their states only.
                    tasks.spawn_blocking(move || {
                        app.sessions().refresh();
                        app.token().refresh(&token::file(&app));
                        keys.refresh();
                        drop(turn);
                    });
                }
            }
            () = context.shutdown.cancelled() => break,
        }
    }
    while tasks.join_next().await.is_some() {}
}

fn router(app: &App, games: Router) -> Router {
    routes::router(app)
        .fallback(async || ApiError::not_found("there is no such page"))
        .method_not_allowed_fallback(async || {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not take this method, see 'allow'",
            )
        })
        .with_state(app.clone())
        .merge(games)
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(middleware::from_fn_with_state(app.clone(), proxy::find_client))
}
