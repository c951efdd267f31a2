//! Adds terminals and assigns them to companies.
//!
//! The tables have the guards (migration 0003). Each function is one statement in its caller's transaction. The caller
//! also writes the audit log if a user acts.

use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

#[derive(Debug, Clone)]
pub struct NewTerminal {
    pub id: TerminalId,
    pub serial_number: String,
    pub name: Option<String>,
}

pub async fn terminal_create(client: &impl GenericClient, terminal: &NewTerminal) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO terminal (id, serial_number, name) VALUES ($1, $2, $3)",
            &[&terminal.id.uuid(), &terminal.serial_number, &terminal.name],
        )
        .await
        .map(drop)
}

/// Assigns a terminal to a company. `None` returns it to stock.
pub async fn terminal_assign(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: Option<BusinessId>,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO terminal_owner (terminal_id, business_id, valid_from)
             VALUES ($1, $2, coalesce($3, transaction_timestamp()))",
            &[
                &terminal_id.uuid(),
                &business_id.map(BusinessId::uuid),
                &since.instant(),
            ],
        )
        .await
        .map(drop)
}
