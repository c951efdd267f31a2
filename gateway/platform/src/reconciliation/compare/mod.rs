//! Compares the amount that the ledger expects for one installment with the rows that its acquirer reports. It has no
//! SQL and no clock.

use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use projections::expected_payments::ExpectedInstallment;
use rust_decimal::{Decimal, RoundingStrategy};

use super::reported::EntryKind;

/// In cents. An acquirer may round a cost differently.
const COST_TOLERANCE: u64 = 1;

ledger_domain::words! {
    /// missing: the ledger expects it, and the acquirer did not report it by the day after. unknown: the acquirer
    /// reports it, and the ledger does not know it. amount, date: another gross or day. fee: a cost more than a
    /// cent off that of the expected rate. double: reported more than once.
    pub enum DifferenceKind {
        Missing = "missing" => "Não informada",
        Unknown = "unknown" => "Desconhecida",
        /// The reported gross is not the gross that the acquirer owes.
        Amount = "amount" => "Valor diferente",
        /// The acquirer pays on another day than the due date.
        Date = "date" => "Data diferente",
        Fee = "fee" => "Custo inesperado",
        /// A payment of the installment, or a line about it, is reported more than once.
        Duplicate = "double" => "Em dobro",
    }
}

/// An installment of a captured sale of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    pub installment: ExpectedInstallment,
    pub status: SaleStatus,
    /// Whether the acquirer should have reported it by now.
    pub is_overdue: bool,
    pub rate: Option<Rate>,
    /// The gross that the acquirer takes back of payments of the sale that it has made.
    pub taken_back: Cents,
}

/// The agreed cost of a payment: a percentage of its gross, such as 2.5, and a fixed amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub percent: Decimal,
    pub flat: Cents,
}

impl Rate {
    /// The percentage of the gross is rounded to a cent, half a cent up.
    pub fn cost_of(&self, gross: Cents) -> Option<Cents> {
        let share = Decimal::from(gross.get()) * self.percent / Decimal::ONE_HUNDRED;
        let share = share.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        Cents::new(i64::try_from(share).ok()?).checked_add(self.flat)
    }
}

/// A stored row of an acquirer's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportedRow {
    pub id: i64,
    pub entry: EntryKind,
    pub gross: Cents,
    /// `None`: not known, so that it is not compared.
    pub cost: Option<Cents>,
    /// The day on which the acquirer paid the installment, else that on which it expects to pay.
    pub day: Option<Date>,
    pub canceled: bool,
    /// The number of its lines in the file.
    pub times: u32,
}

/// A difference of one installment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstallmentDifference {
    pub kind: DifferenceKind,
    /// The row that differs. `None` if the installment is missing.
    pub row_id: Option<i64>,
    /// A gross, or the cost if the kind is `Fee`.
    pub expected: Option<Cents>,
    pub reported: Option<Cents>,
    /// Its part of the day's reported gross less expected gross, in cents.
    pub delta: i64,
    pub expected_on: Option<Date>,
    pub reported_on: Option<Date>,
}

/// The result of the comparison of one installment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison<Difference> {
    /// The gross that the acquirer owes for the installment, in cents.
    pub expected: i64,
    pub differences: Vec<Difference>,
}

/// Compares one installment. `rows` are all rows that name it, the oldest first.
///
/// The owed gross plus all deltas equals the gross of the rows that are not canceled, unless the installment has no
/// rows and is not overdue yet.
pub fn compare(expected: &Expected, rows: &[ReportedRow]) -> Comparison<InstallmentDifference> {
    let counted: Vec<&ReportedRow> = rows.iter().filter(|row| !row.canceled).collect();
    let mut found = duplicates(&counted);
    let repeated: i64 = found.iter().map(|duplicate| duplicate.delta).sum();
    let reported = counted.iter().map(|row| total(row)).sum::<i64>() - repeated;
    let owed = owed_gross(expected, reported);
    let ExpectedInstallment { due_date, .. } = expected.installment;
    if rows.is_empty() {
        if owed != 0 && expected.is_overdue {
            found.push(InstallmentDifference {
                kind: DifferenceKind::Missing,
                row_id: None,
                expected: Some(Cents::new(owed)),
                reported: None,
                delta: -owed,
                expected_on: Some(due_date),
                reported_on: None,
            });
        }
    } else if reported != owed {
        found.push(InstallmentDifference {
            kind: DifferenceKind::Amount,
            row_id: rows.first().map(|row| row.id),
            expected: Some(Cents::new(owed)),
            reported: Some(Cents::new(reported)),
            delta: reported - owed,
            expected_on: Some(due_date),
            reported_on: rows.first().and_then(|row| row.day),
        });
    }
    if let Some(payment) = counted.iter().find(|row| row.entry == EntryKind::Payment) {
        found.extend(date_difference(due_date, payment));
        found.extend(expected.rate.and_then(|rate| fee_difference(rate, payment)));
    }
    Comparison {
        expected: owed,
        differences: found,
    }
}

/// The difference of a row that matches no sale or installment of ours.
pub fn unknown(row: &ReportedRow) -> Option<InstallmentDifference> {
    (!row.canceled).then(|| InstallmentDifference {
        kind: DifferenceKind::Unknown,
        row_id: Some(row.id),
        expected: None,
        reported: Some(Cents::new(total(row))),
        delta: total(row),
        expected_on: None,
        reported_on: row.day,
    })
}

/// The gross that the acquirer owes us for the installment.
///
/// It owes nothing for a reversed sale, and keeps what parts of the sale took of the installment. During a dispute it may
/// pay the amount or hold it back; neither is a difference.
fn owed_gross(expected: &Expected, reported: i64) -> i64 {
    let ExpectedInstallment {
        gross,
        kept,
        disputed,
        ..
    } = expected.installment;
    let left = gross.get() - kept.get();
    let taken_back = left - expected.taken_back.get();
    match expected.status {
        // The acquirer tells what it takes back as less of a payment, or in a line of its own.
        SaleStatus::Succeeded if reported == taken_back => taken_back,
        SaleStatus::Succeeded => left,
        SaleStatus::Dispute if reported == 0 => 0,
        SaleStatus::Dispute if reported == left - disputed.get() => reported,
        SaleStatus::Dispute => left,
        SaleStatus::New
        | SaleStatus::Created
        | SaleStatus::Pending
        | SaleStatus::Failed
        | SaleStatus::Canceled
        | SaleStatus::Refunded
        | SaleStatus::Reversed
        | SaleStatus::ChargedBack => 0,
    }
}

fn total(row: &ReportedRow) -> i64 {
    row.gross.get().saturating_mul(i64::from(row.times))
}

/// Duplicates: each payment after the first one, and each repetition of a row within its file. Parts of a payment are
/// added up.
fn duplicates(rows: &[&ReportedRow]) -> Vec<InstallmentDifference> {
    let mut payments = 0;
    let mut found = vec![];
    for row in rows {
        let is_later_payment = row.entry == EntryKind::Payment && payments > 0;
        payments += u32::from(row.entry == EntryKind::Payment);
        let repeated = i64::from(row.times) - i64::from(!is_later_payment);
        if repeated > 0 {
            let delta = row.gross.get().saturating_mul(repeated);
            found.push(InstallmentDifference {
                kind: DifferenceKind::Duplicate,
                row_id: Some(row.id),
                expected: Some(Cents::ZERO),
                reported: Some(Cents::new(delta)),
                delta,
                expected_on: None,
                reported_on: row.day,
            });
        }
    }
    found
}

fn date_difference(due_date: Date, payment: &ReportedRow) -> Option<InstallmentDifference> {
    payment
        .day
        .filter(|day| *day != due_date)
        .map(|day| InstallmentDifference {
            kind: DifferenceKind::Date,
            row_id: Some(payment.id),
            expected: None,
            reported: None,
            delta: 0,
            expected_on: Some(due_date),
            reported_on: Some(day),
        })
}

fn fee_difference(rate: Rate, payment: &ReportedRow) -> Option<InstallmentDifference> {
    let cost = rate.cost_of(payment.gross)?;
    let off = payment.cost?.get().abs_diff(cost.get());
    (off > COST_TOLERANCE).then_some(InstallmentDifference {
        kind: DifferenceKind::Fee,
        row_id: Some(payment.id),
        expected: Some(cost),
        reported: payment.cost,
        delta: 0,
        expected_on: None,
        reported_on: payment.day,
    })
}

#[cfg(test)]
mod tests;
