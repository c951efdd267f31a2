//! The lists behind the numbers of the staff's home page.

use std::collections::HashMap;

use axum::extract::State;
use gateway_identity::mail::emails_stuck_list;
use gateway_platform::companies::{NamedCompany, companies_named};
use gateway_platform::effects::late::{payouts_late_list, refunds_late_list};
use ledger_domain::BusinessId;
use projections::Page;
use projections::balance::negative_balance_list;
use projections::receivables::overdue_list;
use tokio_postgres::GenericClient;

use super::bodies::{
    FollowerList, LatePayout, LatePayoutPage, LateRefund, LateRefundPage, NegativeBalancePage,
    NegativeBalanceRow, OverduePage, OverdueRow, StuckEmailPage, StuckEmailRow,
};
use super::followers::followers;
use crate::AppState;
use crate::edge::{Db, Json, Paging, Query};
use crate::problem::Result;
use crate::shared::page::PageMeta;

/// List late payouts
///
/// Payouts that have not ended after `RAZAO_PAYOUT_LATE_MINUTES`, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/payouts", tag = "operations",
    responses((status = 200, body = LatePayoutPage))
)]
pub async fn list_late_payouts(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<LatePayoutPage>> {
    let late_after = state.config.withdrawals.payout_late_after;
    let mut page = payouts_late_list(&*db, late_after, paging.into()).await?;
    let data = taken(&mut page).into_iter().map(LatePayout::of).collect();
    let meta = PageMeta::numbered(&page, paging);
    Ok(Json(LatePayoutPage { data, meta }))
}

/// List late refunds
///
/// Refunds that have not ended after `RAZAO_REFUND_LATE_MINUTES`, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/refunds", tag = "operations",
    responses((status = 200, body = LateRefundPage))
)]
pub async fn list_late_refunds(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<LateRefundPage>> {
    let late_after = state.config.refunds.late_after;
    let mut page = refunds_late_list(&*db, late_after, paging.into()).await?;
    let data = taken(&mut page).into_iter().map(LateRefund::of).collect();
    let meta = PageMeta::numbered(&page, paging);
    Ok(Json(LateRefundPage { data, meta }))
}

/// List stuck e-mails
///
/// E-mails that have waited for 15 minutes, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/emails", tag = "operations",
    responses((status = 200, body = StuckEmailPage))
)]
pub async fn list_stuck_emails(Query(paging): Query<Paging>, db: Db) -> Result<Json<StuckEmailPage>> {
    let mut page = emails_stuck_list(&*db, paging.into()).await?;
    let data = taken(&mut page).into_iter().map(StuckEmailRow::from).collect();
    let meta = PageMeta::numbered(&page, paging);
    Ok(Json(StuckEmailPage { data, meta }))
}

/// List followers
///
/// Every read model with its distance from the end of the log, and every effect handler that stopped.
#[utoipa::path(
    get, path = "/admin/operations/followers", tag = "operations",
    responses((status = 200, body = FollowerList))
)]
pub async fn list_followers(db: Db) -> Result<Json<FollowerList>> {
    let data = followers(&db).await?;
    Ok(Json(FollowerList { data }))
}

/// List overdue receivables
///
/// The days of companies with installments that were due before today and are not settled, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/receivables", tag = "operations",
    responses((status = 200, body = OverduePage))
)]
pub async fn list_overdue_receivables(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<OverduePage>> {
    let mut page = overdue_list(&*db, state.clock.today(), paging.into()).await?;
    let days = taken(&mut page);
    let names = names(&*db, days.iter().map(|day| day.business_id)).await?;
    let data = days.into_iter().map(|day| OverdueRow::of(day, &names)).collect();
    let meta = PageMeta::numbered(&page, paging);
    Ok(Json(OverduePage { data, meta }))
}

/// List negative balances
///
/// Companies whose available balance is below zero, the lowest first.
#[utoipa::path(
    get, path = "/admin/operations/negative-balances", tag = "operations",
    responses((status = 200, body = NegativeBalancePage))
)]
pub async fn list_negative_balances(
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<NegativeBalancePage>> {
    let mut page = negative_balance_list(&*db, paging.into()).await?;
    let companies = taken(&mut page);
    let names = names(&*db, companies.iter().map(|(id, _)| *id)).await?;
    let row = |company| NegativeBalanceRow::of(company, &names);
    let data = companies.into_iter().map(row).collect();
    let meta = PageMeta::numbered(&page, paging);
    Ok(Json(NegativeBalancePage { data, meta }))
}

fn taken<Row, Cursor>(page: &mut Page<Row, Cursor>) -> Vec<Row> {
    std::mem::take(&mut page.rows)
}

async fn names(
    client: &impl GenericClient,
    companies: impl Iterator<Item = BusinessId>,
) -> Result<HashMap<BusinessId, NamedCompany>> {
    Ok(companies_named(client, &companies.collect::<Vec<_>>()).await?)
}
