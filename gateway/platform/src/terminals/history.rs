//! The history of a terminal: its companies and its billing, each with the period in which it was in force.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::billing::Billing;
use crate::companies::NamedCompany;

/// A terminal moves between companies a few times in its life.
const PERIODS_MAX: i64 = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerPeriod {
    /// `None`: in stock.
    pub company: Option<NamedCompany>,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingPeriod {
    pub billing: Billing,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

/// Latest first.
pub async fn terminal_owners(
    client: &impl GenericClient,
    terminal_id: TerminalId,
) -> Result<Vec<OwnerPeriod>, Error> {
    let rows = client
        .query_typed(
            "SELECT b.id, b.name, b.document, o.valid_from,
                    lag(o.valid_from) OVER (ORDER BY o.valid_from DESC)
               FROM terminal_owner o LEFT JOIN business b ON b.id = o.business_id
              WHERE o.terminal_id = $1
              ORDER BY o.valid_from DESC LIMIT $2",
            &[(&terminal_id.uuid(), Type::UUID), (&PERIODS_MAX, Type::INT8)],
        )
        .await?;
    let period = rows.iter().map(|row| OwnerPeriod {
        company: row.get::<_, Option<uuid::Uuid>>(0).map(|id| NamedCompany {
            id: BusinessId::from_uuid(id),
            name: row.get(1),
            document: row.get(2),
        }),
        since: row.get(3),
        until: row.get(4),
    });
    Ok(period.collect())
}

/// Latest first.
pub async fn terminal_billings(
    client: &impl GenericClient,
    terminal_id: TerminalId,
) -> Result<Vec<BillingPeriod>, Error> {
    let rows = client
        .query_typed(
            "SELECT billing_type, acquisition, rental_cents, valid_from,
                    lag(valid_from) OVER (ORDER BY valid_from DESC)
               FROM terminal_billing WHERE terminal_id = $1
              ORDER BY valid_from DESC LIMIT $2",
            &[(&terminal_id.uuid(), Type::UUID), (&PERIODS_MAX, Type::INT8)],
        )
        .await?;
    let period = rows.iter().map(|row| BillingPeriod {
        billing: Billing::of_columns(row.get(0), row.get(1), row.get(2)),
        since: row.get(3),
        until: row.get(4),
    });
    Ok(period.collect())
}

/// Whether the company ever had the terminal.
pub async fn terminal_ever_of(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: BusinessId,
) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM terminal_owner WHERE business_id = $2 AND terminal_id = $1 LIMIT 1",
            &[
                (&terminal_id.uuid(), Type::UUID),
                (&business_id.uuid(), Type::UUID),
            ],
        )
        .await?;
    Ok(row.is_some())
}
