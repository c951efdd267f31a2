//! The table of endpoints. The router and the OpenAPI document are built from it. To add an endpoint, add one line here
//! and one handler. The handler's `utoipa::path` repeats the method and the path, and building the table compares them.
//!
//! Access rules are in the table of `access`, which must have a line for each endpoint.

use axum::Router;
use gateway_environment::config::Panel;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{OpenApi, RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::edge::guard;
use crate::handlers::{
    adjustment, admin_balance, admin_business, admin_overview, admin_sale, admin_sale_reversal,
    admin_session, admin_transfer, as_of, balance, email, exceptions, explanation, history, ledger_event,
    notices, open_session, overview, password, profile, receivables, rental, sale, sale_reversal,
    seller_change, sellers, session, settings, simulation, staff_users, team, team_change, transfer_step,
    withdrawal,
};
use crate::openapi;
use crate::{AppState, access};

pub use crate::access::Access;

macro_rules! endpoints {
    ($($method:ident $path:literal => $($handler:ident)::+;)+) => {
        vec![$(Endpoint::new(HttpMethod::$method, $path, utoipa_axum::routes!($($handler)::+))),+]
    };
}

/// All endpoints. Paths are relative to `/api`.
pub fn table() -> Vec<Endpoint> {
    endpoints![
        Get   "/auth/get-csrf-token" => session::get_csrf_token;
        Post  "/auth/sign-in" => session::create_session;
        Post  "/auth/refresh-token" => session::refresh_session;
        Get   "/auth/logout" => session::delete_session;
        Post  "/auth/admin/sign-in" => admin_session::create_admin_session;
        Post  "/auth/admin/refresh-token" => admin_session::refresh_admin_session;
        Get   "/auth/admin/logout" => admin_session::delete_admin_session;

        Get   "/sellers/me" => profile::get_seller;
        Patch "/sellers/me" => profile::update_seller;
        Get   "/admin/me" => profile::get_admin;
        Patch "/admin/me" => profile::update_admin;

        Post  "/auth/forgot-password" => password::forgot_password;
        Post  "/auth/reset-password" => password::reset_password;
        Post  "/auth/change-password" => password::change_password;
        Post  "/auth/change-email" => email::change_email;
        Post  "/auth/verifyemail" => email::resend_verification;
        Get   "/auth/verifyemail/{verificationCode}" => email::verify_email;
        Get   "/sellers/me/sessions" => open_session::list_sessions;
        Delete "/sellers/me/sessions" => open_session::end_other_sessions;
        Delete "/sellers/me/sessions/{id}" => open_session::end_session;
        Post  "/auth/admin/forgot-password" => password::forgot_admin_password;
        Post  "/auth/admin/reset-password" => password::reset_admin_password;
        Post  "/auth/admin/change-password" => password::change_admin_password;
        Post  "/auth/admin/change-email" => email::change_admin_email;
        Post  "/auth/admin/verifyemail" => email::resend_admin_verification;
        Get   "/auth/admin/verifyemail/{verificationCode}" => email::verify_admin_email;
        Get   "/admin/me/sessions" => open_session::list_admin_sessions;
        Delete "/admin/me/sessions" => open_session::end_other_admin_sessions;
        Delete "/admin/me/sessions/{id}" => open_session::end_admin_session;

        Get   "/overview" => overview::get_overview;
        Get   "/transactions" => sale::list_sales;
        Get   "/transactions/totals" => sale::get_sale_totals;
        Get   "/transactions/{id}" => sale::get_sale;
        Get   "/transactions/{id}/explanation" => explanation::explain_sale;
        Post  "/transactions/{id}/chargeback" => sale_reversal::cancel_sale;
        Get   "/transactions/{id}/chargeback/preview" => sale_reversal::preview_cancel;
        Post  "/transactions/{id}/dispute" => sale_reversal::dispute_sale;
        Get   "/transactions/{id}/dispute/preview" => sale_reversal::preview_dispute;
        Get   "/business/plan/simulation" => simulation::simulate_sale;
        Get   "/balance/history" => balance::list_balance_history;
        Get   "/balance/daily" => balance::list_balance_days;
        Get   "/receivables" => receivables::list_receivables;
        Get   "/receivables/units" => receivables::list_receivable_units;
        Get   "/receivables/sales" => receivables::list_due_installments;
        Get   "/balance/transfers/quote" => withdrawal::quote_transfer;
        Post  "/balance/transfers" => withdrawal::request_transfer;
        Get   "/balance/transfers" => withdrawal::list_transfers;

        Get   "/admin/transactions" => admin_sale::list_all_sales;
        Get   "/admin/transactions/totals" => admin_sale::get_all_sale_totals;
        Get   "/admin/transactions/{id}" => admin_sale::get_any_sale;
        Get   "/admin/transactions/{id}/explanation" => explanation::explain_any_sale;
        Post  "/admin/transactions/{id}/chargeback" => admin_sale_reversal::cancel_any_sale;
        Get   "/admin/transactions/{id}/chargeback/preview" => admin_sale_reversal::preview_any_cancel;
        Post  "/admin/transactions/{id}/dispute" => admin_sale_reversal::dispute_any_sale;
        Get   "/admin/transactions/{id}/dispute/preview" => admin_sale_reversal::preview_any_dispute;

        Get   "/admin/balance/withdraws" => admin_transfer::list_withdraws;
        Get   "/admin/balance/transfers" => admin_transfer::list_all_transfers;
        Post  "/admin/balance/transfers/{id}/{type}" => transfer_step::act_on_transfer;
        Post  "/admin/balance/transfers/{id}/pending" => transfer_step::reopen_transfer;
        Post  "/admin/balance/transfers/{transfer_id}/terminal-rental/cancel" => rental::cancel_terminal_rental;
        Post  "/admin/balance/transfers/manual" => adjustment::make_manual_transfer;
        Post  "/admin/balance/holds" => adjustment::hold_amount;
        Post  "/admin/balance/releases" => adjustment::release_amount;

        Get   "/admin/overview" => admin_overview::get_admin_overview;
        Get   "/admin/businesses/list" => admin_business::list_business_options;
        Get   "/admin/businesses/{id}" => admin_business::get_business;
        Get   "/admin/businesses/{id}/events/{event}" => ledger_event::get_ledger_event;
        Get   "/admin/businesses/{id}/balance" => as_of::get_balance_as_of;
        Get   "/admin/businesses/{id}/journal" => as_of::list_journal;
        Get   "/admin/balance/history" => admin_balance::list_business_balance_history;

        Get   "/business/users" => team::list_business_users;
        Get   "/business/users/{id}" => team::get_business_user;
        Get   "/business/users/{id}/history" => history::list_business_user_history;
        Post  "/business/sellers" => team_change::create_business_seller;
        Patch "/business/sellers/{id}" => team_change::update_business_seller;
        Delete "/business/sellers/{id}" => team_change::delete_business_seller;
        Post  "/business/{businessId}/access" => team_change::grant_business_access;
        Delete "/business/{businessId}/access" => team_change::remove_business_access;

        Get   "/admin/sellers" => sellers::list_sellers;
        Post  "/admin/sellers" => seller_change::create_seller_user;
        Get   "/admin/sellers/{id}" => sellers::get_seller_user;
        Patch "/admin/sellers/{id}" => seller_change::update_seller_user;
        Delete "/admin/sellers/{id}" => seller_change::delete_seller_user;
        Get   "/admin/sellers/{id}/history" => history::list_seller_user_history;
        Post  "/admin/sellers/{sellerId}/business/access" => seller_change::grant_seller_access;
        Delete "/admin/sellers/{sellerId}/business/access" => seller_change::remove_seller_access;

        Get   "/admin/users" => staff_users::list_admin_users;
        Post  "/admin/users" => staff_users::create_admin_user;
        Get   "/admin/users/{id}" => staff_users::get_admin_user;
        Patch "/admin/users/{id}" => staff_users::update_admin_user;
        Delete "/admin/users/{id}" => staff_users::delete_admin_user;
        Get   "/admin/users/{id}/history" => history::list_admin_user_history;

        Get   "/admin/settings" => settings::get_settings;
        Post  "/admin/settings" => settings::update_settings;
        Get   "/admin/settings/history" => settings::list_settings_history;

        Post  "/webhooks/{provider}" => notices::receive_notices;
        Get   "/admin/exceptions" => exceptions::list_exceptions;
        Post  "/admin/exceptions/{id}/{action}" => exceptions::act_on_exception;
    ]
}

pub struct Endpoint {
    pub method: HttpMethod,
    pub path: &'static str,
    pub access: Access,
    /// The panels on whose hosts it answers.
    pub panels: &'static [Panel],
    /// The path parameter that holds the company's id, if there is one.
    pub company: Option<&'static str>,
    pub operation: Operation,
    schemas: Vec<(String, RefOr<Schema>)>,
    handler: axum::routing::MethodRouter<AppState>,
}

impl Endpoint {
    /// Panics if the handler's annotation has another method or path. Also panics if the access table has no line for
    /// the call. Every test that builds the table detects both.
    fn new(
        method: HttpMethod,
        path: &'static str,
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
            access: access::access_of(&method, path),
            panels: access::panels_of(&method, path),
            company: access::company_of(&method, path),
            method,
            path,
            operation,
            schemas,
            handler,
        }
    }

    pub fn operation_id(&self) -> &str {
        self.operation.operation_id.as_deref().unwrap_or_default()
    }
}

/// The calls on the hosts of one panel, without the `/api` prefix. The other panel's calls are a 404, like unknown
/// paths.
pub fn of_panel(state: &AppState, panel: Panel) -> Router<AppState> {
    routed(state, "", |endpoint| {
        endpoint.access != Access::Provider && endpoint.panels.contains(&panel)
    })
}

/// The calls of providers, with the `/api` prefix.
pub fn of_providers(state: &AppState) -> Router<AppState> {
    routed(state, "/api", |endpoint| endpoint.access == Access::Provider)
}

fn routed(state: &AppState, prefix: &str, chosen: impl Fn(&Endpoint) -> bool) -> Router<AppState> {
    let endpoints = table().into_iter().filter(chosen);
    endpoints.fold(Router::new(), |router, endpoint| {
        let handler = guard::protect(endpoint.handler, endpoint.access, endpoint.company, state);
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
                (endpoint.access, endpoint.panels),
                endpoint.operation,
                endpoint.schemas,
            )
        })
}
