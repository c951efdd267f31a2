//! Events of the balance itself: holds, releases of the reserve, and debts that are written off.
//!
//! `AmountHeld` and `AmountReleased` are of the hold on sales of a company that is not active. Before holds had ids, they
//! were also those of staff.

use serde::{Deserialize, Serialize};

use super::BalanceEvent;
use crate::business::accounts::{Account, Posting};
use crate::business::subject::Subject;
use crate::calendar::{Date, Instant};
use crate::hold::{CourtOrder, HoldKind};
use crate::reserve::ReserveReleaseCause;
use crate::{Cents, HoldId, SaleId};

/// Part of the balance was blocked: by staff, or because the company of a sale was not active at its capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountHeld {
    pub occurred_at: Instant,
    pub amount: Cents,
    pub reason: String,
}

/// An amount of `held_by_staff` was released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountReleased {
    pub occurred_at: Instant,
    /// Zero if the event only ends the holds of sales of which nothing is held now.
    pub amount: Cents,
    pub reason: String,
    /// The sales whose hold ends because the company was approved. Their later settlements are not held.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sales: Vec<SaleId>,
}

/// Staff blocked part of the balance, or all that a court ordered and the balance has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldPlaced {
    pub occurred_at: Instant,
    pub hold_id: HoldId,
    pub kind: HoldKind,
    /// Zero if a court ordered it and nothing was available.
    pub amount: Cents,
    pub reason: String,
    /// When staff want to look at it again. It releases nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<Date>,
    /// What the seller is asked to send.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub documents: Vec<String>,
    /// The sale that is the reason.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sale_id: Option<SaleId>,
    /// Only of a judicial hold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<CourtOrder>,
}

/// Staff changed what they said about a hold. Each field has the new value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldChanged {
    pub occurred_at: Instant,
    pub hold_id: HoldId,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<Date>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub documents: Vec<String>,
}

/// A judicial hold took a later credit, because it had not reached the ordered amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldRaised {
    pub occurred_at: Instant,
    pub hold_id: HoldId,
    pub amount: Cents,
}

/// A hold was released, in part or whole. The release of all that is held ends the hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldReleased {
    pub occurred_at: Instant,
    pub hold_id: HoldId,
    /// Zero if a judicial hold ends of which nothing is held.
    pub amount: Cents,
    pub reason: String,
}

/// What a court ordered was paid into the court's account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourtPaid {
    pub occurred_at: Instant,
    pub hold_id: HoldId,
    pub amount: Cents,
    /// The number of the judicial deposit or of its receipt.
    pub receipt: String,
}

/// Parts of the reserve became available. If their day came, effective on that day, even if recorded later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReserveReleased {
    pub occurred_at: Instant,
    pub cause: ReserveReleaseCause,
    pub released: Vec<ReleasedReserve>,
    pub total: Cents,
}

/// What was held of an installment, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleasedReserve {
    pub sale_id: SaleId,
    pub number: u8,
    pub amount: Cents,
    /// The day until which it was held.
    pub release_on: Date,
}

/// The platform gave up what a company owed: a part of a balance below zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebtWrittenOff {
    pub occurred_at: Instant,
    pub amount: Cents,
    pub reason: String,
}

impl BalanceEvent {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        use Account::{Available, Clearing, HeldByStaff, PlatformFees};
        match self {
            Self::AmountHeld(event) => vec![Posting::new(Available, HeldByStaff, event.amount)],
            Self::AmountReleased(event) => vec![Posting::new(HeldByStaff, Available, event.amount)],
            Self::HoldPlaced(event) => vec![Posting::new(Available, HeldByStaff, event.amount)],
            Self::HoldRaised(event) => vec![Posting::new(Available, HeldByStaff, event.amount)],
            Self::HoldReleased(event) => vec![Posting::new(HeldByStaff, Available, event.amount)],
            Self::CourtPaid(event) => vec![Posting::new(HeldByStaff, Clearing, event.amount)],
            Self::ReserveReleased(event) => vec![Posting::new(HeldByStaff, Available, event.total)],
            Self::HoldChanged(_) => vec![],
            Self::DebtWrittenOff(event) => vec![Posting::new(PlatformFees, Available, event.amount)],
        }
    }

    pub(in crate::business) fn subject(&self) -> Subject {
        match self {
            Self::AmountReleased(AmountReleased { sales, .. }) if !sales.is_empty() => {
                Subject::sales(sales.iter().copied())
            }
            Self::ReserveReleased(event) => {
                Subject::sales(event.released.iter().map(|released| released.sale_id))
            }
            Self::AmountHeld(_)
            | Self::AmountReleased(_)
            | Self::HoldPlaced(_)
            | Self::HoldChanged(_)
            | Self::HoldRaised(_)
            | Self::HoldReleased(_)
            | Self::CourtPaid(_)
            | Self::DebtWrittenOff(_) => Subject::Balance,
        }
    }
}
