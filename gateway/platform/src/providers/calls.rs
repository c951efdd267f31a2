//! What comes of calling a provider that does what it is told under an id of ours: an order told twice is one order, and
//! it can be looked up. What an order is, and what is told of it, are the ports' own words.

use reqwest::{RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;

use super::card_numbers::mask_card_numbers;

/// As notices have it.
const REASON_CHARACTERS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallAnswer<Answer> {
    Answered(Answer),
    /// Looked up, and never heard of.
    NotFound,
    /// Nobody knows whether the provider took it: a time-out, a broken connection, an error of theirs.
    Unknown(CallFault),
    /// The provider will not do it as it was asked: our configuration or the adapter is wrong, and people must look.
    Rejected(CallFault),
}

/// A code for rows and metrics, never a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallFault(pub &'static str);

impl<Answer> CallAnswer<Answer> {
    pub fn map<Other>(self, reported: impl FnOnce(Answer) -> CallAnswer<Other>) -> CallAnswer<Other> {
        match self {
            Self::Answered(words) => reported(words),
            Self::NotFound => CallAnswer::NotFound,
            Self::Unknown(fault) => CallAnswer::Unknown(fault),
            Self::Rejected(fault) => CallAnswer::Rejected(fault),
        }
    }
}

/// Sends the request to a provider whose statuses mean what HTTP says: 409 is the key of another order.
pub(super) async fn ask<Words: DeserializeOwned>(request: RequestBuilder) -> CallAnswer<Words> {
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) => return CallAnswer::Unknown(fault(&error)),
    };
    match answer.status() {
        StatusCode::OK | StatusCode::CREATED => match answer.json::<Words>().await {
            Ok(words) => CallAnswer::Answered(words),
            Err(error) if error.is_decode() => CallAnswer::Unknown(UNREADABLE),
            Err(error) => CallAnswer::Unknown(fault(&error)),
        },
        // Only a look-up names an order in its address.
        StatusCode::NOT_FOUND => CallAnswer::NotFound,
        StatusCode::CONFLICT => CallAnswer::Rejected(CallFault("key_reused")),
        status if status.is_server_error() => CallAnswer::Unknown(CallFault("server_error")),
        status => {
            tracing::error!(%status, "a provider does not take an order as it is sent");
            CallAnswer::Rejected(CallFault("not_taken"))
        }
    }
}

pub(super) const UNREADABLE: CallFault = CallFault("unreadable_answer");

/// What a provider writes is shown to people and kept for ever: short, without card numbers and without what breaks a line.
pub(super) fn readable(reason: &str) -> String {
    let printable: String = reason
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    // Cut afterwards: half a card number is not found any more.
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
