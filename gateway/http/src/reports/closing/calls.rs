//! The handlers of a month's closing for the accountant, for sellers and for staff.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_platform::closing::{Closing, Month, begin_snapshot, check_ended};
use ledger_domain::BusinessId;
use projections::ReadModelGroup;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::MonthClosing;
use super::write::write_closing;
use crate::AppState;
use crate::edge::query::text;
use crate::edge::{CurrentBusiness, Id, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::read_models::wait_for_read_models;
use crate::spreadsheet::ResponseFormat;

/// Get a month's closing for the accountant
///
/// The balances of all accounts before and after the month, their credits and debits, and the month's figures. The
/// month is the last one that has ended unless `month` names another. The spreadsheet is a workbook of several sheets:
/// summary, sales, reversals, fees by day, statement, open receivables, withdrawals, accounts, and checks of their
/// totals.
#[utoipa::path(
    get, path = "/business/{businessId}/closing", tag = "reports",
    responses(
        (status = 200, body = MonthClosing),
        (status = 406, description = "A closing has several lists, and CSV holds one"),
    )
)]
pub(crate) async fn get_closing(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<ClosingQuery>,
) -> Result<Response> {
    closing_answer(&state, business.id, query, format).await
}

/// Get a month's closing of a company for its accountant
///
/// The balances of all accounts before and after the month, their credits and debits, and the month's figures. The
/// month is the last one that has ended unless `month` names another. The spreadsheet is a workbook of several sheets:
/// summary, sales, reversals, fees by day, statement, open receivables, withdrawals, accounts, and checks of their
/// totals.
#[utoipa::path(
    get, path = "/admin/businesses/{business_id}/closing", tag = "reports",
    responses(
        (status = 200, body = MonthClosing),
        (status = 406, description = "A closing has several lists, and CSV holds one"),
    )
)]
pub(crate) async fn get_company_closing(
    State(state): State<AppState>,
    Id(company): Id<BusinessId>,
    format: ResponseFormat,
    Query(query): Query<ClosingQuery>,
) -> Result<Response> {
    closing_answer(&state, company, query, format).await
}

async fn closing_answer(
    state: &AppState,
    business: BusinessId,
    query: ClosingQuery,
    format: ResponseFormat,
) -> Result<Response> {
    let today = state.clock.today();
    let month = query.month.unwrap_or_else(|| Month::before(today));
    check_ended(month, today)?;
    let ResponseFormat::Spreadsheet(spreadsheet) = format else {
        wait_for_read_models(&state.pool, &ReadModelGroup::ALL, business).await?;
        let mut client = state.pool.get().await?;
        let snapshot = begin_snapshot(&mut client, business).await?;
        let closing = Closing::read(&*snapshot, business, month, state.clock.now()).await?;
        return Ok(Json(MonthClosing::of(&closing)?).into_response());
    };
    if spreadsheet.is_csv() {
        let message = "O fechamento tem várias listas, e por isso só existe como planilha XLSX.";
        return Err(Problem::new(StatusCode::NOT_ACCEPTABLE, message));
    }
    let book = write_closing(&state.pool, business, month, state.clock.now()).await?;
    spreadsheet.answer(&format!("fechamento-{}", month.text()), book.file)
}

query! {
    pub struct ClosingQuery {
        /// The month, which must have ended. The last one that has ended if it is left out.
        #[example = "2026-10"]
        month: Option<Month>,
    }
}

impl QueryValue for Month {
    const INVALID: &'static str = "O mês deve estar no formato AAAA-MM.";

    fn schema() -> RefOr<Schema> {
        text().pattern(Some("^[0-9]{4}-(0[1-9]|1[0-2])$")).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
