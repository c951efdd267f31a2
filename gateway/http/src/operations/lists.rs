//! Each list shows the rows behind a figure of the staff's home page.

use std::collections::HashMap;

use axum::extract::State;
use gateway_mail::emails_late_list;
use gateway_platform::companies::{NamedCompany, companies_by_id};
use gateway_platform::effects::late::{charges_late_list, payouts_late_list, refunds_late_list};
use ledger_domain::BusinessId;
use projections::balance::negative_balance_list;
use projections::balance::statement::composition::debt_list;
use projections::receivables::overdue_list;
use tokio_postgres::GenericClient;

use super::bodies::{
    FollowerList, LateCharge, LateChargePage, LateEmail, LateEmailPage, LatePayout, LatePayoutPage,
    LateRefund, LateRefundPage, NegativeBalancePage, NegativeBalanceRow, OverduePage, OverdueRow,
};
use super::followers::followers;
use crate::AppState;
use crate::edge::{Db, Json, Paging, Query};
use crate::problem::Result;

/// List late payouts
///
/// Payouts that have not ended after `RAZAO_PAYOUT_LATE_MINUTES`, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/payouts", tag = "operations",
    responses((status = 200, body = LatePayoutPage))
)]
pub(crate) async fn list_late_payouts(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<LatePayoutPage>> {
    let late_after = state.config.withdrawals.payout_late_after;
    let page = payouts_late_list(&*db, late_after, paging.into()).await?;
    Ok(Json(LatePayoutPage::of(page.map(LatePayout::from), paging)))
}

/// List late refunds
///
/// Refunds that have not ended after `RAZAO_REFUND_LATE_MINUTES`, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/refunds", tag = "operations",
    responses((status = 200, body = LateRefundPage))
)]
pub(crate) async fn list_late_refunds(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<LateRefundPage>> {
    let late_after = state.config.refunds.late_after;
    let page = refunds_late_list(&*db, late_after, paging.into()).await?;
    Ok(Json(LateRefundPage::of(page.map(LateRefund::from), paging)))
}

/// List late charges
///
/// Charges of orders for which an acquirer needs longer than `RAZAO_ORDER_LATE_MINUTES`, the oldest first. A PIX code or
/// a boleto that waits for its buyer is not late.
#[utoipa::path(
    get, path = "/admin/operations/charges", tag = "operations",
    responses((status = 200, body = LateChargePage))
)]
pub(crate) async fn list_late_charges(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<LateChargePage>> {
    let late_after = state.config.acquirers.orders_late_after;
    let page = charges_late_list(&*db, late_after, paging.into()).await?;
    Ok(Json(LateChargePage::of(page.map(LateCharge::from), paging)))
}

/// List late e-mails
///
/// E-mails that no mail server has taken after 15 minutes, the oldest first.
#[utoipa::path(
    get, path = "/admin/operations/emails", tag = "operations",
    responses((status = 200, body = LateEmailPage))
)]
pub(crate) async fn list_late_emails(Query(paging): Query<Paging>, db: Db) -> Result<Json<LateEmailPage>> {
    let page = emails_late_list(&*db, paging.into()).await?;
    Ok(Json(LateEmailPage::of(page.map(LateEmail::from), paging)))
}

/// List followers
///
/// Every read model with its distance from the end of the log, and every effect handler that stopped.
#[utoipa::path(
    get, path = "/admin/operations/followers", tag = "operations",
    responses((status = 200, body = FollowerList))
)]
pub(crate) async fn list_followers(db: Db) -> Result<Json<FollowerList>> {
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
pub(crate) async fn list_overdue_receivables(
    State(state): State<AppState>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<OverduePage>> {
    let page = overdue_list(&*db, state.clock.today(), paging.into()).await?;
    let names = names(&*db, page.rows.iter().map(|day| day.business_id)).await?;
    let page = page.map(|day| OverdueRow::of(day, &names));
    Ok(Json(OverduePage::of(page, paging)))
}

/// List negative balances
///
/// Companies whose available balance is below zero, the lowest first, with the time since when they owe.
#[utoipa::path(
    get, path = "/admin/operations/negative-balances", tag = "operations",
    responses((status = 200, body = NegativeBalancePage))
)]
pub(crate) async fn list_negative_balances(
    Query(paging): Query<Paging>,
    mut db: Db,
) -> Result<Json<NegativeBalancePage>> {
    let page = negative_balance_list(&*db, paging.into()).await?;
    let names = names(&*db, page.rows.iter().map(|(id, _)| *id)).await?;
    let mut oldest = HashMap::new();
    for (business, _) in &page.rows {
        db = db.about(*business);
        let debts = debt_list(&*db, *business, 1).await?;
        oldest.extend(debts.first().map(|debt| (*business, debt.line.occurred_at)));
    }
    let page = page.map(|company| NegativeBalanceRow::of(company, &names, &oldest));
    Ok(Json(NegativeBalancePage::of(page, paging)))
}

async fn names(
    client: &impl GenericClient,
    companies: impl Iterator<Item = BusinessId>,
) -> Result<HashMap<BusinessId, NamedCompany>> {
    Ok(companies_by_id(client, &companies.collect::<Vec<_>>()).await?)
}
