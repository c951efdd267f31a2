//! The numbers that operators see about an outbox.

use std::time::Duration;

use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use crate::pauses::milliseconds;
use crate::table::Table;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueStats {
    /// Rows that have not ended.
    pub open: i64,
    /// Rows that are open for longer than expected.
    pub late: i64,
    /// The age of the oldest open row.
    pub oldest_seconds: i64,
}

/// The rows that are open for longer than expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LateRows {
    /// Counted up to the caller's limit.
    pub count: i64,
    /// The age of the oldest; `None` if there is no late row.
    pub oldest_seconds: Option<i64>,
}

/// The rows of one status that are late, or that nobody tries again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateWork {
    pub status: String,
    pub rows: i64,
    /// The age of the oldest.
    pub oldest_seconds: i64,
    /// The sum of the caller's column.
    pub amount: i64,
    /// The code that most of the last tries ended with.
    pub last_error: Option<String>,
}

/// The late rows, and the unreadable ones of any age, by status. `amount` is the column with their money.
pub async fn late_work(
    client: &impl GenericClient,
    table: &Table,
    amount: &'static str,
    late_after: Duration,
) -> Result<Vec<LateWork>, Error> {
    let sql = format!(
        "SELECT status, count(*), extract(epoch FROM now() - min(created_at))::int8, coalesce(sum({amount}), 0)::int8,
                mode() WITHIN GROUP (ORDER BY last_error)
           FROM {} WHERE {} AND ({} OR status = 'unreadable')
          GROUP BY status ORDER BY status",
        table.name,
        table.open_condition,
        table.late_condition()
    );
    let rows = client
        .query_typed(&sql, &[(&milliseconds(late_after), Type::INT8)])
        .await?;
    let work = |row: &Row| LateWork {
        status: row.get(0),
        rows: row.get(1),
        oldest_seconds: row.get(2),
        amount: row.get(3),
        last_error: row.get(4),
    };
    Ok(rows.iter().map(work).collect())
}

/// Reads the oldest open rows and stops at `counted_max`.
pub async fn late_rows(
    client: &impl GenericClient,
    table: &Table,
    late_after: Duration,
    counted_max: i64,
) -> Result<LateRows, Error> {
    let sql = format!(
        "SELECT count(*), extract(epoch FROM now() - min(created_at))::int8
           FROM (SELECT created_at FROM {} WHERE {} ORDER BY created_at LIMIT $2) AS late",
        table.name,
        table.late_condition()
    );
    let parameters = [
        (&milliseconds(late_after) as _, Type::INT8),
        (&counted_max as _, Type::INT8),
    ];
    let row = client.query_typed_one(&sql, &parameters).await?;
    Ok(LateRows {
        count: row.get(0),
        oldest_seconds: row.get(1),
    })
}

pub async fn queue_stats(
    client: &impl GenericClient,
    table: &Table,
    late_after: Duration,
) -> Result<QueueStats, Error> {
    let sql = format!(
        "SELECT count(*), count(*) FILTER (WHERE {}),
                coalesce(extract(epoch FROM now() - min(created_at)), 0)::int8
           FROM {} WHERE {}",
        table.late_condition(),
        table.name,
        table.open_condition
    );
    let row = client
        .query_typed_one(&sql, &[(&milliseconds(late_after), Type::INT8)])
        .await?;
    Ok(QueueStats {
        open: row.get(0),
        late: row.get(1),
        oldest_seconds: row.get(2),
    })
}
