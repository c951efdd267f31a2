//! Reads the sums of a report and places them in its periods.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use ledger_domain::{BusinessId, Cents};
use projections::daily_sales::{
    FigureFilter, Figures, TransferFees, figures_breakdown, figures_by_day, transfer_fees_by_day,
};
use tokio_postgres::GenericClient;

use super::bodies::{self, PlatformFees, Report};
use super::period::{Period, Span};
use super::query::Group;
use crate::problem::{Problem, Result};

/// The figures of the days of a period and of the one before it.
pub struct Sums(BTreeMap<DateTime<Utc>, Figures>);

impl Sums {
    /// The sum of the days that begin in the span.
    pub fn of(&self, span: Span) -> Result<Figures> {
        let mut days = self.0.range(span.from..span.until);
        let sum = days.try_fold(Figures::default(), |sum, (_, day)| sum.plus(*day));
        sum.ok_or_else(|| Problem::internal("the figures of a report do not fit into 64 bits"))
    }
}

pub async fn read_sums(client: &impl GenericClient, filter: &FigureFilter, period: &Period) -> Result<Sums> {
    // Hours have no roll-up yet.
    if period.group == Group::Hour {
        return Ok(Sums(BTreeMap::new()));
    }
    let dates = (period.previous.dates().0, period.span.dates().1);
    let days = figures_by_day(client, filter, dates).await?;
    Ok(Sums(days.into_iter().collect()))
}

/// The part of the answer that every report has.
pub async fn read_report(
    client: &impl GenericClient,
    filter: &FigureFilter,
    period: &Period,
) -> Result<Report> {
    let sums = read_sums(client, filter, period).await?;
    let totals = sums.of(period.span)?.into();
    let previous_totals = sums.of(period.previous)?.into();
    // A part is not larger than the whole.
    let figures = |span| sums.of(span).unwrap_or_default().into();
    Ok(Report::of(period, totals, previous_totals, figures))
}

pub async fn read_breakdown(
    client: &impl GenericClient,
    filter: &FigureFilter,
    period: &Period,
) -> Result<bodies::Breakdown> {
    let breakdown = figures_breakdown(client, filter, period.span.dates()).await?;
    Ok(breakdown.into())
}

/// The platform's revenue of a report and of its periods.
pub struct Revenue {
    days: BTreeMap<DateTime<Utc>, TransferFees>,
}

impl Revenue {
    /// With a filter of sales, what the platform earned besides sales does not count.
    pub async fn read(client: &impl GenericClient, filter: &FigureFilter, period: &Period) -> Result<Self> {
        if restricts_sales(filter) || period.group == Group::Hour {
            return Ok(Self {
                days: BTreeMap::new(),
            });
        }
        let dates = (period.previous.dates().0, period.span.dates().1);
        let companies: Option<&[BusinessId]> = filter.businesses.as_deref();
        let days = transfer_fees_by_day(client, companies, dates).await?;
        Ok(Self {
            days: days.into_iter().collect(),
        })
    }

    pub fn of(&self, span: Span, figures: &bodies::Figures) -> PlatformFees {
        let mut fees = TransferFees::default();
        for day in self.days.range(span.from..span.until).map(|(_, day)| day) {
            fees.withdrawals = plus(fees.withdrawals, day.withdrawals);
            fees.rentals = plus(fees.rentals, day.rentals);
        }
        PlatformFees::of(figures, fees)
    }

    /// Adds the revenue to each period of the report.
    pub fn add_to(&self, report: &mut Report, period: &Period) {
        for (part, shown) in period.parts.iter().zip(&mut report.periods) {
            shown.platform_fees = Some(self.of(part.span, &shown.figures));
            shown.previous_platform_fees = Some(self.of(part.previous, &shown.previous));
        }
    }
}

/// Whether only some sales of a company count.
pub fn restricts_sales(filter: &FigureFilter) -> bool {
    let all = FigureFilter {
        businesses: filter.businesses.clone(),
        ..FigureFilter::default()
    };
    *filter != all
}

fn plus(one: Cents, other: Cents) -> Cents {
    Cents::new(one.get().saturating_add(other.get()))
}
