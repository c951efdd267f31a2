//! What the lists of users share: the page by name, and the search text, which has the beginnings of words of the name
//! and of the e-mail, or of the whole e-mail or document.

use gateway_platform::list::PageSql;
use gateway_platform::word_search::{WordSearch, WordTable};

pub(super) const SELLER_WORDS: WordTable = WordTable {
    table: "seller_user_word",
    id: "seller_id",
    row: "u.id",
};

pub(super) const ADMIN_WORDS: WordTable = WordTable {
    table: "admin_user_word",
    id: "admin_id",
    row: "u.id",
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search(pub(super) WordSearch);

impl Search {
    /// `parse` refuses a longer text.
    pub const CHARACTERS_MAX: usize = WordSearch::CHARACTERS_MAX;

    pub fn parse(text: &str) -> Option<Self> {
        WordSearch::parse_with_emails(text).map(Self)
    }
}

/// A page of users. The inner query reads only the ids, so that the columns are computed for the page alone.
pub(super) fn page_of_users(table: &str, page: &PageSql<'_>) -> String {
    let PageSql {
        conditions,
        order,
        range,
        ..
    } = page;
    format!(
        "(SELECT u.id FROM {table} WHERE {conditions} ORDER BY {order} {range}) AS page
         JOIN {table} USING (id) ORDER BY {order}"
    )
}
