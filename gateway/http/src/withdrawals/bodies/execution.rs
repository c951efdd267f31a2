//! The steps of a transfer's execution.

use chrono::{DateTime, Utc};
use gateway_platform::effects::payouts::{CallKind, CallResult, PayoutStep};
use gateway_platform::withdrawals::ExecutionStep as Step;
use ledger_domain::business::TransferEvent;
use projections::withdrawals::TransferStep;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::author::{Author, Authors};
use crate::shared::schemas::Word;

pub type ExecutionStepKindWord = Word<ExecutionStepKind>;
pub type ExecutionOutcomeWord = Word<ExecutionOutcome>;

ledger_domain::words! {
    pub enum ExecutionStepKind {
        Requested = "requested" => "Solicitado",
        ApprovalGiven = "approval_given" => "Primeira aprovação",
        Processing = "processing" => "Pagamento iniciado",
        Order = "order" => "Pedido enviado ao banco",
        LookUp = "look_up" => "Consulta pela mesma chave",
        Notice = "notice" => "Notificação do banco",
        Paid = "paid" => "Pago",
        Refused = "refused" => "Recusado",
        Failed = "failed" => "Falhou",
        Reopened = "reopened" => "Voltou para pendente",
        Returned = "returned" => "Devolvido pelo banco",
        Made = "made" => "Ajuste feito",
        Charged = "charged" => "Aluguel cobrado",
        Canceled = "canceled" => "Aluguel cancelado",
    }
}

ledger_domain::words! {
    /// waiting: the call was made, and no answer is recorded yet. no_answer: none came, or one that says nothing.
    /// unrecorded: the program stopped between the call and its record. not_found: the bank does not know the order.
    /// rejected: the bank did not take the call. Sellers read no_answer instead of unrecorded and rejected.
    pub enum ExecutionOutcome {
        Waiting = "waiting" => "aguardando resposta",
        Accepted = "accepted" => "em processamento no banco",
        Paid = "paid" => "banco confirmou: pago",
        Failed = "failed" => "banco não pagou",
        Returned = "returned" => "banco devolveu",
        NotFound = "not_found" => "o banco não tem este pedido",
        NoAnswer = "no_answer" => "sem resposta",
        Unrecorded = "unrecorded" => "resposta não registrada",
        Rejected = "rejected" => "o banco não aceitou a chamada",
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferExecution {
    /// In the order of recording.
    pub data: Vec<ExecutionStep>,
}

/// A step of a transfer's execution: an event of the ledger, a call to the bank or a notice of the bank.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExecutionStep {
    pub kind: ExecutionStepKindWord,
    /// UTC instant of the event, of the call's begin or of the notice's arrival. A bank's result has the bank's time.
    pub at: DateTime<Utc>,
    /// UTC instant of the answer to a call. Null without an answer, and for other steps.
    #[schema(required = true)]
    pub answered_at: Option<DateTime<Utc>>,
    /// Null for calls, which the platform makes.
    #[schema(required = true)]
    pub author: Option<Author>,
    /// The payout: the idempotency key of its calls. Null for steps without a payout.
    #[schema(required = true, example = "pay_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b09")]
    pub key: Option<String>,
    /// The number of the try that made the call, from 1. A try looks an uncertain order up before it sends it again.
    #[schema(required = true, example = 1)]
    pub attempt: Option<i32>,
    /// What the bank said. Null for the ledger's events.
    #[schema(required = true)]
    pub outcome: Option<ExecutionOutcomeWord>,
    /// The status of the bank's last response to the call. Null for sellers.
    #[schema(required = true, example = 200)]
    pub http_status: Option<i16>,
    /// Why the call has no answer: a fixed code, such as timeout. Null for sellers.
    #[schema(required = true, example = json!(null))]
    pub fault: Option<String>,
    /// The bank's id of the payment, such as the end-to-end id of a PIX.
    #[schema(required = true, example = "E9999901020261127135247f5a1b09a2c")]
    pub bank_id: Option<String>,
    /// The reason of the bank or of staff. The seller can read it.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
}

impl ExecutionStep {
    /// `None` for a step that the reader does not see.
    pub fn of(step: Step, authors: &Authors) -> Option<Self> {
        match step {
            Step::Event(step) => Self::of_event(step, authors),
            Step::Call { call, is_over } => Some(Self::of_call(call, is_over, authors.viewer_is_staff())),
        }
    }

    fn of_event(step: TransferStep, authors: &Authors) -> Option<Self> {
        use TransferEvent as Of;
        let (kind, payout, reason) = match step.event {
            Of::TransferRequested(_) => (ExecutionStepKind::Requested, None, None),
            // How many users approve a withdrawal is only for staff.
            Of::TransferApprovalGiven(_) if !authors.viewer_is_staff() => return None,
            Of::TransferApprovalGiven(_) => (ExecutionStepKind::ApprovalGiven, None, None),
            Of::TransferProcessing(event) => (ExecutionStepKind::Processing, event.payout_id, None),
            Of::TransferApproved(event) => (ExecutionStepKind::Paid, event.payout_id, None),
            Of::TransferRefused(event) => (ExecutionStepKind::Refused, None, Some(event.reason)),
            Of::TransferFailed(event) => (ExecutionStepKind::Failed, event.payout_id, event.reason),
            Of::TransferReopened(_) => (ExecutionStepKind::Reopened, None, None),
            Of::TransferReturned(event) => (ExecutionStepKind::Returned, event.payout_id, event.reason),
            Of::ManualTransferMade(event) => (ExecutionStepKind::Made, None, Some(event.description)),
            Of::TerminalRentalCharged(_) => (ExecutionStepKind::Charged, None, None),
            Of::TerminalRentalCanceled(event) => (ExecutionStepKind::Canceled, None, event.reason),
        };
        Some(Self {
            kind: kind.into(),
            at: step.occurred_at,
            answered_at: None,
            author: Some(authors.of(&step.actor).unwrap_or(Author::PLATFORM)),
            key: payout.map(|id| id.to_string()),
            attempt: None,
            outcome: None,
            http_status: None,
            fault: None,
            bank_id: None,
            reason,
        })
    }

    fn of_call(call: PayoutStep, is_over: bool, is_staff: bool) -> Self {
        let kind = match call.kind {
            CallKind::Order => ExecutionStepKind::Order,
            CallKind::LookUp => ExecutionStepKind::LookUp,
            CallKind::Notice => ExecutionStepKind::Notice,
        };
        Self {
            kind: kind.into(),
            at: call.at,
            answered_at: call.answered_at.filter(|_| call.kind != CallKind::Notice),
            author: None,
            key: Some(call.payout_id.to_string()),
            attempt: call.attempt,
            outcome: Some(outcome(call.outcome, is_over, is_staff).into()),
            http_status: call.http_status.filter(|_| is_staff),
            fault: call.fault.filter(|_| is_staff),
            bank_id: call.bank_id,
            reason: call.reason,
        }
    }
}

const fn outcome(recorded: Option<CallResult>, is_over: bool, is_staff: bool) -> ExecutionOutcome {
    match recorded {
        None if !is_over => ExecutionOutcome::Waiting,
        None if is_staff => ExecutionOutcome::Unrecorded,
        Some(CallResult::Rejected) if is_staff => ExecutionOutcome::Rejected,
        None | Some(CallResult::Rejected | CallResult::Unknown) => ExecutionOutcome::NoAnswer,
        Some(CallResult::Accepted) => ExecutionOutcome::Accepted,
        Some(CallResult::Paid) => ExecutionOutcome::Paid,
        Some(CallResult::Failed) => ExecutionOutcome::Failed,
        Some(CallResult::Returned) => ExecutionOutcome::Returned,
        Some(CallResult::NotFound) => ExecutionOutcome::NotFound,
    }
}
