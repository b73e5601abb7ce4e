//! Who gives an order, and its entry in the list of orders.

use std::net::IpAddr;

use axum::http::HeaderMap;
use serde_json::Value;

use super::{
    App,
    error::ApiError,
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

/// Does something that is for no board, such as `sign-in`, with its entry: see [`carry_out_for`]; `more` says what about it.
pub(super) async fn carry_out<T>(
    app: &App,
    by: By,
    what: &str,
    more: Value,
    work: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let entry = entry_of(by, String::new(), audit::order(what, more), audit::About::default());
    carry_out_for(app, entry, work).await
}

/// Does something that no board carries out. It is noted before, so that a kill meanwhile leaves nothing done without an entry; the entry
/// itself says what came of it.
pub(super) async fn carry_out_for<T>(
    app: &App,
    mut entry: audit::OrderRecord,
    work: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let place = audit::Place::of(&app.config());
    let pending = app.daemon().audit().begin(place.clone(), &entry).await;
    let outcome = work.await;
    entry.at = SystemClock::start().started();
    entry.refused = outcome.as_ref().err().map(|error| error.reason.clone());
    pending.finish(place, entry).await;
    outcome
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
