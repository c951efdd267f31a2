//! Payouts, refunds and charges that have not ended within the configured time.

use std::time::Duration;

use gateway_outbox::{LateRows, Table};
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::{Page, Paging};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::late_rows::{OpenRow, late_count, late_list};
use crate::outboxes::{ORDER_ATTEMPTS, PAYOUTS, REFUNDS};

/// A late payout (`Of` is its withdrawal's id), or a late refund or charge (`Of` is its sale's id).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateEffect<Of> {
    pub of: Of,
    pub business_id: BusinessId,
    pub business_name: Option<String>,
    pub amount: Cents,
    /// A code: `waiting`, `unknown`, `sent` or `unreadable`.
    pub status: String,
    pub open: OpenRow,
}

pub async fn payouts_late_count(
    client: &impl GenericClient,
    late_after: Duration,
) -> Result<LateRows, Error> {
    late_count(client, &PAYOUTS, late_after).await
}

pub async fn refunds_late_count(
    client: &impl GenericClient,
    late_after: Duration,
) -> Result<LateRows, Error> {
    late_count(client, &REFUNDS, late_after).await
}

pub async fn charges_late_count(
    client: &impl GenericClient,
    late_after: Duration,
) -> Result<LateRows, Error> {
    late_count(client, &ORDER_ATTEMPTS, late_after).await
}

pub async fn payouts_late_list(
    client: &impl GenericClient,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<TransferId>>, Error> {
    let columns = ["transfer_id", "amount"];
    effects_late_list(
        client,
        &PAYOUTS,
        columns,
        TransferId::from_uuid,
        late_after,
        paging,
    )
    .await
}

pub async fn refunds_late_list(
    client: &impl GenericClient,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<SaleId>>, Error> {
    let columns = ["sale_id", "amount"];
    effects_late_list(client, &REFUNDS, columns, SaleId::from_uuid, late_after, paging).await
}

pub async fn charges_late_list(
    client: &impl GenericClient,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<SaleId>>, Error> {
    let columns = ["sale_id", "total"];
    effects_late_list(
        client,
        &ORDER_ATTEMPTS,
        columns,
        SaleId::from_uuid,
        late_after,
        paging,
    )
    .await
}

/// `of` is the column of the withdrawal or the sale, `amount` that of the money.
async fn effects_late_list<Of>(
    client: &impl GenericClient,
    table: &Table,
    [of, amount]: [&str; 2],
    from_uuid: fn(Uuid) -> Of,
    late_after: Duration,
    paging: Paging,
) -> Result<Page<LateEffect<Of>>, Error> {
    let columns = format!(
        "{of}, business_id, (SELECT name FROM business WHERE id = late.business_id), {amount}, status"
    );
    let read = |row: &Row, open| LateEffect {
        of: from_uuid(row.get(0)),
        business_id: BusinessId::from_uuid(row.get(1)),
        business_name: row.get(2),
        amount: Cents::new(row.get(3)),
        status: row.get(4),
        open,
    };
    late_list(client, table, &columns, late_after, paging, read).await
}
