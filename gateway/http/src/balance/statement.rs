//! The statement and its totals, which both panels read.

use futures::Stream;
use ledger_domain::BusinessId;
use projections::balance::as_of::{AsOf, balance_as_of};
use projections::balance::balance_fetch;
use projections::balance::statement::{
    self, StatementCursor, StatementFilter, StatementLine, statement_list, statement_list_after,
    statement_sums,
};
use projections::{Next, SortOrder, TimeRange};

use super::bodies::balance::{BalanceByKind, BalanceSummary, BalanceTotals};
use crate::AppState;
use crate::edge::{Paging, query};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, pages};

/// The current balance, or the balance as of an instant, and the sums of the filter's movements.
pub(crate) async fn read_summary(
    state: &AppState,
    filter: &StatementFilter,
    as_of: Option<AsOf>,
) -> Result<BalanceSummary> {
    let db = state.db().await?;
    let totals = match as_of {
        None => balance_fetch(&*db, filter.business_id).await?.into(),
        Some(as_of) => {
            let found = balance_as_of(&*db, filter.business_id, as_of).await?;
            BalanceTotals::from(found.accounts)
        }
    };
    let sums = statement_sums(&*db, filter).await?;
    Ok(BalanceSummary {
        totals: BalanceByKind::of(totals, &sums),
    })
}

/// A page of the statement, for either panel's form of a line.
pub(crate) async fn read_lines<Line: From<StatementLine>>(
    state: &AppState,
    filter: &StatementFilter,
    query: &HistoryQuery,
) -> Result<(Vec<Line>, PageMeta)> {
    let db = state.db().await?;
    let page = match query.next {
        Some(next) => statement_list_after(&*db, filter, next, query.paging.per_page).await?,
        None => statement_list(&*db, filter, query.paging.into()).await?,
    };
    let meta = PageMeta::of(&page, query.paging);
    Ok((page.rows.into_iter().map(Line::from).collect(), meta))
}

/// All lines that match the filter, for a spreadsheet.
pub fn all_lines<Line: From<StatementLine>>(
    state: &AppState,
    filter: StatementFilter,
) -> impl Stream<Item = Result<Vec<Line>>> + use<Line> {
    let state = state.clone();
    pages(move |after| {
        let state = state.clone();
        async move {
            let db = state.db().await?;
            let batch = statement::export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let lines = batch.rows.into_iter().map(Line::from).collect();
            Ok((lines, batch.next))
        }
    })
}

query! {
    pub struct HistoryQuery {
        /// 1 returns the balance instead of its movements.
        totals: bool = false,
        range: ..TimeRange,
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
        /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
        next: Option<Next<StatementCursor>>,
        paging: ..Paging,
    }
}

impl HistoryQuery {
    /// Selects by the time of occurrence, among all movements that are recorded by now.
    pub const fn filter(&self, business_id: BusinessId) -> StatementFilter {
        StatementFilter {
            range: self.range,
            order: self.order,
            ..StatementFilter::of(business_id)
        }
    }
}
