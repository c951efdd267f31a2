//! Compares sales with the other rows about them: in the roll-ups, in the statement and among the balances.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::calendar::business_date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::{Cents, SaleId};

use crate::balance::statement::Movement;
use crate::daily_sales::Sum;
use crate::read_model::finding::{Reporter, Subject};
use crate::read_model_groups::Rows;
use crate::replay::listed_volume::{self, RollUp, RollUpKey, Source, Totals};
use crate::sales::{Returned, SaleRecord, SaleRow};

/// The captured sales.
fn captured(rows: &Rows) -> impl Iterator<Item = &SaleRow> {
    let sales = rows.sale.values().map(|sale| &sale.row);
    sales.filter(|sale| sale.net.is_some())
}

/// Compares the sums of the roll-ups that follow from the sales alone: captures, reversals, and the number and gross of
/// settlements.
pub(super) fn check_daily_sales_against_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    fn check<Of: RollUpKey>(
        rows: &Rows,
        sums: &BTreeMap<Of, Sum>,
        roll_up: RollUp,
        reporter: &mut Reporter<'_>,
    ) {
        let listed = listed_volume::from_sales(rows.sale.values(), roll_up);
        let rolled_up = listed_volume::from_rows(sums, Source::Sales);
        compare_totals(&listed, &rolled_up, "sales", reporter);
    }
    check(rows, &rows.daily_sales, RollUp::Days, reporter);
    check(rows, &rows.monthly_sales, RollUp::Months, reporter);
    let kept = RollUp::hours(rows.hourly_sales.keys());
    check(rows, &rows.hourly_sales, kept, reporter);
}

/// Compares the number, gross and net of the reversals that ended a sale with those of the sales, by status.
pub(super) fn check_returns_against_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut returns: BTreeMap<(SaleStatus, &'static str), i128> = BTreeMap::new();
    for (key, sum) in &rows.sale_return {
        for (column, amount) in [("returns", sum.returns), ("gross", sum.gross), ("net", sum.net)] {
            *returns.entry((key.status, column)).or_default() += i128::from(amount);
        }
    }
    let mut listed: BTreeMap<(SaleStatus, &'static str), i128> = BTreeMap::new();
    for returned in captured(rows).flat_map(SaleRow::returned) {
        let Returned {
            status,
            count,
            gross,
            net,
        } = returned;
        for (column, amount) in [("returns", count), ("gross", gross), ("net", net)] {
            *listed.entry((status, column)).or_default() += i128::from(amount);
        }
    }
    for status in [
        SaleStatus::Canceled,
        SaleStatus::Refunded,
        SaleStatus::Reversed,
        SaleStatus::ChargedBack,
    ] {
        for column in ["returns", "gross", "net"] {
            let sum = |of: &BTreeMap<_, i128>| of.get(&(status, column)).copied().unwrap_or_default();
            let key = format_args!("sale_return {status} {column} is the sum of its sales");
            reporter.equal(Subject::CrossCheck, key, sum(&listed), sum(&returns));
        }
    }
}

/// The sums of a date and a status are those of the sales that were captured or created on the date and now have the
/// status. Sales that succeeded or still wait have none.
pub(super) fn check_outcomes_against_sales(rows: &Rows, reporter: &mut Reporter<'_>) {
    const SUMS: [&str; 5] = ["sales", "gross", "captured", "captured_gross", "captured_net"];
    let waits_or_succeeded = [
        SaleStatus::New,
        SaleStatus::Created,
        SaleStatus::Pending,
        SaleStatus::Succeeded,
    ];
    let mut days: BTreeMap<_, [(i128, i128); SUMS.len()]> = BTreeMap::new();
    for sale in rows.sale.values().map(|sale| &sale.row) {
        if waits_or_succeeded.contains(&sale.status) {
            continue;
        }
        let (amount, net) = (sale.amount.get(), sale.net.map(Cents::get));
        let listed = [
            1,
            amount,
            i64::from(net.is_some()),
            net.map_or(0, |_| amount),
            net.unwrap_or(0),
        ];
        let sums = days
            .entry((business_date(sale.occurred_at), sale.status))
            .or_default();
        for (sum, amount) in sums.iter_mut().zip(listed) {
            sum.0 += i128::from(amount);
        }
    }
    for (key, row) in &rows.daily_outcomes {
        let sums = days.entry((key.business_date, key.status)).or_default();
        for (sum, (_, amount)) in sums.iter_mut().zip(row.values()) {
            sum.1 += i128::from(amount);
        }
    }
    for ((date, status), sums) in days {
        for (name, (listed, found)) in SUMS.iter().zip(sums) {
            let key = format_args!("daily_outcomes.{name} of {date} {status} is the sum of its sales");
            reporter.equal(Subject::CrossCheck, key, listed, found);
        }
    }
}

/// Compares the number, gross and net of the disputes, opened and won, with the lines of the statement.
pub(super) fn check_returns_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    for (status, movement) in [
        (SaleStatus::Dispute, Movement::Dispute),
        (SaleStatus::Succeeded, Movement::DisputeWon),
    ] {
        let lines = rows
            .statement_line
            .values()
            .filter(|line| line.movement == movement);
        let (mut count, mut amount) = (0_i128, 0_i128);
        for line in lines {
            count += 1;
            amount += i128::from(line.amount).abs();
        }
        let returns = rows.sale_return.iter().filter(|(key, _)| key.status == status);
        let mut found = (0_i128, 0_i128, 0_i128);
        for (_, sum) in returns {
            found.0 += i128::from(sum.returns);
            found.1 += i128::from(sum.gross);
            found.2 += i128::from(sum.net);
        }
        for (column, expected, found) in [
            ("returns", count, found.0),
            ("gross", amount, found.1),
            ("net", amount, found.2),
        ] {
            let key = format_args!("sale_return {status} {column} is the sum of its lines in the statement");
            reporter.equal(Subject::CrossCheck, key, expected, found);
        }
    }
}

/// Compares the sums of disputes and the net of settlements in the roll-ups with the statement. A sale's row does not
/// have their days; a line of the statement has.
pub(super) fn check_daily_sales_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    fn check<Of: RollUpKey>(
        rows: &Rows,
        sums: &BTreeMap<Of, Sum>,
        roll_up: RollUp,
        reporter: &mut Reporter<'_>,
    ) {
        let sale = |sale| rows.sale.get(&sale).map(|sale| &sale.row);
        let reserved = listed_volume::reserved(&rows.reserve_piece, |sale| rows.sale.get(&sale));
        let listed = listed_volume::from_lines(rows.statement_line.values(), reserved, sale, roll_up);
        let rolled_up = listed_volume::from_rows(sums, Source::Statement);
        compare_totals(&listed, &rolled_up, "lines in the statement", reporter);
    }
    check(rows, &rows.daily_sales, RollUp::Days, reporter);
    check(rows, &rows.monthly_sales, RollUp::Months, reporter);
    let kept = RollUp::hours(rows.hourly_sales.keys());
    check(rows, &rows.hourly_sales, kept, reporter);
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
    let disputed: i128 = captured(rows).map(|sale| i128::from(sale.disputed().get())).sum();
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

/// What became available of a sale, and what parts took from its open installments: both have lines in the statement.
fn paid_of_installments(sale: &SaleRecord) -> i128 {
    let paid = sale.installments().map(|(_, installment, consumed)| {
        let paid = if installment.settled_by.is_some() {
            installment.net
        } else {
            consumed
        };
        i128::from(paid.get())
    });
    paid.sum()
}

/// Each sale's lines add up to its paid installments, less what the reserve holds of them and the amount that a reversal took from the available balance:
/// the net if the fees were returned, else the gross.
pub(super) fn check_sales_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut moved: BTreeMap<SaleId, i128> = BTreeMap::new();
    for line in rows.statement_line.values() {
        if let Some(sale) = line.sale_id {
            *moved.entry(sale).or_default() += i128::from(line.amount);
        }
    }
    let mut reserved: BTreeMap<SaleId, i128> = BTreeMap::new();
    for (piece, sum) in &rows.reserve_piece {
        *reserved.entry(piece.sale_id).or_default() += i128::from(sum.left());
    }
    for sale in captured(rows) {
        let settled = rows.sale.get(&sale.sale_id).map_or(0, paid_of_installments);
        let paid = settled - reserved.get(&sale.sale_id).copied().unwrap_or(0);
        let returned: i128 = sale.returned().iter().map(|part| i128::from(part.net)).sum();
        let taken = returned + i128::from(sale.disputed().get());
        let key = format!("{} is the sum of its lines in the statement", sale.sale_id);
        let found = moved.remove(&sale.sale_id).unwrap_or(0);
        reporter.equal(Subject::CrossCheck, key, paid - taken, found);
    }
    for (sale, amount) in moved {
        let key = format_args!("{sale} is not a captured sale");
        reporter.equal(Subject::CrossCheck, key, 0, amount);
    }
}
