//! Read model: one row a transfer as lists show it: withdrawals, staff's manual transfers, rentals.
//!
//! Here are the rows; `book` folds and stores them, `list` answers questions. What a transfer may become is the
//! aggregate's matter: this follows what was recorded.

mod book;
mod columns;
mod list;

pub(crate) use book::Book;

pub use list::{TransferCursor, TransferFilter, Waiting, export_page, find, list, list_after, waiting};

use ledger_domain::business::{ManualTransferMade, TerminalRentalCharged, TransferRequested};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::transfer::{Destination, Direction, TransferKind, TransferStatus};
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use tokio_postgres::Row;

use crate::{Error, spelling};

/// The columns that `Transfer::at` reads, in its order.
macro_rules! transfer_columns {
    () => {
        "transfer.transfer_id, transfer.business_id, transfer.kind, transfer.status, transfer.amount, transfer.fee,
         transfer.destination::text, transfer.direction, transfer.description, transfer.reason, transfer.by_hand,
         transfer.payout_id, transfer.approvals, transfer.needs_attention, transfer.requested_by,
         transfer.requested_at, transfer.updated_at, transfer.terminal_serial, transfer.rental_due_date,
         transfer.updated_by"
    };
}
pub(crate) use transfer_columns;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub transfer_id: TransferId,
    pub business_id: BusinessId,
    pub kind: TransferKind,
    pub status: TransferStatus,
    pub amount: Cents,
    /// Of the amount, what does not reach the bank.
    pub fee: Cents,
    /// Of a withdrawal only, as it stood when it was asked for.
    pub destination: Option<Destination>,
    /// Of a manual transfer only.
    pub direction: Option<Direction>,
    /// Of a rental only.
    pub rental: Option<Rental>,
    /// What staff wrote on a manual transfer; the seller reads it.
    pub description: Option<String>,
    /// Why it was refused or failed, while it is so, or a rental given back; a bank may give no reason, and so may
    /// whoever gives a rental back.
    pub reason: Option<String>,
    /// A person paid it or is paying it, rather than a payout.
    pub by_hand: bool,
    /// The last payout: in flight, the one that paid, or the one that failed. None once it is pending again.
    pub payout_id: Option<PayoutId>,
    /// How many people said yes since it was last pending without any.
    pub approvals: u8,
    /// A bank told of a payout that nobody expected any more, and overruled what stood: people must look.
    pub needs_attention: bool,
    /// The actor of the event that opened it, as its metadata has it: a person's id where a person asked.
    pub requested_by: Option<String>,
    pub requested_at: Instant,
    /// When the last that happened to it happened.
    pub updated_at: Instant,
    /// The actor of the event that changed it last; none before the first change.
    pub updated_by: Option<String>,
}

/// What a rental was for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rental {
    /// As it was when it was charged.
    pub terminal_serial: String,
    pub due_date: Date,
}

impl Transfer {
    /// As it is when a seller has asked for it.
    pub fn requested(business_id: BusinessId, event: &TransferRequested, by: Option<String>) -> Self {
        Self {
            transfer_id: event.transfer_id,
            business_id,
            kind: TransferKind::Withdrawal,
            status: TransferStatus::Pending,
            amount: event.amount,
            fee: event.fee,
            destination: Some(event.destination.clone()),
            direction: None,
            rental: None,
            description: None,
            reason: None,
            by_hand: false,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
        }
    }

    /// As it is when staff have moved it, and from then on.
    pub fn made(business_id: BusinessId, event: &ManualTransferMade, by: Option<String>) -> Self {
        Self {
            transfer_id: event.transfer_id,
            business_id,
            kind: TransferKind::Adjustment,
            status: TransferStatus::Approved,
            amount: event.amount,
            fee: Cents::ZERO,
            destination: None,
            direction: Some(event.direction),
            rental: None,
            description: Some(event.description.clone()),
            reason: None,
            by_hand: true,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
        }
    }

    /// As it is when the platform has taken it; only a cancel follows.
    pub fn rented(business_id: BusinessId, event: &TerminalRentalCharged, by: Option<String>) -> Self {
        Self {
            transfer_id: event.transfer_id,
            business_id,
            kind: TransferKind::TerminalRental,
            status: TransferStatus::Approved,
            amount: event.amount,
            fee: Cents::ZERO,
            destination: None,
            direction: None,
            rental: Some(Rental {
                terminal_serial: event.terminal.serial_number.clone(),
                due_date: event.due_date,
            }),
            description: None,
            reason: None,
            by_hand: false,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
        }
    }

    /// What reaches the bank.
    pub fn net_amount(&self) -> Cents {
        Cents::new(self.amount.get().saturating_sub(self.fee.get()))
    }

    fn at(row: &Row) -> Result<Self, Error> {
        let direction: Option<&str> = row.get(7);
        let rental = row.get::<_, Option<_>>(17).zip(row.get(18));
        Ok(Self {
            transfer_id: TransferId::from_uuid(row.get(0)),
            business_id: BusinessId::from_uuid(row.get(1)),
            kind: spelling::transfer_kind(row.get(2))?,
            status: spelling::transfer_status(row.get(3))?,
            amount: Cents::new(row.get(4)),
            fee: Cents::new(row.get(5)),
            destination: spelling::destination(row.get(6))?,
            direction: spelling::transfer_direction(direction)?,
            rental: rental.map(|(terminal_serial, due_date)| Rental {
                terminal_serial,
                due_date,
            }),
            description: row.get(8),
            reason: row.get(9),
            by_hand: row.get(10),
            payout_id: row.get::<_, Option<_>>(11).map(PayoutId::from_uuid),
            approvals: spelling::small("transfer.approvals", row.get(12))?,
            needs_attention: row.get(13),
            requested_by: row.get(14),
            requested_at: row.get(15),
            updated_at: row.get(16),
            updated_by: row.get(19),
        })
    }
}
