//! Read model: every movement of a business's available balance, numbered, with the running balance after it.
//!
//! A list uses one time axis (`Axis`) for its order and for its balances. `Effective` goes by the time at which events
//! happened, as a bank's statement does; `Recorded` goes by the time at which the ledger recorded them.

mod bounds;
pub mod composition;
mod effective;
mod entries;
mod list;
mod movement;
mod recorded;
mod rows;
mod sums;

pub(crate) use rows::{Line, Lines, StatementDays};

pub use bounds::StatementFilter;
pub use list::{StatementCursor, event_behind, export_page, statement_list, statement_list_after};
pub use movement::Movement;
pub use sums::{KindSum, statement_sums};

use ledger_domain::calendar::Instant;
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, EventId, SaleId, TransferId};
use tokio_postgres::Row;

use crate::read_model::field::fields;
use crate::{Error, column_values};

/// The group of movements to which a line belongs. Its numbers are part of the public API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MovementKind {
    /// A sale's installment became available, or a dispute was won.
    Transaction,
    /// A sale's money went back: cancel, refund, dispute, chargeback. Also the fees that a refund in a dispute returns.
    ReturnedTransaction,
    /// A withdrawal, or a terminal's rental.
    Transfer,
    /// A credit or a removal by staff, a hold or a release.
    ManualTransfer,
    /// A withdrawal or a rental was returned.
    ReturnedTransfer,
}

impl MovementKind {
    pub const ALL: [Self; 5] = [
        Self::Transaction,
        Self::ReturnedTransaction,
        Self::Transfer,
        Self::ManualTransfer,
        Self::ReturnedTransfer,
    ];

    pub const fn number(self) -> i16 {
        match self {
            Self::Transaction => 0,
            Self::ReturnedTransaction => 1,
            Self::Transfer => 2,
            Self::ManualTransfer => 3,
            Self::ReturnedTransfer => 4,
        }
    }

    pub(crate) fn of_number(number: i16) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.number() == number)
            .ok_or_else(|| Error::unreadable("statement_line.kind", number))
    }
}

fields! {
    MovementKind = "int2" i16: |kind| kind.number(), |number| Self::of_number(number);
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementLine {
    /// From 1, per business, in the order of recording.
    pub number: i64,
    pub kind: MovementKind,
    /// Signed.
    pub amount: Cents,
    /// The available balance after the line, along the axis of the list.
    pub balance: Cents,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    /// The event of the line. Several lines may have the same event.
    pub event_id: EventId,
    pub movement: Movement,
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
    pub transfer_id: Option<TransferId>,
    /// For a manual credit or removal its description, for a rental the serial number of the terminal. Else the reason
    /// of the event, if it is stored.
    pub note: Option<String>,
    /// The brand of the sale's card, if it has one. Read for lists only.
    pub card_brand: Option<CardBrand>,
}

/// The columns that `StatementLine::from_row` reads, in its order.
macro_rules! line_columns {
    () => {
        "number, kind, amount, balance, occurred_at, recorded_at, event_id, movement, sale_id, installment,
         transfer_id, note"
    };
}
pub(crate) use line_columns;

/// The same columns and the brand of the sale's card, for the lines of a list.
macro_rules! listed_columns {
    () => {
        concat!(
            crate::balance::statement::line_columns!(),
            ", (SELECT sale.card_brand FROM sale WHERE sale.sale_id = statement_line.sale_id \
               AND sale.business_id = statement_line.business_id)"
        )
    };
}
pub(crate) use listed_columns;

impl StatementLine {
    /// The line's text, as its company may read it.
    pub fn description(&self) -> String {
        let label = self.movement.label();
        match (self.movement, self.installment, &self.note) {
            (Movement::Settlement, Some(number), None) => format!("Parcela {number} de venda"),
            (Movement::Settlement, Some(number), Some(reserved)) => {
                format!("Parcela {number} de venda: {reserved}")
            }
            (Movement::ReserveReleased, Some(number), _) => format!("Reserva da parcela {number} liberada"),
            (movement, _, Some(note)) if movement.shows_note() => format!("{label}: {note}"),
            _ => label.to_owned(),
        }
    }

    fn from_row(row: &Row) -> Result<Self, Error> {
        let installment: Option<i16> = row.get(9);
        Ok(Self {
            number: row.get(0),
            kind: MovementKind::of_number(row.get(1))?,
            amount: Cents::new(row.get(2)),
            balance: Cents::new(row.get(3)),
            occurred_at: row.get(4),
            recorded_at: row.get(5),
            event_id: EventId::from_uuid(row.get(6)),
            movement: Movement::parse(row.get(7))?,
            sale_id: row.get::<_, Option<_>>(8).map(SaleId::from_uuid),
            installment: installment
                .map(|number| column_values::small_number("statement_line.installment", number))
                .transpose()?,
            transfer_id: row.get::<_, Option<_>>(10).map(TransferId::from_uuid),
            note: row.get(11),
            card_brand: None,
        })
    }

    fn listed(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            card_brand: column_values::optional_brand(row.get(12))?,
            ..Self::from_row(row)?
        })
    }
}
