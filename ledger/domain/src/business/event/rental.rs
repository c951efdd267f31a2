//! What happened to a terminal's rental. In the statement it is a transfer of its own kind.

use serde::{Deserialize, Serialize};

use crate::calendar::{Date, Instant};
use crate::sale::SaleTerminal;
use crate::{Cents, TransferId};

/// The platform took a terminal's rental from the balance, which may have gone below zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCharged {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    /// The serial number as it was then.
    pub terminal: SaleTerminal,
    /// The day on which this rental fell due: it tells one month's from the next.
    pub due_date: Date,
    pub amount: Cents,
}

/// Staff gave a rental back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCanceled {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}
