//! The one table of endpoints: the router, the guard of each route and the OpenAPI document's `x-roles` come from it.
//! Adding an endpoint is one line here and one handler, whose `utoipa::path` repeats method and path; building the
//! table compares the two.

use axum::Router;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::handlers::{admin_session, balance, overview, profile, receivables, sale, session};
use crate::http::guard;
use crate::sessions::{AdminRole, SellerRole};
use crate::{AppState, exceptions, notices, openapi};

use AdminRole as A;
use SellerRole as S;

/// Who may call an endpoint; roles are data, checked before the handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    /// A provider, by its signature, which the handler verifies.
    Provider,
    /// Any signed-in seller; no company is in play.
    Seller,
    /// A seller who has one of these roles in the company that the request is about.
    Business(&'static [SellerRole]),
    /// Staff with one of these roles; owner passes always.
    Staff(&'static [AdminRole]),
}

const ANY_SELLER: Access = Access::Business(&[S::Owner, S::Admin, S::Operator]);
const MANAGING_SELLER: Access = Access::Business(&[S::Owner, S::Admin]);
const ANY_STAFF: Access = Access::Staff(A::ALL);

macro_rules! endpoints {
    ($($method:ident $path:literal $access:expr => $($handler:ident)::+;)+) => {
        vec![$(Endpoint::new(HttpMethod::$method, $path, $access, utoipa_axum::routes!($($handler)::+))),+]
    };
}

/// Paths are under `/api`.
pub fn table() -> Vec<Endpoint> {
    endpoints![
        Get   "/auth/get-csrf-token"       Access::Public   => session::get_csrf_token;
        Post  "/auth/sign-in"              Access::Public   => session::create_session;
        Post  "/auth/refresh-token"        Access::Public   => session::refresh_session;
        Get   "/auth/logout"               Access::Seller   => session::delete_session;
        Post  "/auth/admin/sign-in"        Access::Public   => admin_session::create_admin_session;
        Post  "/auth/admin/refresh-token"  Access::Public   => admin_session::refresh_admin_session;
        Get   "/auth/admin/logout"         ANY_STAFF        => admin_session::delete_admin_session;

        Get   "/sellers/me"                Access::Seller   => profile::get_seller;
        Patch "/sellers/me"                Access::Seller   => profile::update_seller;
        Get   "/admin/me"                  ANY_STAFF        => profile::get_admin;
        Patch "/admin/me"                  ANY_STAFF        => profile::update_admin;

        Get   "/overview"                  ANY_SELLER       => overview::get_overview;
        Get   "/transactions"              ANY_SELLER       => sale::list_sales;
        Get   "/transactions/totals"       ANY_SELLER       => sale::get_sale_totals;
        Get   "/transactions/{id}"         ANY_SELLER       => sale::get_sale;
        Get   "/balance/history"           MANAGING_SELLER  => balance::list_balance_history;
        Get   "/receivables"               MANAGING_SELLER  => receivables::list_receivables;

        Post  "/webhooks/{provider}"       Access::Provider => notices::receive_notices;
        Get   "/admin/exceptions"          Access::Staff(&[A::Admin, A::CommercialSupervisor]) => exceptions::list_exceptions;
        Post  "/admin/exceptions/{id}/{action}" Access::Staff(&[A::Admin]) => exceptions::act_on_exception;
    ]
}

pub struct Endpoint {
    pub method: HttpMethod,
    pub path: &'static str,
    pub access: Access,
    pub operation: Operation,
    schemas: Vec<(String, RefOr<Schema>)>,
    handler: axum::routing::MethodRouter<AppState>,
}

impl Endpoint {
    /// Panics where the handler's annotation names another method or path: the first test that builds the table says so.
    fn new(
        method: HttpMethod,
        path: &'static str,
        access: Access,
        (schemas, mut paths, handler): UtoipaMethodRouter<AppState>,
    ) -> Self {
        let operation = paths
            .paths
            .get_mut(path)
            .and_then(|item| openapi::operation_mut(item, &method))
            .map(std::mem::take);
        let operation = operation
            .unwrap_or_else(|| panic!("the handler of {path} is annotated with another method or path"));
        Self {
            method,
            path,
            access,
            operation,
            schemas,
            handler,
        }
    }

    pub fn operation_id(&self) -> &str {
        self.operation.operation_id.as_deref().unwrap_or_default()
    }
}

/// What people call, by the panels: without the `/api` before the paths.
pub fn of_people(state: &AppState) -> Router<AppState> {
    routed(state, "", |access| access != Access::Provider)
}

/// What providers call, under its whole path.
pub fn of_providers(state: &AppState) -> Router<AppState> {
    routed(state, "/api", |access| access == Access::Provider)
}

fn routed(state: &AppState, prefix: &str, chosen: impl Fn(Access) -> bool) -> Router<AppState> {
    let endpoints = table().into_iter().filter(|endpoint| chosen(endpoint.access));
    endpoints.fold(Router::new(), |router, endpoint| {
        let handler = guard::protect(endpoint.handler, endpoint.access, state);
        router.route(&format!("{prefix}{}", endpoint.path), handler)
    })
}

pub fn document() -> OpenApi {
    table()
        .into_iter()
        .fold(openapi::bare_document(), |document, endpoint| {
            openapi::with_operation(
                document,
                endpoint.path,
                &endpoint.method,
                endpoint.access,
                endpoint.operation,
                endpoint.schemas,
            )
        })
}
