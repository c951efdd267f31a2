//! What happened to a business's money. Events carry facts, never references to things that can change, so that a
//! replay reads no plan, no holiday and no user; and no word of a buyer, so that the ledger outlives an erasure.
//!
//! A stored shape is never edited: a new shape is a new version and an upcaster.

mod rental;
mod transfer;
mod undone;

use cqrs_es::DomainEvent;
use serde::{Deserialize, Serialize};

pub use rental::{TerminalRentalCanceled, TerminalRentalCharged};
pub use transfer::{
    AmountHeld, AmountReleased, ManualTransferMade, TransferApprovalGiven, TransferApproved, TransferFailed,
    TransferProcessing, TransferRefused, TransferReopened, TransferRequested,
};
pub use undone::{BroughtForward, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed};

use crate::calendar::{Date, Instant};
use crate::fees::{PlanRef, SaleFees};
use crate::sale::{Initiator, Receivable, SaleFacts};
use crate::{Cents, SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BusinessEvent {
    SaleCreated(SaleCreated),
    SaleCaptured(SaleCaptured),
    SaleFailed(SaleFailed),
    SaleVoided(SaleVoided),
    ReceivablesSettled(ReceivablesSettled),
    SaleCanceled(SaleCanceled),
    SaleDisputed(SaleDisputed),
    DisputeConfirmed(DisputeConfirmed),
    DisputeWon(DisputeWon),
    SaleChargedBack(SaleChargedBack),
    TransferRequested(TransferRequested),
    TransferApprovalGiven(TransferApprovalGiven),
    TransferProcessing(TransferProcessing),
    TransferApproved(TransferApproved),
    TransferRefused(TransferRefused),
    TransferFailed(TransferFailed),
    TransferReopened(TransferReopened),
    ManualTransferMade(ManualTransferMade),
    TerminalRentalCharged(TerminalRentalCharged),
    TerminalRentalCanceled(TerminalRentalCanceled),
    AmountHeld(AmountHeld),
    AmountReleased(AmountReleased),
}

/// A sale was opened and nothing is paid yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCreated {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    /// Boleto and pix wait for their buyer (status pending); a card's answer comes by itself (status created).
    pub awaits_buyer: bool,
}

/// The money of a sale is certain: the acquirer owes it, the seller will have it by the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleCaptured {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    pub plan: PlanRef,
    pub fees: SaleFees,
    pub net: Cents,
    pub receivables: Vec<Receivable>,
    /// The company was denied or deleted: each instalment is held for staff as it settles.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub held: bool,
}

/// The sale was refused by its issuer or its acquirer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleFailed {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The sale expired, or was given up, before anything was paid. Version 1.0 did not say by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleVoided {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
    pub initiator: Initiator,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// Instalments of one due date became money that the seller can withdraw. Effective at that due date, even when
/// recorded later.
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
    /// When it happened outside; the log's `occurred_at` column holds the same instant.
    pub fn occurred_at(&self) -> Instant {
        match self {
            Self::SaleCreated(event) => event.occurred_at,
            Self::SaleCaptured(event) => event.occurred_at,
            Self::SaleFailed(event) => event.occurred_at,
            Self::SaleVoided(event) => event.occurred_at,
            Self::ReceivablesSettled(event) => event.occurred_at,
            Self::SaleCanceled(event) => event.occurred_at,
            Self::SaleDisputed(event) => event.occurred_at,
            Self::DisputeConfirmed(event) => event.occurred_at,
            Self::DisputeWon(event) => event.occurred_at,
            Self::SaleChargedBack(event) => event.occurred_at,
            Self::TransferRequested(event) => event.occurred_at,
            Self::TransferApprovalGiven(event) => event.occurred_at,
            Self::TransferProcessing(event) => event.occurred_at,
            Self::TransferApproved(event) => event.occurred_at,
            Self::TransferRefused(event) => event.occurred_at,
            Self::TransferFailed(event) => event.occurred_at,
            Self::TransferReopened(event) => event.occurred_at,
            Self::ManualTransferMade(event) => event.occurred_at,
            Self::TerminalRentalCharged(event) => event.occurred_at,
            Self::TerminalRentalCanceled(event) => event.occurred_at,
            Self::AmountHeld(event) => event.occurred_at,
            Self::AmountReleased(event) => event.occurred_at,
        }
    }

    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::SaleCreated(_) => "SaleCreated",
            Self::SaleCaptured(_) => "SaleCaptured",
            Self::SaleFailed(_) => "SaleFailed",
            Self::SaleVoided(_) => "SaleVoided",
            Self::ReceivablesSettled(_) => "ReceivablesSettled",
            Self::SaleCanceled(_) => "SaleCanceled",
            Self::SaleDisputed(_) => "SaleDisputed",
            Self::DisputeConfirmed(_) => "DisputeConfirmed",
            Self::DisputeWon(_) => "DisputeWon",
            Self::SaleChargedBack(_) => "SaleChargedBack",
            Self::TransferRequested(_) => "TransferRequested",
            Self::TransferApprovalGiven(_) => "TransferApprovalGiven",
            Self::TransferProcessing(_) => "TransferProcessing",
            Self::TransferApproved(_) => "TransferApproved",
            Self::TransferRefused(_) => "TransferRefused",
            Self::TransferFailed(_) => "TransferFailed",
            Self::TransferReopened(_) => "TransferReopened",
            Self::ManualTransferMade(_) => "ManualTransferMade",
            Self::TerminalRentalCharged(_) => "TerminalRentalCharged",
            Self::TerminalRentalCanceled(_) => "TerminalRentalCanceled",
            Self::AmountHeld(_) => "AmountHeld",
            Self::AmountReleased(_) => "AmountReleased",
        }
    }

    /// Every type of event that the log may hold, and the version in which it is written now.
    pub const TYPES: [(&'static str, &'static str); 22] = [
        ("SaleCreated", "1.0"),
        ("SaleCaptured", "1.0"),
        ("SaleFailed", "1.0"),
        ("SaleVoided", "1.1"),
        ("ReceivablesSettled", "1.0"),
        ("SaleCanceled", "1.0"),
        ("SaleDisputed", "1.0"),
        ("DisputeConfirmed", "1.0"),
        ("DisputeWon", "1.0"),
        ("SaleChargedBack", "1.0"),
        ("TransferRequested", "1.0"),
        ("TransferApprovalGiven", "1.0"),
        ("TransferProcessing", "1.0"),
        ("TransferApproved", "1.0"),
        ("TransferRefused", "1.0"),
        ("TransferFailed", "1.0"),
        ("TransferReopened", "1.0"),
        ("ManualTransferMade", "1.0"),
        ("TerminalRentalCharged", "1.0"),
        ("TerminalRentalCanceled", "1.0"),
        ("AmountHeld", "1.0"),
        ("AmountReleased", "1.0"),
    ];

    /// The version in which events of a type are written now; `None` where there is no such type.
    pub fn version_of(event_type: &str) -> Option<&'static str> {
        Self::TYPES
            .iter()
            .find(|(name, _)| *name == event_type)
            .map(|(_, version)| *version)
    }

    pub const fn version(&self) -> &'static str {
        match self {
            Self::SaleCreated(_)
            | Self::SaleCaptured(_)
            | Self::SaleFailed(_)
            | Self::ReceivablesSettled(_)
            | Self::SaleCanceled(_)
            | Self::SaleDisputed(_)
            | Self::DisputeConfirmed(_)
            | Self::DisputeWon(_)
            | Self::SaleChargedBack(_)
            | Self::TransferRequested(_)
            | Self::TransferApprovalGiven(_)
            | Self::TransferProcessing(_)
            | Self::TransferApproved(_)
            | Self::TransferRefused(_)
            | Self::TransferFailed(_)
            | Self::TransferReopened(_)
            | Self::ManualTransferMade(_)
            | Self::TerminalRentalCharged(_)
            | Self::TerminalRentalCanceled(_)
            | Self::AmountHeld(_)
            | Self::AmountReleased(_) => "1.0",
            Self::SaleVoided(_) => "1.1",
        }
    }

    /// The sales whose state this event changes, each once.
    pub fn sale_ids(&self) -> Vec<SaleId> {
        match self {
            Self::SaleCreated(event) => vec![event.sale.sale_id],
            Self::SaleCaptured(event) => vec![event.sale.sale_id],
            Self::SaleFailed(event) => vec![event.sale.sale_id],
            Self::SaleVoided(event) => vec![event.sale_id],
            Self::SaleCanceled(event) => vec![event.sale_id],
            Self::SaleDisputed(event) => vec![event.sale_id],
            Self::DisputeConfirmed(event) => vec![event.sale_id],
            Self::DisputeWon(event) => vec![event.sale_id],
            Self::SaleChargedBack(event) => vec![event.sale_id],
            Self::ReceivablesSettled(event) => {
                let mut sales: Vec<_> = event.settled.iter().map(|settled| settled.sale_id).collect();
                sales.sort_unstable();
                sales.dedup();
                sales
            }
            Self::TransferRequested(_)
            | Self::TransferApprovalGiven(_)
            | Self::TransferProcessing(_)
            | Self::TransferApproved(_)
            | Self::TransferRefused(_)
            | Self::TransferFailed(_)
            | Self::TransferReopened(_)
            | Self::ManualTransferMade(_)
            | Self::TerminalRentalCharged(_)
            | Self::TerminalRentalCanceled(_)
            | Self::AmountHeld(_)
            | Self::AmountReleased(_) => vec![],
        }
    }

    /// The transfer whose state this event changes, if it is of one.
    pub fn transfer_ids(&self) -> Vec<TransferId> {
        match self {
            Self::TransferRequested(event) => vec![event.transfer_id],
            Self::TransferApprovalGiven(event) => vec![event.transfer_id],
            Self::TransferProcessing(event) => vec![event.transfer_id],
            Self::TransferApproved(event) => vec![event.transfer_id],
            Self::TransferRefused(event) => vec![event.transfer_id],
            Self::TransferFailed(event) => vec![event.transfer_id],
            Self::TransferReopened(event) => vec![event.transfer_id],
            Self::ManualTransferMade(event) => vec![event.transfer_id],
            Self::TerminalRentalCharged(event) => vec![event.transfer_id],
            Self::TerminalRentalCanceled(event) => vec![event.transfer_id],
            Self::SaleCreated(_)
            | Self::SaleCaptured(_)
            | Self::SaleFailed(_)
            | Self::SaleVoided(_)
            | Self::ReceivablesSettled(_)
            | Self::SaleCanceled(_)
            | Self::SaleDisputed(_)
            | Self::DisputeConfirmed(_)
            | Self::DisputeWon(_)
            | Self::SaleChargedBack(_)
            | Self::AmountHeld(_)
            | Self::AmountReleased(_) => vec![],
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
