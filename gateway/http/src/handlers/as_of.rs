//! A company's accounts as of an instant, and the journal behind them, as staff see them.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use futures::Stream;
use gateway_platform::back_office::company_fetch;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use projections::as_of::{AsOf, Axis, balance_as_of};
use projections::journal::{self, JournalCursor, JournalFilter, journal_list, journal_list_after};
use projections::{Next, Order, TimeRange};
use utoipa::IntoParams;

use super::sale_query::OrderParam;
use crate::AppState;
use crate::edge::{FromQuery, Json, ListQuery, Paging, Query, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};
use crate::spreadsheet::tables::JOURNAL;
use crate::spreadsheet::{FileParams, PAGE_ROWS, Wanted, Workbook, pages};
use crate::wire::as_of::{AccountName, Axis as AxisParam, BalanceAsOf, JournalEntry, JournalPage};
use crate::wire::page::PageMeta;

/// A company's accounts as of an instant
///
/// As they were known then (`recorded`), or as what had happened by then makes them (`effective`), however late it was
/// told. Now, where no instant is named.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/balance", tag = "ledger",
    params(("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"), AsOfParams),
    responses(
        (status = 200, body = BalanceAsOf),
        (status = 404, description = "No such company", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_balance_as_of(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(query): Query<AsOfQuery>,
) -> Result<Json<BalanceAsOf>> {
    let company = company(&state, &id).await?;
    let as_of = query.or_now(&state);
    let client = state.pool.get().await?;
    let found = balance_as_of(&**client, company, as_of).await?;
    Ok(Json(BalanceAsOf {
        as_of: as_of.instant,
        axis: as_of.axis.into(),
        sequence: found.sequence,
        balances: found.accounts.into(),
    }))
}

/// A company's journal
///
/// A row for each posting, newest first unless `order=asc`: the postings of one event add up to zero. The axis is their
/// order, the order in which the balances run, and what `start` and `end` are of. With an instant, up to it. `next` goes
/// on in constant time. A spreadsheet has all rows of the filter.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/journal", tag = "ledger",
    params(
        ("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"),
        JournalParams, AsOfParams, FileParams,
    ),
    responses(
        (status = 200, content(
            (JournalPage = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 404, description = "No such company", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "A value that cannot be taken, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_journal(
    State(state): State<AppState>,
    Path(id): Path<String>,
    wanted: Wanted,
    ListQuery { query, zone }: ListQuery<JournalQuery>,
) -> Result<Response> {
    let filter = JournalFilter {
        business_id: company(&state, &id).await?,
        account: query.account,
        axis: query.as_of.axis(),
        range: query.as_of.up_to(query.range),
        order: query.order,
    };
    if let Wanted::Spreadsheet(file) = wanted {
        return file.of(&JOURNAL, all_entries(state, filter)).await;
    }
    let client = state.pool.get().await?;
    let page = match query.next {
        Some(next) => journal_list_after(&**client, &filter, next, query.paging.per_page).await?,
        None => journal_list(&**client, &filter, query.paging.into()).await?,
    };
    let meta = PageMeta::of(&page, query.paging).in_zone(zone);
    let data = page.rows.into_iter().map(JournalEntry::from).collect();
    Ok(Json(JournalPage { data, meta }).into_response())
}

fn all_entries(state: AppState, filter: JournalFilter) -> impl Stream<Item = Result<Vec<JournalEntry>>> {
    pages(move |after| {
        let state = state.clone();
        async move {
            let client = state.pool.get().await?;
            let batch = journal::export_page(&**client, &filter, after, PAGE_ROWS).await?;
            let entries = batch.rows.into_iter().map(JournalEntry::from).collect();
            Ok((entries, batch.next))
        }
    })
}

async fn company(state: &AppState, id: &str) -> Result<BusinessId> {
    // What is no id names nothing.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let found = company_fetch(&**client, id).await?;
    found.map(|company| company.id).ok_or_else(Problem::not_found)
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct AsOfParams {
    /// Included.
    #[param(example = "2026-11-21T14:03:11Z")]
    as_of: Option<DateTime<Utc>>,
    /// By when things were recorded, or by when they happened (effective). Left out: recorded for an instant and for a
    /// balance, effective for a list without an instant.
    #[param(inline)]
    axis: Option<AxisParam>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct JournalParams {
    #[param(inline)]
    account: Option<AccountName>,
    /// A day of the list's zone, or an instant (RFC 3339); included.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// As `start`; included.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// Of the days, by its IANA name; else the person's, else the tenant's. The answer says which one.
    #[param(example = "America/Sao_Paulo")]
    time_zone: Option<String>,
    #[param(minimum = 1)]
    page: Option<u32>,
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor of an earlier answer's `meta.next`; `page` does not count then.
    next: Option<String>,
}

/// An instant and an axis of time; either may be left out.
#[derive(Debug, Clone, Copy)]
pub struct AsOfQuery {
    instant: Option<DateTime<Utc>>,
    axis: Option<Axis>,
}

impl AsOfQuery {
    pub fn or_now(self, state: &AppState) -> AsOf {
        let axis = self.axis.unwrap_or(Axis::Recorded);
        AsOf {
            instant: self.instant.unwrap_or_else(|| state.clock.now()),
            axis,
        }
    }

    /// The instant, where one is named.
    pub fn named(self) -> Option<AsOf> {
        let axis = self.axis();
        self.instant.map(|instant| AsOf { instant, axis })
    }

    /// Of a list. Without an instant it goes by when things happened, as a bank's statement does.
    pub fn axis(self) -> Axis {
        self.axis.unwrap_or(match self.instant {
            Some(_) => Axis::Recorded,
            None => Axis::Effective,
        })
    }

    pub fn up_to(self, range: TimeRange) -> TimeRange {
        self.instant.map_or(range, |instant| range.up_to(instant))
    }
}

impl FromQuery for AsOfQuery {
    fn read(query: &mut QueryReader) -> Self {
        let instant = query.read(
            "as_of",
            "Deve ser um instante no formato RFC 3339, como 2026-11-21T14:03:11Z.",
            |text| DateTime::parse_from_rfc3339(text).ok().map(DateTime::<Utc>::from),
        );
        let axis = query.read("axis", "Deve ser recorded ou effective.", |text| match text {
            "recorded" => Some(Axis::Recorded),
            "effective" => Some(Axis::Effective),
            _ => None,
        });
        Self { instant, axis }
    }
}

pub struct JournalQuery {
    account: Option<Account>,
    range: TimeRange,
    as_of: AsOfQuery,
    order: Order,
    paging: Paging,
    next: Option<Next<JournalCursor>>,
}

impl FromQuery for JournalQuery {
    fn read(query: &mut QueryReader) -> Self {
        let range = query.range();
        let account = query.read("account", "Deve ser uma conta do razão.", |text| {
            Account::ALL.into_iter().find(|account| account.as_str() == text)
        });
        Self {
            account,
            range,
            as_of: AsOfQuery::read(query),
            order: query.order(Order::Desc),
            paging: Paging::read(query),
            next: query.cursor(),
        }
    }
}
