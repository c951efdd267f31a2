//! Lists of a statement's lines: by number of page, by cursor, and in bounded batches for spreadsheets. Also finds the
//! event of a line.

use std::fmt;
use std::str::FromStr;

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use ledger_store::{StoredEvent, log};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::StatementLine;
use super::bounds::StatementFilter;
use super::{effective, recorded};
use crate::Error;
use crate::balance::as_of::Axis;
use crate::page::{ExportPage, Next, NotACursor, Page, Paging, SortOrder, cursor_instant};

/// The last line of a page: the next page begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementCursor {
    pub(super) occurred_at: Instant,
    pub(super) number: i64,
}

/// One page of the lines that the filter selects. The total is exact.
pub async fn statement_list(
    client: &impl GenericClient,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<Page<StatementLine, StatementCursor>, Error> {
    let (lines, total) = match filter.axis {
        Axis::Effective => effective::page(client, filter, paging).await?,
        Axis::Recorded => recorded::page(client, filter, paging).await?,
    };
    Ok(page(lines, total, paging.per_page))
}

/// The lines after the cursor, in the filter's order. The time does not grow with the number of earlier pages.
pub async fn statement_list_after(
    client: &impl GenericClient,
    filter: &StatementFilter,
    next: Next<StatementCursor>,
    per_page: u32,
) -> Result<Page<StatementLine, StatementCursor>, Error> {
    let lines = lines_after(client, filter, Some(next.after), per_page).await?;
    Ok(page(lines, next.found, per_page))
}

/// At most `limit` of the filter's lines after the cursor, or from the first line, without a count.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &StatementFilter,
    after: Option<StatementCursor>,
    limit: u32,
) -> Result<ExportPage<StatementLine, StatementCursor>, Error> {
    let rows = lines_after(client, filter, after, limit).await?;
    let next = cursor(&rows, limit);
    Ok(ExportPage { rows, next })
}

async fn lines_after(
    client: &impl GenericClient,
    filter: &StatementFilter,
    after: Option<StatementCursor>,
    limit: u32,
) -> Result<Vec<StatementLine>, Error> {
    let limit = i64::from(limit);
    match filter.axis {
        Axis::Effective => effective::after(client, filter, after, limit).await,
        Axis::Recorded => recorded::after(client, filter, after, limit).await,
    }
}

fn page(rows: Vec<StatementLine>, total: u64, per_page: u32) -> Page<StatementLine, StatementCursor> {
    let next = cursor(&rows, per_page).map(|after| Next { after, found: total });
    Page {
        rows,
        total,
        total_capped: false,
        next,
    }
}

/// A full page may have a next page; a short one is the last.
fn cursor(rows: &[StatementLine], limit: u32) -> Option<StatementCursor> {
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    rows.last().filter(|_| full).map(|line| StatementCursor {
        occurred_at: line.occurred_at,
        number: line.number,
    })
}

pub(super) fn lines_of(rows: &[Row]) -> Result<Vec<StatementLine>, Error> {
    rows.iter().map(StatementLine::listed).collect()
}

/// Computes the balances of the lines of a page, which follow one another. `before` is the balance before the oldest of
/// them.
pub(super) fn run_balance(
    lines: &mut [StatementLine],
    order: SortOrder,
    before: ledger_domain::Cents,
) -> Result<(), Error> {
    let mut balance = before;
    let mut add_amount = |line: &mut StatementLine| {
        balance = balance
            .checked_add(line.amount)
            .ok_or_else(|| Error::unreadable("statement_line", "sums beyond 64 bits"))?;
        line.balance = balance;
        Ok(())
    };
    match order {
        SortOrder::Asc => lines.iter_mut().try_for_each(&mut add_amount),
        SortOrder::Desc => lines.iter_mut().rev().try_for_each(&mut add_amount),
    }
}

impl fmt::Display for StatementCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.occurred_at.timestamp_micros(), self.number)
    }
}

impl FromStr for StatementCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (micros, number) = text.split_once('.').ok_or(NotACursor)?;
        let micros = micros.parse().map_err(|_| NotACursor)?;
        Ok(Self {
            occurred_at: cursor_instant(micros)?,
            number: number.parse().map_err(|_| NotACursor)?,
        })
    }
}

/// The stored event of a line of the business; `None` if no line has this event.
///
/// The statement has the sequence of the event. The log has no index of event ids, so that an append stays cheap.
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
