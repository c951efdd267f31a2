//! The part of the sales' fold for events about returned money: cancels, refunds of a part, disputes and their ends,
//! chargebacks.
//!
//! A reversal also pays the installments that are still open, so that nothing of the sale stays scheduled.

use ledger_domain::Cents;
use ledger_domain::SaleId;
use ledger_domain::business::{
    AcceleratedReceivable, ConsumedReceivable, DisputeConfirmed, DisputeWon, RefundAnswered, SaleCanceled,
    SaleChargedBack, SaleDisputed, SalePartRefunded,
};
use ledger_domain::sale::SaleStatus;

use super::Consumption;
use super::records::SaleRecords;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;

impl SaleRecords {
    /// A sale that was charged back in part ends as charged back. The refund of its rest is one more part.
    pub(super) fn cancel(&mut self, recorded: &DecodedEvent, event: &SaleCanceled) -> Result<(), Poison> {
        let parts = &mut self.existing(event.sale_id)?.record.row.parts;
        let status = if parts.charged_back == Cents::ZERO {
            event.outcome.status()
        } else {
            parts.refunds += 1;
            parts.refunded = sum(parts.refunded, event.amount)?;
            parts.refunded_net = sum(parts.refunded_net, event.net)?;
            SaleStatus::ChargedBack
        };
        self.set_status(recorded, event.sale_id, status)?;
        self.existing(event.sale_id)?.record.row.search_by(&event.names);
        self.accelerate(recorded, event.sale_id, &event.accelerated)
    }

    pub(super) fn refund_part(
        &mut self,
        recorded: &DecodedEvent,
        event: &SalePartRefunded,
    ) -> Result<(), Poison> {
        let parts = &mut self.existing(event.sale_id)?.record.row.parts;
        parts.refunds += 1;
        parts.refunded = sum(parts.refunded, event.amount)?;
        parts.refunded_net = sum(parts.refunded_net, event.net)?;
        self.set_status(recorded, event.sale_id, SaleStatus::Succeeded)?;
        self.existing(event.sale_id)?.record.row.search_by(&event.names);
        self.consume(recorded, event.sale_id, &event.consumed)
    }

    /// Only the timeline shows it; the sale is found by its names.
    pub(super) fn answer_refund(
        &mut self,
        recorded: &DecodedEvent,
        event: &RefundAnswered,
    ) -> Result<(), Poison> {
        let status = self.row(event.sale_id)?.status;
        self.existing(event.sale_id)?.record.row.search_by(&event.names);
        self.set_status(recorded, event.sale_id, status)
    }

    pub(super) fn dispute(&mut self, recorded: &DecodedEvent, event: &SaleDisputed) -> Result<(), Poison> {
        self.set_status(recorded, event.sale_id, SaleStatus::Dispute)?;
        if let Some(consumed) = &event.part {
            self.existing(event.sale_id)?.record.row.parts.disputed = Some(event.amount);
            self.consume(recorded, event.sale_id, consumed)?;
        }
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
        self.existing(event.sale_id)?.record.row.parts.disputed = None;
        self.set_status(recorded, event.sale_id, SaleStatus::Succeeded)
    }

    pub(super) fn charge_back(
        &mut self,
        recorded: &DecodedEvent,
        event: &SaleChargedBack,
    ) -> Result<(), Poison> {
        let row = &mut self.existing(event.sale_id)?.record.row;
        row.parts.disputed = None;
        let status = if event.amount == row.left() {
            SaleStatus::ChargedBack
        } else {
            row.parts.chargebacks += 1;
            row.parts.charged_back = sum(row.parts.charged_back, event.amount)?;
            SaleStatus::Succeeded
        };
        self.set_status(recorded, event.sale_id, status)?;
        self.consume(recorded, event.sale_id, event.part.as_deref().unwrap_or_default())?;
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

    /// A part takes some of an open installment, or all that is left of it.
    fn consume(
        &mut self,
        recorded: &DecodedEvent,
        sale: SaleId,
        consumed: &[ConsumedReceivable],
    ) -> Result<(), Poison> {
        for part in consumed {
            let record = &mut self.existing(sale)?.record;
            let before = sum(part.net, part.left)?;
            let open = record.open_installment(sale, (part.number, before, part.due_date))?;
            if part.left == Cents::ZERO {
                open.settled_by = Some(recorded.sequence);
            }
            record.consumed.push(Consumption {
                sequence: recorded.sequence,
                number: part.number,
                net: part.net,
            });
        }
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
            let paid = (*number, *net, *due_date);
            entry.record.open_installment(sale, paid)?.settled_by = Some(recorded.sequence);
        }
        Ok(())
    }
}

fn sum(one: Cents, other: Cents) -> Result<Cents, Poison> {
    one.checked_add(other).ok_or(Poison::Overflow)
}
