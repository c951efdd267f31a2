//! The figures of the seller panel's home page.

use chrono::{DateTime, Days, NaiveDate, Utc};
use ledger_domain::TransferId;
use projections::daily_sales;
use projections::withdrawals::Transfer;
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::balance::BalanceTotals;
use crate::reports::bodies::{Breakdown, Figures, Report, ReportPeriod};
use crate::reports::period::Moment;
use crate::reports::query::GroupName;
use crate::sales::bodies::list::{PaymentType, SaleRow};
use crate::shared::cents;
use crate::withdrawals::bodies::transfer::StatusNumber;

/// The figures of the home page. Amounts are in cents, days are business dates in Brasília.
#[derive(Debug, Serialize, ToSchema)]
pub struct Overview {
    /// Today's business date.
    #[schema(example = "2026-11-21")]
    pub today: NaiveDate,
    /// Null for roles that may not see the balance.
    #[schema(required = true)]
    pub balance: Option<BalanceTotals>,
    /// Null for roles that may not see the balance.
    #[schema(required = true)]
    pub to_receive: Option<ToReceive>,
    pub sales_today: SalesFigure,
    /// Sales of the whole previous day.
    pub sales_yesterday: SalesFigure,
    /// Sales since the first of the month.
    pub sales_month: SalesFigure,
    /// Sales of the previous month up to the same day of the month, or to its last day.
    pub sales_previous_month: SalesFigure,
    /// The sales of the period that the query names.
    pub period: PeriodVolume,
    /// Sales of the period by payment type, the largest gross first.
    pub by_payment_type: Vec<PaymentTypeVolume>,
    /// Sales of the period by card brand, the largest gross first.
    pub by_brand: Vec<BrandVolume>,
    /// The eight newest sales.
    pub latest_sales: Vec<SaleRow>,
    /// The three newest withdrawals. Null for roles that may not see the balance.
    #[schema(required = true)]
    pub latest_withdrawals: Option<Vec<LatestWithdrawal>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LatestWithdrawal {
    #[schema(value_type = String, example = "trf_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b08")]
    pub id: TransferId,
    /// UTC instant.
    pub requested_at: DateTime<Utc>,
    pub status: StatusNumber,
    /// The withdrawal with its fee, in cents.
    #[schema(example = 150_000)]
    pub amount: i64,
}

impl From<Transfer> for LatestWithdrawal {
    fn from(transfer: Transfer) -> Self {
        Self {
            id: transfer.transfer_id,
            requested_at: transfer.requested_at,
            status: transfer.status.into(),
            amount: cents(transfer.amount),
        }
    }
}

/// The open receivables that are due in the next days, in cents. Today is the first day.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToReceive {
    #[schema(example = 120_000)]
    pub next_7_days: i64,
    #[schema(example = 480_000)]
    pub next_30_days: i64,
}

/// The number of sales and their gross in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct SalesFigure {
    #[schema(example = 4)]
    pub count: u64,
    #[schema(example = 98_000)]
    pub gross: i64,
}

/// The sales of a period next to those of the period before it. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct PeriodVolume {
    pub group: GroupName,
    /// A business date in Brasília; by hour an instant.
    #[schema(value_type = String, example = "2026-10-23")]
    pub start: Moment,
    /// Included.
    #[schema(value_type = String, example = "2026-11-21")]
    pub end: Moment,
    pub totals: Volume,
    /// The totals of the period before, of the same number of days, hours or whole months. A period by month from a
    /// first day is compared with months up to the same day of the month, or to its last day.
    pub previous: Volume,
    /// Oldest first, including those without sales.
    pub parts: Vec<VolumePart>,
}

/// An hour, a day, a week or a month of the period.
#[derive(Debug, Serialize, ToSchema)]
pub struct VolumePart {
    /// A business date; by hour an instant.
    #[schema(value_type = String, example = "2026-11-21")]
    pub start: Moment,
    /// Included.
    #[schema(value_type = String, example = "2026-11-21")]
    pub end: Moment,
    #[serde(flatten)]
    pub sales: Volume,
}

/// The captured sales, whatever became of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct Volume {
    #[schema(example = 4)]
    pub count: i64,
    #[schema(example = 98_000)]
    pub gross: i64,
    #[schema(example = 94_080)]
    pub net: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentTypeVolume {
    pub payment_type: PaymentType,
    #[schema(example = 3)]
    pub count: i64,
    #[schema(example = 90_000)]
    pub gross: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BrandVolume {
    #[schema(example = "visa")]
    pub card_brand: String,
    #[schema(example = 3)]
    pub count: i64,
    #[schema(example = 90_000)]
    pub gross: i64,
}

impl From<daily_sales::Volume> for SalesFigure {
    fn from(volume: daily_sales::Volume) -> Self {
        Self {
            count: volume.count,
            gross: cents(volume.gross),
        }
    }
}

impl From<&Figures> for Volume {
    fn from(figures: &Figures) -> Self {
        Self {
            count: figures.count,
            gross: figures.gross,
            net: figures.net,
        }
    }
}

impl From<Report> for PeriodVolume {
    fn from(report: Report) -> Self {
        let part = |period: &ReportPeriod| VolumePart {
            start: period.start,
            end: period.end,
            sales: (&period.figures).into(),
        };
        Self {
            group: report.group,
            start: report.start,
            end: report.end,
            totals: (&report.totals).into(),
            previous: (&report.previous_totals).into(),
            parts: report.periods.iter().map(part).collect(),
        }
    }
}

/// The payment types with sales. A period that only has reversals of a type has no sales of it.
pub fn payment_types(breakdown: &Breakdown) -> Vec<PaymentTypeVolume> {
    let sold = breakdown
        .by_payment_type
        .iter()
        .filter(|row| row.figures.count > 0);
    sold.map(|row| PaymentTypeVolume {
        payment_type: row.payment_type,
        count: row.figures.count,
        gross: row.figures.gross,
    })
    .collect()
}

/// The brands with sales. Sales without a card have none.
pub fn brands(breakdown: &Breakdown) -> Vec<BrandVolume> {
    let sold = breakdown.by_brand.iter().filter(|row| row.figures.count > 0);
    sold.filter_map(|row| {
        Some(BrandVolume {
            card_brand: row.card_brand.clone()?,
            count: row.figures.count,
            gross: row.figures.gross,
        })
    })
    .collect()
}

/// The dates that the home page compares.
#[derive(Debug, Clone, Copy)]
pub struct ComparedDays {
    pub yesterday: NaiveDate,
    /// From the first of the month to today.
    pub month: (NaiveDate, NaiveDate),
    /// Up to the same day of the month, or to the last day of a shorter month.
    pub previous_month: (NaiveDate, NaiveDate),
}

impl ComparedDays {
    pub fn of(today: NaiveDate) -> Self {
        use chrono::{Datelike, Months};
        let first = today.with_day(1).unwrap_or(today);
        let same_day = today.checked_sub_months(Months::new(1)).unwrap_or(today);
        Self {
            yesterday: today.checked_sub_days(Days::new(1)).unwrap_or(today),
            month: (first, today),
            previous_month: (same_day.with_day(1).unwrap_or(same_day), same_day),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn the_previous_month_ends_on_the_same_day_or_on_its_last_day() {
        let periods = ComparedDays::of(date("2027-03-31"));
        assert_eq!(periods.previous_month, (date("2027-02-01"), date("2027-02-28")));
        assert_eq!(periods.month, (date("2027-03-01"), date("2027-03-31")));
        let january = ComparedDays::of(date("2027-01-05"));
        assert_eq!(january.previous_month, (date("2026-12-01"), date("2026-12-05")));
    }
}
