//! Payouts and refunds that have not ended after the time that a bank or an acquirer may take: their number for the
//! staff's home page, and the list behind it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_outbox::{LATE, LateRows, late_rows, milliseconds};
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::{CountLimit, Page, Paging};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::outboxes::{PAYOUTS, REFUNDS};

/// An open row of an outbox of effects. `Of` is what it pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateEffect<Of> {
    pub id: Uuid,
    pub of: Of,
    pub business_id: BusinessId,
    pub business_name: Option<String>,
    pub amount: Cents,
    /// A code: `waiting`, `unknown`, `sent` or `unreadable`.
    pub status: String,
    pub tries: i32,
    /// The code of what went wrong at the last try.
    pub last_error: Option<String>,
    /// `None` if it is not tried again by itself.
    pub next_try_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

pub async fn payouts_late(client: &impl GenericClient, late_after: Duration) -> Result<LateRows, Error> {
    late_rows(client, &PAYOUTS, late_after, CountLimit::FILTER.last_row()).await
}

pub async fn refunds_late(client: &impl GenericClient, late_after: Duration) -> Result<LateRows, Error> {
    late_rows(client, &REFUNDS, late_after, CountLimit::FILTER.last_row()).await
}

/// The payouts behind `payouts_late`, the oldest first.
pub async fn payouts_late_list(
    client: &impl GenericClient,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<TransferId>>, Error> {
    let table = LateTable {
        name: PAYOUTS.name,
        id: PAYOUTS.id,
        of: "transfer_id",
    };
    list(client, table, late_after, paging, TransferId::from_uuid).await
}

/// The refunds behind `refunds_late`, the oldest first.
pub async fn refunds_late_list(
    client: &impl GenericClient,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<SaleId>>, Error> {
    let table = LateTable {
        name: REFUNDS.name,
        id: REFUNDS.id,
        of: "sale_id",
    };
    list(client, table, late_after, paging, SaleId::from_uuid).await
}

struct LateTable {
    name: &'static str,
    id: &'static str,
    /// The column with what the row pays.
    of: &'static str,
}

async fn list<Of>(
    client: &impl GenericClient,
    LateTable { name, id, of }: LateTable,
    late_after: Duration,
    paging: Paging,
    read: fn(Uuid) -> Of,
) -> Result<Page<LateEffect<Of>>, Error> {
    let (limit, offset) = CountLimit::FILTER.range(paging);
    let late_ms = milliseconds(late_after);
    let which = format!("{name} WHERE ended_at IS NULL AND {LATE}");
    let sql = format!(
        "SELECT late.{id}, late.{of}, late.business_id, b.name, late.amount, late.status, late.tries, late.last_error,
                late.next_try_at, late.created_at
           FROM (SELECT * FROM {which} ORDER BY created_at, {id} LIMIT $2 OFFSET $3) AS late
           LEFT JOIN business b ON b.id = late.business_id
          ORDER BY late.created_at, late.{id}"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&late_ms, Type::INT8),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
            ],
        )
        .await?;
    let effect = |row: &Row| LateEffect {
        id: row.get(0),
        of: read(row.get(1)),
        business_id: BusinessId::from_uuid(row.get(2)),
        business_name: row.get(3),
        amount: Cents::new(row.get(4)),
        status: row.get(5),
        tries: row.get(6),
        last_error: row.get(7),
        next_try_at: row.get(8),
        created_at: row.get(9),
    };
    CountLimit::FILTER
        .counted_page(
            client,
            rows.iter().map(effect).collect(),
            &which,
            vec![(&late_ms, Type::INT8)],
        )
        .await
}
