//! A company's balance as staff see it: as the company does, and with the event behind each movement.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use gateway_platform::back_office::company_fetch;
use ledger_domain::BusinessId;
use projections::statement::StatementFilter;
use utoipa::IntoParams;
use uuid::Uuid;

use super::as_of::{AsOfParams, AsOfQuery};
use super::balance::{HistoryParams, HistoryQuery, all_lines, read_lines, read_summary};
use crate::AppState;
use crate::edge::{FromQuery, Json, ListQuery, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};
use crate::spreadsheet::tables::STAFF_STATEMENT;
use crate::spreadsheet::{FileParams, Wanted, Workbook};
use crate::wire::balance::{AdminBalanceHistory, AdminBalanceMovement, AdminBalancePage};

/// A company's balance, or its movements
///
/// With `totals=1` the balance; else a page of movements of the available balance, newest first, each with its event.
/// The axis is their order, the order in which the balance runs, and what `start` and `end` are of: when things happened,
/// or when they were recorded. With an instant, up to it. A spreadsheet has all of the period's movements.
#[utoipa::path(
    get, path = "/admin/balance/history", tag = "balance", params(CompanyParam, HistoryParams, AsOfParams, FileParams),
    responses(
        (status = 200, content(
            (AdminBalanceHistory = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 404, description = "No such company", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_business_balance_history(
    State(state): State<AppState>,
    wanted: Wanted,
    ListQuery { query, zone }: ListQuery<CompanyHistory>,
) -> Result<Response> {
    let CompanyHistory {
        company,
        history,
        as_of,
    } = query;
    let client = state.pool.get().await?;
    let found = company_fetch(&**client, company).await?;
    found.ok_or_else(Problem::not_found)?;
    drop(client);
    let all = history.filter(company);
    let filter = StatementFilter {
        axis: as_of.axis(),
        range: as_of.up_to(all.range),
        ..all
    };
    if history.totals {
        let summary = read_summary(&state, &filter, as_of.named()).await?;
        return Ok(Json(AdminBalanceHistory::Totals(summary)).into_response());
    }
    if let Wanted::Spreadsheet(file) = wanted {
        let lines = all_lines::<AdminBalanceMovement>(&state, filter);
        return file.of(&STAFF_STATEMENT, lines).await;
    }
    let (data, meta) = read_lines(&state, &filter, &history).await?;
    let meta = meta.in_zone(zone);
    Ok(Json(AdminBalanceHistory::Movements(AdminBalancePage { data, meta })).into_response())
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct CompanyParam {
    /// Whose balance.
    #[param(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    business_id: String,
}

pub struct CompanyHistory {
    company: BusinessId,
    history: HistoryQuery,
    as_of: AsOfQuery,
}

impl FromQuery for CompanyHistory {
    fn read(query: &mut QueryReader) -> Self {
        if query.text("business_id").is_none() {
            query.error("business_id", "Informe a empresa.");
        }
        let company = query.parsed("business_id", "Deve ser o id de uma empresa.");
        Self {
            company: company.unwrap_or(BusinessId::from_uuid(Uuid::nil())),
            history: HistoryQuery::read(query),
            as_of: AsOfQuery::read(query),
        }
    }
}
