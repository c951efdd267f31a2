//! The holidays that staff maintain. Banks settle nothing on them.

use std::collections::HashMap;

use ledger_domain::calendar::Date;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// The names of holidays that staff have added and not removed.
pub async fn holiday_names(
    client: &impl GenericClient,
    dates: &[Date],
) -> Result<HashMap<Date, String>, Error> {
    let rows = client
        .query_typed(
            "SELECT date, name FROM holiday WHERE date = ANY ($1)",
            &[(&dates, Type::DATE_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

pub async fn holiday_add(client: &impl GenericClient, date: Date, name: &str) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO holiday (date, name) VALUES ($1, $2)",
            &[&date, &name],
        )
        .await
        .map(drop)
}
