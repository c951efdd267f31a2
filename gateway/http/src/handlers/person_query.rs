//! What the lists of people have in common: how somebody is looked for.

use gateway_identity::people::Search;
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

/// Part of the name, of the e-mail or of the document.
pub fn search(query: &mut QueryReader) -> Option<Search> {
    query.read_text("search", "Deve ter até 120 caracteres.", Search::parse)
}

/// Both where left out.
pub fn active(query: &mut QueryReader) -> Option<bool> {
    query.read("active", "Deve ser 0 ou 1.", |text| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })
}

/// Several, by commas; all where left out.
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

/// By name.
pub fn order(query: &mut QueryReader) -> Order {
    query.order(Order::Asc)
}
