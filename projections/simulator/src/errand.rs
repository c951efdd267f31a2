//! One thing that somebody wants of the ledger, sent again and again until it is answered.
//!
//! A person takes the first answer. A notice that is refused waits in the exceptions queue and is tried again; a job
//! comes again by itself.

use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, Refusal};
use ledger_domain::calendar::Instant;
use ledger_domain::{EventId, TransferId};
use ledger_store::event::Metadata;
use ledger_store::{Actor, Job};
use ledger_store::{Idempotency, Submission};

use crate::names;

#[derive(Debug, Clone)]
pub struct Errand {
    pub who: Who,
    /// Whose it is.
    pub business: BusinessId,
    /// Whom it is taken to be about.
    pub sent_to: BusinessId,
    pub what: BusinessCommand,
    pub key: Option<Idempotency>,
    /// When it is sent next.
    pub due_at: Instant,
    pub stage: Stage,
    /// How often it is still to be told after it was taken.
    pub repeats: u8,
    /// Waits, and what it waits for may have happened.
    pub is_woken: bool,
    /// Contradicts what the log holds, and must wait for staff.
    pub is_impossible: bool,
    /// What the log holds of it.
    pub recorded: Vec<EventId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Person,
    Acquirer,
    Bank,
    Job,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    Asking,
    /// In the exceptions queue.
    Waiting(Refusal),
    Taken,
    Refused(Refusal),
    /// The key was used for something else, or the database can't hold it.
    SentAway,
}

/// One time that an errand was sent.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub errand: usize,
    pub command: BusinessCommand,
    pub sent_to: BusinessId,
    /// The id that its first event gets, if it leads to one.
    pub first_event: EventId,
    pub answered: bool,
}

impl Errand {
    pub const fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Asking | Stage::Waiting(_))
    }

    /// Whether it will be sent by itself: for the first time, again, or because its sale changed.
    pub fn is_to_come(&self) -> bool {
        match self.stage {
            Stage::Asking => true,
            Stage::Waiting(_) => self.is_woken,
            Stage::Taken | Stage::Refused(_) | Stage::SentAway => self.repeats > 0,
        }
    }

    /// A person who asks again for a transfer asks for a new one, under the old key.
    pub fn command(&self, ticket: usize) -> BusinessCommand {
        let mut command = self.what.clone();
        match &mut command {
            BusinessCommand::RequestTransfer(request) => request.transfer_id = names::transfer(ticket),
            BusinessCommand::MakeManualTransfer(request) => request.transfer_id = names::transfer(ticket),
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

/// A transfer that somebody knows of and may act on.
#[derive(Debug, Clone, Copy)]
pub struct KnownTransfer {
    pub id: TransferId,
    pub business: BusinessId,
    /// How many payouts were begun, or tried to.
    pub payouts: usize,
}

impl KnownTransfer {
    pub const fn new(id: TransferId, business: BusinessId) -> Self {
        Self {
            id,
            business,
            payouts: 0,
        }
    }
}
