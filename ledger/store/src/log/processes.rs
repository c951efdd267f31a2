//! Who records: the owners of the shards, and the table of the processes that live.

use std::time::Duration;

use tokio_postgres::{Client, GenericClient};

use crate::peers::Member;
use crate::position::Shard;

/// Who records in a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardOwner {
    pub shard: Shard,
    /// `None` if no process owns it now.
    pub owner: Option<String>,
}

/// The living owners of all shards, in the order of the shards.
pub async fn shard_owners(client: &impl GenericClient) -> Result<Vec<ShardOwner>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT shard, CASE WHEN lease_until >= clock_timestamp() AND NOT is_owner_gone(owner) THEN owner END
               FROM log_shard ORDER BY shard",
            &[],
        )
        .await?;
    let owners = rows.iter().map(|row| ShardOwner {
        shard: Shard::from_sql(row.get(0)),
        owner: row.get(1),
    });
    Ok(owners.collect())
}

/// A query for the server's process ids of the lanes' sessions of a process, whose name is this parameter.
pub fn sessions_of(owner: &str) -> String {
    format!(
        "SELECT pid FROM pg_locks
          WHERE locktype = 'advisory' AND classid = owner_lock()::oid AND objid = hashtext({owner})::oid"
    )
}

/// The process counts as living while this connection is open, also before it owns a shard.
pub(crate) async fn live_as(client: &Client, owner: &str) -> Result<(), tokio_postgres::Error> {
    client
        .execute(
            "SELECT pg_advisory_lock_shared(owner_lock(), hashtext($1))",
            &[&owner],
        )
        .await
        .map(drop)
}

/// Notes that this process lives. Rows of processes that ended without leaving go after some leases.
pub(crate) async fn join_processes(
    client: &Client,
    own: &Member,
    lease: Duration,
) -> Result<(), tokio_postgres::Error> {
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    client
        .execute(
            "INSERT INTO gateway_process (owner, address, takes_shards, version, seen_at)
             VALUES ($1, $2, $3, $4, clock_timestamp())
             ON CONFLICT (owner) DO UPDATE SET takes_shards = excluded.takes_shards, seen_at = excluded.seen_at",
            &[
                &own.owner,
                &&*own.address,
                &own.takes_shards,
                &env!("CARGO_PKG_VERSION"),
            ],
        )
        .await?;
    client
        .execute(
            "DELETE FROM gateway_process WHERE seen_at < clock_timestamp() - $1::bigint * interval '10 ms'",
            &[&lease],
        )
        .await
        .map(drop)
}

pub(crate) async fn living_processes(
    client: &Client,
    lease: Duration,
) -> Result<Vec<Member>, tokio_postgres::Error> {
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    let rows = client
        .query(
            "SELECT owner, address, takes_shards FROM gateway_process
              WHERE seen_at >= clock_timestamp() - $1::bigint * interval '1 ms' AND NOT is_owner_gone(owner)
              ORDER BY owner",
            &[&lease],
        )
        .await?;
    let members = rows.iter().map(|row| Member {
        owner: row.get(0),
        address: row.get::<_, String>(1).into(),
        takes_shards: row.get(2),
    });
    Ok(members.collect())
}

pub(crate) async fn leave_processes(client: &Client, owner: &str) -> Result<(), tokio_postgres::Error> {
    client
        .execute("DELETE FROM gateway_process WHERE owner = $1", &[&owner])
        .await
        .map(drop)
}
