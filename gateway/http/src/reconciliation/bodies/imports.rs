//! Imports and their bad lines in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{self, BadLineRecord, FileFormat, Import, ImportFailure, ImportState};
use ledger_domain::sale::Provider;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::list::PageOf;
use crate::shared::page::PageMeta;
use crate::shared::schemas::Word;

pub type ImportStateWord = Word<ImportState>;
pub type ImportFailureWord = Word<ImportFailure>;

/// A file, or an acquirer's answer about a day, and how far it is read.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImport {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    /// cnab240, cnab400, card_file, or receivables (a call to the acquirer about a day).
    #[schema(example = "card_file")]
    pub source: &'static str,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    /// The day that a call asked for. Null for a file.
    #[schema(required = true)]
    pub day: Option<NaiveDate>,
    pub state: ImportStateWord,
    #[schema(required = true)]
    pub failure: Option<ImportFailureWord>,
    #[schema(example = 123_456)]
    pub bytes: u64,
    #[schema(example = 123_456)]
    pub bytes_read: u64,
    #[schema(example = 200)]
    pub lines_read: u64,
    /// Records about payments.
    #[schema(example = 190)]
    pub records_read: u64,
    /// Records that were new or had other figures than before.
    #[schema(example = 12)]
    pub records_changed: u64,
    /// Lines that were not taken: they cannot be read, or have money and wait for staff. They stop no other line.
    #[schema(example = 0)]
    pub bad_lines: u64,
    /// The SHA-256 of the whole file, in hexadecimal digits. Null for a call, and until the file has arrived.
    #[schema(required = true)]
    pub sha256: Option<String>,
    /// The name of the user, if a user imported it and the name is known.
    #[schema(required = true)]
    pub imported_by: Option<String>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// UTC instant.
    #[schema(required = true)]
    pub ended_at: Option<DateTime<Utc>>,
    /// True in the answer to an upload if the same file was imported before. Nothing changes then.
    pub repeated: bool,
}

impl SettlementImport {
    pub fn of(import: Import, imported_by: Option<String>) -> Self {
        Self {
            id: import.id,
            provider: import.provider,
            source: import.format.map_or("receivables", FileFormat::as_str),
            file_name: import.file_name,
            day: import.day,
            state: import.state.into(),
            failure: import.failure.map(Word),
            bytes: import.byte_count,
            bytes_read: import.bytes_read,
            lines_read: import.lines_read,
            records_read: import.records_read,
            records_changed: import.records_changed,
            bad_lines: import.bad_lines,
            sha256: import.sha256,
            imported_by,
            created_at: import.created_at,
            ended_at: import.ended_at,
            repeated: false,
        }
    }
}

pub type SettlementImportPage = PageOf<SettlementImport>;

/// An import with a page of its bad lines. The first 1,000 bad lines are kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImportDetail {
    #[serde(flatten)]
    pub import: SettlementImport,
    pub bad: Vec<BadLine>,
    /// What was mended while the file was read. The payments of mended lines are kept.
    pub warnings: Vec<ImportWarning>,
    pub meta: PageMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BadLine {
    #[schema(example = 42)]
    pub line: u64,
    /// The code of the reason.
    #[schema(example = "amount")]
    pub reason: String,
    /// The values that belong to the reason.
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
}

impl From<BadLineRecord> for BadLine {
    fn from(bad: BadLineRecord) -> Self {
        Self {
            line: bad.line,
            reason: bad.reason,
            parameters: bad.parameters,
        }
    }
}

/// What was mended in an import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportWarning {
    /// The code of what was mended.
    #[schema(example = "short_line")]
    pub reason: String,
    /// The values that belong to the reason.
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
    /// The first line that has it.
    #[schema(example = 3)]
    pub line: u64,
    /// The number of lines that have it.
    #[schema(example = 12)]
    pub count: u64,
}

impl From<reconciliation::ImportWarning> for ImportWarning {
    fn from(warning: reconciliation::ImportWarning) -> Self {
        Self {
            reason: warning.reason,
            parameters: warning.parameters,
            line: warning.line,
            count: warning.count,
        }
    }
}
