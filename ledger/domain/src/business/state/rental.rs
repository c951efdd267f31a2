//! Keeps a charged terminal rental in the state, as an approved transfer.

use super::{Business, Transfer};
use crate::Cents;
use crate::business::event::TerminalRentalCharged;
use crate::transfer::{Direction, TransferKind, TransferStatus};

impl Business {
    pub(super) fn charge_rental(&mut self, event: &TerminalRentalCharged) {
        let transfer = Transfer {
            kind: TransferKind::TerminalRental,
            status: TransferStatus::Approved,
            direction: Direction::Out,
            amount: event.amount,
            fee: Cents::ZERO,
            requested_at: event.occurred_at,
            destination: None,
            approved_by: None,
            payout_id: None,
            failed_payouts: vec![],
            overtaken_payout: None,
            paid_at: None,
        };
        self.transfers.insert(event.transfer_id, transfer);
    }
}
