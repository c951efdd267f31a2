//! The query parameters of staff's list of messages, and the id in a path.

use gateway_identity::contact::{ContactFilter, ContactState};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use projections::SortOrder;
use uuid::Uuid;

use crate::edge::query::QueryWord;
use crate::edge::{Paging, PathParam, query};

pub struct ContactQuery {
    pub filter: ContactFilter,
    pub paging: Paging,
}

query! {
    impl FromQuery for ContactQuery {
        /// The beginnings of words of the number, the subject, the company, its document, and the user's name or
        /// e-mail. Case, accents and masks are ignored.
        #[example = "repasse"]
        search: Option<WordSearch>,
        /// Only messages in this state.
        #[example = "new"]
        state: Option<ContactState>,
        /// Only messages about this company.
        business_id: Option<BusinessId>,
        /// The order of arrival; the default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => Self {
        filter: ContactFilter {
            seller: None,
            business_id,
            state,
            search,
            order,
        },
        paging,
    }
}

impl QueryWord for ContactState {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("new", Self::New),
        ("answered", Self::Answered),
        ("closed", Self::Closed),
    ];
    const INVALID: &'static str = "Deve ser new, answered ou closed.";
}

/// The id of a message in a path.
pub struct MessageId(pub Uuid);

impl PathParam for MessageId {
    const NOUN: &'static str = "message";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b10";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}
