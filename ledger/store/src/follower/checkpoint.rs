//! How far each part of a consumer (such as a group of read models) has followed each shard, and where it has stopped.
//!
//! A part is known by the name of its checkpoint. The row is also the lock: only its holder applies events, so that
//! several processes can follow the same shard.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use super::source::Range;
use super::window::NextRange;
use crate::log;
use crate::position::{LedgerPosition, Shard};

/// A table of checkpoints: a row for each name and shard. Read models have one such table, effects the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointTable {
    pub table: &'static str,
    /// The column with the name of the part.
    pub name_column: &'static str,
}

/// A checkpoint, and the last position of its shard in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lag {
    pub name: String,
    pub shard: Shard,
    pub position: i64,
    pub log_end: i64,
    /// When the position last moved.
    pub moved_at: DateTime<Utc>,
    pub stopped: Option<Stop>,
}

/// Why a part has stopped. It stays before the event until a newly started program can apply it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The position of the event that it cannot apply.
    pub position: i64,
    pub reason: String,
}

impl Lag {
    pub const fn events(&self) -> i64 {
        self.log_end - self.position
    }

    /// Whether it has not stopped and events wait.
    pub const fn is_behind(&self) -> bool {
        self.stopped.is_none() && self.position < self.log_end
    }
}

impl CheckpointTable {
    fn sql(&self, sql: &str) -> String {
        sql.replace("{table}", self.table)
            .replace("{name}", self.name_column)
    }

    /// The names of the parts in each of these shards, by position. Stopped parts are left out.
    pub(super) async fn names_by_position(
        &self,
        client: &impl GenericClient,
        shards: &[Shard],
        names: &[&'static str],
    ) -> Result<BTreeMap<Shard, BTreeMap<i64, Vec<&'static str>>>, Error> {
        let sql = self.sql(
            "SELECT {name}, shard, position FROM {table} WHERE shard = ANY ($1) AND {name} = ANY ($2) AND poison IS NULL
              ORDER BY {name}",
        );
        let shards: Vec<_> = shards.iter().map(|shard| shard.sql()).collect();
        let rows = client
            .query_typed(&sql, &[(&shards, Type::INT2_ARRAY), (&names, Type::TEXT_ARRAY)])
            .await?;
        let mut by_position: BTreeMap<Shard, BTreeMap<i64, Vec<&'static str>>> = BTreeMap::new();
        for row in rows {
            let (Some(name), Some(shard)) = (known(&row, names), shard_at(&row, 1)) else {
                continue;
            };
            let of_shard = by_position.entry(shard).or_default();
            of_shard.entry(row.get(2)).or_default().push(name);
        }
        Ok(by_position)
    }

    /// Locks the checkpoints of these parts. Returns the shards in which all of them are locked, not stopped, and at
    /// the beginning of the window.
    pub(super) async fn lock(
        &self,
        tx: &Transaction<'_>,
        names: &[&'static str],
        next: &[NextRange],
    ) -> Result<Vec<NextRange>, Error> {
        let sql = self.sql(
            "SELECT reached.shard FROM {table} AS reached
               JOIN unnest($1::int2[], $2::int8[]) AS next (shard, position) USING (shard, position)
              WHERE reached.{name} = ANY ($3) AND reached.poison IS NULL
              ORDER BY reached.{name}, reached.shard FOR UPDATE OF reached SKIP LOCKED",
        );
        let statement = tx.prepare_cached(&sql).await?;
        let (shards, positions): (Vec<_>, Vec<_>) =
            next.iter().map(|next| (next.shard.sql(), next.position)).unzip();
        let rows = tx.query(&statement, &[&shards, &positions, &names]).await?;
        let locked = |next: &&NextRange| {
            rows.iter()
                .filter(|row| shard_at(row, 0) == Some(next.shard))
                .count()
                == names.len()
        };
        Ok(next.iter().filter(locked).copied().collect())
    }

    pub(super) async fn advance(
        &self,
        tx: &Transaction<'_>,
        names: &[&'static str],
        ranges: &[Range],
    ) -> Result<(), Error> {
        let sql = self.sql(
            "UPDATE {table} AS reached SET position = moved.position, moved_at = now()
               FROM unnest($1::int2[], $2::int8[]) AS moved (shard, position)
              WHERE reached.shard = moved.shard AND reached.{name} = ANY ($3)",
        );
        let statement = tx.prepare_cached(&sql).await?;
        let moved = ranges.iter().filter(|range| range.positions() > 0);
        let (shards, positions): (Vec<_>, Vec<_>) =
            moved.map(|range| (range.shard.sql(), range.until)).unzip();
        tx.execute(&statement, &[&shards, &positions, &names])
            .await
            .map(drop)
    }

    /// Stops the parts at `position`, with the reason why they cannot apply the event after it.
    pub(super) async fn stop(
        &self,
        client: &impl GenericClient,
        shard: Shard,
        position: i64,
        names: &[&'static str],
        reason: &str,
    ) -> Result<(), Error> {
        let sql = self.sql(
            "UPDATE {table} SET poison = $4, poison_position = $2 + 1, moved_at = now()
              WHERE shard = $1 AND position = $2 AND {name} = ANY ($3)",
        );
        client
            .execute_typed(
                &sql,
                &[
                    (&shard.sql(), Type::INT2),
                    (&position, Type::INT8),
                    (&names, Type::TEXT_ARRAY),
                    (&reason, Type::TEXT),
                ],
            )
            .await
            .map(drop)
    }

    /// Restarts stopped parts: the program that starts now may be able to apply their event.
    pub(super) async fn restart_stopped(
        &self,
        client: &impl GenericClient,
        names: &[&'static str],
    ) -> Result<(), Error> {
        let sql = self.sql(
            "UPDATE {table} SET poison = NULL, poison_position = NULL WHERE {name} = ANY ($1) AND poison IS NOT NULL",
        );
        client
            .execute_typed(&sql, &[(&names, Type::TEXT_ARRAY)])
            .await
            .map(drop)
    }

    /// The stopped parts, by name and shard.
    pub async fn stopped(&self, client: &impl GenericClient) -> Result<Vec<(String, Shard, Stop)>, Error> {
        let sql = self.sql(
            "SELECT {name}, shard, poison_position, poison FROM {table} WHERE poison IS NOT NULL
              ORDER BY {name}, shard",
        );
        let rows = client.query_typed(&sql, &[]).await?;
        let stopped = |row: &Row| {
            let stop = Stop {
                position: row.get(2),
                reason: row.get(3),
            };
            Some((row.get(0), shard_at(row, 1)?, stop))
        };
        Ok(rows.iter().filter_map(stopped).collect())
    }

    /// The position of every part in a shard, including stopped ones.
    pub async fn positions(
        &self,
        client: &impl GenericClient,
        shard: Shard,
    ) -> Result<BTreeMap<String, i64>, Error> {
        let sql = self.sql("SELECT {name}, position FROM {table} WHERE shard = $1");
        let rows = client.query_typed(&sql, &[(&shard.sql(), Type::INT2)]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Every checkpoint of these parts, by shard and name.
    pub async fn lag(&self, client: &impl GenericClient, names: &[&'static str]) -> Result<Vec<Lag>, Error> {
        // Checkpoints are read first. Read after the log's positions, they could be ahead of them.
        let sql = self.sql(
            "SELECT {name}, shard, position, poison_position, poison, moved_at FROM {table}
              WHERE {name} = ANY ($1) ORDER BY shard, {name}",
        );
        let rows = client.query_typed(&sql, &[(&names, Type::TEXT_ARRAY)]).await?;
        let log_ends = log::shard_positions(client).await?;
        let lag = |row: &Row| {
            let shard = shard_at(row, 1)?;
            let stop = row.get::<_, Option<i64>>(3).zip(row.get(4));
            Some(Lag {
                name: row.get(0),
                shard,
                position: row.get(2),
                log_end: log_ends.get(shard),
                moved_at: row.get(5),
                stopped: stop.map(|(position, reason)| Stop { position, reason }),
            })
        };
        Ok(rows.iter().filter_map(lag).collect())
    }

    /// Whether each of the parts has reached every shard's position in `position`.
    pub async fn reached(
        &self,
        client: &impl GenericClient,
        names: &[&'static str],
        position: &LedgerPosition,
    ) -> Result<bool, Error> {
        let (shards, positions): (Vec<_>, Vec<_>) = position
            .iter()
            .map(|(shard, position)| (shard.sql(), position))
            .unzip();
        let sql = self.sql(
            "SELECT NOT EXISTS (SELECT 1 FROM unnest($1::int2[], $2::int8[]) AS asked (shard, position)
                                  JOIN {table} AS reached USING (shard)
                                 WHERE reached.{name} = ANY ($3) AND reached.position < asked.position)",
        );
        let row = client
            .query_typed_one(
                &sql,
                &[
                    (&shards, Type::INT2_ARRAY),
                    (&positions, Type::INT8_ARRAY),
                    (&names, Type::TEXT_ARRAY),
                ],
            )
            .await?;
        Ok(row.get(0))
    }
}

/// The name in the row's first column.
fn known(row: &Row, names: &[&'static str]) -> Option<&'static str> {
    let found: &str = row.get(0);
    names.iter().copied().find(|name| *name == found)
}

/// `None` if the row names no shard of this log.
fn shard_at(row: &Row, column: usize) -> Option<Shard> {
    Shard::new(u8::try_from(row.get::<_, i16>(column)).ok()?)
}
