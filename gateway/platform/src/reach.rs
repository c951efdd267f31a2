//! For which companies a job submits its commands.

use ledger_domain::BusinessId;
use ledger_store::Writer;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those whose shards this process owns: each process of an installation runs the job.
    #[default]
    Own,
    /// All of them. The writer sends the commands to the owners of the shards.
    Everyone,
}

impl Reach {
    pub fn includes(self, writer: &Writer, business_id: BusinessId) -> bool {
        self == Self::Everyone || writer.owns(business_id)
    }

    pub fn is_empty(self, writer: &Writer) -> bool {
        self == Self::Own && writer.owned().next().is_none()
    }
}
