//! The query parameter of searches by the beginnings of words.

use gateway_platform::word_search::WordSearch;
use utoipa::openapi::{RefOr, Schema};

use crate::edge::QueryValue;
use crate::edge::query::text;

impl QueryValue for WordSearch {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(Self::CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
