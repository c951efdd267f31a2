//! The filter of a report: sales, period and order.

use ledger_domain::calendar::{Date, Instant, days_after};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, TerminalId};

use super::Figures;
use super::months_and_days::{MonthsAndDays, days};
use crate::page::SortOrder;

/// Which sales the figures count. A missing field does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FigureFilter {
    pub businesses: Option<Vec<BusinessId>>,
    pub solution: Option<Solution>,
    pub payment_type: Option<PaymentType>,
    pub brand: Option<CardBrand>,
    pub installments: Option<u8>,
    pub terminal_id: Option<TerminalId>,
    pub payment_link: Option<String>,
    /// Only sales of terminals.
    pub only_terminals: bool,
}

impl FigureFilter {
    /// Whether the filter leaves out some sales of a company.
    pub fn restricts_sales(&self) -> bool {
        let all = Self {
            businesses: self.businesses.clone(),
            ..Self::default()
        };
        *self != all
    }
}

/// Business dates, both included.
pub type Dates = (Date, Date);

/// A period in which figures are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// By day.
    Days(Dates),
    /// By whole months, and by day at the two ends.
    Months(Dates),
    /// By hour, from the first instant on and before the second. Only the latest hours are kept (`hours.rs`).
    Hours(Instant, Instant),
}

ledger_domain::words! {
    /// The column by which companies are sorted.
    pub enum FigureSort {
        Name = "name",
        Count = "count",
        Gross = "gross",
        Fees = "fees",
        Net = "net",
        Canceled = "canceled",
        Refunded = "refunded",
        Reversed = "reversed",
        Disputed = "disputed",
        ChargedBack = "charged_back",
        Settled = "settled",
    }
}

impl FigureSort {
    /// The figure by which rows in memory are sorted. For `Name` it is 0: the caller sorts by its own names.
    pub fn value(self, figures: &Figures) -> i64 {
        match self {
            Self::Name => 0,
            Self::Count => figures.sales,
            Self::Gross => figures.gross,
            Self::Fees => figures.gross.saturating_sub(figures.net),
            Self::Net => figures.net,
            Self::Canceled => figures.canceled_gross,
            Self::Refunded => figures.refunded_gross,
            Self::Reversed => figures.acquirer_reversed_gross,
            Self::Disputed => figures.disputed,
            Self::ChargedBack => figures.charged_back,
            Self::Settled => figures.settled,
        }
    }

    /// The SQL expression of the figure in one row. `None` for `Name`.
    pub(super) const fn amount(self) -> Option<&'static str> {
        Some(match self {
            Self::Name => return None,
            Self::Count => "sales",
            Self::Gross => "gross",
            Self::Fees => "gross - net",
            Self::Net => "net",
            Self::Canceled => "canceled_gross",
            Self::Refunded => "refunded_gross",
            Self::Reversed => "acquirer_reversed_gross",
            Self::Disputed => "disputed",
            Self::ChargedBack => "charged_back",
            Self::Settled => "settled",
        })
    }

    /// The SQL `ORDER BY` of companies. Companies without a name are the last in both orders.
    pub(super) fn sql(self, order: SortOrder) -> String {
        let direction = order.sql();
        match self.amount() {
            Some(amount) => format!("sum({amount}) {direction}, business_id"),
            None => format!(
                "(SELECT name_key FROM business WHERE id = business_id) {direction} NULLS LAST, business_id"
            ),
        }
    }
}

/// A period of whole months and the days at its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeMonths {
    /// The first day of the first month, and that of the month after the last.
    pub months: (Date, Date),
    /// The days before the first whole month. Empty if its start is after its end.
    pub head: Dates,
    /// The days after the last whole month. Empty if its start is after its end.
    pub tail: Dates,
}

impl Within {
    /// `None` for a period by days or hours, or if no month lies completely in it.
    pub fn whole_months(self) -> Option<WholeMonths> {
        let Self::Months(dates) = self else {
            return None;
        };
        let (start, end) = dates;
        let MonthsAndDays { months, .. } = MonthsAndDays::adding((start, days_after(end, 1)));
        (days(months) > 0).then_some(WholeMonths {
            months,
            head: (start, months.0.pred_opt()?),
            tail: (months.1, end),
        })
    }
}
