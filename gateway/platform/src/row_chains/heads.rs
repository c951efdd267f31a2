//! The signed heads over all chains.

use deadpool_postgres::Pool;
use ledger_domain::calendar::Instant;
use ledger_store::audit::row_head::{ChainState, RowHead};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, IsolationLevel, Row};

use super::seal::seal;
use crate::error::Result;

/// Seals what is new, then signs and stores the next head; `None` if nothing was sealed since the last one. If two
/// processes do this at once, the primary key lets only one succeed.
pub async fn sign(pool: &Pool, secret_key: &[u8; 32], made_at: Instant) -> Result<Option<RowHead>> {
    seal(pool).await?;
    let mut client = pool.get().await?;
    // One snapshot has the position and the chains as of it.
    let tx = client
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .start()
        .await?;
    let previous = latest(&*tx).await?;
    let row = tx
        .query_typed_one("SELECT coalesce(max(position), 0) FROM row_change", &[])
        .await?;
    let position: i64 = row.get(0);
    if position <= previous.as_ref().map_or(0, |head| head.position) {
        return Ok(None);
    }
    let rows = tx
        .query_typed("SELECT chain, changes, link FROM row_chain ORDER BY chain", &[])
        .await?;
    let chains: Vec<ChainState> = rows
        .iter()
        .map(|row| {
            let link = row.get::<_, &[u8]>(2).try_into().unwrap_or_default();
            (row.get(0), row.get(1), link)
        })
        .collect();
    let head = RowHead::sign(previous.as_ref(), position, &chains, secret_key, made_at);
    tx.execute_typed(
        "INSERT INTO row_chain_head (number, position, chains, root, previous, made_at, key_id, signature)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            (&head.number, Type::INT8),
            (&head.position, Type::INT8),
            (&head.chains, Type::INT8),
            (&head.root.as_slice(), Type::BYTEA),
            (&head.previous.as_slice(), Type::BYTEA),
            (&head.made_at, Type::TIMESTAMPTZ),
            (&head.key_id.as_slice(), Type::BYTEA),
            (&head.signature.as_slice(), Type::BYTEA),
        ],
    )
    .await?;
    tx.commit().await?;
    Ok(Some(head))
}

pub async fn latest(client: &impl GenericClient) -> Result<Option<RowHead>, tokio_postgres::Error> {
    Ok(select(client, "ORDER BY number DESC LIMIT 1").await?.pop())
}

/// All heads, oldest first. The daily job makes at most one a day.
pub(super) async fn all(client: &impl GenericClient) -> Result<Vec<RowHead>, tokio_postgres::Error> {
    select(client, "ORDER BY number").await
}

async fn select(client: &impl GenericClient, order: &str) -> Result<Vec<RowHead>, tokio_postgres::Error> {
    let sql = format!(
        "SELECT number, position, chains, root, previous, made_at, key_id, signature FROM row_chain_head {order}"
    );
    Ok(client.query_typed(&sql, &[]).await?.iter().map(head).collect())
}

fn head(row: &Row) -> RowHead {
    RowHead {
        number: row.get(0),
        position: row.get(1),
        chains: row.get(2),
        root: bytes(row, 3),
        previous: bytes(row, 4),
        made_at: row.get(5),
        key_id: bytes(row, 6),
        signature: bytes(row, 7),
    }
}

/// CHECK constraints fix the lengths. A value of another length was tampered with, and zeros do not verify.
fn bytes<const N: usize>(row: &Row, column: usize) -> [u8; N] {
    row.get::<_, &[u8]>(column).try_into().unwrap_or([0; N])
}
