//! The record of the calls to the bank about a payout, and of the bank's notices.
//!
//! A row is written before its call and completed after it. If the process dies between the two, the row shows an order
//! that was asked for without an answer, and the look-up after it shows what became of the order. No decision reads these
//! rows: `outbox` decides by the row of `payout`.

use gateway_acquirers::calls::{CallFault, CallOutcome};
use ledger_domain::PayoutId;
use ledger_domain::calendar::Instant;
use ledger_rows::{FromRow, execute, fetch, params, row, value};
use reqwest::StatusCode;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::providers::payouts::{PayoutAnswer, PayoutResult};

ledger_domain::words! {
    /// order: the payment was ordered. look_up: the bank was asked about the order. notice: the bank reported.
    pub enum CallKind {
        Order = "order",
        LookUp = "look_up",
        Notice = "notice",
    }
}

ledger_domain::words! {
    /// accepted: the bank has the order and has not decided. not_found: the bank does not know the order. unknown: no
    /// answer, or one that says nothing. rejected: the bank did not take the call.
    pub enum CallResult {
        Accepted = "accepted",
        Paid = "paid",
        Failed = "failed",
        Returned = "returned",
        NotFound = "not_found",
        Unknown = "unknown",
        Rejected = "rejected",
    }
}

impl CallResult {
    pub(super) const fn of(answer: &PayoutAnswer) -> Self {
        match answer {
            CallOutcome::Answered(result) => match result {
                PayoutResult::Accepted => Self::Accepted,
                PayoutResult::Paid { .. } => Self::Paid,
                PayoutResult::Failed { .. } => Self::Failed,
            },
            CallOutcome::NotFound => Self::NotFound,
            CallOutcome::Unknown(_) => Self::Unknown,
            CallOutcome::Rejected(_) => Self::Rejected,
        }
    }
}

/// A call that is about to be made.
pub(super) struct PayoutCall {
    /// The key under which the bank pays once.
    pub payout_id: PayoutId,
    pub kind: CallKind,
    pub attempt: i32,
    pub at: Instant,
}

/// A call whose begin is recorded.
pub(super) struct BegunCall {
    step: i64,
}

impl PayoutCall {
    pub async fn begin(self, client: &impl GenericClient) -> Result<BegunCall, Error> {
        let step = value(
            client,
            "INSERT INTO payout_step (payout_id, kind, attempt, at) VALUES ($1, $2, $3, $4) RETURNING step_id",
            params![self.payout_id, self.kind, self.attempt, self.at],
        )
        .await?;
        Ok(BegunCall { step })
    }
}

impl BegunCall {
    pub async fn answered(
        self,
        client: &impl GenericClient,
        answer: &PayoutAnswer,
        status: Option<StatusCode>,
        at: Instant,
    ) -> Result<(), Error> {
        let (bank_id, reason, fault) = match answer {
            CallOutcome::Answered(PayoutResult::Accepted) => (None, None, None),
            CallOutcome::Answered(PayoutResult::Paid { names, .. }) => {
                (names.end_to_end_id.clone().filter(|id| is_id(id)), None, None)
            }
            CallOutcome::Answered(PayoutResult::Failed { reason, .. }) => {
                (None, reason.clone().filter(|reason| !reason.is_empty()), None)
            }
            CallOutcome::NotFound => (None, None, None),
            CallOutcome::Unknown(CallFault(code)) | CallOutcome::Rejected(CallFault(code)) => {
                (None, None, Some((*code).to_owned()))
            }
        };
        let status = status.and_then(|status| i16::try_from(status.as_u16()).ok());
        execute(
            client,
            // A machine's clock can be set back during the call.
            "UPDATE payout_step
                SET answered_at = greatest(at, $2), outcome = $3, http_status = $4, fault = $5, bank_id = $6, reason = $7
              WHERE step_id = $1",
            params![self.step, at, CallResult::of(answer), status, fault, bank_id, reason],
        )
        .await
        .map(drop)
    }
}

/// Whether the bank's text is an id that can be shown and stored for ever. The column has the same limit.
fn is_id(id: &str) -> bool {
    (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Records a bank's notice. One that came before is recorded already.
pub async fn record_notice(
    client: &impl GenericClient,
    payout_id: PayoutId,
    notice_id: &str,
    (outcome, reason): (CallResult, Option<&str>),
    at: Instant,
) -> Result<(), Error> {
    let reason = reason.filter(|reason| !reason.is_empty());
    execute(
        client,
        "INSERT INTO payout_step (payout_id, kind, at, answered_at, outcome, reason, notice_id)
         VALUES ($1, 'notice', $2, $2, $3, $4, $5) ON CONFLICT (payout_id, notice_id) WHERE notice_id IS NOT NULL DO NOTHING",
        params![payout_id, at, outcome, reason, notice_id],
    )
    .await
    .map(drop)
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PayoutStep {
        pub payout_id: PayoutId,
        pub kind: CallKind,
        /// The try that made the call. `None` for a notice.
        pub attempt: Option<i32>,
        pub at: Instant,
        pub answered_at: Option<Instant>,
        /// `None` if no answer is recorded.
        pub outcome: Option<CallResult>,
        pub http_status: Option<i16>,
        pub fault: Option<String>,
        pub bank_id: Option<String>,
        pub reason: Option<String>,
    }
}

/// The steps of these payouts, in the order in which they began.
pub async fn payout_steps(
    client: &impl GenericClient,
    payouts: &[PayoutId],
) -> Result<Vec<PayoutStep>, Error> {
    let payouts: Vec<Uuid> = payouts.iter().map(|payout| payout.uuid()).collect();
    let sql = format!(
        "SELECT {} FROM payout_step WHERE payout_id = ANY ($1) ORDER BY at, step_id",
        PayoutStep::COLUMNS
    );
    fetch(client, &sql, params![payouts]).await
}
