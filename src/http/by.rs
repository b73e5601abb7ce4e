//! Who gives an order, and its entry in the list of orders.

use std::net::IpAddr;

use axum::http::HeaderMap;
use serde_json::Value;

use super::{
    App,
    identity::{Identity, sent_name},
};
use crate::audit;
use jadoube_runtime::clock::SystemClock;

/// Who gives an order, and where from.
#[derive(Clone, Debug)]
pub(super) struct By {
    pub(super) name: Option<String>,
    /// Whether the name is that of no account.
    is_claimed: bool,
    client: IpAddr,
}

impl By {
    pub(super) fn of(identity: &Identity, headers: &HeaderMap, client: IpAddr) -> Self {
        let own = identity.name().map(str::to_owned);
        let is_claimed = own.is_none();
        Self { name: own.or_else(|| sent_name(headers)), is_claimed, client }
    }

    /// Names an account that has shown who it is.
    pub(super) const fn account(name: String, client: IpAddr) -> Self {
        Self { name: Some(name), is_claimed: false, client }
    }
}

/// Writes down what somebody has done that is for no board, such as `sign-in`; `more` says what about it.
pub(super) async fn note(app: &App, by: By, what: &str, more: Value) {
    record(app, by, String::new(), audit::order(what, more), audit::About::default()).await;
}

/// Writes down an order that no board carries out; `board` is empty where it is about none.
pub(super) async fn record(app: &App, by: By, board: String, order: Value, about: audit::About) {
    let entry = entry_of(by, board, order, about);
    app.daemon().audit().note(app.config().log_dir.clone(), entry).await;
}

/// Returns an entry of this moment for an order.
pub(super) fn entry_of(by: By, board: String, order: Value, about: audit::About) -> audit::OrderRecord {
    let now = SystemClock::start().started();
    let arbiter = by.name.filter(|name| !name.is_empty());
    let claimed = by.is_claimed && arbiter.is_some();
    audit::OrderRecord {
        at: now,
        given: now,
        claimed,
        arbiter,
        address: Some(by.client),
        board,
        order,
        refused: None,
        id: None,
        about,
    }
}
