//! The list of the rows that acquirers reported.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use ledger_rows::row;
use projections::SortOrder;
use uuid::Uuid;

use super::reported::EntryKind;
use crate::list::{Conditions, List, Order, PageSql, page_first};

/// Selects the rows that acquirers reported, in the order of their days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReceivableFilter {
    pub provider: Option<Provider>,
    pub start: Option<Date>,
    pub end: Option<Date>,
    pub order: SortOrder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivableRecord {
    pub id: i64,
    pub provider: Provider,
    pub reference: String,
    /// The other names of the payment that the row has.
    pub external_ids: Vec<String>,
    pub authorization_code: Option<String>,
    pub installment: u8,
    pub entry: EntryKind,
    pub sale_id: Option<SaleId>,
    pub gross: Cents,
    pub cost: Option<Cents>,
    pub net: Cents,
    pub expected_on: Option<Date>,
    pub paid_on: Option<Date>,
    pub canceled: bool,
    pub day: Date,
    /// The number of its lines in the file.
    pub times: u32,
    pub import_id: Uuid,
    pub file_name: Option<String>,
    pub line: Option<u64>,
    pub reported_at: DateTime<Utc>,
}

row! {
    impl FromRow for ReceivableRecord {
        id: i64 = "r.id",
        provider: Provider = "r.provider",
        reference: String = "r.reference",
        external_ids: Vec<String> = "r.external_ids",
        authorization_code: Option<String> = "r.authorization_code",
        installment: u8 = "r.installment",
        entry: EntryKind = "r.entry",
        sale_id: Option<SaleId> = "r.sale_id",
        gross: Cents = "r.gross",
        cost: Option<Cents> = "r.cost",
        net: Cents = "r.net",
        expected_on: Option<Date> = "r.expected_on",
        paid_on: Option<Date> = "r.paid_on",
        canceled: bool = "r.canceled",
        day: Date = "r.day",
        repetitions: i32 = "cardinality(r.repeated_lines)",
        import_id: Uuid = "r.import_id",
        file_name: Option<String> = "i.file_name",
        line: Option<u64> = "r.line",
        reported_at: DateTime<Utc> = "r.reported_at",
    } => Self {
        id,
        provider,
        reference,
        external_ids,
        authorization_code,
        installment,
        entry,
        sale_id,
        gross,
        cost,
        net,
        expected_on,
        paid_on,
        canceled,
        day,
        times: 1 + repetitions.unsigned_abs(),
        import_id,
        file_name,
        line,
        reported_at,
    }
}

impl List for ReceivableFilter {
    type Row = ReceivableRecord;
    const TABLE: &'static str = "acquirer_receivable r";
    const JOINS: &'static str = "JOIN settlement_import i ON i.id = r.import_id";
    const COUNTED_IN_ORDER: bool = true;

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("r.provider", &self.provider);
        list.days("r.day", &self.start, &self.end);
    }

    fn order(&self) -> Order {
        Order::by(&["r.day", "r.id"], self.order)
    }

    /// The page is found first, so that only its rows are joined.
    fn from(&self, page: &PageSql<'_>) -> String {
        page_first(page, Self::TABLE, Self::JOINS)
    }
}
