//! The notices of the acquirer and the bank as deliveries: late, repeated, in any order, sometimes to the wrong
//! business, and sometimes contradictory.

use chrono::TimeDelta;
use ledger_domain::business::{
    AnswerRefund, BusinessCommand, CaptureSale, CreateSale, FailSale, LoseDispute, OpenDispute, PayoutFailed,
    PayoutPaid, PayoutReturned, RefundSale, Refunded, ReturnedFee, ReverseSale, SaleContext, VoidSale,
    WinDispute,
};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{DisputeId, Initiator, PaymentNames, SaleStatus};
use ledger_domain::transfer::PayoutNames;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use ledger_store::Idempotency;

use crate::Checked;
use crate::acquirer::{Fact, OutsideSale};
use crate::bank::PayoutResult;
use crate::delivery::{Delivery, Sender, Stage};
use crate::names;
use crate::world::{Call, World};

/// The sales of a run have lower numbers (`run::SALES_MAX`).
const FIRST_UNUSED_SALE: usize = 1_000;

impl World {
    pub fn new_sale(&mut self) {
        let business = self.some_business();
        let (number, has_terminal) = (self.sales.len(), self.rng.chance(40));
        let sale = OutsideSale::random(number, business, has_terminal, self.now, &mut self.rng);
        self.trace.line(self.now, || {
            format!(
                "outside: sale {number} of {}: {}",
                sale.facts.amount,
                sale.timeline_text()
            )
        });
        self.sales.push(sale);
    }

    /// Carries out the due calls that effects made, and sends notices of the facts that are new by now.
    pub fn advance_outside(&mut self) -> Checked {
        // The follower and the jobs of orders run in most steps. In the others they lag behind the log.
        if self.rng.chance(70) {
            self.advance_orders()?;
        }
        let (due, later) = std::mem::take(&mut self.calls)
            .into_iter()
            .partition(|(at, _)| *at <= self.now);
        self.calls = later;
        for (_, call) in due {
            self.call(call);
        }
        for sale in 0..self.sales.len() {
            for (at, fact) in self.sales[sale].facts_until(self.now) {
                self.report_sale(sale, at, &fact);
            }
        }
        Ok(())
    }

    /// The next instant at which something is due: a fact, a call of an effect or the deadline of an order.
    pub fn next_outside(&self) -> Option<Instant> {
        let timelines = self
            .sales
            .iter()
            .filter_map(|sale| sale.timeline.get(sale.reported));
        let facts = timelines.map(|(at, _)| *at);
        let calls = self.calls.iter().map(|(at, _)| *at);
        facts.chain(calls).chain(self.next_order_deadline()).min()
    }

    /// Carries out a call to the acquirer or the bank.
    fn call(&mut self, call: Call) {
        match call {
            Call::Refund(sale) => self.sales[sale].request_refund(self.now),
            Call::RefundPart(sale, refund, amount) => {
                let known_as = self.sales[sale].request_part(amount, self.now);
                let OutsideSale { business, facts, .. } = &self.sales[sale];
                let (business, sale_id) = (*business, facts.sale_id);
                let command = BusinessCommand::AnswerRefund(AnswerRefund {
                    sale_id,
                    refund,
                    known_as,
                    occurred_at: self.now,
                    names: PaymentNames::default(),
                });
                self.send_notice(Sender::Acquirer, business, business, command, self.now);
            }
            Call::Dispute(sale, id) => self.sales[sale].learn_of_dispute(id, self.now, &mut self.rng),
            Call::Payout(payout, transfer) => {
                for (at, result) in self.bank.order(payout, transfer, self.now, &mut self.rng) {
                    self.report_payout(payout, transfer, at, result);
                }
            }
        }
    }

    fn report_sale(&mut self, sale: usize, at: Instant, fact: &Fact) {
        let OutsideSale { business, facts, .. } = &self.sales[sale];
        let (business, has_terminal) = (*business, facts.terminal.is_some());
        let command = command_of_fact(&self.sales[sale], at, fact);
        // A notice that names a terminal may be sent to a business that does not own the terminal. That business must
        // not record it; the notice is then sent to the owner.
        let misrouted = has_terminal && self.rng.chance(25);
        let sent_to = if misrouted { self.some_business() } else { business };
        self.send_notice(Sender::Acquirer, business, sent_to, command, self.now);
    }

    fn report_payout(
        &mut self,
        payout_id: PayoutId,
        transfer_id: TransferId,
        at: Instant,
        result: PayoutResult,
    ) {
        let transfer = self.transfers.iter().find(|transfer| transfer.id == transfer_id);
        let Some(business) = transfer.map(|transfer| transfer.business) else {
            return;
        };
        let command = match result {
            PayoutResult::Paid => BusinessCommand::PayoutPaid(PayoutPaid {
                transfer_id,
                payout_id,
                occurred_at: at,
                names: PayoutNames::default(),
            }),
            PayoutResult::Failed => BusinessCommand::PayoutFailed(PayoutFailed {
                transfer_id,
                payout_id,
                reason: None,
                occurred_at: at,
                fee: ReturnedFee::Kept,
            }),
            PayoutResult::Returned => BusinessCommand::PayoutReturned(PayoutReturned {
                transfer_id,
                payout_id,
                reason: Some("closed".to_owned()),
                occurred_at: at,
                fee: self.fee_of_returned(),
                names: PayoutNames::default(),
            }),
        };
        self.send_notice(Sender::Bank, business, business, command, at);
    }

    /// The platform's setting changes at any time.
    pub fn fee_of_returned(&mut self) -> ReturnedFee {
        match self.rng.chance(50) {
            true => ReturnedFee::GivenBack,
            false => ReturnedFee::Kept,
        }
    }

    /// Sends a notice that contradicts a captured sale: another amount, a second payment, or a second loss of the
    /// money. It must never be recorded.
    pub fn contradict(&mut self) {
        let at = self.rng.below(self.sales.len());
        let sale = self.sales.get(at);
        let Some(sale) = sale.filter(|sale| self.watcher.is_captured(sale.facts.sale_id)) else {
            return;
        };
        let (business, now) = (sale.business, self.now);
        let command = if self.watcher.money_has_returned(sale.facts.sale_id) {
            let found = self.log.sale(sale.facts.sale_id).map(|found| found.state);
            let was_charged_back =
                found.is_some_and(|state| state.status == SaleStatus::ChargedBack && !state.rest_returned);
            // A refund contradicts only a chargeback of all that was left. After another reversal it is a duplicate, which is accepted. A
            // dispute that is lost under another id contradicts every reversal.
            let fact = if was_charged_back && self.rng.chance(50) {
                Fact::Refunded
            } else {
                Fact::Lost(DisputeId::parse("again").expect("a short name"))
            };
            command_of_fact(sale, now, &fact)
        } else {
            let mut facts = sale.facts.clone();
            if self.rng.chance(50) {
                facts.amount = Cents::new(facts.amount.get() + 1);
            } else {
                facts.external_id.push_str("-again");
            }
            BusinessCommand::CaptureSale(CaptureSale {
                sale: facts,
                occurred_at: now,
                context: SaleContext::unknown(business, now),
            })
        };
        self.send_notice(Sender::Acquirer, business, business, command, now);
        if let Some(reported) = self.deliveries.last_mut() {
            reported.contradicts_log = true;
        }
    }

    /// Sends a notice of a new sale under the idempotency key of a recorded notice. It must never be recorded. It
    /// contradicts the log only by its key, because the log has no event of its sale.
    pub fn reuse_notice(&mut self) {
        let is_recorded = |delivery: &&Delivery| {
            delivery.sender == Sender::Acquirer && delivery.key.is_some() && !delivery.recorded.is_empty()
        };
        let recorded: Vec<_> = self.deliveries.iter().filter(is_recorded).collect();
        if recorded.is_empty() {
            return;
        }
        let (business, used) = {
            let notice = recorded[self.rng.below(recorded.len())];
            (notice.business, notice.key)
        };
        let number = FIRST_UNUSED_SALE + self.deliveries.len();
        let sale = OutsideSale::random(number, business, false, self.now, &mut self.rng);
        let fact = [&Fact::Created, &Fact::Failed, &Fact::Captured][self.rng.below(3)];
        let command = command_of_fact(&sale, self.now, fact);
        self.send_notice(Sender::Acquirer, business, business, command, self.now);
        if let (Some(reused), Some(used)) = (self.deliveries.last_mut(), used) {
            let other = Idempotency::new("notice", &number.to_string(), b"another");
            reused.key = Some(Idempotency {
                key: used.key,
                ..other
            });
            reused.contradicts_log = true;
        }
    }

    fn send_notice(
        &mut self,
        sender: Sender,
        business: BusinessId,
        sent_to: BusinessId,
        command: BusinessCommand,
        from: Instant,
    ) {
        let delay = match self.rng.below(10) {
            0..5 => self.rng.between(0, 2),
            5..9 => self.rng.between(0, 600),
            _ => self.rng.between(0, 5 * 86_400),
        };
        let number = self.deliveries.len();
        let key = Idempotency::new("notice", &number.to_string(), b"notice");
        let delivery = Delivery {
            sender,
            business,
            sent_to,
            command,
            key: self.rng.chance(50).then_some(key),
            due_at: from + TimeDelta::seconds(delay),
            stage: Stage::Unanswered,
            repeats: self.rng.pick(&[0, 0, 1, 2]),
            will_be_retried: false,
            contradicts_log: false,
            recorded: vec![],
        };
        self.add(delivery);
    }
}

/// The command of a notice about a fact.
pub fn command_of_fact(sale: &OutsideSale, occurred_at: Instant, fact: &Fact) -> BusinessCommand {
    let facts = || sale.facts.clone();
    let sale_id = sale.facts.sale_id;
    let context = SaleContext::unknown(sale.business, occurred_at);
    match fact.clone() {
        Fact::Created => BusinessCommand::CreateSale(CreateSale {
            sale: facts(),
            occurred_at,
            context,
        }),
        Fact::Failed => BusinessCommand::FailSale(FailSale {
            sale: facts(),
            occurred_at,
            reason: None,
            context,
        }),
        Fact::Captured => BusinessCommand::CaptureSale(CaptureSale {
            sale: facts(),
            occurred_at,
            context,
        }),
        Fact::Canceled => BusinessCommand::VoidSale(VoidSale {
            names: PaymentNames::default(),
            sale_id,
            initiator: Initiator::Acquirer,
            occurred_at,
            reason: None,
        }),
        Fact::Refunded => BusinessCommand::RefundSale(RefundSale {
            sale_id,
            refunded: Refunded::Rest { refund: None },
            occurred_at,
            reason: None,
            // A cancel that a user made has no names until the acquirer reports it.
            names: names::payment(&format!("return-of-{}", sale.facts.external_id)),
        }),
        Fact::PartRefunded(id, amount) | Fact::RequestedPartRefunded(id, amount) => {
            let names = names::payment(id.as_str());
            BusinessCommand::RefundSale(RefundSale {
                sale_id,
                refunded: Refunded::Amount {
                    amount,
                    refund: Some(id),
                },
                occurred_at,
                reason: None,
                names,
            })
        }
        Fact::Reversed => BusinessCommand::ReverseSale(ReverseSale {
            names: PaymentNames::default(),
            sale_id,
            occurred_at,
            reason: None,
        }),
        Fact::Opened(dispute_id) => BusinessCommand::OpenDispute(OpenDispute {
            sale_id,
            dispute_id,
            amount: None,
            occurred_at,
            reason: None,
        }),
        Fact::Won(dispute_id) => BusinessCommand::WinDispute(WinDispute {
            sale_id,
            dispute_id,
            occurred_at,
        }),
        Fact::Lost(dispute_id) => BusinessCommand::LoseDispute(LoseDispute {
            sale_id,
            dispute_id,
            // Names what the refunds have left, so that it does not matter which is reported first.
            amount: (sale.refunded_in_parts() > 0)
                .then(|| Cents::new(sale.facts.amount.get() - sale.refunded_in_parts())),
            occurred_at,
            reason: None,
        }),
    }
}
