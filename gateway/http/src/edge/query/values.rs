//! The values that the queries of several subjects have.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_environment::time_zone::TimeZone;
use ledger_domain::sale::{CardBrand, Solution};
use ledger_domain::{BusinessId, SaleId, TerminalId};
use projections::Next;
use utoipa::openapi::schema::KnownFormat;
use utoipa::openapi::{RefOr, Schema};

use super::schemas::{formatted, id, numbered};
use super::{QueryValue, integer, text};

/// A number from the first to the last.
pub fn within<T: FromStr + PartialOrd>(text: &str, first: T, last: T) -> Option<T> {
    text.parse().ok().filter(|number| (first..=last).contains(number))
}

/// A day of the years 0000 to 9999. Chrono also accepts signed years.
pub fn day(text: &str) -> Option<NaiveDate> {
    let digits_alone = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (text.len() == "AAAA-MM-DD".len() && digits_alone)
        .then(|| text.parse().ok())
        .flatten()
}

impl QueryValue for BusinessId {
    const INVALID: &'static str = "Deve ser o id de uma empresa.";
    const MISSING: &'static str = "Informe a empresa.";

    fn schema() -> RefOr<Schema> {
        id("biz")
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl QueryValue for SaleId {
    const INVALID: &'static str = "Deve ser o id de uma venda.";

    fn schema() -> RefOr<Schema> {
        id("sal")
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl QueryValue for TerminalId {
    const INVALID: &'static str = "Deve ser o id de um terminal.";

    fn schema() -> RefOr<Schema> {
        id("ter")
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl QueryValue for Solution {
    const INVALID: &'static str = "Deve ser 1, 2, 3 ou 4.";
    const MISSING: &'static str = "Informe a solução.";

    fn schema() -> RefOr<Schema> {
        numbered(Self::ALL.iter().map(|solution| solution.number()))
    }

    fn parse(text: &str) -> Option<Self> {
        Self::from_number(text.parse().ok()?).ok()
    }
}

impl QueryValue for CardBrand {
    const INVALID: &'static str = "Deve ser uma bandeira.";
    const MISSING: &'static str = "Informe a bandeira.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}

/// A switch, as the specification writes it.
impl QueryValue for bool {
    const INVALID: &'static str = "Deve ser 0 ou 1.";

    fn schema() -> RefOr<Schema> {
        integer(0, 1)
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }
}

impl QueryValue for NaiveDate {
    const INVALID: &'static str = "A data deve estar no formato AAAA-MM-DD.";
    const MISSING: &'static str = "Informe a data.";

    fn schema() -> RefOr<Schema> {
        formatted(KnownFormat::Date)
    }

    fn parse(text: &str) -> Option<Self> {
        day(text)
    }
}

impl QueryValue for DateTime<Utc> {
    const INVALID: &'static str = "Deve ser um instante no formato RFC 3339, como 2026-11-21T14:03:11Z.";

    fn schema() -> RefOr<Schema> {
        formatted(KnownFormat::DateTime)
    }

    fn parse(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(Self::from)
    }
}

impl QueryValue for TimeZone {
    const INVALID: &'static str = "Deve ser um fuso horário IANA, como America/Sao_Paulo.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

/// The `next` of an earlier answer of the same list.
impl<Cursor: FromStr> QueryValue for Next<Cursor>
where
    Self: FromStr,
{
    const INVALID: &'static str = "A continuação desta lista não é válida. Recarregue a página.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A free text. `QueryReader` has already refused control characters.
impl QueryValue for String {
    // Every text is valid.
    const INVALID: &'static str = "Deve ser um texto.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use ledger_domain::sale::PaymentType;
    use ledger_rows::AsWord;

    use super::*;

    #[test]
    fn a_day_has_one_format() {
        for text in ["2026-11-22", "0001-01-01", "9999-12-31"] {
            assert!(day(text).is_some(), "{text}");
        }
        // Chrono accepts the first two as dates.
        for text in [
            "-9999-1-01",
            "+2026-1-01",
            "2026-1-001",
            "2026-02-30",
            "2026/11/22",
            "２０26-1",
        ] {
            assert!(day(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_enum_with_aliases_has_a_pattern() {
        let document = serde_json::to_value(<PaymentType as QueryValue<AsWord>>::schema()).expect("a schema");
        assert_eq!(
            document["pattern"],
            "^(credit|debit|boleto|pix|CREDIT_CARD|BOLETO|PIX)$"
        );
    }
}
