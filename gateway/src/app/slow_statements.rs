//! Names the statements that take long, with the route or task that waits for them.
//!
//! The program's statements pass through no common place: functions take any client of the driver. So the server is
//! asked what it is at. That costs a statement four times a second, whatever the load, and the statements themselves
//! nothing. The pool tells for which work a session was taken last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use deadpool_postgres::{ClientWrapper, Hook, HookError, Pool};
use ledger_store::Supervisor;
use ledger_store::log::sessions_of;
use ledger_store::supervisor::{Supervised, current_work};
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Of the digest of a statement's text.
const DIGITS: usize = 8;
/// Work of the lanes, whose sessions are not of a pool.
const WRITER: &str = "writer";
const UNKNOWN: &str = "(none)";

/// The sessions of this process's pools, and the work that each was taken for last.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<HashMap<usize, Session>>>);

struct Session {
    pid: i32,
    work: Option<Arc<str>>,
}

impl Sessions {
    /// Asks a new session for its process id, in the task that takes it.
    pub fn created(&self) -> Hook {
        let sessions = self.clone();
        Hook::async_fn(move |client: &mut ClientWrapper, _| {
            let sessions = sessions.clone();
            Box::pin(async move {
                let row = client.query_typed_one("SELECT pg_backend_pid()", &[]).await;
                let pid = row.map_err(HookError::Backend)?.get(0);
                let session = Session {
                    pid,
                    work: current_work(),
                };
                let mut all = sessions.all();
                // The process id of a session that ended may be another one's now.
                all.retain(|_, known| known.pid != pid);
                all.insert(key(client), session);
                Ok(())
            })
        })
    }

    pub fn taken(&self) -> Hook {
        let sessions = self.clone();
        Hook::sync_fn(move |client: &mut ClientWrapper, _| {
            if let Some(session) = sessions.all().get_mut(&key(client)) {
                session.work = current_work();
            }
            Ok(())
        })
    }

    fn pids(&self) -> Vec<i32> {
        self.all().values().map(|session| session.pid).collect()
    }

    fn work_of(&self, pid: i32) -> Option<Arc<str>> {
        let all = self.all();
        let session = all.values().find(|session| session.pid == pid)?;
        session.work.clone()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<usize, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the sessions of a pool apart: each keeps its cache of statements for as long as it lives.
fn key(client: &ClientWrapper) -> usize {
    Arc::as_ptr(&client.statement_cache).addr()
}

#[derive(Debug, Error)]
pub enum LookError {
    #[error(transparent)]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

pub struct SlowStatements {
    pool: Pool,
    sessions: Sessions,
    owner: String,
    limit: Duration,
    /// Those that are still running, by session and start.
    running: Mutex<HashMap<(i32, DateTime<Utc>), Slow>>,
}

struct Slow {
    statement: String,
    work: Arc<str>,
    milliseconds: i64,
}

impl SlowStatements {
    pub fn new(pool: Pool, sessions: Sessions, owner: String, limit: Duration) -> Self {
        Self {
            pool,
            sessions,
            owner,
            limit,
            running: Mutex::default(),
        }
    }

    pub fn start(self, supervisor: &Supervisor) -> Supervised {
        let watch = Arc::new(self);
        supervisor.every("watch over slow statements", LOOK_EVERY, move || {
            let watch = Arc::clone(&watch);
            async move { watch.look().await }
        })
    }

    /// Keeps what runs, and reports what has ended since the last look with the longest duration that was seen.
    async fn look(&self) -> Result<(), LookError> {
        let rows = self.read().await?;
        let mut before = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *running)
        };
        let mut now = HashMap::new();
        for row in &rows {
            let (pid, began): (i32, DateTime<Utc>) = (row.get(0), row.get(1));
            let milliseconds = row.get(2);
            let slow = match before.remove(&(pid, began)) {
                Some(known) => Slow {
                    milliseconds,
                    ..known
                },
                None => self.first_seen(pid, row.get(3), milliseconds),
            };
            now.insert((pid, began), slow);
        }
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = now;
        for slow in before.into_values() {
            slow.report();
        }
        Ok(())
    }

    fn first_seen(&self, pid: i32, text: &str, milliseconds: i64) -> Slow {
        let work = match self.sessions.pids().contains(&pid) {
            true => self.sessions.work_of(pid).unwrap_or_else(|| UNKNOWN.into()),
            false => WRITER.into(),
        };
        Slow {
            statement: name(text),
            work,
            milliseconds,
        }
    }

    /// The lanes' sessions hold the lock of their process.
    async fn read(&self) -> Result<Vec<Row>, LookError> {
        let client = self.pool.get().await?;
        let limit = i64::try_from(self.limit.as_millis()).unwrap_or(i64::MAX);
        let rows = client
            .query_typed(
                &format!(
                    "SELECT pid, query_start, (extract(epoch FROM clock_timestamp() - query_start) * 1000)::int8, query
                       FROM pg_stat_activity
                      WHERE state = 'active' AND pid <> pg_backend_pid()
                        AND query_start < clock_timestamp() - interval '1 millisecond' * $1
                        AND (pid = ANY ($2) OR pid IN ({}))",
                    sessions_of("$3")
                ),
                &[
                    (&limit, Type::INT8),
                    (&self.sessions.pids(), Type::INT4_ARRAY),
                    (&self.owner, Type::TEXT),
                ],
            )
            .await?;
        Ok(rows)
    }
}

impl Slow {
    fn report(self) {
        let Self {
            statement,
            work,
            milliseconds,
        } = self;
        tracing::warn!(statement, work = &*work, milliseconds, "a statement was slow");
        metrics::counter!("razao_slow_statements_total", "statement" => statement).increment(1);
    }
}

/// Such as `SELECT sale 3f2a91c0`: the verb, the first table, and a digest of the text. It has nothing of a value, also
/// if a text had one.
fn name(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let verb: String = words.first().map_or_else(String::new, |verb| {
        verb.chars().take_while(char::is_ascii_alphabetic).collect()
    });
    let after = |pair: &[&str]| {
        let names_table = ["FROM", "INTO", "UPDATE", "JOIN"].contains(&pair[0]);
        let table: String = pair[1]
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'))
            .collect();
        (names_table && !table.is_empty()).then_some(table)
    };
    let table = words.windows(2).find_map(after);
    let table = table.as_deref().map_or("", without_schema);
    let text: Vec<&str> = words.iter().map(|word| without_schema(word)).collect();
    let digest = hex::encode(Sha256::digest(text.join(" ")));
    let parts = [verb.to_ascii_uppercase().as_str(), table, &digest[..DIGITS]]
        .map(str::to_owned)
        .into_iter()
        .filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// In layout `schemas` the tables of each shard are in a schema such as `s3`; it is one statement all the same.
fn without_schema(word: &str) -> &str {
    match word.split_once('.') {
        Some((schema, table)) if is_shard(schema) => table,
        _ => word,
    }
}

fn is_shard(schema: &str) -> bool {
    let number = schema.strip_prefix('s').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_stable_and_has_nothing_of_a_value() {
        let named = name("SELECT id,\n       total\n  FROM sale\n WHERE payer = 'ana@exemplo.com.br'");
        assert_eq!(
            named,
            name("SELECT id, total FROM sale WHERE payer = 'ana@exemplo.com.br'")
        );
        assert!(
            named.starts_with("SELECT sale ") && named.len() == "SELECT sale 12345678".len(),
            "{named}"
        );
        assert_eq!(
            name("SELECT a FROM s3.sale"),
            name("SELECT a FROM s14.sale"),
            "the shards of layout schemas"
        );
        assert_ne!(name("SELECT a FROM sale"), name("SELECT b FROM sale"));
        assert!(
            name("WITH x AS (INSERT INTO row_change VALUES ($1)) SELECT 1").starts_with("WITH row_change ")
        );
        assert!(name("COMMIT").starts_with("COMMIT "));
        assert!(name("").len() == DIGITS);
    }
}
