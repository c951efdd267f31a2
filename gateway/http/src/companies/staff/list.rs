//! The list of companies for staff, and its filters.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_platform::companies::{Approval, CompanyFilter, CompanySort, company_batch, company_list};
use gateway_platform::word_search::WordSearch;
use projections::SortOrder;

use crate::AppState;
use crate::companies::bodies::BusinessType;
use crate::companies::bodies::list::{BusinessPage, BusinessRow};
use crate::companies::spreadsheets::COMPANIES;
use crate::edge::query::QueryWord;
use crate::edge::{Json, Paging, Query, query};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List companies
///
/// The newest first, unless `sort` or `order` says otherwise. A spreadsheet has all companies that match the filter.
#[utoipa::path(
    get, path = "/admin/businesses", tag = "businesses",
    responses((status = 200, body = BusinessPage))
)]
pub(crate) async fn list_businesses(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(CompanyQuery { filter, paging }): Query<CompanyQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let page = company_list(&*state.db().await?, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = page.rows.into_iter().map(BusinessRow::from).collect();
            Ok(Json(BusinessPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&COMPANIES, all_companies(state, filter)).await,
    }
}

fn all_companies(state: AppState, filter: CompanyFilter) -> impl Stream<Item = Result<Vec<BusinessRow>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let batch = company_batch(&*state.db().await?, &filter, after, PAGE_ROWS).await?;
            let rows = batch.rows.into_iter().map(BusinessRow::from).collect();
            Ok((rows, batch.next))
        }
    })
}

pub struct CompanyQuery {
    filter: CompanyFilter,
    paging: Paging,
}

query! {
    impl FromQuery for CompanyQuery {
        /// The beginnings of words of the names, or the beginning of the document. Case, accents and masks are ignored.
        #[example = "padaria"]
        search: Option<WordSearch>,
        /// Only companies with this state of approval.
        #[example = "enabled"]
        status: Option<Approval>,
        /// PF or PJ.
        #[name = "type"]
        #[example = "PJ"]
        business_type: Option<BusinessType>,
        /// The default is created_at.
        sort: CompanySort = CompanySort::CreatedAt,
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => Self {
        filter: CompanyFilter {
            search,
            approval: status,
            is_person: business_type.map(|business_type| matches!(business_type, BusinessType::Pf)),
            sort,
            order,
        },
        paging,
    }
}

impl QueryWord for Approval {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("pending", Self::Pending),
        ("enabled", Self::Enabled),
        ("denied", Self::Denied),
        ("deleted", Self::Deleted),
    ];
    const INVALID: &'static str = "Deve ser pending, enabled, denied ou deleted.";
}

impl QueryWord for BusinessType {
    const WORDS: &'static [(&'static str, Self)] = &[("PF", Self::Pf), ("PJ", Self::Pj)];
    const INVALID: &'static str = "Deve ser PF ou PJ.";
}

impl QueryWord for CompanySort {
    const WORDS: &'static [(&'static str, Self)] = &[("created_at", Self::CreatedAt), ("name", Self::Name)];
    const INVALID: &'static str = "Deve ser created_at ou name.";
}
