//! The balances at the end of every business date of a period, for a chart of the balance over time.
//!
//! They are computed from the sums of postings by day (`balance_daily`). Dates are those on which events happened, so a
//! late notice may still change a past day.

use std::collections::BTreeMap;

use ledger_domain::business::Accounts;
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::Error;
use crate::balance::{accounts_at, minus};

/// The balances at the end of the date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceDay {
    pub date: Date,
    pub available: Cents,
    pub receivable: Cents,
    pub in_transfer: Cents,
    /// Held by staff or in dispute.
    pub blocked: Cents,
}

/// Every date from `start` to `end`, both included, oldest first; empty if `start` is after `end`.
///
/// Computes backwards from the current balance, so that the cost depends on the days since `start`, not on the
/// company's whole history. The query's row without a date has the balances at the end of `end`: the current ones
/// without the postings of later days.
pub async fn list(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
) -> Result<Vec<BalanceDay>, Error> {
    let rows = client
        .query_typed(
            "SELECT business_date, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees,
                    clearing
               FROM balance_daily WHERE business_id = $1 AND business_date BETWEEN $2 AND $3
              UNION ALL
             SELECT NULL, coalesce(now.receivable - later.receivable, 0), coalesce(now.available - later.available, 0),
                    coalesce(now.in_transfer - later.in_transfer, 0),
                    coalesce(now.held_by_staff - later.held_by_staff, 0),
                    coalesce(now.in_dispute - later.in_dispute, 0),
                    coalesce(now.platform_fees - later.platform_fees, 0),
                    coalesce(now.clearing - later.clearing, 0)
               FROM (SELECT coalesce(sum(receivable), 0)::int8 AS receivable,
                            coalesce(sum(available), 0)::int8 AS available,
                            coalesce(sum(in_transfer), 0)::int8 AS in_transfer,
                            coalesce(sum(held_by_staff), 0)::int8 AS held_by_staff,
                            coalesce(sum(in_dispute), 0)::int8 AS in_dispute,
                            coalesce(sum(platform_fees), 0)::int8 AS platform_fees,
                            coalesce(sum(clearing), 0)::int8 AS clearing
                       FROM balance_daily WHERE business_id = $1 AND business_date > $3) AS later
               LEFT JOIN balance AS now ON now.business_id = $1",
            &[(&business.uuid(), Type::UUID), (&start, Type::DATE), (&end, Type::DATE)],
        )
        .await?;
    let mut closing = Accounts::default();
    let mut moved: BTreeMap<Date, Accounts> = BTreeMap::new();
    for row in &rows {
        match row.get::<_, Option<Date>>(0) {
            Some(date) => {
                moved.insert(date, accounts_at(row, 1));
            }
            None => closing = accounts_at(row, 1),
        }
    }
    let dates: Vec<_> = start.iter_days().take_while(|date| *date <= end).collect();
    let mut days = Vec::with_capacity(dates.len());
    for date in dates.into_iter().rev() {
        days.push(BalanceDay::of(date, closing)?);
        if let Some(moved) = moved.get(&date) {
            closing = minus(closing, *moved).ok_or_else(too_large)?;
        }
    }
    days.reverse();
    Ok(days)
}

impl BalanceDay {
    fn of(date: Date, closing: Accounts) -> Result<Self, Error> {
        Ok(Self {
            date,
            available: closing.available,
            receivable: closing.receivable,
            in_transfer: closing.in_transfer,
            blocked: closing.blocked().ok_or_else(too_large)?,
        })
    }
}

fn too_large() -> Error {
    Error::unreadable("balance_daily", "sums beyond 64 bits")
}
