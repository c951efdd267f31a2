//! Reads the sums of a report and places them in its periods.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use futures::try_join;
use ledger_domain::BusinessId;
use projections::balance::{
    PlatformFeeSum, platform_fees_by_company, platform_fees_by_day, platform_fees_by_month,
};
use projections::daily_sales::{FigureFilter, Figures, Within, figures_breakdown, figures_by_slot};
use tokio_postgres::GenericClient;

use super::bodies::{self, PlatformFees, Report};
use super::period::{Period, Span};
use super::query::Group;
use crate::problem::{Problem, Result};

/// The figures of a period and of the one before it, by the first instants of hours, days or months.
struct Sums(BTreeMap<DateTime<Utc>, Figures>);

impl Sums {
    async fn read(client: &impl GenericClient, filter: &FigureFilter, period: &Period) -> Result<Self> {
        let (own, previous) = try_join!(
            figures_by_slot(client, filter, period.within(period.span)),
            figures_by_slot(client, filter, period.within(period.previous)),
        )?;
        Ok(Self(previous.into_iter().chain(own).collect()))
    }

    /// The sum of what begins in the span.
    fn of(&self, span: Span) -> Result<Figures> {
        let mut slots = self.0.range(span.from..span.until);
        let sum = slots.try_fold(Figures::default(), |sum, (_, slot)| sum.plus(*slot));
        sum.ok_or_else(|| Problem::internal("the figures of a report do not fit into 64 bits"))
    }
}

/// The part of the answer that every report has.
pub(crate) async fn read_report(
    client: &impl GenericClient,
    filter: &FigureFilter,
    period: &Period,
) -> Result<Report> {
    let sums = Sums::read(client, filter, period).await?;
    let totals = sums.of(period.span)?.into();
    let previous_totals = sums.of(period.previous)?.into();
    // The sum of the whole span fits into 64 bits, so the sum of a part does too.
    let figures = |span| sums.of(span).unwrap_or_default().into();
    Ok(Report::of(period, totals, previous_totals, figures))
}

pub(crate) async fn read_breakdown(
    client: &impl GenericClient,
    filter: &FigureFilter,
    period: &Period,
) -> Result<bodies::Breakdown> {
    let breakdown = figures_breakdown(client, filter, period.within_for_total(period.span)).await?;
    Ok(breakdown.into())
}

/// The platform fees of a report and of its periods.
pub struct PeriodFees {
    /// `None` if a filter of sales or a grouping by hour applies. The fees of withdrawals and rentals belong to no sale
    /// and to no hour, so only the fees of sales count then.
    slots: Option<BTreeMap<DateTime<Utc>, PlatformFeeSum>>,
}

impl PeriodFees {
    pub(crate) async fn read(
        client: &impl GenericClient,
        filter: &FigureFilter,
        period: &Period,
    ) -> Result<Self> {
        if of_sales_only(filter, period) {
            return Ok(Self { slots: None });
        }
        let companies: Option<&[BusinessId]> = filter.businesses.as_deref();
        let (own, previous) = try_join!(
            fees_within(client, companies, period.within(period.span)),
            fees_within(client, companies, period.within(period.previous)),
        )?;
        let slots = previous.into_iter().chain(own).collect();
        Ok(Self { slots: Some(slots) })
    }

    pub fn of(&self, span: Span, figures: &bodies::Figures) -> PlatformFees {
        let Some(slots) = &self.slots else {
            return PlatformFees::of_sales(figures);
        };
        let mut slots = slots.range(span.from..span.until);
        let sum = slots.try_fold(PlatformFeeSum::default(), |sum, (_, slot)| sum.plus(*slot));
        sum.unwrap_or_default().into()
    }

    /// Adds the platform fees to each period of the report.
    pub fn add_to_periods(&self, report: &mut Report, period: &Period) {
        for (part, shown) in period.parts.iter().zip(&mut report.periods) {
            shown.platform_fees = Some(self.of(part.span, &shown.figures));
            shown.previous_platform_fees = Some(self.of(part.previous, &shown.previous));
        }
    }
}

/// The platform fees of each of these companies. `None` if only the fees of sales count.
pub(crate) async fn read_platform_fees_of(
    client: &impl GenericClient,
    filter: &FigureFilter,
    companies: &[BusinessId],
    (period, span): (&Period, Span),
) -> Result<Option<HashMap<BusinessId, PlatformFeeSum>>> {
    if of_sales_only(filter, period) {
        return Ok(None);
    }
    let fees = platform_fees_by_company(client, companies, span.dates()).await?;
    Ok(Some(fees.into_iter().collect()))
}

/// Whether only the fees of sales count: a filter of sales or a grouping by hour applies.
pub fn of_sales_only(filter: &FigureFilter, period: &Period) -> bool {
    filter.restricts_sales() || period.group == Group::Hour
}

async fn fees_within(
    client: &impl GenericClient,
    companies: Option<&[BusinessId]>,
    within: Within,
) -> Result<Vec<(DateTime<Utc>, PlatformFeeSum)>> {
    let dates = match within {
        Within::Days(dates) => dates,
        Within::Months(dates) => {
            let Some(whole) = within.whole_months() else {
                return Ok(platform_fees_by_day(client, companies, dates).await?);
            };
            let (months, head, tail) = try_join!(
                platform_fees_by_month(client, companies, whole.months),
                platform_fees_by_day(client, companies, whole.head),
                platform_fees_by_day(client, companies, whole.tail),
            )?;
            return Ok(head.into_iter().chain(months).chain(tail).collect());
        }
        Within::Hours(..) => return Ok(vec![]),
    };
    Ok(platform_fees_by_day(client, companies, dates).await?)
}
