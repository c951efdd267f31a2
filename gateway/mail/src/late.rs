//! The list for staff of e-mails that have waited for more than 15 minutes.

use std::time::Duration;

use gateway_outbox::LateRows;
use gateway_platform::late_rows::{OpenRow, late_count, late_list};
use gateway_platform::outboxes::EMAILS;
use projections::{Page, Paging};
use tokio_postgres::{Error, GenericClient, Row};

/// Soon, because a user may wait for the link for a new password.
const LATE_AFTER: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateEmail {
    pub kind: String,
    /// `seller` or `admin`: the panel that its links lead to.
    pub audience: String,
    pub recipient: String,
    pub open: OpenRow,
}

pub async fn emails_late_count(client: &impl GenericClient) -> Result<LateRows, Error> {
    late_count(client, &EMAILS, LATE_AFTER).await
}

pub async fn emails_late_list(client: &impl GenericClient, paging: Paging) -> Result<Page<LateEmail>, Error> {
    let read = |row: &Row, open| LateEmail {
        kind: row.get(0),
        audience: row.get(1),
        recipient: row.get(2),
        open,
    };
    late_list(
        client,
        &EMAILS,
        "kind, audience, recipient",
        LATE_AFTER,
        paging,
        read,
    )
    .await
}
