//! The query parameters that all lists of users share.

use gateway_identity::users::Search;
use projections::Order;
use utoipa::ToSchema;

use crate::edge::QueryReader;

#[derive(ToSchema)]
#[schema(as = NameOrder)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what `QueryReader::order` reads")]
pub enum NameOrderParam {
    Asc,
    Desc,
}

/// Searches in the name, the e-mail and the document.
pub fn search(query: &mut QueryReader) -> Option<Search> {
    query.read_text("search", "Deve ter até 120 caracteres.", Search::parse)
}

/// `None` selects active and inactive users.
pub fn active(query: &mut QueryReader) -> Option<bool> {
    query.read("active", "Deve ser 0 ou 1.", |text| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })
}

/// Comma-separated. An empty list selects all roles.
pub fn roles<Role>(
    query: &mut QueryReader,
    message: &str,
    parse: impl Fn(&str) -> Option<Role>,
) -> Vec<Role> {
    let read = query.read("roles", message, |text| {
        text.split(',').map(|name| parse(name.trim())).collect()
    });
    read.unwrap_or_default()
}

/// The order by name.
pub fn order(query: &mut QueryReader) -> Order {
    query.order(Order::Asc)
}
