//! The rows of `sale_state` and `transfer_state`, unparsed: the audit reports an unreadable state as a finding, so
//! reading one must not fail.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

/// Apart from their keys, the two tables have the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateTable {
    Sale,
    Transfer,
}

impl StateTable {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sale => "sale_state",
            Self::Transfer => "transfer_state",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Sale => "sale_id",
            Self::Transfer => "transfer_id",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRow {
    pub id: Uuid,
    pub business_id: BusinessId,
    /// A copy of the status inside `state`.
    pub status: String,
    pub created_at: Instant,
    pub sequence: i64,
    /// JSON, possibly unreadable.
    pub state: String,
}

/// The rows of these ids.
pub async fn state_rows(
    client: &impl GenericClient,
    table: StateTable,
    ids: &[Uuid],
) -> Result<Vec<StateRow>, tokio_postgres::Error> {
    let sql = format!(
        "SELECT {key}, business_id, status, created_at, sequence, state::text FROM {table} WHERE {key} = ANY ($1)",
        key = table.key(),
        table = table.as_str(),
    );
    let rows = client.query_typed(&sql, &[(&ids, Type::UUID_ARRAY)]).await?;
    Ok(rows.iter().map(state_row).collect())
}

/// The ids and businesses of at most `limit` rows after the id `after`, ordered by id.
pub async fn state_ids_after(
    client: &impl GenericClient,
    table: StateTable,
    after: Uuid,
    limit: i64,
) -> Result<Vec<(Uuid, BusinessId)>, tokio_postgres::Error> {
    let sql = format!(
        "SELECT {key}, business_id FROM {table} WHERE {key} > $1 ORDER BY {key} LIMIT $2",
        key = table.key(),
        table = table.as_str(),
    );
    let rows = client
        .query_typed(&sql, &[(&after, Type::UUID), (&limit, Type::INT8)])
        .await?;
    let id_and_business = |row: &Row| (row.get(0), BusinessId::from_uuid(row.get(1)));
    Ok(rows.iter().map(id_and_business).collect())
}

/// The businesses of these sales or transfers. Unknown ones are left out.
pub async fn businesses_of(
    client: &impl GenericClient,
    table: StateTable,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, BusinessId>, tokio_postgres::Error> {
    // Every sale is claimed, but not every one has a row of its state.
    let sql = match table {
        StateTable::Sale => "SELECT sale_id, business_id FROM sale_claim WHERE sale_id = ANY ($1)",
        StateTable::Transfer => {
            "SELECT transfer_id, business_id FROM transfer_state WHERE transfer_id = ANY ($1)"
        }
    };
    let rows = client.query_typed(sql, &[(&ids, Type::UUID_ARRAY)]).await?;
    let id_and_business = |row: &Row| (row.get(0), BusinessId::from_uuid(row.get(1)));
    Ok(rows.iter().map(id_and_business).collect())
}

fn state_row(row: &Row) -> StateRow {
    StateRow {
        id: row.get(0),
        business_id: BusinessId::from_uuid(row.get(1)),
        status: row.get(2),
        created_at: row.get(3),
        sequence: row.get(4),
        state: row.get(5),
    }
}
