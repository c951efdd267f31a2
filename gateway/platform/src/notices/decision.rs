//! What the ledger decided about a notice.

use ledger_domain::BusinessId;
use ledger_store::{LedgerPosition, Receipt};

use crate::exceptions::WaitReason;

/// What the ledger did with a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum Decided {
    /// It is in the log now.
    Recorded(InLedger),
    /// What it says was known: nothing was added.
    Already(InLedger),
    WaitReason(WaitReason),
    /// Not here or not now: to be sent again.
    Unavailable,
}

/// Where the ledger has what a notice says.
#[derive(Debug, Clone, PartialEq)]
pub struct InLedger {
    pub business_id: BusinessId,
    pub position: LedgerPosition,
}

impl Decided {
    /// The ledger gives a repeat its first answer: then nothing was added.
    pub fn of(business_id: BusinessId, receipt: &Receipt) -> Self {
        let known = InLedger {
            business_id,
            position: receipt.position(),
        };
        if receipt.replayed {
            Self::Already(known)
        } else {
            Self::Recorded(known)
        }
    }

    pub fn already(business_id: BusinessId, position: LedgerPosition) -> Self {
        Self::Already(InLedger {
            business_id,
            position,
        })
    }
}
