//! Serves the desk's pages, which are part of the program.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{error::ApiError, query::Path};
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
    let tag = HeaderValue::from_str(asset.etag).map_err(|_| ApiError::not_found("there is no such page"))?;
    let is_known = headers.get_all(header::IF_NONE_MATCH).iter().any(|known| {
        known.to_str().is_ok_and(|known| {
            known.split(',').any(|known| known.trim().trim_start_matches("W/") == asset.etag)
        })
    });
    let caching = [(header::ETAG, tag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type))];
    let mut response = (caching, kind, asset.bytes).into_response();
    if path == "sw.js" {
        // It lies in /desk/ and keeps all pages.
        let allowed = HeaderName::from_static("service-worker-allowed");
        response.headers_mut().insert(allowed, HeaderValue::from_static("/"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_scope(path: &str, scope: Option<&str>) {
        let response = page(path, &HeaderMap::new()).unwrap();
        let allowed = response.headers().get("service-worker-allowed");
        assert_eq!(allowed.map(|allowed| allowed.to_str().unwrap()), scope, "{path}");
    }

    #[test]
    fn only_the_script_that_keeps_the_pages_may_serve_all_of_them() {
        check_scope("sw.js", Some("/"));
        check_scope("desk.js", None);
        check_scope("index.html", None);
    }
}
