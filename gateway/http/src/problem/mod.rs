//! Converts every error into the client's answer: application/problem+json (RFC 9457) with a message in Portuguese.
//! The text of an internal error is logged here and never sent.

mod account;
mod adjustments;
mod platform;
mod storage;
mod terminals;
mod users;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use gateway_environment::request_context;
use gateway_platform::reconciliation::ImplausibleDate;
use ledger_domain::business::{HoldRefusal, Refusal, TransferRefusal};
use ledger_domain::sale::CardBrand;
use ledger_domain::transfer::TransferStatus;
use serde::Serialize;
use utoipa::ToSchema;

use crate::spreadsheet::SheetError;

pub type Result<T, E = Problem> = std::result::Result<T, E>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub status: StatusCode,
    /// A URI that identifies the kind of problem, if the status alone is not enough.
    pub kind: &'static str,
    /// The text for the user, in Portuguese.
    pub message: Cow<'static, str>,
    /// Messages by field name (422 only).
    pub errors: BTreeMap<String, Vec<String>>,
    /// The status of the sale or the transfer that forbids the request (409), or the federal state of an unknown
    /// postal code (404).
    pub state: Option<&'static str>,
    /// 406 only. Boxed, because the size of `Problem` is part of the size of every `Result`.
    pub balance: Option<Box<BalanceShort>>,
    /// The brand that the acquirer reads from a card, if the buyer named another one (422 only).
    pub card_brand: Option<Box<CardBrand>>,
    pub retry_after_seconds: Option<u64>,
}

pub(crate) const COMPANY_UNKNOWN: &str = "Empresa não encontrada.";

/// A request that names one company in its body and another one in its query.
pub(crate) const OTHER_COMPANY: &str = "A empresa da URL e a do corpo são diferentes.";

pub(crate) const GROUP_NOT_ASSIGNABLE: &str = "Você não pode atribuir este grupo nesta empresa.";

/// The amount that a reversal of a sale needs, the balance that can cover it, and the date from which it suffices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct BalanceShort {
    /// The net amount of a cancel or the gross amount of a dispute, in cents.
    #[schema(example = 29_100)]
    pub needed: i64,
    /// The available balance plus the part of this sale that staff hold, in cents.
    #[schema(example = 12_500)]
    pub available: i64,
    /// The first due date on which the balance and the receivables due by then suffice. Null if all receivables are not
    /// enough, or while their schedule is not up to date.
    #[schema(required = true, example = "2026-12-21")]
    pub covered_on: Option<NaiveDate>,
}

/// The wire form of every error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// The kind of problem: `about:blank`, or a path such as `/problems/duplicate-transfer`.
    #[schema(example = "about:blank")]
    pub r#type: &'static str,
    /// The reason phrase of the status.
    #[schema(example = "Unprocessable Entity")]
    pub title: &'static str,
    /// The HTTP status.
    #[schema(example = 422)]
    pub status: u16,
    /// A text for the user, in Portuguese.
    #[schema(example = "Confira os campos destacados.")]
    pub message: Cow<'static, str>,
    /// Messages by field name (422 only).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, example = json!({ "email": ["Email é requerido."] }))]
    pub errors: BTreeMap<String, Vec<String>>,
    /// The status of the sale or of the transfer that forbids the request (409), or the federal state of an unknown
    /// postal code (404).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, example = "canceled")]
    pub state: Option<&'static str>,
    /// The missing balance, if it is too low to reverse a sale (406 only). Absent for roles that may not see the
    /// balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub balance: Option<BalanceShort>,
    /// The brand that the acquirer reads from a card, if the buyer named another one with another total (422 only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, example = "elo")]
    pub card_brand: Option<String>,
    /// The id under which the log holds the request.
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b09")]
    pub request_id: String,
}

/// The status alone describes the problem (RFC 9457, 4.2.1).
const NO_KIND: &str = "about:blank";
/// The client may repeat the request with the user's confirmation.
const DUPLICATE_TRANSFER: &str = "/problems/duplicate-transfer";
/// The client may repeat the request with the user's confirmation.
const RETURNED_DESTINATION: &str = "/problems/returned-destination";
/// An approval of a company that lacks documents. Owners and admins may repeat it with a reason.
const DOCUMENTS_MISSING: &str = "/problems/documents-missing";
/// The client may repeat the request with the user's confirmation.
const SETTLEMENT_FILE_DATE: &str = "/problems/settlement-file-date";
/// The user may wait for receivables to become due, or sell more.
const BALANCE_TOO_SHORT: &str = "/problems/balance-too-short";

/// Another process records for the company. A balancer sends the repetition to it if it asks `/readyz`.
const OTHER_PROCESS_RECORDS: &str = "/problems/other-process-records";
/// No process can record now, for example because the database takes no writes.
const LEDGER_UNAVAILABLE: &str = "/problems/ledger-unavailable";
/// The user has to set a password of their own by a link.
const PROVISIONAL_PASSWORD: &str = "/problems/provisional-password";

/// The seconds of `Retry-After` while this process cannot serve. A failed task starts again after 0.1 to 5 seconds
/// (`ledger_store::supervisor`). This value and the two below are estimates; no requirement fixes them.
const RETRY_AFTER_OUTAGE: u64 = 1;
/// While other requests of the same kind are running.
const RETRY_AFTER_RUNNING: u64 = 2;
/// After a provider did not answer. Longer than `RETRY_AFTER_OUTAGE`, so that a slow provider gets fewer calls.
const RETRY_AFTER_PROVIDER: u64 = 5;

impl Problem {
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            kind: NO_KIND,
            message: message.into(),
            errors: BTreeMap::new(),
            state: None,
            balance: None,
            card_brand: None,
            retry_after_seconds: None,
        }
    }

    /// A 400: the body, the query or the path cannot be decoded, so no field can be named.
    pub fn unreadable() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "Não conseguimos ler os dados enviados. Recarregue a página e tente de novo.",
        )
    }

    /// The session is missing or expired. The panels get no other 401, because they refresh the session after it.
    pub fn signed_out() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Sua sessão expirou. Entre de novo.")
    }

    pub fn forbidden() -> Self {
        let message = "Você não tem permissão para fazer isso. Peça a um administrador.";
        Self::new(StatusCode::FORBIDDEN, message)
    }

    pub fn not_found() -> Self {
        let message = "Não encontramos o que você procura. Pode ter sido removido ou ser de outra empresa.";
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// A 409: the approval of a company asks for documents that it does not have.
    pub fn documents_missing(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind: DOCUMENTS_MISSING,
            ..Self::conflict(message)
        }
    }

    /// A 409: the date in the file is so far from today that it may be the wrong file.
    pub fn settlement_file_date(found: ImplausibleDate, today: NaiveDate) -> Self {
        let (of_what, date) = match found {
            ImplausibleDate::OfFile(date) => ("é do dia", date),
            ImplausibleDate::OfPayments(date) => ("tem pagamentos do dia", date),
        };
        let days = (date - today).num_days();
        let distance = if days > 0 {
            format!("daqui a {days} dias")
        } else {
            format!("de {} dias atrás", -days)
        };
        let date = date.format("%d/%m/%Y");
        Self {
            kind: SETTLEMENT_FILE_DATE,
            ..Self::conflict(format!(
                "O arquivo {of_what} {date}, {distance}. Confira se é o arquivo certo antes de importar."
            ))
        }
    }

    /// A 409 because of the status of the sale or the transfer.
    fn forbidden_by(state: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            state: Some(state),
            ..Self::conflict(message)
        }
    }

    /// The balance does not cover the reversal of a sale. Pass `balance` only for roles that may see it.
    pub fn balance_too_short(message: impl Into<Cow<'static, str>>, balance: Option<BalanceShort>) -> Self {
        Self {
            kind: BALANCE_TOO_SHORT,
            balance: balance.map(Box::new),
            ..Self::new(StatusCode::NOT_ACCEPTABLE, message)
        }
    }

    /// A 422 that belongs to no field.
    pub fn unprocessable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub fn fields(errors: BTreeMap<String, Vec<String>>) -> Self {
        Self {
            errors,
            ..Self::unprocessable("Confira os campos destacados.")
        }
    }

    pub fn field(name: &str, message: &str) -> Self {
        Self::fields(BTreeMap::from([(name.to_owned(), vec![message.to_owned()])]))
    }

    /// A 422: a reason that stays in the ledger or in the audit log has data of the buyer.
    pub fn names_buyer() -> Self {
        let message = "O motivo não pode ser apagado depois: escreva sem dados do comprador.";
        Self::field("reason", message)
    }

    pub fn too_many_requests(retry_after_seconds: u64) -> Self {
        let message = "Muitas tentativas.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, message).retry_after(retry_after_seconds)
    }

    /// The user, the company or the caller already has as many running requests of this kind as are allowed.
    pub fn too_many_at_once(message: &'static str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message).retry_after(RETRY_AFTER_RUNNING)
    }

    pub fn unavailable() -> Self {
        let message = "Serviço indisponível no momento. Tente de novo em instantes.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(RETRY_AFTER_OUTAGE)
    }

    /// The ledger of this process recorded nothing, and a repetition may be recorded. `kind` says why. `for_all`: the
    /// commands of every company are recorded, here or by other processes.
    pub fn not_recorded(for_all: bool) -> Self {
        let unavailable = Self::unavailable();
        if for_all {
            return Self {
                kind: LEDGER_UNAVAILABLE,
                ..unavailable
            };
        }
        Self {
            kind: OTHER_PROCESS_RECORDS,
            message: "Este servidor não registra operações agora. Tente de novo em instantes.".into(),
            ..unavailable
        }
    }

    /// The command may or may not be recorded. A repeat with the same `Idempotency-Key` gets the answer and never
    /// records a second event.
    pub fn outcome_unknown() -> Self {
        let message = "Não sabemos se a operação foi concluída. Antes de tentar de novo, veja se ela já aparece no extrato ou na lista.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(RETRY_AFTER_OUTAGE)
    }

    /// The provider did not answer the activation of a terminal. The request can be repeated with the same token.
    pub fn provider_silent() -> Self {
        let message = "A adquirente não respondeu, e nada foi registrado. Tente de novo com o mesmo token.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(RETRY_AFTER_PROVIDER)
    }

    /// A 500 with a general message and the request's id. The log holds the error under that id.
    pub fn internal(error: impl Display) -> Self {
        tracing::error!(%error, "request failed");
        Self::unexplained()
    }

    /// A 500 with a general message. A caller that knows the error uses `internal`, which logs it.
    pub(crate) fn unexplained() -> Self {
        let message = "Algo deu errado do nosso lado. Tente de novo em instantes.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    fn retry_after(self, seconds: u64) -> Self {
        Self {
            retry_after_seconds: Some(seconds.max(1)),
            ..self
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = ProblemBody {
            r#type: self.kind,
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            message: self.message,
            errors: self.errors,
            state: self.state,
            balance: self.balance.map(|balance| *balance),
            card_brand: self.card_brand.map(|brand| brand.to_string()),
            request_id: request_context::current().id,
        };
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Maps a refusal of the ledger. An unknown subject is a 404, a wrong field or a missing receiving plan a 422, and a
/// balance that is too low for a reversal a 406. The others are a 409, because the state of the company, the sale or
/// the transfer forbids them.
impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        use Refusal as R;
        let message = refusal.message();
        match refusal {
            R::UnknownBusiness | R::UnknownSale => Self::not_found(),
            R::AmountOutOfRange | R::MoreThanLeft { .. } => Self::field("amount", &message),
            R::Transfer(refusal) => refusal.into(),
            R::Hold(refusal) => refusal.into(),
            R::StatusForbids(status) => Self::forbidden_by(status.as_str(), message),
            // Without the figures, because this conversion does not know whether the user may see the balance.
            R::BalanceTooShort { .. } => Self::balance_too_short(message, None),
            R::BusinessNotActive
            | R::NoPlan(_)
            | R::NoFee
            | R::TermsNeededAt(_)
            | R::TerminalOfAnotherBusiness
            | R::AmountDiffers { .. }
            | R::SaleDiffers
            | R::NameDiffers { .. }
            | R::SecondPayment
            | R::CaptureAndVoidAtOnce
            | R::NotCaptured
            | R::DisputeNotOpened(_)
            | R::AnotherDisputeOpen(_)
            | R::DisputeWon(_)
            | R::DisputeLost(_)
            | R::RefundDuringDispute(_)
            | R::RefundUnanswered(_)
            | R::RefundUnnamed
            | R::UnknownRefund(_)
            | R::NotARental
            | R::Installments(_)
            | R::NotDueYet(_) => Self::conflict(message),
        }
    }
}

impl From<TransferRefusal> for Problem {
    fn from(refusal: TransferRefusal) -> Self {
        use TransferRefusal as R;
        let message = refusal.message();
        match refusal {
            R::UnknownTransfer => Self::not_found(),
            R::NoReceivingPlan => Self::unprocessable(message),
            R::NoDestination(_) => Self::field("destination", &message),
            R::BelowMinimum(_) | R::BelowManualMinimum(_) | R::AboveAvailable | R::AboveDebt(_) => {
                Self::field("amount", &message)
            }
            R::ReasonMissing => Self::field("reason", &message),
            R::DescriptionMissing => Self::field("description", &message),
            R::PossibleDuplicate(_) => Self {
                kind: DUPLICATE_TRANSFER,
                ..Self::conflict(message)
            },
            R::DestinationReturned => Self {
                kind: RETURNED_DESTINATION,
                ..Self::conflict(message)
            },
            R::StatusForbids(status) => Self::forbidden_by(status.slug(), message),
            R::Returned => Self::forbidden_by(TransferStatus::Failed.slug(), message),
            R::BusinessNotActive
            | R::NotAWithdrawal
            | R::PayoutInFlight
            | R::ApprovalMissing
            | R::ApprovalGiven
            | R::SameApprover
            | R::NothingToPayOut
            | R::PayoutUsed
            | R::AnotherPayoutInFlight
            | R::PaidTwice
            | R::PaidAfterReturn => Self::conflict(message),
        }
    }
}

impl From<HoldRefusal> for Problem {
    fn from(refusal: HoldRefusal) -> Self {
        use HoldRefusal as R;
        let message = refusal.message();
        match refusal {
            R::Unknown(_) => Self::not_found(),
            R::AboveHeld { .. } => Self::field("amount", &message),
            R::CourtOrderIncomplete => Self::field("case_number", &message),
            R::ReceiptMissing => Self::field("receipt", &message),
            R::KindForbids(_) | R::CourtOrderKnown(_) | R::TooMany => Self::conflict(message),
        }
    }
}

impl From<SheetError> for Problem {
    fn from(error: SheetError) -> Self {
        match error {
            SheetError::TooManyRows => Self::unprocessable(
                "A planilha tem mais de 1.048.575 linhas, o limite do Excel. Escolha um período menor.",
            ),
            SheetError::Workbook(_) | SheetError::File(_) => Self::internal(error),
        }
    }
}
