//! The partitions of a shard's events in layout `schemas`: ranges of positions, so that old events can leave the
//! database at once, and not row by row.
//!
//! The owner of a shard adds the next partition long before the last one is full. The table has no index that is unique
//! over all partitions except that of positions: what is unique for ever is a row of another table (`sale_claim`,
//! `command_key`), and the append records an event only as the next one of its business's head.

use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::schema_of;
use crate::position::Shard;

/// The positions of a partition, unless the configuration says otherwise. A partition of the demo's events has 12 GB.
pub const PARTITION_POSITIONS: i64 = 10_000_000;

/// Always there and always empty: it has the settings of every partition, and takes the events of proofs
/// (`log::prove_append`), whose positions no event has.
const PROOFS: &str = "event_proofs";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    pub table: String,
    pub first: i64,
    pub last: i64,
}

/// Creates the table of a shard's events, like that of layout `one` but in partitions.
pub(super) async fn create_event(client: &impl GenericClient, schema: &str, live: &str) -> Result<(), Error> {
    let row = client
        .query_typed_one(
            "SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = $1::text::regclass",
            &[(&format!("{live}.event"), Type::TEXT)],
        )
        .await?;
    let settings: String = row.get(0);
    client
        .batch_execute(&format!(
            "CREATE TABLE {schema}.event (LIKE {live}.event INCLUDING ALL EXCLUDING INDEXES,
                 CONSTRAINT event_position PRIMARY KEY (shard, position)) PARTITION BY RANGE (position);
             CREATE INDEX event_business ON {schema}.event (shard, business_id, sequence);
             CREATE TABLE {schema}.{PROOFS} PARTITION OF {schema}.event FOR VALUES FROM (MINVALUE) TO (1)
                 WITH ({settings})"
        ))
        .await
}

/// The partitions of a shard, oldest first; none if its events are one table.
pub async fn partitions(client: &impl GenericClient, shard: Shard) -> Result<Vec<Partition>, Error> {
    let rows = client
        .query_typed(
            "SELECT relname::text, first::bigint, until::bigint - 1
               FROM (SELECT relname, substring(bounds FROM 'FROM \\(''(\\d+)''\\)') AS first,
                            substring(bounds FROM 'TO \\(''(\\d+)''\\)') AS until
                       FROM (SELECT relname, pg_get_expr(relpartbound, pg_class.oid) AS bounds
                               FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
                              WHERE inhparent = to_regclass($1)) AS bound) AS parts
              WHERE first IS NOT NULL ORDER BY 2",
            &[(&format!("{}.event", schema_of(shard)), Type::TEXT)],
        )
        .await?;
    let partition = |row: &tokio_postgres::Row| Partition {
        table: row.get(0),
        first: row.get(1),
        last: row.get(2),
    };
    Ok(rows.iter().map(partition).collect())
}

/// Adds partitions of `size` positions until one is left free behind that position. Returns the last position that has a
/// partition. Only a shard's owner does this, and an owner that was deposed meanwhile makes the same partition. One that
/// was interrupted is completed.
pub(crate) async fn extend(
    client: &impl GenericClient,
    shard: Shard,
    position: i64,
    size: i64,
) -> Result<i64, Error> {
    let mut end = last_position(client, shard).await?;
    while end < position.saturating_add(size) {
        let added = add(client, shard, end + 1, end + size).await;
        let now = last_position(client, shard).await?;
        if now == end {
            added?;
        }
        end = now;
    }
    Ok(end)
}

/// The last position that has a partition; no end, if the events are one table, as an earlier program made them.
pub(crate) async fn last_position(client: &impl GenericClient, shard: Shard) -> Result<i64, Error> {
    let partitions = partitions(client, shard).await?;
    if let Some(last) = partitions.last() {
        return Ok(last.last);
    }
    let is_partitioned = client
        .query_typed_one(
            "SELECT relkind = 'p' FROM pg_class WHERE oid = $1::text::regclass",
            &[(&format!("{}.event", schema_of(shard)), Type::TEXT)],
        )
        .await?;
    Ok(if is_partitioned.get(0) { 0 } else { i64::MAX })
}

/// The new table is attached once it is complete, which stops no append. The statements go one by one: an engine that
/// places the schema on a node sends the text there as it came, and takes one statement.
async fn add(client: &impl GenericClient, shard: Shard, first: i64, last: i64) -> Result<(), Error> {
    let schema = schema_of(shard);
    let row = client
        .query_typed_one(
            "SELECT (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = $1::text::regclass),
                    ARRAY(SELECT replace(replace(pg_get_triggerdef(oid), 'CREATE ', 'CREATE OR REPLACE '),
                                         $2 || '.event ', $2 || '.event_' || $3 || ' ')
                            FROM pg_trigger WHERE tgrelid = $4::text::regclass AND NOT tgisinternal)",
            &[
                (&format!("{schema}.{PROOFS}"), Type::TEXT),
                (&schema, Type::TEXT),
                (&first.to_string(), Type::TEXT),
                (&format!("{schema}.event"), Type::TEXT),
            ],
        )
        .await?;
    let settings: String = row.get(0);
    let triggers: Vec<String> = row.get(1);
    let table = format!(
        "CREATE TABLE IF NOT EXISTS {schema}.event_{first} (LIKE {schema}.event INCLUDING ALL EXCLUDING INDEXES)
             WITH ({settings})"
    );
    let attach = format!(
        "ALTER TABLE {schema}.event ATTACH PARTITION {schema}.event_{first} FOR VALUES FROM ({first}) TO ({})",
        last + 1
    );
    for statement in std::iter::once(table).chain(triggers).chain([attach]) {
        client.batch_execute(&statement).await?;
    }
    Ok(())
}

/// Takes a partition with all its rows out of the database.
pub(crate) async fn drop_partition(
    client: &impl GenericClient,
    shard: Shard,
    table: &str,
) -> Result<(), Error> {
    let schema = schema_of(shard);
    client
        .batch_execute(&format!(
            "ALTER TABLE {schema}.event DETACH PARTITION {schema}.{table}"
        ))
        .await?;
    client
        .batch_execute(&format!("DROP TABLE {schema}.{table}"))
        .await
}
