//! Where the tables of the shards stand: all in one schema, or those of each shard in a schema of its own.
//!
//! Layout `one` is the default: a batch for several shards is one call, which is cheapest on one machine. In layout
//! `schemas` each shard has its tables in a schema `s0` to `s15`, so that an engine that places schemas on nodes can
//! spread them. A session finds the tables of a shard by its search path, so both layouts have the same statements. The
//! schema `public` then has a view over the tables of all shards under each table's name: for readers, never for
//! writers.

mod like;
mod partitions;
mod reads;
mod to_schemas;
mod views;

use deadpool_postgres::{Object, Transaction};
use thiserror::Error;
use tokio_postgres::GenericClient;

use crate::position::Shard;

pub use like::create_like;
pub use partitions::{PARTITION_POSITIONS, Partition, partitions};
pub(crate) use partitions::{drop_partition, extend, last_position};
pub use reads::{Reads, of_company, of_each_shard, union_of_shards};
pub use to_schemas::{MoveError, MoveProgress, to_schemas};
pub use views::replace_in_views;
pub(crate) use views::{create_views, drop_views};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    One,
    Schemas,
}

/// Where all tables stand in layout `one`, and in layout `schemas` the tables without a shard.
const PUBLIC: &str = "public";

/// The tables of a shard: those of `migrations/shard` except the ones in [`WITHOUT_A_SHARD`].
pub const TABLES: [&str; 41] = [
    "log_shard",
    "event",
    "event_archive",
    "event_archive_business",
    "command_key",
    "business_head",
    "sale_state",
    "transfer_state",
    "tree_head",
    "projection_checkpoint",
    "effect_checkpoint",
    "sale",
    "sale_return",
    "receivables_schedule",
    "balance",
    "journal",
    "balance_daily",
    "statement_line",
    "statement_daily",
    "transfer",
    "daily_transfers",
    "platform_transfers_daily",
    "daily_sales",
    "hourly_sales",
    "monthly_sales",
    "platform_sales_daily",
    "platform_sales_hourly",
    "platform_sales_monthly",
    "platform_sales_by_attribute",
    "platform_sales_hourly_by_attribute",
    "platform_sales_monthly_by_attribute",
    "platform_fees_daily",
    "platform_fees_monthly",
    "platform_revenue_daily",
    "daily_outcomes",
    "platform_outcomes_daily",
    "platform_outcomes_monthly",
    "hold",
    "hold_step",
    "reserve_piece",
    "reserve_day",
];

/// Tables that files of `migrations/shard` create and that stand in `public` in both layouts. A sale is claimed over all
/// shards; the others are not of a shard.
#[cfg(test)]
const WITHOUT_A_SHARD: [&str; 3] = ["sale_claim", "payout_step", "composition_run"];

#[derive(Debug, Error)]
pub enum LayoutError {
    #[error(
        "the tables are being moved to the layout `schemas`: run `razao migrate --layout schemas` to its end"
    )]
    Moving,
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// Tables that stand in one schema, and the shards whose rows they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub schema: String,
    pub shards: Vec<Shard>,
}

impl Layout {
    /// The layout of the database.
    pub async fn of(client: &impl GenericClient) -> Result<Self, LayoutError> {
        let row = client
            .query_typed_one(
                "SELECT to_regclass('public.layout_move') IS NOT NULL, to_regclass('s0.event') IS NOT NULL",
                &[],
            )
            .await?;
        match (row.get(0), row.get(1)) {
            (true, _) => Err(LayoutError::Moving),
            (false, true) => Ok(Self::Schemas),
            (false, false) => Ok(Self::One),
        }
    }

    pub fn places(self) -> Vec<Place> {
        match self {
            Self::One => vec![Place {
                schema: PUBLIC.to_owned(),
                shards: Shard::all().collect(),
            }],
            Self::Schemas => Shard::all()
                .map(|shard| Place {
                    schema: schema_of(shard),
                    shards: vec![shard],
                })
                .collect(),
        }
    }

    /// The table of this shard, for a statement of a session that sees those of all.
    pub(crate) fn table(self, shard: Shard, name: &str) -> String {
        match self {
            Self::One => format!("{PUBLIC}.{name}"),
            Self::Schemas => format!("{}.{name}", schema_of(shard)),
        }
    }

    /// What stands before a table's name for the tables of this shard.
    pub(crate) fn prefix(self, shard: Shard) -> String {
        self.table(shard, "")
    }

    /// A transaction that reads and writes the tables of the shard, and in layout `one` those of all.
    pub async fn begin(
        self,
        client: &mut Object,
        shard: Shard,
    ) -> Result<Transaction<'_>, tokio_postgres::Error> {
        let tx = client.transaction().await?;
        if self == Self::Schemas {
            let path = search_path(shard);
            tx.batch_execute(&format!("SET LOCAL search_path = {path}"))
                .await?;
        }
        Ok(tx)
    }
}

/// A session's search path that finds the shard's tables in both layouts, because a schema that does not exist is
/// passed over.
pub fn search_path(shard: Shard) -> String {
    format!("{}, {PUBLIC}", schema_of(shard))
}

/// From now on the session reads and writes the tables of this shard, and in layout `one` those of all.
pub(crate) async fn enter(client: &impl GenericClient, shard: Shard) -> Result<(), tokio_postgres::Error> {
    let path = search_path(shard);
    client.batch_execute(&format!("SET search_path = {path}")).await
}

/// Ends [`enter`].
pub(crate) async fn leave(client: &impl GenericClient) -> Result<(), tokio_postgres::Error> {
    client.batch_execute("RESET search_path").await
}

fn schema_of(shard: Shard) -> String {
    format!("s{shard}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;
    use std::collections::BTreeSet;

    #[test]
    fn the_tables_are_those_of_the_shards_migrations() {
        let mut tables = BTreeSet::new();
        for migration in MIGRATIONS.iter().filter(|one| one.name.starts_with("shard/")) {
            let words: Vec<_> = migration
                .sql
                .lines()
                .filter(|line| !line.trim_start().starts_with("--"))
                .flat_map(str::split_whitespace)
                .map(|word| word.trim_end_matches(';'))
                .collect();
            for three in words.windows(3) {
                match three {
                    ["CREATE", "TABLE", name] => _ = tables.insert(*name),
                    ["DROP", "TABLE", name] => _ = tables.remove(name),
                    _ => {}
                }
            }
        }
        let known: BTreeSet<_> = TABLES.into_iter().chain(WITHOUT_A_SHARD).collect();
        assert_eq!(tables, known);
    }

    #[test]
    fn a_shard_has_a_schema_of_its_own() {
        let places = Layout::Schemas.places();
        let shards: Vec<_> = places.iter().flat_map(|place| place.shards.clone()).collect();
        assert_eq!(shards, Shard::all().collect::<Vec<_>>());
        assert_eq!(places[3].schema, "s3");
        assert_eq!(Layout::One.places().len(), 1);
    }
}
