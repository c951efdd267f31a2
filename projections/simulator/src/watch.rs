//! Invariants of the log, checked for each event as it is recorded.
//!
//! The watcher does not use the aggregate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ledger_domain::business::{
    AcceleratedReceivable, Account, BalanceEvent, BusinessCommand, BusinessEvent, ConsumedReceivable,
    SaleEvent, SettledReceivable, TransferEvent,
};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::DisputeId;
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};
use ledger_model::ModelLog;
use ledger_store::lane::EventRow;
use ledger_store::{RecordedEvent, Shard, chain};

use crate::Checked;
use crate::companies::Companies;
use crate::watch_holds::WatchedHolds;

#[derive(Debug, Default)]
pub struct Watcher {
    /// The number of events that were checked.
    seen: usize,
    shards: BTreeMap<Shard, Vec<WatchedEvent>>,
    businesses: BTreeMap<BusinessId, WatchedBusiness>,
    /// The open installments of every captured sale by number: net and due date. A sale whose installments are all paid
    /// has an empty entry.
    open: BTreeMap<SaleId, BTreeMap<u8, (i64, Date)>>,
    /// The amount that the last event of a business released. The event after it uses the amount.
    released: BTreeMap<BusinessId, i64>,
    /// The scheduled installments of every captured sale in order: net and due date.
    promised: BTreeMap<SaleId, Vec<(i64, Date)>>,
    /// The captured sales whose money went back.
    returned: BTreeSet<SaleId>,
    /// Every dispute. The value tells whether it ended.
    disputes: BTreeMap<(SaleId, DisputeId), bool>,
    /// The transfers that were approved, and so paid.
    paid: BTreeSet<TransferId>,
    /// The paid transfers that the bank returned.
    sent_back: BTreeSet<TransferId>,
    /// The idempotency keys under which commands are recorded.
    keys: BTreeSet<(BusinessId, [u8; 16])>,
    /// The business of each sale, and the number of the sale's events.
    events_of_sales: BTreeMap<SaleId, (BusinessId, u32)>,
    pub holds: WatchedHolds,
}

#[derive(Debug)]
struct WatchedEvent {
    event_id: EventId,
    sequence: i64,
    recorded_at: Instant,
    event: Arc<BusinessEvent>,
}

#[derive(Debug)]
struct WatchedBusiness {
    sequence: i64,
    chain: [u8; 32],
    accounts: BTreeMap<Account, i64>,
}

impl Default for WatchedBusiness {
    fn default() -> Self {
        Self {
            sequence: 0,
            chain: chain::GENESIS,
            accounts: BTreeMap::new(),
        }
    }
}

/// One recorded event.
pub struct EventView {
    pub business: BusinessId,
    pub event_id: EventId,
    pub event: Arc<BusinessEvent>,
    /// Whether it is its command's first event.
    pub is_first: bool,
    pub description: String,
}

impl Watcher {
    pub fn of(companies: &Companies) -> Self {
        let mut watcher = Self::default();
        watcher.holds.reserve.know(companies);
        watcher
    }

    /// Checks the events that were recorded since the last call. `command_of` returns the command whose first event has
    /// this id.
    pub fn check_new_events<'a>(
        &mut self,
        log: &ModelLog,
        command_of: impl Fn(EventId) -> Option<&'a BusinessCommand>,
    ) -> Result<Vec<EventView>, String> {
        let mut views = vec![];
        let mut command = None;
        for (shard, position, row) in log.events().skip(self.seen) {
            if row.key.is_some() {
                let known = command_of(row.event_id);
                command =
                    Some(known.ok_or_else(|| format!("{} was recorded without a command", row.event_type))?);
            }
            let description = format!("{shard}:{position} {} #{}", row.event_type, row.sequence);
            let command = command
                .ok_or_else(|| format!("{description} is not preceded by its command's first event"))?;
            self.check_position(shard, position, row)
                .map_err(|fault| format!("{description}: {fault}"))?;
            self.check_money(row, command)
                .map_err(|fault| format!("{description}: {fault}"))?;
            views.push(EventView {
                business: row.business_id,
                event_id: row.event_id,
                event: row.event.clone(),
                is_first: row.key.is_some(),
                description,
            });
        }
        self.seen = log.events().len();
        Ok(views)
    }

    pub fn balance(&self, business: BusinessId, account: Account) -> i64 {
        let watched = self.businesses.get(&business);
        watched
            .and_then(|watched| watched.accounts.get(&account))
            .copied()
            .unwrap_or(0)
    }

    /// An event in a receipt must already be in the log.
    pub fn check_in_log(&self, acknowledged: &RecordedEvent) -> Checked {
        let recorded = self.shards.get(&acknowledged.shard).and_then(|events| {
            let index = usize::try_from(acknowledged.position - 1).ok()?;
            events.get(index)
        });
        let same = recorded.is_some_and(|recorded| {
            recorded.event_id == acknowledged.event_id
                && recorded.sequence == acknowledged.sequence
                && recorded.recorded_at == acknowledged.recorded_at
                && recorded.event == acknowledged.event
        });
        if same {
            return Ok(());
        }
        Err(format!(
            "{} at {}:{} is acknowledged but not in the log",
            acknowledged.event_type(),
            acknowledged.shard,
            acknowledged.position
        ))
    }

    pub fn promised(&self, sale: SaleId) -> Option<&[(i64, Date)]> {
        self.promised.get(&sale).map(Vec::as_slice)
    }

    pub fn is_captured(&self, sale: SaleId) -> bool {
        self.open.contains_key(&sale)
    }

    /// Whether the money of the captured sale went back.
    pub fn money_has_returned(&self, sale: SaleId) -> bool {
        self.returned.contains(&sale)
    }

    // ------------------------------------------------------------ positions

    fn check_position(&mut self, shard: Shard, position: i64, row: &EventRow) -> Checked {
        let events = self.shards.entry(shard).or_default();
        let expected = events.len() as i64 + 1;
        ensure(position == expected, || {
            format!("has position {position}, expected {expected}")
        })?;
        ensure(Shard::of(row.business_id) == shard, || {
            "is in the shard of another business".to_owned()
        })?;
        let before = events.last().map(|last| last.recorded_at);
        ensure(before.is_none_or(|before| before <= row.recorded_at), || {
            "has an earlier recorded_at than the previous event".to_owned()
        })?;
        events.push(WatchedEvent {
            event_id: row.event_id,
            sequence: row.sequence,
            recorded_at: row.recorded_at,
            event: row.event.clone(),
        });
        let watched = self.businesses.entry(row.business_id).or_default();
        ensure(row.sequence == watched.sequence + 1, || {
            format!("follows #{}", watched.sequence)
        })?;
        let chained = chain::next(&watched.chain, &row.digest);
        ensure(row.chain == chained, || "the chain is broken".to_owned())?;
        (watched.sequence, watched.chain) = (row.sequence, row.chain);
        match row.key {
            Some(own) if !self.keys.insert((row.business_id, own.key)) => {
                return Err("its key is used a second time".to_owned());
            }
            Some(_) | None => {}
        }
        self.check_claim(row)
    }

    /// The first event of a sale claims it. No other event claims it, and all events of the sale are of one business.
    fn check_claim(&mut self, row: &EventRow) -> Checked {
        let is_first = |sale: &SaleId| !self.events_of_sales.contains_key(sale);
        let first = row.event.may_open_sale().filter(is_first);
        ensure(row.claimed_sale == first, || {
            format!(
                "claims {:?}, but is the first event of {first:?}",
                row.claimed_sale
            )
        })?;
        for sale in row.event.sale_ids() {
            let (business, events) = self.events_of_sales.entry(sale).or_insert((row.business_id, 0));
            ensure(*business == row.business_id, || {
                format!("names a sale of {business}")
            })?;
            *events += 1;
        }
        Ok(())
    }

    /// The number of the sale's events.
    pub fn events_of(&self, sale: SaleId) -> u32 {
        self.events_of_sales.get(&sale).map_or(0, |(_, events)| *events)
    }

    // ------------------------------------------------------------ money

    fn check_money(&mut self, row: &EventRow, command: &BusinessCommand) -> Checked {
        let event = row.event.as_ref();
        let available = self.balance(row.business_id, Account::Available);
        if row.key.is_some() {
            self.holds.check_courts(row.business_id, available)?;
        }
        let released = self.released.remove(&row.business_id).unwrap_or(0);
        if let BusinessEvent::Balance(BalanceEvent::AmountReleased(event)) = event {
            self.released.insert(row.business_id, event.amount.get());
        }
        if let BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) = event {
            self.released.insert(row.business_id, event.total.get());
        }
        if let Some(taken) = taken_by_request(event, command) {
            // A part that held money pays takes nothing from the balance, even if that is below zero.
            ensure(taken <= available || taken <= released, || {
                format!("takes {taken}, but only {available} is available")
            })?;
        }
        self.post(row.business_id, event)?;
        match event {
            BusinessEvent::Sale(event) => {
                if let SaleEvent::ReceivablesSettled(event) = event {
                    self.holds.reserve.settle(row.business_id, event)?;
                }
                self.check_sale_event(event)
            }
            BusinessEvent::Transfer(event) => self.check_transfer_event(event),
            BusinessEvent::Balance(event) => self.holds.check(row.business_id, event, available),
        }
    }

    fn check_sale_event(&mut self, event: &SaleEvent) -> Checked {
        match event {
            SaleEvent::SaleCaptured(event) => {
                let parts = event
                    .receivables
                    .iter()
                    .map(|part| (part.number, (part.net.get(), part.due_date)));
                let promised = parts.clone().map(|(_, part)| part).collect();
                self.promised.insert(event.sale.sale_id, promised);
                let again = self.open.insert(event.sale.sale_id, parts.collect()).is_some();
                ensure(!again, || "captured a second time".to_owned())
            }
            SaleEvent::ReceivablesSettled(event) => event
                .settled
                .iter()
                .try_for_each(|settled| self.settle(settled, event.due_date)),
            SaleEvent::SaleCanceled(event) => {
                self.accelerate(event.sale_id, &event.accelerated)?;
                self.end_dispute(event.sale_id, event.blocked_by.as_ref())?;
                self.money_returns(event.sale_id)
            }
            SaleEvent::SalePartRefunded(event) => self.consume(event.sale_id, &event.consumed),
            SaleEvent::SaleChargedBack(event) => {
                self.end_dispute(event.sale_id, event.blocked_by.as_ref())?;
                if let Some(consumed) = &event.part {
                    return self.consume(event.sale_id, consumed);
                }
                self.accelerate(event.sale_id, &event.accelerated)?;
                self.money_returns(event.sale_id)
            }
            SaleEvent::SaleDisputed(event) => {
                match &event.part {
                    Some(consumed) => self.consume(event.sale_id, consumed)?,
                    None => self.accelerate(event.sale_id, &event.accelerated)?,
                }
                self.open_dispute(event.sale_id, &event.dispute_id)
            }
            SaleEvent::DisputeConfirmed(event) => {
                self.end_dispute(event.sale_id, Some(&event.opened_as))?;
                self.open_dispute(event.sale_id, &event.dispute_id)
            }
            SaleEvent::DisputeWon(event) => self.end_dispute(event.sale_id, Some(&event.dispute_id)),
            SaleEvent::SaleCreated(_)
            | SaleEvent::SaleFailed(_)
            | SaleEvent::SaleVoided(_)
            | SaleEvent::SaleNamed(_)
            | SaleEvent::RefundAnswered(_) => Ok(()),
        }
    }

    fn check_transfer_event(&mut self, event: &TransferEvent) -> Checked {
        match event {
            TransferEvent::TransferApproved(event) => ensure(self.paid.insert(event.transfer_id), || {
                "paid a second time".to_owned()
            }),
            TransferEvent::TransferReturned(event) => {
                ensure(self.paid.contains(&event.transfer_id), || {
                    "returned but not paid".to_owned()
                })?;
                ensure(self.sent_back.insert(event.transfer_id), || {
                    "returned a second time".to_owned()
                })
            }
            TransferEvent::TransferRequested(_)
            | TransferEvent::TransferApprovalGiven(_)
            | TransferEvent::TransferProcessing(_)
            | TransferEvent::TransferRefused(_)
            | TransferEvent::TransferFailed(_)
            | TransferEvent::TransferReopened(_)
            | TransferEvent::ManualTransferMade(_)
            | TransferEvent::TerminalRentalCharged(_)
            | TransferEvent::TerminalRentalCanceled(_) => Ok(()),
        }
    }

    fn post(&mut self, business: BusinessId, event: &BusinessEvent) -> Checked {
        let accounts = &mut self.businesses.entry(business).or_default().accounts;
        let mut sum = 0;
        for (account, amount) in event.balance_changes() {
            *accounts.entry(account).or_default() += amount.get();
            sum += amount.get();
        }
        ensure(sum == 0, || format!("its postings come to {sum}"))?;
        let never_negative = [
            Account::Receivable,
            Account::InTransfer,
            Account::HeldByStaff,
            Account::InDispute,
        ];
        for account in never_negative {
            let balance = accounts.get(&account).copied().unwrap_or(0);
            ensure(balance >= 0, || format!("leaves {account} at {balance}"))?;
        }
        Ok(())
    }

    fn settle(&mut self, settled: &SettledReceivable, due_date: Date) -> Checked {
        self.pay_installment(settled.sale_id, settled.number, settled.net.get(), due_date)
    }

    fn accelerate(&mut self, sale: SaleId, accelerated: &[AcceleratedReceivable]) -> Checked {
        accelerated
            .iter()
            .try_for_each(|part| self.pay_installment(sale, part.number, part.net.get(), part.due_date))?;
        let rest = self.open.get(&sale).map_or(0, BTreeMap::len);
        ensure(rest == 0, || {
            format!("leaves {rest} installments of the sale open")
        })
    }

    /// A part takes the installments that are due last, each as it is open, and leaves the rest of the last one.
    fn consume(&mut self, sale: SaleId, consumed: &[ConsumedReceivable]) -> Checked {
        for part in consumed {
            let open = self.open.entry(sale).or_default();
            let unpaid = open.iter().filter(|(_, (net, _))| *net > 0);
            let last = unpaid.max_by_key(|(number, (_, due))| (*due, **number));
            let last = last.map(|(number, (net, due))| (*number, *net, *due));
            let named = (part.number, part.net.get() + part.left.get(), part.due_date);
            ensure(last == Some(named), || {
                format!("takes a part of {named:?}, but the last one open is {last:?}")
            })?;
            open.remove(&part.number);
            if part.left.get() > 0 {
                open.insert(part.number, (part.left.get(), part.due_date));
            }
        }
        Ok(())
    }

    /// An installment is paid once, with its whole net, under its scheduled due date.
    fn pay_installment(&mut self, sale: SaleId, number: u8, net: i64, due_date: Date) -> Checked {
        let part = self.open.get_mut(&sale).and_then(|open| open.remove(&number));
        ensure(part == Some((net, due_date)), || {
            format!("pays {net} for installment {number}, but the open one is {part:?}")
        })
    }

    fn money_returns(&mut self, sale: SaleId) -> Checked {
        ensure(self.returned.insert(sale), || {
            "the sale's money returns a second time".to_owned()
        })
    }

    fn open_dispute(&mut self, sale: SaleId, id: &DisputeId) -> Checked {
        let open = self
            .disputes
            .iter()
            .any(|((other, _), ended)| *other == sale && !ended);
        ensure(!open, || "another dispute is open".to_owned())?;
        let again = self.disputes.insert((sale, id.clone()), false).is_some();
        ensure(!again, || format!("dispute {id} opens a second time"))
    }

    fn end_dispute(&mut self, sale: SaleId, id: Option<&DisputeId>) -> Checked {
        let Some(id) = id else { return Ok(()) };
        let ended = self.disputes.insert((sale, id.clone()), true);
        ensure(ended == Some(false), || {
            format!("dispute {id} ends but was not open")
        })
    }
}

/// The amount that a user's request takes from the available balance, which it must not overdraw. `None` if the event
/// takes nothing or may overdraw the balance, such as a fact that an acquirer reports.
fn taken_by_request(event: &BusinessEvent, command: &BusinessCommand) -> Option<i64> {
    let taken = match (event, command) {
        (BusinessEvent::Transfer(TransferEvent::TransferRequested(event)), _) => event.amount,
        (
            BusinessEvent::Transfer(TransferEvent::TransferReopened(event)),
            BusinessCommand::ReopenTransfer(_),
        ) => event.taken,
        (BusinessEvent::Balance(BalanceEvent::HoldPlaced(event)), _) => event.amount,
        (
            BusinessEvent::Sale(SaleEvent::SaleCanceled(event)),
            BusinessCommand::CancelSale(_) | BusinessCommand::RefundPart(_),
        ) => event.net,
        (BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)), BusinessCommand::RefundPart(_)) => {
            let from_balance = event.net.get() - ConsumedReceivable::total(&event.consumed).get();
            return (from_balance > 0).then_some(from_balance);
        }
        (BusinessEvent::Sale(SaleEvent::SaleDisputed(event)), BusinessCommand::DisputeSale(_)) => {
            event.amount
        }
        (
            BusinessEvent::Transfer(TransferEvent::ManualTransferMade(_)),
            BusinessCommand::MakeManualTransfer(command),
        ) => {
            let must_not_overdraw =
                !command.allow_negative && command.direction == ledger_domain::transfer::Direction::Out;
            return must_not_overdraw.then_some(command.amount.get());
        }
        _ => return None,
    };
    (taken.get() > 0).then_some(taken.get())
}

pub fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(fault()) }
}
