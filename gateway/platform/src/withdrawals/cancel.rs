//! A company cancels its own withdrawal, as long as nobody has begun to pay it.

use ledger_domain::business::{BusinessCommand, RefuseTransfer};
use ledger_domain::calendar::Instant;
use serde_json::json;

use super::FoundTransfer;
use crate::audit::Change;
use crate::commands::{CommandFailure, CommandReceipt, CommandRequest, UserCommands};

/// The reason that both panels show.
pub const CANCELED_BY_COMPANY: &str = "Cancelado pelo vendedor";

/// The withdrawal is then refused, and its amount is available again. The ledger decides between this and the actions
/// of staff: the first one that is recorded counts.
pub async fn withdrawal_cancel(
    commands: UserCommands<'_>,
    found: &FoundTransfer,
    at: Instant,
) -> Result<CommandReceipt, CommandFailure> {
    let request = CommandRequest {
        operation: format!("cancel-transfer/{}", found.id),
        body: json!({}),
    };
    let command = BusinessCommand::RefuseTransfer(RefuseTransfer {
        transfer_id: found.id,
        reason: CANCELED_BY_COMPANY.to_owned(),
        occurred_at: at,
    });
    let receipt = commands.submit(found.business_id, &request, command).await?;
    let change = Change {
        action: "cancel",
        subject: "transfer",
        subject_id: &found.id.to_string(),
        before: Some(json!({ "status": found.ledger_state.status.slug() })),
        after: Some(json!({ "recorded": receipt.recorded() })),
    };
    commands.write_audit_log(&receipt, change).await;
    Ok(receipt)
}
