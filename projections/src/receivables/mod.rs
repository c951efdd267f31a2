//! Read model: the amounts that a business is to receive on each day, by receivable unit (acquirer, brand, payment
//! type).
//!
//! This file has the days; `units` lists them by unit and `installments` by installment; `rows` keeps the sums.

mod coming;
pub mod due;
mod installments;
mod overdue;
mod rows;
mod units;

pub(crate) use rows::{Sums, Unit};

pub use coming::coming_receivables;

pub use installments::{
    InstallmentCursor, InstallmentFilter, ScheduledInstallment, installment_list, installments_export_page,
};
pub use overdue::{OpenDay, OverdueProgress, oldest_due, overdue_list};
pub use units::{ReceivableUnit, UnitCursor, unit_list, units_export_page};

use ledger_domain::calendar::{Date, days_after};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::each_shard::sums_of_each_shard;
use crate::page::ExportPage;
use crate::{Error, column_values};

/// A day of the receivables schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleDay {
    pub due_date: Date,
    /// The net of all installments that are due on the day, paid or not.
    pub expected: Cents,
    /// The part of `expected` that settlements paid.
    pub settled: Cents,
    /// The part of `expected` that was paid because the sales were reversed, or that parts of them took.
    pub accelerated: Cents,
    /// The number of installments that are due on the day, paid or not.
    pub count: u64,
}

/// The days from `start` to `end`, both included, that have installments, oldest first.
pub async fn schedule_list(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
) -> Result<Vec<ScheduleDay>, Error> {
    select(client, business, start, end, None).await
}

/// At most `limit` days of the same list after the day `after`.
pub async fn export_page(
    client: &impl GenericClient,
    business: BusinessId,
    (start, end): (Date, Date),
    after: Option<Date>,
    limit: u32,
) -> Result<ExportPage<ScheduleDay, Date>, Error> {
    let start = after.map_or(start, |after| start.max(days_after(after, 1)));
    let rows = select(client, business, start, end, Some(i64::from(limit))).await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|day| day.due_date);
    Ok(ExportPage { rows, next })
}

/// `limit` is `None` for every day of the period.
async fn select(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
    limit: Option<i64>,
) -> Result<Vec<ScheduleDay>, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date, sum(expected)::int8, sum(settled)::int8, sum(accelerated)::int8,
                    sum(installments)::int8
               FROM receivables_schedule WHERE business_id = $1 AND due_date BETWEEN $2 AND $3
              GROUP BY due_date ORDER BY due_date LIMIT $4",
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ScheduleDay {
                due_date: row.get(0),
                expected: Cents::new(row.get(1)),
                settled: Cents::new(row.get(2)),
                accelerated: Cents::new(row.get(3)),
                count: column_values::count("receivables_schedule.installments", row.get(4))?,
            })
        })
        .collect()
}

/// The net of the open installments that are due from the day `from` to the day `to`, both included.
pub async fn expected_between(
    client: &impl GenericClient,
    business: BusinessId,
    from: Date,
    to: Date,
) -> Result<Cents, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(expected - settled - accelerated), 0)::int8
               FROM receivables_schedule WHERE business_id = $1 AND due_date BETWEEN $2 AND $3",
            &[
                (&business.uuid(), Type::UUID),
                (&from, Type::DATE),
                (&to, Type::DATE),
            ],
        )
        .await?;
    Ok(Cents::new(row.get(0)))
}

/// The installments of all companies that are due on one day and not paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenInstallments {
    pub count: u64,
    pub net: Cents,
}

/// The installments of all companies that are due on the day and still open.
pub async fn open_on(client: &impl GenericClient, due_date: Date) -> Result<OpenInstallments, Error> {
    let row = client
        .query_typed_one(
            &sums_of_each_shard(
                "SELECT coalesce(sum(installments - settled_count - accelerated_count), 0)::int8,
                        coalesce(sum(expected - settled - accelerated), 0)::int8
                   FROM receivables_schedule WHERE open AND due_date = $1",
                0,
                2,
                "",
            ),
            &[(&due_date, Type::DATE)],
        )
        .await?;
    Ok(OpenInstallments {
        count: column_values::count("receivables_schedule.installments", row.get(0))?,
        net: Cents::new(row.get(1)),
    })
}
