//! Events of sales: creation, capture, failure, void and settlement. `reversal` has the others.

use serde::{Deserialize, Serialize};

use super::{
    DisputeConfirmed, DisputeWon, RefundAnswered, SaleCanceled, SaleChargedBack, SaleDisputed, SaleEvent,
    SalePartRefunded,
};
use crate::business::accounts::{Account, Posting};
use crate::business::subject::Subject;
use crate::calendar::{Date, Instant};
use crate::fees::{PlanRef, SaleFees};
use crate::reserve::SettlementReserve;
use crate::sale::{Initiator, NamedPayment, PaymentNames, Receivable, SaleFacts};
use crate::{Cents, SaleId};

/// A sale was created and is not paid yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCreated {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    /// True for boleto and pix (status pending), false for cards (status created).
    pub awaits_buyer: bool,
}

/// The sale is paid: the acquirer owes the money, and the seller receives it by the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCaptured {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    pub plan: PlanRef,
    pub fees: SaleFees,
    pub net: Cents,
    pub receivables: Vec<Receivable>,
    /// The company was not active at the capture: each installment is held for staff when it settles.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub held: bool,
    /// Staff had not approved or denied the company yet, so its approval ends the hold.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub until_approved: bool,
}

/// The sale was refused by the issuer or the acquirer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleFailed {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The sale expired or was voided before a capture was recorded. Version 1.0 has no initiator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleVoided {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub initiator: Initiator,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The acquirer reported names of a known payment that its earlier reports lacked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleNamed {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub of: NamedPayment,
    /// Only what is new.
    pub names: PaymentNames,
}

/// Installments of one due date became available. Effective on the due date, even if recorded later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivablesSettled {
    pub occurred_at: Instant,
    pub due_date: Date,
    pub settled: Vec<SettledReceivable>,
    /// With what is held for the reserve.
    pub total: Cents,
    /// Set if a share is held for the reserve.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reserve: Option<SettlementReserve>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledReceivable {
    pub sale_id: SaleId,
    pub number: u8,
    pub net: Cents,
    /// The part of the net that is held for the reserve.
    #[serde(skip_serializing_if = "Cents::is_zero", default)]
    pub reserved: Cents,
}

impl ReceivablesSettled {
    /// What is held for the reserve.
    pub fn reserved(&self) -> Cents {
        self.reserve.as_ref().map_or(Cents::ZERO, |reserve| reserve.total)
    }
}

impl SettledReceivable {
    /// What becomes available.
    pub const fn paid(&self) -> Cents {
        self.net.saturating_sub(self.reserved)
    }
}

impl SaleEvent {
    pub(in crate::business) fn postings(&self) -> Vec<Posting> {
        use Account::{Available, Clearing, HeldByStaff, InDispute, PlatformFees, Receivable};
        match self {
            Self::SaleCreated(_)
            | Self::SaleFailed(_)
            | Self::SaleVoided(_)
            | Self::SaleNamed(_)
            | Self::RefundAnswered(_)
            | Self::DisputeConfirmed(_) => vec![],
            Self::SaleCaptured(event) => vec![
                Posting::new(Clearing, Receivable, event.net),
                Posting::new(Clearing, PlatformFees, event.fees.total()),
            ],
            Self::ReceivablesSettled(event) => vec![
                Posting::new(
                    Receivable,
                    Available,
                    event.total.saturating_sub(event.reserved()),
                ),
                Posting::new(Receivable, HeldByStaff, event.reserved()),
            ],
            Self::SaleCanceled(event) => event.postings(),
            Self::SalePartRefunded(event) => event.postings(),
            Self::SaleDisputed(event) => event.postings(),
            Self::DisputeWon(event) => vec![Posting::new(InDispute, Available, event.amount)],
            Self::SaleChargedBack(event) => event.postings(),
        }
    }

    pub(in crate::business) fn subject(&self) -> Subject {
        match self {
            Self::SaleCreated(SaleCreated { sale, .. })
            | Self::SaleCaptured(SaleCaptured { sale, .. })
            | Self::SaleFailed(SaleFailed { sale, .. }) => Subject::Sale(sale.sale_id),
            Self::SaleVoided(SaleVoided { sale_id, .. })
            | Self::SaleNamed(SaleNamed { sale_id, .. })
            | Self::SaleCanceled(SaleCanceled { sale_id, .. })
            | Self::SalePartRefunded(SalePartRefunded { sale_id, .. })
            | Self::RefundAnswered(RefundAnswered { sale_id, .. })
            | Self::SaleDisputed(SaleDisputed { sale_id, .. })
            | Self::DisputeConfirmed(DisputeConfirmed { sale_id, .. })
            | Self::DisputeWon(DisputeWon { sale_id, .. })
            | Self::SaleChargedBack(SaleChargedBack { sale_id, .. }) => Subject::Sale(*sale_id),
            Self::ReceivablesSettled(event) => {
                Subject::sales(event.settled.iter().map(|settled| settled.sale_id))
            }
        }
    }
}
