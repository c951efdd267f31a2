//! Late rows of an outbox: rows that are open for longer than expected. The staff's home page has their number, the
//! page of operations their list.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_outbox::{LateRows, Table, late_rows, milliseconds};
use projections::{CountLimit, Page, Paging};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

/// An open row, with columns that every outbox table has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRow {
    pub id: Uuid,
    pub tries: i32,
    /// The error code of the last try.
    pub last_error: Option<String>,
    /// `None` if the outbox does not try again: staff must act.
    pub next_try_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// The late rows' number, counted up to the last row that `late_list` shows, and the age of the oldest.
pub async fn late_count(
    client: &impl GenericClient,
    table: &Table,
    late_after: Duration,
) -> Result<LateRows, Error> {
    late_rows(client, table, late_after, CountLimit::LIST.last_row()).await
}

/// One page of the late rows, the oldest first. `read` reads `columns` from column 0 on. Their SQL may call the row
/// `late`.
pub async fn late_list<Late>(
    client: &impl GenericClient,
    table: &Table,
    columns: &str,
    late_after: Duration,
    paging: Paging,
    read: impl Fn(&Row, OpenRow) -> Late,
) -> Result<Page<Late>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let late_ms = milliseconds(late_after);
    let id = table.id;
    let late = format!("{} AS late WHERE {}", table.name, table.late_condition());
    let sql = format!(
        "SELECT {columns}, {id} AS row_id, tries, last_error, next_try_at, created_at
           FROM {late} ORDER BY created_at, {id} LIMIT $2 OFFSET $3"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&late_ms, Type::INT8),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
            ],
        )
        .await?;
    let row = |row: &Row| {
        let open = OpenRow {
            id: row.get("row_id"),
            tries: row.get("tries"),
            last_error: row.get("last_error"),
            next_try_at: row.get("next_try_at"),
            created_at: row.get("created_at"),
        };
        read(row, open)
    };
    let rows = rows.iter().map(row).collect();
    let parameters = vec![(&late_ms as _, Type::INT8)];
    CountLimit::LIST
        .counted_page(client, rows, &late, parameters)
        .await
}
