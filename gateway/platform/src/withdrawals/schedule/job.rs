//! The job of scheduled withdrawals: on each day on which a schedule runs, it requests a withdrawal or notes why not.
//!
//! The withdrawal's id is derived from the company and the day. So any number of processes can run the job, and it can
//! be repeated from any point: a second request adds nothing.

use chrono::Timelike;
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::time_zone::TimeZone;
use ledger_domain::business::{BusinessCommand, Refusal, RequestTransfer, TransferRefusal};
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents, TransferId};
use ledger_rows::insert;
use ledger_store::log::{self, LogError};
use ledger_store::{Actor, Job, Metadata, Outcome, Submission, Writer};
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::days::runs_on;
use super::{RunOutcome, ScheduleRun, WithdrawalSchedule, calendar_around, schedules_without_run};
use crate::companies::withdrawal_reference_data;
use crate::reach::Reach;

/// In Brasília. The installments of the day are settled by then, and the bank still pays on the same day.
const RUNS_FROM_HOUR: u32 = 9;

#[derive(Debug, Error)]
pub enum ScheduleError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Log(#[from] LogError),
}

#[derive(Clone)]
pub struct ScheduledWithdrawals {
    pub pool: Pool,
    pub writer: Writer,
    pub clock: BusinessClock,
    pub reach: Reach,
}

/// What a run of the job did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScheduleCounts {
    pub requested: usize,
    /// The schedules that ran and requested nothing.
    pub withheld: usize,
}

/// What became of a schedule, with the amount that it withdraws.
type Decision = Result<Cents, RunOutcome>;

impl ScheduledWithdrawals {
    /// Runs each schedule of today that has not run.
    pub async fn run(&self) -> Result<ScheduleCounts, ScheduleError> {
        let mut counts = ScheduleCounts::default();
        let local = TimeZone::BRASILIA.local_time(self.clock.now());
        if self.reach.is_empty(&self.writer) || local.hour() < RUNS_FROM_HOUR {
            return Ok(counts);
        }
        let today = local.date();
        let client = self.pool.get().await?;
        let waiting = schedules_without_run(&**client, today).await?;
        if waiting.is_empty() {
            return Ok(counts);
        }
        let calendar = calendar_around(&**client, today).await?;
        drop(client);
        let due = waiting.into_iter().filter(|schedule| {
            self.reach.includes(&self.writer, schedule.business_id)
                && runs_on(schedule.frequency, schedule.on_day, today, &calendar)
        });
        for schedule in due {
            match self.run_one(&schedule, today).await? {
                Some(RunOutcome::Requested) => counts.requested += 1,
                Some(_) => counts.withheld += 1,
                None => {}
            }
        }
        Ok(counts)
    }

    /// `None` if the ledger gave no answer: the next run of the job tries again.
    async fn run_one(
        &self,
        schedule: &WithdrawalSchedule,
        today: Date,
    ) -> Result<Option<RunOutcome>, ScheduleError> {
        let company = schedule.business_id;
        let transfer_id = scheduled_withdrawal(company, today);
        let client = self.pool.get().await?;
        let head = log::head(&**client, company).await?;
        let available = head.map_or(Cents::ZERO, |head| head.accounts.available);
        let (outcome, amount) = match requested_before(&**client, transfer_id).await? {
            Some(amount) => (RunOutcome::Requested, Some(amount)),
            None => match self.request(&**client, schedule, transfer_id, available).await? {
                Some(Ok(amount)) => (RunOutcome::Requested, Some(amount)),
                Some(Err(reason)) => (reason, None),
                None => return Ok(None),
            },
        };
        let run = ScheduleRun {
            business_id: company,
            on_date: today,
            outcome,
            available,
            amount,
            transfer_id: amount.map(|_| transfer_id),
            ran_at: self.clock.now(),
        };
        match insert(&**client, &run).await {
            // Another process noted it in between.
            Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(None),
            noted => noted.map(|()| Some(outcome)).map_err(Into::into),
        }
    }

    async fn request(
        &self,
        client: &impl GenericClient,
        schedule: &WithdrawalSchedule,
        transfer_id: TransferId,
        available: Cents,
    ) -> Result<Option<Decision>, ScheduleError> {
        let reference_data = withdrawal_reference_data(client, schedule.business_id).await?;
        let Some(reference_data) = reference_data else {
            return Ok(Some(Err(RunOutcome::NotActive)));
        };
        let amount = Cents::new(available.get().saturating_sub(schedule.kept.get()));
        if amount < schedule.minimum.max(reference_data.minimum()) {
            return Ok(Some(Err(RunOutcome::BelowMinimum)));
        }
        let command = BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id,
            amount,
            destination: schedule.destination,
            // A schedule asks once a day. Nobody could confirm a destination that returned the money.
            confirm_duplicate: true,
            confirm_destination: false,
            occurred_at: self.clock.now(),
            context: reference_data.context(schedule.destination),
        });
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: schedule.business_id,
            command,
            metadata: Metadata::by(Actor::Job(Job::Withdrawals)),
            // The withdrawal's id prevents a second request.
            idempotency: None,
        };
        Ok(match self.writer.submit(submission).await {
            Outcome::Recorded(_) => Some(Ok(amount)),
            // The next run sees what the ledger has.
            Outcome::Duplicate { .. } | Outcome::NotOwner | Outcome::Unknown => None,
            Outcome::Refused(refusal) => Some(Err(outcome_of(&refusal))),
            outcome @ (Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected) => {
                tracing::error!(
                    code = "scheduled_withdrawal_rejected", business_id = %schedule.business_id, ?outcome,
                    "a scheduled withdrawal could not be requested"
                );
                Some(Err(RunOutcome::Refused))
            }
        })
    }

    /// One run of the scheduled job.
    pub async fn tick(&self) -> Result<(), ScheduleError> {
        let ScheduleCounts { requested, withheld } = self.run().await?;
        if requested + withheld > 0 {
            tracing::info!(requested, withheld, "scheduled withdrawals ran");
        }
        Ok(())
    }
}

/// The amount, if the ledger has the withdrawal: the process ended before it noted the run.
async fn requested_before(
    client: &impl GenericClient,
    transfer_id: TransferId,
) -> Result<Option<Cents>, ScheduleError> {
    let found = log::transfer_states(client, &[transfer_id]).await?.pop();
    Ok(found.map(|(_, found)| found.state.amount))
}

const fn outcome_of(refusal: &Refusal) -> RunOutcome {
    match refusal {
        // The balance changed between the two reads.
        Refusal::Transfer(TransferRefusal::AboveAvailable | TransferRefusal::BelowMinimum(_)) => {
            RunOutcome::BelowMinimum
        }
        Refusal::Transfer(TransferRefusal::BusinessNotActive) => RunOutcome::NotActive,
        Refusal::Transfer(TransferRefusal::NoDestination(_)) => RunOutcome::NoDestination,
        Refusal::Transfer(TransferRefusal::DestinationReturned) => RunOutcome::DestinationReturned,
        _ => RunOutcome::Refused,
    }
}

/// The id of the withdrawal that a company's schedule requests on a day.
pub fn scheduled_withdrawal(company: BusinessId, day: Date) -> TransferId {
    let name = format!("withdrawal of {day}");
    TransferId::from_uuid(Uuid::new_v5(&company.uuid(), name.as_bytes()))
}
