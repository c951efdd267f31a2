//! The events of a business. Events carry the facts that they rest on, so a replay reads no plan, holiday or user. They
//! hold no name, document or contact data of the buyer, so an erasure request never touches the ledger.
//!
//! A change of a stored shape is a new version with an upcaster, unless it only adds a field that may be absent.

mod rental;
mod reversal;
mod transfer;

use cqrs_es::DomainEvent;
use serde::{Deserialize, Serialize};

pub use rental::{TerminalRentalCanceled, TerminalRentalCharged};
pub use reversal::{
    AcceleratedReceivable, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed,
};
pub use transfer::{
    AmountHeld, AmountReleased, ManualTransferMade, TransferApprovalGiven, TransferApproved, TransferFailed,
    TransferProcessing, TransferRefused, TransferReopened, TransferRequested,
};

use super::subject::Subject;
use crate::calendar::{Date, Instant};
use crate::fees::{PlanRef, SaleFees};
use crate::sale::{Initiator, Receivable, SaleFacts};
use crate::{Cents, SaleId, TransferId};

/// An enum with one struct for each event. The variant's name is the event type in the log and in the payload.
macro_rules! events {
    ($($name:ident $version:literal,)+) => {
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub enum BusinessEvent {
            $($name($name),)+
        }

        impl BusinessEvent {
            /// Every event type of the log, with the version that is written now.
            pub const TYPES: &'static [(&'static str, &'static str)] = &[$((stringify!($name), $version)),+];

            pub const fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => stringify!($name),)+
                }
            }

            pub const fn version(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $version,)+
                }
            }

            /// When it happened in the outside world. The log's `occurred_at` column holds the same instant.
            pub const fn occurred_at(&self) -> Instant {
                match self {
                    $(Self::$name(event) => event.occurred_at,)+
                }
            }
        }
    };
}

events! {
    SaleCreated "1.0",
    SaleCaptured "1.0",
    SaleFailed "1.0",
    SaleVoided "1.1",
    ReceivablesSettled "1.0",
    SaleCanceled "1.0",
    SaleDisputed "1.0",
    DisputeConfirmed "1.0",
    DisputeWon "1.0",
    SaleChargedBack "1.0",
    TransferRequested "1.0",
    TransferApprovalGiven "1.0",
    TransferProcessing "1.0",
    TransferApproved "1.0",
    TransferRefused "1.0",
    TransferFailed "1.0",
    TransferReopened "1.0",
    ManualTransferMade "1.0",
    TerminalRentalCharged "1.0",
    TerminalRentalCanceled "1.0",
    AmountHeld "1.0",
    AmountReleased "1.0",
}

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

/// Installments of one due date became available. Effective on the due date, even if recorded later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivablesSettled {
    pub occurred_at: Instant,
    pub due_date: Date,
    pub settled: Vec<SettledReceivable>,
    pub total: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledReceivable {
    pub sale_id: SaleId,
    pub number: u8,
    pub net: Cents,
}

impl BusinessEvent {
    /// The version that is written now for an event type; `None` if the type is unknown.
    pub fn version_of(event_type: &str) -> Option<&'static str> {
        Self::TYPES
            .iter()
            .find(|(name, _)| *name == event_type)
            .map(|(_, version)| *version)
    }

    /// The sales whose state this event changes, without duplicates.
    pub fn sale_ids(&self) -> Vec<SaleId> {
        self.subject().sale_ids()
    }

    /// The sale, if an event of this type can open one. The event opens it unless an earlier event did.
    pub const fn may_open_sale(&self) -> Option<SaleId> {
        match self {
            Self::SaleCreated(SaleCreated { sale, .. })
            | Self::SaleCaptured(SaleCaptured { sale, .. })
            | Self::SaleFailed(SaleFailed { sale, .. }) => Some(sale.sale_id),
            _ => None,
        }
    }

    /// The transfer whose state this event changes, if any.
    pub fn transfer_ids(&self) -> Vec<TransferId> {
        self.subject().transfer_ids()
    }

    fn subject(&self) -> Subject {
        match self {
            Self::SaleCreated(SaleCreated { sale, .. })
            | Self::SaleCaptured(SaleCaptured { sale, .. })
            | Self::SaleFailed(SaleFailed { sale, .. }) => Subject::Sale(sale.sale_id),
            Self::SaleVoided(SaleVoided { sale_id, .. })
            | Self::SaleCanceled(SaleCanceled { sale_id, .. })
            | Self::SaleDisputed(SaleDisputed { sale_id, .. })
            | Self::DisputeConfirmed(DisputeConfirmed { sale_id, .. })
            | Self::DisputeWon(DisputeWon { sale_id, .. })
            | Self::SaleChargedBack(SaleChargedBack { sale_id, .. }) => Subject::Sale(*sale_id),
            Self::ReceivablesSettled(event) => {
                Subject::sales(event.settled.iter().map(|settled| settled.sale_id))
            }
            Self::TransferRequested(TransferRequested { transfer_id, .. })
            | Self::TransferApprovalGiven(TransferApprovalGiven { transfer_id, .. })
            | Self::TransferProcessing(TransferProcessing { transfer_id, .. })
            | Self::TransferApproved(TransferApproved { transfer_id, .. })
            | Self::TransferRefused(TransferRefused { transfer_id, .. })
            | Self::TransferFailed(TransferFailed { transfer_id, .. })
            | Self::TransferReopened(TransferReopened { transfer_id, .. })
            | Self::ManualTransferMade(ManualTransferMade { transfer_id, .. })
            | Self::TerminalRentalCharged(TerminalRentalCharged { transfer_id, .. })
            | Self::TerminalRentalCanceled(TerminalRentalCanceled { transfer_id, .. }) => {
                Subject::Transfer(*transfer_id)
            }
            Self::AmountReleased(AmountReleased { sales, .. }) if !sales.is_empty() => {
                Subject::sales(sales.iter().copied())
            }
            Self::AmountHeld(_) | Self::AmountReleased(_) => Subject::Balance,
        }
    }
}

impl DomainEvent for BusinessEvent {
    fn event_type(&self) -> String {
        self.type_name().to_owned()
    }

    fn event_version(&self) -> String {
        self.version().to_owned()
    }
}
