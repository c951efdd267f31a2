//! Reads the whole body of a request, up to a limit.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;
use http_body_util::LengthLimitError;

use crate::problem::{Problem, Result};

/// Errors: a 413 beyond `bytes_max`, and a 400 for a body that does not arrive whole.
pub async fn read_bytes(body: Body, bytes_max: usize) -> Result<Bytes> {
    use std::error::Error;
    to_bytes(body, bytes_max).await.map_err(|error| {
        let source = error.source();
        if source.is_some_and(|source| source.is::<LengthLimitError>()) {
            let message = "Os dados enviados são grandes demais.";
            return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, message);
        }
        Problem::unreadable()
    })
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    async fn status(body: Body) -> Option<u16> {
        let read = read_bytes(body, 4).await;
        read.err().map(|problem| problem.status.as_u16())
    }

    #[tokio::test]
    async fn only_a_long_body_is_a_413() {
        assert_eq!(status(Body::from("1234")).await, None);
        assert_eq!(status(Body::from("12345")).await, Some(413));
        let interrupted = stream::iter([Ok("12"), Err(std::io::Error::other("the client is gone"))]);
        assert_eq!(status(Body::from_stream(interrupted)).await, Some(400));
    }
}
