//! Applies the numbered SQL files of `migrations/`, which are compiled in: in order, each once, each in its own
//! transaction.
//!
//! The SQL of an applied file must not be edited, because the database would not follow. The next start refuses it.
//! Lines of comments may be edited.

mod earlier_digests;

use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::Client;

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
            sql: include_str!(concat!("../../../migrations/", $name, ".sql")),
        }),*]
    };
}

/// Add a file and its line here.
pub const MIGRATIONS: &[Migration] = migrations![
    (1, "0001_event_log"),
    (2, "0002_read_models"),
    (3, "0003_back_office"),
    (4, "0004_people"),
    (5, "0005_effects"),
    (6, "0006_mail"),
    (7, "0007_unreadable_rows"),
    (8, "0008_transfer_updated_by"),
    (9, "0009_back_office_changes"),
    (10, "0010_tree_head_numbers"),
    (11, "0011_statement_axes"),
    (12, "0012_time_zones"),
    (13, "0013_back_office_steps"),
    (14, "0014_sale_schedule_in_sale"),
    (15, "0015_daily_sales_by_link"),
    (16, "0016_plan_changes"),
    (17, "0017_terminal_state"),
    (18, "0018_companies"),
    (19, "0019_held_for_sales"),
    (20, "0020_platform_settings"),
    (21, "0021_registry_lists"),
    (22, "0022_documents"),
    (23, "0023_plan_impact"),
    (24, "0024_contact_messages"),
    (25, "0025_second_people"),
    (26, "0026_user_words"),
    (27, "0027_payment_links"),
    (28, "0028_orders"),
    (29, "0029_settlements"),
    (30, "0030_acquirer_routes"),
    (31, "0031_buyers"),
    (32, "0032_reports"),
    (33, "0033_boleto_pix"),
    (34, "0034_fence_on_position"),
    (35, "0035_unanswered_cards"),
    (36, "0036_report_views"),
    (37, "0037_report_emails"),
    (38, "0038_operations"),
    (39, "0039_platform_sums"),
    (40, "0040_daily_transfers"),
    (41, "0041_claims"),
    (42, "0042_platform_months"),
    (43, "0043_append_reference_version"),
    (44, "0044_negative_balances"),
    (45, "0045_other_platform_fees"),
    (46, "0046_interrupted_uploads"),
];

#[derive(Debug, Error)]
pub enum MigrateError {
    #[error("the SQL of {name} was edited after it was applied: add a new file instead")]
    Edited { name: &'static str },
    #[error("the database has version {version}, which this program does not know")]
    Newer { version: i32 },
    #[error("{name}: {}", described(source))]
    Refused {
        name: &'static str,
        source: tokio_postgres::Error,
    },
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// The driver's own text omits the database's message.
fn described(error: &tokio_postgres::Error) -> String {
    error
        .as_db_error()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// `RAZAO` in ASCII and 1.
const LOCK: i64 = 0x5241_5a41_4f01;

/// Followers lock their checkpoints and then write their tables. A migration takes its locks in the same order, so that
/// it cannot deadlock with the followers of a program that still runs.
const LOCK_FOLLOWERS: &str = "DO $$
    DECLARE checkpoints text;
    BEGIN
        FOREACH checkpoints IN ARRAY ARRAY['projection_checkpoint', 'reactor_checkpoint'] LOOP
            IF to_regclass(checkpoints) IS NOT NULL THEN
                EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', checkpoints);
            END IF;
        END LOOP;
    END $$";

/// In the order of an append that runs at the same time, so that the two cannot wait for each other.
const LOCK_LOG: &str = "LOCK TABLE log_shard, event IN ACCESS EXCLUSIVE MODE";

/// The program that still runs cannot append any more, whatever state it has in memory. The one that migrates need not
/// wait for its leases.
const END_LEASES: &str = "UPDATE log_shard SET epoch = epoch + 1, lease_until = '-infinity'";

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
        stored == self.digest() || earlier_digests::is_of_whole_file(self.version, stored)
    }

    /// Whether a program that was written before it can no longer append.
    fn replaces_append(&self) -> bool {
        self.sql.contains("DROP FUNCTION append_events")
    }
}

/// Applies the missing migrations and returns their names. If several processes start at once, one does the work.
pub async fn run(client: &mut Client) -> Result<Vec<&'static str>, MigrateError> {
    run_list(client, MIGRATIONS).await
}

/// Applies the missing migrations up to a version, for tests of the later ones on a filled database.
pub async fn run_to(client: &mut Client, version: i32) -> Result<Vec<&'static str>, MigrateError> {
    let listed = MIGRATIONS.partition_point(|migration| migration.version <= version);
    run_list(client, &MIGRATIONS[..listed]).await
}

async fn run_list(
    client: &mut Client,
    migrations: &'static [Migration],
) -> Result<Vec<&'static str>, MigrateError> {
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await?;
    let applied = apply(client, migrations).await;
    let unlocked = client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).await;
    // The cause comes first: if the connection was lost, unlocking fails too.
    let names = applied?;
    unlocked?;
    Ok(names)
}

async fn apply(
    client: &mut Client,
    migrations: &'static [Migration],
) -> Result<Vec<&'static str>, MigrateError> {
    client
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS schema_migration (
                 version integer PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,
                 applied_at timestamptz NOT NULL DEFAULT now())",
        )
        .await?;
    let mut names = vec![];
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
            return Err(MigrateError::Edited { name: migration.name });
        }
    }
    for migration in migrations {
        if applied
            .iter()
            .any(|row| row.get::<_, i32>(0) == migration.version)
        {
            continue;
        }
        let refused = |source| MigrateError::Refused {
            name: migration.name,
            source,
        };
        let transaction = client.transaction().await?;
        transaction.batch_execute(LOCK_FOLLOWERS).await.map_err(refused)?;
        if migration.replaces_append() {
            transaction.batch_execute(LOCK_LOG).await.map_err(refused)?;
        }
        transaction.batch_execute(migration.sql).await.map_err(refused)?;
        if migration.replaces_append() {
            transaction.batch_execute(END_LEASES).await.map_err(refused)?;
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
        transaction.commit().await.map_err(refused)?;
        names.push(migration.name);
    }
    Ok(names)
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
    fn the_digest_of_a_whole_file_belongs_to_one_migration() {
        // That of migration 8, which earlier programs stored.
        let stored = hex::decode("f27cc55ed3524e41624c11b1bd2b07c0d7f4e65883a63a3a3b2c1d23a197bfa3")
            .expect("hexadecimal");
        let accepting: Vec<_> = MIGRATIONS.iter().filter(|one| one.has_digest(&stored)).collect();
        assert_eq!(accepting.iter().map(|one| one.version).collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn the_list_matches_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder of migrations")
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .into_string()
                    .expect("a plain name")
            })
            .collect();
        let listed: BTreeSet<String> = MIGRATIONS.iter().map(|m| format!("{}.sql", m.name)).collect();
        assert_eq!(listed, files);
    }

    #[test]
    fn migrations_that_replace_the_append_are_recognized() {
        let replacing = MIGRATIONS.iter().filter(|migration| migration.replaces_append());
        let versions: Vec<_> = replacing.map(|migration| migration.version).collect();
        assert_eq!(versions, [19, 34, 41, 43]);
        // Only the first migration may name the function without being recognized: it creates it.
        let named = |migration: &&Migration| migration.sql.contains("FUNCTION append_events");
        let named = MIGRATIONS.iter().filter(named).map(|migration| migration.version);
        assert_eq!(named.collect::<Vec<_>>(), [1, 19, 34, 41, 43]);
    }

    #[test]
    fn versions_ascend_and_match_the_file_names() {
        assert!(MIGRATIONS.is_sorted_by(|one, next| one.version < next.version));
        for migration in MIGRATIONS {
            assert!(
                migration.name.starts_with(&format!("{:04}_", migration.version)),
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
