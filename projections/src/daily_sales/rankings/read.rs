//! The statements of rankings: the versions of parts, the sums of a part, and the order of names.
//!
//! Each statement over companies restricts the shards and groups by shard, so that it can be run for each shard alone.

use std::collections::{BTreeMap, HashSet};

use ledger_domain::calendar::Date;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::super::filter::FigureFilter;
use super::super::months_and_days::{MonthsAndDays, days};
use super::super::selection::{ATTRIBUTES, SalesFilter};
use super::columns::{Part, PartOf};
use super::rank::Ranked;
use super::{Order, Sums, business};
use crate::Error;
use crate::each_shard::{rows_of_each_shard, sums_of_each_shard};
use crate::page::SortOrder;

/// The sums of the companies of one part.
#[derive(Debug, Default)]
pub(super) struct LoadedPart {
    pub companies: Vec<Uuid>,
    pub sums: Vec<i64>,
}

/// The version of each part of the period that has rows. The fees of a day or a month have the sum of the versions of
/// their rows, which grows with each change.
pub(super) async fn versions(
    client: &impl GenericClient,
    period: &MonthsAndDays,
    or_fees: bool,
) -> Result<BTreeMap<Part, i64>, Error> {
    const MONTH: &str = "date_trunc('month', business_date::timestamp)::date";
    let mut versions = BTreeMap::new();
    let ranges = [(PartOf::Month, period.months)]
        .into_iter()
        .chain(period.added.map(|range| (PartOf::Day, range)));
    for (of, (from, until)) in ranges.filter(|(_, range)| days(*range) > 0) {
        let (table, first, of_fees, first_of_fees) = match of {
            PartOf::Month | PartOf::FeesOfMonth => {
                ("platform_sales_monthly", "month", PartOf::FeesOfMonth, MONTH)
            }
            PartOf::Day | PartOf::FeesOfDay => (
                "platform_sales_daily",
                "business_date",
                PartOf::FeesOfDay,
                "business_date",
            ),
        };
        let mut sql = rows_of_each_shard(&format!(
            "SELECT {first}, shard, xmin::text::int8 FROM {table} WHERE {first} >= $1 AND {first} < $2"
        ));
        if or_fees {
            let fees = sums_of_each_shard(
                &format!(
                    "SELECT {first_of_fees}, sum(xmin::text::int8)::int8 FROM platform_revenue_daily
                      WHERE business_date >= $1 AND business_date < $2 GROUP BY 1"
                ),
                1,
                1,
                "",
            );
            sql.push_str(&format!(
                " UNION ALL SELECT first, NULL, version FROM ({fees}) AS fees (first, version)"
            ));
        }
        let rows = client
            .query_typed(&sql, &[(&from, Type::DATE), (&until, Type::DATE)])
            .await?;
        for row in rows {
            let shard: Option<i16> = row.get(1);
            let of = if shard.is_some() { of } else { of_fees };
            let first = row.get(0);
            versions.insert(Part { of, first, shard }, row.get(2));
        }
    }
    Ok(versions)
}

/// The sums of a day or a month in each of the shards. Fees are those of all shards.
pub(super) async fn parts(
    client: &impl GenericClient,
    filter: &FigureFilter,
    amount: &str,
    (of, first): (PartOf, Date),
    shards: &[i16],
) -> Result<BTreeMap<Option<i16>, LoadedPart>, Error> {
    let sales = SalesFilter::from(filter);
    let by_day = |dates: &str| {
        format!(
            "SELECT shard, array_agg(business_id), array_agg(amount)
               FROM (SELECT shard, business_id, sum({amount})::int8 AS amount
                       FROM daily_sales WHERE {dates} AND shard = ANY ($1) AND {ATTRIBUTES}
                      GROUP BY shard, business_id) AS of_companies
              GROUP BY shard"
        )
    };
    let fees = |table: &str, first: &str| {
        let payers = rows_of_each_shard(&format!(
            "SELECT business_id FROM {table}
              WHERE {first} = $6 AND (withdrawals <> 0 OR rentals <> 0 OR write_offs <> 0)"
        ));
        format!(
            "SELECT NULL::int2, array_agg(business_id), array_agg(0::int8) FROM ({payers}) AS payers
             HAVING count(*) > 0"
        )
    };
    let sql = match of {
        PartOf::Day => rows_of_each_shard(&by_day("business_date = $6")),
        // The months of companies have no attributes of sales.
        PartOf::Month if sales.restricts_attributes() => {
            let of_days = by_day("business_date >= $6 AND business_date < ($6 + interval '1 month')::date");
            rows_of_each_shard(&of_days)
        }
        PartOf::Month => rows_of_each_shard(&format!(
            "SELECT shard, array_agg(business_id), array_agg({amount})
               FROM monthly_sales WHERE month = $6 AND shard = ANY ($1) GROUP BY shard"
        )),
        PartOf::FeesOfDay => fees("platform_fees_daily", "business_date"),
        PartOf::FeesOfMonth => fees("platform_fees_monthly", "month"),
    };
    let parameters: [(&(dyn ToSql + Sync), Type); 6] = [
        (&shards, Type::INT2_ARRAY),
        (&sales.solution, Type::INT2),
        (&sales.payment_type, Type::TEXT),
        (&sales.brands, Type::TEXT_ARRAY),
        (&sales.installments, Type::INT2),
        (&first, Type::DATE),
    ];
    let rows = client.query_typed(&sql, &parameters).await?;
    let part = |row: &Row| {
        let loaded = LoadedPart {
            companies: row.get(1),
            sums: row.get(2),
        };
        (row.get(0), loaded)
    };
    Ok(rows.iter().map(part).collect())
}

/// At most this many companies are sorted by name. With more of them, the names of all companies are read in their
/// order, until the page is full.
const SORTED_MAX: usize = 1_000;

/// Ranks the companies with figures by their names, and those without a name last.
pub(super) async fn rank_by_name(
    client: &impl GenericClient,
    sums: &Sums<'_>,
    order: Order,
) -> Result<Ranked, Error> {
    let with_figures: HashSet<Uuid> = sums.with_figures().map(|(company, _)| company).collect();
    let found = with_figures.len();
    let end = order.offset.saturating_add(order.limit).min(found);
    let mut named = if found <= SORTED_MAX {
        let ids: Vec<_> = with_figures.iter().copied().collect();
        sorted_by_name(client, &ids, order.order).await?
    } else {
        walked_by_name(client, &with_figures, end, order.order).await?
    };
    if named.len() < end {
        let known: HashSet<Uuid> = named.iter().copied().collect();
        let mut unnamed: Vec<_> = with_figures.difference(&known).copied().collect();
        unnamed.sort_unstable();
        named.extend(unnamed);
    }
    let page = named.into_iter().take(end).skip(order.offset);
    Ok(Ranked {
        companies: page.map(business).collect(),
        found,
    })
}

async fn sorted_by_name(
    client: &impl GenericClient,
    companies: &[Uuid],
    order: SortOrder,
) -> Result<Vec<Uuid>, Error> {
    let sql = format!(
        "SELECT id FROM business WHERE id = ANY ($1) ORDER BY name_key {}, id",
        order.sql()
    );
    let rows = client
        .query_typed(&sql, &[(&companies, Type::UUID_ARRAY)])
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The first companies with figures, or all of them that have a name. Each statement reads twice as many names as the
/// one before it.
async fn walked_by_name(
    client: &impl GenericClient,
    with_figures: &HashSet<Uuid>,
    end: usize,
    order: SortOrder,
) -> Result<Vec<Uuid>, Error> {
    let sql = format!(
        "SELECT id FROM business ORDER BY name_key {}, id OFFSET $1 LIMIT $2",
        order.sql()
    );
    let mut named = vec![];
    let mut offset = 0_i64;
    let mut limit = i64::try_from(end).unwrap_or(i64::MAX / 4).saturating_add(100);
    while named.len() < end {
        let rows = client
            .query_typed(&sql, &[(&offset, Type::INT8), (&limit, Type::INT8)])
            .await?;
        let companies = rows.iter().map(|row| row.get::<_, Uuid>(0));
        named.extend(companies.filter(|company| with_figures.contains(company)));
        if rows.len() < usize::try_from(limit).unwrap_or(usize::MAX) {
            break;
        }
        offset = offset.saturating_add(limit);
        limit = limit.saturating_mul(2);
    }
    Ok(named)
}
