//! Submits a user's command to the ledger. The actor goes into the events' metadata, and the caller's key into the
//! ledger's idempotency key. The ledger decides whether the command is allowed; the caller has checked who may send it.

use deadpool_postgres::Pool;
use gateway_environment::ids::Ids;
use gateway_environment::request_context;
use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, Refusal};
use ledger_store::{Idempotency, LedgerPosition, Metadata, Outcome, Submission, Writer};
use serde_json::Value;
use thiserror::Error;

use crate::audit::{Actor, Change, record};
use crate::error::PlatformError;

/// The text for a user whose key was used with another body.
pub const KEY_REUSED: &str =
    "Esta solicitação já foi enviada com outros dados. Recarregue a página e confira antes de repetir.";

/// The ledger as a user's request reaches it.
#[derive(Clone, Copy)]
pub struct UserCommands<'a> {
    pub writer: &'a Writer,
    pub pool: &'a Pool,
    pub ids: &'a Ids,
    pub actor: Actor,
    /// The key of the request. `None`: a repeat records again.
    pub key: Option<&'a str>,
}

/// What a request asked for, without its actor and time. Only the idempotency key uses it.
pub struct CommandRequest {
    pub operation: String,
    /// A repeat of the operation under one key must have the same body, else it is refused. Contains no password.
    pub body: Value,
}

pub struct CommandReceipt {
    /// The events that the ledger recorded: none if the requested state was already reached.
    pub events: Vec<BusinessEvent>,
    pub position: LedgerPosition,
    /// The key was used before, and this is its first answer again.
    pub replayed: bool,
}

#[derive(Debug, Error)]
pub enum CommandFailure {
    /// Refused by the ledger's rules. Some callers handle the refusal.
    #[error("refused: {0:?}")]
    Refused(Refusal),
    /// The company or the transfer does not exist, or belongs to another company.
    #[error("the subject of the command is unknown")]
    UnknownSubject,
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// This process does not record the company's events now, and recorded nothing.
    #[error("this process does not record for the company")]
    NotRecorded {
        /// This process and those that it can ask record for all companies, so the ledger cannot record at all now.
        for_all: bool,
    },
    /// The command may or may not be recorded.
    #[error("the outcome of the command is unknown")]
    OutcomeUnknown,
    #[error("the ledger could not append a user's command")]
    NotAppended,
    #[error("the receipt of a command lacks its event")]
    EventMissing,
    #[error(transparent)]
    Platform(#[from] PlatformError),
}

impl From<tokio_postgres::Error> for CommandFailure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Platform(error.into())
    }
}

impl CommandFailure {
    /// Whether the ledger certainly has no event of the command.
    pub const fn recorded_nothing(&self) -> bool {
        match self {
            Self::Refused(_)
            | Self::UnknownSubject
            | Self::KeyReused
            | Self::NotRecorded { .. }
            | Self::NotAppended => true,
            Self::OutcomeUnknown | Self::EventMissing | Self::Platform(_) => false,
        }
    }
}

impl UserCommands<'_> {
    pub async fn submit(
        &self,
        business_id: BusinessId,
        request: &CommandRequest,
        command: BusinessCommand,
    ) -> Result<CommandReceipt, CommandFailure> {
        let submission = Submission {
            command_id: self.ids.new_uuid(),
            business_id,
            command,
            metadata: Metadata {
                request_id: Some(request_context::current().id),
                ..Metadata::by(self.actor.into())
            },
            idempotency: self.idempotency(request),
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(receipt) => Ok(CommandReceipt {
                position: receipt.position(),
                replayed: receipt.replayed,
                events: receipt
                    .events
                    .iter()
                    .map(|recorded| BusinessEvent::clone(&recorded.event))
                    .collect(),
            }),
            Outcome::Duplicate { position } => Ok(CommandReceipt {
                events: vec![],
                position,
                replayed: false,
            }),
            Outcome::Refused(refusal) => Err(CommandFailure::Refused(refusal)),
            Outcome::BelongsToOther(_) => Err(CommandFailure::UnknownSubject),
            Outcome::KeyReused => Err(CommandFailure::KeyReused),
            Outcome::NotOwner => Err(CommandFailure::NotRecorded {
                for_all: self.writer.records_for_all(),
            }),
            Outcome::Unknown => Err(CommandFailure::OutcomeUnknown),
            Outcome::Rejected => Err(CommandFailure::NotAppended),
        }
    }

    /// The key's namespace contains the user, so that a user never gets another user's answer.
    pub fn idempotency(&self, request: &CommandRequest) -> Option<Idempotency> {
        let user = self
            .actor
            .user_id()
            .map(|user| user.to_string())
            .unwrap_or_default();
        let namespace = format!("{}/{user}/{}", self.actor.audience(), request.operation);
        let body = request.body.to_string();
        self.key
            .map(|key| Idempotency::new(&namespace, key, body.as_bytes()))
    }

    /// Writes the row of the audit log. The ledger already has the events with the same actor and request id. If the
    /// row cannot be written, a metric and an error log report it, and the command still succeeds.
    pub async fn write_audit_log(&self, receipt: &CommandReceipt, change: Change<'_>) {
        if receipt.replayed {
            return;
        }
        let subject_id = change.subject_id.to_owned();
        let written = async {
            let client = self.pool.get().await?;
            record(&**client, self.actor, change).await?;
            Ok::<_, PlatformError>(())
        };
        if let Err(error) = written.await {
            metrics::counter!("razao_audit_entries_lost_total").increment(1);
            tracing::error!(code = "audit_entry_lost", subject_id, %error, "an action is in the ledger but not in the audit log");
        }
    }
}

impl CommandReceipt {
    /// The names of the recorded events, for the audit log.
    pub fn recorded(&self) -> Vec<&'static str> {
        self.events.iter().map(BusinessEvent::type_name).collect()
    }
}
