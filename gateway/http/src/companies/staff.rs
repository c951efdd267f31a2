//! Companies for staff: the search and one company.

use gateway_platform::companies::{companies_search, company_fetch};
use ledger_domain::BusinessId;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::{BusinessDetail, BusinessOption, BusinessOptions};
use crate::edge::query::text;
use crate::edge::{Db, Id, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};

/// A longer search text is a 422.
const SEARCH_CHARACTERS_MAX: usize = 120;

/// Search companies
///
/// Returns the first 50 companies, by name, whose name or document contains the text. For select fields.
#[utoipa::path(
    get, path = "/admin/businesses/list", tag = "businesses",
    responses((status = 200, body = BusinessOptions))
)]
pub async fn list_business_options(
    Query(Search(text)): Query<Search>,
    db: Db,
) -> Result<Json<BusinessOptions>> {
    let found = companies_search(&*db, &text).await?;
    Ok(Json(BusinessOptions {
        data: found.into_iter().map(BusinessOption::from).collect(),
    }))
}

/// Get a company
#[utoipa::path(
    get, path = "/admin/businesses/{id}", tag = "businesses",
    responses((status = 200, body = BusinessDetail))
)]
pub async fn get_business(Id(id): Id<BusinessId>, db: Db) -> Result<Json<BusinessDetail>> {
    let company = company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    Ok(Json(company.into()))
}

pub struct Search(String);

query! {
    impl FromQuery for Search {
        /// Part of the name or of the document. Case, accents and masks are ignored.
        #[example = "padaria"]
        search: Option<SearchText>,
    } => Self(search.map_or_else(String::new, |SearchText(text)| text))
}

/// A text that a list is searched for.
pub struct SearchText(pub String);

impl QueryValue for SearchText {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(SEARCH_CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        let validated = text.chars().count() <= SEARCH_CHARACTERS_MAX && !text.chars().any(char::is_control);
        validated.then(|| Self(text.to_owned()))
    }
}
