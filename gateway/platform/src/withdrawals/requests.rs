//! The quote and the request of a withdrawal by a company's user.

use gateway_environment::clock::BusinessClock;
use ledger_domain::business::{BusinessCommand, BusinessEvent, RequestTransfer, TransferEvent};
use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, Cents, TransferId};
use ledger_store::log;
use projections::withdrawals::Transfer;
use serde_json::json;
use tokio_postgres::GenericClient;

use crate::commands::{CommandFailure, CommandReceipt, CommandRequest, UserCommands};
use crate::companies::{WithdrawalReferenceData, withdrawal_reference_data};
use crate::error::{PlatformError, Result};

/// The conditions of a withdrawal at this time.
pub struct WithdrawalQuote {
    pub available: Cents,
    pub reference_data: WithdrawalReferenceData,
}

/// `None` if the company does not exist.
pub async fn withdrawal_quote(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<WithdrawalQuote>> {
    // The ledger's balance: the form would refuse an amount that a late read model does not have yet.
    let head = log::head(client, company).await?;
    let reference_data = withdrawal_reference_data(client, company).await?;
    Ok(reference_data.map(|reference_data| WithdrawalQuote {
        available: head.map_or(Cents::ZERO, |head| head.accounts.available),
        reference_data,
    }))
}

pub struct WithdrawalRequest {
    pub amount: Cents,
    pub destination: DestinationKind,
    pub confirm_duplicate: bool,
    pub confirm_destination: bool,
}

impl WithdrawalRequest {
    /// Requests the withdrawal with the fee and the destination of this time. Returns it as it was requested: later
    /// changes and the lag of the read models have no influence.
    pub async fn submit(
        self,
        commands: UserCommands<'_>,
        company: BusinessId,
        clock: BusinessClock,
    ) -> Result<(CommandReceipt, Transfer), CommandFailure> {
        // The confirmations are not part of it, so that the client can add them and send the same key again.
        let request = CommandRequest {
            operation: "request-transfer".to_owned(),
            body: json!({ "amount": self.amount, "destination": self.destination }),
        };
        let client = commands.pool.get().await.map_err(PlatformError::from)?;
        let reference_data = withdrawal_reference_data(&**client, company)
            .await?
            .ok_or(CommandFailure::UnknownSubject)?;
        drop(client);
        let command = BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id: TransferId::from_uuid(commands.ids.new_uuid()),
            amount: self.amount,
            destination: self.destination,
            confirm_duplicate: self.confirm_duplicate,
            confirm_destination: self.confirm_destination,
            occurred_at: clock.now(),
            context: reference_data.context(self.destination),
        });
        let receipt = commands.submit(company, &request, command).await?;
        let requested = receipt.events.iter().find_map(|event| match event {
            BusinessEvent::Transfer(TransferEvent::TransferRequested(requested)) => Some(requested),
            _ => None,
        });
        let requested = requested.ok_or(CommandFailure::EventMissing)?;
        let by = commands.actor.user_id().map(|user| user.to_string());
        let transfer = Transfer::withdrawal_requested(company, requested, by);
        Ok((receipt, transfer))
    }
}
