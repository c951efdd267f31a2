//! Transfers for staff: the queue of withdrawals, and the transfers of all companies.

use axum::extract::State;
use axum::response::Response;
use gateway_identity::access::StaffCapability;
use gateway_identity::audience::Audience;
use ledger_domain::transfer::TransferKind;
use projections::TimeRange;
use projections::withdrawals::{oldest_requests, totals_by_status};

use super::bodies::totals::{StageTotals, TransferStages, TransferTotals, sum};
use super::bodies::transfer::TransferPage;
use super::list::transfer_answer;
use super::query::{StaffTransferQuery, TransferStage, TransferTotalsQuery, WithdrawQuery};
use super::related_rows::Viewer;
use crate::AppState;
use crate::edge::{CurrentAdmin, Db, Json, ListQuery};
use crate::problem::{Problem, Result};
use crate::spreadsheet::ResponseFormat;

/// List withdrawals
///
/// Pending withdrawals come first. Both groups are ordered by the instant of the request. A spreadsheet has all rows
/// that match the filter.
#[utoipa::path(
    get, path = "/admin/balance/withdraws", tag = "balance",
    responses((status = 200, body = TransferPage))
)]
pub(crate) async fn list_withdraws(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    format: ResponseFormat,
    ListQuery {
        query: WithdrawQuery(mut query),
        zone,
    }: ListQuery<WithdrawQuery>,
) -> Result<Response> {
    query.filter.kind = Some(TransferKind::Withdrawal);
    query.filter.pending_first = true;
    let list = ListQuery { query, zone };
    transfer_answer(state, Viewer::staff(&staff), list, format).await
}

/// The withdrawals for a report by e-mail, without balances, which only some roles see.
pub(crate) async fn withdrawals_of_report(
    state: AppState,
    ListQuery {
        query: StaffTransferQuery(mut query),
        zone,
    }: ListQuery<StaffTransferQuery>,
    format: ResponseFormat,
) -> Result<Response> {
    query.filter.kind = Some(TransferKind::Withdrawal);
    let viewer = Viewer {
        audience: Audience::Admin,
        sees_balance: false,
    };
    transfer_answer(state, viewer, ListQuery { query, zone }, format).await
}

/// List transfers of all companies
///
/// Pending transfers come first if no status is given. A commercial supervisor must give `business_id`. A
/// spreadsheet has all rows that match the filter.
#[utoipa::path(
    get, path = "/admin/balance/transfers", tag = "balance",
    responses((status = 200, body = TransferPage))
)]
pub(crate) async fn list_all_transfers(
    State(state): State<AppState>,
    staff: CurrentAdmin,
    format: ResponseFormat,
    ListQuery {
        query: StaffTransferQuery(mut query),
        zone,
    }: ListQuery<StaffTransferQuery>,
) -> Result<Response> {
    let sees_all = staff.0.may(StaffCapability::ReadPlatformMoney);
    if query.filter.business_id.is_none() && !sees_all {
        return Err(Problem::field("business_id", "Informe a empresa."));
    }
    query.filter.pending_first = true;
    let list = ListQuery { query, zone };
    transfer_answer(state, Viewer::staff(&staff), list, format).await
}

/// Total transfers by status
///
/// The number and the amounts of the transfers in each status, of all companies or of one. The statuses are the current
/// ones. The period restricts the instant of the request.
#[utoipa::path(
    get, path = "/admin/balance/transfers/totals", tag = "balance",
    responses((status = 200, body = TransferTotals))
)]
pub(crate) async fn total_transfers(
    ListQuery { query, .. }: ListQuery<TransferTotalsQuery>,
    db: Db,
) -> Result<Json<TransferTotals>> {
    let TransferTotalsQuery {
        business_id,
        kind,
        range,
    } = query;
    let totals = totals_by_status(&*db, business_id, kind, range).await?;
    Ok(Json(totals.as_slice().into()))
}

/// Total transfers by stage
///
/// The number and the amounts of the transfers of each `stage` of the list, of all companies, and since when the oldest
/// one waits.
#[utoipa::path(
    get, path = "/admin/balance/transfers/stages", tag = "balance",
    responses((status = 200, body = TransferStages))
)]
pub(crate) async fn total_transfer_stages(db: Db) -> Result<Json<TransferStages>> {
    let range = TimeRange::default();
    let withdrawals = totals_by_status(&*db, None, Some(TransferKind::Withdrawal), range).await?;
    let adjustments = totals_by_status(&*db, None, Some(TransferKind::Adjustment), range).await?;
    let rentals = totals_by_status(&*db, None, Some(TransferKind::TerminalRental), range).await?;
    let (pending, processing) = oldest_requests(&*db).await?;
    let of_stage = |stage: TransferStage| {
        let of_statuses = withdrawals
            .iter()
            .filter(|of| stage.statuses().contains(&of.status));
        sum(of_statuses)
    };
    Ok(Json(TransferStages {
        pending: StageTotals::of(of_stage(TransferStage::Pending), pending),
        in_progress: StageTotals::of(of_stage(TransferStage::InProgress), processing),
        ended: StageTotals::of(of_stage(TransferStage::Ended), None),
        other: StageTotals::of(sum(adjustments.iter().chain(&rentals)), None),
    }))
}
