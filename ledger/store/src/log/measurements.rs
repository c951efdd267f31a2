//! Functions for measurements: the size of events, and a copy of them.

use tokio_postgres::GenericClient;

/// The average size of an event's payload and metadata; 0 in an empty log. It reads the whole log.
pub async fn average_event_bytes(client: &impl GenericClient) -> Result<i64, tokio_postgres::Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(avg(octet_length(payload::text) + octet_length(metadata::text)), 0)::int8 FROM event",
            &[],
        )
        .await?;
    Ok(row.get(0))
}

/// Writes every event to a file of the server, in PostgreSQL's binary format, and creates an empty table with the
/// columns, constraints and indexes of the log's events. For measurements only: `file` and `table` go into the SQL
/// unescaped.
pub async fn export_events(
    client: &impl GenericClient,
    file: &str,
    table: &str,
) -> Result<(), tokio_postgres::Error> {
    client
        .batch_execute(&format!(
            "COPY event TO '{file}' (FORMAT binary); CREATE TABLE {table} (LIKE event INCLUDING ALL)"
        ))
        .await
}
