//! Transfers as staff see them: the queue of withdrawals, and every transfer of every company.

use axum::extract::State;
use axum::response::Response;
use ledger_domain::transfer::TransferKind;

use crate::AppState;
use crate::access::staff_of;
use crate::edge::{CurrentAdmin, ListQuery};
use crate::handlers::transfer_list::{
    Reader, TransferListParams, TransferQuery, WithdrawListParams, WithdrawQuery, transfer_answer,
};
use crate::problem::{Problem, ProblemBody, Result};
use crate::spreadsheet::{FileParams, Wanted, Workbook};
use crate::wire::transfer::TransferPage;

/// Withdrawals
///
/// Those that wait for staff come first, then by the instant of the request. A spreadsheet has all of the filter's.
#[utoipa::path(
    get, path = "/admin/balance/withdraws", tag = "balance", params(WithdrawListParams, FileParams),
    responses(
        (status = 200, content(
            (TransferPage = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_withdraws(
    State(state): State<AppState>,
    who: CurrentAdmin,
    wanted: Wanted,
    ListQuery {
        query: WithdrawQuery(mut query),
        zone,
    }: ListQuery<WithdrawQuery>,
) -> Result<Response> {
    query.filter.kind = Some(TransferKind::Withdrawal);
    query.filter.pending_first = true;
    let list = ListQuery { query, zone };
    transfer_answer(state, Reader::staff(&who), list, wanted).await
}

/// Transfers of every company
///
/// Those that wait for staff come first where no status is named. A commercial supervisor names the company. A
/// spreadsheet has all of the filter's.
#[utoipa::path(
    get, path = "/admin/balance/transfers", tag = "balance", params(TransferListParams, FileParams),
    responses(
        (status = 200, content(
            (TransferPage = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_all_transfers(
    State(state): State<AppState>,
    who: CurrentAdmin,
    wanted: Wanted,
    mut list: ListQuery<TransferQuery>,
) -> Result<Response> {
    let sees_all = who.0.passes(staff_of("GET", "/admin/transactions/financial/all"));
    if list.query.filter.business_id.is_none() && !sees_all {
        return Err(Problem::field("business_id", "Informe a empresa."));
    }
    list.query.filter.pending_first = true;
    transfer_answer(state, Reader::staff(&who), list, wanted).await
}
