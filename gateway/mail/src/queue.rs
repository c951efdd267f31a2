//! The table `mail`: reads a claimed row, and counts the waiting ones.

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts};
use gateway_outbox::{QueueStats, Unreadable};
use gateway_platform::outboxes::EMAILS;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::outbox::GIVEN_UP_AFTER;

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

pub(crate) fn read(row: &Row) -> Result<StoredEmail, Unreadable> {
    let unreadable = |column| Unreadable {
        column,
        business_id: None,
    };
    let kind = EmailKind::parse(row.get("kind")).map_err(|_| unreadable("kind"))?;
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
