//! Compares the platform's revenue, by day and by month, with the balances, the sales and the transfers.

use std::collections::BTreeMap;

use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::{TransferKind, TransferStatus};

use super::super::finding::{Reporter, Subject};
use crate::daily_sales::month_of;
use crate::read_model_groups::Rows;

/// The fees of a day equal the day's postings to `platform_fees`. The fees of a month equal the sum over its days.
pub(super) fn check_fees_by_day(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut days: BTreeMap<Date, (i128, i128)> = BTreeMap::new();
    let mut months: BTreeMap<Date, (i128, i128)> = BTreeMap::new();
    for ((_, date), accounts) in &rows.balance_daily {
        let posted = i128::from(accounts.platform_fees.get());
        days.entry(*date).or_default().0 += posted;
        months.entry(month_of(*date)).or_default().0 += posted;
    }
    for (key, sum) in &rows.platform_fees_daily {
        let fees = sum.values().map(|(_, amount)| i128::from(amount));
        days.entry(key.business_date).or_default().1 += fees.sum::<i128>();
    }
    for (key, sum) in &rows.platform_fees_monthly {
        let fees = sum.values().map(|(_, amount)| i128::from(amount));
        months.entry(key.month).or_default().1 += fees.sum::<i128>();
    }
    for (table, sums) in [("platform_fees_daily", days), ("platform_fees_monthly", months)] {
        for (date, (posted, found)) in sums {
            let key = format_args!("{table} {date} is the sum of balance_daily.platform_fees");
            reporter.equal(Subject::CrossCheck, key, posted, found);
        }
    }
}

/// The platform keeps the fees of each captured sale, unless the sale was canceled, refunded or reversed.
pub(super) fn check_fees_of_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    let earned = rows.sale.values().filter_map(|sale| {
        let row = &sale.row;
        let net = row.net?;
        let given_back = matches!(
            row.status,
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed
        );
        (!given_back).then(|| i128::from(row.amount.get()) - i128::from(net.get()))
    });
    check(
        rows,
        "sales",
        earned.sum(),
        "the fees of the business's sales",
        reporter,
    );
}

/// The platform keeps the fee of each paid withdrawal, and each rental that was not given back.
pub(super) fn check_fees_of_transfers(rows: &Rows, reporter: &mut Reporter<'_>) {
    let paid = |kind| {
        let transfers = rows.transfer.values();
        transfers.filter(move |transfer| transfer.kind == kind && transfer.status == TransferStatus::Approved)
    };
    let withdrawals = paid(TransferKind::Withdrawal).map(|transfer| i128::from(transfer.fee.get()));
    check(
        rows,
        "withdrawals",
        withdrawals.sum(),
        "the fees of the business's withdrawals",
        reporter,
    );
    let rentals = paid(TransferKind::TerminalRental).map(|transfer| i128::from(transfer.amount.get()));
    check(rows, "rentals", rentals.sum(), "the business's rentals", reporter);
}

fn check(rows: &Rows, column: &str, expected: i128, list: &str, reporter: &mut Reporter<'_>) {
    let daily = rows.platform_fees_daily.values().flat_map(|sum| sum.values());
    let monthly = rows.platform_fees_monthly.values().flat_map(|sum| sum.values());
    let of_column = |(name, amount): (&str, i64)| (name == column).then_some(i128::from(amount));
    for (table, sum) in [
        ("platform_fees_daily", daily.filter_map(of_column).sum()),
        ("platform_fees_monthly", monthly.filter_map(of_column).sum()),
    ] {
        let key = format_args!("{table}.{column} is the sum of {list}");
        reporter.equal(Subject::CrossCheck, key, expected, sum);
    }
}
