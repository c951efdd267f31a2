//! The sales that are held until their company is approved, for the job that ends the holds.
//!
//! The result is only a suggestion and may be out of date: the ledger ends each hold by the sale's own state.

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::each_shard::rows_of_each_shard;

/// The companies that have such sales.
pub async fn businesses_awaiting_approval(client: &impl GenericClient) -> Result<Vec<BusinessId>, Error> {
    let rows = client
        .query_typed(
            &rows_of_each_shard("SELECT DISTINCT business_id FROM sale WHERE awaits_approval"),
            &[],
        )
        .await?;
    Ok(rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect())
}

/// At most `limit` of a company's sales that await approval, in the order of their ids, after the id `after`.
pub async fn sales_awaiting_approval(
    client: &impl GenericClient,
    business: BusinessId,
    after: Option<SaleId>,
    limit: i64,
) -> Result<Vec<SaleId>, Error> {
    let rows = client
        .query_typed(
            "SELECT sale_id FROM sale
              WHERE business_id = $1 AND awaits_approval AND ($2::uuid IS NULL OR sale_id > $2)
              ORDER BY sale_id LIMIT $3",
            &[
                (&business.uuid(), Type::UUID),
                (&after.map(SaleId::uuid), Type::UUID),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| SaleId::from_uuid(row.get(0))).collect())
}
