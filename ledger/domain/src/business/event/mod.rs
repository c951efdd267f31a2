//! The events of a business, by family. Events carry the facts that they rest on, so a replay reads no plan, holiday or
//! user. They hold no name, document or contact data of the buyer, so an erasure request never touches the ledger.
//!
//! Code that reads events matches the family first, so a new event concerns only the readers of its family.
//!
//! A change of a stored shape is a new version with an upcaster, unless it only adds a field that may be absent.

mod balance;
mod reversal;
mod sale;
mod transfer;

use std::fmt;

use cqrs_es::DomainEvent;
use serde::de::{EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use balance::{
    AmountHeld, AmountReleased, CourtPaid, DebtWrittenOff, HoldChanged, HoldPlaced, HoldRaised, HoldReleased,
    ReleasedReserve, ReserveReleased,
};
pub use reversal::{
    AcceleratedReceivable, ConsumedReceivable, DisputeConfirmed, DisputeWon, RefundAnswered, SaleCanceled,
    SaleChargedBack, SaleDisputed, SalePartRefunded,
};
pub use sale::{
    ReceivablesSettled, SaleCaptured, SaleCreated, SaleFailed, SaleNamed, SaleVoided, SettledReceivable,
};
pub use transfer::{
    ManualTransferMade, TerminalRentalCanceled, TerminalRentalCharged, TransferApprovalGiven,
    TransferApproved, TransferFailed, TransferProcessing, TransferRefused, TransferReopened,
    TransferRequested, TransferReturned,
};

use super::subject::Subject;
use crate::calendar::Instant;
use crate::{HoldId, SaleId, TransferId};

/// An enum for each family, with one struct for each event, and `BusinessEvent` over the families. The variant's name
/// is the event type in the log and in the payload. The payload does not name the family. After the name stand the
/// version that is written now, and the Portuguese label.
macro_rules! events {
    ($($family:ident($events:ident) { $($name:ident $version:literal => $label:literal,)+ })+) => {
        $(
            #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
            pub enum $events {
                $($name($name),)+
            }
        )+

        #[allow(
            clippy::large_enum_variant,
            reason = "nearly all events are of sales: a box would cost each of them an allocation"
        )]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum BusinessEvent {
            $($family($events),)+
        }

        impl Serialize for BusinessEvent {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$family(event) => event.serialize(serializer),)+
                }
            }
        }

        impl<'de> Deserialize<'de> for BusinessEvent {
            /// One step from the type's name to its struct, whatever the number of families.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(variant_identifier)]
                enum Type {
                    $($($name,)+)+
                }

                struct EventVisitor;

                impl<'de> Visitor<'de> for EventVisitor {
                    type Value = BusinessEvent;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an event of a business")
                    }

                    fn visit_enum<A: EnumAccess<'de>>(self, stored: A) -> Result<BusinessEvent, A::Error> {
                        let (event_type, payload) = stored.variant()?;
                        match event_type {
                            $($(Type::$name => payload.newtype_variant::<$name>().map(BusinessEvent::from),)+)+
                        }
                    }
                }

                const TYPES: &[&str] = &[$($(stringify!($name)),+),+];
                deserializer.deserialize_enum("BusinessEvent", TYPES, EventVisitor)
            }
        }

        $($(
            impl $name {
                /// Its type in the log.
                pub const TYPE: &'static str = stringify!($name);
            }

            impl From<$name> for BusinessEvent {
                fn from(event: $name) -> Self {
                    Self::$family($events::$name(event))
                }
            }
        )+)+

        impl BusinessEvent {
            /// Every event type of the log, with the version that is written now.
            pub const TYPES: &'static [(&'static str, &'static str)] = &[$($((stringify!($name), $version)),+),+];

            /// Every event type, with its Portuguese name for screens and spreadsheets.
            pub const LABELS: &'static [(&'static str, &'static str)] = &[$($((stringify!($name), $label)),+),+];

            pub const fn type_name(&self) -> &'static str {
                match self {
                    $($(Self::$family($events::$name(_)) => stringify!($name),)+)+
                }
            }

            pub const fn version(&self) -> &'static str {
                match self {
                    $($(Self::$family($events::$name(_)) => $version,)+)+
                }
            }

            /// When it happened in the outside world. The log's `occurred_at` column holds the same instant.
            pub const fn occurred_at(&self) -> Instant {
                match self {
                    $($(Self::$family($events::$name(event)) => event.occurred_at,)+)+
                }
            }
        }
    };
}

events! {
    Sale(SaleEvent) {
        SaleCreated "1.0" => "Venda criada",
        SaleCaptured "1.0" => "Venda capturada",
        SaleFailed "1.0" => "Venda com falha",
        SaleVoided "1.1" => "Venda cancelada antes da captura",
        SaleNamed "1.0" => "Identificadores do pagamento",
        ReceivablesSettled "1.0" => "Parcelas liquidadas",
        SaleCanceled "1.0" => "Venda cancelada",
        SalePartRefunded "1.0" => "Estorno de parte da venda",
        RefundAnswered "1.0" => "Resposta da adquirente ao estorno",
        SaleDisputed "1.0" => "Venda contestada",
        DisputeConfirmed "1.0" => "Contestação confirmada",
        DisputeWon "1.0" => "Contestação ganha",
        SaleChargedBack "1.0" => "Chargeback",
    }
    Transfer(TransferEvent) {
        TransferRequested "1.0" => "Saque solicitado",
        TransferApprovalGiven "1.0" => "Primeira aprovação do saque",
        TransferProcessing "1.0" => "Saque em processamento",
        TransferApproved "1.0" => "Saque aprovado",
        TransferRefused "1.0" => "Saque recusado",
        TransferFailed "1.0" => "Falha no saque",
        TransferReopened "1.0" => "Saque retomado",
        TransferReturned "1.0" => "Saque devolvido pelo banco",
        ManualTransferMade "1.0" => "Ajuste manual",
        TerminalRentalCharged "1.0" => "Aluguel cobrado",
        TerminalRentalCanceled "1.0" => "Aluguel cancelado",
    }
    Balance(BalanceEvent) {
        AmountHeld "1.0" => "Valor bloqueado",
        AmountReleased "1.0" => "Valor liberado",
        HoldPlaced "1.0" => "Valor retido",
        HoldChanged "1.0" => "Retenção alterada",
        HoldRaised "1.0" => "Crédito retido por ordem judicial",
        HoldReleased "1.0" => "Retenção liberada",
        CourtPaid "1.0" => "Depósito judicial",
        ReserveReleased "1.0" => "Reserva liberada",
        DebtWrittenOff "1.0" => "Baixa de dívida",
    }
}

impl BusinessEvent {
    /// The version that is written now for an event type; `None` if the type is unknown.
    pub fn version_of(event_type: &str) -> Option<&'static str> {
        Self::TYPES
            .iter()
            .find(|(name, _)| *name == event_type)
            .map(|(_, version)| *version)
    }

    /// The Portuguese name of an event type. A type that only a newer version knows is its own name.
    pub fn label_of(event_type: &str) -> &str {
        Self::LABELS
            .iter()
            .find(|(name, _)| *name == event_type)
            .map_or(event_type, |(_, label)| label)
    }

    /// The sales whose state this event changes, without duplicates.
    pub fn sale_ids(&self) -> Vec<SaleId> {
        self.subject().sale_ids()
    }

    /// The sale, if an event of this type can open one. The event opens it unless an earlier event did.
    pub const fn may_open_sale(&self) -> Option<SaleId> {
        match self {
            Self::Sale(
                SaleEvent::SaleCreated(SaleCreated { sale, .. })
                | SaleEvent::SaleCaptured(SaleCaptured { sale, .. })
                | SaleEvent::SaleFailed(SaleFailed { sale, .. }),
            ) => Some(sale.sale_id),
            _ => None,
        }
    }

    /// The transfer whose state this event changes, if any.
    pub fn transfer_ids(&self) -> Vec<TransferId> {
        self.subject().transfer_ids()
    }

    /// The hold that this event places, if any.
    pub const fn placed_hold(&self) -> Option<HoldId> {
        match self {
            Self::Balance(BalanceEvent::HoldPlaced(event)) => Some(event.hold_id),
            _ => None,
        }
    }

    fn subject(&self) -> Subject {
        match self {
            Self::Sale(event) => event.subject(),
            Self::Transfer(event) => Subject::Transfer(event.transfer_id()),
            Self::Balance(event) => event.subject(),
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
