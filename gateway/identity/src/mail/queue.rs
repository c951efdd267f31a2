//! The table of e-mails: adds one, and reads a claimed one.

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

/// An e-mail as its row orders it.
#[derive(Debug, Clone)]
pub struct EmailOrder {
    pub kind: EmailKind,
    pub audience: Audience,
    pub user: Option<UserId>,
    pub recipient: String,
    pub panel_url: String,
    pub facts: Facts,
    pub created_at: DateTime<Utc>,
}

/// Always one statement, so that its time does not reveal whether a user has the address.
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

pub(super) fn read(row: &Row) -> Result<EmailOrder, Unreadable> {
    let unreadable = |column| Unreadable {
        column,
        business_id: None,
    };
    let kind = EmailKind::of_column(row.get("kind")).ok_or_else(|| unreadable("kind"))?;
    let Json(facts): Json<Facts> = row.try_get("facts").map_err(|_| unreadable("facts"))?;
    Ok(EmailOrder {
        kind,
        audience: Audience::parse(row.get("audience")).ok_or_else(|| unreadable("audience"))?,
        user: row.get::<_, Option<Uuid>>("user_id").map(UserId::from_uuid),
        recipient: row.get("recipient"),
        panel_url: row.get("panel_url"),
        facts,
        created_at: row.get("created_at"),
    })
}

/// No e-mail counts as late before it is given up.
pub async fn queue_stats(client: &impl GenericClient) -> Result<QueueStats, Error> {
    gateway_outbox::queue_stats(client, &EMAILS, GIVEN_UP_AFTER).await
}
