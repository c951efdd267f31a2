//! Reads a JSON object field by field and lists all errors by JSON pointer (RFC 6901).
//!
//! Messages are for people, in Portuguese. The caller defines the meaning of a field.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Utc};
use serde_json::{Map, Value};

/// Errors by JSON pointer.
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

/// The fields of one object, read by type. A read gives `None` if the field is missing, and if it is invalid, which
/// adds an error. A required field is also passed to `require`. Reading a field twice would add its error twice.
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

    fn add_error(&mut self, name: &str, message: impl Into<String>) {
        self.errors.add(format!("{}/{name}", self.pointer), message);
    }

    /// `null` counts as missing.
    fn value(&self, name: &str) -> Option<&'o Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A text of 1 to `max_chars` characters that is not blank. It is not trimmed.
    pub fn text(&mut self, name: &str, max_chars: usize) -> Option<&'o str> {
        match self.value(name)? {
            Value::String(text) if text.trim().is_empty() => {
                self.add_error(name, "Não pode ficar em branco.");
                None
            }
            Value::String(text) if text.chars().count() <= max_chars => Some(text),
            Value::String(_) => {
                self.add_error(name, format!("Deve ter de 1 a {max_chars} caracteres."));
                None
            }
            _ => {
                self.add_error(name, "Deve ser um texto.");
                None
            }
        }
    }

    /// A text that is only shown. It is trimmed, and cut after `max_chars` characters; blank text counts as missing.
    pub fn free_text(&mut self, name: &str, max_chars: usize) -> Option<String> {
        let Value::String(text) = self.value(name)? else {
            self.add_error(name, "Deve ser um texto.");
            return None;
        };
        let text: String = text.trim().chars().take(max_chars).collect();
        Some(text).filter(|text| !text.is_empty())
    }

    /// A name of a payment, unchecked. Some providers write numbers. Any other value is given as its JSON.
    pub fn name(&self, name: &str) -> Option<String> {
        self.value(name).map(as_text)
    }

    /// A function that reads the fields of an object as `name` does; `None` if there is no object.
    pub fn object(&self, name: &str) -> Option<impl Fn(&str) -> Option<String>> {
        let object = self.value(name)?.as_object()?;
        Some(|name: &str| object.get(name).filter(|value| !value.is_null()).map(as_text))
    }

    pub fn integer(&mut self, name: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let found = self.value(name)?;
        match found.as_i64().filter(|number| range.contains(number)) {
            Some(number) => Some(number),
            None => {
                self.add_error(
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
            // The log stores microseconds. A year outside of 2000 to 2099 means that the sender's clock is wrong.
            Ok(instant) if (2000..2100).contains(&instant.year()) => {
                let microseconds = instant.timestamp_micros();
                DateTime::from_timestamp_micros(microseconds)
            }
            _ => {
                self.add_error(
                    name,
                    "Deve ser um instante de 2000 a 2099 no formato RFC 3339, por exemplo 2026-11-23T14:03:11Z.",
                );
                None
            }
        }
    }

    /// A text that `parse` accepts. `message` is the error if it does not.
    pub fn parsed<T>(
        &mut self,
        name: &str,
        max_chars: usize,
        message: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(name, max_chars)?;
        let parsed = parse(text);
        if parsed.is_none() {
            self.add_error(name, message);
        }
        parsed
    }

    /// Adds an error for each required field that is missing.
    pub fn require(&mut self, names: &[&str]) {
        for name in names {
            if self.value(name).is_none() {
                self.add_error(name, "É obrigatório.");
            }
        }
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn free_text_is_cut_and_never_refused_for_its_length() {
        let body = json!({"long": "á".repeat(300), "blank": "  ", "kept": " sem saldo ", "number": 1});
        let mut errors = FieldErrors::default();
        let mut fields = Fields::new(body.as_object().expect("an object"), "/data", &mut errors);
        assert_eq!(fields.free_text("long", 200), Some("á".repeat(200)));
        assert_eq!(fields.free_text("blank", 200), None);
        assert_eq!(fields.free_text("missing", 200), None);
        assert_eq!(fields.free_text("kept", 200).as_deref(), Some("sem saldo"));
        assert_eq!(fields.free_text("number", 200), None);
        let pointers: Vec<_> = errors.into_inner().into_keys().collect();
        assert_eq!(pointers, ["/data/number"]);
    }
}
