//! The statement in the order of recording. Lines are numbered in this order without gaps, and their stored balances
//! are those of this order. So a range of time is a range of numbers, and each of its pages is found by its numbers.

use ledger_domain::calendar::Instant;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::bounds::StatementFilter;
use super::list::{StatementCursor, lines_of};
use super::{StatementLine, listed_columns};
use crate::page::{Paging, SortOrder};
use crate::{Error, column_values};

/// The numbers of the filter's lines: `first` is included, `end` is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub first: i64,
    pub end: i64,
}

impl Numbers {
    pub async fn of(client: &impl GenericClient, filter: &StatementFilter) -> Result<Self, Error> {
        let first = match filter.range.from {
            None => 1,
            Some(from) => first_since(client, filter, from).await?,
        };
        let end = match filter.range.until {
            None => last(client, filter).await? + 1,
            Some(until) => first_since(client, filter, until).await?,
        };
        Ok(Self {
            first,
            end: end.max(first),
        })
    }

    const fn count(self) -> i64 {
        self.end - self.first
    }
}

/// The number of the first line that was recorded at the instant or later. Without such a line, the next free number.
async fn first_since(
    client: &impl GenericClient,
    filter: &StatementFilter,
    instant: Instant,
) -> Result<i64, Error> {
    let row = client
        .query_typed_opt(
            "SELECT number FROM statement_line
              WHERE business_id = $1 AND recorded_at < $2
              ORDER BY recorded_at DESC, number DESC LIMIT 1",
            &[
                (&filter.business_id.uuid(), Type::UUID),
                (&instant, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(row.map_or(1, |row| row.get::<_, i64>(0) + 1))
}

/// The number of the last line; 0 without lines.
async fn last(client: &impl GenericClient, filter: &StatementFilter) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(max(number), 0) FROM statement_line WHERE business_id = $1",
            &[(&filter.business_id.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.get(0))
}

/// A page and the number of all lines of the filter.
pub(super) async fn page(
    client: &impl GenericClient,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<(Vec<StatementLine>, u64), Error> {
    let all = Numbers::of(client, filter).await?;
    let skipped = paging.offset().min(all.count());
    let limit = paging.limit().min(all.count() - skipped);
    let of_page = match filter.order {
        SortOrder::Asc => Numbers {
            first: all.first + skipped,
            end: all.first + skipped + limit,
        },
        SortOrder::Desc => Numbers {
            first: all.end - skipped - limit,
            end: all.end - skipped,
        },
    };
    let total = column_values::count("statement_line.number", all.count())?;
    Ok((select(client, filter, of_page, limit).await?, total))
}

/// At most `limit` lines after the cursor.
pub(super) async fn after(
    client: &impl GenericClient,
    filter: &StatementFilter,
    after: Option<StatementCursor>,
    limit: i64,
) -> Result<Vec<StatementLine>, Error> {
    let mut numbers = Numbers::of(client, filter).await?;
    if let Some(cursor) = after {
        match filter.order {
            SortOrder::Asc => numbers.first = numbers.first.max(cursor.number.saturating_add(1)),
            SortOrder::Desc => numbers.end = numbers.end.min(cursor.number),
        }
    }
    select(client, filter, numbers, limit).await
}

async fn select(
    client: &impl GenericClient,
    filter: &StatementFilter,
    numbers: Numbers,
    limit: i64,
) -> Result<Vec<StatementLine>, Error> {
    let sql = format!(
        "SELECT {columns} FROM statement_line WHERE business_id = $1 AND number >= $2 AND number < $3
          ORDER BY number {direction} LIMIT $4",
        columns = listed_columns!(),
        direction = filter.order.sql(),
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&filter.business_id.uuid(), Type::UUID),
                (&numbers.first, Type::INT8),
                (&numbers.end, Type::INT8),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    lines_of(&rows)
}
