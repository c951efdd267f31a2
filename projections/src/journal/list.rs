//! Lists of postings: by number of page as people leaf, in bounded batches as spreadsheets read, each as of now or of
//! an instant.

use ledger_domain::business::Account;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::{BusinessId, Cents, EventId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::JournalRow;
use crate::as_of::{AsOf, Axis, balance_as_of, effective_before};
use crate::page::{Batch, Order, Page, Paging, TOTAL_MAX};
use crate::{Error, spelling};

/// Which postings; what is left out does not restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalFilter {
    pub business_id: BusinessId,
    pub account: Option<Account>,
    /// Business dates of what happened, both inclusive.
    pub start: Option<Date>,
    pub end: Option<Date>,
    /// What was recorded, or had happened, by then. On the effective axis the balances are recounted in the order in
    /// which things happened.
    pub as_of: Option<AsOf>,
    pub order: Order,
}

/// The last posting of a batch: the next one begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalCursor {
    business_date: Date,
    occurred_at: Instant,
    sequence: i64,
    place: i16,
}

/// One page by number, and how many postings there are (to 10,000; pages by number end there too).
pub async fn journal_list(
    client: &impl GenericClient,
    filter: &JournalFilter,
    paging: Paging,
) -> Result<Page<JournalRow>, Error> {
    let Some(bounds) = Bounds::of(client, filter).await? else {
        return Ok(page(vec![], 0));
    };
    let total = count(client, &bounds).await?;
    if u64::try_from(paging.offset()).unwrap_or(u64::MAX) >= total.min(TOTAL_MAX) {
        return Ok(page(vec![], total));
    }
    let rows = select(client, &bounds, None, (paging.limit(), paging.offset())).await?;
    Ok(page(rows.into_iter().map(|(row, _)| row).collect(), total))
}

/// At most `limit` postings of the same list after the cursor: constant time, however far one has read.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &JournalFilter,
    after: Option<JournalCursor>,
    limit: u32,
) -> Result<Batch<JournalRow, JournalCursor>, Error> {
    let Some(bounds) = Bounds::of(client, filter).await? else {
        return Ok(Batch {
            rows: vec![],
            next: None,
        });
    };
    let rows = select(client, &bounds, after, (i64::from(limit), 0)).await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|(_, cursor)| *cursor);
    Ok(Batch {
        rows: rows.into_iter().map(|(row, _)| row).collect(),
        next,
    })
}

fn page(rows: Vec<JournalRow>, found: u64) -> Page<JournalRow> {
    Page {
        rows,
        total: found.min(TOTAL_MAX),
        total_capped: found > TOTAL_MAX,
        next: None,
    }
}

/// The filter as SQL takes it: `$1` to `$6` of `postings`.
struct Bounds {
    business_id: BusinessId,
    business: uuid::Uuid,
    place: Option<i16>,
    /// The same account once more, as the indexes of the accounts that few events post to know it.
    touched: String,
    start: Option<Date>,
    end: Option<Date>,
    /// What was recorded by an instant is what came before an event: the index knows sequences.
    last_sequence: Option<i64>,
    last_instant: Option<Instant>,
    order: Order,
}

/// An account's place in the journal's rows.
fn place_of(account: Account) -> i16 {
    Account::ALL
        .iter()
        .zip(0..)
        .find(|(other, _)| **other == account)
        .map_or(0, |(_, place)| place)
}

macro_rules! postings {
    () => {
        "journal CROSS JOIN LATERAL
         (VALUES (0::int2, receivable, receivable_balance), (1::int2, available, available_balance),
                 (2::int2, in_transfer, in_transfer_balance), (3::int2, held_by_staff, held_by_staff_balance),
                 (4::int2, in_dispute, in_dispute_balance), (5::int2, platform_fees, platform_fees_balance),
                 (6::int2, clearing, clearing_balance)) AS posting (place, amount, balance)
         WHERE business_id = $1
           AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity')
           AND posting.amount IS NOT NULL
           AND ($4::int2 IS NULL OR posting.place = $4)
           AND ($5::int8 IS NULL OR sequence <= $5)
           AND ($6::timestamptz IS NULL OR occurred_at <= $6)"
    };
}

impl Bounds {
    /// None where nothing was recorded by then.
    async fn of(client: &impl GenericClient, filter: &JournalFilter) -> Result<Option<Self>, Error> {
        let mut bounds = Self {
            business_id: filter.business_id,
            business: filter.business_id.uuid(),
            place: filter.account.map(place_of),
            touched: filter
                .account
                .map(|account| format!("AND {account} IS NOT NULL"))
                .unwrap_or_default(),
            start: filter.start,
            end: filter.end,
            last_sequence: None,
            last_instant: None,
            order: filter.order,
        };
        match filter.as_of {
            None => {}
            Some(as_of) if as_of.axis == Axis::Recorded => {
                let Some(last) = balance_as_of(client, filter.business_id, as_of).await?.sequence else {
                    return Ok(None);
                };
                bounds.last_sequence = Some(last);
            }
            Some(as_of) => bounds.happened_by(as_of.instant),
        }
        Ok(Some(bounds))
    }

    fn happened_by(&mut self, instant: Instant) {
        let last_date = business_date(instant);
        self.end = Some(self.end.map_or(last_date, |end| end.min(last_date)));
        self.last_instant = Some(instant);
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.start, Type::DATE),
            (&self.end, Type::DATE),
            (&self.place, Type::INT2),
            (&self.last_sequence, Type::INT8),
            (&self.last_instant, Type::TIMESTAMPTZ),
        ]
    }

    /// Within a day as things happened, rather than as they were recorded.
    const fn recounts(&self) -> bool {
        self.last_instant.is_some()
    }
}

/// Counted one past the limit, so that a capped total is known for one.
async fn count(client: &impl GenericClient, bounds: &Bounds) -> Result<u64, Error> {
    let limit = i64::try_from(TOTAL_MAX + 1).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT count(*) FROM (SELECT FROM {postings} {touched} LIMIT $7) AS found",
        postings = postings!(),
        touched = bounds.touched,
    );
    let mut parameters = bounds.parameters();
    parameters.push((&limit, Type::INT8));
    let row = client.query_typed_one(&sql, &parameters).await?;
    spelling::count("journal", row.get(0))
}

async fn select(
    client: &impl GenericClient,
    bounds: &Bounds,
    after: Option<JournalCursor>,
    (limit, offset): (i64, i64),
) -> Result<Vec<(JournalRow, JournalCursor)>, Error> {
    let direction = spelling::direction(bounds.order);
    let beyond = spelling::beyond(bounds.order);
    // The first comparison is for the index, which does not know places; the second leaves out what was read.
    let (order, continued) = if bounds.recounts() {
        (
            format!(
                "business_date {direction}, occurred_at {direction}, sequence {direction}, place {direction}"
            ),
            format!(
                "business_date {beyond}= $9
                 AND (business_date, occurred_at, sequence, place) {beyond} ($9, $10, $11, $12)"
            ),
        )
    } else {
        (
            format!("business_date {direction}, sequence {direction}, place {direction}"),
            format!(
                "(business_date, sequence) {beyond}= ($9, $11)
                 AND (business_date, sequence, place) {beyond} ($9, $11, $12)"
            ),
        )
    };
    let sql = format!(
        "SELECT event_id, event_type, sequence, place, amount, balance, occurred_at, recorded_at, business_date
           FROM {postings} {touched} AND ($9::date IS NULL OR {continued})
          ORDER BY {order} LIMIT $7 OFFSET $8",
        postings = postings!(),
        touched = bounds.touched,
    );
    let date = after.map(|cursor| cursor.business_date);
    let occurred_at = after.map(|cursor| cursor.occurred_at);
    let sequence = after.map(|cursor| cursor.sequence);
    let place = after.map(|cursor| cursor.place);
    let mut parameters = bounds.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&date, Type::DATE),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&sequence, Type::INT8),
        (&place, Type::INT2),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    let mut rows = rows.iter().map(posting_at).collect::<Result<Vec<_>, _>>()?;
    if bounds.recounts() {
        recount(client, bounds, &mut rows).await?;
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
        business_date: row.get(8),
        occurred_at: posting.occurred_at,
        sequence: posting.sequence,
        place,
    };
    Ok((posting, cursor))
}

/// The balances in the order of happening: the rows of a page follow one another in it, so they run on from what had
/// happened before the first of them. A page may begin within an event, whose other postings then are part of that.
async fn recount(
    client: &impl GenericClient,
    bounds: &Bounds,
    rows: &mut [(JournalRow, JournalCursor)],
) -> Result<(), Error> {
    let first = match bounds.order {
        Order::Asc => rows.first(),
        Order::Desc => rows.last(),
    };
    let Some((first, _)) = first else { return Ok(()) };
    let (begun, after_it) = (first.sequence, (first.occurred_at, first.sequence + 1));
    let with_first = effective_before(client, bounds.business_id, after_it).await?;
    let mut balances = Account::ALL.map(|account| {
        let listed = rows
            .iter()
            .find(|(row, _)| row.sequence == begun && row.account == account)
            .map_or(0, |(row, _)| row.amount.get());
        Cents::new(with_first.get(account).get() - listed)
    });
    let mut run = |(row, cursor): &mut (JournalRow, JournalCursor)| {
        let balance = usize::try_from(cursor.place)
            .ok()
            .and_then(|place| balances.get_mut(place))
            .ok_or_else(|| Error::unreadable("journal", cursor.place))?;
        *balance = balance
            .checked_add(row.amount)
            .ok_or_else(|| Error::unreadable("journal", "sums past 64 bits"))?;
        row.balance = *balance;
        Ok(())
    };
    match bounds.order {
        Order::Asc => rows.iter_mut().try_for_each(&mut run),
        Order::Desc => rows.iter_mut().rev().try_for_each(&mut run),
    }
}
