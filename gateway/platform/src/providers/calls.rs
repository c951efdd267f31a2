//! The results of calls to a provider that uses our id as an idempotency key: an order that is sent twice is one order,
//! and it can be looked up. `payouts` and `refunds` define the orders and the answers.

use gateway_outbox::Fault;
use reqwest::{RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;

use super::card_numbers::mask_card_numbers;

/// The same limit as for reasons in notices.
const REASON_CHARACTERS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallAnswer<Answer> {
    Answered(Answer),
    /// The look-up found nothing.
    NotFound,
    /// It is unknown whether the provider took it: a time-out, a broken connection, or an error of the provider.
    Unknown(CallFault),
    /// The provider rejects the request as it was sent. The configuration or the adapter is wrong, and staff must check
    /// it.
    Rejected(CallFault),
}

/// A code for rows and metrics, not a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallFault(pub &'static str);

impl From<CallFault> for Fault {
    fn from(fault: CallFault) -> Self {
        Self::code(fault.0)
    }
}

impl<Answer> CallAnswer<Answer> {
    /// The answer to a look-up: `None` if the provider does not know the order.
    pub fn found(self) -> Option<Self> {
        match self {
            Self::NotFound => None,
            known => Some(known),
        }
    }

    pub fn map<Other>(self, convert: impl FnOnce(Answer) -> CallAnswer<Other>) -> CallAnswer<Other> {
        match self {
            Self::Answered(body) => convert(body),
            Self::NotFound => CallAnswer::NotFound,
            Self::Unknown(fault) => CallAnswer::Unknown(fault),
            Self::Rejected(fault) => CallAnswer::Rejected(fault),
        }
    }
}

/// Sends a request to a provider that uses HTTP statuses in their standard meaning. 409 means that the key belongs to
/// another order.
pub(super) async fn ask<Body: DeserializeOwned>(request: RequestBuilder) -> CallAnswer<Body> {
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) => return CallAnswer::Unknown(fault(&error)),
    };
    match answer.status() {
        StatusCode::OK | StatusCode::CREATED => match answer.json::<Body>().await {
            Ok(body) => CallAnswer::Answered(body),
            Err(error) if error.is_decode() => CallAnswer::Unknown(UNREADABLE),
            Err(error) => CallAnswer::Unknown(fault(&error)),
        },
        // Only a look-up has an order's id in its URL.
        StatusCode::NOT_FOUND => CallAnswer::NotFound,
        StatusCode::CONFLICT => CallAnswer::Rejected(CallFault("key_reused")),
        status if status.is_server_error() => CallAnswer::Unknown(CallFault("server_error")),
        status => {
            tracing::error!(%status, "a provider rejected an order");
            CallAnswer::Rejected(CallFault("not_taken"))
        }
    }
}

pub(super) const UNREADABLE: CallFault = CallFault("unreadable_answer");

/// Makes a provider's reason safe to show and to store forever: short, without card numbers and without control
/// characters.
pub(super) fn readable(reason: &str) -> String {
    let printable: String = reason
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    // It is truncated after masking, because half a card number would not be found.
    let masked = mask_card_numbers(&printable);
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
    use super::readable;

    #[test]
    fn a_reason_holds_no_card_number_and_fits_its_column() {
        assert_eq!(
            readable("card 4242424242424242\n refused"),
            "card 424242******4242 refused"
        );
        let long = format!("{}4242424242424242", "a".repeat(190));
        assert_eq!(readable(&long), format!("{}424242****", "a".repeat(190)));
    }
}
