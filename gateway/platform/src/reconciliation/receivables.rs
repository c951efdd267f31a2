//! Asks acquirers each day for the installments that they pay today and for those that they paid yesterday. Not every
//! acquirer has such a call.

use chrono::Days;
use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::port::Acquirer;
use gateway_acquirers::receivable::AcquirerReceivable;
use ledger_domain::calendar::{Date, start_of};
use serde_json::json;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::files::BadRecord;
use super::job::Reconciliation;
use super::reported::{EntryKind, ReportedPayment};
use super::{ReconciliationError, Result, days, imports, provider_number, write};

/// The most pages of one day. An acquirer whose answers always name a next page must not keep the job forever.
const PAGES_MAX: usize = 100_000;
/// Each page renews the lease.
const LEASE_SECONDS: f64 = 300.0;

impl Reconciliation {
    /// Asks each acquirer about yesterday and today. Skips a day about which it has answered today or is being asked.
    pub async fn ask_acquirers(&self) -> Result<()> {
        let today = self.context().today();
        for acquirer in self.acquirers.all() {
            for day in [today - Days::new(1), today] {
                if !self.was_asked(acquirer, day).await? {
                    self.import_receivables(acquirer, day).await?;
                }
            }
        }
        Ok(())
    }

    async fn was_asked(&self, acquirer: &dyn Acquirer, day: Date) -> Result<bool> {
        let db = self.pool.get().await?;
        let asked = db
            .query_typed_one(
                "SELECT EXISTS (SELECT FROM settlement_import
                                 WHERE source = 'receivables' AND provider = $1 AND day = $2 AND created_at >= $3
                                   AND (state IN ('reading', 'done') OR failure = 'nothing_taken'))",
                &[
                    (&provider_number(acquirer.provider()), Type::INT2),
                    (&day, Type::DATE),
                    (&start_of(self.context().today()), Type::TIMESTAMPTZ),
                ],
            )
            .await?;
        Ok(asked.get(0))
    }

    /// Imports the acquirer's payments of a day. Returns the import's id, or `None` if the acquirer has no such call or
    /// another process imports the same day.
    pub async fn import_receivables(&self, acquirer: &dyn Acquirer, day: Date) -> Result<Option<Uuid>> {
        let Some(mut answer) = acquirer.receivables(day, None).await else {
            return Ok(None);
        };
        let Some(import) = self.begin_call(acquirer, day).await? else {
            return Ok(None);
        };
        let mut first_day = None;
        for _ in 0..PAGES_MAX {
            let CallOutcome::Answered(page) = answer else {
                self.end_call(import, Some("no_answer")).await?;
                return Ok(Some(import));
            };
            let rows: Vec<_> = page.receivables.into_iter().map(reported).collect();
            let seen = rows.iter().filter_map(ReportedPayment::day);
            first_day = first_day.into_iter().chain(seen).min();
            let bad: Vec<_> = page.unreadable.into_iter().map(unreadable).collect();
            self.write_call(acquirer, import, rows, &bad).await?;
            let Some(next) = page.next else { break };
            answer = match acquirer.receivables(day, Some(&next)).await {
                Some(answer) => answer,
                None => CallOutcome::NotFound,
            };
        }
        if let Some(since) = first_day {
            let db = self.pool.get().await?;
            days::begin_coverage(&**db, acquirer.provider(), since, self.context().today()).await?;
        }
        self.end_call(import, None).await?;
        Ok(Some(import))
    }

    async fn begin_call(&self, acquirer: &dyn Acquirer, day: Date) -> Result<Option<Uuid>> {
        let id = self.ids.new_uuid();
        let db = self.pool.get().await?;
        let begun = db
            .execute_typed(
                "INSERT INTO settlement_import (id, source, provider, day, state, leased_until, created_at)
                 VALUES ($1, 'receivables', $2, $3, 'reading', clock_timestamp() + make_interval(secs => $4), $5)",
                &[
                    (&id, Type::UUID),
                    (&provider_number(acquirer.provider()), Type::INT2),
                    (&day, Type::DATE),
                    (&LEASE_SECONDS, Type::FLOAT8),
                    (&self.clock.now(), Type::TIMESTAMPTZ),
                ],
            )
            .await;
        match begun {
            Ok(_) => Ok(Some(id)),
            // Another process imports the same day.
            Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn write_call(
        &self,
        acquirer: &dyn Acquirer,
        import: Uuid,
        rows: Vec<ReportedPayment>,
        bad: &[BadRecord],
    ) -> Result<()> {
        let mut db = self.pool.get().await?;
        let tx = self.begin_locked(&mut db).await?;
        let records = rows.len();
        let provider = acquirer.provider();
        imports::bad_lines_add(&*tx, import, bad).await?;
        let changed = write::write_rows(&*tx, &self.context(), import, provider, rows).await?;
        let written = add_progress(&*tx, import, (records, changed, bad.len())).await?;
        if written == 0 {
            return Err(ReconciliationError::TakenOver);
        }
        Ok(tx.commit().await?)
    }

    async fn end_call(&self, import: Uuid, failure: Option<&str>) -> Result<()> {
        let db = self.pool.get().await?;
        db.execute_typed(
            "UPDATE settlement_import
                SET state = CASE WHEN $2::text IS NULL AND (records_read > 0 OR bad_lines = 0) THEN 'done'
                                 ELSE 'failed' END,
                    failure = coalesce($2, CASE WHEN records_read = 0 AND bad_lines > 0 THEN 'nothing_taken' END),
                    ended_at = $3, leased_until = NULL
              WHERE id = $1 AND state = 'reading'",
            &[
                (&import, Type::UUID),
                (&failure, Type::TEXT),
                (&self.clock.now(), Type::TIMESTAMPTZ),
            ],
        )
        .await?;
        Ok(())
    }
}

async fn add_progress(
    client: &impl GenericClient,
    import: Uuid,
    (records, changed, bad): (usize, u64, usize),
) -> Result<u64, Error> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    client
        .execute_typed(
            "UPDATE settlement_import
                SET records_read = records_read + $2, records_changed = records_changed + $3,
                    bad_lines = bad_lines + $4, worked_at = clock_timestamp(),
                    leased_until = clock_timestamp() + make_interval(secs => $5)
              WHERE id = $1 AND state = 'reading'",
            &[
                (&import, Type::UUID),
                (&number(records as u64), Type::INT8),
                (&number(changed), Type::INT8),
                (&number(bad as u64), Type::INT8),
                (&LEASE_SECONDS, Type::FLOAT8),
            ],
        )
        .await
}

/// An answer has no lines, so `line` is the place of the item in the acquirer's whole list.
fn unreadable(place: u64) -> BadRecord {
    BadRecord {
        line: place,
        reason: "unreadable_item",
        parameters: json!({}),
    }
}

fn reported(receivable: AcquirerReceivable) -> ReportedPayment {
    ReportedPayment {
        external_ids: vec![receivable.charge_id.clone()],
        reference: receivable.charge_id,
        installment: receivable.installment.max(1),
        entry: EntryKind::Payment,
        sale_id: receivable.sale_id,
        authorization_code: None,
        brand: None,
        sold_on: None,
        gross: receivable.gross,
        cost: Some(receivable.cost),
        net: receivable.net,
        expected_on: receivable.expected_on,
        paid_on: receivable.paid_on,
        canceled: receivable.canceled,
        line: None,
    }
}
