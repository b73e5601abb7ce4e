//! Errors as the interface reports them: a status, and one line of JSON with the reason.

use axum::{
    body::Bytes,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// Why a request is not carried out.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) reason: String,
    /// Seconds after which to try again.
    pub(crate) retry_after: Option<u64>,
}

impl ApiError {
    /// Makes an error.
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Self { status, reason: reason.into(), retry_after: None }
    }

    /// Says that there is no such thing.
    pub(crate) fn not_found(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, reason)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, json(&serde_json::json!({ "error": self.reason }))).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Makes an answer of JSON that nobody keeps.
pub(super) fn json(value: &impl serde::Serialize) -> Response {
    json_bytes(value).map_or_else(IntoResponse::into_response, json_text)
}

/// Writes a value as a line of JSON.
///
/// # Errors
///
/// Returns the status to answer with if it cannot be written.
pub(super) fn json_bytes(value: &impl serde::Serialize) -> Result<Bytes, StatusCode> {
    match serde_json::to_vec(value) {
        Ok(mut bytes) => {
            bytes.push(b'\n');
            Ok(bytes.into())
        }
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            Err(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

/// Makes an answer of a text that is JSON already.
pub(super) fn json_text(text: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, text).into_response()
}
