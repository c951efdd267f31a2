//! Everything on one address: the API, its documents, the probes and the panels, behind the layers that every request
//! passes.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::handlers::{docs, health};
use crate::http::{headers, observe, panel, plain_errors, request_id};
use crate::{AppState, Problem, assets, routes, spreadsheet};

/// From the outside in: the request's id, compression, the line in the log, security headers, the host, panics, and
/// then the route with its guard.
pub fn router(state: AppState) -> Router {
    let api = routes::build(&state)
        .route("/openapi.json", get(docs::get_openapi))
        .route("/docs", get(docs::get_docs))
        .fallback(async || Problem::not_found())
        .layer(from_fn(plain_errors::layer));
    Router::new()
        .nest("/api", api)
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::get_metrics))
        .fallback(assets::serve)
        .layer(CatchPanicLayer::custom(plain_errors::panicked))
        .layer(from_fn_with_state(state.clone(), panel::layer))
        .layer(from_fn(headers::layer))
        .layer(from_fn(observe::layer))
        .layer(CompressionLayer::new().compress_when(not_compressed_yet()))
        .layer(from_fn(request_id::layer))
        .with_state(state)
}

/// A spreadsheet is a ZIP file: compressing it again costs and saves nothing.
fn not_compressed_yet() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new(spreadsheet::MEDIA_TYPE))
}
