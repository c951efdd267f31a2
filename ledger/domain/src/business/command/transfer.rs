//! Commands about transfers: withdrawals, manual transfers, holds, and payout results that a bank reports.

use serde::{Deserialize, Serialize};

use super::CompanyStatus;
use crate::calendar::Instant;
use crate::transfer::{Destination, DestinationKind, Direction, PayoutNames};
use crate::{Cents, PayoutId, TransferId, UserId};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RequestTransfer {
    pub transfer_id: TransferId,
    pub amount: Cents,
    pub destination: DestinationKind,
    /// The user confirmed that the same withdrawal is wanted again.
    pub confirm_duplicate: bool,
    /// The user confirmed the destination from which a bank returned an earlier withdrawal.
    pub confirm_destination: bool,
    pub occurred_at: Instant,
    pub context: WithdrawalContext,
}

/// The reference data that a withdrawal needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithdrawalContext {
    /// Only an approved company withdraws.
    pub company_status: CompanyStatus,
    /// The flat rate of the receiving plan; `None` if the business has no such plan.
    pub fee: Option<Cents>,
    /// The current default bank account or PIX key, according to the requested kind.
    pub destination: Option<Destination>,
}

/// The first of two approvals. The second is `ApproveTransfer` or `ProcessTransfer`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GiveTransferApproval {
    pub transfer_id: TransferId,
    pub by: UserId,
    pub occurred_at: Instant,
}

/// Starts the payment: manually, or by a payout that is sent once this is recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProcessTransfer {
    pub transfer_id: TransferId,
    pub payout_id: Option<PayoutId>,
    pub by: UserId,
    pub approvals: Approvals,
    pub occurred_at: Instant,
}

/// Marks the transfer as paid manually.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApproveTransfer {
    pub transfer_id: TransferId,
    pub by: UserId,
    pub approvals: Approvals,
    pub occurred_at: Instant,
}

/// How many users must approve a withdrawal (a platform setting).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Approvals {
    One,
    Two,
}

impl Approvals {
    /// The number of users.
    pub const fn users(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefuseTransfer {
    pub transfer_id: TransferId,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Marks a manual payment as failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailTransfer {
    pub transfer_id: TransferId,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Sets the transfer back to pending.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReopenTransfer {
    pub transfer_id: TransferId,
    pub occurred_at: Instant,
}

/// Reported by the bank: the payout was paid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PayoutPaid {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub names: PayoutNames,
    pub occurred_at: Instant,
}

/// Reported by the bank: the payout failed. If it was paid before, the money came back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PayoutFailed {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub reason: Option<String>,
    pub occurred_at: Instant,
    pub fee: ReturnedFee,
}

/// Reported by the bank: the payout was paid, and the money came back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PayoutReturned {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub reason: Option<String>,
    pub names: PayoutNames,
    pub occurred_at: Instant,
    pub fee: ReturnedFee,
}

/// Staff saw that the bank gave back what it had paid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReturnTransfer {
    pub transfer_id: TransferId,
    pub reason: String,
    pub occurred_at: Instant,
    pub fee: ReturnedFee,
}

/// What becomes of a withdrawal's fee if the bank returns the withdrawal (a platform setting).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReturnedFee {
    Kept,
    GivenBack,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MakeManualTransfer {
    pub transfer_id: TransferId,
    pub direction: Direction,
    pub amount: Cents,
    pub description: String,
    /// Allows the balance to go below zero.
    pub allow_negative: bool,
    pub occurred_at: Instant,
}

/// Gives up a part of what a company owes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WriteOffDebt {
    pub amount: Cents,
    pub reason: String,
    pub occurred_at: Instant,
}
