//! Events of the balance itself: holds by staff, and on the sales of a company that is not active.

use serde::{Deserialize, Serialize};

use super::BalanceEvent;
use crate::business::accounts::{Account, Posting};
use crate::business::subject::Subject;
use crate::calendar::Instant;
use crate::{Cents, SaleId};

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

impl BalanceEvent {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        use Account::{Available, HeldByStaff};
        match self {
            Self::AmountHeld(event) => vec![Posting::new(Available, HeldByStaff, event.amount)],
            Self::AmountReleased(event) => vec![Posting::new(HeldByStaff, Available, event.amount)],
        }
    }

    pub(in crate::business) fn subject(&self) -> Subject {
        match self {
            Self::AmountReleased(AmountReleased { sales, .. }) if !sales.is_empty() => {
                Subject::sales(sales.iter().copied())
            }
            Self::AmountHeld(_) | Self::AmountReleased(_) => Subject::Balance,
        }
    }
}
