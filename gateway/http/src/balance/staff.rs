//! A company's balance for staff: the company's own view, and the event of each movement.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use gateway_platform::companies::company_fetch;
use ledger_domain::BusinessId;
use projections::balance::statement::StatementFilter;

use super::as_of::AsOfQuery;
use super::bodies::statement::{AdminBalanceHistory, AdminBalanceMovement, AdminBalancePage};
use super::spreadsheets::STAFF_STATEMENT;
use super::statement::{HistoryQuery, all_lines, read_lines, read_summary};
use crate::AppState;
use crate::edge::{Json, ListQuery, query};
use crate::problem::{Problem, Result};
use crate::spreadsheet::ResponseFormat;

/// List a company's balance movements
///
/// Returns a page of movements of the available balance, newest first unless `order=asc`, each with its event. With
/// `totals=1` it returns the balance instead. `axis` selects the time of occurrence or of recording. The movements are
/// in the order of that time, the balance runs in this order, and `start` and `end` are compared with it. With `as_of`,
/// later movements are left out. A spreadsheet has all movements of the period.
#[utoipa::path(
    get, path = "/admin/balance/history", tag = "balance",
    responses(
        (status = 200, body = AdminBalanceHistory),
        (status = 404, description = "The company does not exist"),
    )
)]
pub(crate) async fn list_business_balance_history(
    State(state): State<AppState>,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<CompanyHistory>,
) -> Result<Response> {
    let CompanyHistory {
        company,
        history,
        as_of,
    } = query;
    let db = state.db().await?;
    let found = company_fetch(&*db, company).await?;
    found.ok_or_else(Problem::not_found)?;
    // Each branch below takes a connection of the pool itself.
    drop(db);
    let all = history.filter(company);
    let filter = StatementFilter {
        axis: as_of.axis(),
        range: as_of.up_to(all.range),
        ..all
    };
    if history.totals {
        let summary = read_summary(&state, &filter, as_of.if_given()).await?;
        return Ok(Json(AdminBalanceHistory::Totals(summary)).into_response());
    }
    if let ResponseFormat::Spreadsheet(file) = format {
        let lines = all_lines::<AdminBalanceMovement>(&state, filter);
        return file.respond(&STAFF_STATEMENT, lines).await;
    }
    let (data, meta) = read_lines(&state, &filter, &history).await?;
    let meta = meta.in_zone(zone);
    Ok(Json(AdminBalanceHistory::Movements(AdminBalancePage { data, meta })).into_response())
}

query! {
    pub struct CompanyHistory {
        /// The company.
        #[name = "business_id"]
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        company: BusinessId,
        history: ..HistoryQuery,
        as_of: ..AsOfQuery,
    }
}
