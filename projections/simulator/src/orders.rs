//! Orders of payment links. The platform creates a sale for each attempt, and only then has it charged. It follows the
//! log to learn how the attempt ended. The rules are those of `ledger_domain::order`.
//!
//! The acquirer reports payments in time, late or after the order has expired. It declines some. Some buyers pay a code
//! after they have canceled its attempt. The platform learns of events late and sometimes twice.

use chrono::TimeDelta;
use ledger_domain::business::{BusinessEvent, SaleEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::order::{AttemptStatus, NextAttempt, OrderStatus, OrderTransition, SaleEnd};
use ledger_domain::sale::SaleStatus;
use ledger_domain::{BusinessId, Cents, SaleId};

use crate::Checked;
use crate::acquirer::{Fact, OutsideSale};
use crate::delivery::{Delivery, Sender, Stage};
use crate::notices::command_of_fact;
use crate::run::SALES_MAX;
use crate::watch::ensure;
use crate::world::World;

/// How long an attempt can be paid: as long as a PIX code, a short boleto or a long one.
const ATTEMPT_LIFETIMES: [TimeDelta; 3] = [TimeDelta::minutes(30), TimeDelta::days(5), TimeDelta::days(12)];
/// How long an order stays open without an open attempt.
const IDLE_TIMEOUT: TimeDelta = TimeDelta::days(2);

#[derive(Debug)]
pub struct Order {
    business: BusinessId,
    status: OrderStatus,
    attempts: Vec<Attempt>,
    /// The instant since which it has had no open attempt.
    idle_since: Option<Instant>,
    /// Staff were asked to refund one of two payments.
    is_double_payment_reported: bool,
    was_expired: bool,
}

#[derive(Debug)]
struct Attempt {
    /// The number of its sale.
    sale: usize,
    by_card: bool,
    status: AttemptStatus,
    /// The status that it gets once the acquirer confirms that it is unpaid. `None` if no cancel was requested.
    requested_end: Option<AttemptStatus>,
    /// How long it can be paid.
    life: TimeDelta,
    expires_at: Instant,
    /// The index of the delivery with the command that creates its sale.
    delivery: usize,
    /// The worker had it charged. If its cancel was requested before, the worker ended it without a charge.
    is_processed: bool,
}

impl Order {
    fn open(&self) -> Option<&Attempt> {
        let mut attempts = self.attempts.iter();
        attempts.find(|attempt| attempt.status == AttemptStatus::Open)
    }

    fn statuses(&self) -> Vec<AttemptStatus> {
        self.attempts.iter().map(|attempt| attempt.status).collect()
    }

    /// The instant at which its open attempt expires. Without an open attempt, that at which the order expires.
    fn next_deadline(&self) -> Option<Instant> {
        let not_canceled = |attempt: &&Attempt| attempt.requested_end.is_none();
        let expires = self.open().filter(not_canceled).map(|attempt| attempt.expires_at);
        let idle = self.idle_since.filter(|_| self.status == OrderStatus::Open);
        expires.or(idle.map(|since| since + IDLE_TIMEOUT))
    }
}

impl World {
    /// A buyer places an order, or tries to pay an open one in another way.
    pub fn buy(&mut self) -> Checked {
        if self.sales.len() >= SALES_MAX {
            return Ok(());
        }
        let open_orders = |has_state: &dyn Fn(&Order) -> bool| -> Vec<usize> {
            let orders = self.orders.iter().enumerate();
            let open = orders.filter(|(_, order)| order.status == OrderStatus::Open && has_state(order));
            open.map(|(number, _)| number).collect()
        };
        let open = open_orders(&|_| true);
        let idle = open_orders(&|order| order.idle_since.is_some());
        if !idle.is_empty() && self.rng.chance(70) {
            let order = self.rng.pick(&idle);
            self.try_again(order)
        } else if open.is_empty() || self.rng.chance(20) {
            let business = self.some_business();
            self.orders.push(Order {
                business,
                status: OrderStatus::Open,
                attempts: vec![],
                idle_since: None,
                is_double_payment_reported: false,
                was_expired: false,
            });
            self.add_attempt(self.orders.len() - 1)
        } else {
            let order = self.rng.pick(&open);
            self.try_again(order)
        }
    }

    fn try_again(&mut self, order: usize) -> Checked {
        let open = self.orders[order].open();
        // A buyer may give up a code that was shown. A card's charge cannot be given up.
        let can_be_given_up =
            open.map(|attempt| attempt.is_processed && !attempt.by_card && attempt.requested_end.is_none());
        match NextAttempt::of(self.orders[order].status, can_be_given_up) {
            NextAttempt::Add => self.add_attempt(order),
            NextAttempt::GiveUpFirst => {
                self.cancel_open(order, AttemptStatus::Canceled);
                Ok(())
            }
            NextAttempt::Wait | NextAttempt::Closed => Ok(()),
        }
    }

    fn add_attempt(&mut self, order: usize) -> Checked {
        let (business, number) = (self.orders[order].business, self.sales.len());
        let sale = OutsideSale::of_attempt(number, business, order, self.now, &mut self.rng);
        let command = command_of_fact(&sale, self.now, &Fact::Created);
        let by_card = sale.facts.payment_type.is_card();
        self.trace
            .line(self.now, || format!("order {order}: attempt by sale {number}"));
        self.sales.push(sale);
        // A worker that restarts, or that gets no answer, sends the command again.
        let repeats = self.rng.pick(&[0, 0, 1, 2]);
        let life = self.rng.pick(&ATTEMPT_LIFETIMES);
        let delivery = self.add(Delivery {
            sender: Sender::Job,
            business,
            sent_to: business,
            command,
            key: None,
            due_at: self.now,
            stage: Stage::Unanswered,
            repeats,
            will_be_retried: false,
            contradicts_log: false,
            recorded: vec![],
        });
        let order_row = &mut self.orders[order];
        order_row.idle_since = None;
        order_row.attempts.push(Attempt {
            sale: number,
            by_card,
            status: AttemptStatus::Open,
            requested_end: None,
            life,
            expires_at: self.now + life,
            delivery,
            is_processed: false,
        });
        let open = order_row.statuses().into_iter();
        let open = open.filter(|status| *status == AttemptStatus::Open).count();
        ensure(open == 1, || format!("order {order} has {open} open attempts"))
    }

    /// Queues the end of a sale that the ledger recorded. The platform's follower applies it later.
    pub fn order_event(&mut self, event: &BusinessEvent) {
        let BusinessEvent::Sale(event) = event else {
            return;
        };
        let (sale, end) = match event {
            SaleEvent::SaleCaptured(event) => (event.sale.sale_id, SaleEnd::Captured),
            SaleEvent::SaleFailed(event) => (event.sale.sale_id, SaleEnd::Failed),
            SaleEvent::SaleVoided(event) => (event.sale_id, SaleEnd::Voided),
            SaleEvent::SaleCanceled(event) => (event.sale_id, SaleEnd::Returned),
            _ => return,
        };
        if self.attempt_of(sale).is_some() {
            self.recorded_ends.push_back((sale, end));
        }
    }

    /// Runs the platform's follower of the log, its worker and its expiry job.
    pub fn advance_orders(&mut self) -> Checked {
        while let Some((sale, end)) = self.recorded_ends.pop_front() {
            self.apply_end(sale, end);
            if self.rng.chance(15) {
                // The follower stopped before it moved its checkpoint, and reads the event again.
                self.apply_end(sale, end);
            }
        }
        for order in 0..self.orders.len() {
            self.run_worker(order)?;
            self.expire(order);
        }
        Ok(())
    }

    pub fn next_order_deadline(&self) -> Option<Instant> {
        self.orders.iter().filter_map(Order::next_deadline).min()
    }

    /// Whether an end of a sale was recorded that the follower has not applied yet.
    pub fn has_recorded_ends(&self) -> bool {
        !self.recorded_ends.is_empty()
    }

    fn apply_end(&mut self, sale: SaleId, end: SaleEnd) {
        let Some((order, attempt)) = self.attempt_of(sale) else {
            return;
        };
        let row = &mut self.orders[order].attempts[attempt];
        row.status = row.status.after(end, row.requested_end);
        self.update_order(order, attempt);
    }

    fn update_order(&mut self, order: usize, attempt: usize) {
        let row = &mut self.orders[order];
        let by_card = row.attempts[attempt].by_card;
        let transition = OrderTransition::of(row.status, &row.statuses(), attempt, by_card);
        row.status = transition.status;
        row.is_double_payment_reported |= transition.paid_twice;
        if transition.is_idle {
            row.idle_since.get_or_insert(self.now);
        }
        if transition.cancels_open {
            self.cancel_open(order, AttemptStatus::Canceled);
        }
    }

    /// Runs the worker: it has an attempt charged only after the ledger has recorded its sale.
    fn run_worker(&mut self, order: usize) -> Checked {
        let row = &self.orders[order];
        let is_open = |attempt: &Attempt| attempt.status == AttemptStatus::Open && !attempt.is_processed;
        let Some(at) = row.attempts.iter().position(is_open) else {
            return Ok(());
        };
        let Attempt {
            sale,
            delivery,
            requested_end,
            life,
            ..
        } = row.attempts[at];
        let sale_id = self.sales[sale].facts.sale_id;
        match self.deliveries[delivery].stage {
            Stage::Unanswered | Stage::InExceptionsQueue(_) => Ok(()),
            Stage::Accepted => {
                ensure(self.log.sale(sale_id).is_some(), || {
                    format!("sale {sale} is charged, and the ledger does not know it")
                })?;
                self.orders[order].attempts[at].is_processed = true;
                let Self { sales, rng, .. } = self;
                match requested_end {
                    // Its cancel was requested before the charge, so it is never charged.
                    Some(_) => sales[sale].fail(self.now),
                    None => sales[sale].charge(self.now, life, rng),
                }
                Ok(())
            }
            // The sale was not created, so there is no charge.
            Stage::Refused(_) | Stage::Rejected => {
                self.orders[order].attempts[at].status = AttemptStatus::Failed;
                self.update_order(order, at);
                Ok(())
            }
        }
    }

    fn expire(&mut self, order: usize) {
        let now = self.now;
        let is_due = |attempt: &Attempt| attempt.requested_end.is_none() && attempt.expires_at <= now;
        if self.orders[order].open().is_some_and(is_due) {
            self.cancel_open(order, AttemptStatus::Expired);
        }
        let row = &mut self.orders[order];
        let is_over = row.idle_since.is_some_and(|since| since + IDLE_TIMEOUT <= now);
        if row.status == OrderStatus::Open && row.open().is_none() && is_over {
            (row.status, row.was_expired) = (OrderStatus::Expired, true);
        }
    }

    /// Requests the cancel of the open attempt. The attempt ends when the acquirer has answered.
    fn cancel_open(&mut self, order: usize, requested_end: AttemptStatus) {
        let now = self.now;
        let open = self.orders[order].attempts.iter_mut();
        let mut open = open.filter(|attempt| attempt.status == AttemptStatus::Open);
        let Some(attempt) = open.find(|attempt| attempt.requested_end.is_none()) else {
            return;
        };
        attempt.requested_end = Some(requested_end);
        if attempt.is_processed {
            let Self { sales, rng, .. } = self;
            sales[attempt.sale].cancel_charge(now, rng);
        }
    }

    fn attempt_of(&self, sale: SaleId) -> Option<(usize, usize)> {
        let place = |(number, order): (usize, &Order)| {
            let mut attempts = order.attempts.iter();
            let attempt = attempts.position(|attempt| self.sales[attempt.sale].facts.sale_id == sale)?;
            Some((number, attempt))
        };
        self.orders.iter().enumerate().find_map(place)
    }

    // ------------------------------------------------------------ comparing

    /// Compares each order with the ledger and the outside world, after everything is delivered.
    pub fn compare_orders(&mut self) -> Checked {
        for number in 0..self.orders.len() {
            let order = &self.orders[number];
            let error = |what: &str| format!("order {number}: {what}: {order:?}");
            ensure(order.open().is_none(), || error("an attempt never ends"))?;
            for attempt in &order.attempts {
                self.compare_attempt(attempt).map_err(|what| error(&what))?;
            }
            let paid = self.count(order, |attempt| attempt.status == AttemptStatus::Paid);
            let captured = self.count(order, |attempt| self.is_captured(attempt));
            let expected = match (paid, captured) {
                (0, 0) => OrderStatus::Expired,
                (0, _) => OrderStatus::Canceled,
                _ => OrderStatus::Paid,
            };
            ensure(order.status == expected, || {
                error(&format!("is not {expected:?}"))
            })?;
            ensure(paid < 2 || order.is_double_payment_reported, || {
                error("paid twice, but not reported to staff")
            })?;
            ensure(captured > 1 || !order.is_double_payment_reported, || {
                error("reported as paid twice, but is not")
            })?;
        }
        Ok(())
    }

    fn compare_attempt(&self, attempt: &Attempt) -> Checked {
        let sale = &self.sales[attempt.sale];
        let state = self.log.sale(sale.facts.sale_id).map(|found| found.state);
        let status = state.as_ref().map(|state| state.status);
        let charged = sale.timeline.iter().any(|(_, fact)| *fact == Fact::Captured);
        ensure(!charged || status.is_some(), || {
            format!(
                "sale {} is charged, and the ledger does not know it",
                attempt.sale
            )
        })?;
        let is_returned = matches!(
            status,
            Some(SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed)
        );
        // After a chargeback of a part, the rest may have been lost too, or refunded: both end as charged back.
        let lost_in_parts =
            status == Some(SaleStatus::ChargedBack) && state.is_some_and(|state| state.lost != Cents::ZERO);
        let agrees = match attempt.status {
            AttemptStatus::Paid | AttemptStatus::Canceled if lost_in_parts => true,
            AttemptStatus::Paid => self.is_captured(attempt) && !is_returned,
            AttemptStatus::Canceled => !self.is_captured(attempt) || is_returned,
            _ => !self.is_captured(attempt),
        };
        ensure(agrees, || {
            format!(
                "the attempt by sale {} is not what the ledger has: {status:?}",
                attempt.sale
            )
        })
    }

    fn is_captured(&self, attempt: &Attempt) -> bool {
        self.watcher.is_captured(self.sales[attempt.sale].facts.sale_id)
    }

    fn count(&self, order: &Order, matches: impl Fn(&Attempt) -> bool) -> usize {
        order.attempts.iter().filter(|attempt| matches(attempt)).count()
    }

    /// Counts the histories that orders had. A test fails if no run has one of them.
    pub fn count_orders(&mut self) {
        for order in &self.orders {
            let is_captured =
                |attempt: &&Attempt| self.watcher.is_captured(self.sales[attempt.sale].facts.sale_id);
            let captured = order.attempts.iter().filter(is_captured).count();
            let late = order.attempts.iter().any(|attempt| {
                let was_canceled = self.sales[attempt.sale].was_canceled_before_payment();
                is_captured(&attempt) && was_canceled
            });
            let declined = order
                .attempts
                .iter()
                .any(|attempt| attempt.status == AttemptStatus::Declined);
            let histories = [
                (captured == 1 && !late, "order paid in time"),
                (late && !order.was_expired, "order paid late"),
                (late && order.was_expired, "order paid after expiry"),
                (captured > 1, "order paid twice"),
                (captured > 0 && declined, "order declined, then paid"),
                (captured == 0, "order never paid"),
            ];
            for (_, name) in histories.into_iter().filter(|(happened, _)| *happened) {
                self.event_counts.saw(name);
            }
        }
    }
}
