//! The job that makes the files of reports by e-mail and queues the e-mails. Any number of processes may run it. It
//! locks the row of a report by e-mail while it makes the file of a period. One transaction writes the delivery, its
//! file, its e-mail and the next due day. So each period is sent once, and the next run sends a period that was missed.

use std::time::Duration;

use axum::body::Body;
use chrono::{DateTime, TimeDelta, Utc};
use futures::TryStreamExt;
use gateway_environment::request_context::RequestContext;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::credentials::account::user_by_id;
use gateway_identity::mail::{EmailKind, Facts, OutboxEmail, ReportFacts};
use gateway_identity::reports::{
    ReportDelivery, ReportEmail, StoppedBy, delivery_create, delivery_part_add, expired_parts_delete,
    report_email_due, report_email_stop,
};
use ledger_domain::calendar::business_date;
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use serde_json::json;
use thiserror::Error;
use uuid::Uuid;

use super::calls::SUBJECT;
use super::file::{file_stem, roles_of, workbook};
use crate::AppState;
use crate::edge::{QueryValue, Tx};
use crate::problem::{Problem, Result};
use crate::reports::caller::check_access;
use crate::reports::names::ReportName;

const RUN_INTERVAL: Duration = Duration::from_secs(60);
/// The hour in Brasília at which a period is due on the day after its end. Acquirers report its last day overnight.
const SENT_FROM_HOUR: i64 = 6;
/// The e-mail has a link instead of a larger file. It stays far below the limits of mail servers, which begin at 10 MB:
/// base64 adds a third to the file.
const ATTACHED_BYTES_MAX: i64 = 2 * 1024 * 1024;
/// How long a file can be downloaded.
const EXPIRES_AFTER: TimeDelta = TimeDelta::days(7);
/// As large as a row of `report_delivery_part` may be.
const PART_BYTES: usize = 256 * 1024;

#[derive(Clone)]
pub struct ReportEmails {
    state: AppState,
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

#[derive(Debug, Error)]
pub enum ReportEmailsError {
    #[error("{0} reports by e-mail failed; the log has the details")]
    Failed(u64),
    #[error("{0}")]
    Unavailable(String),
}

/// The job of one process. Dropping it aborts the job: the report in progress rolls back and is due again.
pub struct ReportEmailJob {
    _task: Supervised,
}

impl ReportEmails {
    pub const fn new(state: AppState) -> Self {
        Self {
            state,
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

    /// Runs at once, and then every minute.
    pub fn start(self, supervisor: &Supervisor) -> ReportEmailJob {
        let task = supervisor.every("reports by e-mail", RUN_INTERVAL, move || {
            let job = self.clone();
            async move {
                let counts = job.run().await;
                let counts =
                    counts.map_err(|problem| ReportEmailsError::Unavailable(problem.message.into()))?;
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
        });
        ReportEmailJob { _task: task }
    }

    /// Makes the files of all periods that are due. A report that fails does not stop the others.
    pub async fn run(&self) -> Result<RunCounts> {
        let context = RequestContext {
            clock: self.state.clock,
            ..RequestContext::default()
        };
        context.scope(self.run_in_context()).await
    }

    async fn run_in_context(&self) -> Result<RunCounts> {
        let state = &self.state;
        let now = state.clock.now();
        expired_parts_delete(&*state.db().await?, now).await?;
        // Reports would lack sales while a read model is stopped or far behind. Readiness shows which one.
        if state.completeness.is_incomplete(&state.pool).await? {
            return Ok(RunCounts::default());
        }
        let today = business_date(now - TimeDelta::hours(SENT_FROM_HOUR));
        let (mut counts, mut failed) = (RunCounts::default(), vec![]);
        loop {
            let mut tx = state.begin().await?;
            let Some(email) = report_email_due(&*tx, today, &failed).await? else {
                break;
            };
            match self.make(&mut tx, &email, now).await {
                Ok(Made::Period) => {
                    tx.commit().await?;
                    counts.periods += 1;
                }
                Ok(Made::Stopped) => {
                    tx.commit().await?;
                    counts.stopped += 1;
                }
                Err(problem) => {
                    drop(tx);
                    tracing::error!(
                        code = "report_email_failed", report_email = %email.id, report = email.report,
                        status = problem.status.as_u16(),
                        "a report by e-mail could not be made and will be retried; the error is logged before"
                    );
                    failed.push(email.id);
                }
            }
        }
        counts.failed = u64::try_from(failed.len()).unwrap_or(u64::MAX);
        Ok(counts)
    }

    async fn make(&self, tx: &mut Tx, email: &ReportEmail, now: DateTime<Utc>) -> Result<Made> {
        let report = <ReportName as QueryValue>::parse(&email.report);
        let report = report.ok_or_else(|| Problem::internal("a report by e-mail of an unknown report"))?;
        match check_access(&**tx, email.owner, report).await {
            Ok(()) => {}
            Err(problem) if problem.status.is_client_error() => {
                return self.stop(tx, email, report, StoppedBy::Access, now).await;
            }
            Err(problem) => return Err(problem),
        }
        let period = email.every.period_before(email.due_on);
        let body = match workbook(&self.state, email, report, period).await {
            Ok(body) => body,
            // The user can mend this with other filters: the call refused a filter, or the file has too many rows.
            Err(problem) if problem.status.is_client_error() => {
                return self.stop(tx, email, report, StoppedBy::Filters, now).await;
            }
            Err(problem) => return Err(problem),
        };
        let id = Uuid::now_v7();
        self.store(tx, email, (id, report, period), body, now).await?;
        self.enqueue_email(tx, email, report, (EmailKind::ReportReady, Some(id)))
            .await?;
        Ok(Made::Period)
    }

    /// Stores the delivery and its file in parts.
    async fn store(
        &self,
        tx: &Tx,
        email: &ReportEmail,
        (id, report, period): (Uuid, ReportName, (chrono::NaiveDate, chrono::NaiveDate)),
        body: Body,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let parts = parts_of(body).await?;
        let byte_count = parts.iter().map(Vec::len).sum::<usize>();
        let byte_count = i64::try_from(byte_count).map_err(Problem::internal)?;
        let delivery = ReportDelivery {
            id,
            report_email: email.id,
            period,
            roles: roles_of(report),
            file_name: format!("{}.xlsx", file_stem(report, period)),
            byte_count,
            attached: byte_count <= self.attached_bytes_max,
            created_at: now,
            expires_at: now + EXPIRES_AFTER,
        };
        delivery_create(&**tx, &delivery, email.every.end_after(email.due_on)).await?;
        for (number, part) in (0..).zip(&parts) {
            delivery_part_add(&**tx, id, number, part).await?;
        }
        Ok(())
    }

    async fn stop(
        &self,
        tx: &mut Tx,
        email: &ReportEmail,
        report: ReportName,
        by: StoppedBy,
        now: DateTime<Utc>,
    ) -> Result<Made> {
        report_email_stop(&**tx, email.id, by, now).await?;
        let change = Change {
            action: "stop",
            subject: SUBJECT,
            subject_id: &email.id.to_string(),
            before: None,
            after: Some(json!({ "stopped_by": by.as_str() })),
        };
        record(&**tx, Actor::System, change).await?;
        self.enqueue_email(tx, email, report, (EmailKind::ReportStopped, None))
            .await?;
        Ok(Made::Stopped)
    }

    /// Queues the e-mail. A deleted user has no address and gets no e-mail.
    async fn enqueue_email(
        &self,
        tx: &mut Tx,
        email: &ReportEmail,
        report: ReportName,
        (kind, delivery): (EmailKind, Option<Uuid>),
    ) -> Result<()> {
        let owner = email.owner;
        let Some(account) = user_by_id(&**tx, owner.audience, owner.user).await? else {
            return Ok(());
        };
        let outbox_email = OutboxEmail {
            kind,
            audience: owner.audience,
            user: Some(owner.user),
            recipient: &account.email,
            panel_url: &email.panel_url,
            facts: Facts {
                report: Some(ReportFacts {
                    report_email: email.id,
                    title: report.title().to_owned(),
                    delivery,
                }),
                ..Facts::default()
            },
        };
        let queued = self.state.mail.enqueue(&**tx, &outbox_email).await?;
        tx.send_after_commit(queued);
        Ok(())
    }
}

enum Made {
    /// The file of a period.
    Period,
    /// Nothing: the report by e-mail was stopped.
    Stopped,
}

/// Reads the whole file into memory, in parts of `PART_BYTES`. A report by company has about 15 MB for 100,000
/// companies. The report of withdrawals grows with the number of transfers in its period.
async fn parts_of(body: Body) -> Result<Vec<Vec<u8>>> {
    let mut parts: Vec<Vec<u8>> = vec![];
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.try_next().await.map_err(Problem::internal)? {
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
