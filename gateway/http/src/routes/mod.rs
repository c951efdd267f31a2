//! The table of endpoints. The router and the OpenAPI document are built from it. To add an endpoint, add one line
//! here, one handler, and one line in fixtures/access/calls.tsv. If a handler does the same for sellers and staff, it
//! has two lines.
//!
//! The handler's `utoipa::path` has the method and the path. Access rules are in fixtures/access/calls.tsv (`access`),
//! which must have a line for each endpoint. The document's parameters, bodies and errors follow from the handler's
//! arguments and from its access rule.

mod endpoint;

use std::sync::OnceLock;

use axum::Router;
use axum::middleware::from_fn_with_state;
use gateway_environment::config::Panel;
use utoipa::openapi::OpenApi;

use self::endpoint::Annotation;
use crate::edge::{guard, known_parameters, replica};
use crate::openapi::verb;
use crate::{
    AppState, account, adjustments, audit_log, balance, buyers, checkout, companies, contact, debts,
    exceptions, files, history, holds, holidays, links, notices, openapi, operations, overview, plans,
    receivables, reconciliation, reports, reserves, reversals, sales, sessions, settings, terminals, users,
    withdrawals,
};

pub use self::endpoint::Endpoint;
pub use gateway_identity::access::AccessRule;
use gateway_identity::access::may_read_replica;

/// A line is a handler. A handler that serves both panels has a second line, with what differs in the staff panel: the
/// path, the operation id and the summary.
macro_rules! endpoints {
    ($($($handler:ident)::+ $(=> ($path:literal, $operation_id:literal, $summary:literal))?,)+) => {
        let mut all = vec![];
        $(
            add(&mut all, || Endpoint::new(
                annotation_of!($($handler)::+)$(.also_at($path, $operation_id, $summary))?,
                $($handler)::+,
            ));
        )+
        all
    };
}

/// Reads an annotation by an arm of `routes!` that makes no router of the handler's type. The arm is not documented: if
/// an update removes it, this does not compile.
macro_rules! annotation_of {
    ($handler:path) => {{
        let mut schemas = vec![];
        let call = utoipa_axum::routes!(@resolve_types $handler : schemas);
        Annotation::new(call, schemas)
    }};
}

/// Builds each endpoint in a separate stack frame. In one function, all endpoints together overflow a thread's stack.
#[inline(never)]
fn add(all: &mut Vec<Endpoint>, endpoint: impl FnOnce() -> Endpoint) {
    all.push(endpoint());
}

/// All endpoints. Their paths are relative to `/api`. They are built once: their schemas take a tenth of a second
/// without optimization, and the routers of both panels and of providers read them.
pub fn table() -> &'static [Endpoint] {
    // A `LazyLock` would name `endpoints` in the static, and every handler would be compiled into the unit tests.
    static TABLE: OnceLock<Vec<Endpoint>> = OnceLock::new();
    TABLE.get_or_init(endpoints)
}

#[rustfmt::skip]
fn endpoints() -> Vec<Endpoint> {
    endpoints! {
        sessions::csrf::get_csrf_token,
        sessions::sign_in::create_session,
        sessions::sign_in::create_admin_session,
        sessions::sign_in::refresh_session,
        sessions::sign_in::refresh_admin_session,
        sessions::sign_in::delete_session,
        sessions::sign_in::delete_session => ("/auth/admin/logout", "delete_admin_session", "Sign out (staff)"),

        account::profile::get_seller,
        account::profile::update_seller,
        account::profile::get_admin,
        account::profile::update_admin,
        account::password::forgot_password,
        account::password::forgot_password => ("/auth/admin/forgot-password", "forgot_admin_password", "Request a password reset (staff)"),
        account::password::reset_password,
        account::password::reset_password => ("/auth/admin/reset-password", "reset_admin_password", "Reset a password (staff)"),
        account::password::change_password,
        account::password::change_password => ("/auth/admin/change-password", "change_admin_password", "Change own password (staff)"),
        account::email::change_email,
        account::email::change_email => ("/auth/admin/change-email", "change_admin_email", "Request a new e-mail address (staff)"),
        account::email::resend_verification,
        account::email::resend_verification => ("/auth/admin/verifyemail", "resend_admin_verification", "Resend the e-mail confirmation (staff)"),
        account::email::verify_email,
        account::email::verify_email => ("/auth/admin/verifyemail/{verificationCode}", "verify_admin_email", "Confirm an e-mail address (staff)"),
        account::email::refuse_email,
        account::email::refuse_email => ("/auth/admin/verifyemail/{verificationCode}", "refuse_admin_email", "Refuse a new e-mail address (staff)"),
        account::open_sessions::list_sessions,
        account::open_sessions::list_sessions => ("/admin/me/sessions", "list_admin_sessions", "List own sessions (staff)"),
        account::open_sessions::end_other_sessions,
        account::open_sessions::end_other_sessions => ("/admin/me/sessions", "end_other_admin_sessions", "End all other own sessions (staff)"),
        account::open_sessions::end_session,
        account::open_sessions::end_session => ("/admin/me/sessions/{id}", "end_admin_session", "End an own session (staff)"),

        overview::seller::get_overview,
        overview::staff::get_admin_overview,
        operations::lists::list_late_payouts,
        operations::lists::list_late_refunds,
        operations::lists::list_late_charges,
        operations::lists::list_late_emails,
        operations::lists::list_followers,
        operations::lists::list_overdue_receivables,
        operations::lists::list_negative_balances,
        operations::retries::retry_work,
        operations::retries::retry_all_work,

        sales::list::list_sales,
        sales::list::list_all_sales,
        sales::list::get_sale_totals,
        sales::list::get_all_sale_totals,
        sales::detail::get_sale,
        sales::detail::get_any_sale,
        buyers::sale::get_sale_buyer,
        buyers::sale::get_sale_buyer => ("/admin/transactions/{id}/buyer", "get_any_sale_buyer", "Get the buyer of a sale by link of any company"),
        buyers::erase::find_buyer_orders,
        buyers::erase::erase_buyer,
        buyers::erase::list_buyer_history,
        buyers::card_closures::list_card_closures,
        buyers::card_closures::reopen_card_form,
        sales::explanation::explain_sale,
        sales::uses::list_sale_uses,
        sales::uses::list_sale_uses => ("/admin/transactions/{id}/uses", "list_any_sale_uses", "List where the money of a sale of any company went"),
        sales::explanation::explain_sale => ("/admin/transactions/{id}/explanation", "explain_any_sale", "Explain the net of a sale of any company"),
        reversals::requests::cancel_sale,
        reversals::requests::cancel_any_sale,
        reversals::requests::preview_cancel,
        reversals::requests::preview_cancel => ("/admin/transactions/{id}/chargeback/preview", "preview_any_cancel", "Preview the cancel of a sale of any company"),
        reversals::requests::dispute_sale,
        reversals::requests::dispute_any_sale,
        reversals::dispute_end::end_dispute,
        reversals::requests::preview_dispute,
        reversals::requests::preview_dispute => ("/admin/transactions/{id}/dispute/preview", "preview_any_dispute", "Preview the dispute of a sale of any company"),
        plans::seller::get_business_plan,
        plans::simulation::simulate_sale,
        plans::table::simulate_all_sales,
        plans::what_if::list_offered_plans,
        plans::what_if::compare_plan,

        reports::seller::get_sales_report,
        reports::seller::get_financial_report,
        reports::seller::get_terminal_sales,
        reports::staff::get_financial_report_of_all,
        reports::staff::get_billing_report,
        reports::staff::get_billing_by_company,
        reports::staff::get_total_sales,
        reports::staff::get_company_terminal_sales,
        history::keys::list_ledger_keys,
        history::company::get_verified_history,
        history::company::get_company_proof,
        history::company::get_sale_proof,
        history::staff::get_ledger_history,
        reports::closing::calls::get_closing,
        reports::closing::calls::get_company_closing,
        reports::emails::calls::list_report_emails,
        reports::emails::calls::list_report_emails => ("/admin/report-emails", "list_admin_report_emails", "List own reports by e-mail (staff)"),
        reports::emails::calls::create_report_email,
        reports::emails::calls::create_report_email => ("/admin/report-emails", "create_admin_report_email", "Order a report by e-mail (staff)"),
        reports::emails::calls::delete_report_email,
        reports::emails::calls::delete_report_email => ("/admin/report-emails/{id}", "delete_admin_report_email", "Stop a report by e-mail (staff)"),
        reports::emails::calls::download_report_file,
        reports::emails::calls::download_report_file => ("/admin/report-emails/files/{id}", "download_admin_report_file", "Download the file of a report by e-mail (staff)"),
        reports::views::calls::list_report_views,
        reports::views::calls::list_report_views => ("/admin/report-views", "list_admin_report_views", "List own saved views (staff)"),
        reports::views::calls::create_report_view,
        reports::views::calls::create_report_view => ("/admin/report-views", "create_admin_report_view", "Save a view of a report (staff)"),
        reports::views::calls::update_report_view,
        reports::views::calls::update_report_view => ("/admin/report-views/{id}", "update_admin_report_view", "Rename or replace a saved view (staff)"),
        reports::views::calls::delete_report_view,
        reports::views::calls::delete_report_view => ("/admin/report-views/{id}", "delete_admin_report_view", "Delete a saved view (staff)"),

        balance::seller::list_balance_history,
        balance::seller::list_balance_days,
        balance::staff::list_business_balance_history,
        balance::as_of::get_balance_as_of,
        balance::journal::list_journal,
        balance::ledger_event::get_ledger_event,
        balance::adjustments::make_manual_transfer,
        holds::seller::list_holds,
        holds::seller::get_hold,
        holds::staff::list_all_holds,
        holds::staff::get_any_hold,
        holds::change::place_hold,
        holds::change::change_hold,
        holds::change::release_hold,
        holds::change::pay_court,
        debts::list_debts,
        debts::list_debts_of_company,
        debts::write_off_debt,
        reserves::seller::get_reserve,
        reserves::seller::list_reserved_installments,
        reserves::staff::get_reserve_of_company,
        reserves::staff::list_reserved_installments_of_company,
        reserves::rules::list_company_reserve_rules,
        reserves::rules::set_company_reserve_rules,
        reserves::rules::get_company_reserve_impact,
        reserves::rules::list_plan_reserve_rules,
        reserves::rules::set_plan_reserve_rules,
        reserves::rules::get_plan_reserve_impact,
        holds::documents::seller::create_hold_document,
        holds::documents::seller::download_own_hold_document,
        holds::documents::staff::list_hold_documents,
        holds::documents::staff::download_hold_document,
        holds::documents::staff::answer_document_of_hold,
        adjustments::list::list_adjustment_requests,
        adjustments::decisions::approve_adjustment,
        adjustments::decisions::reject_adjustment,
        adjustments::decisions::withdraw_adjustment,
        receivables::seller::list_receivables,
        receivables::seller::list_receivable_units,
        receivables::seller::list_due_installments,

        withdrawals::seller::quote_transfer,
        withdrawals::seller::request_transfer,
        withdrawals::seller::list_transfers,
        withdrawals::seller::cancel_transfer,
        withdrawals::schedule::get_withdrawal_schedule,
        withdrawals::schedule::set_withdrawal_schedule,
        withdrawals::schedule::delete_withdrawal_schedule,
        withdrawals::receipt::download_receipt,
        withdrawals::receipt::download_any_receipt,
        withdrawals::staff::total_transfer_stages,
        withdrawals::detail::get_transfer,
        withdrawals::detail::get_any_transfer,
        withdrawals::execution::list_transfer_steps,
        withdrawals::execution::list_any_transfer_steps,
        withdrawals::composition::list_transfer_credits,
        withdrawals::composition::list_any_transfer_credits,
        withdrawals::composition::list_transfer_days,
        withdrawals::composition::list_any_transfer_days,
        withdrawals::staff::list_withdraws,
        withdrawals::staff::list_all_transfers,
        withdrawals::staff::total_transfers,
        withdrawals::actions::act_on_transfer,
        withdrawals::actions::reopen_transfer,
        withdrawals::rental::cancel_terminal_rental,
        withdrawals::returned::return_transfer,

        companies::staff::list::list_business_options,
        companies::staff::list::list_businesses,
        companies::staff::get_business,
        companies::staff::change::update_business,
        companies::decisions::confirm_business_approval,
        companies::decisions::reject_business_approval,
        companies::decisions::withdraw_business_approval,
        companies::history::list_business_history,
        companies::staff::create::create_seller_and_business,
        companies::staff::addresses::create_address,
        companies::staff::addresses::update_address,
        companies::staff::bank_accounts::create_bank_account,
        companies::staff::bank_accounts::choose_default_bank_account,
        companies::staff::bank_accounts::delete_bank_account,
        companies::seller::get_own_business,
        companies::seller::update_own_business,
        companies::seller::create_own_bank_account,
        companies::seller::choose_own_default_bank_account,
        companies::seller::delete_own_bank_account,
        companies::documents::staff::list_documents,
        companies::documents::staff::create_document,
        companies::documents::staff::download_document,
        companies::documents::staff::delete_document,
        companies::documents::seller::list_own_documents,
        companies::documents::seller::create_own_document,
        companies::documents::seller::download_own_document,
        companies::documents::seller::delete_own_document,
        files::images::get_document_image,
        files::images::get_own_document_image,
        files::images::get_logo_image,
        companies::lookups::get_options,
        companies::lookups::find_postal_code,

        plans::company::list_company_plans,
        plans::company::set_company_plans,

        plans::staff::list_plans,
        plans::staff::list_plan_options,
        plans::change::create_plan,
        plans::preview::preview_plan,
        plans::impact::start_new_plan_impact,
        plans::impact::start_plan_impact,
        plans::impact::start_receiving_plan_impact,
        plans::impact::get_plan_impact,
        plans::decisions::list_plan_changes,
        plans::decisions::approve_plan_change,
        plans::decisions::reject_plan_change,
        plans::decisions::withdraw_plan_change,
        plans::receiving::list_receiving_plans,
        plans::receiving::create_receiving_plan,
        plans::receiving::get_receiving_plan,
        plans::receiving::update_receiving_plan,
        plans::receiving::list_receiving_plan_history,
        plans::staff::get_plan,
        plans::change::update_plan,
        plans::change::withdraw_scheduled_version,
        plans::staff::list_plan_history,

        users::team::list_business_users,
        users::team::get_business_user,
        users::history::list_business_user_history,
        users::team::create_business_seller,
        users::team::update_business_seller,
        users::team::delete_business_seller,
        users::team::grant_business_access,
        users::team::remove_business_access,
        users::seller_users::list_sellers,
        users::seller_users::create_seller_user,
        users::seller_users::get_seller_user,
        users::seller_users::update_seller_user,
        users::seller_users::delete_seller_user,
        users::history::list_seller_user_history,
        users::seller_users::grant_seller_access,
        users::seller_users::remove_seller_access,
        users::admin_users::list_admin_users,
        users::admin_users::create_admin_user,
        users::admin_users::get_admin_user,
        users::admin_users::update_admin_user,
        users::admin_users::delete_admin_user,
        users::history::list_admin_user_history,
        audit_log::list_audit_log,

        terminals::staff::list_terminals,
        terminals::staff::get_terminal,
        terminals::staff::list_terminal_history,
        terminals::activation::enable_terminal,
        terminals::staff::change_terminal_owner,
        terminals::staff::change_terminal_billing,
        terminals::staff::remove_terminal,
        terminals::seller::list_business_terminals,
        terminals::seller::rename_terminal,
        links::seller::list_payment_links,
        links::seller::create_payment_link,
        links::seller::get_payment_link,
        links::seller::update_payment_link,
        links::public::get_public_link,
        links::staff::list_all_payment_links,
        checkout::order::place_order,
        checkout::attempts::create_attempt,
        checkout::status::get_order_status,
        checkout::stream::follow_order_status,
        checkout::boleto::get_order_boleto,
        settings::staff::get_settings,
        settings::staff::update_settings,
        settings::staff::list_settings_history,
        settings::platform::staff::list_platform_settings,
        settings::platform::staff::update_platform_setting,
        settings::platform::staff::withdraw_scheduled_setting,
        settings::platform::staff::list_platform_setting_history,
        settings::acquirers::staff::list_acquirers,
        settings::acquirers::staff::set_acquirer_route,
        settings::acquirers::staff::list_acquirer_history,
        settings::logo::list_logos,
        settings::logo::set_logo,
        settings::logo::delete_logo,
        contact::seller::get_contact_channels,
        contact::seller::list_own_contact_messages,
        contact::seller::create_contact_message,
        contact::staff::list_contact_messages,
        contact::staff::get_contact_message,
        contact::staff::answer_contact_message,
        contact::staff::update_contact_message,
        contact::staff::list_contact_message_history,
        holidays::staff::list_holidays,
        holidays::staff::preview_holiday,
        holidays::staff::create_holiday,
        holidays::staff::delete_holiday,
        holidays::staff::list_holiday_history,

        notices::receive::receive_notices,
        notices::hints::receive_unsigned_notice,
        exceptions::staff::list_exceptions,
        exceptions::staff::act_on_exception,
        reconciliation::differences::list_settlement_differences,
        reconciliation::differences::decide_settlement_difference,
        reconciliation::lists::list_settlement_days,
        reconciliation::lists::list_acquirer_receivables,
        reconciliation::imports::list_settlement_imports,
        reconciliation::imports::create_settlement_import,
        reconciliation::imports::get_settlement_import,
        reconciliation::rates::list_acquirer_rates,
        reconciliation::rates::set_acquirer_rate,
    }
}

/// The calls on the hosts of one panel, without the `/api` prefix. The other panel's calls are a 404, like unknown
/// paths.
pub fn of_panel(state: &AppState, panel: Panel) -> Router<AppState> {
    routed(state, "", |endpoint| {
        endpoint.access != AccessRule::Provider && endpoint.panels.contains(&panel)
    })
}

/// The calls of providers, with the `/api` prefix.
pub fn of_providers(state: &AppState) -> Router<AppState> {
    routed(state, "/api", |endpoint| endpoint.access == AccessRule::Provider)
}

fn routed(state: &AppState, prefix: &str, chosen: impl Fn(&Endpoint) -> bool) -> Router<AppState> {
    let endpoints = table().iter().filter(|endpoint| chosen(endpoint));
    endpoints.fold(Router::new(), |router, endpoint| {
        let handler = endpoint.handler.clone();
        let handler = known_parameters::check(handler, endpoint.access, &endpoint.operation);
        let handler = match state.replica {
            Some(_) if may_read_replica(verb(&endpoint.method), &endpoint.path) => {
                handler.route_layer(from_fn_with_state(state.clone(), replica::layer))
            }
            _ => handler,
        };
        let handler = guard::protect(handler, &endpoint.document, state);
        router.route(&format!("{prefix}{}", endpoint.path), handler)
    })
}

pub fn document() -> OpenApi {
    table()
        .iter()
        .fold(openapi::bare_document(), |document, endpoint| {
            openapi::with_call(document, endpoint.document.clone())
        })
}
