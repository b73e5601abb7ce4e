//! Who asks: the chief with the token of the daemon, or an arbiter who has signed in with an own one.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode, header};
use percent_encoding::percent_decode_str;

use super::{App, error::ApiError, serve, session::Session, token};
use crate::{config::Role, view::BoardView};
use jadoube_core::printable::is_seen;

/// Header with the name of whoever gives an order, percent-encoded.
const ARBITER: &str = "x-arbiter";

/// Longest name, characters.
const LONGEST_NAME: usize = 64;

/// Somebody who may at least look.
#[derive(Clone, Debug)]
pub(super) enum Identity {
    /// Whoever has the token of the daemon.
    Token,
    /// Whoever has signed in with an own token.
    Session(Session),
}

impl Identity {
    /// Finds out who asks.
    pub(super) async fn of(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<Self, ApiError> {
        let session = app.sessions().find(headers).filter(|_| !headers.contains_key(header::AUTHORIZATION));
        let found = match session {
            Some(session) => Ok(Self::Session(session)),
            None => token::check(app, client, headers).await.map(|()| Self::Token),
        };
        serve::recognise(found.is_ok());
        found
    }

    /// Finds out who asks, and refuses who may only look.
    pub(super) async fn arbiter(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<Self, ApiError> {
        let identity = Self::of(app, client, headers).await?;
        if identity.role().may_order() {
            Ok(identity)
        } else {
            Err(ApiError::new(StatusCode::FORBIDDEN, "this token is for a screen: it may look only"))
        }
    }

    /// Refuses an order for a board at a table that is not theirs, of accounts that may rule at their own tables only.
    pub(super) fn check_table(
        &self,
        app: &App,
        hall: Option<&str>,
        table: Option<u32>,
    ) -> Result<(), ApiError> {
        let Self::Session(session) = self else { return Ok(()) };
        let account = &session.account;
        if account.role != Role::Tables || app.attention().has_table(app, &account.name, hall, table) {
            return Ok(());
        }
        let reason = format!("this is not one of your tables: {}", account.tables);
        Err(ApiError::new(StatusCode::FORBIDDEN, reason))
    }

    /// Refuses an order for a board, or one that names it, of accounts that may rule at their own tables only.
    pub(super) fn check_board(&self, app: &App, board: &BoardView) -> Result<(), ApiError> {
        let config = app.config();
        let table = board.serial.as_deref().and_then(|serial| config.table(serial));
        self.check_table(app, board.hall.as_deref(), table.and_then(|table| table.number))
    }

    /// Finds out who asks, and refuses who may only look, and who gives orders too fast.
    pub(super) async fn ordering(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<Self, ApiError> {
        let identity = Self::arbiter(app, client, headers).await?;
        identity.count_order(app)?;
        Ok(identity)
    }

    /// Counts an order, and refuses an account that gives too many.
    pub(super) fn count_order(&self, app: &App) -> Result<(), ApiError> {
        match self {
            Self::Token => Ok(()),
            Self::Session(session) => app.sessions().may_order(&session.account),
        }
    }

    /// Finds out who asks, and refuses everybody but chiefs.
    pub(super) async fn chief(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<Self, ApiError> {
        let identity = Self::of(app, client, headers).await?;
        match identity.role() {
            Role::Chief => Ok(identity),
            Role::Sector | Role::Tables | Role::Screen => {
                Err(ApiError::new(StatusCode::FORBIDDEN, "this is for the chief arbiter only"))
            }
        }
    }

    /// Returns what they may do.
    pub(super) const fn role(&self) -> Role {
        match self {
            Self::Token => Role::Chief,
            Self::Session(session) => session.account.role,
        }
    }

    /// Returns which device it is, if it has signed in.
    pub(super) fn device(&self) -> Option<String> {
        match self {
            Self::Token => None,
            Self::Session(session) => Some(session.id()),
        }
    }

    /// Returns the name of their account.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Token => None,
            Self::Session(session) => Some(&session.account.name),
        }
    }
}

/// Returns the name of whoever gives an order with the token of the daemon, as it was sent.
pub(super) fn sent_name(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(ARBITER)?.to_str().ok()?;
    let text = percent_decode_str(text).decode_utf8().ok()?;
    let name: String = text.chars().filter(|sign| is_seen(*sign)).take(LONGEST_NAME).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sent: &str, expected: Option<&str>) {
        let headers = [(ARBITER.parse().unwrap(), sent.parse().unwrap())].into_iter().collect();
        assert_eq!(sent_name(&headers).as_deref(), expected);
    }

    #[test]
    fn names_are_decoded_and_cut() {
        check("Ada", Some("Ada"));
        check("J%C3%BCrgen%20M.", Some("Jürgen M."));
        check("a%0Ab%00", Some("ab"));
        check("50 %", Some("50 %"));
        check("A%E2%80%AEda%E2%81%A6%F3%A0%81%81", Some("Ada"));
        check("%zz", Some("%zz"));
        check("%ff", None);
        check(" ", None);
        check(&"x".repeat(100), Some(&"x".repeat(LONGEST_NAME)));
    }
}
