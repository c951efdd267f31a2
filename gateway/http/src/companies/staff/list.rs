//! The list of companies for staff, its filters, and the search for select fields.

use axum::response::Response;
use gateway_platform::companies::{Approval, BusinessType, CompanyFilter, CompanySort};
use gateway_platform::list::list_page;
use gateway_platform::word_search::WordSearch;
use projections::{Paging, SortOrder};

use crate::companies::bodies::list::{BusinessPage, BusinessRow, COMPANIES};
use crate::companies::bodies::{BusinessOption, BusinessOptions};
use crate::edge::{Db, Json, Query, query};
use crate::problem::Result;
use crate::shared::list::Listing;

/// The number of results that a select shows. A longer search text finds the others.
const OPTIONS: Paging = Paging {
    page: 1,
    per_page: 50,
};

query! {
    impl FromQuery for CompanyFilter {
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
    } => Self { search, approval: status, business_type, sort, order }
}

/// List companies
///
/// The newest first, unless `sort` or `order` says otherwise. A spreadsheet has all companies that match the filter.
#[utoipa::path(
    get, path = "/admin/businesses", tag = "businesses",
    responses((status = 200, body = BusinessPage))
)]
pub(crate) async fn list_businesses(list: Listing<CompanyFilter>) -> Result<Response> {
    list.respond::<BusinessRow>(&COMPANIES).await
}

/// Search companies
///
/// Returns the first 50 companies, by name, with words that begin with the words of the text, or with a document that
/// begins with it. For select fields.
#[utoipa::path(
    get, path = "/admin/businesses/list", tag = "businesses",
    responses((status = 200, body = BusinessOptions))
)]
pub(crate) async fn list_business_options(
    Query(Search(search)): Query<Search>,
    db: Db,
) -> Result<Json<BusinessOptions>> {
    let filter = CompanyFilter {
        search,
        sort: CompanySort::Name,
        order: SortOrder::Asc,
        ..CompanyFilter::default()
    };
    let found = list_page(&*db, &filter, OPTIONS).await?.rows;
    Ok(Json(BusinessOptions {
        data: found.into_iter().map(BusinessOption::from).collect(),
    }))
}

pub struct Search(Option<WordSearch>);

query! {
    impl FromQuery for Search {
        /// The beginnings of words of the names, or the beginning of the document. Case, accents and masks are ignored.
        #[example = "padaria"]
        search: Option<WordSearch>,
    } => Self(search)
}
