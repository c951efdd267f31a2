//! Read model: one row per transfer, for lists: withdrawals, manual transfers by staff, and terminal rentals.
//!
//! This file has the rows; `records` folds and stores them, `list` queries them. `daily` sums them up by day, `totals`
//! queries the sums. `columns` names the columns' values for the audit, `timeline` reads a transfer's events from the log, `usual` compares a request with the company's history. The rules of a transfer are in the aggregate:
//! this model follows the recorded events.

mod columns;
mod daily;
mod list;
mod records;
mod timeline;
mod totals;
mod usual;

pub(crate) use daily::TransferDays;
pub(crate) use records::TransferRecords;

pub use daily::TransferSum;
pub use timeline::{TransferStep, transfer_steps};
pub use totals::{StatusTotals, totals_by_status};
pub use usual::{UsualBefore, usual_before};

pub use list::{
    PendingWithdrawals, TransferCursor, TransferFilter, export_page, find, list, list_after, oldest_requests,
    pending_withdrawals,
};

use ledger_domain::business::{ManualTransferMade, TerminalRentalCharged, TransferRequested};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::transfer::{Destination, Direction, PayoutNames, TransferKind, TransferStatus};
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use tokio_postgres::Row;

use crate::{Error, column_values};

/// The columns that `Transfer::from_row` reads, in its order.
macro_rules! transfer_columns {
    () => {
        "transfer.transfer_id, transfer.business_id, transfer.kind, transfer.status, transfer.amount, transfer.fee,
         transfer.destination::text, transfer.direction, transfer.description, transfer.reason, transfer.by_hand,
         transfer.payout_id, transfer.approvals, transfer.needs_attention, transfer.requested_by,
         transfer.requested_at, transfer.updated_at, transfer.terminal_serial, transfer.rental_due_date,
         transfer.updated_by, transfer.fee_given_back, transfer.names::text, transfer.return_names::text,
         transfer.sequences"
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
    /// The fee, included in `amount`. Zero except for withdrawals.
    pub fee: Cents,
    /// For a withdrawal only: the destination at the time of the request.
    pub destination: Option<Destination>,
    /// For a manual transfer only.
    pub direction: Option<Direction>,
    /// For a rental only.
    pub rental: Option<Rental>,
    /// The text of staff on a manual transfer. The seller reads it.
    pub description: Option<String>,
    /// Why the transfer is refused or failed, or why a rental was canceled. A bank or a user may give no reason.
    pub reason: Option<String>,
    /// The part of the fee that the platform gave back when the bank returned the withdrawal. `None` if the bank did not
    /// return it.
    pub fee_given_back: Option<Cents>,
    /// The bank's names of the payment.
    pub names: PayoutNames,
    /// The bank's names of the return.
    pub return_names: PayoutNames,
    /// True if staff pay the withdrawal without a payout, and for manual transfers. False for rentals.
    pub by_hand: bool,
    /// The payout in flight, or the payout by which the transfer was paid or failed. `None` without a payout, and while
    /// the transfer is pending.
    pub payout_id: Option<PayoutId>,
    /// The number of users who have approved the transfer. Reopening sets it to 0.
    pub approvals: u8,
    /// A bank paid the transfer by a payout that was not in flight (`TransferApproved::overrules`). Staff must check
    /// it. Never cleared.
    pub needs_attention: bool,
    /// The actor of the first event (`Actor::name`): a user's id, or the name of a job.
    pub requested_by: Option<String>,
    pub requested_at: Instant,
    /// The latest time at which a change happened. The change that was recorded last may have happened before it.
    pub updated_at: Instant,
    /// The actor of the last event that changed the transfer; `None` before the first change.
    pub updated_by: Option<String>,
    /// The sequences of its events, in order. Empty for a transfer that was not folded from the log.
    pub sequences: Vec<i64>,
}

/// The terminal and the due date of a rental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rental {
    /// The serial number at the time of the charge.
    pub terminal_serial: String,
    pub due_date: Date,
}

impl Transfer {
    /// The row after a seller's request.
    pub fn withdrawal_requested(
        business_id: BusinessId,
        event: &TransferRequested,
        by: Option<String>,
    ) -> Self {
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
            fee_given_back: None,
            names: PayoutNames::default(),
            return_names: PayoutNames::default(),
            by_hand: false,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
            sequences: vec![],
        }
    }

    /// The row after staff made a manual transfer. It never changes again.
    pub fn manual_transfer_made(
        business_id: BusinessId,
        event: &ManualTransferMade,
        by: Option<String>,
    ) -> Self {
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
            fee_given_back: None,
            names: PayoutNames::default(),
            return_names: PayoutNames::default(),
            by_hand: true,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
            sequences: vec![],
        }
    }

    /// The row after a terminal's rental was charged. The only later event is its cancellation.
    pub fn rental_charged(
        business_id: BusinessId,
        event: &TerminalRentalCharged,
        by: Option<String>,
    ) -> Self {
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
            fee_given_back: None,
            names: PayoutNames::default(),
            return_names: PayoutNames::default(),
            by_hand: false,
            payout_id: None,
            approvals: 0,
            needs_attention: false,
            requested_by: by,
            requested_at: event.occurred_at,
            updated_at: event.occurred_at,
            updated_by: None,
            sequences: vec![],
        }
    }

    /// The amount without the fee. For a withdrawal, the amount that the bank pays to the destination.
    pub fn net_amount(&self) -> Cents {
        Cents::new(self.amount.get().saturating_sub(self.fee.get()))
    }

    fn from_row(row: &Row) -> Result<Self, Error> {
        let direction: Option<&str> = row.get(7);
        let rental = row.get::<_, Option<_>>(17).zip(row.get(18));
        Ok(Self {
            transfer_id: TransferId::from_uuid(row.get(0)),
            business_id: BusinessId::from_uuid(row.get(1)),
            kind: column_values::transfer_kind(row.get(2))?,
            status: column_values::transfer_status(row.get(3))?,
            amount: Cents::new(row.get(4)),
            fee: Cents::new(row.get(5)),
            destination: column_values::destination(row.get(6))?,
            direction: column_values::transfer_direction(direction)?,
            rental: rental.map(|(terminal_serial, due_date)| Rental {
                terminal_serial,
                due_date,
            }),
            description: row.get(8),
            reason: row.get(9),
            by_hand: row.get(10),
            payout_id: row.get::<_, Option<_>>(11).map(PayoutId::from_uuid),
            approvals: column_values::small_number("transfer.approvals", row.get(12))?,
            needs_attention: row.get(13),
            requested_by: row.get(14),
            requested_at: row.get(15),
            updated_at: row.get(16),
            updated_by: row.get(19),
            fee_given_back: row.get::<_, Option<_>>(20).map(Cents::new),
            names: column_values::names("transfer.names", row.get(21))?,
            return_names: column_values::names("transfer.return_names", row.get(22))?,
            sequences: row.get(23),
        })
    }
}
