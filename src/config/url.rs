//! Addresses of other services, as keys name them: the path of a hook, or a user in front of the host, may be a secret.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An address whose scheme and host can be shown, and nothing else of it.
///
/// Only [`ConfigUrl::secret`] has all of it; it is for whoever connects, and in no message.
#[derive(Clone, Default, Deserialize, Eq, PartialEq)]
#[serde(transparent)]
pub struct ConfigUrl(String);

impl ConfigUrl {
    /// Returns the whole address.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Returns the whole address without the slash that some write at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        self.0.trim_end_matches('/')
    }

    /// Returns whether it is one of the web.
    #[must_use]
    pub fn is_web(&self) -> bool {
        let scheme = self.0.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        scheme.is_some_and(|scheme| scheme == "https" || scheme == "http") && !self.host().is_empty()
    }

    /// Returns whether it leads to another machine in clear text.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        let scheme = self.0.split_once("://").map_or("", |(scheme, _)| scheme);
        let host = self.host();
        let name = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map_or(host, |(name, _)| name);
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        let is_here = name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.to_canonical().is_loopback());
        scheme.eq_ignore_ascii_case("http") && !is_here
    }

    /// Returns host and port, as they are written.
    #[must_use]
    pub fn host(&self) -> &str {
        let Some((_, rest)) = self.0.split_once("://") else { return "" };
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    }
}

impl ConfigUrl {
    /// Takes what may not be shown out of a text, such as the error of a library that repeats the address.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        let (_, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let (user, path) = rest.split_once(self.host()).unwrap_or(("", rest));
        let shown = text.replace(&self.0, &self.to_string()).replace(self.base(), &self.to_string());
        let secrets = [user.trim_end_matches('@'), path.trim_end_matches('/'), path.trim_matches('/')];
        // A slash, or a letter, would tear the text to pieces and tells nothing.
        secrets
            .into_iter()
            .filter(|secret| secret.len() > 2)
            .fold(shown, |text, secret| text.replace(secret, "…"))
    }
}

impl From<String> for ConfigUrl {
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl From<&str> for ConfigUrl {
    fn from(url: &str) -> Self {
        Self(url.to_owned())
    }
}

impl fmt::Display for ConfigUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host();
        let is_plain = |text: &str| text.chars().all(|sign| sign.is_ascii_graphic());
        match self.0.split_once("://") {
            Some((scheme, _)) if !host.is_empty() && is_plain(scheme) && is_plain(host) => {
                write!(f, "{scheme}://{host}")
            }
            _ => f.write_str("(no address)"),
        }
    }
}

impl fmt::Debug for ConfigUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ConfigUrl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_and_host_are_shown_and_nothing_else() {
        for (url, shown) in [
            ("https://ntfy.sh/secret-topic", "https://ntfy.sh"),
            (
                "https://user:secret@hooks.example:8443/secret?token=secret#secret",
                "https://hooks.example:8443",
            ),
            ("https://user:se@cret@host/x", "https://host"),
            ("http://[fd00::7]:80/secret", "http://[fd00::7]:80"),
            ("https://host?token=secret", "https://host"),
            ("https://host\\secret", "https://host"),
            ("secret", "(no address)"),
            ("https:///secret", "(no address)"),
            ("https://ho\nst/", "(no address)"),
            ("user:secret@host", "(no address)"),
            ("", "(no address)"),
        ] {
            let address = ConfigUrl::from(url);
            assert_eq!(address.to_string(), shown, "{url}");
            assert_eq!(format!("{address:?}"), shown, "{url}");
            assert_eq!(serde_json::to_value(&address).unwrap(), shown, "{url}");
            assert_eq!(address.secret(), url);
        }
    }

    #[test]
    fn a_text_is_shown_without_the_address() {
        let url = ConfigUrl::from("https://me:secret@host/hooks/secret?a=b");
        for (text, shown) in [
            ("bad uri: https://me:secret@host/hooks/secret?a=b", "bad uri: https://host"),
            ("no route for /hooks/secret?a=b", "no route for …"),
            ("user me:secret is refused", "user … is refused"),
            ("timeout: global", "timeout: global"),
        ] {
            assert_eq!(url.hide(text), shown);
        }
        assert_eq!(ConfigUrl::from("https://host/").hide("https://host/ and a/b"), "https://host and a/b");
        assert_eq!(ConfigUrl::from("secret").hide("bad uri: secret"), "bad uri: (no address)");
    }

    #[test]
    fn clear_text_to_other_machines_is_known() {
        for (url, expected) in [
            ("http://10.0.0.7/x", true),
            ("HTTP://host", true),
            ("http://localhost:80/x", false),
            ("http://127.0.0.1", false),
            ("http://[::1]:80/", false),
            ("http://[fd00::7]:80/", true),
            ("https://host", false),
            ("http://localhost@host/", true),
        ] {
            assert_eq!(ConfigUrl::from(url).is_clear(), expected, "{url}");
        }
    }
}
