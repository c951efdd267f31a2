//! OpenAPI schemas for types of crates without HTTP.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use ledger_domain::{Numbers, Words};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::openapi::extensions::{Extensions, ExtensionsBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::edge::query::words;

/// A word of an enum of `words!` in a body. The schema has the enum's name, its comment and its words.
///
/// The derive of `ToSchema` would give a generic type another name, so a body names the type by an alias:
///
/// ```ignore
/// pub type TicketStateName = Word<TicketState>;
///
/// #[derive(Serialize, ToSchema)]
/// pub struct TicketBody {
///     pub state: TicketStateName,
/// }
///
/// TicketBody { state: ticket.state.into() }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word<T>(pub T);

/// The labels of the words, which the panels import (`razao words`): pairs of a word and its label, in the order of the
/// declaration. They are not in the document.
pub const LABELS: &str = "x-labels";

pub fn word_labels<T: Words>() -> Vec<[String; 2]> {
    let label = |value: &T| [value.as_str().to_owned(), value.label().to_owned()];
    T::ALL.iter().map(label).collect()
}

pub fn number_labels<T: Numbers>() -> Vec<[String; 2]> {
    let label = |value: &T| [value.number().to_string(), value.label().to_owned()];
    T::ALL.iter().map(label).collect()
}

impl<T: Words> From<T> for Word<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Word<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Words> fmt::Debug for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl<T: Words> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<T: Words> PartialSchema for Word<T> {
    fn schema() -> RefOr<Schema> {
        // A word is its own label where no screen shows it.
        let has_labels = T::ALL.iter().any(|value| value.label() != value.as_str());
        let extensions = has_labels.then(|| extension(word_labels::<T>()));
        words(T::ALL.iter().map(|value| value.as_str()))
            .description(description(T::DESCRIPTION))
            .extensions(extensions)
            .into()
    }
}

impl<T: Words> ToSchema for Word<T> {
    fn name() -> Cow<'static, str> {
        T::NAME.into()
    }
}

/// A number of an enum of `numbers!` in a body. Bodies name the type by an alias, as that of `Word`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<T>(pub T);

impl<T: Numbers> From<T> for Number<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Number<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Numbers> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.number())
    }
}

impl<T: Numbers> PartialSchema for Number<T> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .description(description(T::DESCRIPTION))
            .enum_values(Some(T::ALL.iter().map(|value| value.number())))
            .extensions(Some(extension(number_labels::<T>())))
            .into()
    }
}

impl<T: Numbers> ToSchema for Number<T> {
    fn name() -> Cow<'static, str> {
        T::NAME.into()
    }
}

fn extension(labels: Vec<[String; 2]>) -> Extensions {
    ExtensionsBuilder::new().add(LABELS, labels).build()
}

/// The description of the lines of a comment.
pub fn description(lines: &[&str]) -> Option<String> {
    let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A value in a body whose fields a crate without HTTP declares. `Document` has the same fields, with their descriptions,
/// and is only a schema. Bodies name the type by an alias, as that of `Word`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DescribedBy<Document, T>(pub T, PhantomData<Document>);

impl<Document, T> From<T> for DescribedBy<Document, T> {
    fn from(value: T) -> Self {
        Self(value, PhantomData)
    }
}

impl<Document: ToSchema, T> PartialSchema for DescribedBy<Document, T> {
    fn schema() -> RefOr<Schema> {
        Document::schema()
    }
}

impl<Document: ToSchema, T> ToSchema for DescribedBy<Document, T> {
    fn name() -> Cow<'static, str> {
        Document::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Document::schemas(schemas);
    }
}

/// An IANA time zone name.
#[derive(ToSchema)]
#[schema(as = TimeZone, value_type = String, example = "America/Sao_Paulo")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub struct TimeZoneSchema(pub String);
