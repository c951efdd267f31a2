//! Events of cancels, disputes and chargebacks of captured sales.
//!
//! An event that takes a sale's money lists the installments that it accelerates. `blocked_by` names the open dispute
//! that blocked the money, if there was one. No event needs another one for its postings or its effect on the schedule.

use serde::{Deserialize, Serialize};

use crate::business::accounts::{Account, Posting};
use crate::calendar::{Date, Instant};
use crate::sale::{Cancellation, DisputeId, Initiator, PaymentNames, RefundReference};
use crate::{Cents, SaleId};

/// An open installment that becomes available at once, because the whole sale is taken from the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceleratedReceivable {
    pub number: u8,
    pub net: Cents,
    /// The original due date.
    pub due_date: Date,
}

/// What a part of a sale takes from an open installment. The rest of the installment settles on its due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsumedReceivable {
    pub number: u8,
    /// The net that was taken.
    pub net: Cents,
    /// The net that is still open; zero if the installment ends with this event.
    pub left: Cents,
    pub due_date: Date,
}

/// The buyer gets back what is left of the sale. The seller pays the net, and the platform returns its fees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCanceled {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub outcome: Cancellation,
    /// If this is the platform, the acquirer must still be asked for the refund.
    pub initiator: Initiator,
    pub amount: Cents,
    pub fees: Cents,
    pub net: Cents,
    /// The open dispute that blocked the money. It ends with this event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blocked_by: Option<DisputeId>,
    #[serde(rename = "brought_forward", skip_serializing_if = "Vec::is_empty", default)]
    pub accelerated: Vec<AcceleratedReceivable>,
    /// Set if the last of several refunds ended the sale, or the acquirer named its refund.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refund: Option<RefundReference>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The names of the refund.
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub names: PaymentNames,
}

/// The buyer gets a part of the sale back, and more of it is left. The seller pays the net's share, from open
/// installments first, and the platform the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalePartRefunded {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    /// `None` if the acquirer gave the refund no id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refund: Option<RefundReference>,
    /// If this is the platform, the acquirer must still be asked for the refund.
    pub initiator: Initiator,
    /// What the buyer gets.
    pub amount: Cents,
    /// The seller's share of the amount. The platform's fees pay the rest.
    pub net: Cents,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub consumed: Vec<ConsumedReceivable>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The names of the refund.
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub names: PaymentNames,
}

/// The acquirer's final answer to a refund of a part that a user asked for. Until then a notice may be its echo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAnswered {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    /// The platform's id.
    pub refund: RefundReference,
    /// The acquirer's id, which its notices use; `None` if it gave none or made no refund.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub known_as: Option<RefundReference>,
    /// The names of the refund.
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub names: PaymentNames,
}

/// The buyer disputes the sale or a part of it: the gross is blocked until the dispute ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleDisputed {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub initiator: Initiator,
    pub amount: Cents,
    #[serde(rename = "brought_forward", skip_serializing_if = "Vec::is_empty", default)]
    pub accelerated: Vec<AcceleratedReceivable>,
    /// In place of `accelerated`, for a dispute of a part of what is left of the sale.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Vec<ConsumedReceivable>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The acquirer confirmed a dispute that a user opened, and assigned the id that its later notices use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeConfirmed {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    /// The platform's id, used until now.
    pub opened_as: DisputeId,
}

/// The seller won: the blocked amount is available again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeWon {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub amount: Cents,
}

/// The seller lost: the buyer gets the gross back, and the platform keeps its fees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleChargedBack {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub dispute_id: DisputeId,
    pub amount: Cents,
    /// The open dispute that blocked the money; `None` if no dispute was open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blocked_by: Option<DisputeId>,
    #[serde(rename = "brought_forward", skip_serializing_if = "Vec::is_empty", default)]
    pub accelerated: Vec<AcceleratedReceivable>,
    /// In place of `accelerated`, for a part of what is left of the sale whose dispute was never reported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Vec<ConsumedReceivable>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl ConsumedReceivable {
    pub fn total(consumed: &[Self]) -> Cents {
        consumed.iter().fold(Cents::ZERO, |total, installment| {
            total.saturating_add(installment.net)
        })
    }

    /// Takes the amount from the installments, and what they do not cover from the balance.
    fn postings(consumed: &[Self], amount: Cents, to: Account) -> [Posting; 2] {
        let from_installments = Self::total(consumed);
        [
            Posting::new(Account::Receivable, to, from_installments),
            Posting::new(Account::Available, to, amount.saturating_sub(from_installments)),
        ]
    }
}

impl AcceleratedReceivable {
    pub fn total(accelerated: &[Self]) -> Cents {
        accelerated.iter().fold(Cents::ZERO, |total, installment| {
            total.saturating_add(installment.net)
        })
    }

    fn posting(accelerated: &[Self]) -> Posting {
        let outstanding = Self::total(accelerated);
        Posting::new(Account::Receivable, Account::Available, outstanding)
    }
}

impl SaleCanceled {
    /// In a dispute the gross is blocked, which includes the platform's fee. So the gross goes back to the buyer, and
    /// the fee goes back to the seller.
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        use Account::{Available, Clearing, InDispute, PlatformFees};
        let acceleration = AcceleratedReceivable::posting(&self.accelerated);
        match self.blocked_by {
            None => vec![
                acceleration,
                Posting::new(Available, Clearing, self.net),
                Posting::new(PlatformFees, Clearing, self.fees),
            ],
            Some(_) => vec![
                acceleration,
                Posting::new(InDispute, Clearing, self.amount),
                Posting::new(PlatformFees, Available, self.fees),
            ],
        }
    }
}

impl SalePartRefunded {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        let fees = self.amount.saturating_sub(self.net);
        ConsumedReceivable::postings(&self.consumed, self.net, Account::Clearing)
            .into_iter()
            .chain([Posting::new(Account::PlatformFees, Account::Clearing, fees)])
            .collect()
    }
}

impl SaleDisputed {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        if let Some(consumed) = &self.part {
            return ConsumedReceivable::postings(consumed, self.amount, Account::InDispute).to_vec();
        }
        vec![
            AcceleratedReceivable::posting(&self.accelerated),
            Posting::new(Account::Available, Account::InDispute, self.amount),
        ]
    }
}

impl SaleChargedBack {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        if let Some(consumed) = &self.part {
            return ConsumedReceivable::postings(consumed, self.amount, Account::Clearing).to_vec();
        }
        let paying_account = match self.blocked_by {
            None => Account::Available,
            Some(_) => Account::InDispute,
        };
        vec![
            AcceleratedReceivable::posting(&self.accelerated),
            Posting::new(paying_account, Account::Clearing, self.amount),
        ]
    }
}
