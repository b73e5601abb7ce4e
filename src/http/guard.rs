//! Refuses requests of pages of other sites in the arbiter's browser, and requests for another machine (see [`host`]).
//!
//! A page of another site can make a browser send requests to this server. So a request has to name this server by a
//! name that it has, and a request that changes something, or whose answer is a stream, may not come from such a page.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::debug;

use super::{
    App,
    error::ApiError,
    host,
    serve::{IsEncrypted, Peer},
};
use crate::config::HttpConfig;

/// Headers of every answer. The desk's pages load nothing from anywhere else and run no script of their own lines.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// For how long browsers ask this server encrypted only, seconds: an event, and not for ever, as a hall may do without later.
const ENCRYPTED_ONLY: &str = "max-age=2592000";

/// Passes a request on or refuses it, and gives every answer its headers.
pub(super) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let config = app.config();
    let http = config.http.clone().unwrap_or_default();
    let is_encrypted = request.extensions().get().is_some_and(|IsEncrypted(is_encrypted)| *is_encrypted);
    let mut response = match check(&http, request.method(), request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => {
            debug!(from = ?request.extensions().get::<Peer>(), reason = error.reason, "request refused");
            error.into_response()
        }
    };
    let headers = response.headers_mut();
    // Whoever has come in encrypted has the certificate already; the header counts there only.
    if is_encrypted && http.certificate.is_some() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ENCRYPTED_ONLY));
    }
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(http: &HttpConfig, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    let host = host::requested(headers)
        .ok_or_else(|| ApiError::new(StatusCode::BAD_REQUEST, "the request names no host, or several"))?;
    if !is_own(http, host.host()) {
        let reason = format!(
            "this is not {}; if the name is right, add it to http.hosts in the configuration",
            host.host()
        );
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, reason));
    }
    let harmless = matches!(*method, Method::GET | Method::HEAD) && path != super::EVENTS;
    if harmless || is_from_own_page(headers, &host) {
        Ok(())
    } else {
        Err(ApiError::new(StatusCode::FORBIDDEN, "pages of other sites may not do this"))
    }
}

/// Returns whether a name is one that this server has.
fn is_own(http: &HttpConfig, host: &str) -> bool {
    if let Some(address) = host::address(host) {
        let address = address.to_canonical();
        let listens = http.listen.ip();
        return address.is_loopback() || listens.is_unspecified() || address == listens;
    }
    host::is_own_name(host, &http.hosts)
        || http.local_host().is_some_and(|local| local.eq_ignore_ascii_case(host.trim_end_matches('.')))
}

/// Returns whether a request comes from this server's own page, or from no page.
fn is_from_own_page(headers: &HeaderMap, host: &Authority) -> bool {
    let same_site = host::text(headers, &HeaderName::from_static("sec-fetch-site"))
        .is_none_or(|site| matches!(site, "same-origin" | "none"));
    let same_origin = match headers.get(header::ORIGIN) {
        None => true,
        Some(origin) => origin.to_str().is_ok_and(|origin| host::is_same_place(origin, host)),
    };
    same_site && same_origin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_request(lines: &[(&str, &str)], method: &Method, path: &str, expected: Result<(), u16>) {
        let http = HttpConfig { hosts: vec!["hall.example".to_owned()], ..HttpConfig::default() };
        let headers = lines
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap()))
            .collect();
        let outcome = check(&http, method, path, &headers).map_err(|error| error.status.as_u16());
        assert_eq!(outcome, expected, "{lines:?}");
    }

    #[test]
    fn only_own_names_are_answered() {
        for own in [
            "127.0.0.1:8080",
            "localhost:8080",
            "LOCALHOST",
            "[::1]:8080",
            "hall.example",
            "Hall.Example.:80",
        ] {
            check_request(&[("host", own)], &Method::GET, "/", Ok(()));
        }
        for foreign in
            ["evil.example", "192.168.1.5:8080", "localhost.evil.example", "127.0.0.1.evil.example"]
        {
            check_request(&[("host", foreign)], &Method::GET, "/", Err(421));
        }
        check_request(&[], &Method::GET, "/", Err(400));
        check_request(&[("host", "a b")], &Method::GET, "/", Err(400));
        check_request(&[("host", "localhost"), ("host", "localhost")], &Method::GET, "/", Err(400));
    }

    #[test]
    fn a_server_for_all_addresses_answers_to_no_other_name() {
        let http = HttpConfig { listen: "0.0.0.0:80".parse().unwrap(), ..HttpConfig::default() };
        assert!(is_own(&http, "192.168.1.5"));
        assert!(!is_own(&http, "evil.example"));
        // The name that it announces in the network.
        assert!(is_own(&http, "Jadoube.local."));
        assert!(!is_own(&http, "jadoube.local.evil.example"));
        assert!(!is_own(&HttpConfig::default(), "jadoube.local"), "it is announced to nobody");
    }

    #[test]
    fn pages_of_other_sites_change_nothing_and_hear_nothing() {
        let host = ("host", "localhost:8080");
        let orders = "/api/boards/1/orders";
        check_request(&[host], &Method::POST, orders, Ok(()));
        check_request(&[host, ("origin", "http://localhost:8080")], &Method::POST, orders, Ok(()));
        check_request(&[host, ("sec-fetch-site", "same-origin")], &Method::GET, super::super::EVENTS, Ok(()));
        for origin in
            ["http://evil.example", "null", "http://localhost:8081", "http://localhost:8080.evil.example"]
        {
            check_request(&[host, ("origin", origin)], &Method::POST, orders, Err(403));
            check_request(&[host, ("origin", origin)], &Method::GET, super::super::EVENTS, Err(403));
            check_request(&[host, ("origin", origin)], &Method::GET, "/", Ok(()));
        }
        check_request(&[host, ("sec-fetch-site", "cross-site")], &Method::POST, orders, Err(403));
        check_request(&[host, ("sec-fetch-site", "same-site")], &Method::DELETE, orders, Err(403));
    }
}
