//! Schemas of values that crates without HTTP serialize: the document names them, and nothing else uses these types.

use utoipa::ToSchema;

/// By its name in the IANA database.
#[derive(ToSchema)]
#[schema(as = TimeZone, value_type = String, example = "America/Sao_Paulo")]
pub struct TimeZoneSchema(pub String);

// As `gateway_identity::people::Theme` serializes. A doc comment would be a description in the document.
#[derive(ToSchema)]
#[schema(as = Theme, rename_all = "lowercase")]
pub enum ThemeSchema {
    Light,
    Dark,
}
