//! A command in a lane, and its answer.

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
    pub(crate) command_id: Uuid,
    pub(crate) business_id: BusinessId,
    pub(crate) task: Task,
    pub(crate) metadata: Metadata,
    pub(crate) idempotency: Idempotency,
    /// True if the key may have been used before: the caller chose it, or another process sent the command.
    pub(crate) keyed: bool,
    /// True if another process was asked before, and its answer was lost. Then its key is looked up first.
    pub may_be_recorded: bool,
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "nearly all are `Decide`")]
pub(crate) enum Task {
    Decide(BusinessCommand),
    /// Events that were decided elsewhere (by a `CqrsFramework`) on the business at version `expected`.
    Record {
        expected: i64,
        events: Vec<BusinessEvent>,
    },
}

#[derive(Debug, Clone)]
pub enum Answer {
    Outcome(Outcome),
    /// The business's version changed before its events could be recorded. Only for events that were decided outside
    /// the lane.
    Conflict,
}

impl Answer {
    /// Whether only the shard's owner may give it: it says how the shard's state is, and not only what was recorded.
    pub const fn rests_on_ownership(&self) -> bool {
        match self {
            Self::Outcome(outcome) => matches!(
                outcome,
                Outcome::Duplicate { .. } | Outcome::Refused(_) | Outcome::BelongsToOther(_)
            ),
            Self::Conflict => true,
        }
    }

    /// Whether the command's context may have decided the answer. A key in the log, the owner of a sale and the owner
    /// of a shard decide without it.
    pub(super) const fn rests_on_context(&self) -> bool {
        match self {
            Self::Outcome(outcome) => matches!(
                outcome,
                Outcome::Duplicate { .. } | Outcome::Refused(_) | Outcome::Rejected
            ),
            Self::Conflict => false,
        }
    }
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
            may_be_recorded: false,
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
            may_be_recorded: false,
        }
    }

    pub fn business_id(&self) -> BusinessId {
        self.business_id
    }
}

/// A business and an idempotency key.
pub(super) type CallerKey = (BusinessId, [u8; 16]);

/// A command that is accepted and not answered yet.
#[derive(Debug)]
pub(super) struct Pending<T> {
    pub ticket: T,
    pub work: Work,
    pub shard: Shard,
    /// The order of arrival, kept when a batch is rolled back and its commands are decided again.
    pub arrival: u64,
    /// Set if the decision needs the plan as of this instant.
    pub terms_at: Option<Instant>,
    /// The key may be in the log: one of the command's sales is known, or the log reported a key of its batch as used.
    pub key_may_exist: bool,
    /// Its sales are looked up if memory does not know them: they may be in the log.
    pub sales_may_exist: bool,
    /// The sales that memory did not know are counted. A command that is decided again is not counted again.
    pub is_counted: bool,
    /// At least one of its sales is unknown to memory, was not looked up, and is presumed to be new. Only events may
    /// rest on that, because the append refuses them if it is wrong; an answer may not.
    pub is_presumed_new: bool,
    /// Its context must be read from the database, because the version in memory may be out of date.
    pub context_in_force: bool,
    /// The version of the reference data in memory from which its context comes. Only events may rest on that, because
    /// the append refuses them if another version is in force; an answer may not.
    pub remembered_version: Option<i64>,
    /// It was sent once, to the database or to another process, and the connection was lost before the answer.
    pub uncertain: bool,
    /// How often its batch conflicted with the log.
    pub rollbacks: u8,
}

impl<T> Pending<T> {
    /// Whether the key is looked up. A reused key nearly always names the same sale. So a command on an unknown sale
    /// skips the look-up, and the unique index on keys rejects the exceptions. The key of a command without a sale is
    /// always looked up. A repeated withdrawal request has a new id, and without the look-up it would be refused
    /// instead of answered like the first.
    pub fn must_look_up_key(&self) -> bool {
        self.uncertain || (self.work.keyed && (self.key_may_exist || self.sale_ids().is_empty()))
    }

    /// Whether the command's event can be the first of its sale, and the sale may be presumed to be new.
    pub fn may_be_new(&self) -> bool {
        let can_begin_a_sale = match &self.work.task {
            Task::Decide(command) => matches!(
                command,
                BusinessCommand::CreateSale(_)
                    | BusinessCommand::CaptureSale(_)
                    | BusinessCommand::FailSale(_)
            ),
            Task::Record { .. } => false,
        };
        can_begin_a_sale && !self.uncertain && !self.sales_may_exist
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
            .expect("strings serialize")
            .into()
    }
}
