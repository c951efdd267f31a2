//! The names of a payment outside of the platform: the ids by which a bank, an acquirer or a buyer asks about it.
//!
//! They are facts of events and no data of the buyer. Only the types and their text forms.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use thiserror::Error;

use crate::words;

/// One name: 1 to 100 printable ASCII characters without spaces, as its issuer writes it. No contract has a longer one;
/// a PIX end-to-end id has 32.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PaymentName(Box<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a payment's name has 1 to {} printable ASCII characters and no space",
    PaymentName::LENGTH_MAX
)]
pub struct PaymentNameError;

impl PaymentName {
    pub const LENGTH_MAX: usize = 100;

    /// Spaces around the name are not part of it.
    pub fn parse(text: &str) -> Result<Self, PaymentNameError> {
        let name = text.trim();
        let is_name =
            (1..=Self::LENGTH_MAX).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
        is_name.then(|| Self(name.into())).ok_or(PaymentNameError)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form by which names are searched. People copy names from receipts, which print them in either case.
    pub fn search_key(text: &str) -> String {
        text.trim().to_ascii_lowercase()
    }
}

impl fmt::Display for PaymentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PaymentName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

words! {
    /// Who bears the loss if the buyer disputes an authenticated card payment as fraud.
    pub enum FraudLiability {
        Issuer = "issuer" => "Emissor do cartão",
        Merchant = "merchant" => "Empresa",
    }
}

/// The result of a 3-D Secure authentication (EMVCo). A field that the acquirer does not report is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ThreeDSecure {
    /// The version of the protocol, such as `2.2.0`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<PaymentName>,
    /// The electronic commerce indicator. Its meaning depends on the brand, so `liability` is stated too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub eci: Option<PaymentName>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub liability: Option<FraudLiability>,
}

words! {
    /// payment: of the buyer. return: of what the buyer got back when the sale was canceled.
    pub enum NamedPayment {
        Payment = "payment" => "Pagamento",
        Return = "return" => "Devolução",
    }
}

/// Declares the names once: the struct, and what is done with each of them.
macro_rules! payment_names {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// The names of one payment, or of one refund. Most payments have two or three. The authorization of a card is
        /// a fact of the sale itself (`SaleFacts::authorization_code`).
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        pub struct PaymentNames {
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none", default)]
                pub $name: Option<PaymentName>,
            )+
            #[serde(skip_serializing_if = "Option::is_none", default)]
            pub three_d_secure: Option<Box<ThreeDSecure>>,
        }

        impl PaymentNames {
            /// The names that there are, without the result of 3-D Secure, which names no payment.
            pub fn iter(&self) -> impl Iterator<Item = &PaymentName> {
                [$(&self.$name),+].into_iter().flatten()
            }

            /// These names, and those of `older` that these lack.
            #[must_use]
            pub fn or(self, older: Self) -> Self {
                Self {
                    $($name: self.$name.or(older.$name),)+
                    three_d_secure: self.three_d_secure.or(older.three_d_secure),
                }
            }

            /// The names that `known` lacks.
            #[must_use]
            pub fn missing_in(&self, known: &Self) -> Self {
                Self {
                    $($name: self.$name.clone().filter(|_| known.$name.is_none()),)+
                    three_d_secure: self.three_d_secure.clone().filter(|_| known.three_d_secure.is_none()),
                }
            }

            /// The first name that both have with another text: the one of `known`, and this one.
            pub fn difference(&self, known: &Self) -> Option<(String, String)> {
                $(
                    if let (Some(known), Some(name)) = (&known.$name, &self.$name)
                        && known != name
                    {
                        return Some((known.to_string(), name.to_string()));
                    }
                )+
                None
            }
        }
    };
}

payment_names! {
    /// PIX: the central bank's id of the payment, or of its return.
    end_to_end_id,
    /// PIX: the receiver's id of the charge, which the buyer's code carries.
    txid,
    /// Cards: the number of the transaction at the terminal or the acquirer (`número sequencial único`).
    nsu,
    /// Cards: the acquirer's id of the transaction.
    tid,
    /// The acquirer's own id of the charge, if it is not the sale's external id.
    acquirer_id,
    /// Boletos: the bank's number of the boleto (`nosso número`).
    our_number,
}

impl PaymentNames {
    pub fn is_empty(&self) -> bool {
        self.three_d_secure.is_none() && self.iter().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<PaymentName> {
        PaymentName::parse(text).ok()
    }

    #[test]
    fn a_name_is_bounded_printable_text_without_spaces() {
        for text in [
            "E60746948202611231403A1b2C3d4E5f",
            "000000123456",
            "14/000000001-5",
            &"9".repeat(100),
        ] {
            let parsed = PaymentName::parse(text).expect("a name");
            assert_eq!(parsed.as_str(), text);
            let json = serde_json::to_string(&parsed).expect("names serialize");
            assert_eq!(
                serde_json::from_str::<PaymentName>(&json).expect("names read"),
                parsed
            );
        }
        assert_eq!(name("  123 "), name("123"));
        for text in ["", "  ", "12 34", "nº", "a\nb", &"9".repeat(101)] {
            assert_eq!(PaymentName::parse(text), Err(PaymentNameError), "{text:?}");
        }
        assert!(serde_json::from_str::<PaymentName>("\"a b\"").is_err());
    }

    #[test]
    fn names_are_searched_without_regard_to_case_and_to_spaces_around_them() {
        assert_eq!(PaymentName::search_key(" E12aB "), "e12ab");
    }

    #[test]
    fn newer_names_add_to_older_ones_and_a_difference_is_found() {
        let first = PaymentNames {
            nsu: name("1"),
            txid: name("t"),
            ..PaymentNames::default()
        };
        let second = PaymentNames {
            nsu: name("1"),
            end_to_end_id: name("E1"),
            ..PaymentNames::default()
        };
        assert_eq!(second.difference(&first), None);
        let added = PaymentNames {
            end_to_end_id: name("E1"),
            ..PaymentNames::default()
        };
        assert_eq!(second.missing_in(&first), added);
        let both = second.clone().or(first.clone());
        assert_eq!(
            both.iter().map(PaymentName::as_str).collect::<Vec<_>>(),
            ["E1", "t", "1"]
        );
        assert!(both.missing_in(&both).is_empty() && !both.is_empty());
        let other = PaymentNames {
            nsu: name("2"),
            ..PaymentNames::default()
        };
        assert_eq!(other.difference(&both), Some(("1".to_owned(), "2".to_owned())));
    }

    #[test]
    fn absent_names_are_not_written() {
        let names = PaymentNames {
            nsu: name("1"),
            three_d_secure: Some(Box::new(ThreeDSecure {
                eci: name("05"),
                ..ThreeDSecure::default()
            })),
            ..PaymentNames::default()
        };
        let json = serde_json::to_string(&names).expect("names serialize");
        assert_eq!(json, r#"{"nsu":"1","three_d_secure":{"eci":"05"}}"#);
        assert_eq!(
            serde_json::from_str::<PaymentNames>(&json).expect("names read"),
            names
        );
        assert_eq!(
            serde_json::from_str::<PaymentNames>("{}").expect("names read"),
            PaymentNames::default()
        );
    }
}
