//! A company's accounts as of an instant, and its journal, for staff.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use futures::Stream;
use gateway_platform::companies::company_fetch;
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

/// Get a company's accounts as of an instant
///
/// With `axis=recorded`, counts the events that were recorded by then. With `axis=effective`, counts the events that
/// had happened by then, even if they were recorded later. Without `as_of`, the current balances. Amounts are in cents.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/balance", tag = "ledger",
    params(("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"), AsOfParams),
    responses(
        (status = 200, body = BalanceAsOf),
        (status = 404, description = "The company does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
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

/// List a company's journal entries
///
/// One entry for each posting, newest first unless `order=asc`. The postings of one event sum to zero. `axis` selects
/// the time of occurrence or of recording: it orders the entries, runs the balances and is compared with `start` and
/// `end`. With `as_of`, later entries are left out. `next` continues in constant time. A spreadsheet has all entries
/// that match the filter.
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
        (status = 404, description = "The company does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
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
    // An invalid id is a 404, like an unknown one.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let found = company_fetch(&**client, id).await?;
    found.map(|company| company.id).ok_or_else(Problem::not_found)
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct AsOfParams {
    /// UTC instant, inclusive. Later events are left out.
    #[param(example = "2026-11-21T14:03:11Z")]
    as_of: Option<DateTime<Utc>>,
    /// recorded: by the time of recording. effective: by the time of occurrence. Default: recorded for balances and
    /// with `as_of`, effective for lists without `as_of`.
    #[param(inline)]
    axis: Option<AxisParam>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct JournalParams {
    /// Only entries of this account.
    #[param(inline)]
    account: Option<AccountName>,
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

/// An instant and an axis of time. Both are optional.
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

    /// `None` if no instant is given.
    pub fn named(self) -> Option<AsOf> {
        let axis = self.axis();
        self.instant.map(|instant| AsOf { instant, axis })
    }

    /// The axis of a list. Without an instant it is the time of occurrence, as in a bank statement.
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
