//! Links new changes into their chains and numbers them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::change::{COLUMNS, Change};
use crate::error::Result;

/// `RAZAO` in ASCII and 2. Only its holder seals, so that positions and links follow each other.
const LOCK: i64 = 0x5241_5a41_4f02;
/// The changes of one transaction.
const BATCH: i64 = 2_000;

/// Seals all changes that are committed, and returns their number. It leaves them to another process that is at it.
pub async fn seal(pool: &Pool) -> Result<usize> {
    let mut sealed = 0;
    loop {
        let batch = seal_batch(pool).await?;
        sealed += batch;
        if i64::try_from(batch).is_ok_and(|batch| batch < BATCH) {
            return Ok(sealed);
        }
    }
}

/// The changes that are not in their chains yet: only their proofs protect them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsealed {
    pub changes: i64,
    pub oldest_at: Option<DateTime<Utc>>,
    /// The position of the last change that is in its chain.
    pub sealed_to: i64,
}

pub async fn unsealed(client: &impl GenericClient) -> Result<Unsealed, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*), min(changed_at), (SELECT coalesce(max(position), 0) FROM row_change)
               FROM row_change WHERE position IS NULL",
            &[],
        )
        .await?;
    Ok(Unsealed {
        changes: row.get(0),
        oldest_at: row.get(1),
        sealed_to: row.get(2),
    })
}

async fn seal_batch(pool: &Pool) -> Result<usize> {
    let mut client = pool.get().await?;
    let unsealed = format!("SELECT {COLUMNS} FROM row_change WHERE position IS NULL ORDER BY id LIMIT $1");
    let tx = client.transaction().await?;
    let locked = tx
        .query_typed_one("SELECT pg_try_advisory_xact_lock($1)", &[(&LOCK, Type::INT8)])
        .await?;
    if !locked.get::<_, bool>(0) {
        return Ok(0);
    }
    let rows = tx.query_typed(&unsealed, &[(&BATCH, Type::INT8)]).await?;
    let changes: Vec<_> = rows.iter().map(Change::read).collect();
    if changes.is_empty() {
        return Ok(0);
    }
    let last = tx
        .query_typed_one("SELECT coalesce(max(position), 0) FROM row_change", &[])
        .await?;
    let of_changes: Vec<_> = changes.iter().map(|change| change.chain).collect();
    let rows = tx
        .query_typed(
            "SELECT chain, changes, link FROM row_chain WHERE chain = ANY ($1)",
            &[(&of_changes, Type::UUID_ARRAY)],
        )
        .await?;
    let state = |row: &tokio_postgres::Row| {
        let link: [u8; 32] = row.get::<_, &[u8]>(2).try_into().unwrap_or_default();
        (row.get::<_, Uuid>(0), (row.get::<_, i64>(1), link))
    };
    let mut chains: HashMap<Uuid, (i64, [u8; 32])> = rows.iter().map(state).collect();
    let (mut ids, mut links) = (vec![], vec![]);
    for change in &changes {
        let (count, link) = chains.entry(change.chain).or_default();
        *count += 1;
        *link = change.link_after(link);
        ids.push(change.id);
        links.push(link.to_vec());
    }
    let positions: Vec<i64> = (last.get::<_, i64>(0) + 1..).take(changes.len()).collect();
    tx.execute_typed(
        "UPDATE row_change SET position = sealed.position, link = sealed.link
           FROM unnest($1::int8[], $2::int8[], $3::bytea[]) AS sealed (id, position, link)
          WHERE row_change.id = sealed.id",
        &[
            (&ids, Type::INT8_ARRAY),
            (&positions, Type::INT8_ARRAY),
            (&links, Type::BYTEA_ARRAY),
        ],
    )
    .await?;
    let (mut names, mut counts, mut links) = (vec![], vec![], vec![]);
    for (chain, (count, link)) in chains {
        names.push(chain);
        counts.push(count);
        links.push(link.to_vec());
    }
    tx.execute_typed(
        "INSERT INTO row_chain (chain, changes, link) SELECT * FROM unnest($1::uuid[], $2::int8[], $3::bytea[])
         ON CONFLICT (chain) DO UPDATE SET changes = excluded.changes, link = excluded.link",
        &[
            (&names, Type::UUID_ARRAY),
            (&counts, Type::INT8_ARRAY),
            (&links, Type::BYTEA_ARRAY),
        ],
    )
    .await?;
    tx.commit().await?;
    Ok(changes.len())
}
