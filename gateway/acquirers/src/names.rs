//! The names of a payment as an acquirer or a bank writes them. `checked` turns them into the ledger's, and keeps those
//! that it cannot take apart: a payment is recorded whatever its names look like, and no name is dropped in silence.

use ledger_domain::sale::{FraudLiability, PaymentName, PaymentNames, ThreeDSecure};
use ledger_domain::transfer::PayoutNames;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The names of a payment or of a refund, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportedNames {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_to_end_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nsu: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquirer_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub our_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub three_d_secure: Option<ReportedThreeDSecure>,
}

/// The result of a 3-D Secure authentication, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportedThreeDSecure {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eci: Option<String>,
    /// A word of `FraudLiability`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub liability: Option<String>,
}

/// The bank's names of a payment to a company, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportedPayoutNames {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_to_end_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_number: Option<String>,
}

/// A name that is no text of the ledger's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadableName {
    pub field: &'static str,
    /// At most 200 characters.
    pub value: String,
}

const VALUE_CHARACTERS_MAX: usize = 200;

impl UnreadableName {
    pub fn new(field: &'static str, value: &str) -> Self {
        Self {
            field,
            value: value.chars().take(VALUE_CHARACTERS_MAX).collect(),
        }
    }
}

/// Reads a name of any JSON type: a contract that writes a number, or something else, must not make the whole answer
/// unreadable.
pub(crate) fn of_any_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(text_of(&Value::deserialize(deserializer)?))
}

/// The name in a value of any JSON type; `None` for null.
pub(crate) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Checks names one by one.
#[derive(Default)]
struct Check {
    unreadable: Vec<UnreadableName>,
}

impl Check {
    /// A blank text is no name.
    fn parsed<T, E>(
        &mut self,
        field: &'static str,
        text: Option<&String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let parsed = parse(text).ok();
        if parsed.is_none() {
            self.unreadable.push(UnreadableName::new(field, text));
        }
        parsed
    }

    fn name(&mut self, field: &'static str, text: Option<&String>) -> Option<PaymentName> {
        self.parsed(field, text, PaymentName::parse)
    }
}

impl ReportedNames {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn checked(&self) -> (PaymentNames, Vec<UnreadableName>) {
        let mut check = Check::default();
        let names = PaymentNames {
            end_to_end_id: check.name("end_to_end_id", self.end_to_end_id.as_ref()),
            txid: check.name("txid", self.txid.as_ref()),
            nsu: check.name("nsu", self.nsu.as_ref()),
            tid: check.name("tid", self.tid.as_ref()),
            acquirer_id: check.name("acquirer_id", self.acquirer_id.as_ref()),
            our_number: check.name("our_number", self.our_number.as_ref()),
            three_d_secure: self
                .three_d_secure
                .as_ref()
                .map(|result| ThreeDSecure {
                    version: check.name("version", result.version.as_ref()),
                    eci: check.name("eci", result.eci.as_ref()),
                    liability: check.parsed("liability", result.liability.as_ref(), FraudLiability::parse),
                })
                .filter(|result| *result != ThreeDSecure::default())
                .map(Box::new),
        };
        (names, check.unreadable)
    }
}

impl ReportedPayoutNames {
    pub fn checked(&self) -> (PayoutNames, Vec<UnreadableName>) {
        let mut check = Check::default();
        let names = PayoutNames {
            end_to_end_id: check.name("end_to_end_id", self.end_to_end_id.as_ref()),
            control_number: check.name("control_number", self.control_number.as_ref()),
        };
        (names, check.unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn names_of_the_ledgers_form_are_taken_and_the_others_are_kept_apart() {
        let reported = ReportedNames {
            end_to_end_id: text("E60746948202611231403A1b2C3d4E5f"),
            nsu: text(" 000123 "),
            tid: text("   "),
            txid: text("não é"),
            our_number: text(&"9".repeat(300)),
            three_d_secure: Some(ReportedThreeDSecure {
                eci: text("05"),
                liability: text("bank"),
                ..ReportedThreeDSecure::default()
            }),
            ..ReportedNames::default()
        };
        let (names, unreadable) = reported.checked();
        let name = |text| PaymentName::parse(text).ok();
        assert_eq!(names.end_to_end_id, name("E60746948202611231403A1b2C3d4E5f"));
        assert_eq!((names.nsu, names.tid, names.txid), (name("000123"), None, None));
        assert_eq!(names.three_d_secure.and_then(|result| result.eci), name("05"));
        let fields: Vec<_> = unreadable.iter().map(|name| name.field).collect();
        assert_eq!(fields, ["txid", "our_number", "liability"]);
        assert_eq!(unreadable[1].value, "9".repeat(200));
    }
}
