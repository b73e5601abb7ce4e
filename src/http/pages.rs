//! Serves the desk's pages, which are part of the program.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{error::ApiError, gzip, query::Path};
use crate::desk;

/// `GET /`.
pub(super) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    page("index.html", &headers)
}

/// `GET /table/NUMBER` and `GET /board/NAME`: the page of that board.
pub(super) async fn board(Path(name): Path<String>) -> Redirect {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    Redirect::temporary(&format!("/#/board/{name}"))
}

/// `GET /desk/…`.
pub(super) async fn file(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    page(&path, &headers)
}

pub(super) fn page(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let asset = desk::asset(path).ok_or_else(|| ApiError::not_found("there is no such page"))?;
    let packed = if gzip::is_taken(headers) { asset.packed() } else { None };
    let etag = if packed.is_some() { asset.packed_etag } else { asset.etag };
    let tag = HeaderValue::from_str(etag).map_err(|_| ApiError::not_found("there is no such page"))?;
    let is_known = headers.get_all(header::IF_NONE_MATCH).iter().any(|known| {
        known
            .to_str()
            .is_ok_and(|known| known.split(',').any(|known| known.trim().trim_start_matches("W/") == etag))
    });
    let caching = [(header::ETAG, tag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if is_known {
        let mut response = (StatusCode::NOT_MODIFIED, caching).into_response();
        gzip::mark(&mut response, false);
        return Ok(response);
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type))];
    let mut response = (caching, kind, packed.unwrap_or_else(|| asset.bytes())).into_response();
    gzip::mark(&mut response, packed.is_some());
    if path == "sw.js" {
        // It lies in /desk/ and keeps all pages.
        let allowed = HeaderName::from_static("service-worker-allowed");
        response.headers_mut().insert(allowed, HeaderValue::from_static("/"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::body::to_bytes;
    use flate2::read::GzDecoder;

    use super::*;

    #[track_caller]
    fn check_scope(path: &str, scope: Option<&str>) {
        let response = page(path, &HeaderMap::new()).unwrap();
        let allowed = response.headers().get("service-worker-allowed");
        assert_eq!(allowed.map(|allowed| allowed.to_str().unwrap()), scope, "{path}");
    }

    /// Asks for a file; returns status, coding, entity tag and content.
    async fn ask(
        path: &str,
        accepted: &'static str,
        known: Option<&str>,
    ) -> (StatusCode, Option<String>, String, Vec<u8>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        headers.extend(known.map(|known| (header::IF_NONE_MATCH, known.parse().unwrap())));
        let response = page(path, &headers).unwrap();
        assert_eq!(response.headers()[header::VARY], "accept-encoding", "{path}");
        let text = |name| Some(response.headers().get(name)?.to_str().unwrap().to_owned());
        let (coding, tag) = (text(header::CONTENT_ENCODING), text(header::ETAG).unwrap());
        let status = response.status();
        (status, coding, tag, to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn files_are_compressed_on_request_and_tagged_apart() {
        for path in ["desk.js", "desk.css", "index.html", "icon.svg", "articles.json"] {
            let plain = desk::asset(path).unwrap().bytes();
            let (_, coding, tag, body) = ask(path, "identity", None).await;
            assert_eq!((coding, &*body), (None, plain), "{path}");
            let (_, coding, packed_tag, body) = ask(path, "gzip, br", None).await;
            assert_eq!(coding.as_deref(), Some("gzip"), "{path}");
            assert_ne!(tag, packed_tag, "{path}");
            let mut unpacked = Vec::new();
            GzDecoder::new(&body[..]).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, plain, "{path}");
            assert!(body.len() < plain.len(), "{path}");
            for (accepted, known) in [("gzip", &packed_tag), ("identity", &tag)] {
                let (status, _, reported, body) = ask(path, accepted, Some(known)).await;
                assert_eq!((status, &reported, body.len()), (StatusCode::NOT_MODIFIED, known, 0), "{path}");
            }
            let (status, ..) = ask(path, "gzip", Some(&tag)).await;
            assert_eq!(status, StatusCode::OK, "{path}: it has the other one");
        }
        let (_, coding, _, body) = ask("icon-512.png", "gzip", None).await;
        assert_eq!((coding, &*body), (None, desk::asset("icon-512.png").unwrap().bytes()));
    }

    #[test]
    fn only_the_script_that_keeps_the_pages_may_serve_all_of_them() {
        check_scope("sw.js", Some("/"));
        check_scope("desk.js", None);
        check_scope("index.html", None);
    }
}
