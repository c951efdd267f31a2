//! Read model: the balances of a business, current and by business date.
//!
//! This file has the queries; `rows` has the folds. `statement` lists a business's movements, `journal` the postings of
//! its accounts; `as_of` and `days` have past balances.

pub mod as_of;
pub mod closing;
pub mod days;
mod earned;
pub mod journal;
mod negative;
pub(crate) mod platform_fees;
mod rows;
pub mod statement;

use std::collections::BTreeMap;

use ledger_domain::business::Accounts;
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

pub use earned::{platform_fees_by_company, platform_fees_by_day, platform_fees_by_month};
pub use negative::{NegativeBalances, negative_balance_list, negative_balances};
pub use platform_fees::FeeSum as PlatformFeeSum;
pub(crate) use rows::{BalanceDays, Current, accounts_at, accounts_of, minus, plus};

use crate::Error;
use crate::each_shard::{rows_of_each_shard, sums_of_each_shard};

/// The balances that users see. The underlying accounts are in [`Accounts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    pub available: Cents,
    pub receivable: Cents,
    pub in_transfer: Cents,
    /// `held_by_staff` and `in_dispute` together.
    pub blocked: Cents,
    pub held_by_staff: Cents,
    pub in_dispute: Cents,
}

/// A business date with postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyBalance {
    pub date: Date,
    /// The sums of the postings of the date's events.
    pub moved: Accounts,
    /// The balances at the end of the date.
    pub closing: Accounts,
}

/// The current balances; all zero if nothing was ever posted.
pub async fn balance_fetch(client: &impl GenericClient, business: BusinessId) -> Result<Balance, Error> {
    let row = client
        .query_typed_opt(
            "SELECT available, receivable, in_transfer, held_by_staff, in_dispute, held_by_staff + in_dispute
               FROM balance WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.map_or_else(Balance::default, |row| Balance {
        available: Cents::new(row.get(0)),
        receivable: Cents::new(row.get(1)),
        in_transfer: Cents::new(row.get(2)),
        held_by_staff: Cents::new(row.get(3)),
        in_dispute: Cents::new(row.get(4)),
        blocked: Cents::new(row.get(5)),
    }))
}

/// The available balance of each of these businesses. A business without postings is left out.
pub async fn available_of(
    client: &impl GenericClient,
    businesses: &[BusinessId],
) -> Result<BTreeMap<BusinessId, Cents>, Error> {
    let businesses: Vec<_> = businesses.iter().map(|business| business.uuid()).collect();
    let rows = client
        .query_typed(
            &rows_of_each_shard("SELECT business_id, available FROM balance WHERE business_id = ANY ($1)"),
            &[(&businesses, Type::UUID_ARRAY)],
        )
        .await?;
    let available = |row: &Row| (BusinessId::from_uuid(row.get(0)), Cents::new(row.get(1)));
    Ok(rows.iter().map(available).collect())
}

/// The platform's revenue from `start` to `end`, both included, over all companies: the postings to `platform_fees`.
pub async fn platform_revenue(client: &impl GenericClient, start: Date, end: Date) -> Result<Cents, Error> {
    let row = client
        .query_typed_one(
            &sums_of_each_shard(
                "SELECT coalesce(sum(sales + withdrawals + rentals + write_offs), 0)::int8
                   FROM platform_revenue_daily WHERE business_date BETWEEN $1 AND $2",
                0,
                1,
                "",
            ),
            &[(&start, Type::DATE), (&end, Type::DATE)],
        )
        .await?;
    Ok(Cents::new(row.get(0)))
}

/// The dates from `start` to `end`, both included, on which events with postings happened, oldest first.
pub async fn balance_daily(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
) -> Result<Vec<DailyBalance>, Error> {
    let opening = accounts_before(client, business, start).await?;
    let rows = client
        .query_typed(
            "SELECT business_date, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees,
                    clearing
               FROM balance_daily
              WHERE business_id = $1 AND business_date BETWEEN $2 AND $3
              ORDER BY business_date",
            &[(&business.uuid(), Type::UUID), (&start, Type::DATE), (&end, Type::DATE)],
        )
        .await?;
    let mut closing = opening;
    rows.iter()
        .map(|row| {
            let moved = accounts_at(row, 1);
            closing = plus(closing, moved)
                .ok_or_else(|| Error::unreadable("balance_daily", "sums beyond 64 bits"))?;
            Ok(DailyBalance {
                date: row.get(0),
                moved,
                closing,
            })
        })
        .collect()
}

/// The accounts at the end of the day before `date`: the sum of the postings of events that happened before `date`.
pub async fn accounts_before(
    client: &impl GenericClient,
    business: BusinessId,
    date: Date,
) -> Result<Accounts, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(receivable), 0)::int8, coalesce(sum(available), 0)::int8,
                    coalesce(sum(in_transfer), 0)::int8, coalesce(sum(held_by_staff), 0)::int8,
                    coalesce(sum(in_dispute), 0)::int8, coalesce(sum(platform_fees), 0)::int8,
                    coalesce(sum(clearing), 0)::int8
               FROM balance_daily WHERE business_id = $1 AND business_date < $2",
            &[(&business.uuid(), Type::UUID), (&date, Type::DATE)],
        )
        .await?;
    Ok(accounts_at(&row, 0))
}
