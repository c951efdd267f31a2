//! What happened to a captured sale whose money was claimed back: cancelled, disputed, won, charged back.
//!
//! Each lists the instalments that it brings forward and says where the money was, so that what it posts, and what it
//! does to the agenda, is read from it alone.

use serde::{Deserialize, Serialize};

use crate::business::accounts::{Account, Move};
use crate::calendar::{Date, Instant};
use crate::sale::{Cancellation, DisputeId, Initiator};
use crate::{Cents, SaleId};

/// An instalment that is paid to the seller before its due date, because the whole sale is taken from the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroughtForward {
    pub number: u8,
    pub net: Cents,
    /// When it would have been paid.
    pub due_date: Date,
}

/// The buyer has the money back, or will have; the seller bears the net, and the platform gives its fees back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCanceled {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub outcome: Cancellation,
    /// Where it is the platform, the acquirer is still to be asked for the refund.
    pub initiator: Initiator,
    pub amount: Cents,
    pub fees: Cents,
    pub net: Cents,
    /// The open dispute that had blocked the money, and ends with this.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blocked_by: Option<DisputeId>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub brought_forward: Vec<BroughtForward>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The buyer contests the sale: its gross is blocked until somebody decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleDisputed {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub initiator: Initiator,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub brought_forward: Vec<BroughtForward>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The acquirer knows of a dispute that a person had opened, and gave it the id by which it will tell of its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeConfirmed {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    /// Ours, until then.
    pub opened_as: DisputeId,
}

/// The sale stands: what was blocked is the seller's again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeWon {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub amount: Cents,
}

/// The buyer has the gross back, and the platform keeps its fees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleChargedBack {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub amount: Cents,
    /// The open dispute that had blocked the money; none where the loss was the first that was heard of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blocked_by: Option<DisputeId>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub brought_forward: Vec<BroughtForward>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl BroughtForward {
    pub fn total(brought_forward: &[Self]) -> Cents {
        brought_forward
            .iter()
            .fold(Cents::ZERO, |total, instalment| total.plus(instalment.net))
    }

    fn moved(brought_forward: &[Self]) -> Move {
        let outstanding = Self::total(brought_forward);
        Move::new(Account::Receivable, Account::Available, outstanding)
    }
}

impl SaleCanceled {
    /// Out of a dispute the gross goes back whole, and the fee, which the seller had advanced with it, is his again.
    pub(in crate::business) fn moves(&self) -> Vec<Move> {
        use Account::{Available, Clearing, InDispute, PlatformFees};
        let forward = BroughtForward::moved(&self.brought_forward);
        match self.blocked_by {
            None => vec![
                forward,
                Move::new(Available, Clearing, self.net),
                Move::new(PlatformFees, Clearing, self.fees),
            ],
            Some(_) => vec![
                forward,
                Move::new(InDispute, Clearing, self.amount),
                Move::new(PlatformFees, Available, self.fees),
            ],
        }
    }
}

impl SaleDisputed {
    pub(in crate::business) fn moves(&self) -> Vec<Move> {
        vec![
            BroughtForward::moved(&self.brought_forward),
            Move::new(Account::Available, Account::InDispute, self.amount),
        ]
    }
}

impl SaleChargedBack {
    pub(in crate::business) fn moves(&self) -> Vec<Move> {
        let bearer = match self.blocked_by {
            None => Account::Available,
            Some(_) => Account::InDispute,
        };
        vec![
            BroughtForward::moved(&self.brought_forward),
            Move::new(bearer, Account::Clearing, self.amount),
        ]
    }
}
