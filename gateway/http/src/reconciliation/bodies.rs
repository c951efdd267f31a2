//! Settlements in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{
    AcquirerRate, BadLineRecord, Difference, DifferenceKind, DifferenceState, EntryKind, Import,
    ImportFailure, ImportSource, ImportState, ReceivableRecord, SettlementDay,
};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::page::PageMeta;
use crate::shared::schemas::string_enum;

string_enum!(
    /// missing: the ledger expects it, and the acquirer did not report it by the day after. unknown: the acquirer reports
    /// it, and the ledger does not know it. amount, date: another gross or day. fee: another cost than the expected rate
    /// gives. double: reported more than once.
    DifferenceKindName {
        Missing = "missing",
        Unknown = "unknown",
        Amount = "amount",
        Date = "date",
        Fee = "fee",
        Double = "double",
    }
);

string_enum!(
    /// open: waits for staff. resolved: by staff, with a reason. gone: a later comparison no longer finds it.
    DifferenceStateName {
        Open = "open",
        Resolved = "resolved",
        Gone = "gone",
    }
);

string_enum!(
    /// Why the acquirer reports the amount.
    EntryName {
        Payment = "payment",
        Cancellation = "cancellation",
        Chargeback = "chargeback",
    }
);

string_enum!(
    /// receiving: the file arrives. waiting: for the job. reading: see bytes_read. done. failed: see failure.
    ImportStateName {
        Receiving = "receiving",
        Waiting = "waiting",
        Reading = "reading",
        Done = "done",
        Failed = "failed",
    }
);

string_enum!(
    /// interrupted: the sender or the program stopped. unreadable: the stored file. no_answer: of the acquirer.
    ImportFailureName {
        Interrupted = "interrupted",
        Unreadable = "unreadable",
        NoAnswer = "no_answer",
    }
);

impl From<DifferenceKind> for DifferenceKindName {
    fn from(kind: DifferenceKind) -> Self {
        match kind {
            DifferenceKind::Missing => Self::Missing,
            DifferenceKind::Unknown => Self::Unknown,
            DifferenceKind::Amount => Self::Amount,
            DifferenceKind::Date => Self::Date,
            DifferenceKind::Fee => Self::Fee,
            DifferenceKind::Double => Self::Double,
        }
    }
}

/// A difference between what the ledger expects and what an acquirer reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct DifferenceRow {
    pub id: Uuid,
    pub kind: DifferenceKindName,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    /// The day under which it is summed up: the due date, else the acquirer's day.
    pub day: NaiveDate,
    #[schema(required = true, value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    #[schema(required = true, value_type = Option<String>)]
    pub business_id: Option<BusinessId>,
    #[schema(required = true)]
    pub business_name: Option<String>,
    /// From 1.
    #[schema(example = 1)]
    pub installment: u8,
    /// The acquirer's name of the charge.
    #[schema(required = true, example = "1006993069000A1B2C3")]
    pub reference: Option<String>,
    /// Gross in cents; of a fee, the expected cost.
    #[schema(required = true, value_type = Option<i64>, example = 10_000)]
    pub expected: Option<Cents>,
    /// Gross in cents; of a fee, the acquirer's cost.
    #[schema(required = true, value_type = Option<i64>, example = 9_900)]
    pub reported: Option<Cents>,
    /// What it adds to the day's difference, in cents.
    #[schema(value_type = i64, example = -100)]
    pub delta: Cents,
    #[schema(required = true)]
    pub expected_on: Option<NaiveDate>,
    #[schema(required = true)]
    pub reported_on: Option<NaiveDate>,
    /// The import that reported it last.
    #[schema(required = true)]
    pub import_id: Option<Uuid>,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    #[schema(required = true, example = 42)]
    pub line: Option<u64>,
    pub state: DifferenceStateName,
    /// Only if resolved.
    #[schema(required = true, example = "Confirmado com a adquirente.")]
    pub reason: Option<String>,
    /// The name of the user who resolved it, if it is known.
    #[schema(required = true)]
    pub resolved_by: Option<String>,
    /// UTC instant.
    #[schema(required = true)]
    pub resolved_at: Option<DateTime<Utc>>,
    /// A decision sends the version that it started from.
    #[schema(example = 1)]
    pub version: i32,
    /// UTC instant.
    pub found_at: DateTime<Utc>,
}

impl DifferenceRow {
    pub fn of(difference: Difference, resolved_by: Option<String>) -> Self {
        Self {
            id: difference.id,
            kind: difference.kind.into(),
            provider: difference.provider,
            day: difference.day,
            sale_id: difference.sale_id,
            business_id: difference.business_id,
            business_name: difference.business_name,
            installment: difference.installment,
            reference: difference.reference,
            expected: difference.expected,
            reported: difference.reported,
            delta: difference.delta,
            expected_on: difference.expected_on,
            reported_on: difference.reported_on,
            import_id: difference.import_id,
            file_name: difference.file_name,
            line: difference.line,
            state: match difference.state {
                DifferenceState::Open => DifferenceStateName::Open,
                DifferenceState::Resolved => DifferenceStateName::Resolved,
                DifferenceState::Gone => DifferenceStateName::Gone,
            },
            resolved_at: difference.resolution.as_ref().map(|resolution| resolution.at),
            reason: difference.resolution.map(|resolution| resolution.reason),
            resolved_by,
            version: difference.version,
            found_at: difference.found_at,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DifferencePage {
    pub data: Vec<DifferenceRow>,
    pub meta: PageMeta,
}

/// An acquirer's day. Amounts in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementDayRow {
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    pub day: NaiveDate,
    /// Gross of the installments that are due. Null for days to come.
    #[schema(required = true, value_type = Option<i64>, example = 10_000)]
    pub expected: Option<Cents>,
    #[schema(example = 1)]
    pub expected_count: u64,
    /// Gross that the acquirer reports for them.
    #[schema(value_type = i64, example = 9_900)]
    pub reported: Cents,
    #[schema(example = 1)]
    pub reported_count: u64,
    /// Net of what is reported as paid.
    #[schema(value_type = i64, example = 9_650)]
    pub paid: Cents,
    /// What the acquirer keeps of what it reports.
    #[schema(value_type = i64, example = 250)]
    pub cost: Cents,
    /// The sum of the day's differences, open and resolved.
    #[schema(value_type = i64, example = -100)]
    pub difference: Cents,
    /// Number of open differences.
    #[schema(example = 1)]
    pub open_count: u64,
    /// Whether the acquirer's time to report has ended. Only then is missing what it did not report, and expected plus
    /// difference is what it reported.
    pub is_complete: bool,
    /// Whether a change is still to be summed up.
    pub is_stale: bool,
}

impl From<SettlementDay> for SettlementDayRow {
    fn from(day: SettlementDay) -> Self {
        Self {
            provider: day.provider,
            day: day.day,
            expected: day.expected,
            expected_count: day.expected_count,
            reported: day.reported,
            reported_count: day.reported_count,
            paid: day.paid,
            cost: day.cost,
            difference: day.difference,
            open_count: day.open_count,
            is_complete: day.is_complete,
            is_stale: day.is_stale,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementDayPage {
    pub data: Vec<SettlementDayRow>,
    pub meta: PageMeta,
}

/// What an acquirer reports about one installment.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerReceivableRow {
    pub id: i64,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    #[schema(example = "1006993069000A1B2C3")]
    pub reference: String,
    #[schema(example = 1)]
    pub installment: u8,
    pub entry: EntryName,
    #[schema(required = true, value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    /// In cents. Negative if it is taken back.
    #[schema(value_type = i64, example = 10_000)]
    pub gross: Cents,
    #[schema(value_type = i64, example = 250)]
    pub cost: Cents,
    #[schema(value_type = i64, example = 9_750)]
    pub net: Cents,
    #[schema(required = true)]
    pub expected_on: Option<NaiveDate>,
    #[schema(required = true)]
    pub paid_on: Option<NaiveDate>,
    /// It counts nothing then.
    pub canceled: bool,
    pub day: NaiveDate,
    /// How often its file has it. Each time counts.
    #[schema(example = 1)]
    pub times: u32,
    pub import_id: Uuid,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    #[schema(required = true, example = 42)]
    pub line: Option<u64>,
    /// UTC instant.
    pub reported_at: DateTime<Utc>,
}

impl From<ReceivableRecord> for AcquirerReceivableRow {
    fn from(record: ReceivableRecord) -> Self {
        Self {
            id: record.id,
            provider: record.provider,
            reference: record.reference,
            installment: record.installment,
            entry: match record.entry {
                EntryKind::Payment => EntryName::Payment,
                EntryKind::Cancellation => EntryName::Cancellation,
                EntryKind::Chargeback => EntryName::Chargeback,
            },
            sale_id: record.sale_id,
            gross: record.gross,
            cost: record.cost,
            net: record.net,
            expected_on: record.expected_on,
            paid_on: record.paid_on,
            canceled: record.canceled,
            day: record.day,
            times: record.times,
            import_id: record.import_id,
            file_name: record.file_name,
            line: record.line,
            reported_at: record.reported_at,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerReceivablePage {
    pub data: Vec<AcquirerReceivableRow>,
    pub meta: PageMeta,
}

/// A file, or an answer of an acquirer, that was read.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettlementImport {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    /// cnab240, card_file, or receivables (the acquirer's call about a day).
    #[schema(example = "card_file")]
    pub source: &'static str,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    /// Of a call.
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
    /// Those that were new or had other figures than before.
    #[schema(example = 12)]
    pub records_changed: u64,
    /// Lines that were not taken. They stop no other line.
    #[schema(example = 0)]
    pub bad_lines: u64,
    /// Of the whole file, in hexadecimal digits.
    #[schema(required = true)]
    pub sha256: Option<String>,
    /// The name of the user. Null: the program.
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

/// An import with a page of its bad lines. Its first 1,000 are kept.
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
    /// A code.
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

/// What an acquirer should keep of a payment, from a day on.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerRateRow {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    #[schema(example = "credit")]
    pub payment_type: &'static str,
    /// The smallest number of installments to which it applies.
    #[schema(example = 1)]
    pub installments_from: u8,
    pub valid_from: NaiveDate,
    /// Null: nothing is expected from that day on.
    #[schema(required = true, example = "2.5000")]
    pub percent: Option<String>,
    /// In cents.
    #[schema(required = true, value_type = Option<i64>, example = 0)]
    pub flat: Option<Cents>,
    /// The name of the user, if it is known.
    #[schema(required = true)]
    pub set_by: Option<String>,
    /// UTC instant.
    pub set_at: DateTime<Utc>,
}

impl AcquirerRateRow {
    pub fn of(rate: AcquirerRate, set_by: Option<String>) -> Self {
        Self {
            id: rate.id,
            provider: rate.provider,
            payment_type: rate.payment_type.as_str(),
            installments_from: rate.installments_from,
            valid_from: rate.valid_from,
            percent: rate.rate.map(|rate| rate.percent.to_string()),
            flat: rate.rate.map(|rate| rate.flat),
            set_by,
            set_at: rate.set_at,
        }
    }
}

/// All rates ever set: by acquirer, payment type and installments, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerRateList {
    pub data: Vec<AcquirerRateRow>,
}
