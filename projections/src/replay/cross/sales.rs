//! Compares sales with the other rows about them: in the roll-ups by day, in the statement and among the balances.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::SaleId;
use ledger_domain::sale::SaleStatus;

use super::super::finding::{Reporter, Subject};
use crate::daily_sales::lists::{self, Source, Totals};
use crate::model::Rows;
use crate::sales::SaleRow;

/// Who holds the money of a captured sale.
enum MoneyLocation {
    Sellers,
    /// The buyer, and the platform returned its fees.
    Returned,
    /// The amount is blocked, and the platform keeps its fees.
    Disputed,
    /// The buyer, and the platform keeps its fees.
    ChargedBack,
}

impl MoneyLocation {
    const fn of(status: SaleStatus) -> Self {
        match status {
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => Self::Returned,
            SaleStatus::Dispute => Self::Disputed,
            SaleStatus::ChargedBack => Self::ChargedBack,
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Succeeded
            | SaleStatus::Failed => Self::Sellers,
        }
    }
}

/// The captured sales, each with its net and the holder of its money.
fn captured(rows: &Rows) -> impl Iterator<Item = (&SaleRow, i64, MoneyLocation)> {
    rows.sale.values().map(|sale| &sale.row).filter_map(|sale| {
        let net = sale.net?.get();
        Some((sale, net, MoneyLocation::of(sale.status)))
    })
}

/// Compares the captured, reversed and settled sums by payment link.
pub(super) fn check_daily_sales_against_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    let listed = lists::of_sales(rows.sale.values());
    compare_totals(
        &listed,
        &lists::rolled_up(&rows.daily_sales, Source::Sales),
        "sales",
        reporter,
    );
}

/// Compares disputes and settlements by their own day, which a sale's row does not have.
pub(super) fn check_daily_sales_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    let link = |sale| rows.sale.get(&sale)?.row.payment_link_code.as_ref();
    let listed = lists::of_lines(rows.statement_line.values(), link);
    let rolled_up = lists::rolled_up(&rows.daily_sales, Source::Statement);
    compare_totals(&listed, &rolled_up, "lines in the statement", reporter);
}

fn compare_totals(listed: &Totals, rolled_up: &Totals, list: &str, reporter: &mut Reporter<'_>) {
    let places: BTreeSet<_> = listed.keys().chain(rolled_up.keys()).collect();
    for place in places {
        let sum = |totals: &Totals| totals.get(place).copied().unwrap_or_default();
        let key = format_args!("{place} is the sum of its {list}");
        reporter.equal(Subject::CrossCheck, key, sum(listed), sum(rolled_up));
    }
}

pub(super) fn check_in_dispute(rows: &Rows, reporter: &mut Reporter<'_>) {
    let disputed: i128 = captured(rows)
        .filter(|(.., location)| matches!(location, MoneyLocation::Disputed))
        .map(|(sale, ..)| i128::from(sale.amount.get()))
        .sum();
    let in_dispute: i128 = rows
        .balance
        .values()
        .map(|accounts| i128::from(accounts.in_dispute.get()))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "balance.in_dispute is the sum of disputed sales",
        disputed,
        in_dispute,
    );
}

/// Each sale's lines add up to its paid installments, less the amount that a reversal took from the available balance:
/// the net if the fees were returned, else the gross.
pub(super) fn check_sales_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut moved: BTreeMap<SaleId, i128> = BTreeMap::new();
    for line in rows.statement_line.values() {
        if let Some(sale) = line.sale_id {
            *moved.entry(sale).or_default() += i128::from(line.amount);
        }
    }
    for (sale, net, location) in captured(rows) {
        let paid: i128 = rows
            .sale
            .get(&sale.sale_id)
            .into_iter()
            .flat_map(|sale| &sale.schedule)
            .filter(|installment| installment.settled_by.is_some())
            .map(|installment| i128::from(installment.net.get()))
            .sum();
        let taken = match location {
            MoneyLocation::Sellers => 0,
            MoneyLocation::Returned => net,
            MoneyLocation::Disputed | MoneyLocation::ChargedBack => sale.amount.get(),
        };
        let key = format!("{} is the sum of its lines in the statement", sale.sale_id);
        let found = moved.remove(&sale.sale_id).unwrap_or(0);
        reporter.equal(Subject::CrossCheck, key, paid - i128::from(taken), found);
    }
    for (sale, amount) in moved {
        let key = format_args!("{sale} is not a captured sale");
        reporter.equal(Subject::CrossCheck, key, 0, amount);
    }
}
