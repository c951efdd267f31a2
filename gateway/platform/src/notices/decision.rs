//! The ledger's decision about a notice.

use ledger_domain::BusinessId;
use ledger_store::{LedgerPosition, Receipt};

use crate::exceptions::WaitReason;

/// The outcome of a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeDecision {
    /// The log has it now.
    Recorded(RecordedInLedger),
    /// The log had its content before. Nothing was added.
    Duplicate(RecordedInLedger),
    Waits(WaitReason),
    /// This process cannot decide now. The provider must send it again.
    Unavailable,
}

/// The company and the position of a notice's content in the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedInLedger {
    pub business_id: BusinessId,
    pub position: LedgerPosition,
}

impl NoticeDecision {
    /// A replayed receipt is the answer to an earlier request: nothing was added.
    pub fn of(business_id: BusinessId, receipt: &Receipt) -> Self {
        let recorded = RecordedInLedger {
            business_id,
            position: receipt.position(),
        };
        if receipt.replayed {
            Self::Duplicate(recorded)
        } else {
            Self::Recorded(recorded)
        }
    }

    pub fn duplicate(business_id: BusinessId, position: LedgerPosition) -> Self {
        Self::Duplicate(RecordedInLedger {
            business_id,
            position,
        })
    }
}
