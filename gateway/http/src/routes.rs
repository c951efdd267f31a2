//! The table of endpoints. The router and the OpenAPI document are built from it. To add an endpoint, add one line here
//! and one handler.
//!
//! The handler's `utoipa::path` has the method and the path. Access rules are in the table of `access`, which must have
//! a line for each endpoint. The document's parameters, bodies and errors follow from the handler's arguments and from
//! its access rule.

use std::ops::Deref;

use axum::Router;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use gateway_environment::config::Panel;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::edge::guard;
use crate::openapi::{self, CallDocument, Documented};
use crate::{
    AppState, access, account, balance, companies, exceptions, notices, overview, plans, receivables,
    reversals, sales, sessions, settings, users, withdrawals,
};

pub use crate::access::Access;

macro_rules! endpoints {
    ($($($handler:ident)::+,)+) => {
        vec![$(Endpoint::new(utoipa_axum::routes!($($handler)::+), $($handler)::+)),+]
    };
}

/// All endpoints. Their paths are relative to `/api`.
pub fn table() -> Vec<Endpoint> {
    endpoints![
        sessions::csrf::get_csrf_token,
        sessions::seller::create_session,
        sessions::seller::refresh_session,
        sessions::seller::delete_session,
        sessions::staff::create_admin_session,
        sessions::staff::refresh_admin_session,
        sessions::staff::delete_admin_session,
        account::profile::get_seller,
        account::profile::update_seller,
        account::profile::get_admin,
        account::profile::update_admin,
        account::password::forgot_password,
        account::password::reset_password,
        account::password::change_password,
        account::email::change_email,
        account::email::resend_verification,
        account::email::verify_email,
        account::open_sessions::list_sessions,
        account::open_sessions::end_other_sessions,
        account::open_sessions::end_session,
        account::password::forgot_admin_password,
        account::password::reset_admin_password,
        account::password::change_admin_password,
        account::email::change_admin_email,
        account::email::resend_admin_verification,
        account::email::verify_admin_email,
        account::open_sessions::list_admin_sessions,
        account::open_sessions::end_other_admin_sessions,
        account::open_sessions::end_admin_session,
        overview::seller::get_overview,
        sales::seller::list_sales,
        sales::seller::get_sale_totals,
        sales::seller::get_sale,
        sales::explanation::explain_sale,
        reversals::seller::cancel_sale,
        reversals::seller::preview_cancel,
        reversals::seller::dispute_sale,
        reversals::seller::preview_dispute,
        plans::simulation::simulate_sale,
        balance::seller::list_balance_history,
        balance::seller::list_balance_days,
        receivables::seller::list_receivables,
        receivables::seller::list_receivable_units,
        receivables::seller::list_due_installments,
        withdrawals::seller::quote_transfer,
        withdrawals::seller::request_transfer,
        withdrawals::seller::list_transfers,
        sales::staff::list_all_sales,
        sales::staff::get_all_sale_totals,
        sales::staff::get_any_sale,
        sales::explanation::explain_any_sale,
        reversals::staff::cancel_any_sale,
        reversals::staff::preview_any_cancel,
        reversals::staff::dispute_any_sale,
        reversals::staff::preview_any_dispute,
        withdrawals::staff::list_withdraws,
        withdrawals::staff::list_all_transfers,
        withdrawals::actions::act_on_transfer,
        withdrawals::actions::reopen_transfer,
        withdrawals::rental::cancel_terminal_rental,
        balance::adjustments::make_manual_transfer,
        balance::adjustments::hold_amount,
        balance::adjustments::release_amount,
        overview::staff::get_admin_overview,
        companies::staff::list_business_options,
        companies::staff::get_business,
        balance::ledger_event::get_ledger_event,
        balance::as_of::get_balance_as_of,
        balance::journal::list_journal,
        balance::staff::list_business_balance_history,
        users::team::list::list_business_users,
        users::team::list::get_business_user,
        users::history::list_business_user_history,
        users::team::change::create_business_seller,
        users::team::change::update_business_seller,
        users::team::change::delete_business_seller,
        users::team::change::grant_business_access,
        users::team::change::remove_business_access,
        users::seller_users::list::list_sellers,
        users::seller_users::change::create_seller_user,
        users::seller_users::list::get_seller_user,
        users::seller_users::change::update_seller_user,
        users::seller_users::change::delete_seller_user,
        users::history::list_seller_user_history,
        users::seller_users::change::grant_seller_access,
        users::seller_users::change::remove_seller_access,
        users::admin_users::list::list_admin_users,
        users::admin_users::change::create_admin_user,
        users::admin_users::list::get_admin_user,
        users::admin_users::change::update_admin_user,
        users::admin_users::change::delete_admin_user,
        users::history::list_admin_user_history,
        settings::staff::get_settings,
        settings::staff::update_settings,
        settings::staff::list_settings_history,
        notices::receive::receive_notices,
        exceptions::staff::list_exceptions,
        exceptions::staff::act_on_exception,
    ]
}

/// One call: the handler behind its guard, and what the document says about it.
pub struct Endpoint {
    pub document: CallDocument,
    handler: MethodRouter<AppState>,
}

impl Endpoint {
    /// Takes the method and the path from the handler's annotation, and the access rule from the table of `access`.
    /// Panics if that table has no line for the call, or if the rule does not provide what the handler takes. Every
    /// test that builds the table detects both.
    fn new<H, Arguments>((schemas, annotated, handler): UtoipaMethodRouter<AppState>, _handler: H) -> Self
    where
        H: Handler<Arguments, AppState>,
        Arguments: Documented,
    {
        let only = annotated.paths.into_iter().next();
        let only = only.and_then(|(path, item)| Some((path, openapi::only_operation(item)?)));
        let (path, (method, operation)) = only.unwrap_or_else(|| panic!("a handler has no annotation"));
        let mut document = CallDocument {
            access: access::access_of(&method, &path),
            panels: access::panels_of(&method, &path),
            company: access::company_of(&method, &path).map(str::to_owned),
            method,
            path,
            operation,
            schemas,
            repeated: vec![],
        };
        openapi::complete::<Arguments>(&mut document);
        Self { document, handler }
    }

    pub fn operation_id(&self) -> &str {
        self.operation.operation_id.as_deref().unwrap_or_default()
    }
}

impl Deref for Endpoint {
    type Target = CallDocument;

    fn deref(&self) -> &CallDocument {
        &self.document
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
    endpoints.fold(
        Router::new(),
        |router,
         Endpoint {
             document: call,
             handler,
         }| {
            let handler = guard::protect(handler, call.access, call.company.as_deref(), state);
            router.route(&format!("{prefix}{}", call.path), handler)
        },
    )
}

pub fn document() -> OpenApi {
    table()
        .into_iter()
        .fold(openapi::bare_document(), |document, endpoint| {
            openapi::with_call(document, endpoint.document)
        })
}
