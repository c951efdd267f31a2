//! Collects the errors of a form's fields, so that one answer reports every invalid field.

use std::collections::BTreeMap;

use crate::providers::mask_card_numbers;

/// Messages in Portuguese by the name of the field. A nested field is named by its path, such as `buyer.address.city`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormErrors(BTreeMap<String, Vec<String>>);

/// The error of a text that has a character which cannot be stored or shown.
pub const CONTROL_CHARACTERS: &str = "O texto tem caracteres inválidos. Digite-o de novo, sem colar.";

impl FormErrors {
    pub fn add(&mut self, field: &str, message: &str) {
        self.0
            .entry(field.to_owned())
            .or_default()
            .push(message.to_owned());
    }

    /// The value of a field that the caller has parsed. Adds the error if there is one.
    pub fn validated<T>(&mut self, field: &str, parsed: Result<T, &'static str>) -> Option<T> {
        parsed.map_err(|message| self.add(field, message)).ok()
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All errors, if there is one.
    pub fn finish(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }

    pub fn into_messages(self) -> BTreeMap<String, Vec<String>> {
        self.0
    }
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
    if text.chars().any(char::is_control) {
        errors.add(field, CONTROL_CHARACTERS);
    }
    Some(mask_card_numbers(&text).into_owned()).filter(|text| !text.is_empty())
}
