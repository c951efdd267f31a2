//! A company's accounts as of an instant, and the journal behind them, as staff see them.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, NaiveDate, Utc};
use futures::Stream;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use ledger_domain::calendar::Date;
use projections::Order;
use projections::as_of::{AsOf, Axis, balance_as_of};
use projections::journal::{self, JournalFilter, journal_list};
use utoipa::IntoParams;

use super::sale_query::OrderParam;
use crate::AppState;
use crate::back_office::company_fetch;
use crate::http::{FromQuery, Json, Paging, Query, QueryReader};
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
/// A row for each posting, newest first unless `order=asc`: the postings of one event add up to zero. With an instant,
/// as of then; by effective time, the balances are counted in the order in which things happened. A spreadsheet has
/// all rows of the filter.
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
    Query(query): Query<JournalQuery>,
) -> Result<Response> {
    let filter = JournalFilter {
        business_id: company(&state, &id).await?,
        account: query.account,
        start: query.start,
        end: query.end,
        as_of: query.as_of.named(&state),
        order: query.order,
    };
    if let Wanted::Spreadsheet(file) = wanted {
        return file.of(&JOURNAL, all_entries(state, filter)).await;
    }
    let client = state.pool.get().await?;
    let page = journal_list(&**client, &filter, query.paging.into()).await?;
    let meta = PageMeta::numbered(&page, query.paging);
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
    /// recorded (where left out) or effective.
    #[param(inline)]
    axis: Option<AxisParam>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct JournalParams {
    #[param(inline)]
    account: Option<AccountName>,
    /// First business date of what happened, included.
    start: Option<NaiveDate>,
    /// Last business date of what happened, included.
    end: Option<NaiveDate>,
    #[param(minimum = 1)]
    page: Option<u32>,
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    #[param(inline)]
    order: Option<OrderParam>,
}

/// An instant and an axis of time; either may be left out.
#[derive(Debug, Clone, Copy)]
pub struct AsOfQuery {
    instant: Option<DateTime<Utc>>,
    axis: Option<Axis>,
}

impl AsOfQuery {
    pub fn or_now(self, state: &AppState) -> AsOf {
        let axis = self.axis.unwrap_or_default();
        // Recording goes by the machine's time, whichever day the business takes for today.
        let now = || match axis {
            Axis::Recorded => Utc::now(),
            Axis::Effective => state.clock.now(),
        };
        AsOf {
            instant: self.instant.unwrap_or_else(now),
            axis,
        }
    }

    /// `None` where neither is named: all there is, as it was recorded.
    pub fn named(self, state: &AppState) -> Option<AsOf> {
        (self.instant.is_some() || self.axis.is_some()).then(|| self.or_now(state))
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
    start: Option<Date>,
    end: Option<Date>,
    as_of: AsOfQuery,
    order: Order,
    paging: Paging,
}

impl FromQuery for JournalQuery {
    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        let account = query.read("account", "Deve ser uma conta do razão.", |text| {
            Account::ALL.into_iter().find(|account| account.as_str() == text)
        });
        Self {
            account,
            start,
            end,
            as_of: AsOfQuery::read(query),
            order: query.order(Order::Desc),
            paging: Paging::read(query),
        }
    }
}
