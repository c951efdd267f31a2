//! Sends a stored file as an attachment, one part in memory at a time.

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use gateway_platform::files::{StoredFile, file_part};

use crate::AppState;
use crate::problem::Problem;
use crate::spreadsheet::attachment;

/// If a browser shows the file in spite of the attachment header, the file may run nothing and load nothing.
pub const SANDBOXED: HeaderValue =
    HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'none'");

pub fn attached(state: AppState, file: &StoredFile, name: &str) -> Response {
    let headers: [(HeaderName, HeaderValue); 4] = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(file.media_type.as_str()),
        ),
        (header::CONTENT_LENGTH, HeaderValue::from(file.byte_count)),
        (header::CONTENT_DISPOSITION, attachment(name)),
        (header::CONTENT_SECURITY_POLICY, SANDBOXED),
    ];
    let id = file.id;
    // The connection returns to the pool between two parts, because a reader may be slow.
    let parts = stream::try_unfold(0_i32, move |number| {
        let state = state.clone();
        async move {
            let part = file_part(&*state.db().await?, id, number).await?;
            Ok::<_, Problem>(part.map(|part| (Bytes::from(part), number + 1)))
        }
    });
    (
        headers,
        Body::from_stream(futures::TryStreamExt::map_err(parts, |problem| problem.message)),
    )
        .into_response()
}
