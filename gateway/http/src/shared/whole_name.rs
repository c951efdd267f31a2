//! The name of a payment or of a payout, by which a list finds rows.

use utoipa::openapi::{RefOr, Schema};

use crate::edge::QueryValue;
use crate::edge::query::text;

/// The whole name. An unknown one matches no row.
pub struct WholeName(pub String);

impl WholeName {
    /// What the panels' fields of a search take. No name is as long.
    const LENGTH_MAX: usize = 120;
}

impl QueryValue for WholeName {
    const INVALID: &'static str = "Deve ter de 1 a 120 caracteres.";

    fn schema() -> RefOr<Schema> {
        text()
            .min_length(Some(1))
            .max_length(Some(Self::LENGTH_MAX))
            .into()
    }

    fn parse(text: &str) -> Option<Self> {
        let name = text.trim();
        (1..=Self::LENGTH_MAX)
            .contains(&name.chars().count())
            .then(|| Self(name.to_owned()))
    }
}
