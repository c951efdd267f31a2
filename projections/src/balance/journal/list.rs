//! Lists of postings: by number of page, by cursor, and in bounded batches for spreadsheets. A posting is here a row of
//! the list (`JournalRow`).

use std::fmt;
use std::str::FromStr;

use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, EventId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::JournalRow;
use crate::balance::as_of::{Axis, effective_before};
use crate::page::{
    COUNT_LIMIT, ExportPage, Next, NotACursor, Page, Paging, SortOrder, TOTAL_MAX, cursor_instant,
};
use crate::range::TimeRange;
use crate::{Error, column_values};

/// A filter of postings. One time axis gives the order of the list, the order of the balances, and the range. So in any
/// range and on any page, a posting's balance is the balance of its account's previous posting plus the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalFilter {
    pub business_id: BusinessId,
    /// `None` for every account.
    pub account: Option<Account>,
    pub axis: Axis,
    pub range: TimeRange,
    pub order: SortOrder,
}

impl JournalFilter {
    /// Every posting of the business on the effective axis, the newest first.
    pub const fn of(business_id: BusinessId) -> Self {
        Self {
            business_id,
            account: None,
            axis: Axis::Effective,
            range: TimeRange::ALL,
            order: SortOrder::Desc,
        }
    }
}

/// The last posting of a page: the next page begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalCursor {
    /// The instant on the list's axis.
    at: Instant,
    sequence: i64,
    /// See `place_of`.
    place: i16,
}

/// One page by number, and the total number of postings. The total is counted to 10,000, and pages by number end with
/// the one that has the 10,000th row.
pub async fn journal_list(
    client: &impl GenericClient,
    filter: &JournalFilter,
    paging: Paging,
) -> Result<Page<JournalRow, JournalCursor>, Error> {
    let filter_sql = FilterSql::of(filter);
    let found = count(client, &filter_sql).await?;
    if u64::try_from(paging.offset()).unwrap_or(u64::MAX) >= found.min(TOTAL_MAX) {
        return Ok(Page::capped(vec![], found, None));
    }
    let rows = select(client, filter, None, (paging.limit(), paging.offset())).await?;
    Ok(page(rows, found, paging.per_page))
}

/// The postings after the cursor, in the filter's order. The time does not grow with the number of earlier pages.
pub async fn journal_list_after(
    client: &impl GenericClient,
    filter: &JournalFilter,
    next: Next<JournalCursor>,
    per_page: u32,
) -> Result<Page<JournalRow, JournalCursor>, Error> {
    let rows = select(client, filter, Some(next.after), (i64::from(per_page), 0)).await?;
    Ok(page(rows, next.found, per_page))
}

/// At most `limit` postings of the same list after the cursor, without a count.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &JournalFilter,
    after: Option<JournalCursor>,
    limit: u32,
) -> Result<ExportPage<JournalRow, JournalCursor>, Error> {
    let rows = select(client, filter, after, (i64::from(limit), 0)).await?;
    let next = cursor(&rows, limit);
    Ok(ExportPage {
        rows: without_cursors(rows),
        next,
    })
}

fn page(
    rows: Vec<(JournalRow, JournalCursor)>,
    found: u64,
    per_page: u32,
) -> Page<JournalRow, JournalCursor> {
    let after = cursor(&rows, per_page);
    Page::capped(without_cursors(rows), found, after)
}

/// A full page may have a next page; a short one is the last.
fn cursor(rows: &[(JournalRow, JournalCursor)], limit: u32) -> Option<JournalCursor> {
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    rows.last().filter(|_| full).map(|(_, cursor)| *cursor)
}

fn without_cursors(rows: Vec<(JournalRow, JournalCursor)>) -> Vec<JournalRow> {
    rows.into_iter().map(|(row, _)| row).collect()
}

/// The filter as SQL: the parameters `$1` to `$4` of `postings`, and the parts of its text.
struct FilterSql {
    business: uuid::Uuid,
    from: Option<Instant>,
    until: Option<Instant>,
    place: Option<i16>,
    /// The filter's account as a condition without a parameter, so that the planner can use the partial indexes of
    /// accounts with few postings. It begins with `AND`, or is empty.
    account_condition: String,
    /// The column of the filter's time axis.
    time: &'static str,
}

/// An account's place in `Account::ALL`, from 0. It orders the postings of one event.
fn place_of(account: Account) -> i16 {
    Account::ALL
        .iter()
        .zip(0..)
        .find(|(other, _)| **other == account)
        .map_or(0, |(_, place)| place)
}

impl FilterSql {
    fn of(filter: &JournalFilter) -> Self {
        let account_condition = filter.account.map(|account| format!("AND {account} IS NOT NULL"));
        Self {
            business: filter.business_id.uuid(),
            from: filter.range.from,
            until: filter.range.until,
            place: filter.account.map(place_of),
            account_condition: account_condition.unwrap_or_default(),
            time: match filter.axis {
                Axis::Effective => "occurred_at",
                Axis::Recorded => "recorded_at",
            },
        }
    }

    /// The text after `FROM`: each row of the journal as one row for each of its postings, restricted by the filter.
    fn postings(&self) -> String {
        let Self {
            time,
            account_condition,
            ..
        } = self;
        let accounts: Vec<String> = Account::ALL
            .iter()
            .zip(0..)
            .map(|(account, place)| format!("({place}::int2, {account}, {account}_balance)"))
            .collect();
        let accounts = accounts.join(", ");
        format!(
            "journal CROSS JOIN LATERAL (VALUES {accounts}) AS posting (place, amount, balance)
             WHERE business_id = $1 AND {time} >= coalesce($2::timestamptz, '-infinity')
               AND {time} < coalesce($3::timestamptz, 'infinity')
               AND posting.amount IS NOT NULL AND ($4::int2 IS NULL OR posting.place = $4) {account_condition}"
        )
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.from, Type::TIMESTAMPTZ),
            (&self.until, Type::TIMESTAMPTZ),
            (&self.place, Type::INT2),
        ]
    }
}

/// Counts to one more than `TOTAL_MAX`, so that a capped total is recognized.
async fn count(client: &impl GenericClient, filter_sql: &FilterSql) -> Result<u64, Error> {
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 AS one FROM {postings} LIMIT $5) AS found",
        postings = filter_sql.postings(),
    );
    let mut parameters = filter_sql.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let row = client.query_typed_one(&sql, &parameters).await?;
    column_values::count("journal", row.get(0))
}

async fn select(
    client: &impl GenericClient,
    filter: &JournalFilter,
    after: Option<JournalCursor>,
    (limit, offset): (i64, i64),
) -> Result<Vec<(JournalRow, JournalCursor)>, Error> {
    let filter_sql = FilterSql::of(filter);
    let direction = filter.order.sql();
    let operator = filter.order.comparison();
    // The first comparison is for the index, which has no column `place`. The second leaves out the postings of the
    // same event that were read before.
    let sql = format!(
        "SELECT event_id, event_type, sequence, place, amount, balance, occurred_at, recorded_at, {time}
           FROM {postings}
            AND ($7::timestamptz IS NULL
                 OR ({time}, sequence) {operator}= ($7, $8) AND ({time}, sequence, place) {operator} ($7, $8, $9))
          ORDER BY {time} {direction}, sequence {direction}, place {direction} LIMIT $5 OFFSET $6",
        time = filter_sql.time,
        postings = filter_sql.postings(),
    );
    let at = after.map(|cursor| cursor.at);
    let sequence = after.map(|cursor| cursor.sequence);
    let place = after.map(|cursor| cursor.place);
    let mut parameters = filter_sql.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&at, Type::TIMESTAMPTZ),
        (&sequence, Type::INT8),
        (&place, Type::INT2),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    let mut rows = rows.iter().map(posting_at).collect::<Result<Vec<_>, _>>()?;
    // The stored balances are those in the order of recording.
    if filter.axis == Axis::Effective {
        recompute_balances(client, filter, &mut rows).await?;
    }
    Ok(rows)
}

fn posting_at(row: &Row) -> Result<(JournalRow, JournalCursor), Error> {
    let place: i16 = row.get(3);
    let account = usize::try_from(place)
        .ok()
        .and_then(|place| Account::ALL.get(place))
        .ok_or_else(|| Error::unreadable("journal", place))?;
    let posting = JournalRow {
        event_id: EventId::from_uuid(row.get(0)),
        event_type: row.get(1),
        sequence: row.get(2),
        account: *account,
        amount: Cents::new(row.get(4)),
        balance: Cents::new(row.get(5)),
        occurred_at: row.get(6),
        recorded_at: row.get(7),
    };
    let cursor = JournalCursor {
        at: row.get(8),
        sequence: posting.sequence,
        place,
    };
    Ok((posting, cursor))
}

/// Computes the balances in the effective order. The rows of a page follow one another in this order, so the balances
/// continue from the accounts before the first row. A page may begin within an event. Then these accounts include the
/// event's postings that are not on the page.
async fn recompute_balances(
    client: &impl GenericClient,
    filter: &JournalFilter,
    rows: &mut [(JournalRow, JournalCursor)],
) -> Result<(), Error> {
    let first = match filter.order {
        SortOrder::Asc => rows.first(),
        SortOrder::Desc => rows.last(),
    };
    let Some((first, _)) = first else { return Ok(()) };
    let (first_sequence, after_first) = (first.sequence, (first.occurred_at, first.sequence + 1));
    let balances_after_first = effective_before(client, filter.business_id, after_first).await?;
    let mut balances = Account::ALL.map(|account| {
        let listed = rows
            .iter()
            .find(|(row, _)| row.sequence == first_sequence && row.account == account)
            .map_or(0, |(row, _)| row.amount.get());
        Cents::new(balances_after_first.get(account).get() - listed)
    });
    let mut add_amount = |(row, cursor): &mut (JournalRow, JournalCursor)| {
        let balance = usize::try_from(cursor.place)
            .ok()
            .and_then(|place| balances.get_mut(place))
            .ok_or_else(|| Error::unreadable("journal", cursor.place))?;
        *balance = balance
            .checked_add(row.amount)
            .ok_or_else(|| Error::unreadable("journal", "sums beyond 64 bits"))?;
        row.balance = *balance;
        Ok(())
    };
    match filter.order {
        SortOrder::Asc => rows.iter_mut().try_for_each(&mut add_amount),
        SortOrder::Desc => rows.iter_mut().rev().try_for_each(&mut add_amount),
    }
}

impl fmt::Display for JournalCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}.{}",
            self.at.timestamp_micros(),
            self.sequence,
            self.place
        )
    }
}

impl FromStr for JournalCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(NotACursor);
        let (micros, sequence, place) = (part()?, part()?, part()?);
        let micros = micros.parse().map_err(|_| NotACursor)?;
        let cursor = Self {
            at: cursor_instant(micros)?,
            sequence: sequence.parse().map_err(|_| NotACursor)?,
            place: place.parse().map_err(|_| NotACursor)?,
        };
        parts.next().is_none().then_some(cursor).ok_or(NotACursor)
    }
}
