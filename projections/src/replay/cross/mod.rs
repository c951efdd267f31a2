//! Compares one read model with another, by addition. No fold takes part.
//!
//! Models of two groups are compared only if the groups are at the same position. Models of one group always are at the
//! same position.

mod fees;
mod sales;
mod transfers;

use std::collections::BTreeMap;

use ledger_domain::business::Account;
use ledger_domain::transfer::{Direction, TransferStatus};
use ledger_domain::{HoldId, TransferId};

use crate::ReadModelGroup;
use crate::balance::statement::composition;
use crate::holds::reserve::ReserveSum;
use crate::read_model::finding::{Reporter, Subject};
use crate::read_model_groups::Rows;

pub(super) fn checks(rows: &Rows, positions: &BTreeMap<ReadModelGroup, i64>, reporter: &mut Reporter<'_>) {
    let together = |left, right| positions.get(&left) == positions.get(&right);
    if together(ReadModelGroup::Balance, ReadModelGroup::Statement) {
        check_available_against_statement(rows, reporter);
        fees::check_write_offs(rows, reporter);
    }
    if together(ReadModelGroup::Balance, ReadModelGroup::Sales) {
        check_receivable(rows, reporter);
        sales::check_in_dispute(rows, reporter);
        fees::check_fees_of_sales(rows, reporter);
    }
    if together(ReadModelGroup::Balance, ReadModelGroup::Holds) {
        check_holds(rows, reporter);
    }
    if together(ReadModelGroup::Statement, ReadModelGroup::Sales) {
        sales::check_returns_against_statement(rows, reporter);
        if together(ReadModelGroup::Statement, ReadModelGroup::Holds) {
            sales::check_sales_against_statement(rows, reporter);
            sales::check_daily_sales_against_statement(rows, reporter);
        }
    }
    if together(ReadModelGroup::Balance, ReadModelGroup::Transfers) {
        check_in_transfer(rows, reporter);
        fees::check_fees_of_transfers(rows, reporter);
    }
    if together(ReadModelGroup::Statement, ReadModelGroup::Transfers) {
        check_transfers_against_statement(rows, reporter);
    }
    check_reserve(rows, reporter);
    sales::check_daily_sales_against_sales(rows, reporter);
    sales::check_returns_against_sales(rows, reporter);
    sales::check_outcomes_against_sales(rows, reporter);
    fees::check_fees_by_day(rows, reporter);
    transfers::check_daily_transfers(rows, reporter);
    check_journal_sums(rows, reporter);
    check_daily_sums(rows, reporter);
    check_composition(rows, reporter);
}

fn check_available_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    let last = rows
        .statement_line
        .last_key_value()
        .map_or(0, |(_, line)| line.balance);
    reporter.equal(
        Subject::CrossCheck,
        "balance.available is the statement's last balance",
        last,
        available(rows),
    );
}

fn check_receivable(rows: &Rows, reporter: &mut Reporter<'_>) {
    let open: i128 = rows.sale.values().map(|sale| i128::from(sale.open_net())).sum();
    let receivable: i128 = rows
        .balance
        .values()
        .map(|accounts| i128::from(accounts.receivable.get()))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "balance.receivable is the sum of open installments",
        open,
        receivable,
    );
    let scheduled: i128 = rows
        .receivables_schedule
        .values()
        .map(|sum| i128::from(sum.expected) - i128::from(sum.settled) - i128::from(sum.accelerated))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "the receivables schedule's open net is the sum of open installments",
        open,
        scheduled,
    );
}

fn check_in_transfer(rows: &Rows, reporter: &mut Reporter<'_>) {
    let open: i128 = rows
        .transfer
        .values()
        .filter(|transfer| match transfer.status {
            TransferStatus::Pending | TransferStatus::Processing => true,
            TransferStatus::Approved | TransferStatus::Refused | TransferStatus::Failed => false,
        })
        .map(|transfer| i128::from(transfer.amount.get()))
        .sum();
    let in_transfer: i128 = rows
        .balance
        .values()
        .map(|accounts| i128::from(accounts.in_transfer.get()))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "balance.in_transfer is the sum of open transfers",
        open,
        in_transfer,
    );
}

fn check_holds(rows: &Rows, reporter: &mut Reporter<'_>) {
    let open: i128 = rows.hold.values().map(|hold| i128::from(hold.amount.get())).sum();
    let held: i128 = rows
        .balance
        .values()
        .map(|accounts| i128::from(accounts.held_by_staff.get()))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "balance.held_by_staff is the sum of the holds",
        open,
        held,
    );
}

/// The reserve's hold is the sum of its pieces and of its days.
fn check_reserve(rows: &Rows, reporter: &mut Reporter<'_>) {
    let held: i128 = rows
        .hold
        .values()
        .filter(|hold| hold.hold_id == HoldId::RESERVE)
        .map(|hold| i128::from(hold.amount.get()))
        .sum();
    let left = |sums: &mut dyn Iterator<Item = &ReserveSum>| -> i128 {
        sums.map(|sum| i128::from(sum.left())).sum()
    };
    let pieces = left(&mut rows.reserve_piece.values());
    let days = left(&mut rows.reserve_day.values());
    let check = Subject::CrossCheck;
    reporter.equal(check, "the reserve's hold is the sum of its pieces", pieces, held);
    reporter.equal(check, "the reserve's hold is the sum of its days", days, held);
}

/// Each transfer's lines add up to its effect on the available balance: its signed amount, or zero if it was refused
/// or failed.
fn check_transfers_against_statement(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut moved: BTreeMap<TransferId, i128> = BTreeMap::new();
    for line in rows.statement_line.values() {
        if let Some(transfer) = line.transfer_id {
            *moved.entry(transfer).or_default() += i128::from(line.amount);
        }
    }
    for (id, transfer) in &rows.transfer {
        let amount = i128::from(transfer.amount.get());
        let expected = match (transfer.status, transfer.direction) {
            // A returned withdrawal costs its fee, unless the fee was given back.
            (TransferStatus::Failed, _) => transfer.fee_given_back.map_or(0, |given_back| {
                i128::from(given_back.get()) - i128::from(transfer.fee.get())
            }),
            (TransferStatus::Refused, _) => 0,
            (_, Some(Direction::In)) => amount,
            (
                TransferStatus::Pending | TransferStatus::Processing | TransferStatus::Approved,
                Some(Direction::Out) | None,
            ) => -amount,
        };
        let key = format!("{id} is the sum of its lines in the statement");
        reporter.equal(Subject::CrossCheck, key, expected, moved.remove(id).unwrap_or(0));
    }
    for (id, amount) in moved {
        reporter.equal(
            Subject::CrossCheck,
            format_args!("{id} is not a transfer"),
            0,
            amount,
        );
    }
}

/// The postings of every event sum to zero. Every balance is the previous one plus the posting. The last balances equal
/// those of `balance`.
fn check_journal_sums(rows: &Rows, reporter: &mut Reporter<'_>) {
    let mut running = [0_i128; Account::ALL.len()];
    for ((_, sequence), entry) in &rows.journal {
        let mut posted = 0;
        for (account, running) in Account::ALL.into_iter().zip(&mut running) {
            let amount = i128::from(entry.amounts.get(account).get());
            posted += amount;
            *running += amount;
            reporter.equal(
                Subject::CrossCheck,
                format_args!("the journal's {account} after event {sequence} is the sum of what was posted"),
                *running,
                i128::from(entry.balances.get(account).get()),
            );
        }
        let key = format_args!("the journal's postings of event {sequence} cancel out");
        reporter.equal(Subject::CrossCheck, key, 0, posted);
    }
    let now = rows.balance.values().next().copied().unwrap_or_default();
    for (account, running) in Account::ALL.into_iter().zip(running) {
        reporter.equal(
            Subject::CrossCheck,
            format_args!("balance.{account} is the journal's last"),
            running,
            i128::from(now.get(account).get()),
        );
    }
}

/// The stored sums of the statement pair credits and debits as a queue of credits does.
fn check_composition(rows: &Rows, reporter: &mut Reporter<'_>) {
    let lines: Vec<_> = rows.statement_line.values().collect();
    for difference in composition::differences(&lines) {
        let composition::Difference { key, expected, found } = difference;
        reporter.equal(Subject::CrossCheck, key, expected, found);
    }
}

/// The available balance is the sum of its days. The sums of the statement by day add up to its lines.
fn check_daily_sums(rows: &Rows, reporter: &mut Reporter<'_>) {
    let moved: i128 = rows
        .balance_daily
        .values()
        .map(|accounts| i128::from(accounts.available.get()))
        .sum();
    let key = "balance.available is the sum of its days";
    reporter.equal(Subject::CrossCheck, key, moved, i128::from(available(rows)));
    let lines: i128 = rows
        .statement_line
        .values()
        .map(|line| i128::from(line.amount))
        .sum();
    let by_day: i128 = rows
        .statement_daily
        .values()
        .map(|sum| i128::from(sum.amount))
        .sum();
    reporter.equal(
        Subject::CrossCheck,
        "statement_daily is the sum of the statement's lines",
        lines,
        by_day,
    );
}

fn available(rows: &Rows) -> i64 {
    rows.balance
        .values()
        .map(|accounts| accounts.available.get())
        .next()
        .unwrap_or(0)
}
