//! The statement and its totals, which both panels read.

use futures::Stream;
use ledger_domain::BusinessId;
use projections::as_of::{AsOf, balance_as_of};
use projections::balance::balance_fetch;
use projections::statement::{
    self, StatementCursor, StatementFilter, StatementLine, statement_list, statement_list_after,
    statement_sums,
};
use projections::{Next, Order, TimeRange};
use utoipa::IntoParams;

use super::bodies::balance::{BalanceByKind, BalanceSummary, BalanceTotals};
use crate::AppState;
use crate::edge::{FromQuery, Paging, QueryReader};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::shared::params::OrderParam;
use crate::spreadsheet::{PAGE_ROWS, pages};

/// The current balance, or the balance as of an instant, and the sums of the filter's movements.
pub async fn read_summary(
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

pub async fn read_lines<Line: From<StatementLine>>(
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

pub fn all_lines<Line: From<StatementLine>>(
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
