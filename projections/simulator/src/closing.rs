//! The end of a run. Delivers every message, and retries every waiting notice until nothing more is recorded. Then
//! compares the model, the log's heads and states, their replay, and the rows of the read models.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use ledger_domain::business::{Account, Business};
use ledger_domain::{BusinessId, SaleId};

use crate::Checked;
use crate::delivery::{Delivery, Stage};
use crate::model::calendar::day_of;
use crate::model::{AmountPlace, Balances, Model, RecordedRequests};
use crate::network::Fault;
use crate::watch::ensure;
use crate::world::World;

impl World {
    pub fn model(&self) -> Model<'_> {
        Model {
            companies: &self.companies,
            sales: &self.sales,
            requests: RecordedRequests::of(&self.recorded),
            holds: &self.watcher.holds,
            rejected_sales: &self.log.rejected_sales,
        }
    }

    /// Continues without faults until nothing is due and nothing more is recorded.
    pub fn stop_faults(&mut self) -> Checked {
        self.trace.line(self.now, || "no more faults".to_owned());
        self.unacknowledged.clear();
        for business in self.companies.unknown() {
            self.change_reference_data(business);
        }
        // A process that does not know that it lost a shard may refuse commands on stale state. In reality, the end of
        // its lease would tell it by now.
        for node in 0..self.nodes.len() {
            self.inject_fault(Fault::TellOfLoss, node)?;
        }
        for _ in 0..5_000 {
            self.advance_orders()?;
            self.advance_outside()?;
            self.send_all_due()?;
            self.advance_orders()?;
            if let Some(next) = self.next_delivery().into_iter().chain(self.next_outside()).min() {
                self.now = self.now.max(next);
                continue;
            }
            let recorded = self.recorded.len();
            self.retry_waiting()?;
            self.settle_what_is_due()?;
            let is_quiet =
                self.next_delivery().is_none() && self.next_outside().is_none() && !self.has_recorded_ends();
            if is_quiet && self.recorded.len() == recorded {
                return Ok(());
            }
        }
        Err("the deliveries do not come to an end".to_owned())
    }

    /// The next time at which a delivery is sent, without notices that wait for a change of their sale or transfer.
    fn next_delivery(&self) -> Option<ledger_domain::calendar::Instant> {
        let pending = self.deliveries.iter().filter(|delivery| delivery.will_be_sent());
        pending.map(|delivery| delivery.due_at).min()
    }

    fn send_all_due(&mut self) -> Checked {
        for delivery in 0..self.deliveries.len() {
            if self.deliveries[delivery].will_be_sent() && self.deliveries[delivery].due_at <= self.now {
                self.send(delivery)?;
            }
        }
        self.settle_down()
    }

    /// Tries each notice of the exceptions queue once.
    fn retry_waiting(&mut self) -> Checked {
        for delivery in 0..self.deliveries.len() {
            if matches!(self.deliveries[delivery].stage, Stage::InExceptionsQueue(_)) {
                self.send(delivery)?;
            }
        }
        self.settle_down()
    }

    fn settle_what_is_due(&mut self) -> Checked {
        let recorded = self.memory_of_any();
        self.readers.catch_up(&self.log, &recorded, &mut self.rng)?;
        self.settle_receivables();
        Ok(())
    }

    /// Sends a user's request until it is answered, and returns its stage.
    pub fn ask(&mut self, delivery: Delivery) -> Result<Stage, String> {
        let number = self.add(delivery);
        for _ in 0..100 {
            self.send(number)?;
            self.settle_down()?;
            if !self.deliveries[number].is_open() {
                return Ok(self.deliveries[number].stage.clone());
            }
            self.now += TimeDelta::seconds(5);
        }
        Err(format!("delivery {number} is never answered"))
    }

    // ------------------------------------------------------------ comparing

    pub fn compare(&mut self) -> Checked {
        let recorded = self.memory_of_any();
        self.readers.catch_up(&self.log, &recorded, &mut self.rng)?;
        let businesses: Vec<_> = self
            .companies
            .businesses
            .iter()
            .map(|company| company.id)
            .collect();
        businesses
            .into_iter()
            .try_for_each(|business| self.compare_balances(business))?;
        let returned = |sale| self.watcher.money_has_returned(sale);
        self.watcher.holds.reserve.check_end(day_of(self.now), returned)?;
        self.compare_sales()?;
        self.compare_orders()?;
        self.compare_transfers()?;
        self.replay()?;
        self.deliveries
            .iter()
            .try_for_each(|delivery| self.check_delivery(delivery))?;
        let from_scratch = self.readers.folded_at_once()?;
        match self.readers.rows.difference(&from_scratch) {
            Some(difference) => Err(format!(
                "rows folded by windows and rows folded at once differ: {difference}"
            )),
            None => Ok(()),
        }
    }

    fn compare_balances(&self, business: BusinessId) -> Checked {
        let whose = self.companies.name(business);
        let expected = self.model().balances(business, day_of(self.now));
        let head = self.log.head(business).unwrap_or_default();
        equal(
            &whose,
            "the ledger's head",
            expected,
            Balances::from(head.accounts),
        )?;
        let rows = &self.readers.rows;
        equal(
            &whose,
            "the balance's row",
            expected,
            Balances::from(rows.accounts(business)),
        )?;
        equal(
            &whose,
            "the journal's end",
            expected,
            Balances::from(rows.journal_end(business)),
        )?;
        for account in Account::ALL {
            let day_by_day = rows.sum_of_days(business, account);
            equal(
                &whose,
                "the sum of the balance's days",
                head.accounts.get(account).get(),
                day_by_day,
            )?;
        }
        let available = (expected.available, expected.available);
        equal(
            &whose,
            "the statement's last balance and the sum of its days",
            available,
            rows.statement_end(business),
        )?;
        let receivable = (expected.receivable, expected.receivable);
        equal(
            &whose,
            "the open installments and the open net of the receivables schedule",
            receivable,
            rows.open_installments(business),
        )?;
        equal(
            &whose,
            "open transfers",
            expected.in_transfer,
            rows.open_transfers(business),
        )?;
        equal(
            &whose,
            "the sum of the holds",
            expected.held_by_staff,
            rows.held(business),
        )?;
        let difference = rows.volume_difference(business);
        ensure(difference.is_none(), || {
            format!("the volume of {whose} is not that of its lists: {difference:?}")
        })?;
        let difference = rows.composition_difference(business);
        ensure(difference.is_none(), || {
            format!("the debits of {whose} do not consist of its first credits: {difference:?}")
        })
    }

    fn compare_sales(&self) -> Checked {
        let model = self.model();
        for sale in &self.sales {
            let (id, sale_outcome) = (sale.facts.sale_id, model.sale_outcome(sale));
            let recorded = self.log.sale(id).map(|found| found.state.status);
            ensure(sale_outcome.allows(recorded), || {
                format!(
                    "{} is {recorded:?}, but its outcome is {sale_outcome:?}",
                    short(id)
                )
            })?;
            equal(
                &short(id),
                "the list's row",
                recorded,
                self.readers.rows.sale_status(id),
            )?;
            if let (Some(promised), Some(captured_at)) = (self.watcher.promised(id), sale.captured_at()) {
                let price = model.price(sale, captured_at);
                equal(
                    &short(id),
                    "net and due date of its installments",
                    &price.parts[..],
                    promised,
                )?;
            }
        }
        Ok(())
    }

    fn compare_transfers(&self) -> Checked {
        let requests = RecordedRequests::of(&self.recorded);
        for (id, expected) in &requests.transfers {
            let recorded = self
                .log
                .transfer(*id)
                .map(|found| AmountPlace::of(found.state.status));
            equal("a withdrawal", "its state", Some(expected.place), recorded)?;
            let row = self
                .readers
                .rows
                .transfer(*id)
                .map(|row| AmountPlace::of(row.status));
            equal("a withdrawal", "its row", Some(expected.place), row)?;
        }
        for paid in self.bank.paid() {
            let transfer = requests.transfers.get(&paid);
            // Staff may have recorded a return that the bank does not know.
            if transfer.is_some_and(|transfer| transfer.returned.is_some()) {
                continue;
            }
            equal(
                "a withdrawal that the bank paid",
                "its place",
                Some(AmountPlace::Paid),
                transfer.map(|transfer| transfer.place),
            )?;
        }
        Ok(())
    }

    /// Decodes and folds the log again, and compares the result with the heads and states that the lanes stored.
    fn replay(&self) -> Checked {
        let mut replayed: BTreeMap<BusinessId, Business> = BTreeMap::new();
        for (_, _, row) in self.log.events() {
            let event = ledger_domain::business::decode(row.event_type, row.event_version, &row.payload);
            let event = event.map_err(|error| format!("an event cannot be decoded: {error}"))?;
            replayed.entry(row.business_id).or_default().apply(&event);
        }
        for (business, folded) in replayed {
            let whose = self.companies.name(business);
            let head = self.log.head(business).unwrap_or_default();
            equal(&whose, "the head", folded.accounts, head.accounts)?;
            equal(
                &whose,
                "recent withdrawals",
                &folded.recent_withdrawals[..],
                &head.recent_withdrawals[..],
            )?;
            equal(
                &whose,
                "the amount held for sales",
                folded.held_for_sales,
                head.held_for_sales,
            )?;
            equal(&whose, "the open holds", &folded.holds[..], &head.holds[..])?;
            for (id, sale) in &folded.sales {
                equal(
                    &short(*id),
                    "the state",
                    Some(sale),
                    self.log.sale(*id).map(|found| found.state).as_ref(),
                )?;
                equal(
                    &short(*id),
                    "whether it has a row",
                    self.watcher.events_of(*id) > 1,
                    self.log.has_state_row(*id),
                )?;
            }
            for (id, transfer) in &folded.transfers {
                let state = self.log.transfer(*id).map(|found| &found.state);
                equal("a transfer", "the state", Some(transfer), state)?;
            }
        }
        Ok(())
    }

    /// Every delivery must be answered. A notice may wait for staff if it contradicts the log or the model says so.
    fn check_delivery(&self, delivery: &Delivery) -> Checked {
        match &delivery.stage {
            Stage::InExceptionsQueue(_) if delivery.contradicts_log => Ok(()),
            Stage::Accepted if delivery.contradicts_log => Err(format!(
                "was accepted, but contradicts the log: {}",
                crate::world::command_text(&delivery.command)
            )),
            Stage::Unanswered => Err(format!("never answered: {:?}", delivery.command)),
            Stage::InExceptionsQueue(refusal) => ensure(self.model().may_wait(delivery), || {
                format!(
                    "waits forever ({refusal}): {}",
                    crate::world::command_text(&delivery.command)
                )
            }),
            Stage::Accepted | Stage::Refused(_) | Stage::Rejected => Ok(()),
        }
    }
}

fn short(sale: SaleId) -> String {
    crate::names::shortened(&sale.to_string())
}

fn equal<T: PartialEq + std::fmt::Debug>(whose: &str, what: &str, expected: T, found: T) -> Checked {
    ensure(expected == found, || {
        format!("{whose}: {what}: expected {expected:?}, found {found:?}")
    })
}
