//! The statement's lines: by number of page as people leaf, in bounded batches as spreadsheets read, and the event
//! behind one.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, EventId};
use ledger_store::{StoredEvent, log};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use super::bounds::{Bounds, StatementFilter, lines_within};
use super::sums::{happened_before, sums_within};
use super::{StatementLine, line_columns};
use crate::page::{Batch, Order, Page, Paging};
use crate::{Error, spelling};

/// The last line of a batch: the next one begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementCursor {
    business_date: Date,
    occurred_at: Instant,
    number: i64,
}

/// One page of the lines that the filter names.
///
/// The total is exact, from the sums by day; a page is read from the index by date.
pub async fn statement_list(
    client: &impl GenericClient,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<Page<StatementLine>, Error> {
    let bounds = Bounds::of(client, filter).await?;
    let sums = sums_within(client, &bounds).await?;
    let total = sums.iter().map(|sum| sum.lines).sum();
    let rows = select(
        client,
        &bounds,
        filter.order,
        None,
        (paging.limit(), paging.offset()),
    )
    .await?;
    Ok(Page {
        rows: rows.into_iter().map(|(line, _)| line).collect(),
        total,
        total_capped: false,
        next: None,
    })
}

/// At most `limit` lines of the same list after the cursor: constant time, however far one has read.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &StatementFilter,
    after: Option<StatementCursor>,
    limit: u32,
) -> Result<Batch<StatementLine, StatementCursor>, Error> {
    let bounds = Bounds::of(client, filter).await?;
    let rows = select(client, &bounds, filter.order, after, (i64::from(limit), 0)).await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|(_, cursor)| *cursor);
    Ok(Batch {
        rows: rows.into_iter().map(|(line, _)| line).collect(),
        next,
    })
}

async fn select(
    client: &impl GenericClient,
    bounds: &Bounds,
    order: Order,
    after: Option<StatementCursor>,
    (limit, offset): (i64, i64),
) -> Result<Vec<(StatementLine, StatementCursor)>, Error> {
    let direction = spelling::direction(order);
    let beyond = spelling::beyond(order);
    let (key, continued) = if bounds.recounts() {
        (
            format!("business_date {direction}, occurred_at {direction}, number {direction}"),
            format!(
                "business_date {beyond}= $8 AND (business_date, occurred_at, number) {beyond} ($8, $9, $10)"
            ),
        )
    } else {
        (
            format!("business_date {direction}, number {direction}"),
            format!("(business_date, number) {beyond} ($8, $10)"),
        )
    };
    let sql = format!(
        "SELECT {columns}, business_date
           FROM statement_line
          WHERE {lines} AND ($8::date IS NULL OR {continued})
          ORDER BY {key} LIMIT $6 OFFSET $7",
        columns = line_columns!(),
        lines = lines_within!(),
    );
    let date = after.map(|cursor| cursor.business_date);
    let occurred_at = after.map(|cursor| cursor.occurred_at);
    let number = after.map(|cursor| cursor.number);
    let mut parameters = bounds.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&date, Type::DATE),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&number, Type::INT8),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    let mut lines = Vec::with_capacity(rows.len());
    for row in &rows {
        let line = StatementLine::at(row)?;
        let cursor = StatementCursor {
            business_date: row.get("business_date"),
            occurred_at: line.occurred_at,
            number: line.number,
        };
        lines.push((line, cursor));
    }
    if bounds.recounts() {
        recount(client, bounds, order, &mut lines).await?;
    }
    Ok(lines)
}

/// The balance in the order of happening: the lines of a page follow one another in it, so it runs on from what had
/// happened before the first of them.
async fn recount(
    client: &impl GenericClient,
    bounds: &Bounds,
    order: Order,
    lines: &mut [(StatementLine, StatementCursor)],
) -> Result<(), Error> {
    let first = match order {
        Order::Asc => lines.first(),
        Order::Desc => lines.last(),
    };
    let Some((_, first)) = first else { return Ok(()) };
    let place = (first.business_date, first.occurred_at, first.number);
    let mut balance = happened_before(client, bounds, place).await?;
    let mut run = |line: &mut StatementLine| {
        balance = balance
            .checked_add(line.amount)
            .ok_or_else(|| Error::unreadable("statement_line", "sums past 64 bits"))?;
        line.balance = balance;
        Ok(())
    };
    match order {
        Order::Asc => lines.iter_mut().try_for_each(|(line, _)| run(line)),
        Order::Desc => lines.iter_mut().rev().try_for_each(|(line, _)| run(line)),
    }
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
    let stored = log::event(client, business, sequence).await?;
    Ok(stored.filter(|stored| stored.event_id == event))
}
