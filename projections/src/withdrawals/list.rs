//! Lists of transfers: by number of page, by cursor, and in bounded batches for spreadsheets. Also finds a single
//! transfer.
//!
//! A company's list and staff's list over all companies are the same query with and without a company.

use std::fmt;
use std::str::FromStr;

use ledger_domain::calendar::Instant;
use ledger_domain::sale::PaymentName;
use ledger_domain::transfer::{TransferKind, TransferStatus};
use ledger_domain::{BusinessId, Cents, TransferId};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use super::{Transfer, transfer_columns};
use crate::each_shard::{Cut, joined_list_of_each_shard, list_of_each_shard, rows_of_each_shard};
use crate::page::{
    COUNT_LIMIT, ExportPage, Next, NotACursor, Page, Paging, SortOrder, TOTAL_MAX, cursor_instant,
};
use crate::range::TimeRange;
use crate::{Error, column_values};

/// A filter of transfers. An empty or missing field does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TransferFilter {
    pub business_id: Option<BusinessId>,
    pub kind: Option<TransferKind>,
    pub statuses: Vec<TransferStatus>,
    /// Restricts the instant of the request.
    pub range: TimeRange,
    /// The order by the instant of the request.
    pub order: SortOrder,
    /// Lists pending withdrawals before all others, if `statuses` is empty. `list_after` and `export_page` ignore it.
    pub pending_first: bool,
    /// Only withdrawals to a bank account that was changed shortly before the request (table `destination_change`).
    pub new_destination: bool,
    /// Only transfers that are not withdrawals.
    pub others: bool,
    /// Only those with this name of the payment or of its return.
    pub name: Option<String>,
}

/// The last row of a batch: the next batch begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferCursor {
    requested_at: Instant,
    transfer_id: TransferId,
}

/// The withdrawals of all companies that wait for staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PendingWithdrawals {
    pub count: u64,
    pub amount: Cents,
    /// The instant of the oldest request.
    pub oldest_at: Option<Instant>,
}

/// The filter as SQL: the parameters `$1` to `$6` of `transfer_filter`, and a condition without a parameter.
struct FilterParameters {
    /// It begins with ` AND`, or is empty.
    extra_condition: &'static str,
    business: Option<uuid::Uuid>,
    kind: Option<i16>,
    statuses: Vec<i16>,
    from: Option<Instant>,
    until: Option<Instant>,
    name: Option<String>,
}

/// Null or empty parameters disappear when the statement is planned, so one text serves every filter. The transfers of a
/// name are found first, as in the list of sales.
macro_rules! transfer_filter {
    () => {
        "($1::uuid IS NULL OR business_id = $1)
     AND ($2::int2 IS NULL OR kind = $2)
     AND (cardinality($3::int2[]) = 0 OR status = ANY ($3))
     AND ($4::timestamptz IS NULL OR requested_at >= $4)
     AND ($5::timestamptz IS NULL OR requested_at < $5)
     AND ($6::text IS NULL OR transfer_id = ANY (ARRAY(
             SELECT named.transfer_id FROM transfer AS named
              WHERE array_remove(
                        ARRAY[lower(named.names ->> 'end_to_end_id'), lower(named.names ->> 'control_number'),
                              lower(named.return_names ->> 'end_to_end_id'),
                              lower(named.return_names ->> 'control_number')], NULL) @> ARRAY[$6])))"
    };
}

/// The condition of `new_destination`. It is not switched by a parameter, because only a plain `EXISTS` lets the
/// planner begin at the few changes. Kind 0 is a withdrawal.
const TO_NEW_DESTINATION: &str = " AND kind = 0 AND destination -> 'bank_account' IS NOT NULL
     AND EXISTS (SELECT 1 FROM destination_change change
                  WHERE change.business_id = transfer.business_id AND change.changed_at <= transfer.requested_at
                    AND transfer.requested_at < change.marked_until)";

/// Kind 0 is a withdrawal.
const NOT_A_WITHDRAWAL: &str = " AND kind <> 0";

impl FilterParameters {
    fn of(filter: &TransferFilter) -> Self {
        Self {
            extra_condition: match (filter.new_destination, filter.others) {
                (false, false) => "",
                (true, false) => TO_NEW_DESTINATION,
                (false, true) => NOT_A_WITHDRAWAL,
                // Only withdrawals have a destination.
                (true, true) => " AND false",
            },
            business: filter.business_id.map(BusinessId::uuid),
            kind: filter.kind.map(|kind| i16::from(kind.number())),
            statuses: filter
                .statuses
                .iter()
                .map(|status| i16::from(status.number()))
                .collect(),
            from: filter.range.from,
            until: filter.range.until,
            name: filter.name.as_deref().map(PaymentName::search_key),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.kind, Type::INT2),
            (&self.statuses, Type::INT2_ARRAY),
            (&self.from, Type::TIMESTAMPTZ),
            (&self.until, Type::TIMESTAMPTZ),
            (&self.name, Type::TEXT),
        ]
    }
}

impl TransferFilter {
    /// Splits the filter into those whose rows follow one another on its pages: pending first, if requested.
    fn parts(&self) -> Vec<Self> {
        if !self.pending_first || !self.statuses.is_empty() {
            return vec![self.clone()];
        }
        let (pending, others) = TransferStatus::ALL
            .iter()
            .partition(|status| **status == TransferStatus::Pending);
        [pending, others]
            .map(|statuses| Self {
                statuses,
                ..self.clone()
            })
            .into()
    }
}

/// One page by number, and the total number of transfers, counted to 10,000. A list with pending withdrawals first has
/// no cursor.
pub async fn list(
    client: &impl GenericClient,
    filter: &TransferFilter,
    paging: Paging,
) -> Result<Page<Transfer, TransferCursor>, Error> {
    let (limit, mut skip) = (paging.limit(), paging.offset());
    let mut rows: Vec<Transfer> = vec![];
    let mut found = 0;
    let parts = filter.parts();
    for part in &parts {
        let filter_sql = FilterParameters::of(part);
        let count = count(client, &filter_sql).await?;
        found += count;
        let count = i64::try_from(count.min(TOTAL_MAX)).unwrap_or(i64::MAX);
        let left = limit - i64::try_from(rows.len()).unwrap_or(i64::MAX);
        if left > 0 && skip < count {
            rows.extend(select(client, &filter_sql, part.order, None, left, skip).await?);
        }
        skip = skip.saturating_sub(count).max(0);
    }
    let after = cursor(&rows, limit).filter(|_| parts.len() == 1);
    Ok(Page::capped(rows, found, after))
}

/// The transfers after the cursor, in the filter's order. The time does not grow with the number of earlier pages.
pub async fn list_after(
    client: &impl GenericClient,
    filter: &TransferFilter,
    next: Next<TransferCursor>,
    per_page: u32,
) -> Result<Page<Transfer, TransferCursor>, Error> {
    let limit = i64::from(per_page);
    let filter_sql = FilterParameters::of(filter);
    let rows = select(client, &filter_sql, filter.order, Some(next.after), limit, 0).await?;
    let after = cursor(&rows, limit);
    Ok(Page::capped(rows, next.found, after))
}

/// At most `limit` transfers after the cursor, in the filter's order. Nothing is counted.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &TransferFilter,
    after: Option<TransferCursor>,
    limit: u32,
) -> Result<ExportPage<Transfer, TransferCursor>, Error> {
    let filter_sql = FilterParameters::of(filter);
    let limit = i64::from(limit);
    let rows = select(client, &filter_sql, filter.order, after, limit, 0).await?;
    let next = cursor(&rows, limit);
    Ok(ExportPage { rows, next })
}

/// Finds a transfer by its id. If a business is given, a transfer of another business is `None`, like an unknown one.
pub async fn find(
    client: &impl GenericClient,
    business: Option<BusinessId>,
    transfer: TransferId,
) -> Result<Option<Transfer>, Error> {
    let row = client
        .query_typed_opt(
            &rows_of_each_shard(concat!(
                "SELECT ",
                transfer_columns!(),
                " FROM transfer WHERE transfer_id = $1 AND ($2::uuid IS NULL OR business_id = $2)",
            )),
            &[
                (&transfer.uuid(), Type::UUID),
                (&business.map(BusinessId::uuid), Type::UUID),
            ],
        )
        .await?;
    row.as_ref().map(Transfer::from_row).transpose()
}

/// The withdrawals of all companies that wait for staff. Status 0 is `Pending`, which only withdrawals have.
pub async fn pending_withdrawals(client: &impl GenericClient) -> Result<PendingWithdrawals, Error> {
    let of_shards = rows_of_each_shard(
        "SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount, min(requested_at) AS oldest
           FROM transfer WHERE status = 0",
    );
    let row = client
        .query_typed_one(
            &format!(
                "SELECT sum(count)::int8, sum(amount)::int8, min(oldest) FROM ({of_shards}) AS of_shards"
            ),
            &[],
        )
        .await?;
    Ok(PendingWithdrawals {
        count: column_values::count("transfer", row.get(0))?,
        amount: Cents::new(row.get(1)),
        oldest_at: row.get(2),
    })
}

/// The instant of the oldest request that is pending, and of the oldest one in processing. Only withdrawals have these
/// statuses: 0 and 2.
pub async fn oldest_requests(
    client: &impl GenericClient,
) -> Result<(Option<Instant>, Option<Instant>), Error> {
    let of_shards = rows_of_each_shard(
        "SELECT (SELECT min(requested_at) FROM transfer WHERE status = 0) AS pending,
                (SELECT min(requested_at) FROM transfer WHERE status = 2) AS processing",
    );
    let sql = format!("SELECT min(pending), min(processing) FROM ({of_shards}) AS of_shards");
    let row = client.query_typed_one(&sql, &[]).await?;
    Ok((row.get(0), row.get(1)))
}

async fn select(
    client: &impl GenericClient,
    filter_sql: &FilterParameters,
    order: SortOrder,
    after: Option<TransferCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<Transfer>, Error> {
    let direction = order.sql();
    let operator = order.comparison();
    let cut = Cut {
        limit: "$7",
        offset: "$8",
    };
    let of_shards = format!("requested_at {direction}, transfer_id {direction}");
    let page = |range: &str| {
        format!(
            "SELECT transfer_id, business_id, requested_at FROM transfer
              WHERE {filter}{extra_condition}
                AND ($9::timestamptz IS NULL OR (requested_at, transfer_id) {operator} ($9, $10))
              ORDER BY requested_at {direction}, transfer_id {direction} {range}",
            filter = transfer_filter!(),
            extra_condition = filter_sql.extra_condition,
        )
    };
    let rows = |page: &str| {
        format!(
            "SELECT {columns} FROM {page} JOIN transfer USING (transfer_id, business_id)
              ORDER BY transfer.requested_at {direction}, transfer.transfer_id {direction}",
            columns = transfer_columns!(),
        )
    };
    let sql = joined_list_of_each_shard((&of_shards, &of_shards), (cut, offset), page, rows);
    let (requested_at, transfer_id) = after
        .map(|cursor| (cursor.requested_at, cursor.transfer_id.uuid()))
        .unzip();
    let mut parameters = filter_sql.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&requested_at, Type::TIMESTAMPTZ),
        (&transfer_id, Type::UUID),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter().map(Transfer::from_row).collect()
}

/// Counts to one more than the limit, so that a capped total is recognized.
async fn count(client: &impl GenericClient, filter_sql: &FilterParameters) -> Result<u64, Error> {
    let found = list_of_each_shard("", Cut::first("$7"), |limit| {
        format!(
            "SELECT 1 AS one FROM transfer WHERE {filter}{extra_condition} {limit}",
            filter = transfer_filter!(),
            extra_condition = filter_sql.extra_condition,
        )
    });
    let sql = format!("SELECT count(*) FROM ({found}) AS found");
    let mut parameters = filter_sql.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let row = client.query_typed_one(&sql, &parameters).await?;
    column_values::count("transfer", row.get(0))
}

/// A full page may have a next page; a short one is the last.
fn cursor(rows: &[Transfer], limit: i64) -> Option<TransferCursor> {
    let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
    rows.last().filter(|_| full).map(|row| TransferCursor {
        requested_at: row.requested_at,
        transfer_id: row.transfer_id,
    })
}

impl fmt::Display for TransferCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}",
            self.requested_at.timestamp_micros(),
            self.transfer_id.uuid()
        )
    }
}

impl FromStr for TransferCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (micros, transfer) = text.split_once('.').ok_or(NotACursor)?;
        let micros = micros.parse().map_err(|_| NotACursor)?;
        Ok(Self {
            requested_at: cursor_instant(micros)?,
            transfer_id: TransferId::from_uuid(transfer.parse().map_err(|_| NotACursor)?),
        })
    }
}
