//! The table `mail`: adds a row, reads a claimed one, and counts the waiting ones.

use chrono::{DateTime, Utc};
use gateway_outbox::{QueueStats, Unreadable};
use gateway_platform::outboxes::EMAILS;
use ledger_domain::ids::UserId;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::outbox::GIVEN_UP_AFTER;
use super::{EmailKind, Facts, OutboxEmail};
use crate::audience::Audience;

/// An e-mail as its row of `mail` describes it, before its texts are composed.
#[derive(Debug, Clone)]
pub struct StoredEmail {
    pub kind: EmailKind,
    pub audience: Audience,
    pub user: Option<UserId>,
    /// Empty for buyers.
    pub recipient: String,
    pub panel_url: String,
    pub facts: Facts,
    pub created_at: DateTime<Utc>,
}

/// Always one statement, so that the response time does not reveal whether a user has the address.
pub(super) async fn add(
    client: &impl GenericClient,
    id: Uuid,
    outbox_email: &OutboxEmail<'_>,
) -> Result<(), Error> {
    let user = outbox_email.user.map(UserId::uuid);
    client
        .execute_typed(
            "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&id, Type::UUID),
                (&outbox_email.kind.as_str(), Type::TEXT),
                (&outbox_email.audience.as_str(), Type::TEXT),
                (&user, Type::UUID),
                (&outbox_email.recipient, Type::TEXT),
                (&outbox_email.panel_url, Type::TEXT),
                (&Json(&outbox_email.facts), Type::JSON),
            ],
        )
        .await
        .map(drop)
}

pub(super) fn read(row: &Row) -> Result<StoredEmail, Unreadable> {
    let unreadable = |column| Unreadable {
        column,
        business_id: None,
    };
    let kind = EmailKind::of_column(row.get("kind")).ok_or_else(|| unreadable("kind"))?;
    let Json(facts): Json<Facts> = row.try_get("facts").map_err(|_| unreadable("facts"))?;
    Ok(StoredEmail {
        kind,
        audience: Audience::parse(row.get("audience")).map_err(|_| unreadable("audience"))?,
        user: row.get::<_, Option<Uuid>>("user_id").map(UserId::from_uuid),
        recipient: row.get("recipient"),
        panel_url: row.get("panel_url"),
        facts,
        created_at: row.get("created_at"),
    })
}

/// Counts the waiting e-mails for operators. `late` counts only those that should have been given up. Staff see e-mails
/// that wait for 15 minutes (`emails_late_list`).
pub async fn queue_stats(client: &impl GenericClient) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &EMAILS, GIVEN_UP_AFTER).await
}
