//! Tries waiting notices again: due ones every minute, and those of a changed sale at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use futures::FutureExt;
use futures::stream::{self, StreamExt};
use ledger_domain::SaleId;
use ledger_domain::ids::UserId;
use ledger_store::Causes;
use ledger_store::supervisor::{Failure, Pulse, Task};
use uuid::Uuid;

use crate::error::{PlatformError, Result};
use crate::exceptions::queue::{self, ClaimedNotice, Resolved};
use crate::exceptions::{ChangedSales, ExceptionResolution, WaitReason};
use crate::notices::{NoticeDecision, Notices, RecordedInLedger, SignedNotice};

const RUN_INTERVAL: Duration = Duration::from_secs(60);
/// The number of notices in one claim, so that a long queue is tried in many small transactions.
const CLAIMED_MAX: i64 = 100;
/// The number of sales with waiting notices that one run watches for changes.
const WAITING_SALES_MAX: i64 = 100_000;
/// The number of sales whose notices are tried at the same time, so that their events share commits.
const CONCURRENT_MAX: usize = 16;

/// The task that tries waiting notices again.
pub struct NoticeRetries {
    pool: Pool,
    notices: Arc<Notices>,
    reference_version: i64,
}

impl NoticeRetries {
    pub const fn new(pool: Pool, notices: Arc<Notices>) -> Self {
        Self {
            pool,
            notices,
            reference_version: 0,
        }
    }
}

#[async_trait]
impl Task for NoticeRetries {
    async fn run(&mut self, pulse: &Pulse) -> std::result::Result<(), Failure> {
        let mut minutes = tokio::time::interval(RUN_INTERVAL);
        minutes.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let (pool, notices) = (&self.pool, &*self.notices);
            let tried = tokio::select! {
                _ = minutes.tick() => run_every_minute(pool, notices, &mut self.reference_version).await,
                changed = notices.waiting_sales.take_changed() => try_notices_of_sales(pool, notices, changed).await,
            };
            tried?;
            pulse.beat();
        }
    }
}

/// Tries all notices that are due now. Returns how many reached the ledger, or the last failure of a try.
pub async fn try_due_notices(pool: &Pool, notices: &Notices) -> Result<usize> {
    let mut tried = TriedNotices::default();
    loop {
        let jobs = queue::claim_due(&pool.get().await?, CLAIMED_MAX).await?;
        let claimed = jobs.len();
        tried.try_each(pool, notices, jobs).await;
        if claimed < usize::try_from(CLAIMED_MAX).unwrap_or(usize::MAX) {
            return tried.failure.map_or(Ok(tried.resolved), Err);
        }
    }
}

/// After a change of the reference data, makes the notices due that may have waited for it. Then tries all due ones.
///
/// The company of a waiting notice is not known before it is decided, so only a process that records for all companies
/// does this: another one would postpone the notice without a decision of the ledger.
async fn run_every_minute(pool: &Pool, notices: &Notices, reference_version: &mut i64) -> Result<usize> {
    if !notices.intake.records_for_all() {
        return Ok(0);
    }
    let client = pool.get().await?;
    let version: i64 = client
        .query_one("SELECT version FROM reference_version", &[])
        .await?
        .get(0);
    if version != *reference_version {
        queue::retry_soon(&client, &WaitReason::REFERENCE_DATA_REASONS).await?;
        *reference_version = version;
    }
    for sale_id in queue::waiting_sales(&client, WAITING_SALES_MAX).await? {
        notices.waiting_sales.watch(Some(sale_id));
    }
    let waiting = queue::waiting_count(&client).await?;
    metrics::gauge!("razao_exceptions_waiting").set(f64::from(u32::try_from(waiting).unwrap_or(u32::MAX)));
    drop(client);
    try_due_notices(pool, notices).await
}

/// Tries the notices of changed sales. The claim has postponed them by up to an hour. If a try fails, its sale stays
/// among the changed ones for the next run of the task.
async fn try_notices_of_sales(pool: &Pool, notices: &Notices, changed: ChangedSales<'_>) -> Result<usize> {
    let jobs = queue::claim_of_sales(&pool.get().await?, changed.sales()).await?;
    let mut tried = TriedNotices::default();
    tried.try_each(pool, notices, jobs).await;
    changed.tried_all_but(tried.failed_sales);
    tried.failure.map_or(Ok(tried.resolved), Err)
}

/// The results of tries.
#[derive(Default)]
struct TriedNotices {
    /// How many notices reached the ledger.
    resolved: usize,
    failed_sales: Vec<SaleId>,
    /// The last failure.
    failure: Option<PlatformError>,
}

impl TriedNotices {
    /// Tries each claimed notice, also after a failure: the claim has postponed all of them, and the next claim may
    /// have the same failing notice first. Those of one sale are tried in order, and so are those without a sale.
    async fn try_each(&mut self, pool: &Pool, notices: &Notices, jobs: Vec<ClaimedNotice>) {
        let mut by_sale: HashMap<_, Vec<ClaimedNotice>> = HashMap::new();
        for job in jobs {
            by_sale.entry(job.sale_id).or_default().push(job);
        }
        let mut tries = Vec::with_capacity(by_sale.len());
        for jobs in by_sale.into_values() {
            tries.push(Self::in_order(pool, notices, jobs).boxed());
        }
        let mut sales = stream::iter(tries).buffer_unordered(CONCURRENT_MAX);
        while let Some(tried) = sales.next().await {
            self.resolved += tried.resolved;
            self.failed_sales.extend(tried.failed_sales);
            self.failure = tried.failure.or(self.failure.take());
        }
    }

    async fn in_order(pool: &Pool, notices: &Notices, jobs: Vec<ClaimedNotice>) -> Self {
        let mut tried = Self::default();
        for job in jobs {
            tried.add(&job, try_again(pool, notices, &job, None).await);
        }
        tried
    }

    fn add(&mut self, job: &ClaimedNotice, tried: Result<bool>) {
        match tried {
            Ok(reached_ledger) => self.resolved += usize::from(reached_ledger),
            Err(error) => {
                tracing::error!(exception = %job.id, error = %Causes(&error), "an exception could not be tried again");
                self.failed_sales.extend(job.sale_id);
                self.failure = Some(error);
            }
        }
    }
}

/// Tries a notice on behalf of staff, whether or not it is due.
pub async fn try_now(pool: &Pool, notices: &Notices, id: Uuid, staff: UserId) -> Result<bool> {
    let job = queue::claim_one(&pool.get().await?, id).await?;
    match job {
        Some(job) => try_again(pool, notices, &job, Some(staff)).await,
        None => Ok(false),
    }
}

/// Decides a claimed notice again and stores the outcome. Returns whether it reached the ledger.
async fn try_again(
    pool: &Pool,
    notices: &Notices,
    job: &ClaimedNotice,
    staff: Option<UserId>,
) -> Result<bool> {
    let signed = match SignedNotice::read(job.provider, &job.body) {
        Ok(signed) => signed,
        Err(_) => {
            // It was readable when it arrived, so this version of the program does not know a format of an earlier one.
            tracing::error!(exception = %job.id, "a stored notice can no longer be read");
            let waits = WaitReason::for_reason("unreadable_notice");
            queue::update_reason(&pool.get().await?, job.id, &waits).await?;
            return Ok(false);
        }
    };
    notices.waiting_sales.watch(job.sale_id);
    let decided = notices.decide(&signed, job.assigned_business).await?;
    let client = pool.get().await?;
    let resolved = |resolution, known: RecordedInLedger| Resolved {
        resolution,
        business_id: known.business_id,
        sale_id: notices.intake.undamaged_sale_id_of(&signed),
    };
    match decided {
        NoticeDecision::Recorded(known) => {
            queue::resolve(
                &client,
                job.id,
                &resolved(ExceptionResolution::Recorded, known),
                staff,
            )
            .await?;
        }
        NoticeDecision::Duplicate(known) => {
            queue::resolve(
                &client,
                job.id,
                &resolved(ExceptionResolution::Already, known),
                staff,
            )
            .await?;
        }
        NoticeDecision::Waits(waits) => {
            if queue::update_reason(&client, job.id, &waits).await? {
                waits.alarm();
            }
            return Ok(false);
        }
        NoticeDecision::Unavailable => {
            // The claim has postponed it. The process that can record it tries it in its next run.
            queue::retry_one_soon(&client, job.id).await?;
            return Ok(false);
        }
    }
    Ok(true)
}
