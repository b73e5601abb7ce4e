//! Compresses answers for clients that take that: files of the desk once, what there is to see in the hall each time.
//!
//! Only what holds no secret and repeats nothing of the request is compressed: the length of an answer that holds both betrays the
//! secret (BREACH). Streams are not, as an event would wait for the next one.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use flate2::Compression;
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::error;
use crate::desk;

/// Shorter answers fit into one packet anyway.
const WORTH: usize = 1400;

/// Returns whether a client takes gzip.
pub(super) fn is_taken(headers: &HeaderMap) -> bool {
    let mut any = false;
    for value in headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()) {
        for coding in value.split(',') {
            let mut parts = coding.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            let wanted = weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0));
            if name.eq_ignore_ascii_case("gzip") {
                return wanted;
            }
            any |= name == "*" && wanted;
        }
    }
    any
}

/// Says how an answer is coded, and that another client gets another one.
pub(super) fn mark(response: &mut Response, is_packed: bool) {
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

/// Makes an answer of JSON that nobody keeps, compressed if the client takes that and it is long.
///
/// The caller sees to it that it holds no secret and nothing of the request.
pub(super) async fn json(value: &impl Serialize, headers: &HeaderMap) -> Response {
    let text = match error::json_bytes(value) {
        Ok(text) => text,
        Err(status) => return status.into_response(),
    };
    if text.len() < WORTH || !is_taken(headers) {
        let mut response = error::json_text(text);
        mark(&mut response, false);
        return response;
    }
    // Some milliseconds for hundreds of boards, in which this thread has others to serve.
    let plain = text.clone();
    let packed = spawn_blocking(move || desk::pack(&plain, Compression::fast())).await;
    let packed = packed.ok().flatten().map(Bytes::from);
    let is_packed = packed.is_some();
    let mut response = error::json_text(packed.unwrap_or(text));
    mark(&mut response, is_packed);
    response
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::body::to_bytes;
    use flate2::read::GzDecoder;

    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expected: bool) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT_ENCODING, line.parse().unwrap());
        }
        assert_eq!(is_taken(&headers), expected, "{lines:?}");
    }

    #[test]
    fn gzip_is_for_clients_that_take_it() {
        check(&[], false);
        check(&["gzip, deflate, br, zstd"], true);
        check(&["br", "GZIP"], true);
        check(&["*"], true);
        check(&["gzip;q=0.5"], true);
        check(&["gzip; q=0, *"], false);
        check(&["*, gzip;q=0"], false);
        check(&["*;q=0"], false);
        check(&["gzip;q=nonsense"], false);
        check(&["identity", "deflate"], false);
        check(&["gzipped"], false);
    }

    #[tokio::test]
    async fn long_answers_are_compressed_and_say_so() {
        let mut headers = HeaderMap::new();
        for (value, taken, packed) in [("short", true, false), ("long ", true, true), ("long ", false, false)]
        {
            let value = if value == "long " { value.repeat(WORTH) } else { value.to_owned() };
            headers
                .insert(header::ACCEPT_ENCODING, HeaderValue::from_static(if taken { "gzip" } else { "br" }));
            let response = json(&value, &headers).await;
            let coding = response.headers().get(header::CONTENT_ENCODING).cloned();
            assert_eq!(coding, packed.then(|| HeaderValue::from_static("gzip")));
            assert_eq!(response.headers()[header::VARY], "accept-encoding");
            assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
            let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
            let mut text = String::new();
            if packed {
                assert!(body.len() < value.len() / 10);
                GzDecoder::new(&body[..]).read_to_string(&mut text).unwrap();
            } else {
                text = String::from_utf8(body.to_vec()).unwrap();
            }
            assert_eq!(text, format!("\"{value}\"\n"));
        }
    }
}
