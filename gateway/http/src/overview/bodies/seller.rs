//! The figures of the seller panel's home page.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use projections::daily_sales::{Day, Volume};
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::balance::BalanceTotals;
use crate::sales::bodies::list::{PaymentType, SaleRow};
use crate::shared::cents;

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
    /// Sales of the previous month up to the same day of the month.
    pub sales_previous_month: SalesFigure,
    /// The last 30 business dates, oldest first, including those without sales.
    pub daily: Vec<DailyVolume>,
    /// Sales of the last 30 days by payment type.
    pub by_payment_type: Vec<PaymentTypeVolume>,
    /// Sales of the last 30 days by card brand.
    pub by_brand: Vec<BrandVolume>,
    /// The eight newest sales.
    pub latest_sales: Vec<SaleRow>,
}

/// The receivables that are due from today, in cents.
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

/// The sales of one business date; amounts in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct DailyVolume {
    #[schema(example = "2026-11-21")]
    pub date: NaiveDate,
    #[schema(example = 4)]
    pub count: u64,
    #[schema(example = 98_000)]
    pub gross: i64,
    #[schema(example = 94_080)]
    pub net: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentTypeVolume {
    pub payment_type: PaymentType,
    #[schema(example = 3)]
    pub count: u64,
    #[schema(example = 90_000)]
    pub gross: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BrandVolume {
    #[schema(example = "visa")]
    pub card_brand: String,
    #[schema(example = 3)]
    pub count: u64,
    #[schema(example = 90_000)]
    pub gross: i64,
}

impl From<Volume> for SalesFigure {
    fn from(volume: Volume) -> Self {
        Self {
            count: volume.count,
            gross: cents(volume.gross),
        }
    }
}

/// Every date from `start` to `end`, including dates without sales.
pub fn each_day(start: NaiveDate, end: NaiveDate, days: Vec<Day>) -> Vec<DailyVolume> {
    let mut sold: BTreeMap<NaiveDate, Day> = days.into_iter().map(|day| (day.date, day)).collect();
    let dates = start.iter_days().take_while(|date| *date <= end);
    dates
        .map(|date| match sold.remove(&date) {
            Some(day) => DailyVolume {
                date,
                count: day.count,
                gross: cents(day.gross),
                net: cents(day.net),
            },
            None => DailyVolume {
                date,
                count: 0,
                gross: 0,
                net: 0,
            },
        })
        .collect()
}

/// The dates that the home page compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periods {
    pub today: NaiveDate,
    pub yesterday: NaiveDate,
    pub month: (NaiveDate, NaiveDate),
    /// Up to the same day of the month, or to the last day of a shorter month.
    pub previous_month: (NaiveDate, NaiveDate),
    /// The first of the last 30 dates.
    pub thirty_days: NaiveDate,
}

impl Periods {
    pub fn of(today: NaiveDate) -> Self {
        use chrono::{Datelike, Months};
        let first = today.with_day(1).unwrap_or(today);
        let same_day = today.checked_sub_months(Months::new(1)).unwrap_or(today);
        Self {
            today,
            yesterday: before(today, 1),
            month: (first, today),
            previous_month: (same_day.with_day(1).unwrap_or(same_day), same_day),
            thirty_days: before(today, 29),
        }
    }
}

fn before(date: NaiveDate, days: u64) -> NaiveDate {
    date.checked_sub_days(Days::new(days)).unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn the_previous_month_ends_on_the_same_day_or_on_its_last_day() {
        let periods = Periods::of(date("2027-03-31"));
        assert_eq!(periods.previous_month, (date("2027-02-01"), date("2027-02-28")));
        assert_eq!(periods.month, (date("2027-03-01"), date("2027-03-31")));
        let january = Periods::of(date("2027-01-05"));
        assert_eq!(january.previous_month, (date("2026-12-01"), date("2026-12-05")));
    }

    #[test]
    fn days_without_sales_are_included_with_zeros() {
        let periods = Periods::of(date("2026-11-21"));
        let days = each_day(periods.thirty_days, periods.today, vec![]);
        assert_eq!(days.len(), 30);
        assert_eq!(
            (days[0].date, days[29].date),
            (date("2026-10-23"), date("2026-11-21"))
        );
        assert!(
            days.iter()
                .all(|day| day.count == 0 && day.gross == 0 && day.net == 0)
        );
    }
}
