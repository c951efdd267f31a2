//! One piece of work on its way through a lane, and what its submitter hears of it.

use std::sync::Arc;

use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, SaleContext};
use ledger_domain::calendar::Instant;
use uuid::Uuid;

use crate::event::Metadata;
use crate::position::Shard;
use crate::submission::{Idempotency, Outcome, Submission};

#[derive(Debug, Clone)]
pub struct Work {
    pub(super) command_id: Uuid,
    pub(super) business_id: BusinessId,
    pub(super) task: Task,
    pub(super) metadata: Metadata,
    pub(super) idempotency: Idempotency,
    /// A key that a caller chose, which may have been used before.
    pub(super) keyed: bool,
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "nearly all are decided here")]
pub(super) enum Task {
    Decide(BusinessCommand),
    /// Decided by another (a `CqrsFramework`) on the business at version `expected`.
    Record {
        expected: i64,
        events: Vec<BusinessEvent>,
    },
}

#[derive(Debug, Clone)]
pub enum Answer {
    Outcome(Outcome),
    /// Decided events came too late: the business has moved on. Only for what was decided outside the lane.
    Overtaken,
}

impl From<Submission> for Work {
    fn from(submission: Submission) -> Self {
        let Submission {
            command_id,
            business_id,
            command,
            mut metadata,
            idempotency,
        } = submission;
        if let Some(idempotency) = idempotency {
            metadata.idempotency_key = Some(hex::encode(idempotency.key));
        }
        Self {
            command_id,
            business_id,
            task: Task::Decide(command),
            metadata,
            idempotency: idempotency.unwrap_or_else(|| Idempotency::of_command(command_id)),
            keyed: idempotency.is_some(),
        }
    }
}

impl Work {
    pub(crate) fn decided(
        command_id: Uuid,
        business_id: BusinessId,
        expected: i64,
        events: Vec<BusinessEvent>,
        metadata: Metadata,
    ) -> Self {
        Self {
            command_id,
            business_id,
            task: Task::Record { expected, events },
            metadata,
            idempotency: Idempotency::of_command(command_id),
            keyed: false,
        }
    }

    pub(crate) fn business_id(&self) -> BusinessId {
        self.business_id
    }
}

/// Who used a key, and which.
pub(super) type CallerKey = (BusinessId, [u8; 16]);

/// Work that the lane has accepted and not answered.
#[derive(Debug)]
pub(super) struct Pending<T> {
    pub ticket: T,
    pub work: Work,
    pub shard: Shard,
    /// The order of arrival, kept when a batch falls and its work is decided again.
    pub arrival: u64,
    /// A decision asked for the plan as of this instant.
    pub terms_at: Option<Instant>,
    /// Its key may stand in the log: it names a sale that is known, or the log has said so.
    pub key_suspected: bool,
    /// Sent once, and the connection was lost before the answer.
    pub uncertain: bool,
    /// How often its batch fell.
    pub falls: u8,
}

impl<T> Pending<T> {
    /// Whether its key is looked up. A key that was used before was nearly always used for the same sale, so a sale
    /// that nobody has heard of saves the look-up; what slips through is caught by the log's own index on keys. What
    /// names no sale is always looked up: a withdrawal asked for again bears a new id, and would be refused as a
    /// duplicate of its own first asking.
    pub fn must_look_up_key(&self) -> bool {
        self.uncertain || (self.work.keyed && (self.key_suspected || self.sale_ids().is_empty()))
    }

    pub fn sale_ids(&self) -> Vec<ledger_domain::SaleId> {
        match &self.work.task {
            Task::Decide(command) => command.sale_ids(),
            Task::Record { events, .. } => {
                let mut sales: Vec<_> = events.iter().flat_map(BusinessEvent::sale_ids).collect();
                sales.sort_unstable();
                sales.dedup();
                sales
            }
        }
    }

    pub fn transfer_ids(&self) -> Vec<ledger_domain::TransferId> {
        match &self.work.task {
            Task::Decide(command) => command.transfer_ids(),
            Task::Record { events, .. } => {
                let mut transfers: Vec<_> = events.iter().flat_map(BusinessEvent::transfer_ids).collect();
                transfers.sort_unstable();
                transfers.dedup();
                transfers
            }
        }
    }

    pub fn context_mut(&mut self) -> Option<(&ledger_domain::sale::SaleFacts, Instant, &mut SaleContext)> {
        match &mut self.work.task {
            Task::Decide(command) => command.context_mut(),
            Task::Record { .. } => None,
        }
    }

    pub fn metadata_text(&self) -> Arc<str> {
        serde_json::to_string(&self.work.metadata)
            .expect("strings serialise")
            .into()
    }
}
