//! The schemas of query parameters.

use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

pub fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

pub fn words(words: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    text().enum_values(Some(words))
}

pub fn integer(minimum: u32, maximum: u32) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(minimum))
        .maximum(Some(maximum))
        .into()
}

/// The numbers of an enum, without a gap.
pub fn numbered(numbers: impl IntoIterator<Item = u8>) -> RefOr<Schema> {
    let numbers: Vec<u32> = numbers.into_iter().map(u32::from).collect();
    let (first, last) = (numbers.iter().min(), numbers.iter().max());
    integer(
        first.copied().unwrap_or_default(),
        last.copied().unwrap_or_default(),
    )
}

pub fn formatted(format: KnownFormat) -> RefOr<Schema> {
    text().format(Some(SchemaFormat::KnownFormat(format))).into()
}

/// Ids have one format only: their prefix and 36 hyphenated characters.
pub fn id(prefix: &str) -> RefOr<Schema> {
    text().pattern(Some(id_pattern(prefix))).into()
}

/// A list of the words, separated by commas.
pub fn comma_separated(words: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    let one = words.into_iter().collect::<Vec<_>>().join("|");
    text().pattern(Some(format!("^({one})(,({one}))*$"))).into()
}

pub fn id_pattern(prefix: &str) -> String {
    format!("^{prefix}_[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}$")
}
