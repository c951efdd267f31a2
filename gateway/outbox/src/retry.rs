//! Ends the pauses of rows: those that wait for a provider, and those that staff want tried now. The next claim takes
//! them like all other due rows: what may have been sent is looked up first.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::table::Table;

/// A parameter of a condition, with its type.
pub type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// How a row waited when staff wanted it tried now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    pub status: String,
    pub tries: i32,
    /// As text: the engine has no calendar.
    pub next_try_at: Option<String>,
    pub last_error: Option<String>,
}

/// What became of a row that staff want tried now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retry {
    NoSuchRow,
    /// It is due now, and waited before.
    Due(Wait),
    /// It was due before.
    WasDue,
    /// A process attempts it, or died during the attempt: the row is due again when the lease ends.
    InHand,
    /// It is unreadable, and waits in the exceptions queue.
    Parked,
    Ended,
}

/// Makes one row due, in the caller's transaction.
pub async fn retry_one(client: &impl GenericClient, table: &Table, id: Uuid) -> Result<Retry, Error> {
    let parameters = [(&id as _, Type::UUID)];
    let Some(row) = client.query_typed_opt(&table.wait_sql(), &parameters).await? else {
        return Ok(Retry::NoSuchRow);
    };
    let is = |column| row.get::<_, Option<bool>>(column).unwrap_or(false);
    if !is("is_open") {
        return Ok(Retry::Ended);
    }
    if is("is_parked") {
        return Ok(Retry::Parked);
    }
    if is("is_due") {
        return Ok(Retry::WasDue);
    }
    if !is("waits") {
        return Ok(Retry::InHand);
    }
    let of_id = format!("{} = $1", table.id);
    make_due(client, table, &of_id, &parameters, 1).await?;
    Ok(Retry::Due(wait(&row)))
}

fn wait(row: &Row) -> Wait {
    Wait {
        status: row.get("status"),
        tries: row.get("tries"),
        next_try_at: row.get("next_try_at"),
        last_error: row.get("last_error"),
    }
}

/// Makes all rows due whose last try failed and that meet the condition, with its parameters. Rows that wait without a
/// fault have been accepted and wait for a decision, such as a boleto's for its buyer. Returns how many became due.
pub async fn retry_all(
    client: &impl GenericClient,
    table: &Table,
    condition: &str,
    parameters: &[Parameter<'_>],
) -> Result<u64, Error> {
    let condition = format!("last_error IS NOT NULL AND ({condition})");
    make_due(client, table, &condition, parameters, i64::MAX).await
}

/// The providers for which rows wait.
pub async fn awaited(client: &impl GenericClient, table: &Table) -> Result<Vec<String>, Error> {
    let rows = client.query_typed(&table.awaited_sql(), &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Makes at most `most` of the rows due that wait for this provider.
pub async fn make_due_awaiting(
    client: &impl GenericClient,
    table: &Table,
    provider: &str,
    most: i64,
) -> Result<u64, Error> {
    make_due(client, table, "awaits = $1", &[(&provider, Type::TEXT)], most).await
}

async fn make_due(
    client: &impl GenericClient,
    table: &Table,
    condition: &str,
    parameters: &[Parameter<'_>],
    most: i64,
) -> Result<u64, Error> {
    let mut all = parameters.to_vec();
    all.push((&most, Type::INT8));
    client
        .execute_typed(&table.make_due_sql(condition, all.len()), &all)
        .await
}
