//! Sends a stored file of a period, one part in memory at a time.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::{TryStreamExt, stream};
use gateway_platform::reports::{ReportDelivery, delivery_part};

use crate::AppState;
use crate::problem::Problem;
use crate::spreadsheet::{XLSX_MEDIA_TYPE, attachment};

pub fn attached(state: AppState, delivery: &ReportDelivery) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(XLSX_MEDIA_TYPE)),
        (header::CONTENT_LENGTH, HeaderValue::from(delivery.byte_count)),
        (header::CONTENT_DISPOSITION, attachment(&delivery.file_name)),
    ];
    let id = delivery.id;
    // The connection returns to the pool between two parts, because a reader may be slow.
    let parts = stream::try_unfold(0_i32, move |number| {
        let state = state.clone();
        async move {
            let part = delivery_part(&*state.db().await?, id, number).await?;
            Ok::<_, Problem>(part.map(|part| (Bytes::from(part), number + 1)))
        }
    });
    let body = Body::from_stream(parts.map_err(|problem| problem.message));
    (headers, body).into_response()
}
