//! Types of a reversal: who began it, how it ended, and the ids of disputes and refunds.
//!
//! Only the types and their text forms. The business aggregate decides what is allowed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use thiserror::Error;

use super::status::SaleStatus;
use crate::words;

words! {
    /// How a captured sale's money went back to its buyer.
    pub enum Cancellation {
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

words! {
    /// The party that acted first. platform: a user in a panel, or the platform itself. acquirer: the acquirer, also
    /// at the buyer's request.
    pub enum Initiator {
        Platform = "platform" => "Plataforma",
        Acquirer = "acquirer" => "Adquirente",
    }
}

/// An id that an acquirer chose, or the platform in its place: a short text without control characters.
macro_rules! reference {
    ($(#[$meta:meta])* $name:ident, $error:ident, $what:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        #[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
        #[error(
            "{} has 1 to {} characters, none of them a control character", $what, $name::LENGTH_MAX
        )]
        pub struct $error;

        impl $name {
            pub const LENGTH_MAX: usize = 100;

            pub fn parse(text: &str) -> Result<Self, $error> {
                let length = text.chars().count();
                if length == 0 || length > Self::LENGTH_MAX || text.chars().any(char::is_control) {
                    return Err($error);
                }
                Ok(Self(text.to_owned()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                Self::parse(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::parse(&text).map_err(D::Error::custom)
            }
        }
    };
}

reference! {
    /// A dispute's id: from the acquirer, or from the platform for a dispute that a user opened. Unique within its
    /// sale.
    DisputeId, DisputeIdError, "a dispute's id"
}

reference! {
    /// The id of a refund: from the acquirer, or from the platform for a refund that a user asked for. Unique within
    /// its sale, because a sale has one acquirer.
    RefundReference, RefundReferenceError, "a refund's id"
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
