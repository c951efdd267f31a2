//! Read model: one row per sale as lists show it, with its schedule of installments.
//!
//! This file has the rows; `records` folds them, `write` stores them, `list` and `detail` query them. `timeline` reads
//! a sale's events from the log. The rules of a sale are in the aggregate: this model follows the recorded events.

mod columns;
mod counted;
mod cursor;
mod detail;
mod last;
pub(crate) mod list;
mod load;
mod naming;
mod parts;
mod records;
pub(crate) mod returns;
mod reversal;
mod timeline;
mod write;

pub(crate) use records::{SaleBefore, SaleRecord, SaleRecords};

pub use counted::{CountedPart, DateBasis, ListedSale};
pub use cursor::SaleCursor;
pub(crate) use detail::detail_of;
pub use detail::{ReceivableRow, ReceivableStatus, SaleDetail, sale_fetch};
pub use last::{LastSale, TerminalSince, last_sales};
pub use list::{SaleFilter, export_page, sale_list, sale_list_after_cursor, sale_list_with_counted};
pub use parts::SaleParts;
pub(crate) use parts::{Consumption, Returned};
pub use timeline::{DisputeRow, SaleEventRow};

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::fees::{PlanRef, SaleFees};
use ledger_domain::sale::{
    CardBrand, PaymentNames, PaymentType, Provider, SaleFacts, SaleStatus, SaleTerminal, Solution,
};
use ledger_domain::{BusinessId, Cents, PlanId, SaleId, TerminalId};
use tokio_postgres::Row;

use crate::{Error, column_values};

/// The columns that `SaleRow::from_row` reads, in its order.
macro_rules! sale_columns {
    () => {
        "sale.sale_id, sale.business_id, sale.provider, sale.external_id, sale.solution, sale.payment_type,
         sale.card_brand, sale.installments, sale.amount, sale.status, sale.percentage_fee, sale.flat_fee,
         sale.percentage_rate, sale.flat_rate, sale.net, sale.plan_id, sale.plan_name, sale.plan_version,
         sale.terminal_id, sale.terminal_serial, sale.payment_link_code, sale.card_last_four,
         sale.authorization_code, sale.failure_reason, sale.occurred_at, sale.created_at, sale.captured_at,
         sale.sequences, sale.part_refunds, sale.refunded, sale.refunded_net, sale.part_chargebacks,
         sale.charged_back, sale.disputed, sale.names::text, sale.search_names"
    };
}
pub(crate) use sale_columns;

/// The same columns and the schedule: the columns that `load::record` reads, in its order.
macro_rules! record_columns {
    () => {
        concat!(
            crate::sales::sale_columns!(),
            ", sale.due_dates, sale.installment_gross, sale.installment_net, sale.settled_by, sale.accelerated_by,
               sale.awaits_approval, sale.consumed_by, sale.consumed_installment, sale.consumed_net"
        )
    };
}
pub(crate) use record_columns;

/// The number of columns in `sale_columns`. Further columns of a row begin there.
const SALE_COLUMN_COUNT: usize = 36;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleRow {
    pub sale_id: SaleId,
    pub business_id: BusinessId,
    pub provider: Provider,
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub card_brand: Option<CardBrand>,
    pub installments: u8,
    pub amount: Cents,
    pub status: SaleStatus,
    /// All zero until captured.
    pub fees: SaleFees,
    /// `None` until captured, like the plan.
    pub net: Option<Cents>,
    pub plan: Option<PlanRef>,
    pub terminal: Option<SaleTerminal>,
    pub payment_link_code: Option<String>,
    pub card_last_four: Option<String>,
    pub authorization_code: Option<String>,
    /// Why the sale failed or was voided.
    pub failure_reason: Option<String>,
    /// The instant that orders lists: the capture if there was one, else the creation.
    pub occurred_at: Instant,
    /// The time of the sale's first event.
    pub created_at: Instant,
    pub captured_at: Option<Instant>,
    /// The sequences of the sale's events, without settlements (`Installment::settled_by`) and without the release of
    /// its hold.
    pub sequences: Vec<i64>,
    pub parts: SaleParts,
    /// The names of the payment.
    pub names: PaymentNames,
    /// Everything by which the sale is found, sorted: the names of the payment and of its refunds, the authorization and
    /// the provider's id, as `PaymentName::search_key` writes them.
    pub search_names: Vec<String>,
}

/// One installment of the schedule that the capture fixed. Its number is its place in the schedule, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Installment {
    pub gross: Cents,
    pub net: Cents,
    pub due_date: Date,
    /// The sequence of the event that paid it: a settlement, a reversal of its sale, or the part of it that took the
    /// rest.
    pub settled_by: Option<i64>,
}

impl SaleRow {
    fn from_row(row: &Row) -> Result<Self, Error> {
        let brand: Option<&str> = row.get(6);
        Ok(Self {
            sale_id: SaleId::from_uuid(row.get(0)),
            business_id: BusinessId::from_uuid(row.get(1)),
            provider: column_values::provider(row.get(2))?,
            external_id: row.get(3),
            solution: column_values::solution(row.get(4))?,
            payment_type: column_values::payment_type(row.get(5))?,
            card_brand: column_values::optional_brand(brand)?,
            installments: column_values::small_number("sale.installments", row.get(7))?,
            amount: Cents::new(row.get(8)),
            status: column_values::sale_status(row.get(9))?,
            fees: SaleFees {
                percentage_fee: Cents::new(row.get(10)),
                flat_fee: Cents::new(row.get(11)),
                percentage_rate: Cents::new(row.get(12)),
                flat_rate: Cents::new(row.get(13)),
            },
            net: row.get::<_, Option<i64>>(14).map(Cents::new),
            plan: plan_at(row)?,
            terminal: terminal_at(row),
            payment_link_code: row.get(20),
            card_last_four: row.get(21),
            authorization_code: row.get(22),
            failure_reason: row.get(23),
            occurred_at: row.get(24),
            created_at: row.get(25),
            captured_at: row.get(26),
            sequences: row.get(27),
            parts: SaleParts {
                refunds: row.get(28),
                refunded: Cents::new(row.get(29)),
                refunded_net: Cents::new(row.get(30)),
                chargebacks: row.get(31),
                charged_back: Cents::new(row.get(32)),
                disputed: row.get::<_, Option<i64>>(33).map(Cents::new),
            },
            names: column_values::names("sale.names", row.get(34))?,
            search_names: row.get(35),
        })
    }

    /// The row of a sale from an event with the sale's facts. `capture` sets fees, net and plan.
    fn opened(business_id: BusinessId, facts: &SaleFacts, status: SaleStatus, at: Instant) -> Self {
        let mut row = Self {
            sale_id: facts.sale_id,
            business_id,
            provider: facts.provider,
            external_id: facts.external_id.clone(),
            solution: facts.solution,
            payment_type: facts.payment_type,
            card_brand: facts.card_brand.clone(),
            installments: facts.installments,
            amount: facts.amount,
            status,
            fees: SaleFees::default(),
            net: None,
            plan: None,
            terminal: facts.terminal.clone(),
            payment_link_code: facts.payment_link_code.clone(),
            card_last_four: facts.card_last_four.clone(),
            authorization_code: facts.authorization_code.clone(),
            failure_reason: None,
            occurred_at: at,
            created_at: at,
            captured_at: None,
            sequences: vec![],
            parts: SaleParts::default(),
            names: facts.names.clone(),
            search_names: vec![],
        };
        row.search_by_own_names();
        row
    }
}

fn plan_at(row: &Row) -> Result<Option<PlanRef>, Error> {
    let Some(id) = row.get::<_, Option<_>>(15) else {
        return Ok(None);
    };
    let version: Option<i64> = row.get(17);
    let version = version.and_then(|version| u32::try_from(version).ok());
    Ok(Some(PlanRef {
        id: PlanId::from_uuid(id),
        name: row
            .get::<_, Option<String>>(16)
            .ok_or_else(|| Error::unreadable("sale.plan_name", "null"))?,
        version: version.ok_or_else(|| Error::unreadable("sale.plan_version", "no version"))?,
    }))
}

fn terminal_at(row: &Row) -> Option<SaleTerminal> {
    let id: Option<_> = row.get(18);
    let serial_number: Option<String> = row.get(19);
    id.map(TerminalId::from_uuid)
        .zip(serial_number)
        .map(|(id, serial_number)| SaleTerminal { id, serial_number })
}
