//! Finds out for whom a proxy asks, so that what one client does wrong behind it is not held against the others.
//!
//! Every proxy adds the address that has asked it at the right end of `Forwarded` or `X-Forwarded-For`; what stands further left
//! was there before, and whoever asks can have made it up. So addresses are read from the right, as long as those that added
//! them are among `http.trusted_proxies`. From any other peer, the headers change nothing. Whether the client has encrypted its
//! request, `X-Forwarded-Proto` says, likewise only from such a proxy.

use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr as _,
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, header},
    middleware::Next,
    response::Response,
};

use super::{
    App,
    serve::{IsEncrypted, Peer},
};
use crate::config::HttpConfig;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Replaces the address of a trusted proxy by that of its client, and says whether that has encrypted its request.
pub(super) async fn find_client(State(app): State<App>, mut request: Request, next: Next) -> Response {
    if let Some(Peer(peer)) = request.extensions().get::<Peer>().copied() {
        let config = app.config();
        let client = config.http.as_ref().map_or(peer, |http| client(http, peer, request.headers()));
        let is_trusted = config.http.as_ref().is_some_and(|http| http.trusts(peer));
        if is_trusted && let Some(is_encrypted) = is_encrypted(request.headers()) {
            request.extensions_mut().insert(IsEncrypted(is_encrypted));
        }
        request.extensions_mut().insert(Peer(client));
    }
    next.run(request).await
}

/// Returns whom a request is from.
///
/// A proxy writes one of the two headers, and may pass the other one on as it came. Where they do not agree, the address of the
/// proxy counts: whoever makes up a header shares it with others who do.
fn client(http: &HttpConfig, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !http.trusts(peer) {
        return peer;
    }
    let by = |name: HeaderName, addresses: fn(&str) -> Vec<Option<IpAddr>>| {
        // Further lines of a header continue the list of the first one.
        let lines = headers.get_all(&name).iter();
        let list: Vec<_> =
            lines.flat_map(|line| line.to_str().map_or_else(|_| vec![None], addresses)).collect();
        headers.contains_key(&name).then(|| right_most(http, peer, &list))
    };
    match (by(header::FORWARDED, forwarded), by(X_FORWARDED_FOR, x_forwarded_for)) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(client), _) | (None, Some(client)) => client,
        (None, None) => peer,
    }
}

/// Returns whether a proxy says that it was asked over an encrypted connection; of several words the right-most is its own.
fn is_encrypted(headers: &HeaderMap) -> Option<bool> {
    let last = headers.get_all(X_FORWARDED_PROTO).iter().next_back()?.to_str().ok()?;
    let scheme = last.rsplit(',').next()?.trim();
    Some(scheme.eq_ignore_ascii_case("https"))
}

/// Returns the right-most address that is not a trusted proxy; what is no address ends the list.
fn right_most(http: &HttpConfig, peer: IpAddr, list: &[Option<IpAddr>]) -> IpAddr {
    let mut client = peer;
    for address in list.iter().rev() {
        let Some(address) = *address else { break };
        client = address;
        if !http.trusts(client) {
            break;
        }
    }
    client
}

/// Reads a line of `X-Forwarded-For`.
fn x_forwarded_for(line: &str) -> Vec<Option<IpAddr>> {
    line.split(',').map(address).collect()
}

/// Reads a line of `Forwarded` (RFC 7239, 4): who asked each proxy.
fn forwarded(line: &str) -> Vec<Option<IpAddr>> {
    let node = |element: &str| {
        let pairs = unquoted(element, ';').into_iter().filter_map(|pair| pair.split_once('='));
        let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
        let (Some((_, node)), None) = (nodes.next(), nodes.next()) else { return None };
        address(node.trim().trim_matches('"'))
    };
    unquoted(line, ',').into_iter().map(node).collect()
}

/// Cuts a text at a character, but not inside of quotation marks.
fn unquoted(text: &str, at: char) -> Vec<&str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    text.split(|character| {
        let is_cut = character == at && !is_quoted;
        is_quoted ^= character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_cut
    })
    .collect()
}

/// Reads an address, which may have a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = IpAddr::from_str(bare).or_else(|_| SocketAddr::from_str(text).map(|address| address.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Addresses of proxies in these tests.
    const PROXIES: [&str; 2] = ["10.0.0.1", "10.1.0.0/16"];

    fn trusting() -> HttpConfig {
        let trusted_proxies = PROXIES.map(|network| network.parse().unwrap()).to_vec();
        HttpConfig { trusted_proxies, ..HttpConfig::default() }
    }

    #[track_caller]
    fn check(peer: &str, lines: &[(&str, &str)], expected: &str) {
        let http = trusting();
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        let found = client(&http, peer.parse().unwrap(), &headers);
        assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {lines:?}");
    }

    proptest! {
        /// Whatever is in the headers: a peer that is not trusted is itself, and no client is found that no header names.
        #[test]
        fn nobody_is_found_whom_nobody_names(
            forwarded in "(for=|by=|[0-9a-f.:\\[\\]\"\\\\,; ]|10\\.0\\.0\\.1|1\\.1\\.1\\.1|::1){0,30}",
            x_forwarded_for in "([0-9a-f.:\\[\\], ]|10\\.1\\.2\\.3|1\\.1\\.1\\.1|::1|, ){0,30}",
        ) {
            let http = trusting();
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::FORWARDED, &forwarded), (X_FORWARDED_FOR, &x_forwarded_for)] {
                headers.append(name, value.parse().unwrap());
            }
            let stranger = IpAddr::from([9, 9, 9, 9]);
            prop_assert_eq!(client(&http, stranger, &headers), stranger);
            let proxy = IpAddr::from([10, 0, 0, 1]);
            let found = client(&http, proxy, &headers);
            let texts = forwarded.split([',', ';', '=', '"']).chain(x_forwarded_for.split(','));
            let named: Vec<IpAddr> = texts.filter_map(address).collect();
            prop_assert!(found == proxy || named.contains(&found), "{found} {named:?}");
        }
    }

    #[test]
    fn a_proxy_says_whether_its_client_has_encrypted() {
        for (lines, expected) in [
            (&[][..], None),
            (&["https"], Some(true)),
            (&["HTTPS "], Some(true)),
            (&["http"], Some(false)),
            (&["https, http"], Some(false)),
            (&["http", "https"], Some(true)),
            (&["httpss"], Some(false)),
            (&[""], Some(false)),
        ] {
            let lines = lines.iter().map(|line| (X_FORWARDED_PROTO, line.parse().unwrap()));
            let headers: HeaderMap = lines.collect();
            assert_eq!(is_encrypted(&headers), expected);
        }
    }

    #[test]
    fn a_client_is_the_right_most_address_that_is_no_proxy() {
        let x = "x-forwarded-for";
        check("10.0.0.1", &[], "10.0.0.1");
        check("10.0.0.1", &[(x, "1.1.1.1")], "1.1.1.1");
        check("10.0.0.1", &[(x, "9.9.9.9, 1.1.1.1")], "1.1.1.1");
        check("10.0.0.1", &[(x, "9.9.9.9, 1.1.1.1, 10.1.2.3")], "1.1.1.1");
        check("10.0.0.1", &[(x, "9.9.9.9"), (x, "1.1.1.1"), (x, "10.1.2.3,10.0.0.1")], "1.1.1.1");
        check("10.0.0.1", &[(x, "10.1.2.3, 10.1.2.4")], "10.1.2.3");
        check("10.0.0.1", &[(x, "1.1.1.1:4711")], "1.1.1.1");
        check("10.0.0.1", &[(x, "fd00::7")], "fd00::7");
        check("10.0.0.1", &[(x, "[fd00::7]:4711")], "fd00::7");
        check("10.0.0.1", &[(x, "::ffff:1.1.1.1")], "1.1.1.1");
    }

    #[test]
    fn both_headers_name_the_client() {
        let f = "forwarded";
        check("10.0.0.1", &[(f, "for=1.1.1.1")], "1.1.1.1");
        check("10.0.0.1", &[(f, "proto=http;For=\"[fd00::7]:4711\" ; by=10.0.0.1")], "fd00::7");
        check(
            "10.0.0.1",
            &[(f, "for=9.9.9.9, for=1.1.1.1;host=\"a,for=8.8.8.8;\\\",\", for=10.1.2.3")],
            "1.1.1.1",
        );
        check("10.0.0.1", &[(f, "for=1.1.1.1"), ("x-forwarded-for", "1.1.1.1")], "1.1.1.1");
    }

    #[test]
    fn what_was_made_up_changes_nothing() {
        let (f, x) = ("forwarded", "x-forwarded-for");
        // Nobody but a proxy may say for whom it asks.
        check("1.1.1.1", &[(x, "127.0.0.1")], "1.1.1.1");
        check("1.1.1.1", &[(f, "for=127.0.0.1")], "1.1.1.1");
        check("1.1.1.1", &[(x, "10.0.0.1")], "1.1.1.1");
        // A header that the proxy does not write may have come from the client.
        check("10.0.0.1", &[(f, "for=9.9.9.9"), (x, "1.1.1.1")], "10.0.0.1");
        for nothing in ["unknown", "_hidden", "", "1.1.1.1, ", "1.1.1.256", "1.1.1.1 2.2.2.2"] {
            check("10.0.0.1", &[(x, nothing)], "10.0.0.1");
            check("10.0.0.1", &[(f, &format!("for={nothing}"))], "10.0.0.1");
        }
        for nothing in ["by=1.1.1.1", "for=\"1.1.1.1, for=2.2.2.2", "for=1.1.1.1;for=2.2.2.2", "1.1.1.1"] {
            check("10.0.0.1", &[(f, nothing)], "10.0.0.1");
        }
        check("10.0.0.1", &[(x, "9.9.9.9, unknown, 10.1.2.3")], "10.1.2.3");
        check("10.0.0.1", &[(f, "\u{e4}")], "10.0.0.1");
    }
}
