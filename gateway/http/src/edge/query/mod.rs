//! Reads query parameters as a type. One 422 reports every invalid value; none is silently replaced by a default.
//! `query!` declares the parameters of such a type.

mod declare;
mod paging;
mod range;
mod schemas;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, HashMap};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_environment::time_zone::TimeZone;
use gateway_formats::plain_text;
use utoipa::openapi::path::Parameter;

pub(crate) use declare::query;
pub use declare::{ParameterDeclaration, QueryField, QueryValue};
pub use paging::{Paging, PerPage};
pub use range::{REVERSED, check_period};
pub use schemas::{comma_separated, id_pattern, integer, numbered, text, words};
pub use values::{day, within};

use super::{FormErrors, control_characters, json_text};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// A type that is read from a query string. `query!` implements it.
pub trait FromQuery: Sized {
    /// The parameters that `read` reads, for the document.
    fn params() -> Vec<Parameter>;

    /// Reads all values, so that the reader has the errors of all. `None` if one is invalid. If only a rule over
    /// several values is broken, the reader has its error and the returned value is not used.
    fn read(query: &mut QueryReader) -> Option<Self>;
}

#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let reader = QueryReader::new(parts.uri.query().unwrap_or_default())?;
        reader.read_all().map(Self)
    }
}

impl<T: FromQuery> Documented for Query<T> {
    fn describe(call: &mut CallDocument) {
        call.parameters(T::params());
    }
}

/// Reads parameters by name and type, and collects their errors.
pub struct QueryReader {
    values: HashMap<String, String>,
    errors: FormErrors,
    /// The zone in which days become a range of instants.
    zone: TimeZone,
}

impl QueryReader {
    pub fn new(query: &str) -> Result<Self> {
        let parsed = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(
            &format!("/?{query}").parse().map_err(|_| Problem::unreadable())?,
        );
        let axum::extract::Query(pairs) = parsed.map_err(|_| Problem::unreadable())?;
        let mut reader = Self::empty();
        for (name, value) in pairs {
            if control_characters::is_in(&name) {
                return Err(Problem::field("query", control_characters::MESSAGE));
            }
            reader.add(&name, &value);
        }
        Ok(reader)
    }

    /// A reader of parameters that were stored, such as the filters of a report by e-mail.
    pub fn of_stored(values: &BTreeMap<String, String>) -> Self {
        let mut reader = Self::empty();
        for (name, value) in values {
            reader.add(name, value);
        }
        reader
    }

    fn empty() -> Self {
        Self {
            values: HashMap::new(),
            errors: FormErrors::default(),
            zone: TimeZone::UTC,
        }
    }

    /// Keeps a value as the platform keeps texts, or the error of one with control characters.
    fn add(&mut self, name: &str, value: &str) {
        if control_characters::is_in(value) {
            self.error(name, control_characters::MESSAGE);
        } else {
            let value = if json_text::is_exact(name) {
                value.into()
            } else {
                plain_text::clean(value)
            };
            self.values.insert(name.to_owned(), value.into_owned());
        }
    }

    /// The names of the parameters that have values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The trimmed value; empty if the parameter has no value.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|text| text.trim())
    }

    /// For free texts. An empty text counts as absent, because a form sends an empty field that way.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given(name).filter(|text| !text.is_empty())
    }

    /// Reads a parameter of a query. Records an error and returns `None` if it is invalid, or if it is required and
    /// absent.
    pub fn field<Kind, F: QueryField<Kind>>(
        &mut self,
        name: &str,
        default: Option<F>,
        missing: Option<&str>,
    ) -> Option<F> {
        let absent = default.or_else(F::absent);
        let empty_is_absent = absent.is_none() || F::IS_FREE_TEXT;
        let text = self
            .given(name)
            .filter(|text| !(text.is_empty() && empty_is_absent));
        let Some(text) = text else {
            // A value with a control character already has its error.
            if absent.is_none() && !self.has_error(name) {
                self.error(name, missing.unwrap_or(F::MISSING));
            }
            return absent;
        };
        let value = (!text.is_empty()).then(|| F::parse(text)).flatten();
        if value.is_none() {
            self.error(name, F::INVALID);
        }
        value
    }

    /// Reads a whole query. The error has all invalid values.
    pub fn read_all<T: FromQuery>(mut self) -> Result<T> {
        let query = T::read(&mut self);
        self.finish()?;
        query.ok_or_else(|| Problem::internal("an invalid query without an error"))
    }

    pub const fn zone(&self) -> TimeZone {
        self.zone
    }

    pub fn set_zone(&mut self, zone: TimeZone) {
        self.zone = zone;
    }

    pub fn has_error(&self, name: &str) -> bool {
        self.errors.has(name)
    }

    pub fn error(&mut self, name: &str, message: &str) {
        self.errors.add(name, message);
    }

    pub fn finish(self) -> Result<()> {
        Ok(self.errors.finish()?)
    }
}
