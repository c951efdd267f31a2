//! The volume computed a second time from the lists: sales and lines of the statement.
//!
//! No fold takes part, so a fault of a fold cannot hide here. The audit and the simulator compare both results.

use std::collections::BTreeMap;
use std::fmt;

use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::sale::SaleStatus;

use super::{Key, Sum};
use crate::balance::statement::{Line, Movement};
use crate::sales::SaleRecord;

/// The compared value: a column's sum for a payment link. It is by date if the lists say on which date it counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    column: &'static str,
    date: Option<Date>,
    payment_link_code: Option<String>,
}

pub(crate) type Totals = BTreeMap<Place, i128>;

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

/// The columns that the source has too, from the roll-up's rows.
pub(crate) fn rolled_up<'a>(rows: impl IntoIterator<Item = (&'a Key, &'a Sum)>, source: Source) -> Totals {
    let mut totals = Totals::default();
    for (key, sum) in rows {
        for (column, amount) in sum.values() {
            if source.covers(column) {
                let dated = DATED_BY_SALES.contains(&column) || DATED_BY_LINES.contains(&column);
                let date = dated.then_some(key.business_date);
                add(&mut totals, column, date, key.payment_link_code.as_ref(), amount);
            }
        }
    }
    without_zeros(totals)
}

/// The same columns, computed from the sales.
pub(crate) fn of_sales<'a>(sales: impl IntoIterator<Item = &'a SaleRecord>) -> Totals {
    let mut totals = Totals::default();
    for sale in sales {
        let row = &sale.row;
        let (Some(captured_at), Some(net)) = (row.captured_at, row.net) else {
            continue;
        };
        let mut column = |column, date, amount| {
            add(&mut totals, column, date, row.payment_link_code.as_ref(), amount);
        };
        let date = Some(business_date(captured_at));
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
            column(name, date, amount);
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
        column(
            "settled_count",
            None,
            i64::try_from(settled.count()).unwrap_or(i64::MAX),
        );
    }
    without_zeros(totals)
}

/// The same columns, computed from the statement. `payment_link_of` maps a sale to its link.
pub(crate) fn of_lines<'a>(
    lines: impl IntoIterator<Item = &'a Line>,
    payment_link_of: impl Fn(SaleId) -> Option<&'a String>,
) -> Totals {
    let mut totals = Totals::default();
    for line in lines {
        let link = line.sale_id.and_then(&payment_link_of);
        let mut column = |column, amount| {
            add(&mut totals, column, Some(line.business_date), link, amount);
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

fn add(
    totals: &mut Totals,
    column: &'static str,
    date: Option<Date>,
    payment_link_code: Option<&String>,
    amount: i64,
) {
    let place = Place {
        column,
        date,
        payment_link_code: payment_link_code.cloned(),
    };
    *totals.entry(place).or_default() += i128::from(amount);
}

/// A missing sum and a sum of zero are equal.
fn without_zeros(mut totals: Totals) -> Totals {
    totals.retain(|_, amount| *amount != 0);
    totals
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("daily_sales ")?;
        if let Some(date) = self.date {
            write!(f, "{date} ")?;
        }
        match &self.payment_link_code {
            Some(code) => write!(f, "link {code} {}", self.column),
            None => write!(f, "no link {}", self.column),
        }
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
            column: "gross",
            date: Date::from_ymd_opt(2026, 11, 23),
            payment_link_code: Some("loja".to_owned()),
        };
        assert_eq!(place.to_string(), "daily_sales 2026-11-23 link loja gross");
        let place = Place {
            column: "cancels",
            date: None,
            payment_link_code: None,
        };
        assert_eq!(place.to_string(), "daily_sales no link cancels");
    }
}
