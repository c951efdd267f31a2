//! Submits a user's command to the ledger. The actor goes into the events' metadata, and the caller's key into the
//! ledger's idempotency key. The ledger decides whether the command is allowed; the route's guard has checked who may
//! send it.

use axum::http::{HeaderMap, HeaderValue};
use gateway_environment::request_context;
use gateway_identity::audit::{Actor, Change, record};
use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, BusinessEvent, Refusal};
use ledger_store::{Idempotency, LedgerPosition, Metadata, Outcome, Submission};
use projections::{Freshness, ReadModelGroup};
use serde_json::Value;

use crate::AppState;
use crate::edge::idempotency::{IdempotencyKey, REPLAYED};
use crate::edge::idempotency_store::KEY_REUSED;
use crate::edge::position::{POSITION, STALE, WAIT_MAX};
use crate::problem::Problem;

/// The actor and the idempotency key of a command.
pub struct CommandContext<'a> {
    pub state: &'a AppState,
    pub actor: Actor,
    pub key: &'a IdempotencyKey,
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

pub enum CommandFailure {
    /// Refused by the ledger's rules. Some callers handle the refusal.
    Refused(Refusal),
    Failed(Problem),
}

impl From<CommandFailure> for Problem {
    fn from(failure: CommandFailure) -> Self {
        match failure {
            CommandFailure::Refused(refusal) => refusal.into(),
            CommandFailure::Failed(problem) => problem,
        }
    }
}

impl CommandContext<'_> {
    pub(crate) async fn submit(
        &self,
        business_id: BusinessId,
        request: &CommandRequest,
        command: BusinessCommand,
    ) -> Result<CommandReceipt, CommandFailure> {
        let submission = Submission {
            command_id: self.state.ids.new_uuid(),
            business_id,
            command,
            metadata: Metadata {
                request_id: Some(request_context::current().id),
                ..Metadata::by(self.actor.into())
            },
            idempotency: self.idempotency(request),
        };
        match self.state.writer.submit(submission).await {
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
            Outcome::BelongsToOther(_) => Err(CommandFailure::Failed(Problem::not_found())),
            Outcome::KeyReused => Err(CommandFailure::Failed(Problem::conflict(KEY_REUSED))),
            Outcome::NotOwner => Err(CommandFailure::Failed(Problem::unavailable())),
            Outcome::Unknown => Err(CommandFailure::Failed(Problem::outcome_unknown())),
            Outcome::Rejected => Err(CommandFailure::Failed(Problem::internal(
                "the ledger could not append a user's command",
            ))),
        }
    }

    /// The key's namespace contains the user, so that a user never gets another user's answer.
    fn idempotency(&self, request: &CommandRequest) -> Option<Idempotency> {
        let key = self.key.0.as_ref()?;
        let user = self
            .actor
            .user_id()
            .map(|user| user.to_string())
            .unwrap_or_default();
        let namespace = format!("{}/{user}/{}", self.actor.audience(), request.operation);
        Some(Idempotency::new(
            &namespace,
            key,
            request.body.to_string().as_bytes(),
        ))
    }

    /// Writes the row of the audit log. The ledger already has the events with the same actor and request id. If the
    /// row cannot be written, a metric and an error log report it, and the command still succeeds.
    pub(crate) async fn write_audit_log(&self, receipt: &CommandReceipt, change: Change<'_>) {
        if receipt.replayed {
            return;
        }
        let subject_id = change.subject_id.to_owned();
        let written = async {
            let db = self.state.db().await?;
            record(&*db, self.actor, change).await.map_err(Problem::from)
        };
        if let Err(problem) = written.await {
            metrics::counter!("razao_audit_entries_lost_total").increment(1);
            tracing::error!(code = "audit_entry_lost", subject_id, message = %problem.message, "an action is in the ledger but not in the audit log");
        }
    }
}

impl CommandReceipt {
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Ok(position) = HeaderValue::from_str(&self.position.to_string()) {
            headers.insert(POSITION, position);
        }
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        headers
    }

    /// Waits until the read models have applied the events. If they are late, the headers mark the response as stale.
    pub(crate) async fn headers_when_visible(
        &self,
        state: &AppState,
        models: &[ReadModelGroup],
    ) -> Result<HeaderMap, Problem> {
        let freshness = state
            .wake
            .wait_for(&state.pool, models, &self.position, WAIT_MAX)
            .await?;
        let mut headers = self.headers();
        if matches!(freshness, Freshness::Stale) {
            headers.insert(STALE, HeaderValue::from_static("true"));
        }
        Ok(headers)
    }
}
