//! Adds and renames terminals, and assigns them to companies.
//!
//! Triggers of the tables refuse wrong changes. The caller writes the audit log if a user acts.

use ledger_domain::{BusinessId, TerminalId};
use ledger_rows::{execute, params};
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

#[derive(Debug, Clone)]
pub struct NewTerminal {
    pub id: TerminalId,
    pub serial_number: String,
    pub name: Option<String>,
    pub created_at: Since,
}

/// False if the serial number is registered already. Waits for a transaction that registers it now.
pub async fn terminal_create(client: &impl GenericClient, terminal: &NewTerminal) -> Result<bool, Error> {
    let NewTerminal {
        id,
        serial_number,
        name,
        created_at,
    } = terminal;
    let sql = "INSERT INTO terminal (id, serial_number, name, created_at)
               VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))
               ON CONFLICT (serial_number) DO NOTHING";
    let created = execute(
        client,
        sql,
        params![id, serial_number, name, created_at.instant()],
    )
    .await?;
    Ok(created > 0)
}

/// Assigns a terminal to a company. `None` returns it to stock. `since` can be earlier than the latest row, if the
/// change waited for the terminal's row or the clocks of machines differ. Then the new row gets a time just after the
/// latest one. `Since::Past` is stored unchanged.
pub async fn terminal_set_owner(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: Option<BusinessId>,
    since: Since,
) -> Result<(), Error> {
    let sql = "INSERT INTO terminal_owner (terminal_id, business_id, valid_from)
               VALUES ($1, $2, coalesce($4, greatest(coalesce($3, transaction_timestamp()),
                       (SELECT max(valid_from) + interval '1 microsecond'
                          FROM terminal_owner WHERE terminal_id = $1))))";
    let (since, past) = (since.instant(), since.past_instant());
    execute(client, sql, params![terminal_id, business_id, since, past])
        .await
        .map(drop)
}

pub async fn terminal_rename(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    name: Option<&str>,
) -> Result<(), Error> {
    let sql = "UPDATE terminal SET name = $2 WHERE id = $1";
    execute(client, sql, params![terminal_id, name]).await.map(drop)
}
