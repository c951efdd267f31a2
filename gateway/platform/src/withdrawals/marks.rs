//! Who requested and changed a transfer, and whether its bank account was changed just before.

use std::collections::HashMap;

use ledger_domain::TransferId;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{Destination, TransferKind};
use ledger_store::Actor;
use projections::withdrawals::Transfer;
use tokio_postgres::{Error, GenericClient};

use crate::companies::destination_marks;

const UNKNOWN: Actor = Actor::Other {
    actor: None,
    audience: None,
};

/// When the bank account was changed, for withdrawals that the change marks (setting `marked_destination_days`).
pub async fn changed_destinations(
    client: &impl GenericClient,
    transfers: &[Transfer],
) -> Result<HashMap<TransferId, Instant>, Error> {
    let to_account = |transfer: &&Transfer| matches!(transfer.destination, Some(Destination::BankAccount(_)));
    let transfers: Vec<&Transfer> = transfers.iter().filter(to_account).collect();
    let requests: Vec<_> = transfers
        .iter()
        .map(|transfer| (transfer.business_id, transfer.requested_at))
        .collect();
    let changed = destination_marks(client, &requests).await?;
    let marked = transfers.into_iter().zip(changed);
    Ok(marked
        .filter_map(|(transfer, at)| Some((transfer.transfer_id, at?)))
        .collect())
}

/// The user who requested it. `None` if a job or the demo made the transfer.
pub fn requested_by(transfer: &Transfer) -> Option<UserId> {
    transfer.requested_by.as_deref()?.parse().ok()
}

/// Only users of the company request withdrawals. Staff and jobs make the other transfers.
pub fn author_of_request(transfer: &Transfer) -> Actor {
    match (requested_by(transfer), transfer.kind) {
        (Some(user), TransferKind::Withdrawal) => Actor::Seller(user),
        (Some(user), TransferKind::Adjustment | TransferKind::TerminalRental) => Actor::Admin(user),
        (None, _) => transfer
            .requested_by
            .clone()
            .map_or(UNKNOWN, Actor::from_stored_name),
    }
}

/// The user who made the last change. `None` if a job, a bank or the demo made it.
pub fn changed_by(transfer: &Transfer) -> Option<UserId> {
    transfer.updated_by.as_deref()?.parse().ok()
}

/// Staff, or a user of the company, who canceled it.
pub fn author_of_change(transfer: &Transfer, is_of_company: impl Fn(UserId) -> bool) -> Option<Actor> {
    let actor = transfer.updated_by.clone()?;
    Some(match changed_by(transfer) {
        Some(user) if is_of_company(user) => Actor::Seller(user),
        Some(user) => Actor::Admin(user),
        None => Actor::from_stored_name(actor),
    })
}
