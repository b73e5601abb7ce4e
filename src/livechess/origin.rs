//! Which web pages may connect, and by which names this machine is asked.
//!
//! A browser lets any page open a WebSocket to this machine and says only where the page comes from. A program that
//! is no browser says nothing, and may connect.

use axum::{
    extract::Request,
    http::{HeaderMap, header},
};

use crate::{
    config::LiveChessConfig,
    http::{host, serve::Peer},
};

/// Why somebody is kept out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum RefusedOrigin {
    /// The request does not say which machine it is for.
    NoHost,
    /// This machine is not called that.
    Host(String),
    /// The page is not on the list.
    Origin(String),
}

/// Returns whether a request may be answered; returns the page's origin if there is one.
///
/// # Errors
///
/// Returns the reason if it may not.
pub(super) fn check(config: &LiveChessConfig, headers: &HeaderMap) -> Result<Option<String>, RefusedOrigin> {
    let own = host::requested(headers).ok_or(RefusedOrigin::NoHost)?;
    if host::address(own.host()).is_none() && !host::is_own_name(own.host(), &config.hosts) {
        return Err(RefusedOrigin::Host(own.host().to_owned()));
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(None) };
    let origin = String::from_utf8_lossy(origin.as_bytes()).into_owned();
    let is_own = origin.starts_with("http://") && host::is_same_place(&origin, &own);
    if is_own || config.origins.iter().any(|pattern| matches(pattern, &origin)) {
        Ok(Some(origin))
    } else {
        Err(RefusedOrigin::Origin(origin))
    }
}

/// Returns whether a request comes from a program on this machine, and not through a proxy.
pub(super) fn is_from_here(request: &Request) -> bool {
    let peer = request.extensions().get::<Peer>();
    peer.is_some_and(|Peer(peer)| host::is_from_here(*peer, request.headers()))
}

/// Returns whether an origin is meant by an entry of the list, which may have `*.` before its domain.
pub(super) fn matches(pattern: &str, origin: &str) -> bool {
    let (pattern, origin) = (pattern.trim_end_matches('/').to_ascii_lowercase(), origin.to_ascii_lowercase());
    let Some((scheme, domain)) = pattern.split_once("://*.") else { return pattern == origin };
    let Some(place) = origin.strip_prefix(scheme).and_then(|rest| rest.strip_prefix("://")) else {
        return false;
    };
    let labels = place.strip_suffix(domain).and_then(|labels| labels.strip_suffix('.'));
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    labels.is_some_and(|labels| labels.split('.').all(label))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[track_caller]
    fn check_pattern(pattern: &str, origin: &str, expected: bool) {
        assert_eq!(matches(pattern, origin), expected, "{pattern} {origin}");
    }

    #[test]
    fn a_star_stands_for_subdomains_and_nothing_else() {
        check_pattern("https://lichess.org", "https://lichess.org", true);
        check_pattern("https://lichess.org/", "https://LICHESS.org", true);
        check_pattern("https://lichess.org", "http://lichess.org", false);
        check_pattern("https://lichess.org", "https://lichess.org.evil.example", false);
        check_pattern("https://lichess.org", "https://lichess.org:444", false);
        check_pattern("https://*.tornelo.com", "https://home.tornelo.com", true);
        check_pattern("https://*.tornelo.com", "https://a.b.tornelo.com", true);
        check_pattern("https://*.tornelo.com", "https://tornelo.com", false);
        check_pattern("https://*.tornelo.com", "https://.tornelo.com", false);
        check_pattern("https://*.tornelo.com", "https://eviltornelo.com", false);
        check_pattern("https://*.tornelo.com", "http://home.tornelo.com", false);
        check_pattern("https://*.tornelo.com", "https://home.tornelo.com:81", false);
        check_pattern("https://*.tornelo.com", "https://evil.example/x.tornelo.com", false);
        check_pattern("https://*.tornelo.com", "null", false);
        check_pattern("null", "null", true);
        check_pattern("", "null", false);
    }

    #[track_caller]
    fn check_headers(lines: &[(&str, &str)], expected: Result<Option<&str>, RefusedOrigin>) {
        let config = LiveChessConfig { hosts: vec!["hall.example".to_owned()], ..LiveChessConfig::default() };
        let headers = lines
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap()))
            .collect();
        assert_eq!(check(&config, &headers), expected.map(|origin| origin.map(str::to_owned)), "{lines:?}");
    }

    #[test]
    fn only_pages_of_the_list_and_programs_come_in() {
        for own in ["localhost:1982", "127.0.0.1:1982", "[::1]:1982", "192.168.1.5:1982", "Hall.example"] {
            check_headers(&[("host", own)], Ok(None));
        }
        check_headers(
            &[("host", "localhost:1982"), ("origin", "https://www.chess.com")],
            Ok(Some("https://www.chess.com")),
        );
        check_headers(
            &[("host", "localhost:1982"), ("origin", "http://localhost:1982")],
            Ok(Some("http://localhost:1982")),
        );
        for foreign in ["https://evil.example", "null", "http://localhost:3000", ""] {
            let kept_out = RefusedOrigin::Origin(foreign.to_owned());
            check_headers(&[("host", "localhost:1982"), ("origin", foreign)], Err(kept_out));
        }
        let own_name = [("host", "evil.example:1982"), ("origin", "http://evil.example:1982")];
        check_headers(&own_name, Err(RefusedOrigin::Host("evil.example".to_owned())));
        check_headers(&[], Err(RefusedOrigin::NoHost));
    }
}
