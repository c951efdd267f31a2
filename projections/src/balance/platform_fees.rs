//! The platform's revenue from each company, by business date and by month: the postings to `platform_fees`, with
//! separate sums for sales, withdrawals, rentals and debts that were written off.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use ledger_domain::business::{Account, BalanceEvent, BusinessEvent, TransferEvent};
use ledger_domain::calendar::Date;
use ledger_store::Shard;

use super::Current;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::range::month_of;
use crate::read_model::roll_up::{Column, roll_up, upsert, write};

roll_up! {
    table "platform_fees_daily", after Current;

    key FeeDay {
        business_id: BusinessId,
        business_date: Date,
    }

    sums FeeSum {
        /// The fees of captures, less those that reversals gave back.
        sales,
        /// Less those given back, which may be on another day.
        withdrawals,
        /// Rentals of card machines, less those given back.
        rentals,
        /// What companies owed and the platform gave up: below zero.
        write_offs,
    }

    fold FeeDays = FeeDays::add_event;
    shared write_of_platform, in &["platform_revenue_daily"];
}

roll_up! {
    table "platform_fees_monthly", after Current;

    key FeeMonth {
        business_id: BusinessId,
        /// Its first day.
        month: Date,
    }

    sums of FeeSum;
    fold FeeMonths = FeeMonths::add_event;
}

impl FeeDays {
    fn add_event(&mut self, recorded: &DecodedEvent, _: &Current) -> Result<(), Poison> {
        let Some(change) = change_of(recorded) else {
            return Ok(());
        };
        let key = FeeDay {
            business_id: recorded.business_id,
            business_date: recorded.occurred_on,
        };
        self.add(key, |sum| {
            *sum = sum.plus(change)?;
            Some(())
        })
    }
}

impl FeeMonths {
    fn add_event(&mut self, recorded: &DecodedEvent, _: &Current) -> Result<(), Poison> {
        let Some(change) = change_of(recorded) else {
            return Ok(());
        };
        let key = FeeMonth {
            business_id: recorded.business_id,
            month: month_of(recorded.occurred_on),
        };
        self.add(key, |sum| {
            *sum = sum.plus(change)?;
            Some(())
        })
    }
}

/// Adds the changes of a window, summed up over its companies, to the fees of all companies together. The rows have the
/// shard in their key, so that the followers of different shards write different rows.
async fn write_of_platform(
    tx: &Transaction<'_>,
    rows: &BTreeMap<FeeDay, FeeSum>,
) -> Result<(), tokio_postgres::Error> {
    let mut days: BTreeMap<(Date, i16), FeeSum> = BTreeMap::new();
    for (key, fees) in rows {
        let day_of_shard = (key.business_date, Shard::of(key.business_id).sql());
        let sum = days.entry(day_of_shard).or_default();
        *sum = sum
            .plus(*fees)
            .expect("64 bits hold 900 million of the largest amounts, and a window has fewer events");
    }
    let mut columns: Vec<Column> = vec![
        Box::new(days.keys().map(|(date, _)| *date).collect::<Vec<_>>()),
        Box::new(days.keys().map(|(_, shard)| *shard).collect::<Vec<_>>()),
    ];
    columns.extend(FeeSum::transposed(days.values()));
    let key = [("business_date", "date"), ("shard", "int2")];
    let sql = upsert("platform_revenue_daily", &key, &FeeSum::COLUMNS);
    write(tx, &sql, &columns).await
}

/// `None` if the event does not post to the platform's fees.
fn change_of(recorded: &DecodedEvent) -> Option<FeeSum> {
    let changes = recorded.event.balance_changes();
    let posted = changes
        .iter()
        .find(|(account, _)| *account == Account::PlatformFees);
    let (_, posted) = posted?;
    let posted = posted.get();
    let mut sum = FeeSum::default();
    match &*recorded.event {
        // Captures and reversals.
        BusinessEvent::Sale(_) => sum.sales = posted,
        BusinessEvent::Transfer(event) => match event {
            TransferEvent::TransferRequested(_)
            | TransferEvent::TransferApprovalGiven(_)
            | TransferEvent::TransferProcessing(_)
            | TransferEvent::TransferApproved(_)
            | TransferEvent::TransferRefused(_)
            | TransferEvent::TransferFailed(_)
            | TransferEvent::TransferReopened(_)
            | TransferEvent::TransferReturned(_) => sum.withdrawals = posted,
            TransferEvent::TerminalRentalCharged(_) | TransferEvent::TerminalRentalCanceled(_) => {
                sum.rentals = posted;
            }
            // Between the seller and the outside world.
            TransferEvent::ManualTransferMade(_) => return None,
        },
        // Within the seller's balance.
        BusinessEvent::Balance(event) => match event {
            BalanceEvent::AmountHeld(_)
            | BalanceEvent::AmountReleased(_)
            | BalanceEvent::HoldPlaced(_)
            | BalanceEvent::HoldChanged(_)
            | BalanceEvent::HoldRaised(_)
            | BalanceEvent::HoldReleased(_)
            | BalanceEvent::ReserveReleased(_)
            | BalanceEvent::CourtPaid(_) => return None,
            BalanceEvent::DebtWrittenOff(_) => sum.write_offs = posted,
        },
    }
    Some(sum)
}
