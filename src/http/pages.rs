//! Serves the desk's pages, which are part of the program.

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::error::ApiError;
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

fn page(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
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
    Ok((caching, kind, asset.bytes).into_response())
}
