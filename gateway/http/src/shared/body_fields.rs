//! Reads fields that the request bodies of several subjects have, such as an amount, a reason or the company. A
//! function that takes `errors` adds its error there; its result must then not be used.

use gateway_platform::providers::mask_card_numbers;
use ledger_domain::{BusinessId, Cents};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::edge::{FormErrors, control_characters};

/// The limit of most reasons and descriptions.
pub const TEXT_CHARACTERS_MAX: usize = 500;

pub fn amount(errors: &mut FormErrors, given: Option<&Value>) -> Cents {
    let missing = match given {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(_) => false,
    };
    if missing {
        errors.add("amount", "requerido");
        return Cents::ZERO;
    }
    let cents = given.and_then(Value::as_i64);
    if cents.is_none() {
        errors.add("amount", "O valor deve ser numérico");
    }
    Cents::new(cents.unwrap_or_default())
}

pub fn password(errors: &mut FormErrors, given: Option<String>) -> String {
    let password = given.unwrap_or_default();
    if password.is_empty() {
        errors.add("password", "A senha é requerida.");
    }
    password
}

pub fn company(
    errors: &mut FormErrors,
    in_body: Option<BusinessId>,
    in_query: Option<BusinessId>,
) -> BusinessId {
    match (in_body, in_query) {
        (Some(body), Some(query)) if body != query => {
            errors.add("business_id", "A empresa da URL e a do corpo são diferentes.");
            body
        }
        (Some(named), _) | (None, Some(named)) => named,
        (None, None) => {
            errors.add("business_id", "Informe a empresa.");
            BusinessId::from_uuid(uuid::Uuid::nil())
        }
    }
}

pub fn text(errors: &mut FormErrors, field: &str, given: Option<String>, missing: &str) -> String {
    let text = optional_text(errors, field, given, TEXT_CHARACTERS_MAX);
    if text.is_none() {
        errors.add(field, missing);
    }
    text.unwrap_or_default()
}

/// A text for events and screens: joined to one line, with card numbers masked. A control character that is not
/// whitespace is an error. `None` if the text is empty.
pub fn optional_text(
    errors: &mut FormErrors,
    field: &str,
    given: Option<String>,
    characters_max: usize,
) -> Option<String> {
    let given = given?;
    let text = given.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > characters_max {
        errors.add(
            field,
            &format!("O texto deve ter até {characters_max} caracteres."),
        );
    }
    if control_characters::is_in(&text) {
        errors.add(field, control_characters::MESSAGE);
    }
    Some(mask_card_numbers(&text).into_owned()).filter(|text| !text.is_empty())
}

/// Distinguishes null from a field that is left out. The field also needs `#[serde(default)]`.
pub fn null_as_some<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
