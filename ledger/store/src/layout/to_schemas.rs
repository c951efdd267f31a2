//! Moves the tables of the shards from layout `one` to layout `schemas`, for times when no process runs.
//!
//! Each shard of each table is a transaction of its own, so that a move that was interrupted goes on where it ended.
//! Until the last transaction nothing of layout `one` is removed, and no process can take a shard.

use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, GenericClient};

use super::like::{create_like, create_references};
use super::partitions::create_event;
use super::{Layout, LayoutError, PUBLIC, Place, TABLES, create_views, extend};
use crate::log::shard_positions;

#[derive(Debug, Error)]
pub enum MoveError {
    #[error("{connections} connections of running processes use the database: stop them first")]
    InUse { connections: i64 },
    #[error("{table} has {rows} rows, and {moved} were moved")]
    RowsDiffer {
        table: &'static str,
        rows: i64,
        moved: i64,
    },
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// What was moved last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveProgress {
    pub table: &'static str,
    pub schema: String,
    pub rows: u64,
    /// Of `of` parts, this many are moved.
    pub part: usize,
    pub of: usize,
}

/// Returns `false` if the database has layout `schemas` already. The caller has applied every migration. `partition` is
/// the number of positions of a partition of events.
pub async fn to_schemas(
    client: &mut Client,
    partition: i64,
    mut progress: impl FnMut(MoveProgress),
) -> Result<bool, MoveError> {
    let is_begun = match Layout::of(client).await {
        Ok(Layout::Schemas) => return Ok(false),
        Ok(Layout::One) => false,
        Err(LayoutError::Moving) => true,
        Err(LayoutError::Database(error)) => return Err(error.into()),
    };
    refuse_if_used(client).await?;
    let places = Layout::Schemas.places();
    if !is_begun {
        begin(client, &places, partition).await?;
    }
    let of = TABLES.len() * places.len();
    for (number, (table, place)) in pairs(&places).enumerate() {
        if let Some(rows) = move_part(client, table, place).await? {
            progress(MoveProgress {
                table,
                schema: place.schema.clone(),
                rows,
                part: number + 1,
                of,
            });
        }
    }
    end(client, &places).await?;
    client.batch_execute("ANALYZE").await?;
    Ok(true)
}

fn pairs(places: &[Place]) -> impl Iterator<Item = (&'static str, &Place)> {
    TABLES
        .into_iter()
        .flat_map(move |table| places.iter().map(move |place| (table, place)))
}

/// A process would go on reading its read models and following the log while they are moved.
async fn refuse_if_used(client: &Client) -> Result<(), MoveError> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'razao%'",
            &[],
        )
        .await?;
    match row.get(0) {
        0 => Ok(()),
        connections => Err(MoveError::InUse { connections }),
    }
}

/// Creates the schemas with empty tables. From now on no process takes a shard, and none starts.
async fn begin(client: &mut Client, places: &[Place], partition: i64) -> Result<(), MoveError> {
    let tx = client.transaction().await?;
    tx.batch_execute(
        "SET LOCAL lock_timeout = '30s';
         LOCK TABLE log_shard, event IN ACCESS EXCLUSIVE MODE;
         UPDATE log_shard SET epoch = epoch + 1, owner = 'move to layout schemas', lease_until = 'infinity';
         CREATE TABLE public.layout_move (schema_name text, table_name text, rows bigint NOT NULL,
                                          PRIMARY KEY (table_name, schema_name))",
    )
    .await?;
    let positions = shard_positions(&tx).await?;
    for place in places {
        let schema = &place.schema;
        tx.batch_execute(&format!("CREATE SCHEMA {schema}")).await?;
        for table in TABLES {
            match table {
                "event" => create_event(&tx, schema, PUBLIC).await?,
                _ => create_like(&tx, schema, PUBLIC, table).await?,
            }
        }
        for table in TABLES {
            create_references(&tx, schema, PUBLIC, table).await?;
        }
        for shard in &place.shards {
            extend(&tx, *shard, positions.get(*shard), partition).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Copies the rows of a table that are of the place's shard. Returns their number, or `None` if they were there.
async fn move_part(
    client: &mut Client,
    table: &str,
    place: &Place,
) -> Result<Option<u64>, tokio_postgres::Error> {
    let schema = &place.schema;
    let tx = client.transaction().await?;
    let known = tx
        .query_typed_opt(
            "SELECT 1 FROM public.layout_move WHERE schema_name = $1 AND table_name = $2",
            &[(schema, Type::TEXT), (&table, Type::TEXT)],
        )
        .await?;
    if known.is_some() {
        return Ok(None);
    }
    let shards: Vec<i16> = place.shards.iter().map(|shard| shard.sql()).collect();
    let (columns, shard) = columns(&tx, table).await?;
    let rows = tx
        .execute_typed(
            &format!(
                "INSERT INTO {schema}.{table} ({columns}) SELECT {columns} FROM {PUBLIC}.{table}
                  WHERE {shard} = ANY ($1)"
            ),
            &[(&shards, Type::INT2_ARRAY)],
        )
        .await?;
    tx.execute_typed(
        "INSERT INTO public.layout_move (schema_name, table_name, rows) VALUES ($1, $2, $3)",
        &[
            (schema, Type::TEXT),
            (&table, Type::TEXT),
            (&i64::try_from(rows).unwrap_or(i64::MAX), Type::INT8),
        ],
    )
    .await?;
    tx.commit().await?;
    Ok(Some(rows))
}

/// The columns of a table that are not computed, and the SQL of a row's shard: a column, or that of the row's company.
async fn columns(
    client: &impl GenericClient,
    table: &str,
) -> Result<(String, &'static str), tokio_postgres::Error> {
    let row = client
        .query_typed_one(
            "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum), bool_or(attname = 'shard')
               FROM pg_attribute
              WHERE attrelid = ('public.' || $1)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
            &[(&table, Type::TEXT)],
        )
        .await?;
    let shard = if row.get(1) {
        "shard"
    } else {
        "shard_of(business_id)"
    };
    Ok((row.get(0), shard))
}

/// Removes the tables of layout `one`, once every row is in the schemas, and lets processes take shards.
async fn end(client: &mut Client, places: &[Place]) -> Result<(), MoveError> {
    let tx = client.transaction().await?;
    for table in TABLES {
        let row = tx
            .query_typed_one(
                &format!(
                    "SELECT (SELECT count(*) FROM {PUBLIC}.{table}),
                            (SELECT coalesce(sum(rows), 0)::bigint FROM public.layout_move WHERE table_name = $1)"
                ),
                &[(&table, Type::TEXT)],
            )
            .await?;
        let (rows, moved) = (row.get(0), row.get(1));
        if rows != moved {
            return Err(MoveError::RowsDiffer { table, rows, moved });
        }
    }
    let tables = TABLES.map(|table| format!("{PUBLIC}.{table}")).join(", ");
    tx.batch_execute(&format!("DROP VIEW {PUBLIC}.events; DROP TABLE {tables}"))
        .await?;
    create_views(&tx).await?;
    for place in places {
        tx.batch_execute(&format!(
            "UPDATE {}.log_shard SET owner = NULL, lease_until = '-infinity'",
            place.schema
        ))
        .await?;
    }
    tx.batch_execute("DROP TABLE public.layout_move").await?;
    tx.commit().await?;
    Ok(())
}
