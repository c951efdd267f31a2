//! The volume, computed a second time from the lists behind it: sales and lines of the statement.
//!
//! The folds of the volume take no part, so their faults show as differences. The audit and the simulator compare both
//! results.

use std::collections::BTreeMap;
use std::fmt;

use ledger_domain::calendar::{Date, Instant, business_date, start_of};
use ledger_domain::sale::SaleStatus;
use ledger_domain::{Cents, SaleId};

use crate::balance::statement::{Line, Movement};
use crate::daily_sales::hours::{hour_of, oldest_kept};
use crate::daily_sales::{DayKey, HourKey, MonthKey, Sum};
use crate::holds::reserve::{ReservePiece, ReserveSum};
use crate::range::month_of;
use crate::sales::{SaleRecord, SaleRow};

/// Identifies a sum that is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ComparedSum {
    table: &'static str,
    column: &'static str,
    /// The date, month or hour on which the amount counts. `None` if the lists do not have it: then the sums over the
    /// whole past are compared.
    time: Option<Time>,
    /// `None` if the roll-up does not have these attributes.
    group: Option<Group>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Time {
    /// A date, or the first day of a month.
    Date(Date),
    Hour(Instant),
}

/// The payment link and the number of installments of a sale.
type Group = (Option<String>, i16);

pub(crate) type Totals = BTreeMap<ComparedSum, i128>;

/// The roll-up that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RollUp {
    Days,
    Months,
    /// Only the hours from this one on are kept. `None` if no hour is stored.
    Hours(Option<Instant>),
}

/// The columns whose day the lists have, and the amount of a captured sale. A sale has the day of its capture; a line of
/// the statement has the day of a dispute or a settlement.
const DATED_BY_CAPTURE: [(&str, AmountOf); 8] = [
    ("sales", |_| 1),
    ("gross", |sale| sale.amount.get()),
    ("installment_gross", |sale| match sale.installments {
        1 => 0,
        _ => sale.amount.get(),
    }),
    ("percentage_fee", |sale| sale.fees.percentage_fee.get()),
    ("flat_fee", |sale| sale.fees.flat_fee.get()),
    ("percentage_rate", |sale| sale.fees.percentage_rate.get()),
    ("flat_rate", |sale| sale.fees.flat_rate.get()),
    ("net", |sale| sale.net.map_or(0, |net| net.get())),
];
type AmountOf = fn(&SaleRow) -> i64;
const DATED_BY_STATEMENT: [&str; 5] = ["disputes", "disputed", "disputes_won", "won", "settled"];

fn has_time(column: &str) -> bool {
    DATED_BY_CAPTURE.iter().any(|(dated, _)| *dated == column) || DATED_BY_STATEMENT.contains(&column)
}

/// The lists that a column is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Sales,
    Statement,
}

impl Source {
    fn computes(self, column: &str) -> bool {
        DATED_BY_STATEMENT.contains(&column) == (self == Self::Statement)
    }
}

impl RollUp {
    /// The kept hours, which follow from the newest hour of these rows.
    pub fn hours<'a>(rows: impl IntoIterator<Item = &'a HourKey>) -> Self {
        let newest = rows.into_iter().map(|key| key.business_hour).max();
        Self::Hours(newest.map(oldest_kept))
    }

    const fn table(self) -> &'static str {
        match self {
            Self::Days => "daily_sales",
            Self::Months => "monthly_sales",
            Self::Hours(_) => "hourly_sales",
        }
    }

    /// The sum in which an amount of the sale counts. `None` if the roll-up does not keep the hour. `None` also for a
    /// sum over the whole past, if the roll-up keeps only a part of it.
    fn compared_sum(
        self,
        column: &'static str,
        at: Option<(Date, Instant)>,
        sale: Option<&SaleRow>,
    ) -> Option<ComparedSum> {
        let group = sale.map_or((None, 0), |sale| {
            (sale.payment_link_code.clone(), i16::from(sale.installments))
        });
        let time = match self {
            Self::Days => at.map(|(date, _)| Time::Date(date)),
            Self::Months => at.map(|(date, _)| Time::Date(month_of(date))),
            Self::Hours(oldest) => {
                let hour = hour_of(at?.1);
                if oldest.is_some_and(|oldest| hour < oldest) {
                    return None;
                }
                Some(Time::Hour(hour))
            }
        };
        Some(ComparedSum {
            table: self.table(),
            column,
            time,
            group: (self != Self::Months).then_some(group),
        })
    }
}

/// The key of a row of a roll-up.
pub(crate) trait RollUpKey {
    const TABLE: &'static str;
    /// Whether the roll-up keeps all rows. If not, sums over the whole past are not compared.
    const KEEPS_ALL_ROWS: bool;

    fn time(&self) -> Time;
    fn group(&self) -> Option<Group>;
}

impl RollUpKey for DayKey {
    const TABLE: &'static str = "daily_sales";
    const KEEPS_ALL_ROWS: bool = true;

    fn time(&self) -> Time {
        Time::Date(self.business_date)
    }

    fn group(&self) -> Option<Group> {
        Some((self.payment_link_code.clone(), self.installments))
    }
}

impl RollUpKey for HourKey {
    const TABLE: &'static str = "hourly_sales";
    const KEEPS_ALL_ROWS: bool = false;

    fn time(&self) -> Time {
        Time::Hour(self.business_hour)
    }

    fn group(&self) -> Option<Group> {
        Some((self.payment_link_code.clone(), self.installments))
    }
}

impl RollUpKey for MonthKey {
    const TABLE: &'static str = "monthly_sales";
    const KEEPS_ALL_ROWS: bool = true;

    fn time(&self) -> Time {
        Time::Date(self.month)
    }

    fn group(&self) -> Option<Group> {
        None
    }
}

/// The sums of the roll-up's rows in the columns that the source computes too.
pub(crate) fn from_rows<'a, Of: RollUpKey + 'a>(
    rows: impl IntoIterator<Item = (&'a Of, &'a Sum)>,
    source: Source,
) -> Totals {
    let mut totals = Totals::default();
    for (key, sum) in rows {
        for (column, amount) in sum.values() {
            if source.computes(column) && (Of::KEEPS_ALL_ROWS || has_time(column)) {
                let compared_sum = ComparedSum {
                    table: Of::TABLE,
                    column,
                    time: has_time(column).then(|| key.time()),
                    group: key.group(),
                };
                *totals.entry(compared_sum).or_default() += i128::from(amount);
            }
        }
    }
    without_zeros(totals)
}

/// The same columns, computed from the sales.
pub(crate) fn from_sales<'a>(sales: impl IntoIterator<Item = &'a SaleRecord>, roll_up: RollUp) -> Totals {
    let mut totals = Totals::default();
    for sale in sales {
        let row = &sale.row;
        let Some(captured_at) = row.captured_at else {
            continue;
        };
        let mut column = |column, at, amount| {
            if let Some(compared_sum) = roll_up.compared_sum(column, at, Some(row)) {
                *totals.entry(compared_sum).or_default() += i128::from(amount);
            }
        };
        let at = Some((business_date(captured_at), captured_at));
        for (name, amount_of) in DATED_BY_CAPTURE {
            column(name, at, amount_of(row));
        }
        for returned in row.returned() {
            let amounts = [returned.count, returned.gross, returned.net];
            for (name, amount) in return_columns(returned.status).into_iter().zip(amounts) {
                if let Some(name) = name {
                    column(name, None, amount);
                }
            }
        }
        let settled = sale.installments().filter(|(_, installment, consumed)| {
            installment.settled_by.is_some()
                && installment.settled_by != sale.accelerated_by
                && (*consumed == Cents::ZERO || *consumed != installment.net)
        });
        for (number, installment, _) in settled {
            column("settled_count", None, 1);
            let gross = sale.gross_left(number).unwrap_or(installment.gross);
            column("settled_gross", None, gross.get());
        }
    }
    without_zeros(totals)
}

/// What the reserve held of an installment, and when that settled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reserved {
    pub sale_id: SaleId,
    pub at: Instant,
    pub amount: i64,
}

/// An installment settles at the start of its due date, or with the sale's capture on that day.
pub(crate) fn reserved<'a>(
    pieces: impl IntoIterator<Item = (&'a ReservePiece, &'a ReserveSum)>,
    sale_of: impl Fn(SaleId) -> Option<&'a SaleRecord>,
) -> Vec<Reserved> {
    let settled = |(piece, sum): (&ReservePiece, &ReserveSum)| {
        let sale = sale_of(piece.sale_id)?;
        let place = usize::try_from(piece.number).ok()?.checked_sub(1)?;
        let due_date = sale.schedule.get(place)?.due_date;
        let captured_at = sale.row.captured_at?;
        let at = if business_date(captured_at) == due_date {
            captured_at
        } else {
            start_of(due_date)
        };
        Some(Reserved {
            sale_id: piece.sale_id,
            at,
            amount: sum.reserved,
        })
    };
    pieces.into_iter().filter_map(settled).collect()
}

/// The same columns, computed from the statement. `sale_of` finds a sale's row. The statement lacks what the reserve
/// holds of a settlement, so `reserved` names it.
pub(crate) fn from_lines<'a, 'b>(
    lines: impl IntoIterator<Item = &'a Line>,
    reserved: impl IntoIterator<Item = Reserved>,
    sale_of: impl Fn(SaleId) -> Option<&'b SaleRow>,
    roll_up: RollUp,
) -> Totals {
    let mut totals = Totals::default();
    for line in lines {
        let sale = line.sale_id.and_then(&sale_of);
        let mut column = |column, amount| {
            let at = Some((line.business_date, line.occurred_at));
            if let Some(compared_sum) = roll_up.compared_sum(column, at, sale) {
                *totals.entry(compared_sum).or_default() += i128::from(amount);
            }
        };
        if line.movement == Movement::Dispute {
            column("disputes", 1);
            column("disputed", line.amount.saturating_neg());
        }
        if line.movement == Movement::DisputeWon {
            column("disputes_won", 1);
            column("won", line.amount);
        }
        if line.movement == Movement::Settlement {
            column("settled", line.amount);
        }
    }
    for Reserved { sale_id, at, amount } in reserved {
        let at = Some((business_date(at), at));
        if let Some(compared_sum) = roll_up.compared_sum("settled", at, sale_of(sale_id)) {
            *totals.entry(compared_sum).or_default() += i128::from(amount);
        }
    }
    without_zeros(totals)
}

/// The columns in which a return counts: number, gross and, if the platform returned its fees, net.
const fn return_columns(status: SaleStatus) -> [Option<&'static str>; 3] {
    match status {
        SaleStatus::Canceled => [Some("cancels"), Some("canceled_gross"), Some("canceled_net")],
        SaleStatus::Refunded => [Some("refunds"), Some("refunded_gross"), Some("refunded_net")],
        SaleStatus::Reversed => [
            Some("acquirer_reversals"),
            Some("acquirer_reversed_gross"),
            Some("acquirer_reversed_net"),
        ],
        SaleStatus::ChargedBack => [Some("chargebacks"), Some("charged_back"), None],
        SaleStatus::New
        | SaleStatus::Created
        | SaleStatus::Pending
        | SaleStatus::Succeeded
        | SaleStatus::Failed
        | SaleStatus::Dispute => [None; 3],
    }
}

/// Removes the sums of zero, because a missing sum and a sum of zero are equal.
fn without_zeros(mut totals: Totals) -> Totals {
    totals.retain(|_, amount| *amount != 0);
    totals
}

impl fmt::Display for ComparedSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.table)?;
        match self.time {
            Some(Time::Date(date)) => write!(f, "{date} ")?,
            Some(Time::Hour(hour)) => write!(f, "{hour} ")?,
            None => {}
        }
        if let Some((link, installments)) = &self.group {
            write!(f, "{installments}x ")?;
            match link {
                Some(code) => write!(f, "link {code} ")?,
                None => f.write_str("no link ")?,
            }
        }
        f.write_str(self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_one_source_and_each_dated_name_is_a_column() {
        let columns: Vec<_> = Sum::default().values().map(|(column, _)| column).collect();
        for column in &columns {
            assert_ne!(Source::Sales.computes(column), Source::Statement.computes(column));
        }
        let captured = DATED_BY_CAPTURE.iter().map(|(column, _)| column);
        for dated in captured.chain(&DATED_BY_STATEMENT) {
            assert!(columns.contains(dated), "{dated}");
        }
    }

    #[test]
    fn a_sum_is_named_by_its_table_date_group_and_column() {
        let compared_sum = ComparedSum {
            table: "daily_sales",
            column: "gross",
            time: Date::from_ymd_opt(2026, 11, 23).map(Time::Date),
            group: Some((Some("loja".to_owned()), 3)),
        };
        assert_eq!(
            compared_sum.to_string(),
            "daily_sales 2026-11-23 3x link loja gross"
        );
        let compared_sum = ComparedSum {
            table: "monthly_sales",
            column: "cancels",
            time: None,
            group: None,
        };
        assert_eq!(compared_sum.to_string(), "monthly_sales cancels");
    }
}
