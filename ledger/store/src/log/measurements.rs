//! Functions for measurements: the size of events, a copy of them, and filler events that quickly make a log large.

use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

/// The average size of an event's payload and metadata; 0 in an empty log. It reads the whole log. The events of
/// [`add_claims`] do not count.
pub async fn average_event_bytes(client: &impl GenericClient) -> Result<i64, tokio_postgres::Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(avg(octet_length(payload::text) + octet_length(metadata::text)), 0)::int8 \
               FROM event WHERE position > 0",
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

/// Adds events without content to the businesses of the log. Each claims a sale and a key that nothing else uses. Their
/// positions and sequences are negative, so that no follower reads them; the audit of such a log fails. It is for
/// measurements of a large log. The indexes with random entries are built at the end, which takes a fraction of the
/// time.
pub async fn add_claims(client: &impl GenericClient, claims: u64) -> Result<(), tokio_postgres::Error> {
    const RANDOM_INDEXES: &str = "indexname IN ('event_claim', 'event_idempotency')";
    let definitions = client
        .query_typed(
            &format!("SELECT indexdef FROM pg_indexes WHERE tablename = 'event' AND {RANDOM_INDEXES}"),
            &[],
        )
        .await?;
    client
        .batch_execute("SET maintenance_work_mem = '1GB'; DROP INDEX event_claim, event_idempotency")
        .await?;
    let businesses = client
        .query_typed(
            "SELECT shard, business_id FROM business_head ORDER BY shard, business_id",
            &[],
        )
        .await?;
    let each = claims.div_ceil((businesses.len() as u64).max(1)).cast_signed();
    let mut position = -each * businesses.len() as i64;
    for business in &businesses {
        // The subquery names `number`, so that PostgreSQL runs it for each row and each row gets a different id.
        client
            .execute_typed(
                "INSERT INTO event (shard, position, business_id, sequence, event_id, event_type, event_version, \
                                    payload, metadata, recorded_at, occurred_at, digest, chain, idempotency_key, \
                                    fingerprint, span, claimed_sale) \
                 SELECT $1, $3 + number, $2, $3 + number, id, '', '', '{}', '{}', now(), now(), '', '', id, id, 1, id \
                   FROM generate_series(0, $4 - 1) AS number, \
                        LATERAL (SELECT gen_random_uuid() AS id WHERE number IS NOT NULL) AS next",
                &[
                    (&business.get::<_, i16>(0), Type::INT2),
                    (&business.get::<_, Uuid>(1), Type::UUID),
                    (&position, Type::INT8),
                    (&each, Type::INT8),
                ],
            )
            .await?;
        position += each;
    }
    for definition in definitions {
        client.batch_execute(definition.get(0)).await?;
    }
    client.batch_execute("VACUUM ANALYZE event").await?;
    client
        .batch_execute("CHECKPOINT; RESET maintenance_work_mem")
        .await
}
