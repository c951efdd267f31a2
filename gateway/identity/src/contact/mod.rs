//! Messages of sellers to the platform (Fale com a gente), and the answers of staff.

mod list;
mod records;

use chrono::{DateTime, Utc};
use gateway_platform::columns::ColumnValue;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use uuid::Uuid;

pub use list::{ContactCursor, ContactFilter, contact_batch, contact_list};
pub use records::{
    NewContactAnswer, NewContactMessage, contact_add, contact_answer_add, contact_answers,
    contact_author_may_read, contact_fetch, contact_locked, contact_state_set,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactState {
    New,
    Answered,
    Closed,
}

impl ContactState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Answered => "answered",
            Self::Closed => "closed",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::New, Self::Answered, Self::Closed]
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

impl ColumnValue for ContactState {
    const NAME: &'static str = "state of a message";
    type Stored<'a> = &'a str;

    fn of_column(word: &str) -> Option<Self> {
        Self::parse(word)
    }
}

/// A message with the present names of its author and its company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactMessage {
    pub id: Uuid,
    /// The number by which sellers and staff refer to the message.
    pub number: i64,
    pub seller: UserId,
    pub seller_name: String,
    pub seller_email: String,
    pub business_id: BusinessId,
    pub business_name: String,
    pub business_document: String,
    /// Scheme and host of the panel on which it was written.
    pub panel_url: String,
    pub subject: String,
    pub body: String,
    pub state: ContactState,
    /// Counts the changes.
    pub version: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactAnswer {
    pub id: Uuid,
    pub message_id: Uuid,
    pub admin: UserId,
    pub body: String,
    pub created_at: DateTime<Utc>,
}
