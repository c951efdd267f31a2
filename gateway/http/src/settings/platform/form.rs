//! Reads the form of a dated setting. Reports all invalid fields at once.

use chrono::{DateTime, Datelike, Utc};
use gateway_platform::settings::SettingKey;
use ledger_domain::Cents;
use serde_json::Value;

use super::bodies::PlatformSettingForm;
use crate::edge::FormErrors;
use crate::problem::Result;

/// The table has the same limit.
const MARKED_DESTINATION_DAYS_MAX: i64 = 90;
/// The table has the same range: at least as long as a buyer can dispute a sale, at most ten years.
const BUYER_DATA_DAYS: std::ops::RangeInclusive<i64> = 180..=3_653;
/// The last year in which a change can take effect. Holidays have the same limit.
const YEAR_MAX: i32 = 2199;

const AMOUNT_RANGE: &str = "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.";
const LIMIT_RANGE: &str = "O valor deve ser de R$ 0,00 a R$ 99.999.999,99.";

#[derive(Debug, PartialEq, Eq)]
pub struct SettingChange {
    pub key: SettingKey,
    /// The value as the table stores it.
    pub value: Option<i64>,
    /// `None`: from now.
    pub valid_from: Option<DateTime<Utc>>,
    pub revision: i32,
}

pub fn read(form: PlatformSettingForm, now: DateTime<Utc>) -> Result<SettingChange> {
    let mut errors = FormErrors::default();
    let key = form.key.as_deref().and_then(SettingKey::parse);
    let value = match key {
        Some(key) => read_value(key, form.value.as_ref()).unwrap_or_else(|message| {
            errors.add("value", message);
            None
        }),
        None => {
            errors.add("key", "Escolha uma configuração da lista.");
            None
        }
    };
    if let Some(from) = form.valid_from {
        if from <= now {
            errors.add("valid_from", "A data deve ser futura.");
        } else if from.year() > YEAR_MAX {
            errors.add("valid_from", "A data deve ser até 31/12/2199.");
        }
    }
    if form.revision.is_none() {
        errors.add("revision", "requerido");
    }
    errors.finish()?;
    Ok(SettingChange {
        // An unknown key was reported above.
        key: key.unwrap_or(SettingKey::TerminalRental),
        value,
        valid_from: form.valid_from,
        revision: form.revision.unwrap_or_default(),
    })
}

fn read_value(key: SettingKey, given: Option<&Value>) -> Result<Option<i64>, &'static str> {
    let number = |range: std::ops::RangeInclusive<i64>, message| {
        let number = given.and_then(Value::as_i64);
        number
            .filter(|number| range.contains(number))
            .map(Some)
            .ok_or(message)
    };
    let cents_max = Cents::AMOUNT_MAX.get();
    match (key, given) {
        (_, None) => Err("requerido"),
        (SettingKey::TerminalRental, Some(_)) => number(1..=cents_max, AMOUNT_RANGE),
        (SettingKey::TwoApprovalsAbove, Some(Value::Null)) => Ok(None),
        (SettingKey::TwoApprovalsAbove, Some(_)) => number(0..=cents_max, LIMIT_RANGE),
        (SettingKey::TwoPersonPlanChanges, Some(Value::Bool(flag))) => Ok(Some((*flag).into())),
        (SettingKey::TwoPersonPlanChanges, Some(_)) => Err("Escolha sim ou não."),
        (SettingKey::MarkedDestinationDays, Some(_)) => {
            number(0..=MARKED_DESTINATION_DAYS_MAX, "Informe de 0 a 90 dias.")
        }
        (SettingKey::BuyerDataDays, Some(_)) => number(BUYER_DATA_DAYS, "Informe de 180 a 3653 dias."),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn given(key: &str, value: Value) -> Result<SettingChange> {
        let form = PlatformSettingForm {
            key: Some(key.to_owned()),
            value: Some(value),
            valid_from: None,
            revision: Some(0),
        };
        read(form, DateTime::UNIX_EPOCH)
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
        ] {
            let read = given(key, value).map(|change| change.value);
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
        ] {
            let refused = given(key, value.clone()).map_err(|problem| problem.errors.into_keys().collect());
            assert_eq!(refused.map(drop), Err(vec!["value".to_owned()]), "{key} {value}");
        }
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        let form = PlatformSettingForm {
            key: Some("theme".to_owned()),
            value: None,
            valid_from: Some(DateTime::UNIX_EPOCH),
            revision: None,
        };
        let problem = read(form, DateTime::UNIX_EPOCH).expect_err("invalid");
        let fields: Vec<_> = problem.errors.into_keys().collect();
        assert_eq!(fields, ["key", "revision", "valid_from"]);
        let form = PlatformSettingForm {
            key: Some("terminal_rental".to_owned()),
            value: None,
            valid_from: "2200-01-01T00:00:00Z".parse().ok(),
            revision: Some(0),
        };
        let problem = read(form, DateTime::UNIX_EPOCH).expect_err("invalid");
        assert_eq!(problem.errors["value"], ["requerido"]);
        assert_eq!(problem.errors["valid_from"], ["A data deve ser até 31/12/2199."]);
    }
}
