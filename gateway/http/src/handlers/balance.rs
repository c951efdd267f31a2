//! The company's balance: its totals, its movements, and the balance at the end of each day.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{Days, NaiveDate};
use futures::Stream;
use ledger_domain::BusinessId;
use projections::as_of::{AsOf, balance_as_of};
use projections::balance::balance_fetch;
use projections::statement::{
    self, StatementCursor, StatementFilter, StatementLine, statement_list, statement_list_after,
    statement_sums,
};
use projections::{Next, Order, TimeRange, balance_day};
use utoipa::IntoParams;

use crate::AppState;
use crate::edge::{CurrentBusiness, FromQuery, Json, ListQuery, Paging, Query, QueryReader};
use crate::handlers::sale_query::OrderParam;
use crate::problem::{Problem, Result};
use crate::spreadsheet::tables::STATEMENT;
use crate::spreadsheet::{FileParams, PAGE_ROWS, Wanted, Workbook, pages};
use crate::wire::balance::{
    BalanceByKind, BalanceDay, BalanceDays, BalanceHistory, BalanceMovement, BalancePage, BalanceSummary,
    BalanceTotals,
};
use crate::wire::page::PageMeta;

/// The length of the period if no start is given.
const DAYS_DEFAULT: u64 = 30;
/// The longest period of one request.
const DAYS_MAX: i64 = 2 * 366;

/// List balance movements
///
/// Returns a page of movements of the available balance by the time of occurrence, newest first unless `order=asc`.
/// Each movement's balance is the previous movement's balance plus its own amount. With `totals=1` it returns the
/// balance instead. `next` continues in constant time. A spreadsheet has all movements of the period.
#[utoipa::path(
    get, path = "/balance/history", tag = "balance", params(BusinessParam, HistoryParams, FileParams),
    responses((status = 200, content(
        (BalanceHistory = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_balance_history(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    ListQuery { query, zone }: ListQuery<HistoryQuery>,
) -> Result<Response> {
    if query.totals {
        let summary = read_summary(&state, &query.filter(business.id), None).await?;
        return Ok(Json(BalanceHistory::Totals(summary)).into_response());
    }
    if let Wanted::Spreadsheet(file) = wanted {
        let lines = all_lines::<BalanceMovement>(&state, query.filter(business.id));
        return file.of(&STATEMENT, lines).await;
    }
    let (data, meta) = read_lines(&state, &query.filter(business.id), &query).await?;
    let meta = meta.in_zone(zone);
    Ok(Json(BalanceHistory::Movements(BalancePage { data, meta })).into_response())
}

/// List the balance by day
///
/// The balance at the end of each business date, by the time of occurrence. A past day can still change if an event of
/// that day is reported late. The last 30 days if `start` is left out; two years at most; no day after today.
#[utoipa::path(get, path = "/balance/daily", tag = "balance", params(DailyParams), responses((status = 200, body = BalanceDays)))]
pub async fn list_balance_days(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<DailyQuery>,
) -> Result<Json<BalanceDays>> {
    let (start, end) = query.period(state.clock.today())?;
    let client = state.pool.get().await?;
    let days = balance_day::list(&**client, business.id, start, end).await?;
    Ok(Json(BalanceDays {
        data: days.into_iter().map(BalanceDay::from).collect(),
    }))
}

/// The current balance, or the balance as of an instant, and the sums of the filter's movements.
pub(super) async fn read_summary(
    state: &AppState,
    filter: &StatementFilter,
    as_of: Option<AsOf>,
) -> Result<BalanceSummary> {
    let client = state.pool.get().await?;
    let totals = match as_of {
        None => balance_fetch(&**client, filter.business_id).await?.into(),
        Some(as_of) => {
            let found = balance_as_of(&**client, filter.business_id, as_of).await?;
            BalanceTotals::from(found.accounts)
        }
    };
    let sums = statement_sums(&**client, filter).await?;
    Ok(BalanceSummary {
        totals: BalanceByKind::of(totals, &sums),
    })
}

pub(super) async fn read_lines<Line: From<StatementLine>>(
    state: &AppState,
    filter: &StatementFilter,
    query: &HistoryQuery,
) -> Result<(Vec<Line>, PageMeta)> {
    let client = state.pool.get().await?;
    let page = match query.next {
        Some(next) => statement_list_after(&**client, filter, next, query.paging.per_page).await?,
        None => statement_list(&**client, filter, query.paging.into()).await?,
    };
    let meta = PageMeta::of(&page, query.paging);
    Ok((page.rows.into_iter().map(Line::from).collect(), meta))
}

pub(super) fn all_lines<Line: From<StatementLine>>(
    state: &AppState,
    filter: StatementFilter,
) -> impl Stream<Item = Result<Vec<Line>>> + use<Line> {
    let state = state.clone();
    pages(move |after| {
        let state = state.clone();
        async move {
            let client = state.pool.get().await?;
            let batch = statement::export_page(&**client, &filter, after, PAGE_ROWS).await?;
            let lines = batch.rows.into_iter().map(Line::from).collect();
            Ok((lines, batch.next))
        }
    })
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the guard reads")]
pub struct BusinessParam {
    /// The company. May be left out if a header or a cookie names it, or if the user has only one company.
    business_id: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct HistoryParams {
    /// 1 returns the balance instead of its movements.
    #[param(minimum = 0, maximum = 1)]
    totals: Option<u8>,
    /// Start of the period, inclusive: a date in the time zone of the list, or an RFC 3339 instant.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// End of the period, inclusive, in the formats of `start`.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// IANA name of the time zone of the dates. Default: the user's zone, else the tenant's. Lists return the zone that
    /// was used in `meta.time_zone`.
    #[param(example = "America/Sao_Paulo")]
    time_zone: Option<String>,
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    /// The default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
    next: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct DailyParams {
    /// The company. May be left out if a header or a cookie names it, or if the user has only one company.
    business_id: Option<String>,
    /// First business date, included.
    start: Option<NaiveDate>,
    /// Last business date, included.
    end: Option<NaiveDate>,
}

pub struct HistoryQuery {
    pub totals: bool,
    range: TimeRange,
    order: Order,
    paging: Paging,
    next: Option<Next<StatementCursor>>,
}

impl HistoryQuery {
    /// Selects by the time of occurrence, with everything that is recorded by now.
    pub const fn filter(&self, business_id: BusinessId) -> StatementFilter {
        StatementFilter {
            range: self.range,
            order: self.order,
            ..StatementFilter::of(business_id)
        }
    }
}

impl FromQuery for HistoryQuery {
    fn read(query: &mut QueryReader) -> Self {
        let range = query.range();
        let order = query.order(Order::Desc);
        Self {
            totals: query.switch("totals"),
            range,
            order,
            paging: Paging::read(query),
            next: query.cursor(),
        }
    }
}

pub struct DailyQuery {
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
}

impl FromQuery for DailyQuery {
    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        Self { start, end }
    }
}

impl DailyQuery {
    /// Fills in the defaults. A `start` alone may be at most `DAYS_MAX` before today.
    fn period(&self, today: NaiveDate) -> Result<(NaiveDate, NaiveDate)> {
        let end = self.end.unwrap_or(today).min(today);
        let usual = || end.checked_sub_days(Days::new(DAYS_DEFAULT - 1)).unwrap_or(end);
        let start = self.start.unwrap_or_else(usual);
        if (end - start).num_days() > DAYS_MAX {
            return Err(Problem::field("end", "O período pode ter até dois anos."));
        }
        Ok((start, end))
    }
}
