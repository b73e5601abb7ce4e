//! Owns the addresses of the desk's interface: which there are, with which methods, and who may use them.
//!
//! `openapi.json` describes each of them, games included; a test compares both.

use std::sync::LazyLock;

use axum::{Router, handler::Handler, middleware, response::Response, routing::MethodRouter};

use super::{
    App, access, arbiters, attention, boards, broadcast, error, evidence, feed, hall, monitor, orders, pages,
};
use super::{push, report, round, rounds, ruling, tables, trust};
use crate::desk;

/// The description of the interface for programs; the program has it compressed (`src/build.rs`).
static DESCRIPTION: LazyLock<Vec<u8>> =
    LazyLock::new(|| desk::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"))));

/// Who may use an address; the handlers of orders and of accounts ask for more.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Readers {
    /// Everybody who reaches the listener.
    Everybody,
    /// Whoever may read what is live.
    Live,
    /// They, and the monitoring.
    Monitors,
}

/// An address.
struct Route {
    path: &'static str,
    readers: Readers,
    handlers: MethodRouter<App>,
    /// What `handlers` answers, as it cannot be asked.
    methods: Vec<&'static str>,
}

impl Route {
    fn get<T: 'static>(mut self, handler: impl Handler<T, App>) -> Self {
        self.handlers = self.handlers.get(handler);
        self.methods.push("get");
        self
    }

    fn post<T: 'static>(mut self, handler: impl Handler<T, App>) -> Self {
        self.handlers = self.handlers.post(handler);
        self.methods.push("post");
        self
    }

    fn delete<T: 'static>(mut self, handler: impl Handler<T, App>) -> Self {
        self.handlers = self.handlers.delete(handler);
        self.methods.push("delete");
        self
    }
}

fn at(path: &'static str, readers: Readers) -> Route {
    Route { path, readers, handlers: MethodRouter::new(), methods: Vec::new() }
}

/// Returns all addresses but those of games.
fn all() -> Vec<Route> {
    use Readers::{Everybody, Live, Monitors};
    vec![
        at("/", Everybody).get(pages::index),
        at("/desk/{*path}", Everybody).get(pages::file),
        at("/table/{number}", Everybody).get(pages::board),
        at("/board/{name}", Everybody).get(pages::board),
        at("/healthz", Everybody).get(monitor::healthz),
        at("/trust", Everybody).get(trust::page),
        at("/ca.crt", Everybody).get(trust::authority),
        at("/api/openapi.json", Everybody).get(description),
        at("/api/session", Everybody)
            .get(arbiters::session)
            .post(arbiters::sign_in)
            .delete(arbiters::sign_out),
        at("/api/arbiters", Everybody).get(arbiters::list).post(arbiters::add),
        at("/api/arbiters/{name}", Everybody).delete(arbiters::revoke),
        at("/api/arbiters/{name}/link", Everybody).post(arbiters::link),
        at("/api/sessions", Everybody).get(arbiters::devices),
        at("/api/sessions/{device}", Everybody).delete(arbiters::end_device),
        at("/api/notify/test", Everybody).post(arbiters::test_notifications),
        at("/api/push", Everybody).get(push::key).post(push::subscribe).delete(push::unsubscribe),
        at("/api/tables", Everybody).get(tables::list).post(tables::lifted),
        at("/api/tables/labels", Everybody).get(tables::labels),
        at("/api/hall", Live).get(hall::hall),
        at("/api/round", Live).get(round::round),
        at("/api/rounds", Live).get(rounds::list),
        at("/api/rounds/{number}", Live).get(rounds::one),
        at("/api/rounds/{number}/start", Live).post(rounds::start),
        at("/api/rounds/{number}/finish", Live).post(rounds::finish),
        at("/api/rounds/{number}/results", Live).post(rounds::result),
        at("/api/rounds/{number}/results.csv", Live).get(rounds::csv),
        at("/api/rounds/{number}/results.trf", Live).get(rounds::trf),
        at("/api/rounds/{number}/games", Live).post(rounds::pair),
        at("/api/rounds/{number}/broadcast", Live).post(broadcast::hold),
        at("/api/broadcast", Live).get(broadcast::state),
        at("/api/rounds/{number}/names", Live).post(rounds::names),
        at("/api/pairings", Live).post(rounds::upload),
        at("/api/boards", Live).get(boards::all),
        at("/api/boards/{serial}", Live).get(boards::one),
        at("/api/boards/{serial}/events", Live).get(evidence::events),
        at("/api/boards/{serial}/frames", Live).get(evidence::frames),
        at("/api/boards/{serial}/steps", Live).get(ruling::steps),
        at("/api/boards/{serial}/text", Live).get(evidence::text),
        at("/api/boards/{serial}/capture", Live).get(evidence::capture),
        at("/api/boards/{serial}/position", Live).get(evidence::position),
        at("/api/boards/{serial}/orders", Live).post(orders::order),
        at("/api/boards/{serial}/attention", Live).post(attention::watch),
        at("/api/attention", Live).get(attention::attention),
        at("/api/alerts/{id}/attention", Live).post(attention::notice),
        at("/api/handover", Live).post(attention::hand_over),
        at("/api/audit", Live).get(orders::audit),
        at("/api/report", Live).get(report::report),
        at(super::EVENTS, Live).get(feed::events),
        at("/metrics", Monitors).get(monitor::metrics),
    ]
}

/// Returns a router for all addresses but those of games.
pub(super) fn router(app: &App) -> Router<App> {
    let reader = middleware::from_fn_with_state(app.clone(), access::require_reader);
    let monitor = middleware::from_fn_with_state(app.clone(), access::require_monitor);
    all().into_iter().fold(Router::new(), |router, Route { path, readers, handlers, .. }| {
        let handlers = match readers {
            Readers::Everybody => handlers,
            Readers::Live => handlers.route_layer(reader.clone()),
            Readers::Monitors => handlers.route_layer(monitor.clone()),
        };
        router.route(path, handlers)
    })
}

/// `GET /api/openapi.json`.
async fn description() -> Response {
    error::json_text(DESCRIPTION.as_slice().into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn described() -> Value {
        serde_json::from_slice(&DESCRIPTION).unwrap()
    }

    #[cfg(feature = "pgn")]
    #[test]
    fn every_address_is_described_and_no_other() {
        let games = crate::pgn::addresses().map(|path| format!("get {path}"));
        let served: BTreeSet<String> = all()
            .iter()
            .flat_map(|route| {
                let path = route.path.replace("{*", "{");
                route.methods.iter().map(move |method| format!("{method} {path}"))
            })
            .chain(games)
            .collect();
        let described: BTreeSet<String> = described()["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, item)| {
                let methods = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
                methods.map(move |method| format!("{method} {path}"))
            })
            .collect();
        assert_eq!(described, served, "src/http/openapi.json describes what src/http/routes.rs serves");
    }

    #[test]
    fn what_is_live_is_described_as_asking_for_a_token() {
        let described = described();
        for route in all() {
            let path = route.path.replace("{*", "{");
            for method in &route.methods {
                let operation = &described["paths"][&path][method];
                let is_open = operation["security"].as_array().is_some_and(Vec::is_empty);
                assert!(!is_open || route.readers == Readers::Everybody, "{method} {path}");
                let may_refuse = operation["responses"].get("401").is_some();
                assert!(is_open || may_refuse, "{method} {path}: an answer without a token is described");
            }
        }
    }

    #[test]
    fn the_description_has_the_version_of_the_program() {
        assert_eq!(described()["info"]["version"], env!("CARGO_PKG_VERSION"));
    }
}
