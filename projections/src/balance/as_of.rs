//! The accounts of a business as of an instant, on either time axis.
//!
//! Recorded: the balances after the events that were recorded by then, from the journal's running balances.
//! Effective: the balances after everything that had happened by then, even if it was recorded later. They are added up
//! from the sums of the days before and that day's part of the journal.

use ledger_domain::BusinessId;
use ledger_domain::business::Accounts;
use ledger_domain::calendar::{Instant, business_date, start_of};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::Error;
use crate::balance::accounts_at;

/// The time axis. An event has two times, and counts by one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// By the time at which the ledger recorded the event (`recorded_at`).
    Recorded,
    /// By the time at which the event happened (`occurred_at`).
    Effective,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// Included.
    pub instant: Instant,
    pub axis: Axis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalancesAsOf {
    /// The sequence of the last event with postings by then. `None` before the first such event, and on the effective
    /// axis, where the balances belong to no single event.
    pub sequence: Option<i64>,
    pub accounts: Accounts,
}

/// All zero before the first event.
pub async fn balance_as_of(
    client: &impl GenericClient,
    business: BusinessId,
    as_of: AsOf,
) -> Result<BalancesAsOf, Error> {
    match as_of.axis {
        Axis::Recorded => recorded_by(client, business, as_of.instant).await,
        Axis::Effective => Ok(BalancesAsOf {
            sequence: None,
            accounts: effective_before(client, business, (as_of.instant, i64::MAX)).await?,
        }),
    }
}

async fn recorded_by(
    client: &impl GenericClient,
    business: BusinessId,
    instant: Instant,
) -> Result<BalancesAsOf, Error> {
    let row = client
        .query_typed_opt(
            "SELECT sequence, receivable_balance, available_balance, in_transfer_balance, held_by_staff_balance,
                    in_dispute_balance, platform_fees_balance, clearing_balance
               FROM journal WHERE business_id = $1 AND recorded_at <= $2
              ORDER BY recorded_at DESC, sequence DESC LIMIT 1",
            &[(&business.uuid(), Type::UUID), (&instant, Type::TIMESTAMPTZ)],
        )
        .await?;
    Ok(BalancesAsOf {
        sequence: row.as_ref().map(|row| row.get(0)),
        accounts: row.map_or_else(Accounts::default, |row| accounts_at(&row, 1)),
    })
}

/// The accounts before a place in the effective order. The sequence orders events of the same instant.
pub(crate) async fn effective_before(
    client: &impl GenericClient,
    business: BusinessId,
    (instant, sequence): (Instant, i64),
) -> Result<Accounts, Error> {
    let date = business_date(instant);
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(receivable), 0)::int8, coalesce(sum(available), 0)::int8,
                    coalesce(sum(in_transfer), 0)::int8, coalesce(sum(held_by_staff), 0)::int8,
                    coalesce(sum(in_dispute), 0)::int8, coalesce(sum(platform_fees), 0)::int8,
                    coalesce(sum(clearing), 0)::int8
               FROM (SELECT receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing
                       FROM balance_daily WHERE business_id = $1 AND business_date < $2
                      UNION ALL
                     SELECT receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing
                       FROM journal
                      WHERE business_id = $1 AND occurred_at >= $5 AND (occurred_at, sequence) < ($3, $4)) AS moved",
            &[
                (&business.uuid(), Type::UUID),
                (&date, Type::DATE),
                (&instant, Type::TIMESTAMPTZ),
                (&sequence, Type::INT8),
                (&start_of(date), Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(accounts_at(&row, 0))
}
