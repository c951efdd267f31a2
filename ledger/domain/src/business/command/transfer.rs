//! What may be asked of a business about money that leaves its balance, and what a bank tells of a payout.

use crate::calendar::Instant;
use crate::transfer::{Destination, DestinationKind, Direction};
use crate::{Cents, PayoutId, TransferId, UserId};

#[derive(Debug, Clone)]
pub struct RequestTransfer {
    pub transfer_id: TransferId,
    pub amount: Cents,
    pub destination: DestinationKind,
    /// The person was asked, and does want the same again.
    pub confirm_duplicate: bool,
    pub occurred_at: Instant,
    pub context: WithdrawalContext,
}

/// What the back office knows of a business that withdraws.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WithdrawalContext {
    /// The flat rate of the receiving plan; `None` where the business has no such plan.
    pub fee: Option<Cents>,
    /// The default bank account or the PIX key, whichever is asked for, as it stands now.
    pub destination: Option<Destination>,
}

/// The first of two yeses. The second is `ApproveTransfer` or `ProcessTransfer` itself.
#[derive(Debug, Clone)]
pub struct GiveTransferApproval {
    pub transfer_id: TransferId,
    pub by: UserId,
    pub occurred_at: Instant,
}

/// Start to pay: by hand, or by a payout that is sent once this is recorded.
#[derive(Debug, Clone)]
pub struct ProcessTransfer {
    pub transfer_id: TransferId,
    pub payout_id: Option<PayoutId>,
    pub by: UserId,
    pub approvals: Approvals,
    pub occurred_at: Instant,
}

/// It was paid by hand.
#[derive(Debug, Clone)]
pub struct ApproveTransfer {
    pub transfer_id: TransferId,
    pub by: UserId,
    pub approvals: Approvals,
    pub occurred_at: Instant,
}

/// How many people must say yes before money leaves, as the settings have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Approvals {
    One,
    Two,
}

#[derive(Debug, Clone)]
pub struct RefuseTransfer {
    pub transfer_id: TransferId,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Paying by hand did not succeed.
#[derive(Debug, Clone)]
pub struct FailTransfer {
    pub transfer_id: TransferId,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Back to pending.
#[derive(Debug, Clone)]
pub struct ReopenTransfer {
    pub transfer_id: TransferId,
    pub occurred_at: Instant,
}

/// Told by the bank: the money left.
#[derive(Debug, Clone)]
pub struct PayoutPaid {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub occurred_at: Instant,
}

/// Told by the bank: the money stayed.
#[derive(Debug, Clone)]
pub struct PayoutFailed {
    pub transfer_id: TransferId,
    pub payout_id: PayoutId,
    pub reason: Option<String>,
    pub occurred_at: Instant,
}

#[derive(Debug, Clone)]
pub struct MakeManualTransfer {
    pub transfer_id: TransferId,
    pub direction: Direction,
    pub amount: Cents,
    pub description: String,
    /// Take it even where the balance goes below zero.
    pub allow_negative: bool,
    pub occurred_at: Instant,
}

/// Block part of the balance.
#[derive(Debug, Clone)]
pub struct HoldAmount {
    pub amount: Cents,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Free what staff blocked; never what a dispute does.
#[derive(Debug, Clone)]
pub struct ReleaseAmount {
    pub amount: Cents,
    pub reason: String,
    pub occurred_at: Instant,
}
