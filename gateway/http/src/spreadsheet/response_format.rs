//! The format in which a client wants a list: JSON, or a spreadsheet with a name.

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use chrono::NaiveDate;
use gateway_environment::time_zone::TimeZone;
use gateway_platform::companies::company_fetch;
use ledger_domain::BusinessId;
use utoipa::ToSchema;

use super::{CSV_MEDIA_TYPE, XLSX_MEDIA_TYPE};
use crate::AppState;
use crate::edge::list_query::list_zone;
use crate::edge::time_limit::TimeLimit;
use crate::edge::{CurrentBusiness, FromQuery, QueryReader, query};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// Longer names cause errors in some file systems when a browser adds "(1)".
const NAME_CHARACTERS_MAX: usize = 100;
/// Leaves room for the list's name and the date within `NAME_CHARACTERS_MAX`.
const COMPANY_CHARACTERS_MAX: usize = 60;

/// Long enough to send a million rows to a slow client.
const EXPORT_TIME_MAX: Duration = Duration::from_secs(30 * 60);

#[derive(Debug)]
pub enum ResponseFormat {
    Json,
    Spreadsheet(Spreadsheet),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Xlsx,
    Csv,
}

impl FileKind {
    const fn extension(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
        }
    }

    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Xlsx => XLSX_MEDIA_TYPE,
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// A requested spreadsheet.
#[derive(Debug)]
pub struct Spreadsheet {
    pub(super) kind: FileKind,
    /// Without the extension; empty if the client gave no name.
    name: String,
    /// Follows the list's name in a default name: the company, if there is one, and the date.
    name_suffix: String,
    /// The zone of the list. Times are shown in it.
    pub(super) zone: TimeZone,
}

impl FromRequestParts<AppState> for ResponseFormat {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let mut query = QueryReader::new(parts.uri.query().unwrap_or_default())?;
        let Some(kind) = accepted_file(&parts.headers) else {
            // A call without filters has no other reader that rejects control characters.
            query.finish()?;
            return Ok(Self::Json);
        };
        // Writing and sending a long list takes longer than the limit of other answers.
        if let Some(limit) = parts.extensions.get::<TimeLimit>() {
            limit.extend_to(EXPORT_TIME_MAX);
        }
        let file = FileQuery::read(&mut query).and_then(|file| file.filename);
        let name = valid_file_name(&file.unwrap_or_default());
        let company = requested_company(parts, query.text("business_id"));
        let zone = list_zone(parts, state, &mut query).await?;
        query.finish()?;
        let company = match company {
            Some(id) => company_fetch(&*state.db().await?, id).await?,
            None => None,
        };
        let name_suffix = name_suffix(
            company.as_ref().map(|company| company.name.as_str()),
            state.clock.today(),
        );
        Ok(Self::Spreadsheet(Spreadsheet {
            kind,
            name,
            name_suffix,
            zone,
        }))
    }
}

impl Documented for ResponseFormat {
    fn describe(call: &mut CallDocument) {
        call.parameters(FileQuery::params());
        call.success_content::<Workbook>(XLSX_MEDIA_TYPE);
        call.success_content::<CsvText>(CSV_MEDIA_TYPE);
    }
}

/// The seller's company, or the company that staff name in the query or in the path.
fn requested_company(parts: &Parts, named: Option<&str>) -> Option<BusinessId> {
    let of_seller = parts
        .extensions
        .get::<CurrentBusiness>()
        .map(|business| business.id);
    let in_path = || parts.uri.path().split('/').find_map(|part| part.parse().ok());
    of_seller.or_else(|| named?.parse().ok()).or_else(in_path)
}

/// For example "padaria-são-joão-ltda-2026-11-21".
fn name_suffix(company: Option<&str>, today: NaiveDate) -> String {
    let words = company
        .unwrap_or_default()
        .split(|character: char| !character.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    let company: String = words.collect::<Vec<_>>().join("-");
    // Shortens the company's name, so that the date is never cut off.
    let company: String = company.chars().take(COMPANY_CHARACTERS_MAX).collect();
    [company.trim_matches('-'), &today.to_string()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// The kind of file that `Accept` names; wildcards such as `*/*` name none. The workbook if it names both.
fn accepted_file(headers: &HeaderMap) -> Option<FileKind> {
    let accepted = headers
        .get_all(header::ACCEPT)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    let ranges: Vec<_> = accepted
        .flat_map(|value| value.split(','))
        .filter_map(accepted_media_type)
        .collect();
    let names = |media_type: &str| ranges.iter().any(|range| range.eq_ignore_ascii_case(media_type));
    if names(XLSX_MEDIA_TYPE) {
        Some(FileKind::Xlsx)
    } else {
        names(CSV_MEDIA_TYPE).then_some(FileKind::Csv)
    }
}

/// The media type of one range of `Accept`. `None` if its weight is zero: it is then not acceptable (RFC 9110, 12.4.2).
fn accepted_media_type(range: &str) -> Option<&str> {
    let mut parts = range.split(';').map(str::trim);
    let media_type = parts.next()?;
    let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
    weight.is_none_or(|weight| weight > 0.0).then_some(media_type)
}

/// Removes the extension of a spreadsheet, because `disposition` adds the one of the answer.
fn valid_file_name(requested: &str) -> String {
    let stem = [".xlsx", ".csv"].into_iter().find_map(|extension| {
        let (stem, last) = requested.split_at_checked(requested.len().checked_sub(extension.len())?)?;
        last.eq_ignore_ascii_case(extension).then_some(stem)
    });
    let stem = stem.unwrap_or(requested);
    safe_file_name(stem)
}

/// A name without path separators, control characters, characters that Windows forbids, or a dot at either end. It may
/// be empty.
pub fn safe_file_name(requested: &str) -> String {
    let kept = requested.chars().map(|character| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '-',
        other => other,
    });
    let name: String = kept
        .filter(|character| !is_invisible(*character))
        .take(NAME_CHARACTERS_MAX)
        .collect();
    name.trim_matches(|character: char| character == '.' || character.is_whitespace())
        .to_owned()
}

/// Control characters and marks of text direction. The marks can make one file extension look like another.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Spreadsheet {
    /// A workbook for a report by e-mail, in the zone of Brasília.
    pub const fn workbook(name: String) -> Self {
        Self {
            kind: FileKind::Xlsx,
            name,
            name_suffix: String::new(),
            zone: TimeZone::BRASILIA,
        }
    }

    pub fn is_csv(&self) -> bool {
        self.kind == FileKind::Csv
    }

    /// The file's name in both forms (RFC 6266): ASCII for old clients, UTF-8 for the others.
    pub(super) fn disposition(&self, default_name: &str) -> HeaderValue {
        let name = if self.name.is_empty() {
            &valid_file_name(&format!("{default_name}-{}", self.name_suffix))
        } else {
            &self.name
        };
        attachment(&format!("{name}.{}", self.kind.extension()))
    }
}

/// A file that the browser saves and does not show (RFC 6266). The name is in both forms: ASCII and UTF-8.
pub fn attachment(name: &str) -> HeaderValue {
    let plain: String = name
        .chars()
        .map(|character| if character.is_ascii() { character } else { '_' })
        .collect();
    let value = format!(
        "attachment; filename=\"{plain}\"; filename*=UTF-8''{}",
        percent_encoded(name)
    );
    HeaderValue::from_str(&value).unwrap_or(HeaderValue::from_static("attachment"))
}

/// Encodes all characters except the unreserved ones of RFC 3986. RFC 8187 allows these unencoded.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte))
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}

query! {
    struct FileQuery {
        /// The file's name, with or without its extension. The default is the list, the company if there is one, and
        /// the date. The file holds all rows: `page` and `perPage` are ignored.
        #[example = "vendas"]
        filename: Option<String>,
    }
}

/// The rows of the list as an XLSX workbook.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "PK…")]
#[expect(dead_code, reason = "only documents the body of a spreadsheet")]
struct Workbook(Vec<u8>);

/// The rows of the list as CSV for Brazilian spreadsheet programs: semicolons, decimal commas, a byte order mark, CRLF.
#[derive(ToSchema)]
#[schema(value_type = String, example = "Período;Vendas\r\n01/11/2026;4\r\n")]
#[expect(dead_code, reason = "only documents the body of a spreadsheet")]
struct CsvText(String);

#[cfg(test)]
mod tests {
    use super::*;

    fn disposition(requested: &str) -> String {
        let spreadsheet = Spreadsheet {
            kind: FileKind::Xlsx,
            name: valid_file_name(requested),
            name_suffix: name_suffix(Some("Pão & Cia."), "2026-11-21".parse().expect("a date")),
            zone: TimeZone::UTC,
        };
        spreadsheet
            .disposition("vendas")
            .to_str()
            .expect("visible characters")
            .to_owned()
    }

    #[test]
    fn the_name_is_sent_in_both_forms() {
        assert_eq!(
            disposition("Março 2026"),
            "attachment; filename=\"Mar_o 2026.xlsx\"; filename*=UTF-8''Mar%C3%A7o%202026.xlsx"
        );
        assert_eq!(disposition("extrato.XLSX"), disposition("extrato"));
        assert_eq!(disposition("extrato.csv"), disposition("extrato"));
    }

    #[test]
    fn a_long_company_name_does_not_cut_off_the_date() {
        let name = name_suffix(
            Some(&"Comércio ".repeat(30)),
            "2026-11-21".parse().expect("a date"),
        );
        let shown = valid_file_name(&format!("recebimentos-por-parcela-{name}"));
        assert!(shown.ends_with("-2026-11-21"), "{shown}");
    }

    #[test]
    fn a_requested_name_cannot_break_the_header_or_leave_the_folder() {
        assert_eq!(valid_file_name("../../etc/passwd"), "-..-etc-passwd");
        assert_eq!(valid_file_name("a\"; filename=\"b.exe"), "a-; filename=-b.exe");
        assert_eq!(valid_file_name("a\r\nSet-Cookie: b\u{202e}"), "aSet-Cookie- b");
        assert_eq!(valid_file_name(&"x".repeat(300)).len(), NAME_CHARACTERS_MAX);
        assert!(disposition("...").contains("\"vendas-p_o-cia-2026-11-21.xlsx\""));
    }

    #[test]
    fn only_a_client_that_accepts_it_by_name_gets_a_spreadsheet() {
        let accepting = |value: &str| {
            let value = HeaderValue::from_str(value).expect("a header's value");
            accepted_file(&HeaderMap::from_iter([(header::ACCEPT, value)]))
        };
        assert_eq!(accepting(XLSX_MEDIA_TYPE), Some(FileKind::Xlsx));
        let both = format!("text/csv, {XLSX_MEDIA_TYPE};q=0.9");
        assert_eq!(accepting(&both), Some(FileKind::Xlsx));
        assert_eq!(accepting("text/html, text/csv;q=0.9"), Some(FileKind::Csv));
        assert_eq!(
            (accepting("text/csv;q=0"), accepting("text/csv; q=0.0")),
            (None, None)
        );
        assert_eq!((accepting("*/*"), accepting("application/json")), (None, None));
        assert_eq!(accepted_file(&HeaderMap::new()), None);
    }
}
