//! The files of reports by e-mail: one row for each period that was sent, and the parts of its file.

use chrono::{DateTime, NaiveDate, Utc};
use ledger_rows::{FromRow, execute, fetch_opt, insert, params, row};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

row! {
    /// The report of one period, as a file that was sent.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReportDelivery in "report_delivery" {
        pub id: Uuid,
        /// The id of the `ReportEmail`: the report that the user gets each week or month.
        pub report_email: Uuid = "report_email_id",
        /// The first day.
        pub start: NaiveDate = "period_start",
        /// The last day.
        pub end: NaiveDate = "period_end",
        /// The names of the roles that could read the report when the file was made.
        pub roles: Vec<String>,
        pub file_name: String,
        pub byte_count: i64,
        /// Whether the e-mail has the file. Larger files are downloaded by a link.
        pub attached: bool,
        pub created_at: DateTime<Utc>,
        pub expires_at: DateTime<Utc>,
    }
}

/// Adds the delivery of a period, and sets the day on which the next is due. The unique constraint refuses a period
/// that was sent before.
pub async fn delivery_create(
    client: &impl GenericClient,
    delivery: &ReportDelivery,
    next_due_on: NaiveDate,
) -> Result<(), Error> {
    insert(client, delivery).await?;
    let sql = "UPDATE report_email SET due_on = $2 WHERE id = $1";
    execute(client, sql, params![delivery.report_email, next_due_on])
        .await
        .map(drop)
}

/// Parts are numbered from 0.
pub async fn delivery_part_add(
    client: &impl GenericClient,
    delivery: Uuid,
    number: i32,
    content: &[u8],
) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO report_delivery_part (delivery_id, number, content) VALUES ($1, $2, $3)",
            &[
                (&delivery, Type::UUID),
                (&number, Type::INT4),
                (&content, Type::BYTEA),
            ],
        )
        .await
        .map(drop)
}

pub async fn delivery_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ReportDelivery>, Error> {
    let sql = format!(
        "SELECT {} FROM report_delivery WHERE id = $1",
        ReportDelivery::COLUMNS
    );
    fetch_opt(client, &sql, params![id]).await
}

/// A part of the file; `None` after the last one, and once an expired file was deleted. The caller checks `expires_at`.
pub async fn delivery_part(
    client: &impl GenericClient,
    delivery: Uuid,
    number: i32,
) -> Result<Option<Vec<u8>>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT content FROM report_delivery_part WHERE delivery_id = $1 AND number = $2",
            &[(&delivery, Type::UUID), (&number, Type::INT4)],
        )
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}

/// The whole file, for an e-mail that has it attached.
pub async fn delivery_content(client: &impl GenericClient, delivery: Uuid) -> Result<Vec<u8>, Error> {
    let mut content = vec![];
    for number in 0.. {
        match delivery_part(client, delivery, number).await? {
            Some(part) => content.extend(part),
            None => break,
        }
    }
    Ok(content)
}

/// Deletes the files that expired before the instant, and returns the number of their parts. The rows of their periods
/// stay.
pub async fn expired_parts_delete(client: &impl GenericClient, before: DateTime<Utc>) -> Result<u64, Error> {
    let sql = "DELETE FROM report_delivery_part part USING report_delivery delivery
                WHERE delivery.id = part.delivery_id AND delivery.expires_at < $1";
    execute(client, sql, params![before]).await
}
