//! Messages of sellers to the platform (Fale com a gente), and the answers of staff.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, execute, fetch, fetch_opt, insert, params, row, value};
use projections::SortOrder;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::list::{Conditions, List, Order};
use crate::word_search::{WordSearch, WordTable};

ledger_domain::words! {
    /// new: not answered. answered: staff have answered. closed: staff have closed it.
    pub enum ContactState {
        New = "new" => "Nova",
        Answered = "answered" => "Respondida",
        Closed = "closed" => "Encerrada",
    }
}

impl ContactState {
    /// Why staff cannot give a message this state. A message is `answered` only if it has an answer, and `new` only if it
    /// has none.
    pub const fn fault(self, has_answers: bool) -> Option<&'static str> {
        match self {
            Self::Answered if !has_answers => Some("Esta mensagem ainda não foi respondida."),
            Self::New if has_answers => Some("Esta mensagem já foi respondida."),
            Self::New | Self::Answered | Self::Closed => None,
        }
    }
}

row! {
    /// A message with the present names of its author and its company.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContactMessage {
        pub id: Uuid = "m.id",
        /// The number by which sellers and staff refer to the message.
        pub number: i64 = "m.number",
        pub seller: UserId = "m.seller_id",
        pub seller_name: String = "seller.name",
        pub seller_email: String = "seller.email",
        pub business_id: BusinessId = "m.business_id",
        pub business_name: String = "b.name",
        pub business_document: String = "b.document",
        /// Scheme and host of the panel on which it was written.
        pub panel_url: String = "m.panel_url",
        pub subject: String = "m.subject",
        pub body: String = "m.body",
        pub state: ContactState = "m.state",
        /// Counts the changes.
        pub version: i32 = "m.version",
        pub created_at: DateTime<Utc> = "m.created_at",
        pub updated_at: DateTime<Utc> = "m.updated_at",
    }
}

impl ContactMessage {
    /// What a user reads who saw an older version of the message: what another user did to it.
    pub fn changed_meanwhile(&self, has_answers: bool) -> String {
        let happened = match self.state {
            ContactState::Closed => "encerrou",
            ContactState::Answered if has_answers => "respondeu",
            ContactState::New | ContactState::Answered => "reabriu",
        };
        format!(
            "Outra pessoa {happened} esta mensagem enquanto você a via. Veja a conversa atual antes de continuar."
        )
    }
}

/// A message as its author wrote it.
pub struct NewContactMessage {
    pub id: Uuid,
    pub seller: UserId,
    pub business_id: BusinessId,
    pub panel_url: String,
    pub subject: String,
    pub body: String,
    pub created_at: DateTime<Utc>,
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContactAnswer in "contact_answer" {
        pub id: Uuid,
        pub message_id: Uuid,
        pub admin: UserId = "admin_id",
        pub body: String,
        pub created_at: DateTime<Utc>,
    }
}

/// Selects messages. A missing criterion does not restrict. Each of the filters by user, company and state has an index
/// in the order of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContactFilter {
    /// Only messages of this user, about companies to which the user has access now.
    pub seller: Option<UserId>,
    pub business_id: Option<BusinessId>,
    pub state: Option<ContactState>,
    pub search: Option<WordSearch>,
    pub order: SortOrder,
}

const WORDS: WordTable = WordTable {
    table: "contact_message_word",
    id: "message_id",
    row: "m.id",
};

impl List for ContactFilter {
    type Row = ContactMessage;
    const TABLE: &'static str = "contact_message m";
    const JOINS: &'static str =
        "JOIN seller_user seller ON seller.id = m.seller_id JOIN business b ON b.id = m.business_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        if let Some(seller) = &self.seller {
            let seller = list.parameter(seller);
            list.and(format!(
                "m.seller_id = {seller} AND EXISTS (
                     SELECT FROM business_access a WHERE a.seller_id = {seller} AND a.business_id = m.business_id)"
            ));
        }
        list.equals("m.business_id", &self.business_id);
        list.equals("m.state", &self.state);
        list.search(WORDS, self.search.as_ref());
    }

    fn order(&self) -> Order {
        Order::by(&["m.created_at", "m.id"], self.order)
    }
}

pub async fn contact_add(client: &impl GenericClient, new: &NewContactMessage) -> Result<(), Error> {
    let NewContactMessage {
        id,
        seller,
        business_id,
        panel_url,
        subject,
        body,
        created_at,
    } = new;
    let sql = "INSERT INTO contact_message
                   (id, seller_id, business_id, panel_url, subject, body, created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    let parameters = params![id, seller, business_id, panel_url, subject, body, created_at];
    execute(client, sql, parameters).await.map(drop)
}

pub async fn contact_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ContactMessage>, Error> {
    fetch_opt(client, &ContactFilter::select("WHERE m.id = $1"), params![id]).await
}

/// The message, locked until the end of the transaction.
pub async fn contact_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<ContactMessage>, Error> {
    let sql = ContactFilter::select("WHERE m.id = $1 FOR NO KEY UPDATE OF m");
    fetch_opt(client, &sql, params![id]).await
}

/// Whether the author may still read the answers: active, and with access to the company.
pub async fn contact_author_may_read(
    client: &impl GenericClient,
    message: &ContactMessage,
) -> Result<bool, Error> {
    let sql =
        "SELECT EXISTS (SELECT FROM business_access a JOIN seller_user u ON u.id = a.seller_id AND u.active
                               WHERE a.seller_id = $1 AND a.business_id = $2)";
    value(client, sql, params![message.seller, message.business_id]).await
}

/// Raises the version even if the state stays the same: an answer is a change too.
pub async fn contact_state_set(
    client: &impl GenericClient,
    id: Uuid,
    state: ContactState,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = "UPDATE contact_message
                  SET state = $2, version = version + 1, updated_at = greatest(updated_at, $3) WHERE id = $1";
    execute(client, sql, params![id, state, at]).await.map(drop)
}

/// Adds an answer, and sets the state of its message to `answered`.
pub async fn contact_answer_add(client: &impl GenericClient, new: &ContactAnswer) -> Result<(), Error> {
    insert(client, new).await?;
    contact_state_set(client, new.message_id, ContactState::Answered, new.created_at).await
}

/// The answers of the messages, oldest first.
pub async fn contact_answers(
    client: &impl GenericClient,
    messages: &[Uuid],
) -> Result<Vec<ContactAnswer>, Error> {
    let sql = format!(
        "SELECT {} FROM contact_answer WHERE message_id = ANY ($1) ORDER BY created_at, id",
        ContactAnswer::COLUMNS
    );
    fetch(client, &sql, params![messages]).await
}
