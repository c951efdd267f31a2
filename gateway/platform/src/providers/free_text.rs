//! Defines which fields of a notice are free text, and cleans them.
//!
//! A typed field (an id, a serial, a document, a phone) is never searched for card numbers: of the numeric ids that are
//! as long as a card number, one in ten looks like one. Every other field counts as free text, known or not. In free
//! text, card numbers are masked, a control character becomes a space, and the text is kept as the platform keeps texts
//! (`plain_text`).

use gateway_formats::plain_text;
use serde_json::{Map, Number, Value};

use super::{holds_card_number, mask_card_numbers};

/// Replaces a control character in a typed field. The field then differs from what the sender meant (`is_damaged`).
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// The typed fields, in addition to `id` and every name that ends in `_id`.
const TYPED: [&str; 31] = [
    "amount",
    "authorization_code",
    "barcode",
    "card_brand",
    "card_last_four",
    "cnpj",
    "code",
    "control_number",
    "cpf",
    "digitable_line",
    "document",
    "eci",
    "installments",
    "mobile",
    "nsu",
    "number_installments",
    "occurred_at",
    "our_number",
    "payment_link_code",
    "payment_type",
    "phone",
    "phone_number",
    "serial",
    "serial_number",
    "solution",
    "tax_document",
    "terminal_serial",
    "tid",
    "txid",
    "type",
    "whatsapp",
];

/// A body as a whole counts as free text: it has no field name that could make it typed.
const BODY_IS_TYPED: bool = false;

fn is_typed(name: &str) -> bool {
    name == "id" || name.ends_with("_id") || TYPED.binary_search(&name).is_ok()
}

/// Masks card numbers in the free text of a body, and replaces control characters. Returns whether anything changed.
pub fn clean(body: &mut Value) -> bool {
    // Nearly every body is clean.
    if is_clean(body, BODY_IS_TYPED) {
        return false;
    }
    clean_value(body, BODY_IS_TYPED);
    true
}

/// Whether a typed field has the replacement of a control character. A damaged id must not decide anything.
pub fn is_damaged(body: &Value) -> bool {
    holds_replacement(body, BODY_IS_TYPED)
}

fn is_clean(value: &Value, typed: bool) -> bool {
    match value {
        Value::String(text) if typed => !has_control(text),
        Value::String(text) => is_clean_text(text),
        Value::Number(number) => typed || !number_holds_card(number),
        Value::Array(items) => items.iter().all(|item| is_clean(item, typed)),
        Value::Object(fields) => fields
            .iter()
            .all(|(name, field)| is_clean_text(name) && is_clean(field, is_typed(name))),
        Value::Null | Value::Bool(_) => true,
    }
}

fn is_clean_text(text: &str) -> bool {
    !has_control(text) && plain_text::is_clean(text) && !holds_card_number(text)
}

fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// The shortest card number has 13 digits, so a smaller positive integer needs no conversion to text.
fn number_holds_card(number: &Number) -> bool {
    number.as_u64().is_none_or(|number| number >= 1_000_000_000_000) && holds_card_number(&number.to_string())
}

fn clean_value(value: &mut Value, typed: bool) {
    match value {
        Value::String(text) if typed => *text = replace_control(text, REPLACEMENT),
        Value::String(text) => *text = clean_text(text),
        Value::Number(number) if !typed && number_holds_card(number) => {
            *value = Value::String(clean_text(&number.to_string()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean_value(item, typed)),
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut field)| {
                    clean_value(&mut field, is_typed(&name));
                    (clean_text(&name), field)
                })
                .collect::<Map<_, _>>();
        }
        Value::Number(_) | Value::Null | Value::Bool(_) => {}
    }
}

fn clean_text(text: &str) -> String {
    // Cleaned first: an invisible character between the digits of a card number would hide it.
    mask_card_numbers(&plain_text::clean(&replace_control(text, ' '))).into_owned()
}

fn replace_control(text: &str, by: char) -> String {
    text.chars()
        .map(|character| if character.is_control() { by } else { character })
        .collect()
}

fn holds_replacement(value: &Value, typed: bool) -> bool {
    match value {
        Value::String(text) => typed && text.contains(REPLACEMENT),
        Value::Array(items) => items.iter().any(|item| holds_replacement(item, typed)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, field)| holds_replacement(field, is_typed(name))),
        Value::Number(_) | Value::Null | Value::Bool(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn typed_names_are_sorted_so_that_they_are_found() {
        assert!(TYPED.is_sorted());
        assert!(TYPED.iter().all(|name| is_typed(name)));
        assert!(!is_typed("reason") && !is_typed("pan") && !is_typed("card_number"));
    }

    #[test]
    fn card_numbers_are_masked_in_free_text_and_typed_fields_are_not_searched() {
        let mut body = json!({
            "id": "4242424242424242",
            "data": {
                "external_id": "4242424242424242", "authorization_code": "4242424242424242",
                "reason": "card 4242 4242 4242 4242", "pan": 4242424242424242_u64,
                "buyer": [{"phone": "5555555555554444", "note": "5555555555554444"}],
                "4242424242424242": true,
            }
        });
        assert!(clean(&mut body));
        assert_eq!(
            body,
            json!({
                "id": "4242424242424242",
                "data": {
                    "external_id": "4242424242424242", "authorization_code": "4242424242424242",
                    "reason": "card 4242 42** **** 4242", "pan": "424242******4242",
                    "buyer": [{"phone": "5555555555554444", "note": "555555******4444"}],
                    "424242******4242": true,
                }
            })
        );
        assert!(!clean(&mut body), "clean text stays as it is");
        assert!(!is_damaged(&body));
    }

    #[test]
    fn free_text_is_composed_and_a_typed_field_keeps_its_bytes() {
        let mut body =
            json!({"data": {"external_id": "a\u{303}", "reason": "na\u{303}o 4242\u{200b}424242424242"}});
        assert!(clean(&mut body));
        assert_eq!(
            body,
            json!({"data": {"external_id": "a\u{303}", "reason": "não 424242******4242"}})
        );
        assert!(!clean(&mut body) && !is_damaged(&body));
    }

    #[test]
    fn a_control_character_becomes_a_space_in_text_and_damages_an_id() {
        let mut text = json!({"id": "evt-1", "data": {"reason": "two\nlines\u{0}"}});
        assert!(clean(&mut text));
        assert_eq!(text["data"]["reason"], "two lines ");
        assert!(!is_damaged(&text));
        let mut id = json!({"id": "evt-1", "data": {"external_id": "nsu\u{0}1"}});
        assert!(clean(&mut id) && is_damaged(&id));
        assert_eq!(id["data"]["external_id"], "nsu\u{fffd}1");
        assert!(!clean(&mut id) && is_damaged(&id), "also when it is read again");
    }
}
