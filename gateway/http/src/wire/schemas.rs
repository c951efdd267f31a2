//! OpenAPI schemas for types of crates without HTTP. Only the OpenAPI document uses these types.

use utoipa::ToSchema;

/// An IANA time zone name.
#[derive(ToSchema)]
#[schema(as = TimeZone, value_type = String, example = "America/Sao_Paulo")]
pub struct TimeZoneSchema(pub String);

// Matches the serialization of `gateway_identity::users::Theme`. Not a doc comment, which would become a description
// in the document.
#[derive(ToSchema)]
#[schema(as = Theme, rename_all = "lowercase")]
pub enum ThemeSchema {
    Light,
    Dark,
}
