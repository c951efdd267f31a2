//! Users' commands over HTTP: the ledger as a request reaches it, and the headers of the answer.

use axum::http::{HeaderMap, HeaderValue};
use gateway_identity::audit::Actor;
pub use gateway_platform::commands::{CommandFailure, CommandReceipt, CommandRequest};
use gateway_platform::commands::{KEY_REUSED, UserCommands};
use projections::{Freshness, READ_YOUR_WRITES_MAX, ReadModelGroup};

use crate::AppState;
use crate::edge::idempotency::{IdempotencyKey, REPLAYED};
use crate::edge::position::{POSITION, STALE};
use crate::problem::Problem;

impl AppState {
    /// The ledger for the commands of a request.
    pub fn commands<'a>(&'a self, actor: Actor, key: &'a IdempotencyKey) -> UserCommands<'a> {
        UserCommands {
            writer: &self.writer,
            pool: &self.pool,
            ids: &self.ids,
            actor,
            key: key.0.as_deref(),
        }
    }
}

impl From<CommandFailure> for Problem {
    fn from(failure: CommandFailure) -> Self {
        use CommandFailure as F;
        match failure {
            F::Refused(refusal) => refusal.into(),
            F::UnknownSubject => Self::not_found(),
            F::KeyReused => Self::conflict(KEY_REUSED),
            F::NotRecorded { for_all } => Self::not_recorded(for_all),
            F::OutcomeUnknown => Self::outcome_unknown(),
            F::NotAppended | F::EventMissing => Self::internal(failure),
            F::Platform(error) => error.into(),
        }
    }
}

/// The headers of an answer to a command.
pub trait ReceiptHeaders {
    fn headers(&self) -> HeaderMap;

    /// Waits until the read models have applied the events. If they are late, the headers mark the response as stale.
    fn headers_when_visible(
        &self,
        state: &AppState,
        models: &[ReadModelGroup],
    ) -> impl Future<Output = Result<HeaderMap, Problem>> + Send;
}

impl ReceiptHeaders for CommandReceipt {
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Ok(position) = HeaderValue::from_str(&self.position.to_string()) {
            headers.insert(POSITION, position);
        }
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        headers
    }

    async fn headers_when_visible(
        &self,
        state: &AppState,
        models: &[ReadModelGroup],
    ) -> Result<HeaderMap, Problem> {
        let freshness = state
            .wake
            .wait_for(&state.pool, models, &self.position, READ_YOUR_WRITES_MAX)
            .await?;
        let mut headers = self.headers();
        if matches!(freshness, Freshness::Stale) {
            headers.insert(STALE, HeaderValue::from_static("true"));
        }
        Ok(headers)
    }
}
