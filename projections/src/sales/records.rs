//! The sales' fold: the changes that each event makes to the sales that it names.
//!
//! The other read models of the group (receivables schedule, volume, reversals) are folded after the sales. They read
//! the sale as it is after the event.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::business::{
    AmountReleased, BalanceEvent, BusinessEvent, ReceivablesSettled, SaleCaptured, SaleEvent,
};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::money::share;
use ledger_domain::sale::{SaleFacts, SaleStatus};
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::GenericClient;

use super::load::{load_records, rows_of};
use super::{Consumption, Installment, SaleRow};
use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::{ReadModel, RowsOf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SaleRecord {
    pub row: SaleRow,
    /// Empty until captured.
    pub schedule: Vec<Installment>,
    /// The sequence of the event that reversed the sale and paid its open installments. Their `settled_by` is the same
    /// sequence.
    pub accelerated_by: Option<i64>,
    /// The sale's money is held until the company is approved.
    pub awaits_approval: bool,
    /// What refunds, disputes and chargebacks of a part took from installments, in the order of recording.
    pub consumed: Vec<Consumption>,
}

/// A record, and how the window changed it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub record: SaleRecord,
    /// Whether the record has no stored row yet.
    pub is_new: bool,
    /// Whether the whole row must be stored.
    pub row_changed: bool,
    /// Whether installments were paid, which changes `settled_by` and `accelerated_by` only.
    pub schedule_changed: bool,
}

/// The sales that the events of a window name. Before the fold they are as stored, after it as the window leaves them.
#[derive(Debug, Default)]
pub(crate) struct SaleRecords {
    pub sales: BTreeMap<SaleId, Entry>,
    last_change: Option<(SaleId, Option<SaleBefore>)>,
}

/// What a list's totals count of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SaleBefore {
    pub status: SaleStatus,
    pub occurred_at: Instant,
    pub amount: Cents,
    /// `None` until captured.
    pub net: Option<Cents>,
}

impl SaleBefore {
    pub const fn of(row: &SaleRow) -> Self {
        Self {
            status: row.status,
            occurred_at: row.occurred_at,
            amount: row.amount,
            net: row.net,
        }
    }
}

impl ReadModel for SaleRecords {
    const TABLE: &'static str = "sale";
    type FirstOfGroup = ();
    type Key = SaleId;
    type Row = SaleRecord;

    async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
        load_records(tx, events).await
    }

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        self.apply_event(recorded)
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        self.store(tx).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        let record = |(sale, entry): (SaleId, Entry)| (sale, entry.record);
        self.sales.into_iter().map(record).collect()
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        rows_of(client, business).await
    }

    fn row_name(sale: &SaleId) -> String {
        sale.to_string()
    }

    fn from_memory(stored: &RowsOf<Self>, events: &[DecodedEvent]) -> Self {
        let named = events.iter().flat_map(|recorded| recorded.event.sale_ids());
        Self::of(named.filter_map(|sale| stored.get(&sale).cloned()))
    }
}

impl SaleRecords {
    pub fn of(records: impl IntoIterator<Item = SaleRecord>) -> Self {
        let entry = |record: SaleRecord| {
            (
                record.row.sale_id,
                Entry {
                    record,
                    is_new: false,
                    row_changed: false,
                    schedule_changed: false,
                },
            )
        };
        Self {
            sales: records.into_iter().map(entry).collect(),
            last_change: None,
        }
    }

    fn apply_event(&mut self, recorded: &DecodedEvent) -> Result<(), Poison> {
        self.last_change = None;
        match &*recorded.event {
            BusinessEvent::Sale(event) => self.apply_sale_event(recorded, event),
            BusinessEvent::Balance(BalanceEvent::AmountReleased(event)) => self.end_holds(event),
            BusinessEvent::Balance(BalanceEvent::ReserveReleased(_)) => self.note_release(recorded),
            BusinessEvent::Balance(
                BalanceEvent::AmountHeld(_)
                | BalanceEvent::HoldPlaced(_)
                | BalanceEvent::HoldChanged(_)
                | BalanceEvent::HoldRaised(_)
                | BalanceEvent::HoldReleased(_)
                | BalanceEvent::CourtPaid(_)
                | BalanceEvent::DebtWrittenOff(_),
            )
            | BusinessEvent::Transfer(_) => Ok(()),
        }
    }

    fn apply_sale_event(&mut self, recorded: &DecodedEvent, event: &SaleEvent) -> Result<(), Poison> {
        // A settlement changes no status, whatever number of sales it names.
        if !matches!(event, SaleEvent::ReceivablesSettled(_))
            && let [sale] = recorded.event.sale_ids()[..]
        {
            let before = self.sales.get(&sale);
            self.last_change = Some((sale, before.map(|entry| SaleBefore::of(&entry.record.row))));
        }
        match event {
            SaleEvent::SaleCreated(event) => {
                let status = if event.awaits_buyer {
                    SaleStatus::Pending
                } else {
                    SaleStatus::Created
                };
                self.apply_facts(recorded, &event.sale, status);
                Ok(())
            }
            SaleEvent::SaleCaptured(event) => self.capture(recorded, event),
            SaleEvent::SaleFailed(event) => {
                let row = self.apply_facts(recorded, &event.sale, SaleStatus::Failed);
                row.failure_reason.clone_from(&event.reason);
                Ok(())
            }
            SaleEvent::SaleVoided(event) => {
                let entry = self.existing(event.sale_id)?;
                entry.row_changed = true;
                entry.record.row.status = SaleStatus::Canceled;
                entry.record.row.failure_reason.clone_from(&event.reason);
                entry.record.row.sequences.push(recorded.sequence);
                Ok(())
            }
            SaleEvent::SaleNamed(event) => self.name(recorded, event),
            SaleEvent::ReceivablesSettled(event) => self.settle(recorded, event),
            SaleEvent::SaleCanceled(event) => self.cancel(recorded, event),
            SaleEvent::SalePartRefunded(event) => self.refund_part(recorded, event),
            SaleEvent::RefundAnswered(event) => self.answer_refund(recorded, event),
            SaleEvent::SaleDisputed(event) => self.dispute(recorded, event),
            SaleEvent::DisputeConfirmed(event) => self.confirm(recorded, event),
            SaleEvent::DisputeWon(event) => self.win(recorded, event),
            SaleEvent::SaleChargedBack(event) => self.charge_back(recorded, event),
        }
    }

    /// Applies an event that carries the sale's facts, and returns the changed row. The newest facts replace the older
    /// ones. If the newest lack the link, the card's last digits, the authorization or a name, the older value is kept.
    fn apply_facts(
        &mut self,
        recorded: &DecodedEvent,
        facts: &SaleFacts,
        status: SaleStatus,
    ) -> &mut SaleRow {
        let newest = SaleRow::opened(recorded.business_id, facts, status, recorded.occurred_at);
        let entry = self.sales.entry(facts.sale_id).or_insert_with(|| Entry {
            record: SaleRecord {
                row: newest.clone(),
                schedule: vec![],
                accelerated_by: None,
                awaits_approval: false,
                consumed: vec![],
            },
            is_new: true,
            row_changed: true,
            schedule_changed: false,
        });
        entry.row_changed = true;
        let row = &mut entry.record.row;
        *row = SaleRow {
            payment_link_code: newest.payment_link_code.or_else(|| row.payment_link_code.take()),
            card_last_four: newest.card_last_four.or_else(|| row.card_last_four.take()),
            authorization_code: newest
                .authorization_code
                .or_else(|| row.authorization_code.take()),
            names: newest.names.or(std::mem::take(&mut row.names)),
            occurred_at: row.occurred_at,
            created_at: row.created_at,
            sequences: std::mem::take(&mut row.sequences),
            parts: row.parts,
            search_names: vec![],
            ..newest
        };
        // Facts come before any refund, so the row's own names are all.
        row.search_by_own_names();
        row.sequences.push(recorded.sequence);
        row
    }

    fn capture(&mut self, recorded: &DecodedEvent, event: &SaleCaptured) -> Result<(), Poison> {
        let sale = event.sale.sale_id;
        if self
            .sales
            .get(&sale)
            .is_some_and(|entry| entry.record.row.captured_at.is_some())
        {
            return Err(Poison::CapturedTwice { sale });
        }
        let numbered = event
            .receivables
            .iter()
            .zip(1..)
            .all(|(receivable, number)| receivable.number == number);
        if event.receivables.is_empty() || !numbered {
            return Err(Poison::MisnumberedInstallments { sale });
        }
        let row = self.apply_facts(recorded, &event.sale, SaleStatus::Succeeded);
        row.fees = event.fees;
        row.net = Some(event.net);
        row.plan = Some(event.plan.clone());
        row.captured_at = Some(recorded.occurred_at);
        row.occurred_at = recorded.occurred_at;
        let entry = self.existing(sale)?;
        entry.record.awaits_approval = event.until_approved;
        entry.record.schedule = event
            .receivables
            .iter()
            .map(|receivable| Installment {
                gross: receivable.gross,
                net: receivable.net,
                due_date: receivable.due_date,
                settled_by: None,
            })
            .collect();
        Ok(())
    }

    fn settle(&mut self, recorded: &DecodedEvent, event: &ReceivablesSettled) -> Result<(), Poison> {
        let total = Cents::total(event.settled.iter().map(|settled| settled.net));
        let reserved = Cents::total(event.settled.iter().map(|settled| settled.reserved));
        if total != Some(event.total) || reserved != Some(event.reserved()) {
            return Err(Poison::SettledTotalDiffers);
        }
        for settled in &event.settled {
            let entry = self.existing(settled.sale_id)?;
            entry.schedule_changed = true;
            let paid = (settled.number, settled.net, event.due_date);
            entry.record.open_installment(settled.sale_id, paid)?.settled_by = Some(recorded.sequence);
        }
        Ok(())
    }

    /// The release of a reserve changes nothing of its sales but their timelines.
    fn note_release(&mut self, recorded: &DecodedEvent) -> Result<(), Poison> {
        for sale in recorded.event.sale_ids() {
            let entry = self.existing(sale)?;
            entry.row_changed = true;
            entry.record.row.sequences.push(recorded.sequence);
        }
        Ok(())
    }

    fn end_holds(&mut self, event: &AmountReleased) -> Result<(), Poison> {
        for sale in &event.sales {
            let entry = self.existing(*sale)?;
            entry.row_changed = true;
            entry.record.awaits_approval = false;
        }
        Ok(())
    }

    pub(super) fn existing(&mut self, sale: SaleId) -> Result<&mut Entry, Poison> {
        self.sales.get_mut(&sale).ok_or(Poison::UnknownSale { sale })
    }

    /// The sale after the event that was folded last.
    pub fn row(&self, sale: SaleId) -> Result<&SaleRow, Poison> {
        let entry = self.sales.get(&sale).ok_or(Poison::UnknownSale { sale })?;
        Ok(&entry.record.row)
    }

    /// The sale that the event that was folded last names, and what it was before the event. `None` if the event can
    /// have changed no status. The sale was nothing before the event that opens it.
    pub const fn last_change(&self) -> Option<(SaleId, Option<SaleBefore>)> {
        self.last_change
    }

    /// The gross of what is left of an installment, by its number from 1.
    pub fn installment_gross(&self, sale: SaleId, number: u8) -> Result<Cents, Poison> {
        let entry = self.sales.get(&sale).ok_or(Poison::UnknownSale { sale })?;
        let gross = entry.record.gross_left(number);
        gross.ok_or(Poison::UnknownInstallment { sale, number })
    }
}

impl SaleRecord {
    /// The net that parts took from an installment.
    pub fn consumed_of(&self, number: u8) -> Cents {
        let of_installment = self.consumed.iter().filter(|part| part.number == number);
        Cents::new(of_installment.map(|part| part.net.get()).sum())
    }

    /// The installments with their numbers and what parts took from them.
    pub fn installments(&self) -> impl Iterator<Item = (u8, &Installment, Cents)> {
        let numbered = (1..).zip(&self.schedule);
        numbered.map(|(number, installment)| (number, installment, self.consumed_of(number)))
    }

    /// The net of the installments that are still to be paid.
    pub fn open_net(&self) -> i64 {
        let open = self
            .installments()
            .filter(|(_, installment, _)| installment.settled_by.is_none());
        open.map(|(_, installment, consumed)| installment.net.get() - consumed.get())
            .sum()
    }

    /// The gross of an installment without the parts, in proportion to its net.
    pub fn gross_left(&self, number: u8) -> Option<Cents> {
        let index = usize::from(number).checked_sub(1)?;
        let installment = self.schedule.get(index)?;
        let consumed = self.consumed_of(number);
        if consumed == Cents::ZERO {
            return Some(installment.gross);
        }
        let left = installment.net.checked_sub(consumed)?;
        Some(share(installment.gross, left, installment.net))
    }

    /// The installment that an event pays or takes a part of, if it matches the event and is open.
    pub(super) fn open_installment(
        &mut self,
        sale: SaleId,
        (number, net, due_date): PaidInstallment,
    ) -> Result<&mut Installment, Poison> {
        let consumed = self.consumed_of(number);
        usize::from(number)
            .checked_sub(1)
            .and_then(|index| self.schedule.get_mut(index))
            .filter(|open| {
                open.settled_by.is_none()
                    && open.net.checked_sub(consumed) == Some(net)
                    && open.due_date == due_date
            })
            .ok_or(Poison::NoSuchOpenInstallment {
                sale,
                number,
                net: net.get(),
                due_date,
            })
    }

    /// The earliest due date of an installment that is still open.
    pub fn next_due_date(&self) -> Option<Date> {
        self.schedule
            .iter()
            .filter(|installment| installment.settled_by.is_none())
            .map(|installment| installment.due_date)
            .min()
    }
}

/// The number, net and due date by which an event names the installment that it pays.
type PaidInstallment = (u8, Cents, Date);
