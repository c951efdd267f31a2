//! The simulated acquirer: it decides the true outcome of each sale and sends its notices at random times.
//!
//! Its decisions are consistent: the money of a sale leaves at most once. `notices` decides how late, how often and in
//! which order its notices arrive.

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::Cents;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, DisputeId, PaymentType, Provider, SaleFacts, SaleTerminal, Solution};

use crate::chance::Chance;
use crate::names;

#[derive(Debug, Clone)]
pub struct OutsideSale {
    pub business: BusinessId,
    pub facts: SaleFacts,
    /// Past and future facts, in order of time.
    pub story: Vec<(Instant, Fact)>,
    /// The number of facts that have happened.
    pub told: usize,
    disputes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    Created,
    Failed,
    Captured,
    /// Before the payment it voids the sale; after the payment the buyer gets the money back.
    Canceled,
    Refunded,
    Reversed,
    Opened(DisputeId),
    Won(DisputeId),
    Lost(DisputeId),
}

/// How a sale begins.
#[derive(Debug, Clone, Copy)]
enum Beginning {
    Captured,
    Created,
    FailedFirst,
    Failed,
    GivenUp,
    GivenUpTooEarly,
    GivenUpTwice,
    /// At the same instant, so that the order is unknown and staff must decide.
    AtOnce,
}

/// How a captured sale continues.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Stands,
    Canceled,
    Refunded,
    Reversed,
    Disputed,
    LostAtOnce,
}

impl OutsideSale {
    pub fn by_chance(
        number: usize,
        business: BusinessId,
        has_terminal: bool,
        now: Instant,
        chance: &mut Chance,
    ) -> Self {
        let payment_type = chance.pick(&[
            PaymentType::Credit,
            PaymentType::Credit,
            PaymentType::Credit,
            PaymentType::Debit,
            PaymentType::Boleto,
            PaymentType::Pix,
        ]);
        let installments = match payment_type {
            PaymentType::Credit => chance.pick(&[1, 1, 2, 3, 6, 12]),
            PaymentType::Debit | PaymentType::Boleto | PaymentType::Pix => 1,
        };
        let facts = SaleFacts {
            sale_id: names::sale(number),
            provider: Provider::Zoop,
            external_id: format!("ext-{number}"),
            solution: Solution::MachineCard,
            payment_type,
            card_brand: payment_type.is_card().then(|| {
                let brands = [CardBrand::Visa, CardBrand::Elo];
                brands[chance.below(2)].clone()
            }),
            installments,
            // Includes round amounts, because their fees are half a cent more often.
            amount: Cents::new(match chance.below(3) {
                0 => 500 * chance.between(1, 181),
                _ => chance.between(500, 90_000),
            }),
            terminal: has_terminal.then(|| SaleTerminal {
                id: names::terminal(number),
                serial_number: format!("S{number}"),
            }),
            // Every third sale, through one of two links.
            payment_link_code: number.is_multiple_of(3).then(|| format!("link-{}", number % 2)),
            card_last_four: None,
            authorization_code: None,
        };
        let mut sale = Self {
            business,
            facts,
            story: vec![],
            told: 0,
            disputes: 0,
        };
        sale.begin(now, chance);
        sale
    }

    fn begin(&mut self, now: Instant, chance: &mut Chance) {
        let beginning = chance.weighted(&[
            (40, Beginning::Captured),
            (20, Beginning::Created),
            (6, Beginning::FailedFirst),
            (4, Beginning::Failed),
            (6, Beginning::GivenUp),
            (5, Beginning::GivenUpTooEarly),
            (3, Beginning::GivenUpTwice),
            (2, Beginning::AtOnce),
        ]);
        let facts = match beginning {
            Beginning::Captured => vec![Fact::Captured],
            Beginning::Created => vec![Fact::Created, Fact::Captured],
            Beginning::FailedFirst => vec![Fact::Failed, Fact::Captured],
            Beginning::Failed => vec![Fact::Failed],
            Beginning::GivenUp => vec![Fact::Created, Fact::Canceled],
            Beginning::GivenUpTooEarly => vec![Fact::Created, Fact::Canceled, Fact::Captured],
            Beginning::GivenUpTwice => vec![Fact::Created, Fact::Canceled, Fact::Captured, Fact::Canceled],
            Beginning::AtOnce => vec![Fact::Created, Fact::Captured],
        };
        let captured = facts.last() == Some(&Fact::Captured);
        let mut at = now;
        for fact in facts {
            self.happens(at, fact);
            at += gap(chance);
        }
        if let (Beginning::AtOnce, Some((at, _))) = (beginning, self.story.last()) {
            self.story.push((*at, Fact::Canceled));
        } else if captured {
            self.end(at, chance);
        }
    }

    fn end(&mut self, mut at: Instant, chance: &mut Chance) {
        let ending = chance.weighted(&[
            (45, Ending::Stands),
            (6, Ending::Canceled),
            (9, Ending::Refunded),
            (6, Ending::Reversed),
            (28, Ending::Disputed),
            (6, Ending::LostAtOnce),
        ]);
        match ending {
            Ending::Stands => {}
            Ending::Canceled => self.happens(at, Fact::Canceled),
            Ending::Refunded => self.happens(at, Fact::Refunded),
            Ending::Reversed => self.happens(at, Fact::Reversed),
            Ending::LostAtOnce => {
                let id = self.new_dispute();
                self.happens(at, Fact::Lost(id));
            }
            Ending::Disputed => {
                for _ in 0..chance.between(1, 2) {
                    let id = self.new_dispute();
                    self.happens(at, Fact::Opened(id.clone()));
                    at += gap(chance);
                    let end = match chance.below(8) {
                        0..4 => Fact::Won(id),
                        4 | 5 => Fact::Lost(id),
                        6 => Fact::Refunded,
                        _ => return,
                    };
                    let won = matches!(end, Fact::Won(_));
                    self.happens(at, end);
                    if !won {
                        return;
                    }
                    at += gap(chance);
                }
            }
        }
    }

    fn happens(&mut self, at: Instant, fact: Fact) {
        self.story.push((at, fact));
    }

    fn new_dispute(&mut self) -> DisputeId {
        self.disputes += 1;
        let name = format!("D{}", self.disputes);
        DisputeId::parse(&name).expect("a short name")
    }

    /// The facts that have happened and are not reported yet.
    pub fn tell(&mut self, now: Instant) -> Vec<(Instant, Fact)> {
        let happened = self.story[self.told..]
            .iter()
            .take_while(|(at, _)| *at <= now)
            .cloned();
        let happened: Vec<_> = happened.collect();
        self.told += happened.len();
        happened
    }

    /// The platform requests a refund. Nothing happens to the sale after it. If the money already left, the refund is
    /// refused.
    pub fn asked_to_refund(&mut self, now: Instant) {
        if self.stands() {
            self.story.truncate(self.told);
            self.happens(now, Fact::Refunded);
        }
    }

    /// The acquirer learns of a dispute that a user opened. It ends the dispute under that id or under its own.
    pub fn heard_of_dispute(&mut self, ours: DisputeId, now: Instant, chance: &mut Chance) {
        if !self.stands() {
            return;
        }
        let mut after = now + gap(chance);
        let future = self.story.split_off(self.told);
        let known_as = if chance.percent(50) {
            let id = self.new_dispute();
            self.happens(after, Fact::Opened(id.clone()));
            after += gap(chance);
            id
        } else {
            ours.clone()
        };
        let stays_open = known_as != ours && chance.percent(15);
        match (stays_open, chance.percent(60)) {
            (true, _) => {}
            (false, true) => self.happens(after, Fact::Won(known_as)),
            // The money is gone, so the remaining facts do not happen.
            (false, false) => {
                self.happens(after, Fact::Lost(known_as));
                return;
            }
        }
        let later = after - now + TimeDelta::seconds(1);
        self.story
            .extend(future.into_iter().map(|(at, fact)| (at + later, fact)));
    }

    /// Captured so far, and the money has not left.
    fn stands(&self) -> bool {
        let so_far = &self.story[..self.told];
        self.captured_at()
            .is_some_and(|at| so_far.iter().any(|(then, _)| *then >= at))
            && self.money_left(so_far).is_none()
    }

    fn money_left<'a>(&self, story: &'a [(Instant, Fact)]) -> Option<&'a Fact> {
        let captured_at = self.captured_at()?;
        let leaves = |(at, fact): &&(Instant, Fact)| match fact {
            Fact::Canceled => *at > captured_at,
            Fact::Refunded | Fact::Reversed | Fact::Lost(_) => true,
            Fact::Created | Fact::Failed | Fact::Captured | Fact::Opened(_) | Fact::Won(_) => false,
        };
        story.iter().find(leaves).map(|(_, fact)| fact)
    }

    pub fn story_text(&self) -> String {
        let told = self
            .story
            .iter()
            .map(|(at, fact)| format!("{fact:?} {}", at.format("%d/%m %T")));
        told.collect::<Vec<_>>().join(", ")
    }

    // ------------------------------------------------------------ what the model asks

    pub fn captured_at(&self) -> Option<Instant> {
        self.story
            .iter()
            .find(|(_, fact)| *fact == Fact::Captured)
            .map(|(at, _)| *at)
    }

    pub fn created_at(&self) -> Option<Instant> {
        self.story
            .iter()
            .find(|(_, fact)| *fact == Fact::Created)
            .map(|(at, _)| *at)
    }

    /// The fact by which the money left, if it did.
    pub fn left_by(&self) -> Option<&Fact> {
        self.money_left(&self.story)
    }

    /// Whether it was ever disputed.
    pub fn was_disputed(&self) -> bool {
        self.story.iter().any(|(_, fact)| matches!(fact, Fact::Opened(_)))
    }

    /// Whether a dispute was opened and never ended.
    pub fn stays_disputed(&self) -> bool {
        let ended = |id: &DisputeId| {
            let ends = |fact: &Fact| matches!(fact, Fact::Won(other) | Fact::Lost(other) if other == id);
            self.story.iter().any(|(_, fact)| ends(fact))
        };
        self.story
            .iter()
            .any(|(_, fact)| matches!(fact, Fact::Opened(id) if !ended(id)))
    }

    /// Captured and voided at the same instant.
    pub fn is_contradiction(&self) -> bool {
        self.captured_at()
            .is_some_and(|captured_at| self.story.contains(&(captured_at, Fact::Canceled)))
    }
}

/// Seconds, or days.
fn gap(chance: &mut Chance) -> TimeDelta {
    if chance.percent(60) {
        TimeDelta::seconds(chance.between(1, 600))
    } else {
        TimeDelta::seconds(chance.between(600, 20 * 86_400))
    }
}
