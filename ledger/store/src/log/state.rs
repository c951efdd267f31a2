//! Reads the state tables next to the log: business heads, sale states and transfer states.
//!
//! Only the append writes them. The audit checks that they follow from the events. A sale with one event has no row: its
//! claim leads to that event, and its state is computed from the event.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ledger_domain::business::{
    Accounts, Business, BusinessEvent, DecodeError, Hold, RecentWithdrawal, Sale, decode,
};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use serde::de::DeserializeOwned;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::{LogError, hash};
use crate::archive;
use crate::lane::{FoundSale, FoundState, FoundTransfer, Head};
use crate::layout::Layout;
use crate::position::Shard;

/// A row of `business_head`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHead {
    pub version: i64,
    pub accounts: Accounts,
    pub chain: [u8; 32],
    /// The list as text, so that the audit can report an invalid one. `None` if there are no recent withdrawals.
    pub recent_withdrawals: Option<String>,
    pub held_for_sales: Cents,
    /// The list as text, like `recent_withdrawals`.
    pub holds: Option<String>,
}

impl StoredHead {
    /// Parses the lists.
    pub fn parsed(self) -> Result<Head, serde_json::Error> {
        let Self {
            version,
            accounts,
            chain,
            recent_withdrawals,
            held_for_sales,
            holds,
        } = self;
        let recent_withdrawals: Arc<[RecentWithdrawal]> = parsed_list(recent_withdrawals)?;
        let holds: Arc<[Hold]> = parsed_list(holds)?;
        Ok(Head {
            version,
            accounts,
            chain,
            recent_withdrawals,
            held_for_sales,
            holds,
        })
    }
}

fn parsed_list<Item: DeserializeOwned>(text: Option<String>) -> Result<Arc<[Item]>, serde_json::Error> {
    text.map_or(Ok(Arc::default()), |text| {
        serde_json::from_str::<Vec<_>>(&text).map(Into::into)
    })
}

pub async fn head(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<Option<StoredHead>, tokio_postgres::Error> {
    Ok(heads(client, &[business_id]).await?.pop().map(|(_, head)| head))
}

/// The heads of these businesses. A business without events has none.
pub async fn heads(
    client: &impl GenericClient,
    businesses: &[BusinessId],
) -> Result<Vec<(BusinessId, StoredHead)>, tokio_postgres::Error> {
    let shards: Vec<i16> = businesses.iter().map(|id| Shard::of(*id).sql()).collect();
    let ids: Vec<Uuid> = businesses.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(HEADS, &[(&shards, Type::INT2_ARRAY), (&ids, Type::UUID_ARRAY)])
        .await?;
    Ok(rows.iter().map(stored_head).collect())
}

/// A page of the shard's heads by key, after `after`.
pub async fn heads_after(
    client: &impl GenericClient,
    shard: Shard,
    after: Option<BusinessId>,
    limit: i64,
) -> Result<Vec<(BusinessId, StoredHead)>, tokio_postgres::Error> {
    let after = after.map_or(Uuid::nil(), BusinessId::uuid);
    let rows = client
        .query_typed(
            "SELECT business_id, version, receivable, available, in_transfer, held_by_staff, in_dispute, \
                    platform_fees, clearing, chain, recent_withdrawals::text, held_for_sales, holds::text \
               FROM business_head WHERE shard = $1 AND business_id > $2 ORDER BY shard, business_id LIMIT $3",
            &[
                (&shard.sql(), Type::INT2),
                (&after, Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(stored_head).collect())
}

/// The states of these sales. An unknown sale has none.
pub async fn sale_states(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<Vec<(SaleId, FoundSale)>, LogError> {
    let ids: Vec<Uuid> = sales.iter().map(|id| id.uuid()).collect();
    let mut attempts = 0;
    loop {
        let rows = client.query_typed(SALES, &[(&ids, Type::UUID_ARRAY)]).await?;
        let found = found_sales(client, &rows).await;
        attempts += 1;
        if !is_read_again(&found, attempts).await {
            return found;
        }
    }
}

/// How often a sale is read whose claim is seen before its event, and the pause before the next time. Both are committed
/// within milliseconds.
const CLAIM_ATTEMPTS: u32 = 10;
const CLAIM_PAUSE: Duration = Duration::from_millis(20);

/// Pauses if it is.
async fn is_read_again<T>(read: &Result<T, LogError>, attempts: u32) -> bool {
    let is_conflict = matches!(read, Err(LogError::ClaimBeforeEvent { .. }));
    if is_conflict && attempts < CLAIM_ATTEMPTS {
        tokio::time::sleep(CLAIM_PAUSE).await;
        return true;
    }
    false
}

/// The business with one of its sales, without transfers, from one snapshot; `None` if the sale is not the business's.
pub async fn business_with_sale(
    client: &impl GenericClient,
    business_id: BusinessId,
    sale_id: SaleId,
) -> Result<Option<Business>, LogError> {
    let mut attempts = 0;
    loop {
        let found = read_business_with_sale(client, business_id, sale_id).await;
        attempts += 1;
        if !is_read_again(&found, attempts).await {
            return found;
        }
    }
}

async fn read_business_with_sale(
    client: &impl GenericClient,
    business_id: BusinessId,
    sale_id: SaleId,
) -> Result<Option<Business>, LogError> {
    let row = client
        .query_typed_opt(
            &format!(
                "SELECT sale.*, head.receivable, head.available, head.in_transfer, head.held_by_staff, \
                        head.in_dispute, head.platform_fees, head.clearing, head.held_for_sales \
                   FROM ({SALES}) AS sale JOIN business_head head ON head.business_id = sale.business_id \
                  WHERE head.shard = $2 AND head.business_id = $3"
            ),
            &[
                (&vec![sale_id.uuid()], Type::UUID_ARRAY),
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
            ],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (sale_id, found) = found_sale_of(client, &row).await?;
    Ok(Some(Business {
        accounts: accounts(&row, SALE_COLUMNS),
        held_for_sales: Cents::new(row.get(SALE_COLUMNS + 7)),
        sales: BTreeMap::from([(sale_id, found.state)]),
        ..Business::default()
    }))
}

/// The states of these transfers. An unknown transfer has none.
pub async fn transfer_states(
    client: &impl GenericClient,
    transfers: &[TransferId],
) -> Result<Vec<(TransferId, FoundTransfer)>, LogError> {
    let ids: Vec<Uuid> = transfers.iter().map(|id| id.uuid()).collect();
    let rows = client.query_typed(TRANSFERS, &[(&ids, Type::UUID_ARRAY)]).await?;
    rows.iter().map(found_transfer).collect()
}

pub(crate) const HEADS: &str = "SELECT head.business_id, head.version, head.receivable, head.available, \
     head.in_transfer, head.held_by_staff, head.in_dispute, head.platform_fees, head.clearing, head.chain, \
     head.recent_withdrawals::text, head.held_for_sales, head.holds::text \
     FROM unnest($1::smallint[], $2::uuid[]) AS wanted (shard, business_id) \
     JOIN business_head head ON head.shard = wanted.shard AND head.business_id = wanted.business_id";

/// The row of each sale, or the event that claims it if it has no row. `OFFSET 0` fixes the join order: the statement
/// may be planned while the log is empty, and the planner may then choose to read all events.
pub(crate) const SALES: &str = "SELECT wanted.sale_id, coalesce(stored.business_id, claim.business_id) AS business_id, \
       coalesce(stored.created_at, first.occurred_at) AS created_at, \
       coalesce(stored.sequence, claim.sequence) AS sequence, \
       stored.state::text AS state, first.event_type, first.event_version, first.payload::text AS payload \
  FROM unnest($1::uuid[]) AS wanted (sale_id) \
  LEFT JOIN sale_state stored ON stored.sale_id = wanted.sale_id \
  LEFT JOIN LATERAL (SELECT claimed.* FROM sale_claim claimed \
        WHERE claimed.sale_id = wanted.sale_id AND stored.sale_id IS NULL OFFSET 0) AS claim ON true \
  LEFT JOIN LATERAL (SELECT claiming.* FROM event claiming \
        WHERE claiming.shard = claim.shard AND claiming.business_id = claim.business_id \
          AND claiming.sequence = claim.sequence OFFSET 0) AS first ON true \
 WHERE stored.sale_id IS NOT NULL OR claim.sale_id IS NOT NULL";

/// The number of columns of `SALES`.
const SALE_COLUMNS: usize = 8;

pub(crate) const TRANSFERS: &str = "SELECT transfer.transfer_id, transfer.business_id, transfer.created_at, \
     transfer.sequence, transfer.state::text \
     FROM unnest($1::uuid[]) AS wanted (transfer_id) JOIN transfer_state transfer USING (transfer_id)";

pub(crate) fn stored_head(row: &Row) -> (BusinessId, StoredHead) {
    let head = StoredHead {
        version: row.get(1),
        accounts: accounts(row, 2),
        chain: hash(row, 9),
        recent_withdrawals: row.get(10),
        held_for_sales: Cents::new(row.get(11)),
        holds: row.get(12),
    };
    (BusinessId::from_uuid(row.get(0)), head)
}

/// Reads the accounts from that column on, in the order of `business_head`.
fn accounts(row: &Row, first: usize) -> Accounts {
    let cents = |place: usize| Cents::new(row.get(first + place));
    Accounts {
        receivable: cents(0),
        available: cents(1),
        in_transfer: cents(2),
        held_by_staff: cents(3),
        in_dispute: cents(4),
        platform_fees: cents(5),
        clearing: cents(6),
    }
}

/// The sales of these rows of [`SALES`].
pub(crate) async fn found_sales(
    client: &impl GenericClient,
    rows: &[Row],
) -> Result<Vec<(SaleId, FoundSale)>, LogError> {
    let mut sales = vec![];
    for row in rows {
        sales.push(found_sale_of(client, row).await?);
    }
    Ok(sales)
}

async fn found_sale_of(client: &impl GenericClient, row: &Row) -> Result<(SaleId, FoundSale), LogError> {
    match found_sale(row) {
        Err(LogError::ClaimBeforeEvent { sale_id }) => sale_of_hidden_event(client, sale_id, row).await,
        sale => sale,
    }
}

/// The event is archived, or of another shard: a session that sees the tables of one shard finds the claims of all. The
/// state is that after this event. For a sale of another shard it tells whose the sale is; only its own lane decides on
/// the sale.
async fn sale_of_hidden_event(
    client: &impl GenericClient,
    sale_id: SaleId,
    row: &Row,
) -> Result<(SaleId, FoundSale), LogError> {
    let business_id = BusinessId::from_uuid(row.get(1));
    let sequence: i64 = row.get(3);
    let layout = Layout::of(client).await?;
    if layout == Layout::One {
        return Err(LogError::ClaimBeforeEvent { sale_id });
    }
    let shard = Shard::of(business_id);
    let event = layout.table(shard, "event");
    let found = client
        .query_typed_opt(
            &format!(
                "SELECT $1, business_id, occurred_at, sequence, NULL::text, event_type, event_version, payload::text \
                   FROM {event} WHERE shard = $2 AND business_id = $3 AND sequence = $4"
            ),
            &[
                (&sale_id.uuid(), Type::UUID),
                (&shard.sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
                (&sequence, Type::INT8),
            ],
        )
        .await?;
    if let Some(row) = found {
        return found_sale(&row);
    }
    let archived = archive::events(client, &layout.prefix(shard), business_id, &[sequence]).await?;
    let event = archived.first().ok_or(LogError::ClaimBeforeEvent { sale_id })?;
    let found = FoundSale {
        business_id,
        state: state_after_first(sale_id, event.decode())?,
        created_at: event.occurred_at,
        sequence,
        is_stored: false,
    };
    Ok((sale_id, found))
}

fn found_sale(row: &Row) -> Result<(SaleId, FoundSale), LogError> {
    let sale_id = SaleId::from_uuid(row.get(0));
    if row.get::<_, Option<&str>>(4).is_some() {
        let found = found_state(row).map_err(|source| LogError::SaleState { sale_id, source })?;
        return Ok((sale_id, found));
    }
    let Some(event_type) = row.get(5) else {
        return Err(LogError::ClaimBeforeEvent { sale_id });
    };
    let found = FoundSale {
        business_id: BusinessId::from_uuid(row.get(1)),
        state: state_after_first(sale_id, decode(event_type, row.get(6), row.get(7)))?,
        created_at: row.get(2),
        sequence: row.get(3),
        is_stored: false,
    };
    Ok((sale_id, found))
}

fn state_after_first(sale_id: SaleId, event: Result<BusinessEvent, DecodeError>) -> Result<Sale, LogError> {
    let event = event.map_err(|source| LogError::SaleEvent { sale_id, source })?;
    Some(&event)
        .filter(|event| event.may_open_sale() == Some(sale_id))
        .and_then(Sale::after_first)
        .ok_or(LogError::Claim { sale_id })
}

pub(crate) fn found_transfer(row: &Row) -> Result<(TransferId, FoundTransfer), LogError> {
    let transfer_id = TransferId::from_uuid(row.get(0));
    let found = found_state(row).map_err(|source| LogError::TransferState { transfer_id, source })?;
    Ok((transfer_id, found))
}

fn found_state<S: DeserializeOwned>(row: &Row) -> Result<FoundState<S>, serde_json::Error> {
    let created_at: Instant = row.get(2);
    Ok(FoundState {
        business_id: BusinessId::from_uuid(row.get(1)),
        state: serde_json::from_str(row.get(4))?,
        created_at,
        sequence: row.get(3),
        is_stored: true,
    })
}
