//! The answers about payments that acquirers report.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{EntryKind, ReceivableRecord};
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::list::PageOf;
use crate::shared::schemas::Word;

pub type EntryWord = Word<EntryKind>;

/// An acquirer's report of one installment.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerReceivableRow {
    pub id: i64,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    #[schema(example = "1006993069000A1B2C3")]
    pub reference: String,
    /// The names by which the row's sale may be found: TID and NSU of a card, the numbers of a boleto, or the id in the
    /// acquirer's API.
    #[schema(example = json!(["1006993069000A1B2C3", "000123456"]))]
    pub names: Vec<String>,
    #[schema(required = true, example = "A1B2C3")]
    pub authorization_code: Option<String>,
    #[schema(example = 1)]
    pub installment: u8,
    pub entry: EntryWord,
    #[schema(required = true, value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    /// In cents. Negative if it is taken back.
    #[schema(value_type = i64, example = 10_000)]
    pub gross: Cents,
    /// Null if the file's field cannot be read.
    #[schema(required = true, value_type = Option<i64>, example = 250)]
    pub cost: Option<Cents>,
    #[schema(value_type = i64, example = 9_750)]
    pub net: Cents,
    #[schema(required = true)]
    pub expected_on: Option<NaiveDate>,
    #[schema(required = true)]
    pub paid_on: Option<NaiveDate>,
    /// Whether the acquirer canceled it. It is in no sum then.
    pub canceled: bool,
    pub day: NaiveDate,
    /// The number of times that its file has the row. Each of them counts.
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
            names: record.external_ids,
            authorization_code: record.authorization_code,
            installment: record.installment,
            entry: record.entry.into(),
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

pub type AcquirerReceivablePage = PageOf<AcquirerReceivableRow>;
