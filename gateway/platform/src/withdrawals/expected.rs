//! The day on which a withdrawal is expected at its destination.

use std::collections::HashMap;

use ledger_domain::TransferId;
use ledger_domain::calendar::{Calendar, Date, business_date, days_after};
use ledger_domain::transfer::{TransferKind, TransferStatus};
use projections::withdrawals::Transfer;
use tokio_postgres::{Error, GenericClient};

use crate::holidays::{CLOSED_DAYS_MAX, holidays_between};

/// The first business day after the request, for each withdrawal that is not refused and has not failed.
pub async fn expected_days(
    client: &impl GenericClient,
    transfers: &[Transfer],
) -> Result<HashMap<TransferId, Date>, Error> {
    let requested: Vec<(TransferId, Date)> = transfers
        .iter()
        .filter(|transfer| is_expected(transfer))
        .map(|transfer| (transfer.transfer_id, business_date(transfer.requested_at)))
        .collect();
    let days = requested.iter().map(|(_, day)| *day);
    let (Some(first), Some(last)) = (days.clone().min(), days.max()) else {
        return Ok(HashMap::new());
    };
    let holidays = holidays_between(client, first, days_after(last, CLOSED_DAYS_MAX)).await?;
    let calendar = Calendar::new(holidays.into_iter().map(|holiday| holiday.date).collect());
    let expected = requested
        .into_iter()
        .map(|(id, day)| (id, calendar.add_business_days(day, 1)));
    Ok(expected.collect())
}

fn is_expected(transfer: &Transfer) -> bool {
    transfer.kind == TransferKind::Withdrawal
        && match transfer.status {
            TransferStatus::Pending | TransferStatus::Processing | TransferStatus::Approved => true,
            TransferStatus::Refused | TransferStatus::Failed => false,
        }
}
