//! The home page of the staff panel in one call.

use std::future::Future;

use axum::extract::State;
use chrono::{DateTime, Datelike, Utc};
use futures::try_join;
use gateway_identity::access::StaffCapability;
use gateway_identity::sessions::SignedInAdmin;
use gateway_mail::emails_late_count;
use gateway_platform::adjustments::requests::requests_pending;
use gateway_platform::companies::{active_company_count, companies_newest};
use gateway_platform::effects::late::{charges_late_count, payouts_late_count, refunds_late_count};
use gateway_platform::exceptions::exceptions_waiting;
use gateway_platform::holds::documents::documents_waiting;
use gateway_platform::holds::holds_due;
use gateway_platform::reconciliation::differences_open;
use ledger_domain::calendar::business_date;
use projections::balance::{negative_balances, platform_revenue};
use projections::daily_sales::period_totals;
use projections::receivables::oldest_due;
use projections::withdrawals::pending_withdrawals;

use super::bodies::staff::{
    AdjustmentsWaiting, AdminOverview, DocumentsWaiting, FollowersLag, WithdrawalsWaiting, WorkOfStaff,
};
use crate::AppState;
use crate::companies::bodies::NewestBusiness;
use crate::edge::{CurrentAdmin, Db, Json};
use crate::operations::followers::followers;
use crate::problem::{Problem, Result};
use crate::shared::cents;

/// Get the figures of the staff home page
///
/// Every staff role gets the sales volumes. A field that the caller's roles may not see is null. Each number of work
/// has a call that lists it, and is for the roles that may make this call. Only the waiting withdrawals are for the
/// roles of `/admin/transactions/financial/all`.
#[utoipa::path(
    get, path = "/admin/overview", tag = "overview",
    responses((status = 200, body = AdminOverview))
)]
pub(crate) async fn get_admin_overview(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    db: Db,
) -> Result<Json<AdminOverview>> {
    let (platform, work) = try_join!(
        read_platform(&db, &admin, state.clock.now()),
        read_work(&state, &db, &admin)
    )?;
    Ok(Json(AdminOverview { work, ..platform }))
}

/// Sends the queries together: the connection pipelines them.
async fn read_platform(db: &Db, admin: &SignedInAdmin, now: DateTime<Utc>) -> Result<AdminOverview> {
    let db = &**db;
    let today = business_date(now);
    let first = today.with_day(1).unwrap_or(today);
    let (volume_today, volume_month, revenue, active, newest) = try_join!(
        or_problem(period_totals(db, None, today, today)),
        or_problem(period_totals(db, None, first, today)),
        if_allowed(
            admin,
            StaffCapability::ReadBilling,
            platform_revenue(db, first, today)
        ),
        if_allowed(admin, StaffCapability::ReadCompanies, active_company_count(db)),
        if_allowed(admin, StaffCapability::ReadCompanies, companies_newest(db)),
    )?;
    Ok(AdminOverview {
        today,
        volume_today: volume_today.into(),
        volume_month: volume_month.into(),
        revenue_month: revenue.map(cents),
        active_businesses: active,
        newest_businesses: newest.map(|companies| companies.into_iter().map(NewestBusiness::from).collect()),
        work: WorkOfStaff::default(),
    })
}

/// No count goes beyond 10,000, except those of waiting withdrawals and of negative balances, which are exact.
async fn read_work(state: &AppState, db: &Db, admin: &SignedInAdmin) -> Result<WorkOfStaff> {
    let db = &**db;
    let now = state.clock.now();
    let payout_late = state.config.withdrawals.payout_late_after;
    let refund_late = state.config.refunds.late_after;
    let charge_late = state.config.acquirers.orders_late_after;
    let (
        withdrawals,
        adjustments,
        holds,
        documents,
        exceptions,
        differences,
        payouts,
        refunds,
        charges,
        emails,
        lag,
        due,
        negative,
    ) = try_join!(
        if_allowed(admin, StaffCapability::ReadPlatformMoney, pending_withdrawals(db)),
        if_allowed(admin, StaffCapability::ReadAdjustments, requests_pending(db)),
        if_allowed(
            admin,
            StaffCapability::ReadHolds,
            holds_due(db, business_date(now))
        ),
        if_allowed(admin, StaffCapability::ReadHoldDocuments, documents_waiting(db)),
        if_allowed(admin, StaffCapability::ReadExceptions, exceptions_waiting(db)),
        if_allowed(
            admin,
            StaffCapability::ReadSettlementDifferences,
            differences_open(db)
        ),
        if_allowed(
            admin,
            StaffCapability::ReadPayouts,
            payouts_late_count(db, payout_late)
        ),
        if_allowed(
            admin,
            StaffCapability::ReadRefunds,
            refunds_late_count(db, refund_late)
        ),
        if_allowed(
            admin,
            StaffCapability::ReadCharges,
            charges_late_count(db, charge_late)
        ),
        if_allowed(admin, StaffCapability::ReadEmailQueue, emails_late_count(db)),
        if_allowed(admin, StaffCapability::ReadFollowers, followers(db)),
        if_allowed(
            admin,
            StaffCapability::ReadReceivablesQueue,
            oldest_due(db, business_date(now))
        ),
        if_allowed(
            admin,
            StaffCapability::ReadNegativeBalances,
            negative_balances(db)
        ),
    )?;
    Ok(WorkOfStaff {
        withdrawals_waiting: withdrawals.map(|waiting| WithdrawalsWaiting::of(waiting, now)),
        adjustments_waiting: adjustments.map(|waiting| AdjustmentsWaiting::of(waiting, now)),
        holds_due: holds.map(Into::into),
        hold_documents_waiting: documents.map(|waiting| DocumentsWaiting::of(waiting, now)),
        exceptions_waiting: exceptions,
        differences_open: differences,
        payouts_late: payouts.map(Into::into),
        refunds_late: refunds.map(Into::into),
        charges_late: charges.map(Into::into),
        emails_late: emails.map(Into::into),
        followers: lag.map(|rows| FollowersLag::of(&rows)),
        receivables: due.map(Into::into),
        negative_balances: negative.map(Into::into),
    })
}

async fn or_problem<Part, E: Into<Problem>>(reading: impl Future<Output = Result<Part, E>>) -> Result<Part> {
    reading.await.map_err(Into::into)
}

/// Runs the query only if the caller has the capability; else `None`.
async fn if_allowed<Part, E: Into<Problem>>(
    admin: &SignedInAdmin,
    capability: StaffCapability,
    reading: impl Future<Output = Result<Part, E>>,
) -> Result<Option<Part>> {
    if admin.may(capability) {
        or_problem(reading).await.map(Some)
    } else {
        Ok(None)
    }
}
