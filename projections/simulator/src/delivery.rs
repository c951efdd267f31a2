//! A delivery: one command that is sent to the ledger until it is answered.
//!
//! A refused notice waits in the exceptions queue and is tried again. A refused request of a user or a job ends.

use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, Refusal};
use ledger_domain::calendar::Instant;
use ledger_domain::{EventId, TransferId};
use ledger_store::event::Metadata;
use ledger_store::lane::Work;
use ledger_store::peers::Route;
use ledger_store::{Actor, Job};
use ledger_store::{Idempotency, Submission};

use crate::names;

#[derive(Debug, Clone)]
pub struct Delivery {
    pub sender: Sender,
    /// The business that the command belongs to.
    pub business: BusinessId,
    /// The business that it is sent to.
    pub sent_to: BusinessId,
    pub command: BusinessCommand,
    pub key: Option<Idempotency>,
    /// The time at which it is sent next.
    pub due_at: Instant,
    pub stage: Stage,
    /// How often it is sent again after it was answered, as by a sender that lost the answer.
    pub repeats: u8,
    /// In the exceptions queue it is sent again without waiting for staff: its sale or transfer changed, or the process
    /// was not the owner of the shard.
    pub will_be_retried: bool,
    /// It must never be recorded, because the log has another fact about its sale or under its key.
    pub contradicts_log: bool,
    /// Its events in the log.
    pub recorded: Vec<EventId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    User,
    Acquirer,
    Bank,
    Job,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// Not sent yet, or without a final answer.
    Unanswered,
    /// Refused for now: a job or staff send it again.
    InExceptionsQueue(Refusal),
    /// Recorded, or a duplicate of a recorded command.
    Accepted,
    Refused(Refusal),
    /// The key was used for another body, or the database rejects its values.
    Rejected,
}

/// One attempt to send a delivery. Its ticket is its index in `World::attempts`.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub delivery: usize,
    pub command: BusinessCommand,
    pub sent_to: BusinessId,
    /// The id of its first event, if it records one.
    pub first_event: EventId,
    /// The version of the reference data when it was sent.
    pub reference_version: i64,
    pub answered: bool,
    /// The process that the sender sent it to.
    pub front: usize,
    pub work: Work,
    pub route: Route,
}

impl Delivery {
    pub const fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Unanswered | Stage::InExceptionsQueue(_))
    }

    /// Whether it is sent again without a new trigger, once `due_at` is reached.
    pub fn will_be_sent(&self) -> bool {
        match self.stage {
            Stage::Unanswered => true,
            Stage::InExceptionsQueue(_) => self.will_be_retried,
            Stage::Accepted | Stage::Refused(_) | Stage::Rejected => self.repeats > 0,
        }
    }

    /// The command of one attempt. A user who repeats the request of a transfer or a hold sends a
    /// new id under the old key.
    pub fn command_of_attempt(&self, ticket: usize) -> BusinessCommand {
        let mut command = self.command.clone();
        match &mut command {
            BusinessCommand::RequestTransfer(request) => request.transfer_id = names::transfer(ticket),
            BusinessCommand::MakeManualTransfer(request) => request.transfer_id = names::transfer(ticket),
            BusinessCommand::PlaceHold(request) => request.hold_id = names::hold(ticket),
            _ => {}
        }
        command
    }

    pub fn submission(&self, ticket: usize, command: BusinessCommand) -> Submission {
        Submission {
            command_id: names::command(ticket),
            business_id: self.sent_to,
            command,
            metadata: Metadata::by(Actor::Job(Job::Installation)),
            idempotency: self.key,
        }
    }
}

/// A transfer that users know and may act on.
#[derive(Debug, Clone, Copy)]
pub struct KnownTransfer {
    pub id: TransferId,
    pub business: BusinessId,
    /// The number of its latest payout id, whether an action used it or not.
    pub last_payout: usize,
}

impl KnownTransfer {
    pub const fn new(id: TransferId, business: BusinessId) -> Self {
        Self {
            id,
            business,
            last_payout: 0,
        }
    }
}
