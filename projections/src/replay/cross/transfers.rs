//! Compares the sums of transfers by day with the transfers.

use std::collections::BTreeMap;

use ledger_domain::calendar::business_date;

use crate::read_model::finding::{Reporter, Subject};
use crate::read_model_groups::Rows;

/// The sums of a date, kind and status are those of the transfers that were requested on the date and now have the
/// status.
pub(super) fn check_daily_transfers(rows: &Rows, reporter: &mut Reporter<'_>) {
    const SUMS: [&str; 3] = ["transfers", "amount", "fee"];
    let mut days: BTreeMap<_, [(i128, i128); SUMS.len()]> = BTreeMap::new();
    for transfer in rows.transfer.values() {
        let key = (
            business_date(transfer.requested_at),
            transfer.kind,
            transfer.status,
        );
        let sums = days.entry(key).or_default();
        for (sum, amount) in sums
            .iter_mut()
            .zip([1, transfer.amount.get(), transfer.fee.get()])
        {
            sum.0 += i128::from(amount);
        }
    }
    for (key, row) in &rows.daily_transfers {
        let sums = days.entry((key.business_date, key.kind, key.status)).or_default();
        for (sum, amount) in sums.iter_mut().zip([row.transfers, row.amount, row.fee]) {
            sum.1 += i128::from(amount);
        }
    }
    for ((date, kind, status), sums) in days {
        for (name, (listed, found)) in SUMS.iter().zip(sums) {
            let key = format_args!(
                "daily_transfers.{name} of {date} {kind:?} {status:?} is the sum of its transfers"
            );
            reporter.equal(Subject::CrossCheck, key, listed, found);
        }
    }
}
