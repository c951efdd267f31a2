//! Reading a JSON object field by field, with every fault listed at once under its JSON pointer (RFC 6901).
//!
//! Messages are for a person, in Portuguese; what a field means is the adapter's matter.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Utc};
use serde_json::{Map, Number, Value};

use super::card_numbers::holds_card_number;

/// Faults by JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldErrors(BTreeMap<String, Vec<String>>);

impl FieldErrors {
    pub fn one(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        let mut errors = Self::default();
        errors.add(pointer, message);
        errors
    }

    pub fn add(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.0.entry(pointer.into()).or_default().push(message.into());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_inner(self) -> BTreeMap<String, Vec<String>> {
        self.0
    }
}

/// What may stand in no body, known or not: control characters, which pass JSON and break text, and full card numbers,
/// which nobody here may keep.
pub fn forbidden_content(body: &Value) -> Result<(), FieldErrors> {
    // Nearly every body is sound, and to spell pointers for it would cost more than to read it.
    if is_sound(body) {
        return Ok(());
    }
    let mut errors = FieldErrors::default();
    walk(body, &mut String::new(), &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn is_sound(value: &Value) -> bool {
    match value {
        Value::String(text) => !has_control(text) && !holds_card_number(text),
        Value::Number(number) => !number_holds_card(number),
        Value::Array(items) => items.iter().all(is_sound),
        Value::Object(fields) => fields
            .iter()
            .all(|(name, field)| !has_control(name) && !holds_card_number(name) && is_sound(field)),
        Value::Null | Value::Bool(_) => true,
    }
}

fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// The shortest card number has 13 digits, so that a small number needs no text to be told from one.
fn number_holds_card(number: &Number) -> bool {
    number.as_u64().is_none_or(|number| number >= 1_000_000_000_000) && holds_card_number(&number.to_string())
}

fn walk(value: &Value, pointer: &mut String, errors: &mut FieldErrors) {
    match value {
        Value::String(text) => check_text(text, pointer, errors),
        Value::Number(number) => check_text(&number.to_string(), pointer, errors),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let parent = pointer.len();
                pointer.push_str(&format!("/{index}"));
                walk(item, pointer, errors);
                pointer.truncate(parent);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let parent = pointer.len();
                if has_control(name) || holds_card_number(name) {
                    // The name itself can't be shown.
                    errors.add(pointer.clone(), "Há um campo com nome inválido.");
                    continue;
                }
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                walk(field, pointer, errors);
                pointer.truncate(parent);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn check_text(text: &str, pointer: &str, errors: &mut FieldErrors) {
    if has_control(text) {
        errors.add(pointer, "Caracteres de controle não são aceitos.");
    }
    if holds_card_number(text) {
        errors.add(pointer, "Parece um número de cartão, que não pode ser enviado.");
    }
}

/// The fields of one object, read once each.
pub struct Fields<'o, 'e> {
    object: &'o Map<String, Value>,
    pointer: &'static str,
    errors: &'e mut FieldErrors,
}

impl<'o, 'e> Fields<'o, 'e> {
    pub fn new(object: &'o Map<String, Value>, pointer: &'static str, errors: &'e mut FieldErrors) -> Self {
        Self {
            object,
            pointer,
            errors,
        }
    }

    pub fn fault(&mut self, name: &str, message: impl Into<String>) {
        self.errors.add(format!("{}/{name}", self.pointer), message);
    }

    /// `null` and a missing field are the same.
    fn given(&self, name: &str) -> Option<&'o Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub fn has(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// A text of 1 to `most` characters.
    pub fn text(&mut self, name: &str, most: usize) -> Option<&'o str> {
        match self.given(name)? {
            Value::String(text) if (1..=most).contains(&text.chars().count()) && !text.trim().is_empty() => {
                Some(text)
            }
            Value::String(_) => {
                self.fault(name, format!("Deve ter de 1 a {most} caracteres."));
                None
            }
            _ => {
                self.fault(name, "Deve ser um texto.");
                None
            }
        }
    }

    pub fn integer(&mut self, name: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let found = self.given(name)?;
        match found.as_i64().filter(|number| range.contains(number)) {
            Some(number) => Some(number),
            None => {
                self.fault(
                    name,
                    format!(
                        "Deve ser um número inteiro de {} a {}.",
                        range.start(),
                        range.end()
                    ),
                );
                None
            }
        }
    }

    pub fn instant(&mut self, name: &str) -> Option<DateTime<Utc>> {
        let text = self.text(name, 40)?;
        match DateTime::parse_from_rfc3339(text) {
            // The log keeps microseconds, and a year that no payment has is a fault of the sender's clock.
            Ok(instant) if (2000..2100).contains(&instant.year()) => {
                let microseconds = instant.timestamp_micros();
                DateTime::from_timestamp_micros(microseconds)
            }
            _ => {
                self.fault(
                    name,
                    "Deve ser um instante no formato RFC 3339, por exemplo 2026-11-23T14:03:11Z.",
                );
                None
            }
        }
    }

    /// A text that some type parses.
    pub fn parsed<T>(
        &mut self,
        name: &str,
        most: usize,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(name, most)?;
        let parsed = parse(text);
        if parsed.is_none() {
            self.fault(name, expected);
        }
        parsed
    }

    /// Adds a fault where a field that must be there is not; a field with a fault of its own has one already.
    pub fn require(&mut self, names: &[&str]) {
        for name in names {
            if self.given(name).is_none() {
                self.fault(name, "É obrigatório.");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn control_characters_and_card_numbers_are_found_anywhere_and_named_by_their_pointer() {
        let body = json!({"data": {"buyer": [{"note": "a\u{0}b"}], "pan": "4242424242424242", "a/b": 4242424242424242_u64}});
        let errors = forbidden_content(&body).expect_err("three faults").into_inner();
        let pointers: Vec<_> = errors.keys().map(String::as_str).collect();
        assert_eq!(pointers, ["/data/a~1b", "/data/buyer/0/note", "/data/pan"]);
    }

    #[test]
    fn a_fault_never_repeats_the_card_number() {
        let body = json!({"4242424242424242": 1, "x": {"4242 4242 4242 4242": 2}});
        let errors = forbidden_content(&body).expect_err("two faults");
        assert!(!format!("{errors:?}").contains("4242"));
    }
}
