//! The part of the sales' fold for events about returned money: cancels, disputes and their ends, chargebacks.
//!
//! A reversal also pays the installments that are still open, so that nothing of the sale stays scheduled.

use ledger_domain::SaleId;
use ledger_domain::business::{
    AcceleratedReceivable, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed,
};
use ledger_domain::sale::SaleStatus;

use super::records::{SaleRecords, open_installment};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;

impl SaleRecords {
    pub(super) fn cancel(&mut self, recorded: &DecodedEvent, event: &SaleCanceled) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, event.outcome.status())?;
        self.accelerate(recorded, event.sale_id, &event.accelerated)
    }

    pub(super) fn dispute(&mut self, recorded: &DecodedEvent, event: &SaleDisputed) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, SaleStatus::Dispute)?;
        self.accelerate(recorded, event.sale_id, &event.accelerated)
    }

    /// The acquirer confirms a user's dispute and gives it an id. The sale's status stays; its timeline gets the event.
    pub(super) fn confirm(
        &mut self,
        recorded: &DecodedEvent,
        event: &DisputeConfirmed,
    ) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, SaleStatus::Dispute)
    }

    pub(super) fn win(&mut self, recorded: &DecodedEvent, event: &DisputeWon) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, SaleStatus::Succeeded)
    }

    pub(super) fn charge_back(
        &mut self,
        recorded: &DecodedEvent,
        event: &SaleChargedBack,
    ) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, SaleStatus::ChargedBack)?;
        self.accelerate(recorded, event.sale_id, &event.accelerated)
    }

    fn set_status(
        &mut self,
        recorded: &DecodedEvent,
        sale: SaleId,
        status: SaleStatus,
    ) -> Result<(), Poison> {
        let entry = self.existing(sale)?;
        entry.row_changed = true;
        entry.record.row.status = status;
        entry.record.row.sequences.push(recorded.sequence);
        Ok(())
    }

    fn accelerate(
        &mut self,
        recorded: &DecodedEvent,
        sale: SaleId,
        accelerated: &[AcceleratedReceivable],
    ) -> Result<(), Poison> {
        if accelerated.is_empty() {
            return Ok(());
        }
        let entry = self.existing(sale)?;
        entry.schedule_changed = true;
        entry.record.accelerated_by = Some(recorded.sequence);
        for AcceleratedReceivable {
            number,
            net,
            due_date,
        } in accelerated
        {
            let schedule = &mut entry.record.schedule;
            open_installment(schedule, sale, (*number, *net, *due_date))?.settled_by =
                Some(recorded.sequence);
        }
        Ok(())
    }
}
