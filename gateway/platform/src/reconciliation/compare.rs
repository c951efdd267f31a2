//! Compares what the ledger expects for one installment with what its acquirer reports. Decides only: no SQL, no clock.

use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use projections::expected_payments::ExpectedInstallment;
use rust_decimal::{Decimal, RoundingStrategy};

use super::reported::EntryKind;
use crate::columns::column_words;

/// A cost may be rounded another way than ours.
const COST_TOLERANCE: i64 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// We expect it, and the acquirer did not report it by the day after.
    Missing,
    /// The acquirer reports it, and we do not know it.
    Unknown,
    Amount,
    Date,
    /// Another cost than the expected rate gives.
    Fee,
    /// The installment is reported more than once.
    Double,
}

impl DifferenceKind {
    pub const ALL: [Self; 6] = [
        Self::Missing,
        Self::Unknown,
        Self::Amount,
        Self::Date,
        Self::Fee,
        Self::Double,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unknown => "unknown",
            Self::Amount => "amount",
            Self::Date => "date",
            Self::Fee => "fee",
            Self::Double => "double",
        }
    }
}

column_words! {
    DifferenceKind = "kind of difference" |word| Self::ALL.into_iter().find(|kind| kind.as_str() == word);
}

/// An installment of a captured sale of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    pub installment: ExpectedInstallment,
    pub status: SaleStatus,
    /// Whether the acquirer should have reported it by now.
    pub is_overdue: bool,
    pub rate: Option<Rate>,
}

/// What an acquirer should keep of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub percent: Decimal,
    pub flat: Cents,
}

impl Rate {
    /// The share is rounded half up to a cent.
    pub fn cost_of(&self, gross: Cents) -> Option<Cents> {
        let share = Decimal::from(gross.get()) * self.percent / Decimal::ONE_HUNDRED;
        let share = share.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
        Cents::new(i64::try_from(share).ok()?).checked_add(self.flat)
    }
}

/// A stored row of what the acquirer reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reported {
    pub id: i64,
    pub entry: EntryKind,
    pub gross: Cents,
    pub cost: Cents,
    pub day: Option<Date>,
    pub canceled: bool,
    /// How often its source has it.
    pub times: u32,
}

/// A difference of one installment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub kind: DifferenceKind,
    /// The row that it is about. `None` if it is about the installment.
    pub receivable: Option<i64>,
    pub expected: Option<Cents>,
    pub reported: Option<Cents>,
    /// What it adds to the day's difference of gross.
    pub delta: i64,
    pub expected_on: Option<Date>,
    pub reported_on: Option<Date>,
}

/// What the installment adds to the day's expected gross, and its differences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    pub expected: i64,
    pub differences: Vec<Found>,
}

/// Compares one installment. `rows` are all rows that name it, the oldest first.
///
/// The day's reported gross is that of all rows. So expected plus all deltas is always what is reported.
pub fn compare(expected: &Expected, rows: &[Reported]) -> Compared {
    let counted: Vec<&Reported> = rows.iter().filter(|row| !row.canceled).collect();
    let mut found = doubles(&counted);
    let doubled: i64 = found.iter().map(|double| double.delta).sum();
    let reported = counted.iter().map(|row| total(row)).sum::<i64>() - doubled;
    let due = due(expected, reported);
    let ExpectedInstallment { due_date, .. } = expected.installment;
    if rows.is_empty() {
        if due != 0 && expected.is_overdue {
            found.push(Found {
                kind: DifferenceKind::Missing,
                receivable: None,
                expected: Some(Cents::new(due)),
                reported: None,
                delta: -due,
                expected_on: Some(due_date),
                reported_on: None,
            });
        }
    } else if reported != due {
        found.push(Found {
            kind: DifferenceKind::Amount,
            receivable: rows.first().map(|row| row.id),
            expected: Some(Cents::new(due)),
            reported: Some(Cents::new(reported)),
            delta: reported - due,
            expected_on: Some(due_date),
            reported_on: rows.first().and_then(|row| row.day),
        });
    }
    if let Some(payment) = counted.iter().find(|row| row.entry == EntryKind::Payment) {
        found.extend(date_difference(due_date, payment));
        found.extend(expected.rate.and_then(|rate| fee_difference(rate, payment)));
    }
    Compared {
        expected: due,
        differences: found,
    }
}

/// A row whose sale or installment we do not know.
pub fn unknown(row: &Reported) -> Option<Found> {
    (!row.canceled).then(|| Found {
        kind: DifferenceKind::Unknown,
        receivable: Some(row.id),
        expected: None,
        reported: Some(Cents::new(total(row))),
        delta: total(row),
        expected_on: None,
        reported_on: row.day,
    })
}

/// The gross that the acquirer owes us for the installment.
///
/// It owes nothing for a reversed sale. While a sale is disputed, both is right: it may hold the amount back or not.
fn due(expected: &Expected, reported: i64) -> i64 {
    let gross = expected.installment.gross.get();
    match expected.status {
        SaleStatus::Succeeded => gross,
        SaleStatus::Dispute if reported == 0 => 0,
        SaleStatus::Dispute => gross,
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

fn total(row: &Reported) -> i64 {
    row.gross.get().saturating_mul(i64::from(row.times))
}

/// The payments behind the first one, and the repetitions of a row in its own file.
fn doubles(rows: &[&Reported]) -> Vec<Found> {
    let mut payments = 0;
    let mut found = vec![];
    for row in rows {
        let is_further = row.entry == EntryKind::Payment && payments > 0;
        payments += u32::from(row.entry == EntryKind::Payment);
        let repeated = i64::from(row.times) - i64::from(!is_further);
        if repeated > 0 {
            let delta = row.gross.get().saturating_mul(repeated);
            found.push(Found {
                kind: DifferenceKind::Double,
                receivable: Some(row.id),
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

fn date_difference(due_date: Date, payment: &Reported) -> Option<Found> {
    payment.day.filter(|day| *day != due_date).map(|day| Found {
        kind: DifferenceKind::Date,
        receivable: Some(payment.id),
        expected: None,
        reported: None,
        delta: 0,
        expected_on: Some(due_date),
        reported_on: Some(day),
    })
}

fn fee_difference(rate: Rate, payment: &Reported) -> Option<Found> {
    let cost = rate.cost_of(payment.gross)?;
    let off = payment.cost.get().abs_diff(cost.get());
    (off > COST_TOLERANCE.unsigned_abs()).then_some(Found {
        kind: DifferenceKind::Fee,
        receivable: Some(payment.id),
        expected: Some(cost),
        reported: Some(payment.cost),
        delta: 0,
        expected_on: None,
        reported_on: payment.day,
    })
}

#[cfg(test)]
mod tests;
