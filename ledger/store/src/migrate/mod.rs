//! Applies the numbered SQL files of `migrations/`, which are compiled in: in order, each once, each in its own
//! transaction.
//!
//! The SQL of an applied file must not be edited, because the database would not follow. The next start refuses it.
//! Lines of comments may be edited.

use std::time::Duration;

use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};

use crate::layout::{Layout, LayoutError, MoveError, MoveProgress, create_views, drop_views, to_schemas};

#[derive(Debug, Clone, Copy)]
pub struct Migration {
    pub version: i32,
    pub name: &'static str,
    pub sql: &'static str,
}

macro_rules! migrations {
    ($(($version:literal, $name:literal)),* $(,)?) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../../../../migrations/", $name, ".sql")),
        }),*]
    };
}

/// Add a file and its line here. `shard` has the tables of the shards: the log, the states, the read models and the
/// checkpoints; in layout `schemas` its files are applied to the tables of each shard. `public` has the other tables, and
/// the functions and types of both. The numbers are one series over both.
pub const MIGRATIONS: &[Migration] = migrations![
    (1, "shard/0001_log"),
    (2, "shard/0002_append"),
    (3, "shard/0003_read_models"),
    (4, "public/0004_users"),
    (5, "public/0005_companies"),
    (6, "public/0006_prices_and_terminals"),
    (7, "public/0007_payments"),
    (8, "public/0008_reconciliation"),
    (9, "public/0009_reports"),
    (10, "public/0010_row_chains"),
    (11, "shard/0011_append_rows"),
    (12, "public/0012_returned_withdrawals"),
    (13, "shard/0013_composition"),
    (14, "public/0014_provider_numbers"),
    (15, "shard/0015_installment_gross"),
    (16, "shard/0016_parts_of_sales"),
    (17, "public/0017_audit_log_list"),
    (18, "shard/0018_given_back_fees"),
    (19, "public/0019_refunds_of_parts"),
    (20, "shard/0020_holds"),
    (21, "shard/0021_withdrawal_execution"),
    (22, "shard/0022_payment_names"),
    (23, "public/0023_payment_names"),
    (24, "public/0024_holds"),
    (25, "public/0025_hold_documents"),
    (26, "shard/0026_debts"),
    (27, "public/0027_write_offs"),
    (28, "shard/0028_reserve"),
    (29, "public/0029_reserve_rules"),
    (30, "shard/0030_holds_of_a_case"),
    (31, "shard/0031_names_of_transfers"),
    (32, "public/0032_processes"),
    (33, "shard/0033_ownership_by_shard"),
    (34, "public/0034_rate_limits"),
    (35, "shard/0035_claims"),
    (36, "shard/0036_outcomes"),
    (37, "public/0037_take_shards"),
    (38, "shard/0038_event_archive"),
    (39, "public/0039_audit_verification"),
    (40, "public/0040_database_restore"),
    (41, "public/0041_log_checkpoints"),
    (42, "public/0042_waiting_work"),
    (43, "public/0043_late_charges"),
    (44, "public/0044_withdrawal_schedules"),
];

/// The migrations up to this version are the baseline. A database with another baseline cannot be migrated.
const BASELINE: i32 = 10;

#[derive(Debug, Error)]
pub enum MigrateError {
    #[error(
        "the database is of an earlier version, which this program cannot migrate: it needs an empty one"
    )]
    OtherBaseline,
    #[error("the SQL of {name} was edited after it was applied: add a new file instead")]
    Edited { name: &'static str },
    #[error("the database has version {version}, which this program does not know")]
    Newer { version: i32 },
    #[error(
        "the database lacks {missing} migrations, from {first} on: run `razao migrate`, or start with `serve --migrate`"
    )]
    Behind { missing: usize, first: &'static str },
    #[error(
        "{name}: other sessions held its tables for {LOCK_SECONDS} seconds, {TRIES_MAX} times; nothing of it was applied. \
         Try again when long statements and dumps have ended, or stop the program"
    )]
    Locked { name: &'static str },
    #[error("{name}: {}", described(source))]
    Refused {
        name: &'static str,
        source: tokio_postgres::Error,
    },
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// The driver's own text omits the database's message.
fn described(error: &tokio_postgres::Error) -> String {
    error
        .as_db_error()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// A migration that waits for a lock makes all later statements on the table wait behind it. So it waits shortly, lets
/// them pass, and tries again.
const LOCK_SECONDS: u64 = 5;
const TRIES_MAX: u32 = 12;
const PAUSE: Duration = Duration::from_secs(2);

/// `RAZAO` in ASCII and 1.
const LOCK: i64 = 0x5241_5a41_4f01;

/// Followers lock their checkpoints and then write their tables. A migration takes its locks in the same order, so that
/// it cannot deadlock with the followers of a program that still runs.
const LOCK_FOLLOWERS: &str = "DO $$
    DECLARE checkpoints text;
    BEGIN
        FOREACH checkpoints IN ARRAY ARRAY['projection_checkpoint', 'effect_checkpoint'] LOOP
            IF to_regclass(checkpoints) IS NOT NULL THEN
                EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', checkpoints);
            END IF;
        END LOOP;
    END $$";

/// In the order of an append that runs at the same time, so that the two cannot wait for each other.
const LOCK_LOG: &str = "LOCK TABLE log_shard, event IN ACCESS EXCLUSIVE MODE";

/// The program that still runs cannot append any more, whatever state it has in memory. The one that migrates need not
/// wait for its leases.
async fn end_leases(tx: &Transaction<'_>, layout: Layout) -> Result<(), tokio_postgres::Error> {
    for place in layout.places() {
        let end = format!(
            "UPDATE {}.log_shard SET epoch = epoch + 1, lease_until = '-infinity'",
            place.schema
        );
        tx.batch_execute(&end).await?;
    }
    Ok(())
}

/// The functions that record a batch. Most migrations that replace one replace all.
const APPEND: [&str; 3] = ["append_events", "append_shard", "append_rows"];

impl Migration {
    /// SHA-256 of the SQL without its lines of comments and its blank lines.
    fn digest(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        let is_sql = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("--");
        for line in self.sql.lines().filter(is_sql) {
            digest.update(line);
            digest.update("\n");
        }
        digest.finalize().into()
    }

    /// Whether a program applied this SQL, if it stored this digest.
    fn has_digest(&self, stored: &[u8]) -> bool {
        stored == self.digest()
    }

    /// Applies the SQL, in layout `schemas` to the tables of each shard if it is about those.
    async fn apply(&self, tx: &Transaction<'_>, layout: Layout) -> Result<(), tokio_postgres::Error> {
        if layout == Layout::One || !self.name.starts_with("shard/") {
            return tx.batch_execute(self.sql).await;
        }
        drop_views(tx).await?;
        for place in layout.places() {
            tx.batch_execute(&format!("SET LOCAL search_path = {}, public", place.schema))
                .await?;
            tx.batch_execute(self.sql).await?;
        }
        tx.batch_execute("SET LOCAL search_path = public").await?;
        create_views(tx).await
    }

    /// Whether a program that was written before it can no longer append.
    fn replaces_append(&self) -> bool {
        APPEND
            .iter()
            .any(|name| self.sql.contains(&format!("DROP FUNCTION {name}")))
    }
}

/// Applies the missing migrations and returns their names. If several processes start at once, one does the work.
pub async fn run(client: &mut Client) -> Result<Vec<&'static str>, MigrateError> {
    run_list(client, MIGRATIONS).await
}

/// As `run`, and then moves the tables of the shards to layout `schemas`, or goes on with an interrupted move. Returns
/// whether it moved them. `partition` is the number of positions of a partition of events. For times when no process
/// runs.
pub async fn run_to_schemas(
    client: &mut Client,
    partition: i64,
    progress: impl FnMut(MoveProgress),
) -> Result<bool, MigrateToSchemasError> {
    match run(client).await {
        Ok(_) | Err(MigrateError::Layout(LayoutError::Moving)) => {}
        Err(error) => return Err(error.into()),
    }
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await?;
    let moved = to_schemas(client, partition, progress).await;
    let unlocked = client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).await;
    let moved = moved?;
    unlocked?;
    Ok(moved)
}

#[derive(Debug, Error)]
pub enum MigrateToSchemasError {
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// Whether a program with another baseline migrated the database.
pub async fn has_other_baseline(client: &Client) -> Result<bool, tokio_postgres::Error> {
    if !has_table(client).await? {
        return Ok(false);
    }
    let baseline = "SELECT version, sha256 FROM schema_migration WHERE version <= $1";
    let applied = client.query(baseline, &[&BASELINE]).await?;
    Ok(applied.iter().any(|row| {
        let own = MIGRATIONS.iter().find(|one| one.version == row.get::<_, i32>(0));
        own.is_none_or(|own| !own.has_digest(row.get(1)))
    }))
}

/// As `run`, with another list: a test of a later migration stops before it, or adds one.
pub async fn run_list(
    client: &mut Client,
    migrations: &[Migration],
) -> Result<Vec<&'static str>, MigrateError> {
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await?;
    let applied = apply(client, migrations).await;
    let unlocked = client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).await;
    // The cause comes first: if the connection was lost, unlocking fails too.
    let names = applied?;
    unlocked?;
    Ok(names)
}

async fn apply(client: &mut Client, migrations: &[Migration]) -> Result<Vec<&'static str>, MigrateError> {
    // Even where the table exists, the statement below takes a privilege that a running program need not have.
    if !has_table(client).await? {
        client
            .batch_execute(
                "CREATE TABLE IF NOT EXISTS schema_migration (
                     version integer PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,
                     applied_at timestamptz NOT NULL DEFAULT now())",
            )
            .await?;
    }
    let layout = Layout::of(client).await?;
    let mut names = vec![];
    for migration in missing(client, migrations).await? {
        apply_one(client, migration, layout).await?;
        names.push(migration.name);
    }
    Ok(names)
}

async fn has_table(client: &Client) -> Result<bool, tokio_postgres::Error> {
    let known = "SELECT to_regclass('schema_migration') IS NOT NULL";
    Ok(client.query_one(known, &[]).await?.get(0))
}

/// Refuses a database with migrations that are not of this list.
async fn missing<'a>(
    client: &Client,
    migrations: &'a [Migration],
) -> Result<Vec<&'a Migration>, MigrateError> {
    let applied = client
        .query(
            "SELECT version, sha256 FROM schema_migration ORDER BY version",
            &[],
        )
        .await?;
    for row in &applied {
        let version: i32 = row.get(0);
        let migration = migrations
            .iter()
            .find(|m| m.version == version)
            .ok_or(MigrateError::Newer { version })?;
        if !migration.has_digest(row.get(1)) {
            return Err(match version {
                ..=BASELINE => MigrateError::OtherBaseline,
                _ => MigrateError::Edited { name: migration.name },
            });
        }
    }
    let is_applied = |version| applied.iter().any(|row| row.get::<_, i32>(0) == version);
    let missing = migrations
        .iter()
        .filter(|migration| !is_applied(migration.version));
    Ok(missing.collect())
}

/// Refuses a database that lacks a migration, and changes nothing.
pub async fn check(client: &Client) -> Result<(), MigrateError> {
    let missing = match has_table(client).await? {
        true => missing(client, MIGRATIONS).await?,
        false => MIGRATIONS.iter().collect(),
    };
    match missing.first() {
        None => Ok(()),
        Some(first) => Err(MigrateError::Behind {
            missing: missing.len(),
            first: first.name,
        }),
    }
}

async fn apply_one(client: &mut Client, migration: &Migration, layout: Layout) -> Result<(), MigrateError> {
    for _ in 0..TRIES_MAX {
        match try_one(client, migration, layout).await {
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                tracing::warn!(
                    migration = migration.name,
                    "other sessions hold its tables: trying again"
                );
                tokio::time::sleep(PAUSE).await;
            }
            applied => {
                return applied.map_err(|source| MigrateError::Refused {
                    name: migration.name,
                    source,
                });
            }
        }
    }
    Err(MigrateError::Locked { name: migration.name })
}

async fn try_one(
    client: &mut Client,
    migration: &Migration,
    layout: Layout,
) -> Result<(), tokio_postgres::Error> {
    let transaction = client.transaction().await?;
    transaction
        .batch_execute(&format!("SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
        .await?;
    transaction.batch_execute(LOCK_FOLLOWERS).await?;
    if migration.replaces_append() {
        transaction.batch_execute(LOCK_LOG).await?;
    }
    migration.apply(&transaction, layout).await?;
    if migration.replaces_append() {
        end_leases(&transaction, layout).await?;
    }
    transaction
        .execute(
            "INSERT INTO schema_migration (version, name, sha256) VALUES ($1, $2, $3)",
            &[
                &migration.version,
                &migration.name,
                &migration.digest().as_slice(),
            ],
        )
        .await?;
    transaction.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const fn migration(sql: &'static str) -> Migration {
        Migration {
            version: 1,
            name: "0001_test",
            sql,
        }
    }

    #[test]
    fn the_digest_depends_on_the_sql_and_not_on_the_comments() {
        let applied = migration("-- A table.\nCREATE TABLE a (\n    -- A number.\n    n int\n);\n").digest();
        let reworded = migration("-- One table.\n\nCREATE TABLE a (\n    n int\n);\n");
        assert!(reworded.has_digest(&applied));
        for edited in [
            "CREATE TABLE a (\n    n bigint\n);\n",
            "CREATE TABLE a (\n    n int -- A number.\n);\n",
            "CREATE TABLE a (\n    n int\n);\nSELECT 1;\n",
            "CREATE TABLE a (\n    n int);\n",
        ] {
            assert!(!migration(edited).has_digest(&applied), "{edited}");
        }
    }

    #[test]
    fn the_list_matches_the_folders() {
        let mut files = BTreeSet::new();
        for folder in ["public", "shard"] {
            let path = format!("{}/../../migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
            for entry in std::fs::read_dir(path).expect("a folder of migrations") {
                let name = entry.expect("a file").file_name();
                files.insert(format!("{folder}/{}", name.into_string().expect("a plain name")));
            }
        }
        let listed: BTreeSet<String> = MIGRATIONS.iter().map(|m| format!("{}.sql", m.name)).collect();
        assert_eq!(listed, files);
    }

    #[test]
    fn migrations_that_replace_the_append_are_recognized() {
        // Only the first one may name the function without being recognized: it creates it.
        let named = |migration: &&Migration| migration.sql.contains("FUNCTION append_");
        let versions = |list: Vec<&Migration>| list.iter().map(|one| one.version).collect::<Vec<_>>();
        let creating = MIGRATIONS
            .iter()
            .filter(named)
            .filter(|one| !one.replaces_append());
        assert_eq!(versions(creating.collect()), [2]);
    }

    /// Layout `schemas` applies a file of `shard` to each of 16 schemas, and functions and types stand in `public` once.
    /// The files up to this one are applied before a database gets that layout.
    const BEFORE_LAYOUTS: i32 = 37;

    #[test]
    fn files_of_shards_have_tables_only() {
        let later = MIGRATIONS.iter().filter(|one| one.version > BEFORE_LAYOUTS);
        for migration in later.filter(|one| one.name.starts_with("shard/")) {
            let words: Vec<_> = migration.sql.split_whitespace().collect();
            for kind in ["FUNCTION", "TYPE", "VIEW"] {
                assert!(!words.contains(&kind), "{} has a {kind}", migration.name);
            }
        }
    }

    #[test]
    fn each_header_says_what_the_migration_locks() {
        for migration in MIGRATIONS {
            let header = migration.sql.lines().take_while(|line| line.starts_with("--"));
            let says = header
                .map(str::to_lowercase)
                .any(|line| line.contains(" locks ") || line.contains(" lock "));
            assert!(says, "{}", migration.name);
        }
    }

    #[test]
    fn versions_ascend_and_match_the_file_names() {
        assert!(MIGRATIONS.is_sorted_by(|one, next| one.version < next.version));
        for migration in MIGRATIONS {
            assert!(
                migration.name.contains(&format!("/{:04}_", migration.version)),
                "{}",
                migration.name
            );
            assert!(
                migration.sql.starts_with("-- "),
                "{} has no header comment",
                migration.name
            );
        }
    }
}
