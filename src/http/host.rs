//! Names of this machine in requests, and the places that pages come from: what every service that listens checks.
//!
//! With a name of its own that it lets point to this machine (DNS rebinding), a page could read the answers. An address
//! of digits cannot be made to point anywhere else.

use std::{net::IpAddr, str::FromStr as _};

use axum::http::{HeaderMap, HeaderName, header, uri::Authority};
use url::Url;

/// Headers by which proxies say for whom they ask, and how all others begin that do.
const FORWARDED: [HeaderName; 3] = [header::FORWARDED, header::VIA, HeaderName::from_static("x-real-ip")];
const X_FORWARDED: &str = "x-forwarded-";

/// Returns whether a request comes from this machine and by none of its names for others. What a proxy has passed on does not.
pub(crate) fn is_from_here(peer: IpAddr, headers: &HeaderMap) -> bool {
    let names_this_machine = requested(headers).is_some_and(|requested| {
        address(requested.host()).map_or_else(
            || is_own_name(requested.host(), &[]),
            |address| address.to_canonical().is_loopback(),
        )
    });
    let mut names = headers.keys();
    let is_passed_on = names.any(|name| FORWARDED.contains(name) || name.as_str().starts_with(X_FORWARDED));
    peer.is_loopback() && names_this_machine && !is_passed_on
}

/// Returns the machine that a request is for, as its `Host` header has it; none if there are several, or a user before it.
pub(crate) fn requested(headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
    Authority::from_str(host.to_str().ok()?).ok().filter(|host| !host.as_str().contains('@'))
}

/// Returns a header, if it is a text.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Returns the address, if a host is written as one.
pub(crate) fn address(host: &str) -> Option<IpAddr> {
    IpAddr::from_str(host.trim_start_matches('[').trim_end_matches(']')).ok()
}

/// Returns whether a name is `localhost` or one of those in the configuration.
pub(crate) fn is_own_name(host: &str, configured: &[String]) -> bool {
    let host = host.trim_end_matches('.');
    host.eq_ignore_ascii_case("localhost") || configured.iter().any(|own| own.eq_ignore_ascii_case(host))
}

/// Returns whether an origin is a page of the machine and port that the request is for.
pub(crate) fn is_same_place(origin: &str, host: &Authority) -> bool {
    let Ok(origin) = Url::parse(origin) else { return false };
    let Ok(own) = Url::parse(&format!("{}://{host}", origin.scheme())) else { return false };
    matches!(origin.scheme(), "http" | "https") && origin.origin() == own.origin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(origin: &str, host: &str, expected: bool) {
        assert_eq!(is_same_place(origin, &host.parse().unwrap()), expected, "{origin} {host}");
    }

    #[test]
    fn a_page_is_from_here_only_with_name_and_port() {
        check("http://localhost:8080", "localhost:8080", true);
        check("http://LOCALHOST:8080", "localhost:8080", true);
        check("https://hall.example", "hall.example:443", true);
        check("https://hall.example", "hall.example", true);
        check("http://hall.example", "hall.example:81", false);
        check("http://localhost:8080.evil.example", "localhost:8080", false);
        check("ftp://localhost", "localhost", false);
        check("null", "localhost", false);
        check("", "localhost", false);
    }
}
