//! What each listener answers. The public one has two doors: one for machines, one for browsers.
//!
//! Two, because the layers that keep a browser safe (hosts, page headers, compression, a line for every answer) took
//! more of the processor than a provider's notice itself, and a notice needs none of them: it is signed.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use gateway_environment::config::Panel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::edge::panel::ByHost;
use crate::edge::{headers, machine_routes, observe, panel, plain_errors, request_context};
use crate::handlers::{docs, health};
use crate::{AppState, Problem, assets};
use crate::{routes, spreadsheet};

/// For the public port.
pub fn public(state: AppState) -> Router {
    let by_host = ByHost {
        config: Arc::clone(&state.config),
        seller: panel_router(&state, Panel::Seller),
        admin: panel_router(&state, Panel::Admin),
        misdirected: guarded(&state, Router::new().fallback(panel::misdirected)),
        malformed: guarded(&state, Router::new().fallback(panel::malformed)),
    };
    machines(&state).fallback_service(by_host).with_state(state)
}

/// For the operators' port. The metrics show how much business there is, and after a call who is registered, so the
/// public port does not have them.
pub fn operations(state: AppState) -> Router {
    Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::get_metrics))
        .fallback(async || Problem::not_found())
        .layer(from_fn_with_state(state.clone(), machine_routes::layer))
        .with_state(state)
}

/// For providers and probes, who call by address or by names of their own: on any host, behind one layer.
fn machines(state: &AppState) -> Router<AppState> {
    routes::of_providers(state)
        .route("/healthz", get(health::healthz))
        // Without these routes the panel's page would answer.
        .route("/readyz", any(async || Problem::not_found()))
        .route("/metrics", any(async || Problem::not_found()))
        .layer(from_fn_with_state(state.clone(), machine_routes::layer))
}

/// A panel and the API that it speaks.
fn panel_router(state: &AppState, panel: Panel) -> Router {
    let api = routes::of_panel(state, panel)
        .route("/openapi.json", get(docs::get_openapi))
        .route("/docs", get(docs::get_docs))
        .fallback(async || Problem::not_found())
        .layer(from_fn(plain_errors::layer));
    let router = Router::new().nest("/api", api).fallback(assets::serve);
    guarded(
        state,
        router.layer(CatchPanicLayer::custom(plain_errors::panicked)),
    )
}

/// What stands around every answer to a browser. From the outside in: the request's context, compression, the line in
/// the log, security headers, panics, and then the route with its guard.
fn guarded(state: &AppState, router: Router<AppState>) -> Router {
    router
        .layer(from_fn(headers::layer))
        .layer(from_fn(observe::layer))
        .layer(CompressionLayer::new().compress_when(not_compressed_yet()))
        .layer(from_fn_with_state(state.clone(), request_context::layer))
        .with_state(state.clone())
}

/// A spreadsheet is a ZIP file: compressing it again costs and saves nothing.
fn not_compressed_yet() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new(spreadsheet::MEDIA_TYPE))
}
