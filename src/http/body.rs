//! Receives what a client sends: so much of it, and in good time.

use std::time::Duration;

use axum::{
    body::{Body, Bytes, to_bytes},
    http::StatusCode,
};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::error::ApiError;

/// Longest body of a request, bytes.
const LONGEST: usize = 16 * 1024;

/// How long a client may take to send it.
const SENDING: Duration = Duration::from_secs(10);

/// How long somebody may take of whom nothing is known yet.
const STRANGER_SENDING: Duration = Duration::from_secs(2);

/// Receives a body as it is, from somebody who is known.
pub(super) async fn receive(body: Body) -> Result<Bytes, ApiError> {
    receive_within(SENDING, LONGEST, body).await
}

/// Receives a body of so many bytes as it is, from somebody who is known.
pub(super) async fn receive_at_most(body: Body, longest: usize) -> Result<Bytes, ApiError> {
    receive_within(SENDING, longest, body).await
}

async fn receive_within(patience: Duration, longest: usize, body: Body) -> Result<Bytes, ApiError> {
    match timeout(patience, to_bytes(body, longest)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => {
            Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("this has at most {longest} bytes")))
        }
        Ok(Err(_)) => {
            Err(ApiError::new(StatusCode::BAD_REQUEST, "the rest of the request is cut off or damaged"))
        }
        Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "the rest of the request did not come")),
    }
}

/// Returns whether a body is longer than it may be: the limit says so behind the error that it is wrapped in, and has no name here.
fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.to_string().contains("length limit"))
}

/// Receives a value as JSON, from somebody who is known.
pub(super) async fn receive_json<T: DeserializeOwned>(body: Body) -> Result<T, ApiError> {
    parse(&receive(body).await?)
}

/// Receives a value as JSON from somebody who is to be known by it.
pub(super) async fn receive_json_of_stranger<T: DeserializeOwned>(body: Body) -> Result<T, ApiError> {
    parse(&receive_within(STRANGER_SENDING, LONGEST, body).await?)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt as _, stream};
    use tokio::time::sleep;

    use super::*;

    /// A client that sends a character, then another one every few seconds, and never all of them.
    fn slow(every: Duration) -> Body {
        let characters = stream::unfold((), move |()| async move {
            sleep(every).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
        });
        Body::from_stream(stream::iter([Ok(Bytes::from_static(b"{"))]).chain(characters))
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_come_is_given_up() {
        for every in [Duration::from_secs(1), Duration::from_secs(9), Duration::from_hours(1)] {
            let error = timeout(SENDING * 2, receive(slow(every))).await.unwrap().unwrap_err();
            assert_eq!(error.status, StatusCode::REQUEST_TIMEOUT, "{every:?}");
            let of_stranger = timeout(STRANGER_SENDING, receive_json_of_stranger::<u32>(slow(every)));
            let error = of_stranger.await.unwrap().unwrap_err();
            assert_eq!(error.status, StatusCode::REQUEST_TIMEOUT, "{every:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_has_a_length_however_fast_it_comes() {
        let error = receive(slow(Duration::ZERO)).await.unwrap_err();
        assert_eq!(error.status, StatusCode::PAYLOAD_TOO_LARGE);
        let damaged = stream::iter([Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("no chunk"))]);
        let error = receive(Body::from_stream(damaged)).await.unwrap_err();
        assert_eq!(
            error.status,
            StatusCode::BAD_REQUEST,
            "nobody is asked to send less who has not sent too much"
        );
        assert_eq!(receive(Body::from(vec![b' '; LONGEST])).await.unwrap().len(), LONGEST);
    }
}
