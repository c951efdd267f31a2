//! Query parameters that several subjects document.

/// The sort order of a list.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub enum OrderParam {
    Asc,
    Desc,
}
