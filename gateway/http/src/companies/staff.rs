//! Companies for staff: the search and one company.

use axum::extract::{Path, State};
use gateway_platform::companies::{companies_search, company_fetch};
use ledger_domain::BusinessId;
use utoipa::IntoParams;

use super::bodies::{BusinessDetail, BusinessOption, BusinessOptions};
use crate::AppState;
use crate::edge::{FromQuery, Json, Query, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};

/// A longer search text is a 422.
const SEARCH_CHARACTERS_MAX: usize = 120;

/// Search companies
///
/// Returns the first 50 companies, by name, whose name or document contains the text. For select fields.
#[utoipa::path(
    get, path = "/admin/businesses/list", tag = "businesses", params(SearchParams),
    responses(
        (status = 200, body = BusinessOptions),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_business_options(
    State(state): State<AppState>,
    Query(Search(text)): Query<Search>,
) -> Result<Json<BusinessOptions>> {
    let client = state.pool.get().await?;
    let found = companies_search(&**client, &text).await?;
    Ok(Json(BusinessOptions {
        data: found.into_iter().map(BusinessOption::from).collect(),
    }))
}

/// Get a company
#[utoipa::path(
    get, path = "/admin/businesses/{id}", tag = "businesses",
    params(("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")),
    responses(
        (status = 200, body = BusinessDetail),
        (status = 404, description = "The company does not exist", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_business(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<BusinessDetail>> {
    // An invalid id is a 404, like an unknown one.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let company = company_fetch(&**client, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(Json(company.into()))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SearchParams {
    /// Part of the name or of the document. Case, accents and masks are ignored.
    #[param(example = "padaria", max_length = 120)]
    search: Option<String>,
}

pub struct Search(String);

impl FromQuery for Search {
    fn read(query: &mut QueryReader) -> Self {
        let text = query.read_text("search", "Deve ter até 120 caracteres.", |text| {
            let validated =
                text.chars().count() <= SEARCH_CHARACTERS_MAX && !text.chars().any(char::is_control);
            validated.then(|| text.to_owned())
        });
        Self(text.unwrap_or_default())
    }
}
