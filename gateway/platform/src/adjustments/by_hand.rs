//! What staff move by hand: credits and removals.

use ledger_domain::business::{BusinessCommand, BusinessEvent, MakeManualTransfer, TransferEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents, TransferId};
use projections::withdrawals::Transfer;
use serde_json::json;

use super::limits::Counted;
use super::{Adjustment, AdjustmentKind};
use crate::audit::Change;
use crate::commands::{CommandFailure, CommandReceipt, CommandRequest, UserCommands};

/// A credit or a removal.
pub struct ManualTransfer {
    pub business_id: BusinessId,
    pub amount: Cents,
    pub direction: Direction,
    pub description: String,
    pub allow_negative: bool,
}

impl ManualTransfer {
    /// What the limit of one person counts.
    pub fn adjustment(&self) -> Adjustment {
        Adjustment {
            kind: match self.direction {
                Direction::In => AdjustmentKind::Credit,
                Direction::Out => AdjustmentKind::Removal,
            },
            business_id: self.business_id,
            amount: self.amount,
            reason: self.description.clone(),
            allow_negative: self.direction == Direction::Out && self.allow_negative,
            plans: None,
            hold: None,
        }
    }

    pub fn request(&self) -> CommandRequest {
        CommandRequest {
            operation: "make-manual-transfer".to_owned(),
            body: json!({
                "amount": self.amount, "direction": self.direction,
                "description": self.description, "allow_negative": self.allow_negative,
            }),
        }
    }

    /// Makes the transfer of one person alone, and returns it as it was made.
    pub async fn make(
        self,
        commands: UserCommands<'_>,
        counted: Counted,
        at: Instant,
    ) -> Result<(CommandReceipt, Transfer), CommandFailure> {
        let (company, request) = (self.business_id, self.request());
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(commands.ids.new_uuid()),
            direction: self.direction,
            amount: self.amount,
            description: self.description,
            allow_negative: self.allow_negative,
            occurred_at: at,
        });
        let outcome = commands.submit(company, &request, command).await;
        counted.after(commands.pool, &outcome).await?;
        let receipt = outcome?;
        let made = receipt.events.iter().find_map(|event| match event {
            BusinessEvent::Transfer(TransferEvent::ManualTransferMade(made)) => Some(made),
            _ => None,
        });
        let made = made.ok_or(CommandFailure::EventMissing)?;
        let by = commands.actor.user_id().map(|user| user.to_string());
        let transfer = Transfer::manual_transfer_made(company, made, by);
        let change = Change {
            action: "make-manual-transfer",
            subject: "transfer",
            subject_id: &made.transfer_id.to_string(),
            before: None,
            after: Some(json!({ "business_id": company, "made": request.body })),
        };
        commands.write_audit_log(&receipt, change).await;
        Ok((receipt, transfer))
    }
}
