//! The form of a dated setting.

use chrono::{DateTime, Datelike, Utc};
use gateway_environment::request_context;
use gateway_platform::companies::{DocumentKind, DocumentKinds};
use gateway_platform::settings::SettingKey;
use gateway_platform::settings::change::NewValue;
use ledger_domain::Cents;
use serde_json::Value;

use super::bodies::SettingValue;
use crate::edge::QueryValue;
use crate::shared::form::{
    form, given_named, given_with, int32, optional, required, required_nullable, word,
};

/// The table has the same limit.
const MARKED_DESTINATION_DAYS_MAX: i64 = 90;
/// The table has the same range: at least as long as a buyer can dispute a sale, at most ten years.
const BUYER_DATA_DAYS: std::ops::RangeInclusive<i64> = 180..=3_653;
/// The last year in which a change can take effect. Holidays have the same limit.
const YEAR_MAX: i32 = 2199;

const AMOUNT_RANGE: &str = "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.";
const LIMIT_RANGE: &str = "O valor deve ser de R$ 0,00 a R$ 99.999.999,99.";

#[derive(Debug, PartialEq, Eq)]
pub struct PlatformSettingForm(pub NewValue);

form! {
    /// A new value of a setting.
    impl FromBody for PlatformSettingForm with form {
        key: SettingKey = word(),
        /// Null only for limits: nothing needs two users.
        #[example = 5990]
        value: Option<Value> = required_nullable(given_named::<Value, SettingValue>(), "requerido"),
        /// UTC instant from which the value is in force. The default is now.
        valid_from: Option<DateTime<Utc>> = optional(given_with(<DateTime<Utc> as QueryValue>::schema)),
        /// The revision of the setting that the edit started from.
        #[example = 0]
        revision: i32 = required(int32(), "requerido"),
    } => {
        let value = read_value(key, &value.unwrap_or_default()).unwrap_or_else(|message| {
            form.error("value", message);
            None
        });
        if let Some(message) = valid_from.and_then(start_error) {
            form.error("valid_from", message);
        }
        Self(NewValue { key, value, valid_from, revision })
    }
}

fn start_error(from: DateTime<Utc>) -> Option<&'static str> {
    if from <= request_context::now() {
        Some("A data deve ser futura.")
    } else if from.year() > YEAR_MAX {
        Some("A data deve ser até 31/12/2199.")
    } else {
        None
    }
}

fn read_value(key: SettingKey, given: &Value) -> Result<Option<i64>, &'static str> {
    let number = |range: std::ops::RangeInclusive<i64>, message| {
        let number = given.as_i64();
        number
            .filter(|number| range.contains(number))
            .map(Some)
            .ok_or(message)
    };
    let cents_max = Cents::AMOUNT_MAX.get();
    match (key, given) {
        (SettingKey::TerminalRental, _) => number(1..=cents_max, AMOUNT_RANGE),
        (limit, Value::Null) if limit.is_limit() => Ok(None),
        (
            SettingKey::TwoApprovalsAbove
            | SettingKey::CreditsAloneUpTo
            | SettingKey::RemovalsAloneUpTo
            | SettingKey::ReleasesAloneUpTo
            | SettingKey::PlanExceptionsAloneUpTo,
            _,
        ) => number(0..=cents_max, LIMIT_RANGE),
        (
            SettingKey::TwoPersonPlanChanges
            | SettingKey::TwoPersonCompanyApprovals
            | SettingKey::ReturnedWithdrawalFee,
            Value::Bool(flag),
        ) => Ok(Some((*flag).into())),
        (
            SettingKey::TwoPersonPlanChanges
            | SettingKey::TwoPersonCompanyApprovals
            | SettingKey::ReturnedWithdrawalFee,
            _,
        ) => Err("Escolha sim ou não."),
        (SettingKey::DocumentsOfPf, given) => documents(given, true),
        (SettingKey::DocumentsOfPj, given) => documents(given, false),
        (SettingKey::MarkedDestinationDays, _) => {
            number(0..=MARKED_DESTINATION_DAYS_MAX, "Informe de 0 a 90 dias.")
        }
        (SettingKey::BuyerDataDays, _) => number(BUYER_DATA_DAYS, "Informe de 180 a 3653 dias."),
    }
}

/// A list of different documents. It may be empty: the approval then asks for none.
fn documents(given: &Value, of_person: bool) -> Result<Option<i64>, &'static str> {
    let allowed = DocumentKinds::allowed(of_person);
    let read = |word: &Value| {
        let kind = DocumentKind::parse(word.as_str()?).ok()?;
        allowed.contains(&kind).then_some(kind)
    };
    let kinds = given
        .as_array()
        .and_then(|words| words.iter().map(read).collect::<Option<Vec<_>>>())
        .ok_or("Escolha documentos da lista.")?;
    let set = DocumentKinds::of(&kinds);
    if set.kinds().count() == kinds.len() {
        Ok(Some(set.stored()))
    } else {
        Err("Escolha cada documento uma vez.")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::shared::form::FromBody;

    fn read(body: Value) -> crate::problem::Result<PlatformSettingForm> {
        PlatformSettingForm::from_body(body.as_object().cloned().expect("an object"))
    }

    fn given(key: &str, value: Value) -> crate::problem::Result<PlatformSettingForm> {
        read(json!({ "key": key, "value": value, "revision": 0 }))
    }

    #[test]
    fn each_setting_takes_its_own_values() {
        for (key, value, stored) in [
            ("terminal_rental", json!(1), Some(1)),
            ("two_approvals_above", json!(null), None),
            ("two_approvals_above", json!(0), Some(0)),
            ("two_person_plan_changes", json!(true), Some(1)),
            ("two_person_plan_changes", json!(false), Some(0)),
            ("marked_destination_days", json!(90), Some(90)),
            ("buyer_data_days", json!(3_653), Some(3_653)),
            ("two_person_company_approvals", json!(true), Some(1)),
            ("returned_withdrawal_fee", json!(true), Some(1)),
            ("documents_of_pf", json!([]), Some(0)),
            ("documents_of_pf", json!(["address", "identity"]), Some(3)),
            ("documents_of_pj", json!(["identity", "articles"]), Some(5)),
            ("credits_alone_up_to", json!(0), Some(0)),
            ("removals_alone_up_to", json!(null), None),
            (
                "releases_alone_up_to",
                json!(9_999_999_999_i64),
                Some(9_999_999_999),
            ),
        ] {
            let read = given(key, value).map(|form| form.0.value);
            assert_eq!(read, Ok(stored), "{key}");
        }
        for (key, value) in [
            ("terminal_rental", json!(0)),
            ("terminal_rental", json!(null)),
            ("terminal_rental", json!("49,90")),
            ("terminal_rental", json!(10_000_000_000_i64)),
            ("two_approvals_above", json!(-1)),
            ("two_approvals_above", json!(1.5)),
            ("two_person_plan_changes", json!(1)),
            ("two_person_plan_changes", json!(null)),
            ("marked_destination_days", json!(91)),
            ("buyer_data_days", json!(179)),
            ("two_person_company_approvals", json!([])),
            ("returned_withdrawal_fee", json!(null)),
            ("documents_of_pf", json!(["articles"])),
            ("documents_of_pf", json!(["identity", "identity"])),
            ("documents_of_pf", json!(3)),
            ("documents_of_pj", json!(["other"])),
            ("documents_of_pj", json!(null)),
            ("buyer_data_days", json!(null)),
            ("credits_alone_up_to", json!(-1)),
            ("removals_alone_up_to", json!("10,00")),
            ("releases_alone_up_to", json!(10_000_000_000_i64)),
        ] {
            let refused = given(key, value.clone()).map_err(|problem| problem.errors.into_keys().collect());
            assert_eq!(refused.map(drop), Err(vec!["value".to_owned()]), "{key} {value}");
        }
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        let problem = read(json!({ "key": "theme", "valid_from": "1970-01-01T00:00:00Z" }));
        let problem = problem.expect_err("invalid");
        let fields: Vec<_> = problem.errors.into_keys().collect();
        assert_eq!(fields, ["key", "revision", "value"]);
        let past = json!({ "key": "terminal_rental", "value": 0, "valid_from": "1970-01-01T00:00:00Z", "revision": 0 });
        let fields: Vec<_> = read(past).expect_err("invalid").errors.into_keys().collect();
        assert_eq!(fields, ["valid_from", "value"]);
        let problem = read(json!({ "key": "terminal_rental", "revision": 0 })).expect_err("invalid");
        assert_eq!(problem.errors["value"], ["requerido"]);
        let late = json!({ "key": "terminal_rental", "value": 1, "valid_from": "2200-01-01T00:00:00Z", "revision": 0 });
        let problem = read(late).expect_err("invalid");
        assert_eq!(problem.errors["valid_from"], ["A data deve ser até 31/12/2199."]);
    }
}
