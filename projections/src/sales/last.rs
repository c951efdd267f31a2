//! The latest captured sale of each of some terminals.

use std::collections::HashMap;

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, SaleId, TerminalId};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::Error;
use crate::each_shard::rows_of_each_shard;

/// A terminal, its company, and the instant since which the company has it. A sale that was created before that instant
/// belongs to the previous company, even if it was captured later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSince {
    pub terminal_id: TerminalId,
    pub business_id: BusinessId,
    pub since: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastSale {
    pub sale_id: SaleId,
    pub amount: Cents,
    pub occurred_at: Instant,
}

/// The latest captured sale of each terminal since its company has it: a declined card is no sale to its seller. A
/// terminal without a captured sale has no entry.
pub async fn last_sales(
    client: &impl GenericClient,
    terminals: &[TerminalSince],
) -> Result<HashMap<TerminalId, LastSale>, Error> {
    let ids: Vec<_> = terminals
        .iter()
        .map(|terminal| terminal.terminal_id.uuid())
        .collect();
    let businesses: Vec<_> = terminals
        .iter()
        .map(|terminal| terminal.business_id.uuid())
        .collect();
    let since: Vec<_> = terminals.iter().map(|terminal| terminal.since).collect();
    let rows = client
        .query_typed(
            &rows_of_each_shard(
                "SELECT wanted.id, last.sale_id, last.amount, last.occurred_at
                   FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) AS wanted (id, since, business_id)
                  CROSS JOIN LATERAL (SELECT sale_id, amount, occurred_at FROM sale
                                       WHERE terminal_id = wanted.id AND occurred_at >= wanted.since
                                         AND created_at >= wanted.since
                                         AND business_id = wanted.business_id AND captured_at IS NOT NULL
                                       ORDER BY occurred_at DESC, sale_id DESC LIMIT 1) AS last",
            ),
            &[
                (&ids, Type::UUID_ARRAY),
                (&since, Type::TIMESTAMPTZ_ARRAY),
                (&businesses, Type::UUID_ARRAY),
            ],
        )
        .await?;
    let found = rows.iter().map(|row| {
        let sale = LastSale {
            sale_id: SaleId::from_uuid(row.get(1)),
            amount: Cents::new(row.get(2)),
            occurred_at: row.get(3),
        };
        (TerminalId::from_uuid(row.get(0)), sale)
    });
    Ok(found.collect())
}
