//! Adds and reads the messages of sellers and the answers of staff, and sets the state of a message.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::{ContactAnswer, ContactMessage, ContactState};

pub struct NewContactMessage<'a> {
    pub id: Uuid,
    pub seller: UserId,
    pub business_id: BusinessId,
    /// Scheme and host of the panel on which it was written.
    pub panel_url: &'a str,
    pub subject: &'a str,
    pub body: &'a str,
    pub created_at: DateTime<Utc>,
}

pub struct NewContactAnswer<'a> {
    pub id: Uuid,
    pub message_id: Uuid,
    pub admin: UserId,
    pub body: &'a str,
    pub created_at: DateTime<Utc>,
}

macro_rules! columns {
    () => {
        "m.id, m.number, m.seller_id, seller.name, seller.email, m.business_id, b.name, b.document, m.panel_url,
         m.subject, m.body, m.state, m.version, m.created_at, m.updated_at"
    };
}
macro_rules! tables {
    () => {
        "contact_message m
           JOIN seller_user seller ON seller.id = m.seller_id
           JOIN business b ON b.id = m.business_id"
    };
}
pub(super) use {columns, tables};

/// Returns the number of the message.
pub async fn contact_add(client: &impl GenericClient, new: &NewContactMessage<'_>) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "INSERT INTO contact_message
                 (id, seller_id, business_id, panel_url, subject, body, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING number",
            &[
                (&new.id, Type::UUID),
                (&new.seller.uuid(), Type::UUID),
                (&new.business_id.uuid(), Type::UUID),
                (&new.panel_url, Type::TEXT),
                (&new.subject, Type::TEXT),
                (&new.body, Type::TEXT),
                (&new.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(row.get(0))
}

pub async fn contact_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ContactMessage>, Error> {
    let row = client
        .query_typed_opt(
            concat!("SELECT ", columns!(), " FROM ", tables!(), " WHERE m.id = $1"),
            &[(&id, Type::UUID)],
        )
        .await?;
    row.as_ref().map(message).transpose()
}

/// The message, locked until the end of the transaction.
pub async fn contact_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<ContactMessage>, Error> {
    let row = client
        .query_typed_opt(
            concat!(
                "SELECT ",
                columns!(),
                " FROM ",
                tables!(),
                " WHERE m.id = $1 FOR NO KEY UPDATE OF m"
            ),
            &[(&id, Type::UUID)],
        )
        .await?;
    row.as_ref().map(message).transpose()
}

/// Whether the author may still read the answers: active, and with access to the company.
pub async fn contact_author_may_read(
    client: &impl GenericClient,
    message: &ContactMessage,
) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM business_access a JOIN seller_user u ON u.id = a.seller_id AND u.active
                             WHERE a.seller_id = $1 AND a.business_id = $2)",
            &[
                (&message.seller.uuid(), Type::UUID),
                (&message.business_id.uuid(), Type::UUID),
            ],
        )
        .await?;
    Ok(row.get(0))
}

/// Raises the version even if the state stays the same: an answer is a change too.
pub async fn contact_state_set(
    client: &impl GenericClient,
    id: Uuid,
    state: ContactState,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE contact_message
                SET state = $2, version = version + 1, updated_at = greatest(updated_at, $3) WHERE id = $1",
            &[
                (&id, Type::UUID),
                (&state.as_str(), Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

pub async fn contact_answer_add(
    client: &impl GenericClient,
    new: &NewContactAnswer<'_>,
) -> Result<(), Error> {
    client
        .query_typed(
            "INSERT INTO contact_answer (id, message_id, admin_id, body, created_at) VALUES ($1, $2, $3, $4, $5)",
            &[
                (&new.id, Type::UUID),
                (&new.message_id, Type::UUID),
                (&new.admin.uuid(), Type::UUID),
                (&new.body, Type::TEXT),
                (&new.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// The answers of the messages, oldest first.
pub async fn contact_answers(
    client: &impl GenericClient,
    messages: &[Uuid],
) -> Result<Vec<ContactAnswer>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, message_id, admin_id, body, created_at FROM contact_answer
              WHERE message_id = ANY ($1) ORDER BY created_at, id",
            &[(&messages, Type::UUID_ARRAY)],
        )
        .await?;
    let answers = rows.iter().map(|row| ContactAnswer {
        id: row.get(0),
        message_id: row.get(1),
        admin: UserId::from_uuid(row.get(2)),
        body: row.get(3),
        created_at: row.get(4),
    });
    Ok(answers.collect())
}

pub(super) fn message(row: &Row) -> Result<ContactMessage, Error> {
    Ok(ContactMessage {
        id: row.get(0),
        number: row.get(1),
        seller: UserId::from_uuid(row.get(2)),
        seller_name: row.get(3),
        seller_email: row.get(4),
        business_id: BusinessId::from_uuid(row.get(5)),
        business_name: row.get(6),
        business_document: row.get(7),
        panel_url: row.get(8),
        subject: row.get(9),
        body: row.get(10),
        state: gateway_platform::columns::read(row, 11)?,
        version: row.get(12),
        created_at: row.get(13),
        updated_at: row.get(14),
    })
}
