//! Sends statements and reads their rows. The statements are not prepared: their parameters have types, so that a
//! statement is one round trip.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};

use crate::column::{Column, get};
use crate::parameter::Parameters;
use crate::row::{FromRow, Record};

/// All rows.
pub async fn fetch<T: FromRow>(
    client: &impl GenericClient,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<T>, Error> {
    let rows = client.query_typed(sql, &typed(&parameters)).await?;
    rows.iter().map(T::from_row).collect()
}

/// The row, if there is one. More than one is an error.
pub async fn fetch_opt<T: FromRow>(
    client: &impl GenericClient,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Option<T>, Error> {
    let row = client.query_typed_opt(sql, &typed(&parameters)).await?;
    row.as_ref().map(T::from_row).transpose()
}

/// The only row.
pub async fn fetch_one<T: FromRow>(
    client: &impl GenericClient,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<T, Error> {
    T::from_row(&client.query_typed_one(sql, &typed(&parameters)).await?)
}

/// The first column of the only row.
pub async fn value<Kind, T: Column<Kind>>(
    client: &impl GenericClient,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<T, Error> {
    get(&client.query_typed_one(sql, &typed(&parameters)).await?, 0)
}

/// Runs a statement without result, and returns how many rows it changed.
pub async fn execute(
    client: &impl GenericClient,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<u64, Error> {
    client.execute_typed(sql, &typed(&parameters)).await
}

/// Stores a new row.
pub async fn insert<T: Record>(client: &impl GenericClient, record: &T) -> Result<(), Error> {
    let places: Vec<_> = (1..=T::NAMES.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "INSERT INTO {} ({}) VALUES ({})",
        T::TABLE,
        T::NAMES.join(", "),
        places.join(", ")
    );
    execute(client, &sql, record.parameters()).await.map(drop)
}

fn typed<'a>(parameters: &'a Parameters<'_>) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    let typed = parameters.iter().map(|(value, kind)| {
        let value: &(dyn ToSql + Sync) = &**value;
        (value, kind.clone())
    });
    typed.collect()
}
