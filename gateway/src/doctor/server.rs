//! The PostgreSQL server: durability, standbys, sessions, locks, vacuum, statements and disk.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_http::edge::replica::{LAG_MAX, Replica};
use ledger_store::durability::durability;
use tokio::time::sleep;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::{BoxError, Finding, Found, Place, Section, counted};
use crate::app::Database;

/// The program's own transactions take seconds at most, an export or a rebuild some minutes.
const TRANSACTION_LONG_SECONDS: i64 = 10 * 60;
const LOCK_LONG_SECONDS: i64 = 10;
const STANDBY_BEHIND_MS: i64 = 10_000;
/// What an inactive slot keeps of the WAL fills the disk.
const SLOT_KEEPS_MAX: i64 = 1 << 30;
/// Dead rows that no vacuum removed, if they are also more than the living ones.
const DEAD_ROWS_MAX: i64 = 1_000_000;
/// Of the disk, in percent.
const DISK_FREE_MIN: u128 = 10;
/// A name for people, without values: a statement's first words.
const WORDS_OF_STATEMENT: usize = 8;

pub(super) async fn durability_of_commits(place: &Place<'_>) -> Found {
    let durability = durability(place.client).await?;
    let mut findings = vec![];
    if let Some(read_only) = durability.read_only {
        findings.push(Finding::wrong(Section::LogTakesNoEvents, read_only.to_string()));
    }
    if durability.waits_in_vain {
        let what = "commits wait for a synchronous standby of the database, and none is connected";
        findings.push(Finding::wrong(Section::LogTakesNoEvents, what));
    }
    if let Some(weak) = durability.weak {
        findings.push(Finding::wrong(Section::PostgresqlNeedsUpkeep, weak.to_string()));
    }
    Ok(findings)
}

/// The states of standbys are for roles of `pg_read_all_stats`; for others they are null.
pub(super) async fn replication(place: &Place<'_>) -> Found {
    let client = place.client;
    let in_recovery = client.query_typed_one("SELECT pg_is_in_recovery()", &[]).await?;
    // The check of durability says so. A standby does not know its place in the WAL as a primary does.
    if in_recovery.get(0) {
        return Ok(vec![]);
    }
    let standbys = client
        .query_typed(
            "SELECT coalesce(application_name, ''), state, (extract(epoch FROM replay_lag) * 1000)::int8
               FROM pg_stat_replication WHERE state IS NOT NULL",
            &[],
        )
        .await?;
    let standby = |row: &Row| {
        let (name, state, behind): (String, String, Option<i64>) = (row.get(0), row.get(1), row.get(2));
        let fault = match behind {
            Some(behind) if behind > STANDBY_BEHIND_MS => format!("is {} s behind", behind / 1_000),
            _ if state != "streaming" && state != "backup" => format!("is in the state {state}"),
            _ => return None,
        };
        Some(Finding::wrong(
            Section::ReplicaBehind,
            format!("the standby {name} {fault}"),
        ))
    };
    let mut findings: Vec<Finding> = standbys.iter().filter_map(standby).collect();
    let slots = client
        .query_typed(
            "SELECT slot_name::text, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::int8
               FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL",
            &[],
        )
        .await?;
    for row in &slots {
        let (name, kept): (String, i64) = (row.get(0), row.get(1));
        if kept > SLOT_KEEPS_MAX {
            let what = format!(
                "nobody reads the replication slot {name}, and it keeps {} MB of WAL",
                kept >> 20
            );
            findings.push(Finding::wrong(Section::PostgresqlNeedsUpkeep, what));
        }
    }
    Ok(findings)
}

pub(super) async fn sessions(place: &Place<'_>) -> Found {
    let client = place.client;
    let sees = "SELECT pg_has_role('pg_read_all_stats', 'USAGE'), current_user::text";
    let row = client.query_typed_one(sees, &[]).await?;
    let (sees_all, role): (bool, String) = (row.get(0), row.get(1));
    let rows = client
        .query_typed(
            "SELECT pid, coalesce(usename, ''), coalesce(application_name, ''), coalesce(state, ''), xact_start
               FROM pg_stat_activity
              WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
                AND xact_start < now() - interval '1 second' * $1
              ORDER BY xact_start",
            &[(&TRANSACTION_LONG_SECONDS, Type::INT8)],
        )
        .await?;
    let session = |row: &Row| {
        let (pid, user, program, state): (i32, String, String, String) =
            (row.get(0), row.get(1), row.get(2), row.get(3));
        let since: DateTime<Utc> = row.get(4);
        let what = format!("session {pid} of {user} ({program}) has an open transaction: {state}");
        Finding::wrong(Section::SessionsHoldOthersUp, what).since(since)
    };
    let mut findings: Vec<Finding> = rows.iter().map(session).collect();
    if !sees_all {
        findings.push(Finding::note(format!(
            "only sessions of {role} were looked at: GRANT pg_read_all_stats TO {role} shows those of other roles"
        )));
    }
    Ok(findings)
}

pub(super) async fn locks(place: &Place<'_>) -> Found {
    let rows = place
        .client
        .query_typed(
            "SELECT pid, coalesce(relation::regclass::text, locktype), waitstart, pg_blocking_pids(pid)
               FROM pg_locks
              WHERE NOT granted AND (database IS NULL OR database = (SELECT oid FROM pg_database
                                                                      WHERE datname = current_database()))
                AND waitstart < clock_timestamp() - interval '1 second' * $1
              ORDER BY waitstart",
            &[(&LOCK_LONG_SECONDS, Type::INT8)],
        )
        .await?;
    let wait = |row: &Row| {
        let (pid, on): (i32, String) = (row.get(0), row.get(1));
        let (since, blockers): (DateTime<Utc>, Vec<i32>) = (row.get(2), row.get(3));
        let blockers: Vec<_> = blockers.iter().map(ToString::to_string).collect();
        let what = format!(
            "session {pid} waits for a lock on {on}, held by session {}",
            blockers.join(", ")
        );
        Finding::wrong(Section::SessionsHoldOthersUp, what).since(since)
    };
    Ok(rows.iter().map(wait).collect())
}

pub(super) async fn vacuum(place: &Place<'_>) -> Found {
    let row = place
        .client
        .query_typed_one(
            "SELECT age(datfrozenxid)::int8, mxid_age(datminmxid)::int8,
                    current_setting('autovacuum_freeze_max_age')::int8, current_setting('autovacuum')
               FROM pg_database WHERE datname = current_database()",
            &[],
        )
        .await?;
    let (xids, multixacts, frozen_at): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    let section = Section::PostgresqlNeedsUpkeep;
    let mut findings = vec![];
    if row.get::<_, &str>(3) == "off" {
        findings.push(Finding::wrong(section, "autovacuum is off"));
    }
    for (age, of) in [(xids, "transactions"), (multixacts, "multixacts")] {
        if age > frozen_at.saturating_mul(2) {
            let what = format!(
                "the oldest row is {age} {of} old and not frozen, twice what autovacuum allows: at 2147 million the \
                 database takes no more writes"
            );
            findings.push(Finding::wrong(section, what));
        }
    }
    let tables = place
        .client
        .query_typed(
            "SELECT relid::regclass::text, n_dead_tup, greatest(last_vacuum, last_autovacuum)
               FROM pg_stat_user_tables WHERE n_dead_tup > $1 AND n_dead_tup > n_live_tup ORDER BY n_dead_tup DESC",
            &[(&DEAD_ROWS_MAX, Type::INT8)],
        )
        .await?;
    for row in &tables {
        let (table, dead): (String, i64) = (row.get(0), row.get(1));
        let what = format!("{table} has more dead rows than living ones, and no vacuum removes them");
        findings.push(
            Finding::wrong(section, what)
                .since(row.get::<_, Option<_>>(2))
                .rows(dead),
        );
    }
    Ok(findings)
}

/// The slowest by their mean time, where `pg_stat_statements` is installed.
pub(super) async fn slow_statements(place: &Place<'_>) -> Found {
    let installed = "SELECT to_regclass('pg_stat_statements') IS NOT NULL";
    if !place
        .client
        .query_typed_one(installed, &[])
        .await?
        .get::<_, bool>(0)
    {
        return Ok(vec![]);
    }
    let rows = place
        .client
        .query_typed(
            "SELECT query, round(mean_exec_time)::int8, calls FROM pg_stat_statements
              WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND calls >= 10
              ORDER BY mean_exec_time DESC LIMIT 5",
            &[],
        )
        .await?;
    let statement = |row: &Row| {
        let (text, mean, calls): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
        let words: Vec<_> = text.split_whitespace().take(WORDS_OF_STATEMENT).collect();
        Finding::note(format!(
            "{mean} ms on average in {}: {}",
            counted(calls, "call"),
            words.join(" ")
        ))
    };
    Ok(rows.iter().map(statement).collect())
}

/// Of the embedded database, which is on this machine. Of another one its own machine knows.
pub(super) fn disk(place: &Place<'_>) -> Found {
    let folder = &place.config.database.folder;
    let disk = nix::sys::statvfs::statvfs(folder)?;
    let (free, all) = (
        u128::from(disk.blocks_available()),
        u128::from(disk.blocks()).max(1),
    );
    let percent = free.saturating_mul(100) / all;
    if percent >= DISK_FREE_MIN {
        return Ok(vec![]);
    }
    let what = format!("the disk of {} has {percent} % free", folder.display());
    Ok(vec![Finding::wrong(Section::LogTakesNoEvents, what)])
}

pub(super) async fn replica(place: &Place<'_>) -> Found {
    let pool = Database::replica_pool(&place.config.database)?;
    let pool = pool.ok_or_else(|| BoxError::from("RAZAO_READ_DATABASE_URL is not set"))?;
    let replica = Replica::new(pool, place.database.pool().clone());
    let Ok(()) = replica.look().await;
    // What it lacks now must be there after the longest time that a replica may be behind.
    sleep(LAG_MAX + Duration::from_millis(200)).await;
    let Ok(()) = replica.look().await;
    let fault = replica.fault();
    let finding = fault.map(|fault| {
        let what = format!("the replica answers no reads, and the primary does: {fault}");
        Finding::wrong(Section::ReplicaBehind, what)
    });
    Ok(finding.into_iter().collect())
}
