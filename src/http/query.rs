//! Reads the query of an address; what is wrong with it is told as every other error is.

use axum::{extract::FromRequestParts, http::request::Parts};
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// The query of an address.
#[derive(Debug)]
pub(super) struct Query<T>(pub(super) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(query)| Self(query))
            .map_err(|rejection| ApiError::new(rejection.status(), rejection.body_text()))
    }
}
