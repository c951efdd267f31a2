//! One newtype for each kind of id, so that a sale's id cannot be passed as a business's id.
//!
//! The text form has a prefix (`sal_…`). SQL and memory hold a plain UUID.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use thiserror::Error;
use uuid::Uuid;

/// The text is not an id of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not an id of the form {prefix}_<uuid>")]
pub struct IdError {
    pub prefix: &'static str,
}

/// An id of any kind.
pub trait Id: Copy + Send + Sync + 'static {
    /// The prefix of the text form.
    const PREFIX: &'static str;

    fn from_uuid(uuid: Uuid) -> Self;

    fn uuid(self) -> Uuid;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl Id for $name {
            const PREFIX: &'static str = $prefix;

            fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let refused = IdError { prefix: $prefix };
                let rest = text.strip_prefix(concat!($prefix, "_")).ok_or_else(|| refused.clone())?;
                // Only the canonical form (36 lower-case characters with hyphens), so that equal ids have equal texts.
                let upper_case = rest.bytes().any(|byte| byte.is_ascii_uppercase());
                match Uuid::try_parse(rest) {
                    Ok(uuid) if rest.len() == 36 && !upper_case => Ok(Self(uuid)),
                    _ => Err(refused),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

id!(
    /// A company (or natural person) that sells. The id of the aggregate.
    BusinessId, "biz"
);
id!(
    /// A sale of any solution and payment type.
    SaleId, "sal"
);
id!(
    /// A withdrawal, a manual transfer or a terminal rental.
    TransferId, "trf"
);
id!(
    /// One attempt to pay a withdrawal. Also the idempotency key at the bank or acquirer.
    PayoutId, "pay"
);
id!(
    /// One refund request to an acquirer. Also the acquirer's idempotency key.
    RefundId, "rfd"
);
id!(
    /// A hold: part of the balance that is blocked for one reason.
    HoldId, "hld"
);
id!(
    /// A recorded event of the log.
    EventId, "evt"
);
id!(
    /// A sales plan. All of its versions share it.
    PlanId, "pln"
);
id!(
    /// A card machine.
    TerminalId, "ter"
);
id!(
    /// A payment link. Its code, and not this id, is in its public address.
    PaymentLinkId, "lnk"
);
id!(
    /// A user who signs in, seller or staff.
    UserId, "usr"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_from_its_text_and_from_json() {
        let id = SaleId::from_uuid(Uuid::from_u128(7));
        assert_eq!(id.to_string(), "sal_00000000-0000-0000-0000-000000000007");
        assert_eq!(id.to_string().parse(), Ok(id));
        let json = serde_json::to_string(&id).expect("ids serialize");
        assert_eq!(
            serde_json::from_str::<SaleId>(&json).expect("ids deserialize"),
            id
        );
    }

    #[test]
    fn an_id_of_another_kind_is_refused() {
        let text = BusinessId::from_uuid(Uuid::from_u128(7)).to_string();
        assert_eq!(text.parse::<SaleId>(), Err(IdError { prefix: "sal" }));
    }

    #[test]
    fn a_uuid_in_another_format_is_refused() {
        let lower_case = "sal_00000000-0000-0000-0000-00000000000a";
        assert!(lower_case.parse::<SaleId>().is_ok());
        assert!(
            "sal_00000000-0000-0000-0000-00000000000A"
                .parse::<SaleId>()
                .is_err()
        );
        assert!("sal_00000000000000000000000000000007".parse::<SaleId>().is_err());
        assert!(
            "sal_{00000000-0000-0000-0000-000000000007}"
                .parse::<SaleId>()
                .is_err()
        );
    }
}
