//! Conversions between values of the domain and columns.
//!
//! A value that no fold writes is an error with the column's name, never a default.

use ledger_domain::sale::{CardBrand, PaymentType, Provider, SaleStatus, Solution};
use ledger_domain::transfer::{Destination, Direction, TransferKind, TransferStatus};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

pub(crate) fn provider(number: i16) -> Result<Provider, Error> {
    u8::try_from(number)
        .ok()
        .and_then(|number| Provider::from_number(number).ok())
        .ok_or_else(|| Error::unreadable("provider", number))
}

pub(crate) fn solution(number: i16) -> Result<Solution, Error> {
    u8::try_from(number)
        .ok()
        .and_then(|number| Solution::from_number(number).ok())
        .ok_or_else(|| Error::unreadable("solution", number))
}

pub(crate) fn payment_type(word: &str) -> Result<PaymentType, Error> {
    PaymentType::parse(word).map_err(|_| Error::unreadable("payment_type", word))
}

pub(crate) fn card_brand(word: &str) -> Result<CardBrand, Error> {
    CardBrand::parse(word).map_err(|_| Error::unreadable("card_brand", word))
}

/// `None` for payments without a card.
pub(crate) fn optional_brand(word: Option<&str>) -> Result<Option<CardBrand>, Error> {
    word.map(card_brand).transpose()
}

pub(crate) fn sale_status(word: &str) -> Result<SaleStatus, Error> {
    SaleStatus::parse(word).map_err(|_| Error::unreadable("status", word))
}

pub(crate) fn transfer_kind(number: i16) -> Result<TransferKind, Error> {
    u8::try_from(number)
        .ok()
        .and_then(|number| TransferKind::from_number(number).ok())
        .ok_or_else(|| Error::unreadable("transfer.kind", number))
}

pub(crate) fn transfer_status(number: i16) -> Result<TransferStatus, Error> {
    u8::try_from(number)
        .ok()
        .and_then(|number| TransferStatus::from_number(number).ok())
        .ok_or_else(|| Error::unreadable("transfer.status", number))
}

pub(crate) fn transfer_direction(word: Option<&str>) -> Result<Option<Direction>, Error> {
    word.map(|word| Direction::parse(word).map_err(|_| Error::unreadable("transfer.direction", word)))
        .transpose()
}

/// The column holds the destination as JSON, in the form that the event has.
pub(crate) fn destination(json: Option<&str>) -> Result<Option<Destination>, Error> {
    json.map(|json| serde_json::from_str(json).map_err(|_| Error::unreadable("transfer.destination", json)))
        .transpose()
}

/// The names of a payment as JSON, in the form that the event has; `None` without names.
pub(crate) fn names_json<Names: Serialize + Default + PartialEq>(names: &Names) -> Option<String> {
    (*names != Names::default()).then(|| serde_json::to_string(names).expect("names serialize"))
}

pub(crate) fn names<Names: DeserializeOwned + Default>(
    column: &'static str,
    json: Option<&str>,
) -> Result<Names, Error> {
    json.map_or(Ok(Names::default()), |json| {
        serde_json::from_str(json).map_err(|_| Error::unreadable(column, json))
    })
}

pub(crate) fn small_number(column: &'static str, number: i16) -> Result<u8, Error> {
    u8::try_from(number).map_err(|_| Error::unreadable(column, number))
}

pub(crate) fn count(column: &'static str, number: i64) -> Result<u64, Error> {
    u64::try_from(number).map_err(|_| Error::unreadable(column, number))
}

/// An array in PostgreSQL's text form, for statements that insert many rows by `unnest`. `unnest` flattens an array of
/// arrays, so a column that is an array is sent as one text for each row. For numbers and dates only: elements are not
/// quoted.
pub(crate) fn array_literal<Element: std::fmt::Display>(
    elements: impl IntoIterator<Item = Option<Element>>,
) -> String {
    use std::fmt::Write as _;

    let mut literal = String::from("{");
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            literal.push(',');
        }
        match element {
            Some(element) => write!(literal, "{element}").expect("writing to a String cannot fail"),
            None => literal.push_str("NULL"),
        }
    }
    literal.push('}');
    literal
}

/// Like `array_literal`, for texts: each is quoted.
pub(crate) fn text_array_literal(texts: &[String]) -> String {
    let quoted = |text: &String| format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""));
    array_literal(texts.iter().map(quoted).map(Some))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_an_array_is_quoted() {
        let texts = ["a,b".to_owned(), r#"c"\{}"#.to_owned()];
        assert_eq!(text_array_literal(&texts), r#"{"a,b","c\"\\{}"}"#);
        assert_eq!(text_array_literal(&[]), "{}");
    }

    #[test]
    fn an_array_is_sent_in_the_form_that_postgresql_reads() {
        assert_eq!(array_literal([Some(1), None, Some(-3)]), "{1,NULL,-3}");
        assert_eq!(array_literal::<i64>([]), "{}");
        let dates = [chrono::NaiveDate::from_ymd_opt(2026, 11, 23)];
        assert_eq!(array_literal(dates), "{2026-11-23}");
    }
}
