//! Events of terminal rentals.

use serde::{Deserialize, Serialize};

use crate::calendar::{Date, Instant};
use crate::sale::SaleTerminal;
use crate::{Cents, TransferId};

/// A terminal's rental was charged. The balance may go below zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCharged {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    /// With the serial number at that time.
    pub terminal: SaleTerminal,
    /// The day on which this rental was due. Distinguishes one month's rental from another's.
    pub due_date: Date,
    pub amount: Cents,
}

/// Staff refunded a rental.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRentalCanceled {
    pub occurred_at: Instant,
    pub transfer_id: TransferId,
    pub amount: Cents,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}
