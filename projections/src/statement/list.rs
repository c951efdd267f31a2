//! The statement's lines: by number of page as people leaf, in bounded batches as spreadsheets read, and the event
//! behind one.

use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, EventId};
use ledger_store::{StoredEvent, log};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::{StatementLine, line_columns, statement_sums};
use crate::page::{Batch, Order, Page, Paging};
use crate::{Error, spelling};

/// The last line of a batch: the next one begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementCursor {
    business_date: Date,
    number: i64,
}

/// One page of the lines from `start` to `end` (business dates, both inclusive; none is no limit).
///
/// The total is exact, from the sums by day; a page is read from the index by date.
pub async fn statement_list(
    client: &impl GenericClient,
    business: BusinessId,
    start: Option<Date>,
    end: Option<Date>,
    order: Order,
    paging: Paging,
) -> Result<Page<StatementLine>, Error> {
    let total: u64 = statement_sums(client, business, start, end)
        .await?
        .iter()
        .map(|sum| sum.lines)
        .sum();
    let direction = spelling::direction(order);
    let sql = format!(
        "SELECT {columns}
           FROM statement_line
          WHERE business_id = $1 AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity')
          ORDER BY business_date {direction}, number {direction}
          LIMIT $4 OFFSET $5",
        columns = line_columns!(),
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&paging.limit(), Type::INT8),
                (&paging.offset(), Type::INT8),
            ],
        )
        .await?;
    let rows = rows.iter().map(StatementLine::at).collect::<Result<_, _>>()?;
    Ok(Page {
        rows,
        total,
        total_capped: false,
        next: None,
    })
}

/// At most `limit` lines of the same list after the cursor: constant time, however far one has read.
pub async fn export_page(
    client: &impl GenericClient,
    business: BusinessId,
    (start, end): (Option<Date>, Option<Date>),
    order: Order,
    after: Option<StatementCursor>,
    limit: u32,
) -> Result<Batch<StatementLine, StatementCursor>, Error> {
    let direction = spelling::direction(order);
    let beyond = spelling::beyond(order);
    let (date, number) = after.map(|cursor| (cursor.business_date, cursor.number)).unzip();
    let sql = format!(
        "SELECT {columns}, business_date
           FROM statement_line
          WHERE business_id = $1 AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity')
            AND ($4::date IS NULL OR (business_date, number) {beyond} ($4, $5))
          ORDER BY business_date {direction}, number {direction}
          LIMIT $6",
        columns = line_columns!(),
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&date, Type::DATE),
                (&number, Type::INT8),
                (&i64::from(limit), Type::INT8),
            ],
        )
        .await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|row| StatementCursor {
        business_date: row.get("business_date"),
        number: row.get("number"),
    });
    let rows = rows.iter().map(StatementLine::at).collect::<Result<_, _>>()?;
    Ok(Batch { rows, next })
}

/// The event behind a line of the business, whole, as the log holds it; none where no line names it.
///
/// Only the statement knows an event by its id: the log itself goes by sequence, so that its append stays cheap.
pub async fn event_behind(
    client: &impl GenericClient,
    business: BusinessId,
    event: EventId,
) -> Result<Option<StoredEvent>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT sequence FROM statement_line WHERE business_id = $1 AND event_id = $2 LIMIT 1",
            &[(&business.uuid(), Type::UUID), (&event.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let sequence: i64 = row.get(0);
    let stored = log::of_business(client, business, sequence - 1, 1).await?;
    Ok(stored.into_iter().find(|stored| stored.event_id == event))
}
