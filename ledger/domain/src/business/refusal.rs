//! Why the ledger says no: one variant per business reason, never a string. Each has a Portuguese message for a person
//! (`message`) beside the precise English one of `Display`.

use thiserror::Error;

use crate::Cents;
use crate::calendar::{Date, Instant};
use crate::sale::{SaleStatus, Solution};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("no such business")]
    UnknownBusiness,
    #[error("the business is denied or deleted, and its money must be held by staff")]
    BusinessNotActive,
    #[error("the business has no plan for solution {0:?} at that time")]
    NoPlan(Solution),
    #[error("the plan has no fee for this brand, payment type and number of instalments")]
    NoFee,
    /// Not for a caller: the decision needs the plan as it stood at another instant, and is to be asked again with it.
    #[error("the plan's terms are needed as of {0}")]
    TermsNeededAt(Instant),
    #[error("the terminal belonged to another business at that time")]
    TerminalOfAnotherBusiness,
    #[error("the sale is recorded with {recorded}, and this says {told}")]
    AmountDiffers { recorded: Cents, told: Cents },
    #[error("the sale is recorded with another solution, payment type or number of instalments")]
    SaleDiffers,
    #[error("no such sale")]
    UnknownSale,
    #[error("a sale that is {0} does not allow it")]
    StatusForbids(SaleStatus),
    /// The acquirer captured before the sale was given up: money that must be given back.
    #[error("captured before it was voided")]
    CapturedBeforeVoid,
    #[error("{0} instalments is not a number of instalments for this payment type")]
    Instalments(u8),
    #[error("due on {0}, which is not today or before")]
    NotDueYet(Date),
    #[error("an amount outside what the ledger can hold")]
    AmountOutOfRange,
}
