//! Sums over a list's filter: the number of sales and their amounts.
//!
//! They come from the roll-ups by month and day as far as possible. Reversals, parts of days, and statuses together with
//! other filters of sales are read row by row.

use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, SaleStatus};
use ledger_domain::{Cents, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::months_and_days::{DateRange, MonthsAndDays};
use super::outcomes::is_outcome;
use super::{SalesFilter, Selection};
use crate::each_shard::sums_of_each_shard;
use crate::range::{Split, TimeRange};
use crate::sales::list::{FilterParameters, sale_filter};
use crate::sales::{DateBasis, SaleFilter};
use crate::{Error, column_values};

/// Bounds of a range without an end: no event is dated before January 1 of the first year or after that of the second
/// (see `page::cursor_instant`).
const YEAR_BEFORE_EVENTS: i32 = 1900;
const YEAR_AFTER_EVENTS: i32 = 2200;

/// An SQL condition on `sale`. Only captured sales have a net.
const IS_CAPTURED: &str = "net IS NOT NULL";

/// The totals of a list of sales. `fees` and `net` add up its captured sales only, because other sales have neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaleTotals {
    pub count: u64,
    pub gross: Cents,
    pub fees: Cents,
    pub net: Cents,
}

/// Without statuses, these are the totals of captured sales, because a sale that failed or was never paid is not
/// revenue. With statuses, they are the totals of the sales that the list shows. The totals of a list of reversals or
/// settlements are those of the parts of sales that it counts.
pub async fn sale_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    match filter.date_basis {
        // A name has few sales, and no roll-up knows it.
        DateBasis::Occurred | DateBasis::Captured if filter.name.is_some() && filter.statuses.is_empty() => {
            sums_where(client, filter, IS_CAPTURED).await
        }
        DateBasis::Occurred | DateBasis::Captured if filter.name.is_some() => {
            sums_where(client, filter, "true").await
        }
        DateBasis::Settled if filter.name.is_some() => counted_totals(client, filter).await,
        DateBasis::Reversed => counted_totals(client, filter).await,
        DateBasis::Occurred | DateBasis::Captured | DateBasis::Settled if filter.statuses.is_empty() => {
            whole_dates_totals(client, filter).await
        }
        DateBasis::Settled => counted_totals(client, filter).await,
        DateBasis::Occurred | DateBasis::Captured if filter.statuses.contains(&SaleStatus::Succeeded) => {
            totals_with_successes(client, filter).await
        }
        DateBasis::Occurred | DateBasis::Captured => {
            totals_without_success(client, filter, Counted::All).await
        }
    }
}

/// The totals of a list whose statuses include `succeeded`.
///
/// Nearly all captured sales have this status. So the totals of all captured sales are read from the roll-up, and the
/// few captured sales whose status is not listed are subtracted. The listed sales that were never captured are added.
///
/// The few are read first. A success may get another status between the two readings. It then still counts, and no sale
/// is subtracted that was not added.
async fn totals_with_successes(
    client: &impl GenericClient,
    filter: &SaleFilter,
) -> Result<SaleTotals, Error> {
    // All statuses but `succeeded`: those that the filter lists, or those that it does not list.
    let other_statuses = |listed: bool| SaleFilter {
        statuses: SaleStatus::ALL
            .iter()
            .copied()
            .filter(|status| *status != SaleStatus::Succeeded && filter.statuses.contains(status) == listed)
            .collect(),
        ..filter.clone()
    };
    let never_captured =
        totals_without_success(client, &other_statuses(true), Counted::NeverCaptured).await?;
    let not_listed = totals_without_success(client, &other_statuses(false), Counted::Captured).await?;
    let all = SaleFilter {
        statuses: vec![],
        ..filter.clone()
    };
    let captured = whole_dates_totals(client, &all).await?;
    captured.minus(not_listed)?.plus(never_captured)
}

/// The sales of a status that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    All,
    Captured,
    NeverCaptured,
}

impl Counted {
    /// An SQL condition on `sale`.
    const fn condition(self) -> &'static str {
        match self {
            Self::All => "true",
            Self::Captured => IS_CAPTURED,
            Self::NeverCaptured => "net IS NULL",
        }
    }
}

/// The totals of sales with the filter's statuses, which must not include `succeeded`. The statuses that ended a sale
/// are read from their roll-up. Sales that still wait, and sales under a filter that the roll-up does not have, are
/// read from the index of all sales with another status.
async fn totals_without_success(
    client: &impl GenericClient,
    filter: &SaleFilter,
    counted: Counted,
) -> Result<SaleTotals, Error> {
    let counted = match (filter.date_basis, counted) {
        (DateBasis::Captured, Counted::NeverCaptured) => return Ok(SaleTotals::default()),
        (DateBasis::Captured, Counted::All) => Counted::Captured,
        (_, counted) => counted,
    };
    let of_statuses = |rolled_up: bool| SaleFilter {
        statuses: filter
            .statuses
            .iter()
            .copied()
            .filter(|status| (is_outcome(*status) && !filter.restricts_sales()) == rolled_up)
            // No sale that waits was captured.
            .filter(|status| is_outcome(*status) || counted != Counted::Captured)
            .collect(),
        ..filter.clone()
    };
    let by_rows = sums_without_success(client, &of_statuses(false), counted).await?;
    let ended = of_statuses(true);
    if ended.statuses.is_empty() {
        return Ok(by_rows);
    }
    let split = filter.range.split();
    let mut sum = by_rows.plus(outcome_totals(client, &ended, &split, counted).await?)?;
    for edge in ended.edges(&split) {
        sum = sum.plus(sums_without_success(client, &edge, counted).await?)?;
    }
    Ok(sum)
}

async fn sums_without_success(
    client: &impl GenericClient,
    filter: &SaleFilter,
    counted: Counted,
) -> Result<SaleTotals, Error> {
    if filter.statuses.is_empty() {
        return Ok(SaleTotals::default());
    }
    let condition = format!("status <> 'succeeded' AND {}", counted.condition());
    sums_where(client, filter, &condition).await
}

/// The totals of the filter's statuses on the whole dates of the range. All companies have rows by month.
async fn outcome_totals(
    client: &impl GenericClient,
    filter: &SaleFilter,
    split: &Split,
    counted: Counted,
) -> Result<SaleTotals, Error> {
    let statuses: Vec<_> = filter.statuses.iter().map(|status| status.as_str()).collect();
    let (from, until) = whole_dates(split);
    let [count, gross] = match counted {
        Counted::All => ["sales", "gross"],
        Counted::Captured => ["captured", "captured_gross"],
        Counted::NeverCaptured => ["sales - captured", "gross - captured_gross"],
    };
    let [fees, net] = match counted {
        Counted::All | Counted::Captured => ["captured_gross - captured_net", "captured_net"],
        Counted::NeverCaptured => ["0", "0"],
    };
    let sums = format!(
        "SELECT coalesce(sum({count}), 0)::int8, coalesce(sum({gross}), 0)::int8,
                coalesce(sum({fees}), 0)::int8, coalesce(sum({net}), 0)::int8 FROM"
    );
    if let Some(business) = filter.business_id {
        let sql = format!(
            "{sums} daily_outcomes WHERE business_id = $1 AND business_date >= $2 AND business_date < $3
                AND status = ANY ($4)"
        );
        let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
            (&business.uuid(), Type::UUID),
            (&from, Type::DATE),
            (&until, Type::DATE),
            (&statuses, Type::TEXT_ARRAY),
        ];
        return totals(&client.query_typed_one(&sql, &parameters).await?);
    }
    let MonthsAndDays { months, added, .. } = MonthsAndDays::adding((from, until.max(from)));
    const COLUMNS: &str = "sales, gross, captured, captured_gross, captured_net";
    let sql = format!(
        "{sums} (SELECT {COLUMNS} FROM platform_outcomes_monthly
                  WHERE month >= $1 AND month < $2 AND status = ANY ($7)
                 UNION ALL
                 SELECT {COLUMNS} FROM platform_outcomes_daily
                  WHERE business_date >= $3 AND business_date < $4 AND status = ANY ($7)
                 UNION ALL
                 SELECT {COLUMNS} FROM platform_outcomes_daily
                  WHERE business_date >= $5 AND business_date < $6 AND status = ANY ($7)) AS outcomes"
    );
    let sql = sums_of_each_shard(&sql, 0, 4, "");
    let parameters: [(&(dyn ToSql + Sync), Type); 7] = [
        (&months.0, Type::DATE),
        (&months.1, Type::DATE),
        (&added[0].0, Type::DATE),
        (&added[0].1, Type::DATE),
        (&added[1].0, Type::DATE),
        (&added[1].1, Type::DATE),
        (&statuses, Type::TEXT_ARRAY),
    ];
    totals(&client.query_typed_one(&sql, &parameters).await?)
}

/// The whole dates of a range: from the first on and before the second. A range without an end has all dates of events.
fn whole_dates(split: &Split) -> DateRange {
    let first_of = |year| Date::from_ymd_opt(year, 1, 1).unwrap_or_default();
    (
        split.first.unwrap_or_else(|| first_of(YEAR_BEFORE_EVENTS)),
        split.end.unwrap_or_else(|| first_of(YEAR_AFTER_EVENTS)),
    )
}

impl SaleFilter {
    /// The filter on the parts of dates at both ends of its range.
    fn edges(&self, split: &Split) -> impl Iterator<Item = Self> {
        let edges = [split.head, split.tail].into_iter().flatten();
        edges.map(|(from, until)| Self {
            range: TimeRange {
                from: Some(from),
                until: Some(until),
            },
            ..self.clone()
        })
    }
}

/// Business dates that lie completely in the range are read from the roll-up. The parts of dates at both ends are read
/// row by row. So the range may begin and end at any instant.
async fn whole_dates_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let split = filter.range.split();
    let mut sum = rolled_up_totals(client, filter, &split).await?;
    for edge in filter.edges(&split) {
        let edge = match filter.date_basis {
            DateBasis::Settled => counted_totals(client, &edge).await?,
            DateBasis::Occurred | DateBasis::Captured | DateBasis::Reversed => {
                sums_where(client, &edge, IS_CAPTURED).await?
            }
        };
        sum = sum.plus(edge)?;
    }
    Ok(sum)
}

async fn rolled_up_totals(
    client: &impl GenericClient,
    filter: &SaleFilter,
    split: &Split,
) -> Result<SaleTotals, Error> {
    let [count, gross, net] = match filter.date_basis {
        DateBasis::Settled => ["settled_count", "settled_gross", "settled"],
        DateBasis::Occurred | DateBasis::Captured | DateBasis::Reversed => ["sales", "gross", "net"],
    };
    let brands: Vec<_> = filter
        .brands
        .iter()
        .map(|brand| brand.as_str().to_owned())
        .collect();
    let sales = SalesFilter {
        solution: filter.solution.map(|solution| i16::from(solution.number())),
        payment_type: filter.payment_type.map(PaymentType::as_str),
        brands: Some(brands).filter(|brands| !brands.is_empty()),
        installments: filter.installments.map(i16::from),
        terminal: filter.terminal_id.map(TerminalId::uuid),
        payment_link: filter.payment_link.clone(),
        only_terminals: filter.only_terminals,
    };
    let businesses = filter.business_id.map(|business| [business]);
    let companies = businesses.as_ref().map(|ids| &ids[..]);
    let selection = Selection::of_range(companies, sales, whole_dates(split));
    let sql = format!(
        "SELECT coalesce(sum({count}), 0)::int8, coalesce(sum({gross}), 0)::int8,
                coalesce(sum({gross} - {net}), 0)::int8, coalesce(sum({net}), 0)::int8
           FROM {} AS counted",
        selection.rows("")
    );
    let row = client.query_typed_one(&sql, &selection.parameters()).await?;
    totals(&row)
}

/// Sums the sales of the filter for which the condition holds, row by row.
async fn sums_where(
    client: &impl GenericClient,
    filter: &SaleFilter,
    condition: &str,
) -> Result<SaleTotals, Error> {
    let sql = format!(
        "SELECT count(*), coalesce(sum(amount), 0)::int8, coalesce(sum(amount - net), 0)::int8,
                coalesce(sum(net), 0)::int8
           FROM sale WHERE {condition} AND {}{}",
        sale_filter!(),
        filter.fixed_conditions(),
    );
    let sql = sums_of_each_shard(&sql, 0, 4, "");
    let row = client
        .query_typed_one(&sql, &FilterParameters::of(filter).parameters())
        .await?;
    totals(&row)
}

/// Sums the parts of sales that a list of reversals or settlements counts, row by row.
async fn counted_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let sql = format!(
        "SELECT coalesce(sum(returns), 0)::int8, coalesce(sum(gross), 0)::int8, coalesce(sum(gross - net), 0)::int8,
                coalesce(sum(net), 0)::int8
           FROM {source} WHERE {conditions}{fixed_conditions}",
        source = filter.date_basis.source(),
        conditions = sale_filter!(),
        fixed_conditions = filter.fixed_conditions(),
    );
    let sql = sums_of_each_shard(&sql, 0, 4, "");
    let row = client
        .query_typed_one(&sql, &FilterParameters::of(filter).parameters())
        .await?;
    totals(&row)
}

impl SaleTotals {
    fn minus(self, other: Self) -> Result<Self, Error> {
        let rest = |one: Cents, other: Cents| {
            one.checked_sub(other)
                .ok_or_else(|| Error::unreadable("daily_sales", "sums beyond 64 bits"))
        };
        Ok(Self {
            count: self.count.saturating_sub(other.count),
            gross: rest(self.gross, other.gross)?,
            fees: rest(self.fees, other.fees)?,
            net: rest(self.net, other.net)?,
        })
    }

    fn plus(self, other: Self) -> Result<Self, Error> {
        let sum = |one: Cents, other: Cents| {
            one.checked_add(other)
                .ok_or_else(|| Error::unreadable("daily_sales", "sums beyond 64 bits"))
        };
        Ok(Self {
            count: self.count + other.count,
            gross: sum(self.gross, other.gross)?,
            fees: sum(self.fees, other.fees)?,
            net: sum(self.net, other.net)?,
        })
    }
}

fn totals(row: &Row) -> Result<SaleTotals, Error> {
    Ok(SaleTotals {
        count: column_values::count("sales", row.get(0))?,
        gross: Cents::new(row.get(1)),
        fees: Cents::new(row.get(2)),
        net: Cents::new(row.get(3)),
    })
}
