//! The routers of both listeners. The public one has separate routes for machines and for browsers.
//!
//! The browser layers add security headers, compress, and log a line for every answer. They took more processor time
//! than the handling of a provider's notice, which needs none of them.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use gateway_environment::config::Panel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::docs;
use crate::edge::panel::HostRouter;
use crate::edge::{headers, machine_routes, observe, panel, plain_errors, request_context};
use crate::health::probes;
use crate::{AppState, Problem, assets};
use crate::{routes, spreadsheet};

/// The router of the public port.
pub fn public(state: AppState) -> Router {
    let host_router = HostRouter {
        config: Arc::clone(&state.config),
        seller: panel_router(&state, Panel::Seller),
        admin: panel_router(&state, Panel::Admin),
        misdirected: with_browser_layers(&state, Router::new().fallback(panel::misdirected)),
        malformed: with_browser_layers(&state, Router::new().fallback(panel::malformed)),
    };
    machines(&state).fallback_service(host_router).with_state(state)
}

/// The router of the operators' port. The public port does not serve the metrics, because they reveal business volumes.
/// After a request for a password reset, the number of waiting e-mails also reveals whether the address is registered.
pub fn operations(state: AppState) -> Router {
    Router::new()
        .route("/healthz", get(probes::healthz))
        .route("/readyz", get(probes::readyz))
        .route("/metrics", get(probes::get_metrics))
        .fallback(async || Problem::not_found())
        .layer(from_fn_with_state(state.clone(), machine_routes::layer))
        .with_state(state)
}

/// Routes for providers and probes. They call by IP address or by other host names, so these routes answer on any host.
fn machines(state: &AppState) -> Router<AppState> {
    routes::of_providers(state)
        .route("/healthz", get(probes::healthz))
        // Without these routes the public port would answer with the panel's page.
        .route("/readyz", any(async || Problem::not_found()))
        .route("/metrics", any(async || Problem::not_found()))
        .layer(from_fn_with_state(state.clone(), machine_routes::layer))
}

/// The pages of one panel and the API that it uses.
fn panel_router(state: &AppState, panel: Panel) -> Router {
    let api = routes::of_panel(state, panel)
        .route("/openapi.json", get(docs::get_openapi))
        .route("/docs", get(docs::get_docs))
        .fallback(async || Problem::not_found())
        .layer(from_fn(plain_errors::layer));
    let router = Router::new().nest("/api", api).fallback(assets::serve);
    with_browser_layers(
        state,
        router.layer(CatchPanicLayer::custom(plain_errors::panicked)),
    )
}

/// Adds the layers of every answer to a browser. From the outside in: request context, compression, log line, security
/// headers. Inside them, a panel's router catches panics.
fn with_browser_layers(state: &AppState, router: Router<AppState>) -> Router {
    router
        .layer(from_fn(headers::layer))
        .layer(from_fn(observe::layer))
        .layer(CompressionLayer::new().compress_when(not_compressed_yet()))
        .layer(from_fn_with_state(state.clone(), request_context::layer))
        .with_state(state.clone())
}

/// Spreadsheets are ZIP files. Compressing them again saves nothing.
fn not_compressed_yet() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new(spreadsheet::XLSX_MEDIA_TYPE))
}
