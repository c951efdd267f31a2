//! The search for companies, for select fields.

use gateway_platform::companies::{CompanyFilter, CompanySort, company_list};
use gateway_platform::word_search::WordSearch;
use projections::{Paging, SortOrder};

use crate::companies::bodies::{BusinessOption, BusinessOptions};
use crate::edge::{Db, Json, Query, query};
use crate::problem::Result;

/// The number of results that a select shows. A longer search text finds the others.
const RESULTS: Paging = Paging {
    page: 1,
    per_page: 50,
};

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
    let found = company_list(&*db, &filter, RESULTS).await?.rows;
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
