//! The Portuguese labels that the spreadsheets of several subjects show. They are the same as on the screens.

use chrono::{Datelike, NaiveDate, Weekday};
use gateway_environment::time_zone::TimeZone;
use ledger_domain::documents::Document;

use crate::shared::author::Author;

/// The author's name, or a general word for authors without a name.
pub fn author(author: &Author) -> String {
    author
        .name
        .clone()
        .unwrap_or_else(|| author.kind.label().to_owned())
}

pub fn weekday(date: NaiveDate) -> &'static str {
    match date.weekday() {
        Weekday::Sun => "domingo",
        Weekday::Mon => "segunda-feira",
        Weekday::Tue => "terça-feira",
        Weekday::Wed => "quarta-feira",
        Weekday::Thu => "quinta-feira",
        Weekday::Fri => "sexta-feira",
        Weekday::Sat => "sábado",
    }
}

/// The name of a time zone, the same as on the screens. A zone without a Portuguese name here has the last part of its
/// IANA name.
pub fn zone(zone: TimeZone) -> String {
    match zone.as_str() {
        "America/Sao_Paulo" => "Brasília".to_owned(),
        "America/Noronha" => "Fernando de Noronha".to_owned(),
        "America/Belem" => "Belém".to_owned(),
        "America/Maceio" => "Maceió".to_owned(),
        "America/Araguaina" => "Araguaína".to_owned(),
        "America/Eirunepe" => "Eirunepé".to_owned(),
        "America/Santarem" => "Santarém".to_owned(),
        "America/Cuiaba" => "Cuiabá".to_owned(),
        other => {
            let city = other.rsplit('/').next().unwrap_or(other);
            city.replace('_', " ")
        }
    }
}

/// A CPF or a CNPJ with its mask. Any other text is returned unchanged.
pub fn document(text: &str) -> String {
    Document::parse(text).map_or_else(|_| text.to_owned(), |document| document.to_string())
}
