//! Types of a hold: kinds, ids of the platform's own holds, and court orders.
//!
//! Only the types and their text forms. The business aggregate decides what is allowed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::words;
use crate::{Cents, HoldId};

words! {
    /// Why money is held. analysis: staff check something. reserve: a share of each settlement, for some days.
    /// judicial: a court ordered it. contract: a contract with the seller provides for it. company: the company of a
    /// sale was not approved at its capture.
    pub enum HoldKind {
        Analysis = "analysis" => "Análise",
        Reserve = "reserve" => "Reserva",
        Judicial = "judicial" => "Bloqueio judicial",
        Contract = "contract" => "Garantia contratual",
        Company = "company" => "Cadastro não aprovado",
    }
}

impl HoldKind {
    /// Whether staff place it. The ledger places the others itself.
    pub const fn is_placed_by_staff(self) -> bool {
        match self {
            Self::Analysis | Self::Judicial | Self::Contract => true,
            Self::Reserve | Self::Company => false,
        }
    }
}

/// The platform's own holds: a business has at most one of each, with the same id in every business.
impl HoldId {
    /// The hold on sales that were captured while the company was not active.
    pub const COMPANY: Self = Self::from_uuid(Uuid::from_u128(1));
    /// What staff held before holds had ids, and have not released.
    pub const EARLIER: Self = Self::from_uuid(Uuid::from_u128(2));
    /// The reserve: shares of settlements, each until its day.
    pub const RESERVE: Self = Self::from_uuid(Uuid::from_u128(3));
}

/// A court's order to hold an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourtOrder {
    /// The number of the case, as the court writes it.
    pub case_number: String,
    pub court: String,
    /// Later credits are held too, until the hold reaches this amount.
    pub ordered: Cents,
}
