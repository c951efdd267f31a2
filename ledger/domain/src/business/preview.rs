//! Previews of a cancel, a refund of a part or a dispute: the balances before and after, shown before the user confirms.
//!
//! A preview posts the decision's own events to a copy of the accounts, so both agree.

use std::collections::BTreeMap;

use super::accounts::Accounts;
use super::command::{CancelSale, DisputeSale, RefundPart};
use super::event::{AcceleratedReceivable, BalanceEvent, BusinessEvent, ConsumedReceivable, SaleEvent};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::Cents;
use crate::calendar::Date;

/// The balances that a seller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balances {
    pub available: Cents,
    pub receivable: Cents,
    pub in_transfer: Cents,
    /// `held_by_staff` and `in_dispute` together.
    pub blocked: Cents,
    pub held_by_staff: Cents,
    pub in_dispute: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// What the buyer gets back, or what the dispute blocks.
    pub amount: Cents,
    /// The amount that must be available before installments are accelerated or consumed: the net for a cancel or a
    /// refund, the gross for a dispute.
    pub needed: Cents,
    /// The part of the sale that is held: by staff, or for the reserve. It is used before the available balance.
    pub held: Cents,
    /// What is released of `held`: all of it, unless a part of the sale needs less.
    pub released: Cents,
    pub before: Balances,
    /// The result even if the balance is too low for the request.
    pub after: Balances,
    pub accelerated: Vec<AcceleratedReceivable>,
    /// What a part takes from open installments, in place of the available balance.
    pub consumed: Vec<ConsumedReceivable>,
}

impl Preview {
    pub fn is_covered(&self) -> bool {
        self.before.available.saturating_add(self.held) >= self.needed
    }

    /// The amount that can pay for the reversal before installments are accelerated: the available balance plus the
    /// held part of the sale.
    pub fn payable(&self) -> Result<Cents, Refusal> {
        self.before
            .available
            .checked_add(self.held)
            .ok_or(Refusal::AmountOutOfRange)
    }

    /// What the platform gives back of its fees.
    pub fn fees_returned(&self) -> Cents {
        self.amount.saturating_sub(self.needed)
    }

    /// The amount that the accelerated installments add to the available balance before `needed` is taken.
    pub fn accelerated_total(&self) -> Cents {
        AcceleratedReceivable::total(&self.accelerated)
    }

    pub fn consumed_total(&self) -> Cents {
        ConsumedReceivable::total(&self.consumed)
    }
}

impl Business {
    /// Refused if the sale's status does not allow it. A low balance is not refused: the preview shows it.
    pub fn preview_cancel(&self, command: &CancelSale) -> Result<Preview, Refusal> {
        let sale = self.sale(command.sale_id)?;
        sale.must_have_succeeded()?;
        let events = self.with_hold_released(sale, sale.canceled_event(command.as_reversal()));
        self.preview(sale, sale.left(), sale.net_share(sale.left()), &events)
    }

    /// Like `preview_cancel`.
    pub fn preview_refund(&self, command: &RefundPart) -> Result<Preview, Refusal> {
        let sale = self.sale(command.sale_id)?;
        sale.must_have_succeeded()?;
        sale.must_have_left(command.amount)?;
        let events = self.refund(sale, &command.as_part());
        self.preview(sale, command.amount, sale.net_share(command.amount), &events)
    }

    /// Like `preview_cancel`.
    pub fn preview_dispute(&self, command: &DisputeSale) -> Result<Preview, Refusal> {
        let sale = self.sale(command.sale_id)?;
        sale.must_have_succeeded()?;
        let disputed = sale.disputed_event(command)?;
        let needed = disputed.amount;
        self.preview(sale, needed, needed, &self.disputed(sale, disputed))
    }

    fn preview(
        &self,
        sale: &Sale,
        amount: Cents,
        needed: Cents,
        events: &[BusinessEvent],
    ) -> Result<Preview, Refusal> {
        let mut after = Some(self.accounts);
        let mut released = Cents::ZERO;
        let (mut accelerated, mut consumed) = (vec![], vec![]);
        for event in events {
            after = after.and_then(|accounts| accounts.posted(&event.postings()));
            match event {
                BusinessEvent::Balance(BalanceEvent::AmountReleased(event)) => released = event.amount,
                BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => released = event.total,
                BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) => {
                    accelerated.clone_from(&event.accelerated)
                }
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => {
                    consumed.clone_from(&event.consumed)
                }
                BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) => {
                    accelerated.clone_from(&event.accelerated);
                    consumed = event.part.clone().unwrap_or_default();
                }
                _ => {}
            }
        }
        Ok(Preview {
            amount,
            needed,
            held: self.held_amount(sale),
            released,
            before: Balances::of(&self.accounts)?,
            after: Balances::of(&after.ok_or(Refusal::AmountOutOfRange)?)?,
            accelerated,
            consumed,
        })
    }
}

impl Balances {
    fn of(accounts: &Accounts) -> Result<Self, Refusal> {
        Ok(Self {
            available: accounts.available,
            receivable: accounts.receivable,
            in_transfer: accounts.in_transfer,
            blocked: accounts.blocked().ok_or(Refusal::AmountOutOfRange)?,
            held_by_staff: accounts.held_by_staff,
            in_dispute: accounts.in_dispute,
        })
    }
}

/// The first due date at which the scheduled settlements make enough available, if nothing else happens; `None` if they
/// never do, or if enough is available already.
pub fn covered_on(
    needed: Cents,
    available: Cents,
    schedule: impl IntoIterator<Item = (Date, Cents)>,
) -> Option<Date> {
    if available >= needed {
        return None;
    }
    let mut by_date: BTreeMap<Date, Cents> = BTreeMap::new();
    for (due_date, net) in schedule {
        let of_date = by_date.entry(due_date).or_default();
        *of_date = of_date.saturating_add(net);
    }
    by_date
        .into_iter()
        .scan(available, |reached, (due_date, net)| {
            *reached = reached.saturating_add(net);
            Some((due_date, *reached))
        })
        .find(|(_, reached)| *reached >= needed)
        .map(|(due_date, _)| due_date)
}
