//! Actions of staff on a transfer: approve, process, refuse, fail, reopen, a return by the bank, and the cancel of a
//! rental. An action becomes
//! a command; the ledger decides whether the transfer's state allows it.

use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::business::{
    Approvals, ApproveTransfer, BusinessCommand, CancelTerminalRental, FailTransfer, GiveTransferApproval,
    ProcessTransfer, Refusal, RefuseTransfer, ReopenTransfer, ReturnTransfer, Transfer as TransferState,
    TransferRefusal,
};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use ledger_store::log::{self, LogError};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};

use crate::audit::Change;
use crate::commands::{CommandFailure, CommandReceipt, CommandRequest, UserCommands};
use crate::error::PlatformError;
use crate::settings::records::settings_lock_for_decision;
use crate::settings::{PlatformSettings, platform_settings_at};

pub enum Action {
    Approve,
    Process,
    Refuse(String),
    Fail(String),
    Reopen,
}

/// A transfer and its state in the ledger.
pub struct FoundTransfer {
    pub id: TransferId,
    pub business_id: BusinessId,
    pub ledger_state: TransferState,
}

pub async fn transfer_find(
    client: &impl GenericClient,
    id: TransferId,
) -> Result<Option<FoundTransfer>, LogError> {
    let found = log::transfer_states(client, &[id]).await?.pop();
    Ok(found.map(|(_, found)| FoundTransfer {
        id,
        business_id: found.business_id,
        ledger_state: found.state,
    }))
}

/// How many approvals a withdrawal needs, and the time at which the rule was read.
#[derive(Debug, Clone, Copy)]
pub struct ApprovalRule {
    pub approvals: Approvals,
    pub at: Instant,
}

/// The rule at the time of the approval decides, whenever the withdrawal was requested. Waits for a change of the rule
/// that is not committed yet.
pub async fn approval_rule(
    client: &impl GenericClient,
    defaults: PlatformSettings,
    clock: BusinessClock,
    amount: Cents,
) -> Result<ApprovalRule, Error> {
    settings_lock_for_decision(client).await?;
    let at = clock.now();
    let settings = platform_settings_at(client, defaults, at).await?;
    Ok(ApprovalRule {
        approvals: settings.approvals(amount),
        at,
    })
}

/// An action that a member of staff requests.
pub struct StaffAction<'a> {
    pub commands: UserCommands<'a>,
    pub by: UserId,
    pub action: Action,
    pub rule: ApprovalRule,
    /// Whether a payout provider is configured.
    pub has_payouts: bool,
}

impl StaffAction<'_> {
    /// The first approver, if this is the second of two approvals. The caller checks that the two are two people, and
    /// then calls `submit`.
    ///
    /// If two approvals are needed and there is none yet, this action is recorded as the first, which leaves the
    /// withdrawal pending: its receipt is returned.
    pub async fn begin(&self, found: &FoundTransfer) -> Result<Begun, CommandFailure> {
        let needs_two = self.rule.approvals == Approvals::Two
            && self.action.pays()
            && found.ledger_state.status == TransferStatus::Pending;
        if !needs_two {
            return Ok(Begun::Submit);
        }
        let begun = self.give_first(found).await?;
        if let Begun::First(receipt) = &begun {
            self.audit(found, receipt).await;
        }
        Ok(begun)
    }

    pub async fn submit(&self, found: &FoundTransfer) -> Result<CommandReceipt, CommandFailure> {
        let sends_payout = self.has_payouts && is_payable(&found.ledger_state);
        let payout = sends_payout.then_some(self.commands.ids);
        let command = self.action.command(found.id, self.by, self.rule, payout);
        let request = self.action.request(found.id);
        let receipt = self.commands.submit(found.business_id, &request, command).await?;
        self.audit(found, &receipt).await;
        Ok(receipt)
    }

    async fn audit(&self, found: &FoundTransfer, receipt: &CommandReceipt) {
        let change = Change {
            action: self.action.name(),
            subject: "transfer",
            subject_id: &found.id.to_string(),
            before: Some(json!({ "status": found.ledger_state.status.slug() })),
            after: Some(json!({ "recorded": receipt.recorded(), "reason": self.action.reason() })),
        };
        self.commands.write_audit_log(receipt, change).await;
    }

    /// Records the approval as the first of two, if there is no approval yet.
    async fn give_first(&self, found: &FoundTransfer) -> Result<Begun, CommandFailure> {
        let request = self.action.request(found.id);
        let mut first = found.ledger_state.approved_by;
        if first.is_none() {
            let give = BusinessCommand::GiveTransferApproval(GiveTransferApproval {
                transfer_id: found.id,
                by: self.by,
                occurred_at: self.rule.at,
            });
            match self.commands.submit(found.business_id, &request, give).await {
                // Another request recorded the first approval in between. This one is then the second.
                Err(CommandFailure::Refused(Refusal::Transfer(TransferRefusal::ApprovalGiven))) => {
                    first = self.first_approver(found.id).await?;
                }
                given => return given.map(Begun::First),
            }
        }
        Ok(match first {
            Some(first) if first != self.by => Begun::Second { first },
            // The ledger refuses a second approval by the same user.
            Some(_) | None => Begun::Submit,
        })
    }

    async fn first_approver(&self, id: TransferId) -> Result<Option<UserId>, CommandFailure> {
        let client = self.commands.pool.get().await.map_err(PlatformError::from)?;
        let found = transfer_find(&**client, id).await.map_err(PlatformError::from)?;
        let found = found.ok_or(CommandFailure::UnknownSubject)?;
        Ok(found.ledger_state.approved_by)
    }
}

/// How an action goes on.
pub enum Begun {
    /// It is recorded as the first of two approvals, and is done.
    First(CommandReceipt),
    /// It is the second of two approvals.
    Second {
        first: UserId,
    },
    Submit,
}

impl Action {
    /// Whether the action says that the money may leave, or has left.
    const fn pays(&self) -> bool {
        matches!(self, Self::Approve | Self::Process)
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Process => "process",
            Self::Refuse(_) => "refuse",
            Self::Fail(_) => "fail",
            Self::Reopen => "reopen",
        }
    }

    fn reason(&self) -> Option<&str> {
        match self {
            Self::Refuse(reason) | Self::Fail(reason) => Some(reason),
            Self::Approve | Self::Process | Self::Reopen => None,
        }
    }

    fn request(&self, id: TransferId) -> CommandRequest {
        CommandRequest {
            operation: format!("{}-transfer/{id}", self.name()),
            body: json!({ "reason": self.reason() }),
        }
    }

    /// `payout` gives the id of the payout that an approval sends, if it sends one.
    fn command(
        &self,
        transfer_id: TransferId,
        by: UserId,
        rule: ApprovalRule,
        payout: Option<&Ids>,
    ) -> BusinessCommand {
        let ApprovalRule {
            approvals,
            at: occurred_at,
        } = rule;
        let process = |payout_id| {
            BusinessCommand::ProcessTransfer(ProcessTransfer {
                transfer_id,
                payout_id,
                by,
                approvals,
                occurred_at,
            })
        };
        match (self, payout) {
            (Self::Approve, Some(ids)) => process(Some(PayoutId::from_uuid(ids.new_uuid()))),
            (Self::Approve, None) => BusinessCommand::ApproveTransfer(ApproveTransfer {
                transfer_id,
                by,
                approvals,
                occurred_at,
            }),
            (Self::Process, _) => process(None),
            (Self::Refuse(reason), _) => BusinessCommand::RefuseTransfer(RefuseTransfer {
                transfer_id,
                reason: reason.clone(),
                occurred_at,
            }),
            (Self::Fail(reason), _) => BusinessCommand::FailTransfer(FailTransfer {
                transfer_id,
                reason: reason.clone(),
                occurred_at,
            }),
            (Self::Reopen, _) => BusinessCommand::ReopenTransfer(ReopenTransfer {
                transfer_id,
                occurred_at,
            }),
        }
    }
}

/// Whether an approval can send a payout. If staff are already paying manually, the approval says that they have paid.
/// If the fee is the whole amount, there is nothing to send.
fn is_payable(transfer: &TransferState) -> bool {
    transfer.status != TransferStatus::Processing && transfer.amount > transfer.fee
}

/// Cancels a terminal rental: its amount returns to the available balance.
pub async fn rental_cancel(
    commands: UserCommands<'_>,
    found: &FoundTransfer,
    reason: Option<String>,
    at: Instant,
) -> Result<CommandReceipt, CommandFailure> {
    let request = CommandRequest {
        operation: format!("cancel-terminal-rental/{}", found.id),
        body: json!({ "reason": reason }),
    };
    let command = BusinessCommand::CancelTerminalRental(CancelTerminalRental {
        transfer_id: found.id,
        reason,
        occurred_at: at,
    });
    let receipt = commands.submit(found.business_id, &request, command).await?;
    let asked: Value = request.body;
    let change = Change {
        action: "cancel-terminal-rental",
        subject: "transfer",
        subject_id: &found.id.to_string(),
        before: Some(json!({ "status": found.ledger_state.status.slug() })),
        after: Some(json!({ "recorded": receipt.recorded(), "asked": asked })),
    };
    commands.write_audit_log(&receipt, change).await;
    Ok(receipt)
}

/// Records that a bank returned what it had paid.
pub async fn transfer_return(
    commands: UserCommands<'_>,
    found: &FoundTransfer,
    returned: ReturnTransfer,
) -> Result<CommandReceipt, CommandFailure> {
    let request = CommandRequest {
        operation: format!("return-transfer/{}", found.id),
        body: json!({ "reason": returned.reason }),
    };
    let command = BusinessCommand::ReturnTransfer(returned);
    let receipt = commands.submit(found.business_id, &request, command).await?;
    let asked: Value = request.body;
    let change = Change {
        action: "return-transfer",
        subject: "transfer",
        subject_id: &found.id.to_string(),
        before: Some(json!({ "status": found.ledger_state.status.slug() })),
        after: Some(json!({ "recorded": receipt.recorded(), "asked": asked })),
    };
    commands.write_audit_log(&receipt, change).await;
    Ok(receipt)
}
