//! What happened to a business's money. Events carry facts, never references to things that can change, so that a
//! replay reads no plan, no holiday and no user; and no word of a buyer, so that the ledger outlives an erasure.
//!
//! A stored shape is never edited: a new shape is a new version and an upcaster.

use cqrs_es::DomainEvent;
use serde::{Deserialize, Serialize};

use crate::calendar::{Date, Instant};
use crate::fees::{PlanRef, SaleFees};
use crate::sale::{Receivable, SaleFacts};
use crate::{Cents, SaleId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BusinessEvent {
    SaleCreated(SaleCreated),
    SaleCaptured(SaleCaptured),
    SaleFailed(SaleFailed),
    SaleVoided(SaleVoided),
    ReceivablesSettled(ReceivablesSettled),
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
}

/// The sale was refused by its issuer or its acquirer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleFailed {
    pub occurred_at: Instant,
    pub sale: SaleFacts,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// The sale expired, or was given up, before anything was paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleVoided {
    pub occurred_at: Instant,
    pub sale_id: SaleId,
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
        }
    }

    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::SaleCreated(_) => "SaleCreated",
            Self::SaleCaptured(_) => "SaleCaptured",
            Self::SaleFailed(_) => "SaleFailed",
            Self::SaleVoided(_) => "SaleVoided",
            Self::ReceivablesSettled(_) => "ReceivablesSettled",
        }
    }

    /// Every type of event that the log may hold, and the version in which it is written now.
    pub const TYPES: [(&'static str, &'static str); 5] = [
        ("SaleCreated", "1.0"),
        ("SaleCaptured", "1.0"),
        ("SaleFailed", "1.0"),
        ("SaleVoided", "1.0"),
        ("ReceivablesSettled", "1.0"),
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
            | Self::SaleVoided(_)
            | Self::ReceivablesSettled(_) => "1.0",
        }
    }

    /// The sales whose state this event changes, each once.
    pub fn sale_ids(&self) -> Vec<SaleId> {
        match self {
            Self::SaleCreated(event) => vec![event.sale.sale_id],
            Self::SaleCaptured(event) => vec![event.sale.sale_id],
            Self::SaleFailed(event) => vec![event.sale.sale_id],
            Self::SaleVoided(event) => vec![event.sale_id],
            Self::ReceivablesSettled(event) => {
                let mut sales: Vec<_> = event.settled.iter().map(|settled| settled.sale_id).collect();
                sales.sort_unstable();
                sales.dedup();
                sales
            }
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
