//! The reversals of sales, and the disputes that were won, by their instants. For the lists behind figures.

use ledger_domain::business::BusinessEvent;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::SaleStatus;
use ledger_domain::{BusinessId, Cents, SaleId};

use super::SaleRecords;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;

roll_up! {
    table "sale_return", unique by "sale_return_key", after SaleRecords;

    key ReturnKey {
        business_id: BusinessId,
        occurred_at: Instant,
        sale_id: SaleId,
        /// The status that the sale has after the event. After a dispute that was won it is `succeeded`.
        status: SaleStatus,
    }

    sums ReturnSum {
        returns,
        gross,
        /// What the reversal costs the company: the sale's net if the platform returns its fees, else the gross. A
        /// dispute and its end have a row each. A dispute that was won gives the gross back.
        net,
    }

    fold Returns = Returns::add_event;
}

impl Returns {
    fn add_event(&mut self, recorded: &DecodedEvent, _: &SaleRecords) -> Result<(), Poison> {
        let (sale_id, status, gross, net): (SaleId, SaleStatus, Cents, Cents) = match &*recorded.event {
            BusinessEvent::SaleCanceled(event) => {
                (event.sale_id, event.outcome.status(), event.amount, event.net)
            }
            BusinessEvent::SaleDisputed(event) => {
                (event.sale_id, SaleStatus::Dispute, event.amount, event.amount)
            }
            BusinessEvent::DisputeWon(event) => {
                (event.sale_id, SaleStatus::Succeeded, event.amount, event.amount)
            }
            BusinessEvent::SaleChargedBack(event) => {
                (event.sale_id, SaleStatus::ChargedBack, event.amount, event.amount)
            }
            BusinessEvent::SaleCaptured(_)
            | BusinessEvent::ReceivablesSettled(_)
            | BusinessEvent::SaleCreated(_)
            | BusinessEvent::SaleFailed(_)
            | BusinessEvent::SaleVoided(_)
            | BusinessEvent::DisputeConfirmed(_)
            | BusinessEvent::TransferRequested(_)
            | BusinessEvent::TransferApprovalGiven(_)
            | BusinessEvent::TransferProcessing(_)
            | BusinessEvent::TransferApproved(_)
            | BusinessEvent::TransferRefused(_)
            | BusinessEvent::TransferFailed(_)
            | BusinessEvent::TransferReopened(_)
            | BusinessEvent::ManualTransferMade(_)
            | BusinessEvent::TerminalRentalCharged(_)
            | BusinessEvent::TerminalRentalCanceled(_)
            | BusinessEvent::AmountHeld(_)
            | BusinessEvent::AmountReleased(_) => return Ok(()),
        };
        let key = ReturnKey {
            business_id: recorded.business_id,
            occurred_at: recorded.occurred_at,
            sale_id,
            status,
        };
        let change = ReturnSum {
            returns: 1,
            gross: gross.get(),
            net: net.get(),
        };
        self.add(key, |sum| {
            *sum = sum.plus(change)?;
            Some(())
        })
    }
}
