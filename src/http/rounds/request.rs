//! Who asks for something about a round, whether they may, and what they say; and the entry in the list of orders.

use std::net::{IpAddr, Ipv6Addr};

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts},
    http::{Request, StatusCode, request::Parts},
    response::Response,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::{
    audit,
    http::{
        App,
        body::receive_json,
        by::{self, By},
        error,
        error::ApiError,
        identity::Identity,
        serve::Peer,
    },
    rounds::Rounds,
};

/// Who asks for something, as the list of orders names them.
pub(in crate::http) struct Asker(By);

/// A chief, who has not given too many orders.
pub(in crate::http) struct Chief(pub(super) Asker);

/// What is said about a table, by somebody who may say it.
pub(in crate::http) struct RoundRequest<T> {
    pub(in crate::http) identity: Identity,
    pub(in crate::http) asker: Asker,
    pub(in crate::http) wanted: T,
}

/// What is said about a table.
pub(in crate::http) trait OfTable {
    /// Returns its number; none for all tables.
    fn table(&self) -> Option<u64>;
}

impl FromRequestParts<App> for Chief {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let address = address(parts);
        let identity = Identity::chief(app, address, &parts.headers).await?;
        identity.count_order(app)?;
        Ok(Self(Asker(By::of(&identity, &parts.headers, address))))
    }
}

impl<T: DeserializeOwned + OfTable> FromRequest<App> for RoundRequest<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, app: &App) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let address = address(&parts);
        let identity = Identity::ordering(app, address, &parts.headers).await?;
        let reported: T = receive_json(body).await?;
        if let Some(table) = reported.table() {
            identity.check_table(app, None, u32::try_from(table).ok())?;
        }
        let asker = Asker(By::of(&identity, &parts.headers, address));
        Ok(Self { identity, asker, wanted: reported })
    }
}

fn address(parts: &Parts) -> IpAddr {
    // Whatever serves a request says where it comes from.
    parts.extensions.get().map_or(Ipv6Addr::UNSPECIFIED.into(), |Peer(address)| *address)
}

impl Asker {
    pub(super) fn by(&self) -> String {
        self.0.name.clone().unwrap_or_else(|| "arbiter".to_owned())
    }

    /// Changes something, and has it written to the disk before the answer goes out; the order is in the list whatever happens meanwhile.
    pub(in crate::http) async fn carry_out(
        self,
        app: &App,
        order: Value,
        (table, board): (Option<u64>, String),
        work: impl Future<Output = Result<(), ApiError>>,
    ) -> Result<Response, ApiError> {
        let table = table.and_then(|table| u32::try_from(table).ok());
        let about = audit::About { table, ..audit::About::default() };
        let changing = async {
            work.await?;
            save(app.daemon().rounds()).await
        };
        by::carry_out_for(app, by::entry_of(self.0, board, order, about), changing).await?;
        Ok(error::json(&json!({ "done": true })))
    }
}

async fn save(rounds: &Rounds) -> Result<(), ApiError> {
    let rounds = rounds.clone();
    match spawn_blocking(move || rounds.save()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            tracing::error!(%error, "the rounds cannot be written, see state_dir; tried again");
            Ok(())
        }
        Err(_) => Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the rounds cannot be written")),
    }
}
