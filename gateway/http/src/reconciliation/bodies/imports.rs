//! Imports and their bad lines in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{BadLineRecord, Import, ImportFailure, ImportSource, ImportState};
use ledger_domain::sale::Provider;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::page::PageMeta;
use crate::shared::schemas::string_enum;

string_enum!(
    /// receiving: the file is arriving. waiting: the job has not begun to read it. reading: see bytes_read. failed: see
    /// failure.
    ImportStateName {
        Receiving = "receiving",
        Waiting = "waiting",
        Reading = "reading",
        Done = "done",
        Failed = "failed",
    }
);

string_enum!(
    /// interrupted: the sender or the program stopped. unreadable: the stored file cannot be read. no_answer: the
    /// acquirer did not answer.
    ImportFailureName {
        Interrupted = "interrupted",
        Unreadable = "unreadable",
        NoAnswer = "no_answer",
    }
);

/// A file, or an acquirer's answer about a day, and how far it is read.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImport {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    /// cnab240, card_file, or receivables (a call to the acquirer about a day).
    #[schema(example = "card_file")]
    pub source: &'static str,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    /// The day that a call asked for. Null for a file.
    #[schema(required = true)]
    pub day: Option<NaiveDate>,
    pub state: ImportStateName,
    #[schema(required = true)]
    pub failure: Option<ImportFailureName>,
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
    /// Lines that were not taken. They stop no other line.
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
        let failure = match import.state {
            ImportState::Failed(failure) => Some(failure),
            ImportState::Receiving | ImportState::Waiting | ImportState::Reading | ImportState::Done => None,
        };
        let (source, file_name, day) = match import.source {
            ImportSource::File { format, name } => (format.as_str(), name, None),
            ImportSource::Receivables { day } => ("receivables", None, Some(day)),
        };
        Self {
            id: import.id,
            provider: import.provider,
            source,
            file_name,
            day,
            state: match import.state {
                ImportState::Receiving => ImportStateName::Receiving,
                ImportState::Waiting => ImportStateName::Waiting,
                ImportState::Reading => ImportStateName::Reading,
                ImportState::Done => ImportStateName::Done,
                ImportState::Failed(_) => ImportStateName::Failed,
            },
            failure: failure.map(|failure| match failure {
                ImportFailure::Interrupted => ImportFailureName::Interrupted,
                ImportFailure::Unreadable => ImportFailureName::Unreadable,
                ImportFailure::NoAnswer => ImportFailureName::NoAnswer,
            }),
            bytes: import.byte_count,
            bytes_read: import.bytes_read,
            lines_read: import.lines_read,
            records_read: import.records_read,
            records_changed: import.records_changed,
            bad_lines: import.bad_lines,
            sha256: import.sha256.map(hex::encode),
            imported_by,
            created_at: import.created_at,
            ended_at: import.ended_at,
            repeated: false,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImportPage {
    pub data: Vec<SettlementImport>,
    pub meta: PageMeta,
}

/// An import with a page of its bad lines. The first 1,000 bad lines are kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImportDetail {
    #[serde(flatten)]
    pub import: SettlementImport,
    pub bad: Vec<BadLine>,
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
