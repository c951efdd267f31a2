//! The table of an outbox and its statements.
//!
//! Every table has the columns `status` (`waiting` at first), `tries`, `next_try_at`, `paused_until`, `awaits`,
//! `last_error`, `created_at` and `ended_at`, a partial index over `next_try_at` for the condition `open_condition`, and
//! one over `awaits` and `next_try_at` where `awaits` is not null too. `next_try_at` is null if the row has ended or is
//! unreadable.
//!
//! A claim moves `next_try_at` and a pause moves `paused_until` with it. So both are equal while a row waits between two
//! tries, and differ while it is attempted: only a row that waits may be made due.

use crate::claim::Claimable;
use crate::restore::was_restored_sql;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    /// The column with the row's id.
    pub id: &'static str,
    /// The columns that `Outbox::read` needs.
    pub columns: &'static str,
    /// The condition of the rows that have not ended, as in the index.
    pub open_condition: &'static str,
    /// The condition of the open rows that can be late. `$1` is the time after which they are, in milliseconds.
    pub can_be_late: &'static str,
    /// A claim marks a waiting row as `unknown`, so that it is looked up before it is sent again. Without this, a row
    /// stays `waiting` until it ends. That is right only if a second sending does no harm.
    pub has_look_up: bool,
    /// The first claim with `Claimable::OfProvider` writes its provider to the column `provider`.
    pub claim_sets_provider: bool,
    /// The column `updated_at` has the time of the last change.
    pub has_updated_at_column: bool,
    pub unreadable_rows: UnreadableRows,
}

/// How a row that cannot be read leaves its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadableRows {
    /// It gets the status `unreadable` and stays open: its result is still needed.
    KeepOpen,
    /// It ends with this status, like a row that was given up.
    EndAs(&'static str),
}

/// The condition that a row waits between two tries: no process attempts it, and it is not due. A pause that a program
/// without `paused_until` wrote does not count.
const WAITS: &str = "(next_try_at > now() AND next_try_at = paused_until)";

impl Table {
    /// The condition of the rows that are open for longer than expected. `$1` is that time, in milliseconds.
    pub fn late_condition(&self) -> String {
        let Self {
            open_condition,
            can_be_late,
            ..
        } = self;
        format!("{open_condition} AND created_at < now() - interval '1 millisecond' * $1 AND ({can_be_late})")
    }

    /// `$1` is the number of rows, `$2` the lease in milliseconds, `$3` the value of `claimable`. `shards` is the number
    /// of the parameter with the shards of the companies, if not all rows may be claimed; the table then has the column
    /// `business_id`.
    pub(crate) fn claim_sql(&self, claimable: &Claimable, shards: Option<usize>) -> String {
        let Self {
            name,
            id,
            columns,
            open_condition,
            ..
        } = self;
        let (mine, mark) = match claimable {
            Claimable::All => (String::new(), ""),
            Claimable::Where(condition) => (format!(" AND {condition}"), ""),
            Claimable::OfProvider(_) => (
                " AND (provider IS NULL OR provider = $3)".to_owned(),
                ", provider = $3",
            ),
            Claimable::OfKinds(_) => (
                " AND (kind = ANY ($3) OR created_at < now() - interval '15 minutes')".to_owned(),
                "",
            ),
        };
        let of_shards = shards.map_or_else(String::new, |parameter| {
            format!(" AND shard_of(business_id) = ANY (${parameter})")
        });
        let uncertain = if self.has_look_up {
            format!(", status = CASE {name}.status WHEN 'waiting' THEN 'unknown' ELSE {name}.status END")
        } else {
            String::new()
        };
        let status = if self.has_look_up {
            let was_restored = was_restored_sql();
            format!("CASE WHEN status = 'waiting' AND {was_restored} THEN 'unknown' ELSE status END")
        } else {
            "status".to_owned()
        };
        let updated = self.updated();
        format!(
            "WITH chosen AS MATERIALIZED (
                SELECT {id} AS claimed_id, {status} AS claimed_status FROM {name}
                 WHERE {open_condition} AND next_try_at <= now(){mine}{of_shards}
                 ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
             UPDATE {name}
                SET tries = tries + 1, next_try_at = now() + interval '1 millisecond' * $2{uncertain}{mark}{updated}
               FROM chosen
              WHERE {name}.{id} = chosen.claimed_id
          RETURNING claimed_id, claimed_status, tries AS claimed_tries,
                    (extract(epoch FROM now() - created_at) * 1000)::int8 AS claimed_age, {columns}"
        )
    }

    /// `$1` is the id, `$2` the number of the try, `$3` the fault, `$4` the pause in milliseconds, `$5` the silent
    /// provider for which the row waits. A row that has ended, or that another process has claimed since, is not changed.
    pub(crate) fn postpone_sql(&self, status: Option<&'static str>) -> String {
        let Self {
            name,
            id,
            open_condition,
            ..
        } = self;
        let status = status.map_or_else(String::new, |status| format!(", status = '{status}'"));
        let updated = self.updated();
        format!(
            "UPDATE {name}
                SET next_try_at = now() + interval '1 millisecond' * $4,
                    paused_until = now() + interval '1 millisecond' * $4, awaits = $5, last_error = $3{status}{updated}
              WHERE {id} = $1 AND tries = $2 AND {open_condition}"
        )
    }

    /// The providers for which rows wait.
    pub(crate) fn awaited_sql(&self) -> String {
        let Self {
            name, open_condition, ..
        } = self;
        format!("SELECT DISTINCT awaits FROM {name} WHERE {open_condition} AND awaits IS NOT NULL")
    }

    /// Makes rows due that wait between two tries and meet the condition, those that would be due first. `most` is the
    /// number of the parameter with the largest number of rows.
    pub(crate) fn make_due_sql(&self, condition: &str, most: usize) -> String {
        let Self {
            name,
            id,
            open_condition,
            ..
        } = self;
        let updated = self.updated();
        format!(
            "WITH waiting AS MATERIALIZED (
                SELECT {id} AS waiting_id FROM {name}
                 WHERE {open_condition} AND {WAITS} AND {condition}
                 ORDER BY next_try_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
             UPDATE {name} SET next_try_at = now(){updated} FROM waiting WHERE {name}.{id} = waiting.waiting_id"
        )
    }

    /// How a row waits, with its lock: `$1` is the id.
    pub(crate) fn wait_sql(&self) -> String {
        let Self {
            name,
            id,
            open_condition,
            ..
        } = self;
        format!(
            "SELECT {open_condition} AS is_open, next_try_at IS NULL AS is_parked, next_try_at <= now() AS is_due,
                    {WAITS} AS waits, status, tries, last_error,
                    to_char(next_try_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS next_try_at
               FROM {name} WHERE {id} = $1 FOR UPDATE"
        )
    }

    /// `$1` is the id, `$2` the status, `$3` the fault if there is one. A row that has ended is not changed. A result
    /// counts even if another process has claimed the row since.
    pub(crate) fn end_sql(&self) -> String {
        let Self {
            name,
            id,
            open_condition,
            ..
        } = self;
        let updated = self.updated();
        format!(
            "UPDATE {name}
                SET status = $2, ended_at = now(), next_try_at = NULL, awaits = NULL,
                    last_error = coalesce($3, last_error){updated}
              WHERE {id} = $1 AND {open_condition}"
        )
    }

    /// Takes an unreadable row out of its queue. `$1` is the id, `$2` whether the row was never sent.
    pub fn remove_from_queue_sql(&self) -> String {
        let Self {
            name,
            id,
            open_condition,
            ..
        } = self;
        let (status, ended) = match self.unreadable_rows {
            UnreadableRows::KeepOpen => ("unreadable", ""),
            UnreadableRows::EndAs(status) => (status, ", ended_at = now()"),
        };
        let updated = self.updated();
        // A row that was never sent can be sent through any provider later.
        let released = if self.claim_sets_provider {
            ", provider = CASE WHEN $2 THEN NULL ELSE provider END"
        } else {
            ""
        };
        // `$2 IS NOT NULL` is always true. It uses the parameter also where `released` is empty.
        format!(
            "UPDATE {name}
                SET status = '{status}', next_try_at = NULL, last_error = 'unreadable'{ended}{released}{updated}
              WHERE {id} = $1 AND $2 IS NOT NULL AND {open_condition} AND status <> '{status}'"
        )
    }

    /// Puts an unreadable row back into its queue. `$1` is the id. With look-ups, a row that may have been
    /// sent is looked up first.
    pub fn resume_sql(&self) -> String {
        let Self { name, id, .. } = self;
        let status = match (self.has_look_up, self.claim_sets_provider) {
            (false, _) => "'waiting'",
            (true, false) => "'unknown'",
            (true, true) => "CASE WHEN provider IS NULL THEN 'waiting' ELSE 'unknown' END",
        };
        let (reopened, is_unreadable) = match self.unreadable_rows {
            UnreadableRows::KeepOpen => ("", "status = 'unreadable'".to_owned()),
            UnreadableRows::EndAs(status) => (
                ", ended_at = NULL",
                format!("status = '{status}' AND last_error = 'unreadable'"),
            ),
        };
        let updated = self.updated();
        format!(
            "UPDATE {name} SET status = {status}, next_try_at = now(){reopened}{updated} WHERE {id} = $1 AND {is_unreadable}"
        )
    }

    const fn updated(&self) -> &'static str {
        if self.has_updated_at_column {
            ", updated_at = now()"
        } else {
            ""
        }
    }
}
