//! The volume computed a second time from the lists: sales and lines of the statement.
//!
//! No fold takes part, so a fault of a fold cannot hide here. The audit and the simulator compare both results.

use std::collections::BTreeMap;
use std::fmt;

use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::sale::SaleStatus;

use super::hours::{hour_of, oldest_kept};
use super::{HourKey, Key, MonthKey, Sum, month_of};
use crate::balance::statement::{Line, Movement};
use crate::sales::{SaleRecord, SaleRow};

/// The compared value: a column's sum, for a payment link and a number of installments if the roll-up has them. It is by
/// date, hour or month if the lists say on which one it counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    table: &'static str,
    column: &'static str,
    slot: Option<Slot>,
    group: Option<Group>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    Date(Date),
    Hour(Instant),
}

/// The payment link and the number of installments of a sale.
type Group = (Option<String>, i16);

pub(crate) type Totals = BTreeMap<Place, i128>;

/// The roll-up that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    Days,
    Months,
    /// Only the hours from this one on are kept. `None`: no hour is stored.
    Hours(Option<Instant>),
}

/// Sales have their capture date. Lines of the statement have the date of a dispute's posting or a settlement.
const DATED_BY_SALES: [&str; 7] = [
    "sales",
    "gross",
    "percentage_fee",
    "flat_fee",
    "percentage_rate",
    "flat_rate",
    "net",
];
const DATED_BY_LINES: [&str; 5] = ["disputes", "disputed", "disputes_won", "won", "settled"];

fn is_dated(column: &str) -> bool {
    DATED_BY_SALES.contains(&column) || DATED_BY_LINES.contains(&column)
}

/// The lists that a column is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Sales,
    Statement,
}

impl Source {
    fn covers(self, column: &str) -> bool {
        DATED_BY_LINES.contains(&column) == (self == Self::Statement)
    }
}

impl Grain {
    /// The hours that the stored rows show to be kept.
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

    /// The place of a column of a sale. `None` if the roll-up does not keep it, or not all of it.
    fn place(
        self,
        column: &'static str,
        at: Option<(Date, Instant)>,
        sale: Option<&SaleRow>,
    ) -> Option<Place> {
        let group = sale.map_or((None, 0), |sale| {
            (sale.payment_link_code.clone(), i16::from(sale.installments))
        });
        let slot = match self {
            Self::Days => at.map(|(date, _)| Slot::Date(date)),
            Self::Months => at.map(|(date, _)| Slot::Date(month_of(date))),
            Self::Hours(oldest) => {
                let hour = hour_of(at?.1);
                if oldest.is_some_and(|oldest| hour < oldest) {
                    return None;
                }
                Some(Slot::Hour(hour))
            }
        };
        Some(Place {
            table: self.table(),
            column,
            slot,
            group: (self != Self::Months).then_some(group),
        })
    }
}

/// A key of a roll-up of the volume.
pub(crate) trait Slotted {
    const TABLE: &'static str;
    /// Whether the roll-up has all of the past. If not, sums over the whole past are not compared.
    const WHOLE: bool;

    fn slot(&self) -> Slot;
    fn group(&self) -> Option<Group>;
}

impl Slotted for Key {
    const TABLE: &'static str = "daily_sales";
    const WHOLE: bool = true;

    fn slot(&self) -> Slot {
        Slot::Date(self.business_date)
    }

    fn group(&self) -> Option<Group> {
        Some((self.payment_link_code.clone(), self.installments))
    }
}

impl Slotted for HourKey {
    const TABLE: &'static str = "hourly_sales";
    const WHOLE: bool = false;

    fn slot(&self) -> Slot {
        Slot::Hour(self.business_hour)
    }

    fn group(&self) -> Option<Group> {
        Some((self.payment_link_code.clone(), self.installments))
    }
}

impl Slotted for MonthKey {
    const TABLE: &'static str = "monthly_sales";
    const WHOLE: bool = true;

    fn slot(&self) -> Slot {
        Slot::Date(self.month)
    }

    fn group(&self) -> Option<Group> {
        None
    }
}

/// The columns that the source has too, from the roll-up's rows.
pub(crate) fn rolled_up<'a, Of: Slotted + 'a>(
    rows: impl IntoIterator<Item = (&'a Of, &'a Sum)>,
    source: Source,
) -> Totals {
    let mut totals = Totals::default();
    for (key, sum) in rows {
        for (column, amount) in sum.values() {
            if source.covers(column) && (Of::WHOLE || is_dated(column)) {
                let place = Place {
                    table: Of::TABLE,
                    column,
                    slot: is_dated(column).then(|| key.slot()),
                    group: key.group(),
                };
                *totals.entry(place).or_default() += i128::from(amount);
            }
        }
    }
    without_zeros(totals)
}

/// The same columns, computed from the sales.
pub(crate) fn of_sales<'a>(sales: impl IntoIterator<Item = &'a SaleRecord>, grain: Grain) -> Totals {
    let mut totals = Totals::default();
    for sale in sales {
        let row = &sale.row;
        let (Some(captured_at), Some(net)) = (row.captured_at, row.net) else {
            continue;
        };
        let mut column = |column, at, amount| {
            if let Some(place) = grain.place(column, at, Some(row)) {
                *totals.entry(place).or_default() += i128::from(amount);
            }
        };
        let at = Some((business_date(captured_at), captured_at));
        let captured = [
            1,
            row.amount.get(),
            row.fees.percentage_fee.get(),
            row.fees.flat_fee.get(),
            row.fees.percentage_rate.get(),
            row.fees.flat_rate.get(),
            net.get(),
        ];
        for (name, amount) in DATED_BY_SALES.into_iter().zip(captured) {
            column(name, at, amount);
        }
        match returned(row.status) {
            Returned::No => {}
            Returned::WithFees([count, gross, net_of]) => {
                column(count, None, 1);
                column(gross, None, row.amount.get());
                column(net_of, None, net.get());
            }
            Returned::WithoutFees => {
                column("chargebacks", None, 1);
                column("charged_back", None, row.amount.get());
            }
        }
        let settled = sale.schedule.iter().filter(|installment| {
            installment.settled_by.is_some() && installment.settled_by != sale.accelerated_by
        });
        for installment in settled {
            column("settled_count", None, 1);
            column("settled_gross", None, installment.gross.get());
        }
    }
    without_zeros(totals)
}

/// The same columns, computed from the statement. `sale_of` finds a sale's row.
pub(crate) fn of_lines<'a, 'b>(
    lines: impl IntoIterator<Item = &'a Line>,
    sale_of: impl Fn(SaleId) -> Option<&'b SaleRow>,
    grain: Grain,
) -> Totals {
    let mut totals = Totals::default();
    for line in lines {
        let sale = line.sale_id.and_then(&sale_of);
        let mut column = |column, amount| {
            let at = Some((line.business_date, line.occurred_at));
            if let Some(place) = grain.place(column, at, sale) {
                *totals.entry(place).or_default() += i128::from(amount);
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
    without_zeros(totals)
}

/// How a captured sale's money was returned to its buyer.
enum Returned {
    No,
    /// The columns of count, gross and net.
    WithFees([&'static str; 3]),
    /// A chargeback: the platform keeps its fees.
    WithoutFees,
}

const fn returned(status: SaleStatus) -> Returned {
    match status {
        SaleStatus::Canceled => Returned::WithFees(["cancels", "canceled_gross", "canceled_net"]),
        SaleStatus::Refunded => Returned::WithFees(["refunds", "refunded_gross", "refunded_net"]),
        SaleStatus::Reversed => Returned::WithFees([
            "acquirer_reversals",
            "acquirer_reversed_gross",
            "acquirer_reversed_net",
        ]),
        SaleStatus::ChargedBack => Returned::WithoutFees,
        SaleStatus::New
        | SaleStatus::Created
        | SaleStatus::Pending
        | SaleStatus::Succeeded
        | SaleStatus::Failed
        | SaleStatus::Dispute => Returned::No,
    }
}

/// A missing sum and a sum of zero are equal.
fn without_zeros(mut totals: Totals) -> Totals {
    totals.retain(|_, amount| *amount != 0);
    totals
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.table)?;
        match self.slot {
            Some(Slot::Date(date)) => write!(f, "{date} ")?,
            Some(Slot::Hour(hour)) => write!(f, "{hour} ")?,
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
            assert_ne!(Source::Sales.covers(column), Source::Statement.covers(column));
        }
        for dated in DATED_BY_SALES.iter().chain(&DATED_BY_LINES) {
            assert!(columns.contains(dated), "{dated}");
        }
    }

    #[test]
    fn a_sum_is_named_by_its_date_and_its_link() {
        let place = Place {
            table: "daily_sales",
            column: "gross",
            slot: Date::from_ymd_opt(2026, 11, 23).map(Slot::Date),
            group: Some((Some("loja".to_owned()), 3)),
        };
        assert_eq!(place.to_string(), "daily_sales 2026-11-23 3x link loja gross");
        let place = Place {
            table: "monthly_sales",
            column: "cancels",
            slot: None,
            group: None,
        };
        assert_eq!(place.to_string(), "monthly_sales cancels");
    }
}
