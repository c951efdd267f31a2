//! Compares the platform's revenue, by day and by month, with the balances, the sales and the transfers.

use std::collections::BTreeMap;

use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::{TransferKind, TransferStatus};

use crate::balance::statement::Movement;
use crate::range::month_of;
use crate::read_model::finding::{Reporter, Subject};
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

/// The platform keeps the fees of each captured sale, without what cancels and refunds gave back of them.
pub(super) fn check_fees_of_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    let earned = rows.sale.values().filter_map(|sale| {
        let row = &sale.row;
        let charged = i128::from(row.amount.get()) - i128::from(row.net?.get());
        let returned = row.returned();
        let refunds = returned
            .iter()
            .filter(|part| part.status != SaleStatus::ChargedBack);
        let given_back: i128 = refunds.map(|part| i128::from(part.gross - part.net)).sum();
        Some(charged - given_back)
    });
    check(
        rows,
        "sales",
        earned.sum(),
        "the fees of the business's sales",
        reporter,
    );
}

/// The platform keeps the fee of each paid withdrawal, unless it gave the fee back when the bank returned the withdrawal,
/// and each rental that was not given back.
pub(super) fn check_fees_of_transfers(rows: &Rows, reporter: &mut Reporter<'_>) {
    let paid = |kind| {
        let transfers = rows.transfer.values();
        transfers.filter(move |transfer| transfer.kind == kind && transfer.status == TransferStatus::Approved)
    };
    let of_paid = paid(TransferKind::Withdrawal).map(|transfer| i128::from(transfer.fee.get()));
    let of_returned = rows.transfer.values().filter_map(|transfer| {
        let given_back = transfer.fee_given_back?;
        Some(i128::from(transfer.fee.get()) - i128::from(given_back.get()))
    });
    check(
        rows,
        "withdrawals",
        of_paid.chain(of_returned).sum(),
        "the fees of the business's withdrawals",
        reporter,
    );
    let rentals = paid(TransferKind::TerminalRental).map(|transfer| i128::from(transfer.amount.get()));
    check(rows, "rentals", rentals.sum(), "the business's rentals", reporter);
}

/// A debt that is written off is a line of the statement too.
pub(super) fn check_write_offs(rows: &Rows, reporter: &mut Reporter<'_>) {
    let lines = rows.statement_line.values();
    let written_off = lines.filter(|line| line.movement == Movement::DebtWrittenOff);
    let sum: i128 = written_off.map(|line| i128::from(line.amount)).sum();
    check(
        rows,
        "write_offs",
        -sum,
        "the debts written off, below zero",
        reporter,
    );
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
