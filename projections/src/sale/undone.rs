//! The sales' fold of what reverses a captured sale: a cancel, a dispute, a dispute won, a chargeback.
//!
//! The event pays the instalments that are not yet due, so that nothing of the sale stays on the agenda.

use ledger_domain::SaleId;
use ledger_domain::business::{
    BroughtForward, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed,
};
use ledger_domain::sale::SaleStatus;

use super::book::{Book, open_instalment};
use crate::error::Poison;
use crate::recorded::Recorded;

impl Book {
    pub(super) fn cancel(&mut self, recorded: &Recorded, event: &SaleCanceled) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, event.outcome.status())?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)
    }

    pub(super) fn dispute(&mut self, recorded: &Recorded, event: &SaleDisputed) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Dispute)?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)
    }

    /// The dispute goes on under another name: part of the sale's timeline, and nothing else.
    pub(super) fn confirm(&mut self, recorded: &Recorded, event: &DisputeConfirmed) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Dispute)
    }

    pub(super) fn win(&mut self, recorded: &Recorded, event: &DisputeWon) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Succeeded)
    }

    pub(super) fn charge_back(&mut self, recorded: &Recorded, event: &SaleChargedBack) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::ChargedBack)?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)
    }

    fn reach(&mut self, recorded: &Recorded, sale: SaleId, status: SaleStatus) -> Result<(), Poison> {
        let entry = self.known(sale)?;
        entry.row_changed = true;
        entry.record.row.status = status;
        entry.record.row.sequences.push(recorded.sequence);
        Ok(())
    }

    fn bring_forward(
        &mut self,
        recorded: &Recorded,
        sale: SaleId,
        brought_forward: &[BroughtForward],
    ) -> Result<(), Poison> {
        if brought_forward.is_empty() {
            return Ok(());
        }
        let entry = self.known(sale)?;
        entry.schedule_changed = true;
        entry.record.brought_forward_by = Some(recorded.sequence);
        for BroughtForward {
            number,
            net,
            due_date,
        } in brought_forward
        {
            let schedule = &mut entry.record.schedule;
            open_instalment(schedule, sale, (*number, *net, *due_date))?.settled_by = Some(recorded.sequence);
        }
        Ok(())
    }
}
