//! The job that reads waiting imports, compares what they changed, and sums up days.
//!
//! A file is claimed with a lease. If its process dies, another one reads the file from the start when the lease has
//! ended. Each batch is written with the import's progress in one transaction. All transactions that compare wait for
//! one another, also those of other processes.

use std::io::{self, Read};
use std::sync::Arc;

use chrono::Days;
use deadpool_postgres::{Pool, Transaction};
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::sale::Provider;
use ledger_rows::get;
use tokio::sync::mpsc;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::files::{Batch, FileFormat, read_file};
use super::reported::ReportedPayment;
use super::stored_rows;
use super::write::{self, KnownSales};
use super::{Context, ReconciliationError, Result, days, imports, provider_number, rematch, uploads};
use crate::acquirers::Acquirers;

/// Each batch renews the lease.
const LEASE_SECONDS: f64 = 60.0;
/// How often the reading of a file is begun before its import fails.
const TRIES_MAX: i32 = 5;
/// The parts that wait for the parser, and the batches that wait to be written. The limit bounds the memory.
const QUEUED_MAX: usize = 2;
const ROWS_PER_COMPARISON: i64 = 2_000;
/// Rows of older sales are no longer matched by their authorization. The last of 21 monthly installments is due about
/// 640 days after its sale.
const AUTHORIZATIONS_MATCHED_FOR: Days = Days::new(700);
/// The key of the advisory lock that lets one comparison run at a time ("settle" in ASCII).
const LOCK: i64 = 0x7365_7474_6c65;

#[derive(Clone)]
pub struct Reconciliation {
    pub pool: Pool,
    pub ids: Ids,
    pub clock: BusinessClock,
    /// The acquirers that are asked for their payments each day.
    pub acquirers: Arc<Acquirers>,
}

/// An import that this process reads. `tries` proves that no other process has claimed it since.
struct ClaimedImport {
    id: Uuid,
    provider: Provider,
    format: FileFormat,
    tries: i32,
}

impl Reconciliation {
    /// Marks days, and then does the work that waits. Asks no acquirer.
    pub async fn run(&self) -> Result<()> {
        self.mark_due_days().await?;
        self.run_waiting().await
    }

    /// Marks days that have begun, and days whose reports are complete now, to be summed up.
    pub async fn mark_due_days(&self) -> Result<()> {
        let mut db = self.pool.get().await?;
        let tx = self.begin_locked(&mut db).await?;
        days::mark_due_days(&*tx, &self.context()).await?;
        Ok(tx.commit().await?)
    }

    /// Reads waiting files, compares marked rows and sums up changed days.
    pub async fn run_waiting(&self) -> Result<()> {
        while let Some(claimed) = self.claim().await? {
            self.read(&claimed).await?;
        }
        while self.compare_page().await? {}
        while self.sum_next().await? {}
        Ok(())
    }

    pub(super) fn context(&self) -> Context {
        Context {
            ids: self.ids.clone(),
            now: self.clock.now(),
        }
    }

    /// Begins a transaction that waits until no other one compares or marks days.
    pub(super) async fn begin_locked<'a>(
        &self,
        db: &'a mut deadpool_postgres::Client,
    ) -> Result<Transaction<'a>> {
        let tx = db.transaction().await?;
        let lock = "SELECT pg_advisory_xact_lock($1)";
        (*tx).query_typed(lock, &[(&LOCK, Type::INT8)]).await?;
        Ok(tx)
    }

    /// Claims the file that has waited longest. Before that, marks imports as failed: files that were begun too often
    /// or stopped arriving, and calls to acquirers (`receivables`) whose lease has ended.
    async fn claim(&self) -> Result<Option<ClaimedImport>> {
        let db = self.pool.get().await?;
        // Usually no import is open. Then this check saves the two writes below.
        let open = "SELECT EXISTS (SELECT FROM settlement_import WHERE state IN ('receiving', 'waiting', 'reading'))";
        if !db.query_typed_one(open, &[]).await?.get::<_, bool>(0) {
            return Ok(None);
        }
        let now = self.clock.now();
        db.execute_typed(
            "WITH ended AS (
                UPDATE settlement_import
                   SET state = 'failed', failure = 'interrupted', ended_at = $1, leased_until = NULL
                 WHERE (state = 'reading' AND leased_until < clock_timestamp()
                        AND (source = 'receivables' OR tries >= $2))
                    OR (state = 'receiving' AND worked_at < clock_timestamp() - interval '1 hour')
                RETURNING id)
             DELETE FROM settlement_file_part WHERE import_id IN (SELECT id FROM ended)",
            &[(&now, Type::TIMESTAMPTZ), (&TRIES_MAX, Type::INT4)],
        )
        .await?;
        let row = db
            .query_typed_opt(
                "UPDATE settlement_import
                    SET state = 'reading', tries = tries + 1, worked_at = clock_timestamp(), bytes_read = 0,
                        lines_read = 0, records_read = 0, records_changed = 0, bad_lines = 0,
                        leased_until = clock_timestamp() + make_interval(secs => $1)
                  WHERE id = (SELECT id FROM settlement_import
                               WHERE source = 'file' AND (state = 'waiting'
                                     OR state = 'reading' AND leased_until < clock_timestamp())
                               ORDER BY worked_at LIMIT 1 FOR UPDATE SKIP LOCKED)
                 RETURNING id, provider, format, tries",
                &[(&LEASE_SECONDS, Type::FLOAT8)],
            )
            .await?;
        row.map(|row| {
            Ok(ClaimedImport {
                id: row.get(0),
                provider: get(&row, 1)?,
                format: get(&row, 2)?,
                tries: row.get(3),
            })
        })
        .transpose()
    }

    /// Reads a file from its first part on. Payments that an earlier try has written count once.
    async fn read(&self, claimed: &ClaimedImport) -> Result<()> {
        let db = self.pool.get().await?;
        for table in ["settlement_bad_line", "settlement_warning"] {
            let sql = format!("DELETE FROM {table} WHERE import_id = $1");
            db.execute_typed(&sql, &[(&claimed.id, Type::UUID)]).await?;
        }
        drop(db);
        let (parts, arriving) = mpsc::channel(QUEUED_MAX);
        let (batches, mut found) = mpsc::channel::<Batch>(QUEUED_MAX);
        let format = claimed.format;
        let parsing = tokio::task::spawn_blocking(move || {
            read_file(format, Parts::new(arriving), |batch| {
                batches.blocking_send(batch).is_ok()
            })
        });
        let writing = async {
            let mut first_day = None;
            while let Some(batch) = found.recv().await {
                let days = batch.rows.iter().filter_map(ReportedPayment::day);
                first_day = first_day.into_iter().chain(days).min();
                self.write(claimed, batch).await?;
            }
            Ok(first_day)
        };
        let (_, first_day) = tokio::try_join!(self.send_parts(claimed.id, parts), writing)?;
        let parsed = parsing
            .await
            .map_err(|error| io::Error::other(error.to_string()))?;
        parsed?;
        self.end(claimed, first_day).await
    }

    /// Sends the parts of a file to its parser, until the last part or the parser's end.
    async fn send_parts(&self, import: Uuid, parts: mpsc::Sender<Vec<u8>>) -> Result<()> {
        for number in 0.. {
            let part = uploads::part(&**self.pool.get().await?, import, number).await?;
            let Some(part) = part else { break };
            if parts.send(part).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    async fn write(&self, claimed: &ClaimedImport, batch: Batch) -> Result<()> {
        let mut db = self.pool.get().await?;
        let tx = self.begin_locked(&mut db).await?;
        let Batch {
            rows,
            bad,
            mended,
            bytes_read,
            lines_read,
        } = batch;
        let (records, bad_count) = (rows.len(), bad.len());
        imports::bad_lines_add(&*tx, claimed.id, &bad).await?;
        imports::warnings_add(&*tx, claimed.id, &mended).await?;
        let changed = write::write_rows(&*tx, &self.context(), claimed.id, claimed.provider, rows).await?;
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let written = (*tx)
            .execute_typed(
                "UPDATE settlement_import
                    SET bytes_read = $3, lines_read = $4, records_read = records_read + $5,
                        records_changed = records_changed + $6, bad_lines = bad_lines + $7,
                        worked_at = clock_timestamp(), leased_until = clock_timestamp() + make_interval(secs => $8)
                  WHERE id = $1 AND state = 'reading' AND tries = $2",
                &[
                    (&claimed.id, Type::UUID),
                    (&claimed.tries, Type::INT4),
                    (&number(bytes_read), Type::INT8),
                    (&number(lines_read), Type::INT8),
                    (&number(records as u64), Type::INT8),
                    (&number(changed), Type::INT8),
                    (&number(bad_count as u64), Type::INT8),
                    (&LEASE_SECONDS, Type::FLOAT8),
                ],
            )
            .await?;
        if written == 0 {
            return Err(ReconciliationError::TakenOver);
        }
        Ok(tx.commit().await?)
    }

    async fn end(&self, claimed: &ClaimedImport, first_day: Option<Date>) -> Result<()> {
        let now = self.clock.now();
        let mut db = self.pool.get().await?;
        let tx = db.transaction().await?;
        let ended = (*tx)
            .execute_typed(
                "UPDATE settlement_import
                    SET state = CASE WHEN records_read = 0 AND bad_lines > 0 THEN 'failed' ELSE 'done' END,
                        failure = CASE WHEN records_read = 0 AND bad_lines > 0 THEN 'nothing_taken' END,
                        ended_at = $3, leased_until = NULL
                  WHERE id = $1 AND state = 'reading' AND tries = $2",
                &[
                    (&claimed.id, Type::UUID),
                    (&claimed.tries, Type::INT4),
                    (&now, Type::TIMESTAMPTZ),
                ],
            )
            .await?;
        // Another process may read the parts now, so they must stay.
        if ended == 0 {
            return Err(ReconciliationError::TakenOver);
        }
        if let Some(since) = first_day {
            days::begin_coverage(&*tx, claimed.provider, since, business_date(now)).await?;
        }
        let parts = "DELETE FROM settlement_file_part WHERE import_id = $1";
        (*tx).execute_typed(parts, &[(&claimed.id, Type::UUID)]).await?;
        tx.commit().await?;
        self.match_authorizations(claimed.provider).await?;
        self.mark_due_days().await
    }

    /// Finds the sales of rows whose ids name no sale, by the authorization code and the day of the sale. A row is
    /// matched only if exactly one sale of the acquirer has both.
    async fn match_authorizations(&self, provider: Provider) -> Result<()> {
        let db = self.pool.get().await?;
        let days = db
            .query_typed(
                "SELECT DISTINCT sold_on FROM acquirer_receivable
                  WHERE provider = $1 AND sale_id IS NULL AND authorization_code IS NOT NULL AND sold_on >= $2",
                &[
                    (&provider_number(provider), Type::INT2),
                    (&(business_date(self.clock.now()) - AUTHORIZATIONS_MATCHED_FOR), Type::DATE),
                ],
            )
            .await?;
        drop(db);
        for day in days {
            let mut db = self.pool.get().await?;
            let tx = self.begin_locked(&mut db).await?;
            rematch::match_authorizations_of_day(&*tx, provider, day.get(0)).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Compares rows that were marked. Returns false if it compared none.
    async fn compare_page(&self) -> Result<bool> {
        let mut db = self.pool.get().await?;
        let marked = "SELECT EXISTS (SELECT FROM acquirer_receivable WHERE NOT compared)";
        if !db.query_typed_one(marked, &[]).await?.get::<_, bool>(0) {
            return Ok(false);
        }
        let tx = self.begin_locked(&mut db).await?;
        let context = self.context();
        let (ids, mut days) = rematch::rematch_marked(&*tx, &context, ROWS_PER_COMPARISON).await?;
        days.extend(stored_rows::compare_rows(&*tx, &context, &ids, KnownSales::new()).await?);
        days::mark_changed(&*tx, &days).await?;
        tx.commit().await?;
        Ok(!ids.is_empty())
    }

    async fn sum_next(&self) -> Result<bool> {
        let mut db = self.pool.get().await?;
        let changed = "SELECT EXISTS (SELECT FROM settlement_day WHERE summed < changes)";
        if !db.query_typed_one(changed, &[]).await?.get::<_, bool>(0) {
            return Ok(false);
        }
        let tx = self.begin_locked(&mut db).await?;
        let summed = days::sum_next(&*tx, &self.context()).await?;
        tx.commit().await?;
        Ok(summed)
    }
}

/// Reads the parts of a file as one source. It blocks the thread while it waits for a part.
struct Parts {
    arriving: mpsc::Receiver<Vec<u8>>,
    part: Vec<u8>,
    read: usize,
}

impl Parts {
    const fn new(arriving: mpsc::Receiver<Vec<u8>>) -> Self {
        Self {
            arriving,
            part: vec![],
            read: 0,
        }
    }
}

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.part.len() {
            let Some(next) = self.arriving.blocking_recv() else {
                return Ok(0);
            };
            (self.part, self.read) = (next, 0);
        }
        let rest = &self.part[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}
