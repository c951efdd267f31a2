//! Query parameters that several subjects document.

use utoipa::IntoParams;

/// The sort order of a list.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub enum OrderParam {
    Asc,
    Desc,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the guard reads")]
pub struct BusinessParam {
    /// The company. May be left out if a header or a cookie names it, or if the user has only one company.
    business_id: Option<String>,
}

#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `Paging` reads")]
pub struct PagingParams {
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}
