//! The home page of the staff panel in one call. Each part is for the roles that may call the endpoint it comes from.

use std::future::Future;

use axum::extract::State;
use chrono::{Datelike, NaiveDate};
use futures::try_join;
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::SignedInAdmin;
use gateway_platform::companies::{companies_active, companies_newest};
use gateway_platform::exceptions::exceptions_waiting;
use projections::balance::platform_revenue;
use projections::daily_sales::period_totals;
use projections::withdrawals;

use super::bodies::staff::AdminOverview;
use crate::AppState;
use crate::access::staff_of;
use crate::companies::bodies::NewBusiness;
use crate::edge::{CurrentAdmin, Db, Json};
use crate::problem::{Problem, Result};
use crate::shared::cents;

/// Get the figures of the staff home page
///
/// Every staff role gets the sales volumes. A field that the caller's roles may not see is null.
#[utoipa::path(
    get, path = "/admin/overview", tag = "overview",
    responses((status = 200, body = AdminOverview))
)]
pub async fn get_admin_overview(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    db: Db,
) -> Result<Json<AdminOverview>> {
    read_overview(&db, &admin, state.clock.today()).await.map(Json)
}

/// Sends all queries at once: the connection pipelines them, so no round trip separates two queries.
async fn read_overview(db: &Db, admin: &SignedInAdmin, today: NaiveDate) -> Result<AdminOverview> {
    let db = &**db;
    let companies = staff_of("GET", "/admin/businesses");
    let billing = staff_of("GET", "/admin/transactions/billing");
    let money_of_all = staff_of("GET", "/admin/transactions/financial/all");
    let waiting = staff_of("GET", "/admin/exceptions");
    let first = today.with_day(1).unwrap_or(today);
    let (volume_today, volume_month, revenue, active, withdrawals, exceptions, newest) = try_join!(
        or_problem(period_totals(db, None, today, today)),
        or_problem(period_totals(db, None, first, today)),
        if_role_allows(admin, billing, platform_revenue(db, first, today)),
        if_role_allows(admin, companies, companies_active(db)),
        if_role_allows(admin, money_of_all, withdrawals::pending_withdrawals(db)),
        if_role_allows(admin, waiting, exceptions_waiting(db)),
        if_role_allows(admin, companies, companies_newest(db)),
    )?;
    Ok(AdminOverview {
        today,
        volume_today: volume_today.into(),
        volume_month: volume_month.into(),
        revenue_month: revenue.map(cents),
        active_businesses: active,
        withdrawals_waiting: withdrawals.map(Into::into),
        exceptions_waiting: exceptions,
        newest_businesses: newest.map(|companies| companies.into_iter().map(NewBusiness::from).collect()),
    })
}

async fn or_problem<Part, E: Into<Problem>>(reading: impl Future<Output = Result<Part, E>>) -> Result<Part> {
    reading.await.map_err(Into::into)
}

/// Runs the query only if the caller has one of the roles; else `None`.
async fn if_role_allows<Part, E: Into<Problem>>(
    admin: &SignedInAdmin,
    roles: &[AdminRole],
    reading: impl Future<Output = Result<Part, E>>,
) -> Result<Option<Part>> {
    if admin.has_any_role(roles) {
        or_problem(reading).await.map(Some)
    } else {
        Ok(None)
    }
}
