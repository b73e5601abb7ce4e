//! The results of a round as files for pairing programs.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};

use super::unknown;
use crate::{
    http::{App, error::ApiError, query::Path},
    rounds::export,
};

/// `GET /api/rounds/N/results.csv`.
pub(in crate::http) async fn csv(
    State(app): State<App>,
    Path(number): Path<u32>,
) -> Result<Response, ApiError> {
    let text = app.daemon().rounds().read(|book| book.round(number).map(export::csv));
    Ok(file("text/csv; charset=utf-8", &format!("round-{number}.csv"), text.ok_or_else(|| unknown(number))?))
}

/// `GET /api/rounds/N/results.trf`: all rounds up to this one.
pub(in crate::http) async fn trf(
    State(app): State<App>,
    Path(number): Path<u32>,
) -> Result<Response, ApiError> {
    let config = app.config();
    let text = app.daemon().rounds().read(|book| {
        book.round(number).ok_or_else(|| unknown(number))?;
        Ok::<_, ApiError>(export::trf(book, number, &config.event))
    })?;
    Ok(file("text/plain; charset=utf-8", &format!("round-{number}.trf"), text))
}

fn file(kind: &'static str, name: &str, text: String) -> Response {
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_DISPOSITION, disposition.unwrap_or(HeaderValue::from_static("attachment"))),
    ];
    (headers, text).into_response()
}
