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
use crate::openapi;
use crate::{
    AppState, access, account, balance, companies, exceptions, notices, overview, plans, receivables,
    reversals, sales, sessions, settings, users, withdrawals,
};

pub use crate::access::Access;

macro_rules! endpoints {
    ($($method:ident $path:literal => $($handler:ident)::+;)+) => {
        vec![$(Endpoint::new(HttpMethod::$method, $path, utoipa_axum::routes!($($handler)::+))),+]
    };
}

/// All endpoints. Paths are relative to `/api`.
pub fn table() -> Vec<Endpoint> {
    endpoints![
        Get   "/auth/get-csrf-token" => sessions::csrf::get_csrf_token;
        Post  "/auth/sign-in" => sessions::seller::create_session;
        Post  "/auth/refresh-token" => sessions::seller::refresh_session;
        Get   "/auth/logout" => sessions::seller::delete_session;
        Post  "/auth/admin/sign-in" => sessions::staff::create_admin_session;
        Post  "/auth/admin/refresh-token" => sessions::staff::refresh_admin_session;
        Get   "/auth/admin/logout" => sessions::staff::delete_admin_session;

        Get   "/sellers/me" => account::profile::get_seller;
        Patch "/sellers/me" => account::profile::update_seller;
        Get   "/admin/me" => account::profile::get_admin;
        Patch "/admin/me" => account::profile::update_admin;

        Post  "/auth/forgot-password" => account::password::forgot_password;
        Post  "/auth/reset-password" => account::password::reset_password;
        Post  "/auth/change-password" => account::password::change_password;
        Post  "/auth/change-email" => account::email::change_email;
        Post  "/auth/verifyemail" => account::email::resend_verification;
        Get   "/auth/verifyemail/{verificationCode}" => account::email::verify_email;
        Get   "/sellers/me/sessions" => account::open_sessions::list_sessions;
        Delete "/sellers/me/sessions" => account::open_sessions::end_other_sessions;
        Delete "/sellers/me/sessions/{id}" => account::open_sessions::end_session;
        Post  "/auth/admin/forgot-password" => account::password::forgot_admin_password;
        Post  "/auth/admin/reset-password" => account::password::reset_admin_password;
        Post  "/auth/admin/change-password" => account::password::change_admin_password;
        Post  "/auth/admin/change-email" => account::email::change_admin_email;
        Post  "/auth/admin/verifyemail" => account::email::resend_admin_verification;
        Get   "/auth/admin/verifyemail/{verificationCode}" => account::email::verify_admin_email;
        Get   "/admin/me/sessions" => account::open_sessions::list_admin_sessions;
        Delete "/admin/me/sessions" => account::open_sessions::end_other_admin_sessions;
        Delete "/admin/me/sessions/{id}" => account::open_sessions::end_admin_session;

        Get   "/overview" => overview::seller::get_overview;
        Get   "/transactions" => sales::seller::list_sales;
        Get   "/transactions/totals" => sales::seller::get_sale_totals;
        Get   "/transactions/{id}" => sales::seller::get_sale;
        Get   "/transactions/{id}/explanation" => sales::explanation::explain_sale;
        Post  "/transactions/{id}/chargeback" => reversals::seller::cancel_sale;
        Get   "/transactions/{id}/chargeback/preview" => reversals::seller::preview_cancel;
        Post  "/transactions/{id}/dispute" => reversals::seller::dispute_sale;
        Get   "/transactions/{id}/dispute/preview" => reversals::seller::preview_dispute;
        Get   "/business/plan/simulation" => plans::simulation::simulate_sale;
        Get   "/balance/history" => balance::seller::list_balance_history;
        Get   "/balance/daily" => balance::seller::list_balance_days;
        Get   "/receivables" => receivables::seller::list_receivables;
        Get   "/receivables/units" => receivables::seller::list_receivable_units;
        Get   "/receivables/sales" => receivables::seller::list_due_installments;
        Get   "/balance/transfers/quote" => withdrawals::seller::quote_transfer;
        Post  "/balance/transfers" => withdrawals::seller::request_transfer;
        Get   "/balance/transfers" => withdrawals::seller::list_transfers;

        Get   "/admin/transactions" => sales::staff::list_all_sales;
        Get   "/admin/transactions/totals" => sales::staff::get_all_sale_totals;
        Get   "/admin/transactions/{id}" => sales::staff::get_any_sale;
        Get   "/admin/transactions/{id}/explanation" => sales::explanation::explain_any_sale;
        Post  "/admin/transactions/{id}/chargeback" => reversals::staff::cancel_any_sale;
        Get   "/admin/transactions/{id}/chargeback/preview" => reversals::staff::preview_any_cancel;
        Post  "/admin/transactions/{id}/dispute" => reversals::staff::dispute_any_sale;
        Get   "/admin/transactions/{id}/dispute/preview" => reversals::staff::preview_any_dispute;

        Get   "/admin/balance/withdraws" => withdrawals::staff::list_withdraws;
        Get   "/admin/balance/transfers" => withdrawals::staff::list_all_transfers;
        Post  "/admin/balance/transfers/{id}/{type}" => withdrawals::actions::act_on_transfer;
        Post  "/admin/balance/transfers/{id}/pending" => withdrawals::actions::reopen_transfer;
        Post  "/admin/balance/transfers/{transfer_id}/terminal-rental/cancel" => withdrawals::rental::cancel_terminal_rental;
        Post  "/admin/balance/transfers/manual" => balance::adjustments::make_manual_transfer;
        Post  "/admin/balance/holds" => balance::adjustments::hold_amount;
        Post  "/admin/balance/releases" => balance::adjustments::release_amount;

        Get   "/admin/overview" => overview::staff::get_admin_overview;
        Get   "/admin/businesses/list" => companies::staff::list_business_options;
        Get   "/admin/businesses/{id}" => companies::staff::get_business;
        Get   "/admin/businesses/{id}/events/{event}" => balance::ledger_event::get_ledger_event;
        Get   "/admin/businesses/{id}/balance" => balance::as_of::get_balance_as_of;
        Get   "/admin/businesses/{id}/journal" => balance::journal::list_journal;
        Get   "/admin/balance/history" => balance::staff::list_business_balance_history;

        Get   "/business/users" => users::team::list::list_business_users;
        Get   "/business/users/{id}" => users::team::list::get_business_user;
        Get   "/business/users/{id}/history" => users::history::list_business_user_history;
        Post  "/business/sellers" => users::team::change::create_business_seller;
        Patch "/business/sellers/{id}" => users::team::change::update_business_seller;
        Delete "/business/sellers/{id}" => users::team::change::delete_business_seller;
        Post  "/business/{businessId}/access" => users::team::change::grant_business_access;
        Delete "/business/{businessId}/access" => users::team::change::remove_business_access;

        Get   "/admin/sellers" => users::seller_users::list::list_sellers;
        Post  "/admin/sellers" => users::seller_users::change::create_seller_user;
        Get   "/admin/sellers/{id}" => users::seller_users::list::get_seller_user;
        Patch "/admin/sellers/{id}" => users::seller_users::change::update_seller_user;
        Delete "/admin/sellers/{id}" => users::seller_users::change::delete_seller_user;
        Get   "/admin/sellers/{id}/history" => users::history::list_seller_user_history;
        Post  "/admin/sellers/{sellerId}/business/access" => users::seller_users::change::grant_seller_access;
        Delete "/admin/sellers/{sellerId}/business/access" => users::seller_users::change::remove_seller_access;

        Get   "/admin/users" => users::admin_users::list::list_admin_users;
        Post  "/admin/users" => users::admin_users::change::create_admin_user;
        Get   "/admin/users/{id}" => users::admin_users::list::get_admin_user;
        Patch "/admin/users/{id}" => users::admin_users::change::update_admin_user;
        Delete "/admin/users/{id}" => users::admin_users::change::delete_admin_user;
        Get   "/admin/users/{id}/history" => users::history::list_admin_user_history;

        Get   "/admin/settings" => settings::staff::get_settings;
        Post  "/admin/settings" => settings::staff::update_settings;
        Get   "/admin/settings/history" => settings::staff::list_settings_history;

        Post  "/webhooks/{provider}" => notices::receive::receive_notices;
        Get   "/admin/exceptions" => exceptions::staff::list_exceptions;
        Post  "/admin/exceptions/{id}/{action}" => exceptions::staff::act_on_exception;
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
