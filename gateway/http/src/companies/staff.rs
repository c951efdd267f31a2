//! Companies for staff: the search and one company.

use gateway_platform::companies::{companies_search, company_fetch};
use ledger_domain::BusinessId;
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use super::bodies::{BusinessDetail, BusinessOption, BusinessOptions};
use crate::edge::{Db, FromQuery, Id, Json, Query, QueryReader};
use crate::openapi::params_of;
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

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct SearchParams {
    /// Part of the name or of the document. Case, accents and masks are ignored.
    #[param(example = "padaria", max_length = 120)]
    search: Option<String>,
}

pub struct Search(String);

impl FromQuery for Search {
    fn params() -> Vec<Parameter> {
        params_of::<SearchParams>()
    }

    fn read(query: &mut QueryReader) -> Self {
        let text = query.read_text("search", "Deve ter até 120 caracteres.", |text| {
            let validated =
                text.chars().count() <= SEARCH_CHARACTERS_MAX && !text.chars().any(char::is_control);
            validated.then(|| text.to_owned())
        });
        Self(text.unwrap_or_default())
    }
}
