//! The witness over HTTP, as C2SP's tlog-witness has it.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use chrono::Utc;

use crate::{Refusal, Witness};

/// A checkpoint with its path has less than 8 kB.
const BODY_MAX: usize = 64 * 1024;

type Shared = Arc<Mutex<Witness>>;

pub fn router(witness: Witness) -> Router {
    Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/key", get(key))
        .route("/checkpoints/{*origin}", get(last))
        .route("/healthz", get(async || "ok\n"))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(Arc::new(Mutex::new(witness)))
}

async fn add_checkpoint(State(witness): State<Shared>, body: String) -> Response {
    let cosigned = locked(witness, move |witness| witness.add_checkpoint(&body, Utc::now())).await;
    match cosigned {
        Ok(Ok(line)) => line.into_response(),
        Ok(Err(Refusal::OtherSize { seen })) => (
            StatusCode::CONFLICT,
            [(header::CONTENT_TYPE, "text/x.tlog.size")],
            format!("{seen}\n"),
        )
            .into_response(),
        Ok(Err(refusal)) => (status(&refusal), format!("{refusal}\n")).into_response(),
        Err(response) => response,
    }
}

const fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Form | Refusal::Note(_) | Refusal::OldSize => StatusCode::BAD_REQUEST,
        Refusal::UnknownOrigin => StatusCode::NOT_FOUND,
        Refusal::NotSigned => StatusCode::FORBIDDEN,
        Refusal::OtherSize { .. } | Refusal::Fork => StatusCode::CONFLICT,
        Refusal::NotContinued(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Memory(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The key as `RAZAO_WITNESSES` and `razao-verify --witness` take it.
async fn key(State(witness): State<Shared>) -> Response {
    match locked(witness, |witness| format!("{}\n", witness.public_key())).await {
        Ok(key) => key.into_response(),
        Err(response) => response,
    }
}

/// The last checkpoint that was cosigned of a shard, for readers who compare it with what they were shown.
async fn last(State(witness): State<Shared>, Path(origin): Path<String>) -> Response {
    match locked(witness, move |witness| witness.last(&origin)).await {
        Ok(Ok(Some(note))) => note.to_string().into_response(),
        Ok(Ok(None)) => StatusCode::NOT_FOUND.into_response(),
        Ok(Err(error)) => {
            tracing::error!(%error, "what was seen cannot be read");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Err(response) => response,
    }
}

/// One request at a time. It writes to the disk, so it runs apart.
async fn locked<T: Send + 'static>(
    witness: Shared,
    work: impl FnOnce(&Witness) -> T + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(move || {
        // A panic leaves what was seen whole: it is one file.
        work(&witness.lock().unwrap_or_else(PoisonError::into_inner))
    });
    done.await.map_err(|error| {
        tracing::error!(%error, "a request ended early");
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    })
}
