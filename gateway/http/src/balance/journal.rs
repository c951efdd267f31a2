//! A company's journal, for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use projections::balance::journal::{self, JournalCursor, JournalFilter, journal_list, journal_list_after};
use projections::{Next, SortOrder, TimeRange};
use utoipa::openapi::{RefOr, Schema};

use super::as_of::{AsOfQuery, existing_company};
use super::bodies::journal::{JournalEntry, JournalPage};
use super::spreadsheets::JOURNAL;
use crate::AppState;
use crate::edge::query::words;
use crate::edge::{Id, Json, ListQuery, Paging, QueryValue, query};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List a company's journal entries
///
/// One entry for each account that an event changes, newest first unless `order=asc`. The entries of one event sum to
/// zero. `axis` selects the time of occurrence or of recording. The entries are in the order of that time, the balances
/// run in this order, and `start` and `end` are compared with it. With `as_of`, later entries are left out. `next`
/// continues in constant time. A spreadsheet has all entries that match the filter.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/journal", tag = "ledger",
    responses((status = 200, body = JournalPage))
)]
pub(crate) async fn list_journal(
    State(state): State<AppState>,
    Id(id): Id<BusinessId>,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<JournalQuery>,
) -> Result<Response> {
    let filter = JournalFilter {
        business_id: existing_company(&state, id).await?,
        account: query.account,
        axis: query.as_of.axis(),
        range: query.as_of.up_to(query.range),
        order: query.order,
    };
    if let ResponseFormat::Spreadsheet(file) = format {
        return file.respond(&JOURNAL, all_entries(state, filter)).await;
    }
    let db = state.db().await?;
    let page = match query.next {
        Some(next) => journal_list_after(&*db, &filter, next, query.paging.per_page).await?,
        None => journal_list(&*db, &filter, query.paging.into()).await?,
    };
    let meta = PageMeta::of(&page, query.paging).in_zone(zone);
    let data = page.rows.into_iter().map(JournalEntry::from).collect();
    Ok(Json(JournalPage { data, meta }).into_response())
}

fn all_entries(state: AppState, filter: JournalFilter) -> impl Stream<Item = Result<Vec<JournalEntry>>> {
    pages(move |after| {
        let state = state.clone();
        async move {
            let db = state.db().await?;
            let batch = journal::export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let entries = batch.rows.into_iter().map(JournalEntry::from).collect();
            Ok((entries, batch.next))
        }
    })
}

query! {
    pub struct JournalQuery {
        /// Only entries of this account.
        account: Option<Account>,
        range: ..TimeRange,
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
        /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
        next: Option<Next<JournalCursor>>,
        as_of: ..AsOfQuery,
        paging: ..Paging,
    }
}

impl QueryValue for Account {
    const INVALID: &'static str = "Deve ser uma conta do razão.";

    fn schema() -> RefOr<Schema> {
        words(Self::ALL.map(Self::as_str)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|account| account.as_str() == text)
    }
}
