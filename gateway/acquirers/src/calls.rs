//! HTTP calls to acquirers, banks and other providers, and their answers.
//!
//! An order here is one request to move money. It can be looked up by our id, which is also its idempotency key at
//! providers that take one.

use std::cell::Cell;
use std::time::Duration;

use gateway_formats::boleto::Barcode;
use gateway_formats::card_numbers::mask_card_numbers;
use gateway_formats::plain_text;
use gateway_outbox::trace::{Span, SpanKind};
use gateway_outbox::{Fault, Health};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;

use crate::charge::{ChargeAnswer, ChargeState};
pub use crate::tls::client_builder;

/// A signed notice's reason has the same limit (`providers/canonical/mod.rs` of the platform).
const REASON_CHARACTERS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome<Answer> {
    Answered(Answer),
    /// The look-up found nothing.
    NotFound,
    /// The provider may have executed the request or not: a time-out, a broken connection, too many requests, an error
    /// of the provider or an answer that cannot be read. The caller looks the order up before it sends the request
    /// again.
    Unknown(CallFault),
    /// The provider rejected the request. For example, the configuration is wrong, the provider does not offer the
    /// operation, or it is too late for it. The code is the reason.
    Rejected(CallFault),
}

/// A fixed code, which rows of outboxes keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallFault(pub &'static str);

impl From<CallFault> for Fault {
    fn from(fault: CallFault) -> Self {
        Self::code(fault.0)
    }
}

/// The faults of a provider that cannot be reached, or fails whatever it is asked. Not `rate_limited`: the orders then
/// wait one by one, so that the provider gets fewer calls. Other faults are about one order.
const OUTAGE: [&str; 4] = ["timeout", "unreachable", "connection_lost", "server_error"];

impl<Answer> CallOutcome<Answer> {
    /// What the answer shows about the provider. A rejection may be made without a call.
    pub fn health(&self) -> Health {
        match self {
            Self::Answered(_) | Self::NotFound => Health::Answers,
            Self::Unknown(CallFault(fault)) if OUTAGE.contains(fault) => Health::Silent,
            Self::Unknown(_) | Self::Rejected(_) => Health::Unsaid,
        }
    }

    /// `None` if the look-up found nothing. Any other answer, failures too, is returned as it is.
    pub fn none_if_not_found(self) -> Option<Self> {
        match self {
            Self::NotFound => None,
            other => Some(other),
        }
    }

    /// For a call that creates something: a 404 then means a wrong account or base URL.
    pub(crate) fn not_found_is_rejected(self) -> Self {
        match self {
            Self::NotFound => Self::Rejected(CallFault("no_such_account")),
            known => known,
        }
    }

    pub fn map<Other>(self, convert: impl FnOnce(Answer) -> Other) -> CallOutcome<Other> {
        self.and_then(|answer| CallOutcome::Answered(convert(answer)))
    }

    /// As `Result::and_then`: the conversion may fail too.
    pub fn and_then<Other>(self, convert: impl FnOnce(Answer) -> CallOutcome<Other>) -> CallOutcome<Other> {
        match self.into_result() {
            Ok(answer) => convert(answer),
            Err(failure) => failure,
        }
    }

    /// `Ok` with the answer, or `Err` with the failure, typed for another answer.
    pub(crate) fn into_result<Other>(self) -> Result<Answer, CallOutcome<Other>> {
        match self {
            Self::Answered(answer) => Ok(answer),
            Self::NotFound => Err(CallOutcome::NotFound),
            Self::Unknown(fault) => Err(CallOutcome::Unknown(fault)),
            Self::Rejected(fault) => Err(CallOutcome::Rejected(fault)),
        }
    }
}

/// A client for calls to one provider. It follows no redirects, which would carry a buyer's data elsewhere.
pub fn client(timeout: Duration) -> Result<Client, reqwest::Error> {
    client_builder().timeout(timeout).redirect(Policy::none()).build()
}

/// Sends a request to a provider that uses HTTP statuses in their standard meaning, and reads the response. 409 means
/// that the idempotency key belongs to another order.
pub async fn send_and_read<Body: DeserializeOwned>(request: RequestBuilder) -> CallOutcome<Body> {
    match send(request).await {
        Ok(response) => response.read(),
        Err(fault) => CallOutcome::Unknown(fault),
    }
}

tokio::task_local! {
    /// The status of the last response of an observed call.
    static LAST_STATUS: Cell<Option<StatusCode>>;
}

/// Runs a call, and returns the status of its last response too: for the record of what was asked. `None` if no response
/// came. The adapters' answers have no statuses, because no decision depends on them.
pub async fn with_status<F: Future>(call: F) -> (F::Output, Option<StatusCode>) {
    let observed = async {
        let answer = call.await;
        (answer, LAST_STATUS.with(Cell::get))
    };
    LAST_STATUS.scope(Cell::new(None), observed).await
}

/// A response whose status the adapter reads.
pub struct Response {
    pub status: StatusCode,
    /// For logs.
    host: String,
    body: Vec<u8>,
}

/// Longer responses are unreadable.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

pub async fn send(request: RequestBuilder) -> Result<Response, CallFault> {
    // Outside of `with_status`, no one asks for it.
    let note = |status| LAST_STATUS.try_with(|last| last.set(status)).unwrap_or(());
    note(None);
    let span = Span::start("call of a provider", SpanKind::Client);
    let sent = request.send().await.map_err(|error| fault(&error));
    let mut response = sent.inspect_err(|CallFault(fault)| span.fail(*fault))?;
    let status = response.status();
    span.set("http.response.status_code", i64::from(status.as_u16()));
    span.set_with("server.address", || {
        response.url().host_str().unwrap_or_default().to_owned()
    });
    note(Some(status));
    let host = response.url().host_str().unwrap_or_default().to_owned();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| fault(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > BODY_BYTES_MAX {
            return Err(UNREADABLE);
        }
    }
    Ok(Response { status, host, body })
}

impl Response {
    /// Whether the provider rejected the request. After a 408 or a 429 the same request can succeed.
    pub fn is_rejected(&self) -> bool {
        self.status.is_client_error()
            && !matches!(
                self.status,
                StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
            )
    }

    /// The answer by the standard meaning of the status.
    pub fn read<Body: DeserializeOwned>(&self) -> CallOutcome<Body> {
        match self.status {
            StatusCode::OK | StatusCode::CREATED | StatusCode::ACCEPTED => match self.json() {
                Ok(body) => CallOutcome::Answered(body),
                Err(fault) => CallOutcome::Unknown(fault),
            },
            // An id in the URL is unknown. A call that creates something adds `not_found_is_rejected`.
            StatusCode::NOT_FOUND => CallOutcome::NotFound,
            StatusCode::CONFLICT => CallOutcome::Rejected(CallFault("key_reused")),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                tracing::error!(status = %self.status, host = self.host, "a provider rejected our API key");
                CallOutcome::Rejected(CallFault("not_authorized"))
            }
            StatusCode::REQUEST_TIMEOUT => CallOutcome::Unknown(CallFault("timeout")),
            StatusCode::TOO_MANY_REQUESTS => CallOutcome::Unknown(CallFault("rate_limited")),
            status if status.is_server_error() => CallOutcome::Unknown(CallFault("server_error")),
            status => {
                tracing::error!(%status, host = self.host, "a provider rejected a request");
                CallOutcome::Rejected(CallFault("not_taken"))
            }
        }
    }

    pub fn json<Body: DeserializeOwned>(&self) -> Result<Body, CallFault> {
        serde_json::from_slice(&self.body).map_err(|_| UNREADABLE)
    }
}

/// The answer to a refund that an acquirer rejected. `look_up` shows whether an earlier call refunded the charge.
pub(crate) fn rejected_refund(look_up: ChargeAnswer) -> ChargeAnswer {
    match look_up {
        CallOutcome::Answered(charge) if charge.state != ChargeState::Refunded => {
            CallOutcome::Rejected(CallFault("not_refundable"))
        }
        other => other,
    }
}

/// The digits of a boleto's digitable line. Acquirers send the line or the barcode under one name: a barcode, of 44
/// digits, is converted. Other digits are not checked here; `check_boleto` of `gateway-formats` checks them before a
/// buyer sees them.
pub(crate) fn boleto_line(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if digits.len() == Barcode::LENGTH {
        return Some(Barcode::parse(&digits).ok()?.line().as_str().to_owned());
    }
    Some(digits)
}

pub const UNREADABLE: CallFault = CallFault("unreadable_answer");

/// Makes a provider's reason safe to show and to store forever: short, without card numbers and without control
/// characters.
pub fn sanitized(reason: &str) -> String {
    let printable: String = reason
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    // It is truncated after masking, because half a card number would not be found.
    let cleaned = plain_text::clean(&printable);
    let masked = mask_card_numbers(&cleaned);
    masked.chars().take(REASON_CHARACTERS_MAX).collect()
}

fn fault(error: &reqwest::Error) -> CallFault {
    CallFault(if error.is_timeout() {
        "timeout"
    } else if error.is_connect() {
        "unreachable"
    } else {
        "connection_lost"
    })
}

#[cfg(test)]
mod tests {
    use gateway_outbox::Health;

    use super::{CallFault, CallOutcome, sanitized};

    /// A rate limit must not end the pauses of other orders, nor start the look-ups of an outage.
    #[test]
    fn a_provider_is_silent_if_it_cannot_be_reached_or_fails() {
        let unknown = |code| CallOutcome::<()>::Unknown(CallFault(code)).health();
        for code in ["timeout", "unreachable", "connection_lost", "server_error"] {
            assert_eq!(unknown(code), Health::Silent, "{code}");
        }
        for code in ["rate_limited", "unreadable_answer", "unlisted_status"] {
            assert_eq!(unknown(code), Health::Unsaid, "{code}");
        }
        let rejected = CallOutcome::<()>::Rejected(CallFault("not_configured"));
        assert_eq!(rejected.health(), Health::Unsaid);
        assert_eq!(CallOutcome::<()>::NotFound.health(), Health::Answers);
        assert_eq!(CallOutcome::Answered(()).health(), Health::Answers);
    }

    #[test]
    fn a_reason_holds_no_card_number_and_is_cut_to_its_limit() {
        assert_eq!(
            sanitized("card 4242424242424242\n refused"),
            "card 424242******4242 refused"
        );
        assert_eq!(
            sanitized("na\u{303}o 4242\u{200b}424242424242"),
            "não 424242******4242"
        );
        let long = format!("{}4242424242424242", "a".repeat(190));
        assert_eq!(sanitized(&long), format!("{}424242****", "a".repeat(190)));
    }
}
