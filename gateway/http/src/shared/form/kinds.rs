//! The kinds of values that the forms of several subjects have.

use gateway_platform::providers::mask_card_numbers;
use ledger_domain::{Cents, Numbers, Words};
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::declare::{Components, component};
use super::{Declared, Field, Kind, optional, required, required_or};
use crate::edge::control_characters;
use crate::edge::query::{self, QueryValue};
use crate::shared::schemas::{Number, Word};

/// The limit of most reasons and descriptions.
pub const REASON_MAX: usize = 500;

/// A text in one line, with single spaces between words. Card numbers are masked.
pub fn line(characters_max: usize) -> Kind<String> {
    let schema = move || query::text().max_length(Some(characters_max)).into();
    text(schema, move |given, field| {
        let line = given.split_whitespace().collect::<Vec<_>>().join(" ");
        check_text(field, &line, characters_max);
        Some(mask_card_numbers(&line).into_owned())
    })
}

/// A text of several lines, with single spaces between words, and at most one empty line between two lines of text.
/// Card numbers are masked.
pub fn paragraphs(characters_max: usize) -> Kind<String> {
    let schema = move || query::text().max_length(Some(characters_max)).into();
    text(schema, move |given, field| {
        let given = given.replace("\r\n", "\n");
        let mut lines: Vec<String> = vec![];
        for line in given.split(['\n', '\r']) {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(line);
            }
        }
        let text = lines.join("\n");
        let text = text.trim_end();
        check_text(field, text, characters_max);
        Some(mask_across_lines(text))
    })
}

/// A word of an enum. An absent or unknown word is the same error.
pub fn word<T: Words>() -> Declared<T> {
    required(word_kind(), T::INVALID)
}

/// A word of an enum, or none.
pub fn optional_word<T: Words>() -> Declared<Option<T>> {
    optional(word_kind())
}

/// A word of an enum, for a field that may be absent or has another error if it is.
pub fn word_kind<T: Words>() -> Kind<T> {
    Kind::new(component::<Word<T>>, |given: Value, field: &mut Field<'_>| {
        let text = given.as_str();
        if text.is_some_and(|text| text.trim().is_empty()) {
            return None;
        }
        let word = text.and_then(|text| T::parse(text).ok());
        if word.is_none() {
            field.error(T::INVALID);
        }
        word
    })
}

/// A value that serde reads, for rules below HTTP that take it as it was given. `Document` has its schema.
pub fn given<T: DeserializeOwned + 'static, Document: PartialSchema + 'static>() -> Kind<T> {
    given_with(Document::schema)
}

/// The same with the schema of a query's value, such as a date.
pub fn given_with<T: DeserializeOwned + 'static>(schema: impl Fn() -> RefOr<Schema> + 'static) -> Kind<T> {
    Kind::new(move |_: &mut Components| schema(), read_given)
}

/// The same for an array of values that have a named schema.
pub fn given_list<T: DeserializeOwned + 'static, Document: ToSchema + 'static>() -> Kind<Vec<T>> {
    let schema = |components: &mut Components| {
        ArrayBuilder::new()
            .items(component::<Document>(components))
            .into()
    };
    Kind::new(schema, read_given)
}

/// The same for a value that has a named schema.
pub fn given_named<T: DeserializeOwned + 'static, Document: ToSchema + 'static>() -> Kind<T> {
    Kind::new(component::<Document>, read_given)
}

fn read_given<T: DeserializeOwned>(given: Value, field: &mut Field<'_>) -> Option<T> {
    match serde_path_to_error::deserialize(given) {
        Ok(value) => Some(value),
        Err(error) => {
            field.wrong_type_at(&error.path().to_string());
            None
        }
    }
}

/// A text with the form of a query's value, such as an id or a date.
pub fn value<Own: 'static, T: QueryValue<Own> + 'static>() -> Kind<T> {
    let read = |given: &str, field: &mut Field<'_>| {
        let text = given.trim();
        if text.is_empty() {
            return None;
        }
        let value = T::parse(text);
        if value.is_none() {
            field.error(T::INVALID);
        }
        value
    };
    text(T::schema, read)
}

/// A number of an enum. A select field may send it as a text.
pub fn number<T: Numbers>(invalid: &'static str) -> Kind<T> {
    Kind::new(
        component::<Number<T>>,
        move |given: Value, field: &mut Field<'_>| {
            let number = match &given {
                Value::String(text) => text.trim().parse().ok(),
                other => other.as_u64(),
            };
            let number = number.and_then(|number| u8::try_from(number).ok());
            let value = number.and_then(|number| T::from_number(number).ok());
            if value.is_none() {
                field.error(invalid);
            }
            value
        },
    )
}

pub fn int32() -> Kind<i32> {
    let schema = |_: &mut Components| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .into()
    };
    Kind::new(schema, |given, field| {
        let number = given.as_i64().and_then(|number| i32::try_from(number).ok());
        number.or_else(|| field.wrong_type())
    })
}

/// An amount in cents. The ledger decides whether it is allowed.
pub fn cents() -> Kind<Cents> {
    let schema = |_: &mut Components| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .into()
    };
    Kind::new(schema, |given, field| {
        if given.as_str().is_some_and(|text| text.trim().is_empty()) {
            return None;
        }
        let amount = given.as_i64();
        if amount.is_none() {
            field.error("O valor deve ser numérico");
        }
        amount.map(Cents::new)
    })
}

/// An amount in cents, of one cent or more.
pub fn cents_from_one() -> Kind<Cents> {
    let at_least_one = |amount| {
        if amount < Cents::AMOUNT_MIN {
            return Err("Valor mínimo é de R$ 0,01");
        }
        Ok(amount)
    };
    cents().then(at_least_one)
}

/// A password, with its white space.
pub fn password() -> Kind<String> {
    let schema = |_: &mut Components| query::text().into();
    Kind::new(schema, |given, field| match given {
        Value::String(password) => Some(password).filter(|password| !password.is_empty()),
        _ => field.wrong_type(),
    })
}

/// A UUID, such as the id of a record.
pub fn uuid() -> Kind<Uuid> {
    let schema = || {
        let format = SchemaFormat::KnownFormat(KnownFormat::Uuid);
        query::text().format(Some(format)).into()
    };
    text(schema, |given, field| {
        let id = Uuid::try_parse(given.trim()).ok();
        id.or_else(|| field.wrong_type())
    })
}

pub fn boolean() -> Kind<bool> {
    let schema = |_: &mut Components| ObjectBuilder::new().schema_type(Type::Boolean).into();
    Kind::new(schema, |given, field| {
        given.as_bool().or_else(|| field.wrong_type())
    })
}

/// Texts, and a rule for all of them. The rule's error is shown to the user.
pub fn list<T: 'static>(rule: impl Fn(&[String]) -> Result<T, &'static str> + 'static) -> Kind<T> {
    let schema = |_: &mut Components| ArrayBuilder::new().items(query::text()).into();
    Kind::new(schema, move |given, field| {
        let Ok(texts) = serde_json::from_value::<Vec<String>>(given) else {
            return field.wrong_type();
        };
        rule(&texts).map_err(|message| field.error(message)).ok()
    })
}

/// A text without white space at its ends, and a rule for it. The rule's error is shown to the user.
pub fn trimmed<T: 'static>(
    schema: impl Fn() -> RefOr<Schema> + 'static,
    rule: impl Fn(&str) -> Result<T, &'static str> + 'static,
) -> Kind<T> {
    text(schema, move |given, field| {
        rule(given.trim()).map_err(|message| field.error(message)).ok()
    })
}

/// A text for a rule that takes also a blank one. The rule's error is shown to the user.
pub fn ruled<T: 'static>(
    schema: impl Fn() -> RefOr<Schema> + 'static,
    rule: impl Fn(&str) -> Result<T, &'static str> + 'static,
) -> Kind<T> {
    let schema = move |_: &mut Components| schema();
    Kind::new(schema, move |given, field| match given.as_str() {
        Some(text) => rule(text).map_err(|message| field.error(message)).ok(),
        None => field.wrong_type(),
    })
}

/// A required field whose rule says what is missing.
pub fn required_ruled<T: 'static>(kind: Kind<T>) -> Declared<T> {
    required_or(kind, || Value::String(String::new()))
}

/// A text that the function reads. A text of white space is blank.
pub fn text<T: 'static>(
    schema: impl Fn() -> RefOr<Schema> + 'static,
    read: impl Fn(&str, &mut Field<'_>) -> Option<T> + 'static,
) -> Kind<T> {
    let schema = move |_: &mut Components| schema();
    Kind::new(schema, move |given, field| match given.as_str() {
        Some(text) if text.trim().is_empty() => None,
        Some(text) => read(text, field),
        None => field.wrong_type(),
    })
}

fn check_text(field: &mut Field<'_>, text: &str, characters_max: usize) {
    if text.chars().count() > characters_max {
        let max = grouped(characters_max);
        field.error(&format!("O texto deve ter até {max} caracteres."));
    }
    if text.lines().any(control_characters::is_in) {
        field.error(control_characters::MESSAGE);
    }
}

/// A number below a million, such as 4.000.
fn grouped(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{}.{:03}", number / 1_000, number % 1_000),
    }
}

/// Masks card numbers, also those that continue on another line: a reader would still read them as one number. The line
/// ends stay.
fn mask_across_lines(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let masked = mask_card_numbers(&line);
    // A mask replaces characters one by one, so the number of characters that are not spaces stays the same.
    let mut shown = masked.chars().filter(|character| *character != ' ');
    text.chars()
        .map(|character| {
            if character.is_whitespace() {
                character
            } else {
                shown.next().unwrap_or('*')
            }
        })
        .collect()
}
