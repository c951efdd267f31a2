//! E-mails that have waited for longer than a server should take: their number for the staff's home page, and the list
//! behind it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_outbox::{LATE, LateRows, late_rows, milliseconds};
use gateway_platform::outboxes::EMAILS;
use projections::{CountLimit, Page, Paging};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

/// A reset link is useless after an hour, so staff should look long before.
const STUCK_AFTER: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StuckEmail {
    pub id: Uuid,
    pub kind: String,
    /// `seller` or `admin`: the panel that its links lead to.
    pub audience: String,
    pub recipient: String,
    pub tries: i32,
    /// The code of what went wrong at the last try.
    pub last_error: Option<String>,
    pub next_try_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

pub async fn emails_stuck(client: &impl GenericClient) -> Result<LateRows, Error> {
    late_rows(client, &EMAILS, STUCK_AFTER, CountLimit::FILTER.last_row()).await
}

/// The e-mails behind `emails_stuck`, the oldest first.
pub async fn emails_stuck_list(
    client: &impl GenericClient,
    paging: Paging,
) -> Result<Page<StuckEmail>, Error> {
    let (limit, offset) = CountLimit::FILTER.range(paging);
    let stuck_ms = milliseconds(STUCK_AFTER);
    let which = format!("mail WHERE status = 'waiting' AND {LATE}");
    let sql = format!(
        "SELECT id, kind, audience, recipient, tries, last_error, next_try_at, created_at
           FROM {which} ORDER BY created_at, id LIMIT $2 OFFSET $3"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&stuck_ms, Type::INT8),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
            ],
        )
        .await?;
    let email = |row: &Row| StuckEmail {
        id: row.get(0),
        kind: row.get(1),
        audience: row.get(2),
        recipient: row.get(3),
        tries: row.get(4),
        last_error: row.get(5),
        next_try_at: row.get(6),
        created_at: row.get(7),
    };
    CountLimit::FILTER
        .counted_page(
            client,
            rows.iter().map(email).collect(),
            &which,
            vec![(&stuck_ms, Type::INT8)],
        )
        .await
}
