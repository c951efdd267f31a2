//! The files of reports by e-mail: one row for each period that was sent, and the parts of its file.

use chrono::{DateTime, NaiveDate, Utc};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The report of one period, as a file that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportDelivery {
    pub id: Uuid,
    /// The id of the `ReportEmail`: the report that the user gets each week or month.
    pub report_email: Uuid,
    /// The first and the last day.
    pub period: (NaiveDate, NaiveDate),
    /// The names of the roles that could read the report when the file was made.
    pub roles: Vec<String>,
    pub file_name: String,
    pub byte_count: i64,
    /// Whether the e-mail has the file. Larger files are downloaded by a link.
    pub attached: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Adds the delivery of a period, and sets the day on which the next is due. The unique constraint refuses a period
/// that was sent before.
pub async fn delivery_create(
    client: &impl GenericClient,
    delivery: &ReportDelivery,
    next_due_on: NaiveDate,
) -> Result<(), Error> {
    let (start, end) = delivery.period;
    client
        .execute_typed(
            "INSERT INTO report_delivery (id, report_email_id, period_start, period_end, roles, file_name, byte_count,
                                          attached, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                (&delivery.id, Type::UUID),
                (&delivery.report_email, Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&delivery.roles, Type::TEXT_ARRAY),
                (&delivery.file_name, Type::TEXT),
                (&delivery.byte_count, Type::INT8),
                (&delivery.attached, Type::BOOL),
                (&delivery.created_at, Type::TIMESTAMPTZ),
                (&delivery.expires_at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    client
        .execute_typed(
            "UPDATE report_email SET due_on = $2 WHERE id = $1",
            &[(&delivery.report_email, Type::UUID), (&next_due_on, Type::DATE)],
        )
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
    let row = client
        .query_typed_opt(
            "SELECT id, report_email_id, period_start, period_end, roles, file_name, byte_count, attached, created_at,
                    expires_at
               FROM report_delivery WHERE id = $1",
            &[(&id, Type::UUID)],
        )
        .await?;
    row.map(|row| {
        Ok(ReportDelivery {
            id: row.try_get(0)?,
            report_email: row.try_get(1)?,
            period: (row.try_get(2)?, row.try_get(3)?),
            roles: row.try_get(4)?,
            file_name: row.try_get(5)?,
            byte_count: row.try_get(6)?,
            attached: row.try_get(7)?,
            created_at: row.try_get(8)?,
            expires_at: row.try_get(9)?,
        })
    })
    .transpose()
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
pub(crate) async fn delivery_content(client: &impl GenericClient, delivery: Uuid) -> Result<Vec<u8>, Error> {
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
    client
        .execute_typed(
            "DELETE FROM report_delivery_part part USING report_delivery delivery
              WHERE delivery.id = part.delivery_id AND delivery.expires_at < $1",
            &[(&before, Type::TIMESTAMPTZ)],
        )
        .await
}
