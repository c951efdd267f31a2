//! Refusals of commands on holds: one variant for each reason.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::business::OPEN_HOLDS_MAX;
use crate::hold::HoldKind;
use crate::{Cents, HoldId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum HoldRefusal {
    #[error("the business has no open hold {0}")]
    Unknown(HoldId),
    #[error("only {held} is held, not {asked}")]
    AboveHeld { held: Cents, asked: Cents },
    #[error("a hold of kind {0} does not allow this")]
    KindForbids(HoldKind),
    #[error("hold {0} is of the same case of the same court")]
    CourtOrderKnown(HoldId),
    #[error("the case number or the court is missing")]
    CourtOrderIncomplete,
    #[error("the receipt of the judicial deposit is missing")]
    ReceiptMissing,
    #[error("the business has {OPEN_HOLDS_MAX} open holds, which is the most")]
    TooMany,
}

impl HoldRefusal {
    /// The message for users, in Portuguese.
    pub fn message(&self) -> String {
        match self {
            Self::Unknown(_) => "Esta retenção não existe ou já foi liberada.".to_owned(),
            Self::AboveHeld { held, asked } => {
                format!("Esta retenção tem {held}, menos do que {asked}.")
            }
            Self::KindForbids(kind) => {
                format!("O tipo da retenção ({}) não permite esta operação.", kind.label())
            }
            Self::CourtOrderKnown(_) => {
                "Já existe um bloqueio em aberto deste processo nesta vara.".to_owned()
            }
            Self::CourtOrderIncomplete => "Informe o número do processo e a vara.".to_owned(),
            Self::ReceiptMissing => "Informe o número do depósito judicial.".to_owned(),
            Self::TooMany => {
                format!("A empresa já tem {OPEN_HOLDS_MAX} retenções em aberto. Libere alguma antes.")
            }
        }
    }
}
