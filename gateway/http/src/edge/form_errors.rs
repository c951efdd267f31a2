//! Collects the errors of a form's fields, so that one 422 reports every invalid field.

use std::collections::BTreeMap;

use crate::problem::{Problem, Result};

/// Fields of a form with their names, as `FormErrors` takes them.
macro_rules! named_fields {
    ($form:expr, [$($field:ident),+ $(,)?]) => {
        [$((stringify!($field), &$form.$field)),+]
    };
}

pub(crate) use named_fields;

/// Messages in Portuguese by the name of the field. A nested field is named by its path, such as `buyer.address.city`.
#[derive(Debug, Default)]
pub struct FormErrors(BTreeMap<String, Vec<String>>);

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

    /// A 422 with all errors, if there is one.
    pub fn finish(self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Problem::fields(self.0))
        }
    }
}
