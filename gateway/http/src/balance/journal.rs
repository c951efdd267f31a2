//! A company's journal, for staff.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use projections::journal::{self, JournalCursor, JournalFilter, journal_list, journal_list_after};
use projections::{Next, Order, TimeRange};
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use super::as_of::{AsOfQuery, existing_company};
use super::bodies::journal::{AccountName, JournalEntry, JournalPage};
use super::spreadsheets::JOURNAL;
use crate::AppState;
use crate::edge::{FromQuery, Id, Json, ListQuery, Paging, QueryReader};
use crate::openapi::params_of;
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::shared::params::OrderParam;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List a company's journal entries
///
/// One entry for each posting, newest first unless `order=asc`. The postings of one event sum to zero. `axis` selects
/// the time of occurrence or of recording: it orders the entries, runs the balances and is compared with `start` and
/// `end`. With `as_of`, later entries are left out. `next` continues in constant time. A spreadsheet has all entries
/// that match the filter.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/journal", tag = "ledger",
    responses((status = 200, body = JournalPage))
)]
pub async fn list_journal(
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

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct JournalParams {
    /// Only entries of this account.
    #[param(inline)]
    account: Option<AccountName>,
    /// Start of the period, inclusive: a date in the time zone of the list, or an RFC 3339 instant.
    #[param(example = "2026-11-01")]
    start: Option<String>,
    /// End of the period, inclusive, in the formats of `start`.
    #[param(example = "2026-11-21T14:03:11Z")]
    end: Option<String>,
    /// The default is desc.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
    next: Option<String>,
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
    fn params() -> Vec<Parameter> {
        [
            params_of::<JournalParams>(),
            AsOfQuery::params(),
            Paging::params(),
        ]
        .concat()
    }

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
