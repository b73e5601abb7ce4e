//! Authentication: orders, and reading what is live from elsewhere, need the arbiter's token.
//!
//! The token lies in a file that only the service and its group's owner may read; it is read for every order, so that
//! a new one counts at once. Whoever guesses is slowed down (`guesses`), one network by itself. A token that nobody could guess at this pace counts
//! however often others guess; one that is short is not even compared while its sender has to wait.

use std::{
    io::{self, Read as _},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq as _;
use tokio::{sync::watch, task::spawn_blocking, time::sleep};
use tracing::{debug, error, warn};

use super::{App, error::ApiError, network};
use crate::{
    accounts::{Stamp, stamp},
    config::is_short,
};
use jadoube_runtime::{platform, private};

/// Longest token, bytes.
const LONGEST: u64 = 1024;

/// How long the answer to a further wrong token takes.
const SLOWED: Duration = Duration::from_millis(500);

/// Notices another token: whoever hears events by the old one is not to hear more of them.
#[derive(Debug)]
pub(super) struct TokenWatch {
    known: Mutex<Stamp>,
    changes: watch::Sender<()>,
    /// To which every change is news.
    all: watch::Receiver<()>,
}

impl TokenWatch {
    pub(super) fn new() -> Self {
        let (changes, all) = watch::channel(());
        Self { known: Mutex::new(None), changes, all }
    }

    /// Looks whether the file has changed.
    pub(super) fn refresh(&self, file: &Path) {
        let now = stamp(file);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *known, now) != now {
            self.changes.send_replace(());
        }
    }

    /// Reports changes since the service began.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.all.clone()
    }
}

/// Returns where the arbiter's token is.
pub(super) fn file(app: &App) -> PathBuf {
    app.config().http.clone().unwrap_or_default().token_file
}

/// Finds out whether a request has the arbiter's token.
pub(super) async fn check(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(sent) = bearer(headers) else {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "this needs the arbiter's token"));
    };
    let file = file(app);
    let token = spawn_blocking(move || read(&file)).await;
    let token = token.unwrap_or_else(|_| Err("the token cannot be read".to_owned()));
    let (guesses, from) = (app.guesses(), network::counted(client));
    let can_be_guessed = token.as_ref().is_ok_and(|token| is_short(token));
    let wait = guesses.wait(from, can_be_guessed);
    // The right token counts: behind a proxy that is not trusted, whoever guesses has the address of the arbiters. One that can be
    // guessed does not, as then the guesses that are refused would be worth as much as the others.
    let is_compared = wait.is_none() || !can_be_guessed;
    if is_compared && token.as_ref().is_ok_and(|token| bool::from(token.as_bytes().ct_eq(sent.as_bytes()))) {
        if let Some(wrong) = guesses.succeed(from) {
            warn!(%client, wrong, "the right token after wrong ones: was it guessed? A new token keeps the guesser out");
        }
        return Ok(());
    }
    if let Some(wait) = wait {
        sleep(SLOWED).await;
        let reason = "too many wrong tokens; wait a little";
        let retry_after = Some(wait.as_secs() + 1);
        return Err(ApiError { retry_after, ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, reason) });
    }
    guesses.note(from);
    let unsaid = guesses.may_say();
    if let Err(reason) = token {
        if unsaid.is_some() {
            error!(reason, "nobody can give orders");
        }
        // Where files lie is no business of those who ask.
        let reason = "the daemon has no token to compare with; its messages say why";
        return Err(ApiError::new(StatusCode::FORBIDDEN, reason));
    }
    if let Some(unsaid) = unsaid {
        warn!(%client, unsaid, "a wrong token");
    }
    Err(ApiError::new(StatusCode::UNAUTHORIZED, "the token is wrong"))
}

/// Returns whether a request has the token in a file; a file that cannot be read has none. A short one is not compared while its sender has
/// to wait; whoever asks counts a wrong one, by [`check`].
pub(super) async fn matches(app: &App, client: IpAddr, file: PathBuf, headers: &HeaderMap) -> bool {
    let Some(sent) = bearer(headers) else { return false };
    match spawn_blocking(move || read(&file)).await {
        Ok(Ok(token)) => {
            let is_compared =
                !is_short(&token) || app.guesses().wait(network::counted(client), true).is_none();
            is_compared && bool::from(token.as_bytes().ct_eq(sent.as_bytes()))
        }
        Ok(Err(reason)) => {
            warn!(reason, "the token of monitoring cannot be read");
            false
        }
        Err(_) => false,
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = sent.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Reads the token; a file that others could have read holds no secret.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let name = path.display();
    let mut file = private::open(path).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            format!("{name}: not there; make one: 'install -m 640 /dev/null {name} && openssl rand -hex 16 > {name}'")
        } else {
            format!("{name}: {error}")
        }
    })?;
    let mode = platform::mode(&file.metadata().map_err(|error| format!("{name}: {error}"))?);
    if mode & 0o027 != 0 {
        return Err(format!(
            "{name}: others can read it, or the group can write it: 'chmod 640 {name}', and a new token"
        ));
    }
    let mut text = String::new();
    file.by_ref().take(LONGEST).read_to_string(&mut text).map_err(|error| {
        if error.kind() == io::ErrorKind::InvalidData {
            format!("{name}: is no text; 'openssl rand -hex 16 > {name}' makes a new token")
        } else {
            format!("{name}: {error}")
        }
    })?;
    let token = text.trim();
    if token.is_empty() {
        return Err(format!("{name}: is empty; 'openssl rand -hex 16 > {name}' fills it"));
    }
    debug!(file = %name, "token read");
    Ok(token.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn a_token_that_others_can_read_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        assert!(read(&path).unwrap_err().contains("not there; make one"));
        fs::write(&path, "  secret\n").unwrap();
        for (mode, ok) in [(0o600, true), (0o640, true), (0o644, false), (0o660, false), (0o604, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let outcome = read(&path);
            assert_eq!(outcome.as_deref().ok(), ok.then_some("secret"), "{mode:o}");
            assert!(ok || outcome.unwrap_err().contains("chmod 640"));
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "\n").unwrap();
        assert!(read(&path).unwrap_err().contains("is empty"));
        fs::write(&path, b"\xd6ecret\n").unwrap();
        assert!(read(&path).unwrap_err().contains("is no text"));
    }
}
