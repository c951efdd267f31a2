//! The company's balance for its users: its totals, its movements, and the balance at the end of each day.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{Days, NaiveDate};
use projections::balance::days;

use super::bodies::balance::{BalanceDay, BalanceDays};
use super::bodies::statement::{BalanceHistory, BalanceMovement, BalancePage};
use super::spreadsheets::STATEMENT;
use super::statement::{HistoryQuery, all_lines, read_lines, read_summary};
use crate::AppState;
use crate::edge::query::check_period;
use crate::edge::{CurrentBusiness, Json, ListQuery, Query, query};
use crate::problem::{Problem, Result};
use crate::spreadsheet::ResponseFormat;

/// The number of days of the period if no start is given.
const DAYS_DEFAULT: u64 = 30;
/// The most days from the start to the end: two years of 366 days.
const DAYS_MAX: i64 = 2 * 366;

/// List balance movements
///
/// Returns a page of movements of the available balance by the time of occurrence, newest first unless `order=asc`. The
/// balance runs in the order of occurrence. With `totals=1` it returns the balance instead. `next` continues in
/// constant time. A spreadsheet has all movements of the period.
#[utoipa::path(
    get, path = "/balance/history", tag = "balance",
    responses((status = 200, body = BalanceHistory))
)]
pub(crate) async fn list_balance_history(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<HistoryQuery>,
) -> Result<Response> {
    if query.totals {
        let summary = read_summary(&state, &query.filter(business.id), None).await?;
        return Ok(Json(BalanceHistory::Totals(summary)).into_response());
    }
    if let ResponseFormat::Spreadsheet(file) = format {
        let lines = all_lines::<BalanceMovement>(&state, query.filter(business.id));
        return file.respond(&STATEMENT, lines).await;
    }
    let (data, meta) = read_lines(&state, &query.filter(business.id), &query).await?;
    let meta = meta.in_zone(zone);
    Ok(Json(BalanceHistory::Movements(BalancePage { data, meta })).into_response())
}

/// List the balance by day
///
/// The balance at the end of each business date, by the time of occurrence. A past day can still change if an event of
/// that day is reported late. 30 days up to `end` if `start` is left out; two years at most. An `end` that is missing
/// or after today becomes today.
#[utoipa::path(get, path = "/balance/daily", tag = "balance", responses((status = 200, body = BalanceDays)))]
pub(crate) async fn list_balance_days(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<DailyQuery>,
) -> Result<Json<BalanceDays>> {
    let (start, end) = query.period(state.clock.today())?;
    let db = state.db().await?;
    let listed = days::list(&*db, business.id, start, end).await?;
    Ok(Json(BalanceDays {
        data: listed.into_iter().map(BalanceDay::from).collect(),
    }))
}

pub struct DailyQuery {
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
}

query! {
    impl FromQuery for DailyQuery with query {
        /// First business date, included.
        start: Option<NaiveDate>,
        /// Last business date, included.
        end: Option<NaiveDate>,
    } => {
        check_period(query, start, end);
        Self { start, end }
    }
}

impl DailyQuery {
    /// Fills in the defaults. An end after today becomes today.
    fn period(&self, today: NaiveDate) -> Result<(NaiveDate, NaiveDate)> {
        let end = self.end.unwrap_or(today).min(today);
        let start_default = || end.checked_sub_days(Days::new(DAYS_DEFAULT - 1)).unwrap_or(end);
        let start = self.start.unwrap_or_else(start_default);
        if (end - start).num_days() > DAYS_MAX {
            return Err(Problem::field("end", "O período pode ter até dois anos."));
        }
        Ok((start, end))
    }
}
