//! The job that makes the files of reports by e-mail and queues the e-mails. Any number of processes may run it. It
//! locks the row of a report by e-mail while it makes the file of a period. One transaction writes the delivery, its
//! file, its e-mail and the next due day. So each period is sent once, and the next run sends a period that was missed.

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use deadpool_postgres::Pool;
use futures::TryStreamExt;
use futures::stream::BoxStream;
use gateway_environment::clock::BusinessClock;
use gateway_environment::request_context::RequestContext;
use ledger_domain::calendar::business_date;
use projections::ReadModelCompleteness;
use serde_json::json;
use thiserror::Error;
use tokio_postgres::Transaction;
use uuid::Uuid;

use super::emails::report_email_due;
use super::{
    REPORT_EMAIL, ReportDelivery, ReportEmail, ReportName, ReportOwner, StoppedBy, delivery_create,
    delivery_part_add, expired_parts_delete, report_email_stop,
};
use crate::audit::{Actor, Change, record};
use crate::error::DatabaseCause;

/// The hour in Brasília at which a period is due on the day after its end. Acquirers report its last day overnight.
const SENT_FROM_HOUR: i64 = 6;
/// The e-mail has a link instead of a larger file. It stays far below the limits of mail servers, which begin at 10 MB:
/// base64 adds a third to the file.
const ATTACHED_BYTES_MAX: i64 = 2 * 1024 * 1024;
/// How long a file can be downloaded.
const EXPIRES_AFTER: TimeDelta = TimeDelta::days(7);
/// As large as a row of `report_delivery_part` may be.
const PART_BYTES: usize = 256 * 1024;

/// What the job needs of the layers above: the users, the calls of reports, and the sender of e-mails.
pub trait ReportPort: Send + Sync {
    /// Whether the owner is active and may read the report. Locks the user until the transaction ends.
    fn lock_and_check_may_read(
        &self,
        tx: &Transaction<'_>,
        owner: ReportOwner,
        report: ReportName,
    ) -> impl Future<Output = Result<bool, PortError>> + Send;

    /// The names of the roles that may read the report.
    fn roles_of(&self, report: ReportName) -> Vec<String>;

    /// The workbook of a period, as the report's call answers it. `None` if the call refuses the filters, or if the file
    /// would have too many rows: the user can mend both with other filters.
    fn workbook(
        &self,
        email: &ReportEmail,
        report: ReportName,
        period: (NaiveDate, NaiveDate),
    ) -> impl Future<Output = Result<Option<Workbook>, PortError>> + Send;

    /// Queues an e-mail to the owner. `None` for a deleted user, who has no address and gets no e-mail.
    fn queue_email(
        &self,
        tx: &Transaction<'_>,
        email: &ReportEmail,
        report: ReportName,
        notice: ReportNotice,
    ) -> impl Future<Output = Result<Option<WakeSender>, PortError>> + Send;
}

/// The content of a file.
pub type Workbook = BoxStream<'static, Result<Bytes, PortError>>;
/// Called after the commit.
pub type WakeSender = Box<dyn FnOnce() + Send>;

/// What an e-mail tells the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportNotice {
    /// The delivery with this id is made.
    Ready(Uuid),
    /// The report is no longer sent.
    Stopped,
}

/// The text of an error that the port has logged.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PortError(pub String);

#[derive(Debug, Error)]
pub enum ReportEmailsError {
    #[error("{0} reports by e-mail failed; the log has the details")]
    Failed(u64),
    #[error("a report by e-mail of an unknown report")]
    UnknownReport,
    #[error("the file is too large")]
    TooLarge,
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the read models could not be read: {0}")]
    ReadModels(#[from] projections::Error),
    #[error(transparent)]
    Port(#[from] PortError),
}

type Result<T, E = ReportEmailsError> = std::result::Result<T, E>;

#[derive(Clone)]
pub struct ReportEmails<Port> {
    pool: Pool,
    clock: BusinessClock,
    completeness: ReadModelCompleteness,
    port: Port,
    attached_bytes_max: i64,
}

/// The counts of one run of the job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// The periods whose file was made and whose e-mail was queued.
    pub periods: u64,
    /// Reports by e-mail that stopped: their users lost access, the report no longer takes the filters, or the file has
    /// too many rows.
    pub stopped: u64,
    /// Reports by e-mail whose period could not be made. The next run tries again.
    pub failed: u64,
}

impl<Port: ReportPort> ReportEmails<Port> {
    pub const fn new(
        pool: Pool,
        clock: BusinessClock,
        completeness: ReadModelCompleteness,
        port: Port,
    ) -> Self {
        Self {
            pool,
            clock,
            completeness,
            port,
            attached_bytes_max: ATTACHED_BYTES_MAX,
        }
    }

    /// Changes the size above which the e-mail has a link instead of the file.
    #[must_use]
    pub fn attaching_up_to(self, attached_bytes_max: i64) -> Self {
        Self {
            attached_bytes_max,
            ..self
        }
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<()> {
        let counts = self.run().await?;
        if counts.periods + counts.stopped > 0 {
            tracing::info!(
                periods = counts.periods,
                stopped = counts.stopped,
                "reports by e-mail queued"
            );
        }
        match counts.failed {
            0 => Ok(()),
            failed => Err(ReportEmailsError::Failed(failed)),
        }
    }

    /// Makes the files of all periods that are due. A report that fails does not stop the others.
    pub async fn run(&self) -> Result<RunCounts> {
        let context = RequestContext {
            clock: self.clock,
            ..RequestContext::default()
        };
        context.scope(self.run_in_context()).await
    }

    async fn run_in_context(&self) -> Result<RunCounts> {
        let now = self.clock.now();
        expired_parts_delete(&**self.pool.get().await?, now).await?;
        // Reports would lack sales while a read model is stopped or far behind. Readiness shows which one.
        if self.completeness.is_incomplete(&self.pool).await? {
            return Ok(RunCounts::default());
        }
        let today = business_date(now - TimeDelta::hours(SENT_FROM_HOUR));
        let (mut counts, mut failed) = (RunCounts::default(), vec![]);
        loop {
            let mut client = self.pool.get().await?;
            let tx = client.transaction().await?;
            let Some(email) = report_email_due(&*tx, today, &failed).await? else {
                break;
            };
            match self.make(&tx, &email, now).await {
                Ok(made) => {
                    tx.commit().await?;
                    match made.ended {
                        Ended::Period => counts.periods += 1,
                        Ended::Stopped => counts.stopped += 1,
                    }
                    if let Some(wake) = made.wake {
                        wake();
                    }
                }
                Err(error) => {
                    tracing::error!(
                        code = "report_email_failed", report_email = %email.id, report = email.report, %error,
                        "a report by e-mail could not be made and will be retried"
                    );
                    failed.push(email.id);
                }
            }
        }
        counts.failed = u64::try_from(failed.len()).unwrap_or(u64::MAX);
        Ok(counts)
    }

    async fn make(&self, tx: &Transaction<'_>, email: &ReportEmail, now: DateTime<Utc>) -> Result<Made> {
        let report = ReportName::parse(&email.report).map_err(|_| ReportEmailsError::UnknownReport)?;
        if !self.port.lock_and_check_may_read(tx, email.owner, report).await? {
            return self.stop(tx, email, report, StoppedBy::Access, now).await;
        }
        let period = email.rhythm.period_before(email.due_on);
        let Some(workbook) = self.port.workbook(email, report, period).await? else {
            return self.stop(tx, email, report, StoppedBy::Filters, now).await;
        };
        let (start, end) = period;
        let parts = parts_of(workbook).await?;
        let byte_count = parts.iter().map(Vec::len).sum::<usize>();
        let byte_count = i64::try_from(byte_count).map_err(|_| ReportEmailsError::TooLarge)?;
        let delivery = ReportDelivery {
            id: Uuid::now_v7(),
            report_email: email.id,
            start,
            end,
            roles: self.port.roles_of(report),
            file_name: format!("{}.xlsx", report.file_stem(period)),
            byte_count,
            attached: byte_count <= self.attached_bytes_max,
            created_at: now,
            expires_at: now + EXPIRES_AFTER,
        };
        delivery_create(tx, &delivery, email.rhythm.end_after(email.due_on)).await?;
        for (number, part) in (0..).zip(&parts) {
            delivery_part_add(tx, delivery.id, number, part).await?;
        }
        let notice = ReportNotice::Ready(delivery.id);
        Ok(Made {
            ended: Ended::Period,
            wake: self.port.queue_email(tx, email, report, notice).await?,
        })
    }

    async fn stop(
        &self,
        tx: &Transaction<'_>,
        email: &ReportEmail,
        report: ReportName,
        by: StoppedBy,
        now: DateTime<Utc>,
    ) -> Result<Made> {
        report_email_stop(tx, email.id, by, now).await?;
        let change = Change {
            action: "stop",
            subject: REPORT_EMAIL,
            subject_id: &email.id.to_string(),
            before: None,
            after: Some(json!({ "stopped_by": by })),
        };
        record(tx, Actor::System, change).await?;
        Ok(Made {
            ended: Ended::Stopped,
            wake: self
                .port
                .queue_email(tx, email, report, ReportNotice::Stopped)
                .await?,
        })
    }
}

struct Made {
    ended: Ended,
    wake: Option<WakeSender>,
}

enum Ended {
    /// The file of a period is stored.
    Period,
    /// The report by e-mail was stopped.
    Stopped,
}

/// Reads the whole file into memory, in parts of `PART_BYTES`. A report by company has about 15 MB for 100,000
/// companies. The report of withdrawals grows with the number of transfers in its period.
async fn parts_of(mut workbook: Workbook) -> Result<Vec<Vec<u8>>> {
    let mut parts: Vec<Vec<u8>> = vec![];
    while let Some(chunk) = workbook.try_next().await? {
        let mut rest = &chunk[..];
        while !rest.is_empty() {
            if parts.last().is_none_or(|last| last.len() == PART_BYTES) {
                parts.push(Vec::with_capacity(PART_BYTES));
            }
            let Some(last) = parts.last_mut() else { continue };
            let (taken, left) = rest.split_at(rest.len().min(PART_BYTES - last.len()));
            last.extend_from_slice(taken);
            rest = left;
        }
    }
    Ok(parts)
}
