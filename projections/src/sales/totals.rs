//! Sums over a list's filter: the number of sales and their amounts.
//!
//! They come from the roll-up by day if it has the filter's columns, so that a year's cost depends on its days; else
//! from the index of sales.

use ledger_domain::Cents;
use ledger_domain::sale::CardBrand;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::counted::CountedBy;
use super::list::{FilterColumns, SaleFilter, sale_filter};
use crate::range::{Split, TimeRange};
use crate::{Error, column_values};

/// `fees` and `net` cover the captured sales among them. A sale that is not captured has neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaleTotals {
    pub count: u64,
    pub gross: Cents,
    pub fees: Cents,
    pub net: Cents,
}

/// Without statuses, these are the totals of captured sales, because a sale that failed or was never paid is not
/// revenue. With statuses, they are the totals of exactly the sales that the list shows. Lists of reversals and
/// settlements have the totals of what they count.
pub async fn sale_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    match filter.by {
        CountedBy::Reversed => counted_totals(client, filter).await,
        CountedBy::Occurred | CountedBy::Captured | CountedBy::Settled if filter.statuses.is_empty() => {
            whole_dates_totals(client, filter).await
        }
        CountedBy::Settled => counted_totals(client, filter).await,
        CountedBy::Occurred | CountedBy::Captured => listed_totals(client, filter).await,
    }
}

/// Business dates that lie completely in the range come from the roll-up. The rest at both ends comes from the sales
/// themselves. So the totals are those of the list, whatever the time zone of its days is.
async fn whole_dates_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let split = filter.range.split();
    let mut sum = rolled_up_totals(client, filter, &split).await?;
    for (from, until) in [split.head, split.tail].into_iter().flatten() {
        let edge = SaleFilter {
            range: TimeRange {
                from: Some(from),
                until: Some(until),
            },
            ..filter.clone()
        };
        let edge = match filter.by {
            CountedBy::Settled => counted_totals(client, &edge).await?,
            CountedBy::Occurred | CountedBy::Captured | CountedBy::Reversed => {
                edge_totals(client, &edge).await?
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
    let brands: Vec<_> = filter.brands.iter().map(CardBrand::as_str).collect();
    let [count, gross, net] = match filter.by {
        CountedBy::Settled => ["settled_count", "settled_gross", "settled"],
        CountedBy::Occurred | CountedBy::Captured | CountedBy::Reversed => ["sales", "gross", "net"],
    };
    let sql = format!(
        "SELECT coalesce(sum({count}), 0)::int8, coalesce(sum({gross}), 0)::int8,
                    coalesce(sum({gross} - {net}), 0)::int8, coalesce(sum({net}), 0)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1)
                AND ($2::int2 IS NULL OR solution = $2)
                AND ($3::text IS NULL OR payment_type = $3)
                AND (cardinality($4::text[]) = 0 OR card_brand = ANY ($4))
                AND ($5::uuid IS NULL OR terminal_id = $5)
                AND ($6::text IS NULL OR payment_link_code = $6)
                AND ($7::date IS NULL OR business_date >= $7)
                AND ($8::date IS NULL OR business_date < $8)
                AND ($9::int2 IS NULL OR installments = $9)"
    );
    let row = client
        .query_typed_one(
            &sql,
            &[
                (&filter.business_id.map(|business| business.uuid()), Type::UUID),
                (
                    &filter.solution.map(|solution| i16::from(solution.number())),
                    Type::INT2,
                ),
                (
                    &filter.payment_type.map(|payment_type| payment_type.as_str()),
                    Type::TEXT,
                ),
                (&brands, Type::TEXT_ARRAY),
                (&filter.terminal_id.map(|terminal| terminal.uuid()), Type::UUID),
                (&filter.payment_link, Type::TEXT),
                (&split.first, Type::DATE),
                (&split.end, Type::DATE),
                (&filter.installments.map(i16::from), Type::INT2),
            ],
        )
        .await?;
    totals(&row)
}

/// The captured sales of some hours, from the index of sales.
async fn edge_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let sql = concat!(
        "SELECT count(*), coalesce(sum(amount), 0)::int8, coalesce(sum(amount - net), 0)::int8,
                coalesce(sum(net), 0)::int8
           FROM sale WHERE net IS NOT NULL AND ",
        sale_filter!(),
    );
    let row = client
        .query_typed_one(sql, &FilterColumns::of(filter).parameters())
        .await?;
    totals(&row)
}

async fn listed_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let sql = format!(
        "SELECT count(*), coalesce(sum(amount), 0)::int8, coalesce(sum(amount - net), 0)::int8,
                coalesce(sum(net), 0)::int8
           FROM sale WHERE {}{}",
        sale_filter!(),
        filter.by.also(filter),
    );
    let row = client
        .query_typed_one(&sql, &FilterColumns::of(filter).parameters())
        .await?;
    totals(&row)
}

/// The parts of sales that the list counts.
async fn counted_totals(client: &impl GenericClient, filter: &SaleFilter) -> Result<SaleTotals, Error> {
    let sql = format!(
        "SELECT coalesce(sum(returns), 0)::int8, coalesce(sum(gross), 0)::int8, coalesce(sum(gross - net), 0)::int8,
                coalesce(sum(net), 0)::int8
           FROM {source} WHERE {conditions}{also}",
        source = filter.by.source(),
        conditions = sale_filter!(),
        also = filter.by.also(filter),
    );
    let row = client
        .query_typed_one(&sql, &FilterColumns::of(filter).parameters())
        .await?;
    totals(&row)
}

impl SaleTotals {
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
