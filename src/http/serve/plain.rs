//! Refuses requests that two readers may understand differently: a proxy in front and this server, for instance.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::http::{error::ApiError, host};

/// Headers of which readers take one, the first or the last.
const ONCE: [HeaderName; 6] = [
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    header::ORIGIN,
    header::SEC_WEBSOCKET_KEY,
    header::SEC_WEBSOCKET_VERSION,
    HeaderName::from_static("sec-fetch-site"),
];

/// Passes a request on that has one reading; the connection of another is closed, as it is not clear where that one ends.
pub(super) async fn only(request: Request, next: Next) -> Response {
    let Some(reason) = doubt(&request) else { return next.run(request).await };
    let mut response = ApiError::new(StatusCode::BAD_REQUEST, reason).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Returns what is not clear of a request.
fn doubt(request: &Request) -> Option<&'static str> {
    let (headers, named) = (request.headers(), request.uri().authority());
    let is_host =
        |named: &str| host::requested(headers).is_some_and(|host| host.as_str().eq_ignore_ascii_case(named));
    if named.is_some_and(|named| !is_host(named.as_str())) {
        return Some("the address and the header 'host' name two machines");
    }
    if !is_whole_or_chunked(headers) {
        return Some("of 'transfer-encoding' there may be one, which is 'chunked'");
    }
    if ONCE.iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        return Some("a header of which there may be one is there twice");
    }
    None
}

/// Returns whether a body comes as it is, or chunked once and nothing else.
fn is_whole_or_chunked(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let is_chunked = |coding: &HeaderValue| coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    codings.next().is_none_or(is_chunked) && codings.next().is_none()
}
