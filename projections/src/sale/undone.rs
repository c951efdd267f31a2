//! The sales' fold of what undoes a captured sale: cancelled, disputed, won, charged back.
//!
//! Whatever of it was not yet due is paid with the event, so that nothing of it stays on the agenda.

use ledger_domain::SaleId;
use ledger_domain::business::{
    BroughtForward, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed,
};
use ledger_domain::sale::SaleStatus;

use super::book::{Book, open_instalment, unit};
use crate::daily;
use crate::error::Poison;
use crate::recorded::Recorded;

impl Book {
    pub(super) fn cancel(&mut self, recorded: &Recorded, event: &SaleCanceled) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, event.outcome.status())?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)?;
        let key = self.volume_key(recorded, event.sale_id)?;
        self.daily.cancel(key, event)
    }

    pub(super) fn dispute(&mut self, recorded: &Recorded, event: &SaleDisputed) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Dispute)?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)?;
        let key = self.volume_key(recorded, event.sale_id)?;
        self.daily.dispute(key, event.amount)
    }

    /// The dispute goes on under another name: part of the sale's timeline, and nothing else.
    pub(super) fn confirm(&mut self, recorded: &Recorded, event: &DisputeConfirmed) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Dispute)
    }

    pub(super) fn win(&mut self, recorded: &Recorded, event: &DisputeWon) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::Succeeded)?;
        let key = self.volume_key(recorded, event.sale_id)?;
        self.daily.win(key, event.amount)
    }

    pub(super) fn charge_back(&mut self, recorded: &Recorded, event: &SaleChargedBack) -> Result<(), Poison> {
        self.reach(recorded, event.sale_id, SaleStatus::ChargedBack)?;
        self.bring_forward(recorded, event.sale_id, &event.brought_forward)?;
        let key = self.volume_key(recorded, event.sale_id)?;
        self.daily.charge_back(key, event.amount)
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
        let unit = unit(&entry.record.row);
        for BroughtForward {
            number,
            net,
            due_date,
        } in brought_forward
        {
            let schedule = &mut self.known(sale)?.record.schedule;
            open_instalment(schedule, sale, (*number, *net, *due_date))?.settled_by = Some(recorded.sequence);
            self.agenda
                .bring_forward((recorded.business_id, *due_date, unit.clone()), *net)?;
        }
        Ok(())
    }

    /// Where the sale's volume of the event's day is summed.
    pub(super) fn volume_key(&mut self, recorded: &Recorded, sale: SaleId) -> Result<daily::Key, Poison> {
        let row = &self.known(sale)?.record.row;
        Ok(daily::Key {
            business_id: recorded.business_id,
            shard: i16::from(recorded.shard),
            date: recorded.occurred_on,
            solution: row.solution,
            payment_type: row.payment_type,
            card_brand: row.card_brand.clone(),
            terminal_id: row.terminal.as_ref().map(|terminal| terminal.id),
        })
    }
}
