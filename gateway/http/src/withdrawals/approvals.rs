//! The approvals of a withdrawal: how many the rule in force asks for, and the first of two.

use gateway_identity::users::StaffCaller;
use gateway_platform::settings::records::settings_lock_for_decision;
use ledger_domain::Cents;
use ledger_domain::business::{Approvals, BusinessCommand, GiveTransferApproval, Refusal, TransferRefusal};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;

use super::actions::{FoundTransfer, find_transfer};
use crate::AppState;
use crate::problem::Result;
use crate::shared::command::{CommandContext, CommandFailure, CommandReceipt, CommandRequest};
use crate::shared::two_people::check_two_people;

/// The approvals that the rule in force asks for, and the time at which it was read. The rule at the time of the
/// approval decides, whenever the withdrawal was requested. Waits for a change of the rule that is not committed yet.
pub(crate) async fn approvals_needed(
    state: &AppState,
    caller: StaffCaller,
    amount: Cents,
) -> Result<(Approvals, Instant)> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    settings_lock_for_decision(&*tx).await?;
    let now = state.clock.now();
    let settings = state.settings_at(&*tx, now).await?;
    tx.commit().await?;
    Ok((settings.approvals(amount), now))
}

/// Records the approval as the first of two, if there is no approval yet. If there is one, checks that its user and
/// this one are two people, and returns `None`: the caller then submits the second approval.
pub(crate) async fn first_of_two(
    command_context: &CommandContext<'_>,
    found: &FoundTransfer,
    request: &CommandRequest,
    (staff, now): (UserId, Instant),
) -> Result<Option<CommandReceipt>, CommandFailure> {
    let mut first = found.ledger_state.approved_by;
    if first.is_none() {
        let give = BusinessCommand::GiveTransferApproval(GiveTransferApproval {
            transfer_id: found.id,
            by: staff,
            occurred_at: now,
        });
        match command_context.submit(found.business_id, request, give).await {
            // Another request recorded the first approval in between. This one is then the second.
            Err(CommandFailure::Refused(Refusal::Transfer(TransferRefusal::ApprovalGiven))) => {
                let found = find_transfer(command_context.state, found.id).await;
                first = found.map_err(CommandFailure::Failed)?.ledger_state.approved_by;
            }
            given => return given.map(Some),
        }
    }
    match first {
        // The ledger refuses a second approval by the same user.
        Some(first) if first != staff => check_second_user(command_context.state, staff, first)
            .await
            .map_err(CommandFailure::Failed)?,
        Some(_) | None => {}
    }
    Ok(None)
}

async fn check_second_user(state: &AppState, staff: UserId, first: UserId) -> Result<()> {
    check_two_people(&*state.db().await?, staff, first).await
}
