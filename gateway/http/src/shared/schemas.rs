//! OpenAPI schemas for types of crates without HTTP.

use utoipa::ToSchema;

/// An IANA time zone name.
#[derive(ToSchema)]
#[schema(as = TimeZone, value_type = String, example = "America/Sao_Paulo")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub struct TimeZoneSchema(pub String);

/// An enum of strings in JSON. `tt` and not `literal`: the derive of `ToSchema` does not look into the group that wraps
/// a literal.
macro_rules! string_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:tt,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)+
        }
    };
}
pub(crate) use string_enum;

/// The schema of an enum that is a number in JSON. The domain has the values.
macro_rules! number_schema {
    ($schema:ident, $name:literal, $description:literal, [$($number:literal),+]) => {
        pub struct $schema;

        impl utoipa::PartialSchema for $schema {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::Integer)
                    .description(Some($description))
                    .enum_values(Some([$($number),+]))
                    .into()
            }
        }

        impl utoipa::ToSchema for $schema {
            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }
        }
    };
}
pub(crate) use number_schema;
