//! Phones that want alerts while they are locked: subscriptions to push services (RFC 8030), each of one account.
//!
//! The web server writes the file, notifications read it. With an account, its subscriptions go.

use std::{io, path::Path};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use url::Url;

use super::{AccountFile, Stamp};
use crate::config::ConfigUrl;
use jadoube_runtime::{private, replace::replace_secret};

/// Name of the file in the state directory.
const NAME: &str = "push.json";

/// Phones of one account; a further one takes the place of the oldest.
const MOST: usize = 8;

/// Longest address of a subscription, bytes.
const LONGEST: usize = 1024;

/// Hosts of the push services of browsers; one with a dot in front stands for all below it.
const SERVICES: [&str; 4] =
    ["fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"];

/// Why there is no subscription.
#[derive(Debug, Error)]
pub(crate) enum PushError {
    /// The address is of no service that is known.
    #[error("{0} is no known push service; if it is one, add it to http.push_services in the configuration")]
    Service(String),
    /// The keys are none.
    #[error("the keys of the subscription are not as RFC 8291 says")]
    Keys,
    /// The file cannot be read or written.
    #[error("{NAME}: {0}")]
    File(#[from] io::Error),
}

/// What a browser reports of a subscription.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Subscription {
    /// Where messages go.
    pub(crate) endpoint: String,
    /// Keys for their encryption.
    pub(crate) keys: PushKeys,
    /// Whether alerts to look at soon are wanted, too.
    #[serde(default)]
    pub(crate) soon: bool,
}

/// Keys of a subscription, in base64 for addresses.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct PushKeys {
    /// The browser's public key on P-256.
    p256dh: String,
    /// Its secret for authentication.
    auth: String,
}

impl PushKeys {
    /// Returns the public key and the secret.
    pub(crate) fn decoded(&self) -> Option<([u8; 65], [u8; 16])> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public: [u8; 65] = decode(&self.p256dh)?.try_into().ok()?;
        // A point that is not compressed begins so.
        (public.first() == Some(&4)).then_some(())?;
        Some((public, decode(&self.auth)?.try_into().ok()?))
    }
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Entry {
    /// Id of the account.
    account: String,
    #[serde(flatten)]
    subscription: Subscription,
}

/// The file with the subscriptions.
#[derive(Clone, Debug)]
pub(crate) struct Subscriptions(AccountFile);

impl Subscriptions {
    /// Names the file in a state directory.
    pub(crate) fn of(state_dir: &Path) -> Self {
        Self(AccountFile(state_dir.join(NAME)))
    }

    /// Returns the state of the file, which is enough to see whether it has changed.
    pub(crate) fn stamp(&self) -> Stamp {
        self.0.stamp()
    }

    /// Returns all subscriptions, each with the id of its account.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub(crate) fn load(&self) -> io::Result<Vec<(String, Subscription)>> {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.0.0.display()));
        Ok(self.read().map_err(named)?.into_iter().map(|entry| (entry.account, entry.subscription)).collect())
    }

    /// Adds a phone; `services` are beginnings of addresses that may be used beside the known ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the subscription is none, or if the file cannot be written.
    pub(crate) fn add(
        &self,
        account: &str,
        subscription: Subscription,
        services: &[ConfigUrl],
    ) -> Result<(), PushError> {
        if !is_known(&subscription.endpoint, services) {
            let host = Url::parse(&subscription.endpoint).ok();
            let host = host.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
            return Err(PushError::Service(host));
        }
        subscription.keys.decoded().ok_or(PushError::Keys)?;
        self.change(|entries| {
            entries.retain(|entry| entry.subscription.endpoint != subscription.endpoint);
            let own = entries.iter().filter(|entry| entry.account == account).count();
            if own >= MOST
                && let Some(oldest) = entries.iter().position(|entry| entry.account == account)
            {
                entries.remove(oldest);
            }
            entries.push(Entry { account: account.to_owned(), subscription });
        })
    }

    /// Removes a phone that wants no more messages, or has gone.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or written.
    pub(crate) fn remove(&self, endpoint: &str) -> Result<(), PushError> {
        self.change(|entries| entries.retain(|entry| entry.subscription.endpoint != endpoint))
    }

    /// Removes all phones of an account.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or written.
    pub(crate) fn revoke(&self, account: &str) -> Result<(), PushError> {
        self.change(|entries| entries.retain(|entry| entry.account != account))
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Entry>)) -> Result<(), PushError> {
        let _held = self.0.hold().map_err(|error| io::Error::other(error.to_string()))?;
        let mut entries = self.read()?;
        let before = entries.clone();
        change(&mut entries);
        if entries != before {
            replace_secret(&self.0.0, &serde_json::to_vec_pretty(&entries).map_err(io::Error::other)?)?;
            self.0.give_to_owner()?;
        }
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Entry>> {
        match private::read(&self.0.0) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                io::Error::other(format!("is damaged ({error}); remove it, and switch all phones on again"))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether messages may be sent to an address: an arbiter must not make the service ask just any machine.
fn is_known(endpoint: &str, services: &[ConfigUrl]) -> bool {
    let Ok(url) = Url::parse(endpoint) else { return false };
    if endpoint.len() > LONGEST || !url.username().is_empty() {
        return false;
    }
    let host = url.host_str().unwrap_or_default();
    let is_browsers = SERVICES
        .iter()
        .any(|known| if known.starts_with('.') { host.ends_with(known) } else { host == *known });
    let is_own = services
        .iter()
        .filter_map(|own| Url::parse(own.secret()).ok())
        .any(|own| own.origin() == url.origin() && url.path().starts_with(own.path()));
    is_own || is_browsers && url.scheme() == "https" && url.port().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The browser of RFC 8291, section 5.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    fn subscription(endpoint: &str) -> Subscription {
        let keys = PushKeys { p256dh: P256DH.to_owned(), auth: "BTBZMqHH6r4Tts7J_aSIgg".to_owned() };
        Subscription { endpoint: endpoint.to_owned(), keys, soon: false }
    }

    #[test]
    fn messages_go_to_push_services_only() {
        let own = ["http://10.0.0.7:8080/up/".into()];
        for (endpoint, known) in [
            ("https://fcm.googleapis.com/fcm/send/x", true),
            ("https://web.push.apple.com/x", true),
            ("http://10.0.0.7:8080/up/x", true),
            ("http://fcm.googleapis.com/fcm/send/x", false),
            ("https://fcm.googleapis.com:22/x", false),
            ("https://a@fcm.googleapis.com/x", false),
            ("https://fcm.googleapis.com.example/x", false),
            ("https://push.apple.com.example/x", false),
            ("http://10.0.0.7:8080/admin", false),
            ("http://10.0.0.7:80/up/x", false),
            ("http://127.0.0.1/", false),
            ("x", false),
        ] {
            assert_eq!(is_known(endpoint, &own), known, "{endpoint}");
        }
    }

    #[test]
    fn phones_come_and_go_with_their_account() {
        let dir = tempfile::tempdir().unwrap();
        let file = Subscriptions::of(dir.path());
        let endpoint = |number: usize| format!("https://fcm.googleapis.com/{number}");
        let owners = || -> Vec<(String, String)> {
            file.load().unwrap().into_iter().map(|(account, one)| (account, one.endpoint)).collect()
        };
        for number in 0..=MOST {
            file.add("a", subscription(&endpoint(number)), &[]).unwrap();
        }
        assert_eq!(owners().len(), MOST, "the oldest is gone");
        file.add("b", subscription(&endpoint(1)), &[]).unwrap();
        assert_eq!(owners().last().unwrap(), &("b".to_owned(), endpoint(1)), "a phone is of one account");
        let path = dir.path().join(NAME);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(file.load().unwrap_err().to_string().contains("push.json: is damaged"), "{length}");
            file.add("b", subscription(&endpoint(1)), &[]).unwrap_err();
            file.revoke("a").unwrap_err();
            assert_eq!(std::fs::read(&path).unwrap(), &whole[..length], "what is damaged stays");
        }
        std::fs::write(&path, whole).unwrap();
        file.revoke("a").unwrap();
        assert_eq!(owners(), [("b".to_owned(), endpoint(1))]);
        file.remove(&endpoint(1)).unwrap();
        assert_eq!(owners(), []);
        let keys = PushKeys { p256dh: "BCVx".to_owned(), auth: "BTBZ".to_owned() };
        let wrong = Subscription { keys, ..subscription(&endpoint(1)) };
        assert!(matches!(file.add("a", wrong, &[]), Err(PushError::Keys)));
    }
}
