//! The simulated acquirer: it decides what happens to each sale, and when.
//!
//! Its decisions are consistent: the money of a sale leaves at most once. `notices` decides how late, how often and in
//! which order the platform hears of them.

use chrono::TimeDelta;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{
    CardBrand, DisputeId, PaymentType, Provider, RefundReference, SaleFacts, SaleTerminal, Solution,
};
use ledger_domain::{BusinessId, Cents};

use crate::names;
use crate::rng::SimRng;

/// A sale as it is outside of the platform.
#[derive(Debug, Clone)]
pub struct OutsideSale {
    pub business: BusinessId,
    pub facts: SaleFacts,
    /// Past and future facts, in order of time.
    pub timeline: Vec<(Instant, Fact)>,
    /// The number of facts that have happened and are reported.
    pub reported: usize,
    /// The number of dispute ids that the acquirer gave.
    disputes: usize,
    /// The number of parts that the platform had refunded.
    parts: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    Created,
    Failed,
    Captured,
    /// Before the payment it voids the sale; after the payment the buyer gets the money back.
    Canceled,
    Refunded,
    /// The buyer gets a part of the money back, under an id of the acquirer.
    PartRefunded(RefundReference, Cents),
    /// The same, at the platform's request.
    RequestedPartRefunded(RefundReference, Cents),
    Reversed,
    Opened(DisputeId),
    Won(DisputeId),
    /// The seller lost the dispute: a chargeback.
    Lost(DisputeId),
}

/// How a sale begins.
#[derive(Debug, Clone, Copy)]
enum Beginning {
    Captured,
    Created,
    /// The first charge fails, and a later one is captured.
    FailedFirst,
    Failed,
    Voided,
    /// Voided, and captured all the same.
    VoidedTooEarly,
    VoidedTwice,
    /// Voided at the instant of its capture, so that the order is unknown and staff must decide.
    VoidedAtCapture,
}

/// How a captured sale continues.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Kept,
    Canceled,
    Refunded,
    Reversed,
    Disputed,
    /// A dispute of which only the loss is reported.
    LostWithoutOpening,
}

impl OutsideSale {
    pub fn random(
        number: usize,
        business: BusinessId,
        has_terminal: bool,
        now: Instant,
        rng: &mut SimRng,
    ) -> Self {
        let payment_type = rng.pick(&[
            PaymentType::Credit,
            PaymentType::Credit,
            PaymentType::Credit,
            PaymentType::Debit,
            PaymentType::Boleto,
            PaymentType::Pix,
        ]);
        let installments = match payment_type {
            PaymentType::Credit => rng.pick(&[1, 1, 2, 3, 6, 12]),
            PaymentType::Debit | PaymentType::Boleto | PaymentType::Pix => 1,
        };
        let facts = SaleFacts {
            sale_id: names::sale(number),
            provider: Provider::Zoop,
            external_id: format!("ext-{number}"),
            solution: Solution::CardMachine,
            payment_type,
            card_brand: payment_type.is_card().then(|| {
                let brands = [CardBrand::Visa, CardBrand::Elo];
                brands[rng.below(2)].clone()
            }),
            installments,
            // Includes round amounts, because their fees end in half a cent more often.
            amount: Cents::new(match rng.below(3) {
                0 => 500 * rng.between(1, 181),
                _ => rng.between(500, 90_000),
            }),
            terminal: has_terminal.then(|| SaleTerminal {
                id: names::terminal(number),
                serial_number: format!("S{number}"),
            }),
            // Every third sale is made through one of two links.
            payment_link_code: number.is_multiple_of(3).then(|| format!("link-{}", number % 2)),
            card_last_four: None,
            authorization_code: None,
            names: names::payment(&format!("{number}")),
        };
        let mut sale = Self {
            business,
            facts,
            timeline: vec![],
            reported: 0,
            disputes: 0,
            parts: 0,
        };
        sale.begin(now, rng);
        sale
    }

    /// The sale of an attempt of an order. The platform creates it, so the acquirer does not report its creation, and
    /// nothing happens before it is charged.
    pub fn of_attempt(
        number: usize,
        business: BusinessId,
        order: usize,
        now: Instant,
        rng: &mut SimRng,
    ) -> Self {
        let mut sale = Self::random(number, business, false, now, rng);
        let facts = &mut sale.facts;
        if facts.payment_type == PaymentType::Debit {
            facts.payment_type = PaymentType::Credit;
        }
        // The platform's id, because the acquirer's id is not known before the charge.
        facts.external_id = facts.sale_id.to_string();
        facts.payment_link_code = Some(format!("link-{}", order % 2));
        (sale.timeline, sale.disputes, sale.reported) = (vec![(now, Fact::Created)], 0, 1);
        sale
    }

    /// The platform has an attempt charged. `life` is how long the attempt can be paid.
    pub fn charge(&mut self, now: Instant, life: TimeDelta, rng: &mut SimRng) {
        let soon = now + TimeDelta::seconds(rng.between(1, life.num_seconds() * 2));
        match (self.facts.payment_type.is_card(), rng.below(10)) {
            (true, 0..4) => self.record_fact(now + TimeDelta::seconds(1), Fact::Failed),
            (true, 4..9) => self.pay(now + TimeDelta::seconds(1), rng),
            // The buyer pays the code, perhaps after the attempt has expired.
            (false, 0..6) => self.pay(soon, rng),
            // The attempt is never paid, and the acquirer reports nothing.
            _ => {}
        }
    }

    pub fn fail(&mut self, now: Instant) {
        self.record_fact(now, Fact::Failed);
    }

    /// The platform cancels a charge. A paid charge stays paid, and some canceled charges are paid later.
    pub fn cancel_charge(&mut self, now: Instant, rng: &mut SimRng) {
        let happened = self.timeline.iter().take_while(|(at, _)| *at <= now).count();
        self.timeline.truncate(happened);
        if self.timeline.iter().any(|(_, fact)| *fact != Fact::Created) {
            return;
        }
        self.record_fact(now, Fact::Canceled);
        if rng.chance(60) {
            self.pay(now + gap(rng), rng);
        }
    }

    fn pay(&mut self, at: Instant, rng: &mut SimRng) {
        self.record_fact(at, Fact::Captured);
        self.end(at + gap(rng), rng);
    }

    pub fn was_canceled_before_payment(&self) -> bool {
        let canceled = self.timeline.iter().position(|(_, fact)| *fact == Fact::Canceled);
        let paid = self.timeline.iter().position(|(_, fact)| *fact == Fact::Captured);
        canceled.zip(paid).is_some_and(|(canceled, paid)| canceled < paid)
    }

    fn begin(&mut self, now: Instant, rng: &mut SimRng) {
        let beginning = rng.weighted(&[
            (40, Beginning::Captured),
            (20, Beginning::Created),
            (6, Beginning::FailedFirst),
            (4, Beginning::Failed),
            (6, Beginning::Voided),
            (5, Beginning::VoidedTooEarly),
            (3, Beginning::VoidedTwice),
            (2, Beginning::VoidedAtCapture),
        ]);
        let facts = match beginning {
            Beginning::Captured => vec![Fact::Captured],
            Beginning::Created => vec![Fact::Created, Fact::Captured],
            Beginning::FailedFirst => vec![Fact::Failed, Fact::Captured],
            Beginning::Failed => vec![Fact::Failed],
            Beginning::Voided => vec![Fact::Created, Fact::Canceled],
            Beginning::VoidedTooEarly => vec![Fact::Created, Fact::Canceled, Fact::Captured],
            Beginning::VoidedTwice => vec![Fact::Created, Fact::Canceled, Fact::Captured, Fact::Canceled],
            Beginning::VoidedAtCapture => vec![Fact::Created, Fact::Captured],
        };
        let captured = facts.last() == Some(&Fact::Captured);
        let mut at = now;
        for fact in facts {
            self.record_fact(at, fact);
            at += gap(rng);
        }
        if let (Beginning::VoidedAtCapture, Some((at, _))) = (beginning, self.timeline.last()) {
            self.timeline.push((*at, Fact::Canceled));
        } else if captured {
            self.end(at, rng);
        }
    }

    fn end(&mut self, mut at: Instant, rng: &mut SimRng) {
        let has_parts = rng.chance(20);
        if has_parts {
            at = self.refund_parts(at, rng);
        }
        let ending = rng.weighted(&[
            (45, Ending::Kept),
            (6, Ending::Canceled),
            (9, Ending::Refunded),
            (6, Ending::Reversed),
            (28, Ending::Disputed),
            (6, Ending::LostWithoutOpening),
        ]);
        match ending {
            Ending::Kept => {}
            // A dispute that is reported before an earlier part takes other installments than one after it, so the
            // model could not tell when the rest is paid.
            Ending::Disputed if has_parts => {}
            Ending::Canceled => self.record_fact(at, Fact::Canceled),
            Ending::Refunded => self.record_fact(at, Fact::Refunded),
            Ending::Reversed => self.record_fact(at, Fact::Reversed),
            Ending::LostWithoutOpening => {
                let id = self.new_dispute();
                self.record_fact(at, Fact::Lost(id));
            }
            Ending::Disputed => {
                for _ in 0..rng.between(1, 2) {
                    let id = self.new_dispute();
                    self.record_fact(at, Fact::Opened(id.clone()));
                    at += gap(rng);
                    let end = match rng.below(8) {
                        0..4 => Fact::Won(id),
                        4 | 5 => Fact::Lost(id),
                        6 => Fact::Refunded,
                        _ => return,
                    };
                    let won = matches!(end, Fact::Won(_));
                    self.record_fact(at, end);
                    if !won {
                        return;
                    }
                    at += gap(rng);
                }
            }
        }
    }

    /// One or two refunds of less than a third of the sale.
    fn refund_parts(&mut self, mut at: Instant, rng: &mut SimRng) -> Instant {
        for number in 1..=rng.between(1, 2) {
            let amount = Cents::new(rng.between(1, self.facts.amount.get() / 3));
            let id = RefundReference::parse(&format!("R{number}")).expect("a short name");
            self.record_fact(at, Fact::PartRefunded(id, amount));
            at += gap(rng);
        }
        at
    }

    /// The sum of the refunds of a part.
    pub fn refunded_in_parts(&self) -> i64 {
        let part = |fact: &Fact| match fact {
            Fact::PartRefunded(_, amount) => amount.get(),
            _ => 0,
        };
        self.timeline.iter().map(|(_, fact)| part(fact)).sum()
    }

    fn record_fact(&mut self, at: Instant, fact: Fact) {
        self.timeline.push((at, fact));
    }

    fn new_dispute(&mut self) -> DisputeId {
        self.disputes += 1;
        let name = format!("D{}", self.disputes);
        DisputeId::parse(&name).expect("a short name")
    }

    /// Returns the facts that have happened since the last call, which are reported now.
    pub fn facts_until(&mut self, now: Instant) -> Vec<(Instant, Fact)> {
        let happened = self.timeline[self.reported..]
            .iter()
            .take_while(|(at, _)| *at <= now)
            .cloned();
        let happened: Vec<_> = happened.collect();
        self.reported += happened.len();
        happened
    }

    /// The platform requests a refund. It replaces everything that would have happened to the sale. If the money
    /// already left, nothing changes.
    pub fn request_refund(&mut self, now: Instant) {
        if self.holds_payment() {
            self.timeline.truncate(self.reported);
            self.record_fact(now, Fact::Refunded);
        }
    }

    /// The platform requests the refund of a part. Returns the acquirer's id; `None` if the money already left.
    pub fn request_part(&mut self, amount: Cents, now: Instant) -> Option<RefundReference> {
        if !self.holds_payment() {
            return None;
        }
        self.parts += 1;
        let id = RefundReference::parse(&format!("A{}", self.parts)).expect("a short name");
        let at = self.timeline[..self.reported]
            .last()
            .map_or(now, |(at, _)| now.max(*at));
        self.timeline.insert(
            self.reported,
            (at, Fact::RequestedPartRefunded(id.clone(), amount)),
        );
        Some(id)
    }

    /// Whether nothing but a user's request ever takes the money back, as far as the acquirer knows.
    pub fn stays_with_seller(&self) -> bool {
        self.captured_at().is_some()
            && self.left_by().is_none()
            && !self.was_disputed()
            && !self.is_contradiction()
            && self.refunded_in_parts() == 0
    }

    /// The acquirer learns of a dispute that a user opened under the id `ours`. It ends the dispute under `ours`, or
    /// first opens it under its own id and may leave it open. Later facts are postponed; a loss removes them.
    pub fn learn_of_dispute(&mut self, ours: DisputeId, now: Instant, rng: &mut SimRng) {
        if !self.holds_payment() {
            return;
        }
        let mut after = now + gap(rng);
        let future = self.timeline.split_off(self.reported);
        let known_as = if rng.chance(50) {
            let id = self.new_dispute();
            self.record_fact(after, Fact::Opened(id.clone()));
            after += gap(rng);
            id
        } else {
            ours.clone()
        };
        // The platform disputes all that its log leaves. A part that went back before and is not reported yet is recorded
        // once the dispute is won; after a loss of another amount, staff decide.
        let part_may_wait = self.refunded_in_parts() > 0;
        let stays_open = known_as != ours && rng.chance(15) && !part_may_wait;
        match (stays_open, rng.chance(60) || part_may_wait) {
            (true, _) => {}
            (false, true) => self.record_fact(after, Fact::Won(known_as)),
            // The money is gone, so the remaining facts do not happen.
            (false, false) => {
                self.record_fact(after, Fact::Lost(known_as));
                return;
            }
        }
        let delay = after - now + TimeDelta::seconds(1);
        self.timeline
            .extend(future.into_iter().map(|(at, fact)| (at + delay, fact)));
    }

    /// Whether the sale is captured by now and its money has not left.
    fn holds_payment(&self) -> bool {
        let so_far = &self.timeline[..self.reported];
        self.captured_at()
            .is_some_and(|at| so_far.iter().any(|(then, _)| *then >= at))
            && self.money_left(so_far).is_none()
    }

    fn money_left<'a>(&self, timeline: &'a [(Instant, Fact)]) -> Option<&'a Fact> {
        let captured_at = self.captured_at()?;
        let leaves = |(at, fact): &&(Instant, Fact)| match fact {
            Fact::Canceled => *at > captured_at,
            Fact::Refunded | Fact::Reversed | Fact::Lost(_) => true,
            Fact::Created
            | Fact::Failed
            | Fact::Captured
            | Fact::PartRefunded(..)
            | Fact::RequestedPartRefunded(..)
            | Fact::Opened(_)
            | Fact::Won(_) => false,
        };
        timeline.iter().find(leaves).map(|(_, fact)| fact)
    }

    pub fn timeline_text(&self) -> String {
        let facts = self
            .timeline
            .iter()
            .map(|(at, fact)| format!("{fact:?} {}", at.format("%d/%m %T")));
        facts.collect::<Vec<_>>().join(", ")
    }

    pub fn captured_at(&self) -> Option<Instant> {
        self.timeline
            .iter()
            .find(|(_, fact)| *fact == Fact::Captured)
            .map(|(at, _)| *at)
    }

    pub fn created_at(&self) -> Option<Instant> {
        self.timeline
            .iter()
            .find(|(_, fact)| *fact == Fact::Created)
            .map(|(at, _)| *at)
    }

    /// The fact by which the money left, if it did.
    pub fn left_by(&self) -> Option<&Fact> {
        self.money_left(&self.timeline)
    }

    /// Whether the acquirer ever opened a dispute.
    pub fn was_disputed(&self) -> bool {
        self.timeline
            .iter()
            .any(|(_, fact)| matches!(fact, Fact::Opened(_)))
    }

    /// Whether a dispute was opened and neither won nor lost.
    pub fn stays_disputed(&self) -> bool {
        let ended = |id: &DisputeId| {
            let ends = |fact: &Fact| matches!(fact, Fact::Won(other) | Fact::Lost(other) if other == id);
            self.timeline.iter().any(|(_, fact)| ends(fact))
        };
        self.timeline
            .iter()
            .any(|(_, fact)| matches!(fact, Fact::Opened(id) if !ended(id)))
    }

    /// Whether the sale was captured and voided at the same instant. Then the order of both is unknown.
    pub fn is_contradiction(&self) -> bool {
        self.captured_at()
            .is_some_and(|captured_at| self.timeline.contains(&(captured_at, Fact::Canceled)))
    }
}

/// The random time between two facts of a sale: up to ten minutes, or up to 20 days.
fn gap(rng: &mut SimRng) -> TimeDelta {
    if rng.chance(60) {
        TimeDelta::seconds(rng.between(1, 600))
    } else {
        TimeDelta::seconds(rng.between(600, 20 * 86_400))
    }
}
