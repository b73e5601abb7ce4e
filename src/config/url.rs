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
        scheme.is_some_and(|scheme| scheme == "https" || scheme == "http") && is_host(self.host())
    }

    /// Returns whether more than its scheme and host is reported to whoever it leads to: a user, a path or a query, which may be secrets.
    #[must_use]
    pub fn has_more(&self) -> bool {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        !rest.trim_end_matches('/').eq_ignore_ascii_case(self.host())
    }

    /// Returns whether it names a user.
    #[must_use]
    pub fn has_user(&self) -> bool {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#', '\\']).next().is_some_and(|authority| authority.contains('@'))
    }

    /// Returns the whole address without a user, as links to it begin.
    #[must_use]
    pub fn without_user(&self) -> String {
        match self.0.split_once("://") {
            Some((scheme, rest)) if self.has_user() => {
                let behind = rest.split_once(self.host()).map_or("", |(_, behind)| behind);
                format!("{scheme}://{}{behind}", self.host())
            }
            _ => self.0.clone(),
        }
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
    /// Removes what may not be shown from a text, such as the error of a library that repeats the address.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        let (_, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let (user, path) = rest.split_once(self.host()).unwrap_or(("", rest));
        let shown = text.replace(&self.0, &self.to_string()).replace(self.base(), &self.to_string());
        let secrets = [user.trim_end_matches('@'), path.trim_end_matches('/'), path.trim_matches('/')];
        // A slash, or a letter, would tear the text to pieces and says nothing.
        secrets
            .into_iter()
            .filter(|secret| secret.len() > 2)
            .fold(shown, |text, secret| text.replace(secret, "…"))
    }
}

/// Returns whether something is the name of a machine, or its address, with or without a port.
fn is_host(host: &str) -> bool {
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    if let Some((address, rest)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok()
            && rest.strip_prefix(':').map_or(rest.is_empty(), is_port);
    }
    let (name, port) = host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '_');
    !name.is_empty() && name.chars().all(is_plain) && port.is_none_or(is_port)
}

/// Cuts every address in a text behind its host: what a message repeats of a configuration may be an address with a secret in it.
pub(super) fn without_secrets(text: &str) -> String {
    let ends = |sign: char| sign.is_whitespace() || matches!(sign, '\'' | '"' | '`');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        let (url, after) = behind.split_at(behind.find(ends).unwrap_or(behind.len()));
        let authority = url.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // What stands in the place of a port, and is none, may be a password; the word is that of remedies.
        let (name, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, ""));
        let port = port.trim_end_matches([',', '.', ';', ')', ']']);
        let is_port = port == "port" || port.chars().all(|sign| sign.is_ascii_digit());
        let path = url.get(authority.len()..).unwrap_or_default();
        let is_bare = path.trim_end_matches(['.', ',', ';', ':', ')', ']', '/']).is_empty();
        shown.extend([before, if is_port { host } else { name }, if is_bare { path } else { "/…" }]);
        rest = after;
    }
    shown + rest
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
        // What stands in the place of a port, and is none, may be a password without its host.
        let (name, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, ""));
        let host = if port.chars().all(|sign| sign.is_ascii_digit()) { host } else { name };
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
    fn addresses_in_a_text_are_cut() {
        for (text, shown) in [
            ("found string \"http://h/SECRET\"", "found string \"http://h/…\""),
            (
                "--set notify=['http://h:80/SECRET?a=b','https://u:p@i/']",
                "--set notify=['http://h:80/…','https://i/']",
            ),
            (
                "'https://lichess.org' matches, or https://*.tornelo.com for all",
                "'https://lichess.org' matches, or https://*.tornelo.com for all",
            ),
            ("no address: https://…, or http://… there", "no address: https://…, or http://… there"),
            ("http://[fd00::7]:80/SECRET is", "http://[fd00::7]:80/… is"),
            ("use tcp://host:port", "use tcp://host:port"),
            ("https://push.example/", "https://push.example/"),
            ("mqtt://user:SECRET@host", "mqtt://host"),
            ("mqtt://user:SECRET", "mqtt://user"),
            ("http://u:SE(CRET@h/", "http://h/"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }

    #[test]
    fn what_is_no_machine_is_no_address() {
        for (url, is_web, has_more, has_user) in [
            ("https://push.example/", true, false, false),
            ("https://push.example:8443/a", true, true, false),
            ("https://me@push.example", true, true, true),
            ("https://push.example?token=x", true, true, false),
            ("http://[fd00::7]:80", true, false, false),
            ("https://*", false, false, false),
            ("https://[", false, false, false),
            ("https://[x]", false, false, false),
            ("https://a:b", false, false, false),
            ("https://", false, false, false),
        ] {
            let address = ConfigUrl::from(url);
            assert_eq!(
                (address.is_web(), address.has_more(), address.has_user()),
                (is_web, has_more, has_user),
                "{url}"
            );
        }
        assert_eq!(ConfigUrl::from("https://me:SECRET@hall/desk/").without_user(), "https://hall/desk/");
        assert_eq!(ConfigUrl::from("https://hall/desk").without_user(), "https://hall/desk");
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
