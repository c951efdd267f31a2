//! The statement in the order in which events happened. A late notice inserts a line in the past, so the balances in
//! this order are not stored. Each page computes its balances from the sums of the days before the page.

use ledger_domain::calendar::{Date, Instant, business_date, days_after, start_of};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use super::bounds::{SplitParameters, StatementFilter, days_within, head_within, tail_within};
use super::list::{StatementCursor, lines_of, run_balance};
use super::sums::statement_sums;
use super::{StatementLine, listed_columns};
use crate::Error;
use crate::page::{Paging, SortOrder};
use crate::range::TimeRange;

/// A page and the number of all lines of the filter.
pub(super) async fn page(
    client: &impl GenericClient,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<(Vec<StatementLine>, u64), Error> {
    let sums = statement_sums(client, filter).await?;
    let total = sums.iter().map(|sum| sum.lines).sum();
    if u64::try_from(paging.offset()).unwrap_or(u64::MAX) >= total {
        return Ok((vec![], total));
    }
    let (range, skip) = skip_days(client, filter, paging.offset()).await?;
    let lines = select(client, filter, range, None, (paging.limit(), skip)).await?;
    Ok((lines, total))
}

/// At most `limit` lines after the cursor.
pub(super) async fn after(
    client: &impl GenericClient,
    filter: &StatementFilter,
    after: Option<StatementCursor>,
    limit: i64,
) -> Result<Vec<StatementLine>, Error> {
    select(client, filter, filter.range, after, (limit, 0)).await
}

/// The range without the days before a page, and the number of lines of the first remaining day that come before the
/// page. So a page far back reads the sums of days and the lines of one day, not all lines before it.
async fn skip_days(
    client: &impl GenericClient,
    filter: &StatementFilter,
    offset: i64,
) -> Result<(TimeRange, i64), Error> {
    if offset == 0 {
        return Ok((filter.range, 0));
    }
    let split = SplitParameters::of(filter);
    let direction = filter.order.sql();
    let sql = format!(
        "SELECT day, skipped
           FROM (SELECT day, (sum(lines) OVER (ORDER BY day {direction}) - lines)::int8 AS skipped
                   FROM (SELECT business_date AS day, sum(lines) AS lines FROM statement_daily
                          WHERE {days} GROUP BY business_date
                         UNION ALL
                         SELECT business_date, count(*) FROM statement_line WHERE {head} GROUP BY business_date
                         UNION ALL
                         SELECT business_date, count(*) FROM statement_line WHERE {tail} GROUP BY business_date
                        ) AS days) AS days
          WHERE skipped <= $8 ORDER BY skipped DESC LIMIT 1",
        days = days_within!(),
        head = head_within!(),
        tail = tail_within!(),
    );
    let mut parameters = split.parameters();
    parameters.push((&offset, Type::INT8));
    let Some(row) = client.query_typed_opt(&sql, &parameters).await? else {
        // The range had lines when they were counted, and has none now.
        return Ok((filter.range, offset));
    };
    let (day, skipped): (Date, i64) = (row.get(0), row.get(1));
    let range = match filter.order {
        SortOrder::Asc => filter.range.since(start_of(day)),
        SortOrder::Desc => filter.range.before(start_of(days_after(day, 1))),
    };
    Ok((range, offset - skipped))
}

async fn select(
    client: &impl GenericClient,
    filter: &StatementFilter,
    range: TimeRange,
    after: Option<StatementCursor>,
    (limit, offset): (i64, i64),
) -> Result<Vec<StatementLine>, Error> {
    let direction = filter.order.sql();
    let operator = filter.order.comparison();
    let sql = format!(
        "SELECT {columns}
           FROM statement_line
          WHERE business_id = $1 AND occurred_at >= coalesce($2::timestamptz, '-infinity')
            AND occurred_at < coalesce($3::timestamptz, 'infinity')
            AND ($6::timestamptz IS NULL OR (occurred_at, number) {operator} ($6, $7))
          ORDER BY occurred_at {direction}, number {direction} LIMIT $4 OFFSET $5",
        columns = listed_columns!(),
    );
    let (occurred_at, number) = after.map(|cursor| (cursor.occurred_at, cursor.number)).unzip();
    let business = filter.business_id.uuid();
    let parameters: [(&(dyn ToSql + Sync), Type); 7] = [
        (&business, Type::UUID),
        (&range.from, Type::TIMESTAMPTZ),
        (&range.until, Type::TIMESTAMPTZ),
        (&limit, Type::INT8),
        (&offset, Type::INT8),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&number, Type::INT8),
    ];
    let rows = client.query_typed(&sql, &parameters).await?;
    let mut lines = lines_of(&rows)?;
    let first = match filter.order {
        SortOrder::Asc => lines.first(),
        SortOrder::Desc => lines.last(),
    };
    let Some(first) = first else { return Ok(lines) };
    let before = balance_before(client, filter.business_id, (first.occurred_at, first.number)).await?;
    run_balance(&mut lines, filter.order, before)?;
    Ok(lines)
}

/// The available balance before a place in this order. The number orders lines of the same instant.
async fn balance_before(
    client: &impl GenericClient,
    business: BusinessId,
    (occurred_at, number): (Instant, i64),
) -> Result<Cents, Error> {
    let date = business_date(occurred_at);
    let row = client
        .query_typed_one(
            "SELECT (SELECT coalesce(sum(amount), 0) FROM statement_daily
                      WHERE business_id = $1 AND business_date < $2)::int8
                  + (SELECT coalesce(sum(amount), 0) FROM statement_line
                      WHERE business_id = $1 AND occurred_at >= $3 AND (occurred_at, number) < ($4, $5))::int8",
            &[
                (&business.uuid(), Type::UUID),
                (&date, Type::DATE),
                (&start_of(date), Type::TIMESTAMPTZ),
                (&occurred_at, Type::TIMESTAMPTZ),
                (&number, Type::INT8),
            ],
        )
        .await?;
    Ok(Cents::new(row.get(0)))
}
