//! Sessions: whoever signs in with an own token gets a cookie that counts for a while, and not longer than the account.
//!
//! Accounts are read again when their file changes. Of sessions, hashes lie in a file, so that a restart signs nobody out.

mod devices;

use std::{
    collections::BTreeMap,
    io,
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::{HeaderMap, StatusCode, header};
use blake2::{Blake2s256, Digest as _};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use tokio::{
    select,
    sync::{Semaphore, watch},
    task::spawn_blocking,
    time::sleep,
};
use tracing::{error, info, warn};

use super::{error::ApiError, limit::Limit, network, persistence, persistence::StateFile};
use crate::{
    accounts::{Account, AccountFile, Stamp, hex, is_of_link, random},
    config::Config,
};
use jadoube_runtime::clock::SystemClock;

/// Name of the file in the state directory.
const NAME: &str = "sessions.json";

/// Sessions that one account may have; a further one ends the oldest.
const MOST: usize = 16;

/// Wrong secrets of a client for one account in a row, and how long it takes until one of them is forgotten.
const TRIES: (u32, Duration) = (5, Duration::from_mins(1));

/// Orders of one account in a row, and how long it takes until one of them is forgotten.
const ORDERS: (u32, Duration) = (30, Duration::from_secs(1));

/// Sign-ins of one account in a row, and how long it takes until one of them is forgotten.
const SIGN_INS: (u32, Duration) = (12, Duration::from_mins(1));

/// Longest sleep until the clock is asked again: the system's time may be set.
const NAP: Duration = Duration::from_mins(1);

/// Everybody who is signed in.
#[derive(Debug)]
pub(super) struct Sessions {
    config: watch::Receiver<Arc<Config>>,
    state: Mutex<State>,
    /// One call at a time reads the accounts: what it saw of the file must not replace what a later one saw.
    reading: Mutex<()>,
    file: StateFile,
    /// Changes with the accounts and with the sessions.
    changes: watch::Sender<()>,
    /// Hashes are computed one at a time.
    hashing: Semaphore,
    /// Wrong secrets, by account and client: whoever guesses locks out nobody else.
    tries: Limit<(String, IpAddr)>,
    orders: Limit<String>,
    sign_ins: Limit<String>,
}

#[derive(Debug, Default)]
struct State {
    accounts: Vec<Account>,
    /// Whether these are all: their file could be read.
    are_known: bool,
    read: Option<(Stamp, Arc<Config>)>,
    /// Sessions by the hash of their cookie.
    open: BTreeMap<String, Open>,
}

/// A session, as it lies in the file.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Open {
    account: String,
    until: jiff::Timestamp,
    #[serde(default)]
    since: Option<jiff::Timestamp>,
    /// Where it was signed in from.
    #[serde(default)]
    address: Option<IpAddr>,
    /// What the browser calls itself.
    #[serde(default)]
    device: String,
}

/// A session of a request.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) account: Account,
    pub(super) until: jiff::Timestamp,
    key: String,
}

impl Session {
    /// Returns what [`Device::id`] is of this one.
    pub(super) fn id(&self) -> String {
        public_id(&self.key)
    }

    /// Returns what distinguishes it from all others; nobody can sign in with it.
    pub(super) fn into_key(self) -> String {
        self.key
    }
}

impl Sessions {
    /// Reads accounts and sessions.
    pub(super) fn new(config: watch::Receiver<Arc<Config>>) -> Self {
        let sessions = Self {
            config,
            state: Mutex::default(),
            reading: Mutex::default(),
            file: StateFile::default(),
            changes: watch::Sender::new(()),
            hashing: Semaphore::new(1),
            tries: Limit::new(TRIES.0, TRIES.1),
            orders: Limit::new(ORDERS.0, ORDERS.1),
            sign_ins: Limit::new(SIGN_INS.0, SIGN_INS.1),
        };
        let open = persistence::read(&sessions.path(), "all arbiters have to sign in again");
        sessions.state().open = open;
        sessions.refresh();
        sessions
    }

    /// Reads the accounts again if their file or the configuration has changed.
    pub(super) fn refresh(&self) {
        let _turn = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let config = self.config.borrow().clone();
        let file = AccountFile::of(&config.state_dir);
        let stamp = file.stamp();
        let is_read = |state: &State| {
            state.read.as_ref().is_some_and(|(known, with)| *known == stamp && Arc::ptr_eq(with, &config))
        };
        if is_read(&self.state()) {
            return;
        }
        let accounts = file.load(&config);
        let are_known = accounts.is_ok();
        let accounts = accounts.unwrap_or_else(|error| {
            error!(%error, "no arbiter with an own token can sign in, and all are signed out");
            Vec::new()
        });
        let mut state = self.state();
        (state.accounts, state.are_known) = (accounts, are_known);
        state.read = Some((stamp, config));
        drop(state);
        self.changes.send_replace(());
    }

    /// Returns whether the accounts could be read.
    pub(super) fn are_known(&self) -> bool {
        self.state().are_known
    }

    /// Reports changes of the accounts and of the sessions.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Returns all accounts, each with the number of its sessions.
    pub(super) fn accounts(&self) -> Vec<(Account, usize)> {
        let now = now();
        let state = self.state();
        let open =
            |id: &str| state.open.values().filter(|open| open.account == id && open.until > now).count();
        state.accounts.iter().map(|account| (account.clone(), open(&account.id))).collect()
    }

    /// Returns whether a token may be one of the accounts that are known. One that was made in this second is not, before a
    /// [`refresh`](Self::refresh).
    pub(super) fn knows(&self, token: &str) -> bool {
        // A link may have been made after the account was read.
        let parts = token.trim().split_once('-');
        parts.is_some_and(|(id, secret)| !is_of_link(secret) && self.account(id).is_some())
    }

    /// Returns the account of a token that a client signs in with; a link is used up.
    pub(super) async fn verify(&self, client: IpAddr, token: &str) -> Result<Account, ApiError> {
        let wrong = || ApiError::new(StatusCode::UNAUTHORIZED, "the token is wrong, or it was revoked");
        let (id, secret) = token.trim().split_once('-').ok_or_else(wrong)?;
        let account = self.account(id).ok_or_else(wrong)?;
        let guesser = (id.to_owned(), network::counted(client));
        self.may_try(&guesser)?;
        let _turn = self.hashing.acquire().await.map_err(|_| busy())?;
        // Those that were sent at once have all come so far before the first of them was found wrong, or right.
        self.may_try(&guesser)?;
        self.may_sign_in(&account)?;
        let file = AccountFile::of(&self.config.borrow().state_dir);
        let (tried, secret) = (account.clone(), secret.to_owned());
        let verified = spawn_blocking(move || {
            tried.verifies(&secret, now()) && (!is_of_link(&secret) || file.use_link(&tried).unwrap_or(false))
        });
        if !verified.await.unwrap_or(false) {
            self.tries.note(guesser);
            warn!(arbiter = account.name, "a wrong token");
            return Err(wrong());
        }
        if let Some(wrong) = self.tries.refused_before(&guesser) {
            warn!(arbiter = account.name, %client, wrong, "signed in after wrong tokens: was it guessed? A new token keeps the guesser out");
        }
        self.sign_ins.note(account.id.clone());
        Ok(account)
    }

    /// Signs a client in with the account that its token has; returns the session and its cookie.
    pub(super) async fn open_session(
        &self,
        client: IpAddr,
        account: Account,
    ) -> Result<(Session, String), ApiError> {
        let cookie = hex(&random::<32>().map_err(|error| failed(&error))?);
        let hours = self.config.borrow().http.clone().unwrap_or_default().session_h;
        let until = now() + SignedDuration::from_hours(i64::from(hours));
        let key = key(&cookie);
        let (since, address) = (Some(now()), Some(client));
        let open = Open { account: account.id.clone(), until, since, address, device: String::new() };
        self.open(key.clone(), open);
        self.save().await;
        info!(arbiter = account.name, "signed in");
        Ok((Session { account, until, key }, cookie))
    }

    /// Refuses an account with which too many devices sign in: each further one ends the oldest, so that whoever has found the token would keep
    /// its arbiter out.
    fn may_sign_in(&self, account: &Account) -> Result<(), ApiError> {
        let Some(wait) = self.sign_ins.wait(&account.id) else { return Ok(()) };
        let reason = "too many devices sign in with this account; wait a little";
        let retry_after = Some(wait.as_secs() + 1);
        Err(ApiError { retry_after, ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, reason) })
    }

    /// Refuses a client that has sent too many wrong secrets for an account.
    fn may_try(&self, guesser: &(String, IpAddr)) -> Result<(), ApiError> {
        let Some(wait) = self.tries.wait(guesser) else { return Ok(()) };
        let reason = "too many wrong tokens; wait a little";
        let retry_after = Some(wait.as_secs() + 1);
        Err(ApiError { retry_after, ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, reason) })
    }

    /// Ends a session.
    pub(super) async fn sign_out(&self, session: &Session) {
        self.state().open.remove(&session.key);
        self.changes.send_replace(());
        // Those for others stay: a chief goes home once everybody has one.
        self.end_links(session.id(), Some(session.account.id.clone())).await;
        self.save().await;
    }

    /// Finds the session of a request.
    pub(super) fn find(&self, headers: &HeaderMap) -> Option<Session> {
        let key = key(self.cookie(headers)?);
        let state = self.state();
        let open = state.open.get(&key).filter(|open| open.until > now())?;
        let account = state.accounts.iter().find(|account| account.id == open.account)?;
        Some(Session { account: account.clone(), until: open.until, key })
    }

    /// Refuses an order of an account that gives too many.
    pub(super) fn may_order(&self, account: &Account) -> Result<(), ApiError> {
        if let Some(wait) = self.orders.wait(&account.id) {
            let reason = "too many orders; wait a little";
            let retry_after = Some(wait.as_secs() + 1);
            return Err(ApiError { retry_after, ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, reason) });
        }
        self.orders.note(account.id.clone());
        Ok(())
    }

    /// Waits for the end of a session: signed out, revoked or over.
    pub(super) async fn ended(&self, session: &Session) {
        let mut changes = self.changes.subscribe();
        loop {
            let now = now();
            let is_open = {
                let state = self.state();
                state.open.get(&session.key).is_some_and(|open| open.until > now)
                    && state.accounts.iter().any(|account| account.id == session.account.id)
            };
            if !is_open {
                return;
            }
            let rest = Duration::try_from(session.until.duration_since(now)).unwrap_or_default();
            select! {
                outcome = changes.changed() => if outcome.is_err() {
                    return;
                },
                () = sleep(rest.min(NAP)) => {}
            }
        }
    }

    /// Writes the header that gives a cookie, or takes it away; `is_secure` keeps it off connections in clear text.
    pub(super) fn set_cookie(&self, cookie: Option<&str>, is_secure: bool) -> String {
        let name = self.cookie_name();
        let secure = if is_secure { "; Secure" } else { "" };
        let hours = self.config.borrow().http.clone().unwrap_or_default().session_h;
        let seconds = if cookie.is_some() { u64::from(hours) * 3600 } else { 0 };
        let cookie = cookie.unwrap_or_default();
        format!("{name}={cookie}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
    }

    fn account(&self, id: &str) -> Option<Account> {
        self.state().accounts.iter().find(|account| account.id == id).cloned()
    }

    fn open(&self, key: String, session: Open) {
        let now = now();
        let mut state = self.state();
        let State { accounts, open, .. } = &mut *state;
        open.retain(|_, open| open.until > now && accounts.iter().any(|account| account.id == open.account));
        let mut own: Vec<_> = open
            .iter()
            .filter(|(_, open)| open.account == session.account)
            .map(|(key, open)| (open.until, key.clone()))
            .collect();
        own.sort();
        for (_, oldest) in own.iter().take((own.len() + 1).saturating_sub(MOST)) {
            open.remove(oldest);
        }
        open.insert(key, session);
        drop(state);
        self.changes.send_replace(());
    }

    /// Writes the sessions to their file; without it they end with the program.
    async fn save(&self) {
        let saved = self.file.save(self.path(), || serde_json::to_vec(&self.state().open)).await;
        if let Err(error) = saved {
            warn!(file = %self.path().display(), %error, "cannot be written: a restart signs all arbiters out");
        }
    }

    fn path(&self) -> PathBuf {
        self.config.borrow().state_dir.join(NAME)
    }

    /// Browsers keep cookies by host and not by port: two daemons of one machine need two names.
    fn cookie_name(&self) -> String {
        let port = self.config.borrow().http.clone().unwrap_or_default().listen.port();
        format!("jadoube-{port}")
    }

    /// Returns the cookie of a session that a request has.
    pub(super) fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.cookie_name();
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find_map(|(key, value)| (key == name).then_some(value))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names a session for people: the beginning of the hash of its cookie.
fn public_id(key: &str) -> String {
    key.chars().take(16).collect()
}

/// Under what a session is kept: a cookie is as good as a password, its hash is not.
fn key(cookie: &str) -> String {
    hex(&Blake2s256::digest(cookie.as_bytes()))
}

fn now() -> jiff::Timestamp {
    SystemClock::start().started()
}

fn busy() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the program is about to end")
}

fn failed(error: &io::Error) -> ApiError {
    error!(%error, "no session can be made");
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "no session can be made; the daemon's messages say why")
}

#[cfg(test)]
mod tests;
