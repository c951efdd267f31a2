//! The one table of endpoints: the router, the guard of each route and the OpenAPI document's `x-roles` come from it.
//! Adding an endpoint is one line here and one handler, whose `utoipa::path` repeats method and path; building the
//! table compares the two.

use axum::Router;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::handlers::{
    adjustment, admin_balance, admin_business, admin_overview, admin_sale, admin_sale_undo, admin_session,
    admin_transfer, as_of, balance, explanation, ledger_event, overview, profile, receivables, rental, sale,
    sale_undo, session, simulation, transfer_step, withdrawal,
};
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

/// Who of staff sees what. The home page shows its parts by the same lists.
pub mod staff {
    use super::A;

    pub const COMPANIES: &[A] = &[A::Admin, A::CommercialSupervisor, A::Commercial, A::Sac];
    /// A company's balance and the events behind it.
    pub const BALANCES: &[A] = &[A::Admin, A::CommercialSupervisor];
    /// The sales of all companies.
    pub const SALES: &[A] = &[A::Admin, A::CommercialSupervisor, A::Sac];
    /// The withdrawals of all companies.
    pub const WITHDRAWALS: &[A] = &[A::Admin, A::Financial];
    /// The platform's revenue.
    pub const BILLING: &[A] = &[A::Admin];
    pub const EXCEPTIONS: &[A] = &[A::Admin, A::CommercialSupervisor];
}

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
        Get   "/transactions/{id}/explanation" ANY_SELLER   => explanation::explain_sale;
        Post  "/transactions/{id}/chargeback"  ANY_SELLER   => sale_undo::cancel_sale;
        Get   "/transactions/{id}/chargeback/preview" ANY_SELLER => sale_undo::preview_cancel;
        Post  "/transactions/{id}/dispute" ANY_SELLER       => sale_undo::dispute_sale;
        Get   "/transactions/{id}/dispute/preview" ANY_SELLER => sale_undo::preview_dispute;
        Get   "/business/plan/simulation"  ANY_SELLER       => simulation::simulate_sale;
        Get   "/balance/history"           MANAGING_SELLER  => balance::list_balance_history;
        Get   "/balance/daily"             MANAGING_SELLER  => balance::list_balance_days;
        Get   "/receivables"               MANAGING_SELLER  => receivables::list_receivables;
        Get   "/receivables/units"         MANAGING_SELLER  => receivables::list_receivable_units;
        Get   "/receivables/sales"         MANAGING_SELLER  => receivables::list_due_installments;
        Get   "/balance/transfers/quote"   MANAGING_SELLER  => withdrawal::quote_transfer;
        Post  "/balance/transfers"         MANAGING_SELLER  => withdrawal::request_transfer;
        Get   "/balance/transfers"         MANAGING_SELLER  => withdrawal::list_transfers;

        Get   "/admin/transactions"        Access::Staff(staff::SALES) => admin_sale::list_all_sales;
        Get   "/admin/transactions/totals" Access::Staff(staff::SALES) => admin_sale::get_all_sale_totals;
        Get   "/admin/transactions/{id}"   Access::Staff(staff::SALES) => admin_sale::get_any_sale;
        Get   "/admin/transactions/{id}/explanation" Access::Staff(staff::SALES) => explanation::explain_any_sale;
        Post  "/admin/transactions/{id}/chargeback" Access::Staff(staff::SALES) => admin_sale_undo::cancel_any_sale;
        Get   "/admin/transactions/{id}/chargeback/preview" Access::Staff(staff::SALES) => admin_sale_undo::preview_any_cancel;
        Post  "/admin/transactions/{id}/dispute" Access::Staff(staff::SALES) => admin_sale_undo::dispute_any_sale;
        Get   "/admin/transactions/{id}/dispute/preview" Access::Staff(staff::SALES) => admin_sale_undo::preview_any_dispute;

        Get   "/admin/balance/withdraws"   Access::Staff(&[A::Admin]) => admin_transfer::list_withdraws;
        Get   "/admin/balance/transfers"   Access::Staff(&[A::Admin, A::Financial, A::CommercialSupervisor]) => admin_transfer::list_all_transfers;
        Post  "/admin/balance/transfers/{id}/{type}"  Access::Staff(&[A::Admin]) => transfer_step::act_on_transfer;
        Post  "/admin/balance/transfers/{id}/pending" Access::Staff(&[A::Admin]) => transfer_step::reopen_transfer;
        Post  "/admin/balance/transfers/{transfer_id}/terminal-rental/cancel" Access::Staff(&[A::Admin]) => rental::cancel_terminal_rental;
        Post  "/admin/balance/transfers/manual" Access::Staff(&[A::Admin]) => adjustment::make_manual_transfer;
        Post  "/admin/balance/holds"       Access::Staff(&[A::Admin]) => adjustment::hold_amount;
        Post  "/admin/balance/releases"    Access::Staff(&[A::Admin]) => adjustment::release_amount;

        Get   "/admin/overview"            ANY_STAFF        => admin_overview::get_admin_overview;
        Get   "/admin/businesses/list"     ANY_STAFF        => admin_business::list_business_options;
        Get   "/admin/businesses/{id}"     Access::Staff(staff::COMPANIES) => admin_business::get_business;
        Get   "/admin/businesses/{id}/events/{event}" Access::Staff(staff::BALANCES) => ledger_event::get_ledger_event;
        Get   "/admin/businesses/{id}/balance" Access::Staff(staff::BALANCES) => as_of::get_balance_as_of;
        Get   "/admin/businesses/{id}/journal" Access::Staff(staff::BALANCES) => as_of::list_journal;
        Get   "/admin/balance/history"     Access::Staff(staff::BALANCES)  => admin_balance::list_business_balance_history;

        Post  "/webhooks/{provider}"       Access::Provider => notices::receive_notices;
        Get   "/admin/exceptions"          Access::Staff(staff::EXCEPTIONS) => exceptions::list_exceptions;
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
