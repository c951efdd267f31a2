//! Types of a reversal: who began it, how it ended, and the ids of disputes.
//!
//! Only the types and their text forms. The business aggregate decides what is allowed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use thiserror::Error;

use super::status::SaleStatus;
use crate::text_enum::text_enum;

text_enum! {
    /// How a captured sale's money went back to its buyer.
    Cancellation, "cancellation" {
        /// Canceled in a panel, reported as canceled by the acquirer, or voided before its capture was reported.
        Canceled = "canceled" => "Cancelado",
        /// Refunded by the acquirer at the buyer's request.
        Refunded = "refunded" => "Estornado",
        /// Reversed by the acquirer.
        Reversed = "reversed" => "Estornado",
    }
}

impl Cancellation {
    pub const fn status(self) -> SaleStatus {
        match self {
            Self::Canceled => SaleStatus::Canceled,
            Self::Refunded => SaleStatus::Refunded,
            Self::Reversed => SaleStatus::Reversed,
        }
    }
}

text_enum! {
    /// Who began a void, a cancel or a dispute.
    Initiator, "initiator" {
        Platform = "platform" => "Plataforma",
        Acquirer = "acquirer" => "Adquirente",
    }
}

/// A dispute's id: from the acquirer, or from the platform for a dispute that a user opened. Unique within its sale.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct DisputeId(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a dispute's id has 1 to {} characters, none of them a control character",
    DisputeId::LENGTH_MAX
)]
pub struct DisputeIdError;

impl DisputeId {
    pub const LENGTH_MAX: usize = 100;

    pub fn parse(text: &str) -> Result<Self, DisputeIdError> {
        let length = text.chars().count();
        if length == 0 || length > Self::LENGTH_MAX || text.chars().any(char::is_control) {
            return Err(DisputeIdError);
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DisputeId {
    type Err = DisputeIdError;

    fn from_str(text: &str) -> Result<Self, DisputeIdError> {
        Self::parse(text)
    }
}

impl fmt::Display for DisputeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for DisputeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_ends_in_the_status_of_its_name() {
        for cancellation in Cancellation::ALL {
            assert_eq!(cancellation.as_str(), cancellation.status().as_str());
            assert_eq!(cancellation.label(), cancellation.status().label());
        }
    }

    #[test]
    fn a_dispute_id_is_short_printable_text() {
        for text in ["d", "dp_1Q/ação", &"d".repeat(100)] {
            let id = DisputeId::parse(text).expect("an id");
            assert_eq!((id.as_str(), id.to_string().as_str()), (text, text));
            assert_eq!(text.parse(), Ok(id.clone()));
            let json = serde_json::to_string(&id).expect("ids serialize");
            assert_eq!(serde_json::from_str::<DisputeId>(&json).expect("ids read"), id);
        }
        for text in ["", "a\nb", &"d".repeat(101)] {
            assert_eq!(DisputeId::parse(text), Err(DisputeIdError), "{text:?}");
        }
        assert!(serde_json::from_str::<DisputeId>("\"\"").is_err());
    }
}
