//! Reads addresses of brokers, and makes levels of topics.

use std::net::IpAddr;

use super::ConfigUrl;

/// Where a broker is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct BrokerAddress {
    /// Name or address of the machine.
    pub(crate) host: String,
    /// TCP port.
    pub(crate) port: u16,
    /// Whether the connection is encrypted.
    pub(crate) tls: bool,
}

impl BrokerAddress {
    /// Returns whether the broker runs on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
    }

    /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`; an IPv6 address stands in brackets.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text, and what was expected.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        // A password, or what a path holds, has no place in a message.
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-');
        let shown = if url.contains("://") || !url.chars().all(is_plain) {
            ConfigUrl::from(url).to_string()
        } else {
            url.to_owned()
        };
        let wrong =
            |reason: &str| format!("'{shown}' {reason}; expected mqtt://host:1883 or mqtts://host:8883");
        let (tls, rest) = match url.split_once("://") {
            Some(("mqtt", rest)) => (false, rest),
            Some(("mqtts", rest)) => (true, rest),
            Some(_) => return Err(wrong("has another scheme")),
            None => return Err(wrong("has no scheme")),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains('@') {
            return Err(wrong("holds a user: the keys user and password_file are for that"));
        }
        let (host, port) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port))),
        };
        if host.is_empty() || host.contains(['/', '?', '#', ' ']) {
            return Err(wrong("names no machine"));
        }
        let port = match port {
            Some(port) => port.parse().map_err(|_| wrong("has a port that is no number up to 65535"))?,
            None if tls => 8883,
            None => 1883,
        };
        Ok(Self { host: host.to_owned(), port, tls })
    }
}

/// Makes one level of a topic of any text: `[a-z0-9-]` only.
pub(crate) fn topic_level(text: &str) -> String {
    let mut level = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            level.push(c.to_ascii_lowercase());
        } else if !level.ends_with('-') {
            level.push('-');
        }
    }
    level.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, host: &str, port: u16, tls: bool) {
        assert_eq!(BrokerAddress::parse(url), Ok(BrokerAddress { host: host.to_owned(), port, tls }));
    }

    #[test]
    fn addresses_are_read() {
        check("mqtt://broker", "broker", 1883, false);
        check("mqtts://broker.example/", "broker.example", 8883, true);
        check("mqtt://10.0.0.7:4001", "10.0.0.7", 4001, false);
        check("mqtt://[::1]", "::1", 1883, false);
        check("mqtts://[fe80::1]:99", "fe80::1", 99, true);
        for wrong in ["", "broker", "http://b", "mqtt://", "mqtt://b:70000", "mqtt://a/b", "mqtt://u:p@b"] {
            assert!(BrokerAddress::parse(wrong).unwrap_err().contains("mqtt://host:1883"), "{wrong}");
        }
    }

    #[test]
    fn a_password_is_not_repeated() {
        for url in [
            "mqtt://user:geheim@host",
            "user:geheim@host",
            "mqtt://user:ge@heim@host",
            "http://u:geheim@h/",
            "mqtt://host/geheim",
            "mqtt://host?token=geheim",
            "mqtt://user:geheim",
            "host/geheim",
        ] {
            let error = BrokerAddress::parse(url).unwrap_err();
            assert!(!error.contains("geheim") && !error.contains("ge@"), "{error}");
        }
    }

    #[test]
    fn every_text_makes_a_level() {
        assert_eq!(topic_level("23946"), "23946");
        assert_eq!(topic_level("/dev/ttyACM0"), "dev-ttyacm0");
        assert_eq!(topic_level("Hall +/# Ä1"), "hall-1");
        assert_eq!(topic_level("+"), "");
    }
}
