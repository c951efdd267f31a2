//! The receivables that are still to come, by day.

use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::Error;

/// What is still to be settled on each day that has open installments, the earliest first.
pub async fn coming_receivables(
    client: &impl GenericClient,
    business: BusinessId,
    limit: i64,
) -> Result<Vec<(Date, Cents)>, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date, sum(expected - settled - accelerated)::int8
               FROM receivables_schedule WHERE business_id = $1 AND open
              GROUP BY due_date ORDER BY due_date LIMIT $2",
            &[(&business.uuid(), Type::UUID), (&limit, Type::INT8)],
        )
        .await?;
    let day = |row: &Row| (row.get(0), Cents::new(row.get(1)));
    Ok(rows.iter().map(day).collect())
}
