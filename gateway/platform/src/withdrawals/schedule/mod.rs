//! Withdrawals that a company has scheduled: on every business day, once a week or once a month, if the balance is high
//! enough. `days` says on which days a schedule runs, `job` runs it.
//!
//! A schedule names no account: each run withdraws to the company's destination of that day.

mod days;
mod job;

pub use job::{ScheduleCounts, ScheduledWithdrawals, scheduled_withdrawal};

use ledger_domain::calendar::{Calendar, Date, Instant, days_after};
use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, Cents, TransferId, UserId};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use tokio_postgres::{Error, GenericClient};

use crate::holidays::{CLOSED_DAYS_MAX, holidays_between};

/// Days of a month that every month has.
pub const DAY_OF_MONTH_MAX: i16 = 28;
/// Monday is 1.
pub const WEEKDAY_MAX: i16 = 5;

ledger_domain::words! {
    /// day: every business day. week: one weekday. month: one day of the month. A day on which banks are closed moves to
    /// the next business day.
    pub enum Frequency {
        Day = "day" => "Todo dia útil",
        Week = "week" => "Toda semana",
        Month = "month" => "Todo mês",
    }
}

ledger_domain::words! {
    /// requested: the withdrawal was requested. The others say why there is none on that day.
    pub enum RunOutcome {
        Requested = "requested" => "Saque solicitado",
        BelowMinimum = "below_minimum" => "O saldo não chegou ao valor mínimo",
        NotActive = "not_active" => "A empresa não está ativa",
        NoDestination = "no_destination" => "Não há conta bancária de destino",
        DestinationReturned = "destination_returned" => "O banco devolveu um saque para este destino",
        Refused = "refused" => "O saque não foi aceito",
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WithdrawalSchedule {
        pub business_id: BusinessId,
        pub frequency: Frequency,
        /// 1 to 5 from Monday to Friday for a week, 1 to 28 for a month. `None` for every day.
        pub on_day: Option<i16>,
        /// A run withdraws nothing below this amount.
        pub minimum: Cents,
        /// What a run leaves in the balance.
        pub kept: Cents,
        pub destination: DestinationKind,
        pub set_by: UserId,
        pub set_at: Instant,
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ScheduleRun in "withdrawal_schedule_run" {
        pub business_id: BusinessId,
        pub on_date: Date,
        pub outcome: RunOutcome,
        /// What was available.
        pub available: Cents,
        pub amount: Option<Cents>,
        pub transfer_id: Option<TransferId>,
        pub ran_at: Instant,
    }
}

pub async fn schedule_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<WithdrawalSchedule>, Error> {
    let columns = WithdrawalSchedule::COLUMNS;
    let sql = format!("SELECT {columns} FROM withdrawal_schedule WHERE business_id = $1");
    fetch_opt(client, &sql, params![company]).await
}

/// Replaces the company's schedule.
pub async fn schedule_set(client: &impl GenericClient, schedule: &WithdrawalSchedule) -> Result<(), Error> {
    let columns = WithdrawalSchedule::COLUMNS;
    let sql = format!(
        "INSERT INTO withdrawal_schedule ({columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (business_id) DO UPDATE
            SET frequency = excluded.frequency, on_day = excluded.on_day, minimum = excluded.minimum,
                kept = excluded.kept, destination = excluded.destination, set_by = excluded.set_by,
                set_at = excluded.set_at"
    );
    let WithdrawalSchedule {
        business_id,
        frequency,
        on_day,
        minimum,
        kept,
        destination,
        set_by,
        set_at,
    } = schedule;
    let values = params![
        business_id,
        frequency,
        on_day,
        minimum,
        kept,
        destination,
        set_by,
        set_at
    ];
    execute(client, &sql, values).await.map(drop)
}

pub async fn schedule_remove(client: &impl GenericClient, company: BusinessId) -> Result<(), Error> {
    let sql = "DELETE FROM withdrawal_schedule WHERE business_id = $1";
    execute(client, sql, params![company]).await.map(drop)
}

/// The company's last runs, the newest first.
pub async fn schedule_runs(
    client: &impl GenericClient,
    company: BusinessId,
    limit: i64,
) -> Result<Vec<ScheduleRun>, Error> {
    let columns = ScheduleRun::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM withdrawal_schedule_run WHERE business_id = $1 ORDER BY on_date DESC LIMIT $2"
    );
    fetch(client, &sql, params![company, limit]).await
}

/// The schedules that have not run on this day.
async fn schedules_without_run(
    client: &impl GenericClient,
    day: Date,
) -> Result<Vec<WithdrawalSchedule>, Error> {
    let columns = WithdrawalSchedule::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM withdrawal_schedule schedule
          WHERE NOT EXISTS (SELECT FROM withdrawal_schedule_run run
                             WHERE run.business_id = schedule.business_id AND run.on_date = $1)
          ORDER BY business_id"
    );
    fetch(client, &sql, params![day]).await
}

/// The business days around a day, as a schedule needs them.
async fn calendar_around(client: &impl GenericClient, day: Date) -> Result<Calendar, Error> {
    let first = days::earliest_chosen(day);
    let holidays = holidays_between(client, first, days_after(day, CLOSED_DAYS_MAX)).await?;
    Ok(Calendar::new(
        holidays.into_iter().map(|holiday| holiday.date).collect(),
    ))
}

/// The first day after `day` on which the schedule runs.
pub async fn next_run(
    client: &impl GenericClient,
    schedule: &WithdrawalSchedule,
    day: Date,
) -> Result<Option<Date>, Error> {
    let calendar = calendar_around(client, day).await?;
    Ok(days::next_after(
        schedule.frequency,
        schedule.on_day,
        day,
        &calendar,
    ))
}
