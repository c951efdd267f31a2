//! The story's sales by payment links. Each is the last attempt of an order. Some orders have an attempt before it: a
//! declined card, or a PIX code that the buyer canceled.

use chrono::{DateTime, Duration, Utc};
use gateway_acquirers::charge::{ChargeState, Decline};
use gateway_acquirers::registration::installation_order;
use gateway_platform::orders::{AttemptEnd, DeclineText, IDLE_LIFE, USE_HOLD, attempt_term};
use gateway_platform::providers::CanonicalSale;
use ledger_domain::calendar::Calendar;
use ledger_domain::sale::{PaymentType, Provider};

use super::rng::DemoRng;
use super::story::Story;
use super::trade::{Attempt, NoticeStep, Sale};

/// The company whose cards and PIX codes are charged by the sandbox's own API, under the name of Valori. Only this API
/// has 3-D Secure challenges. Its PIX codes can be paid for half an hour, those of Zoop for five minutes.
pub(super) const SANDBOX_API_COMPANY: &str = "eletronicos";

/// The acquirers that are asked for an attempt, in this order.
pub(super) fn route(company: &str, payment_type: PaymentType) -> Vec<Provider> {
    if company == SANDBOX_API_COMPANY && payment_type != PaymentType::Boleto {
        return vec![Provider::Valori];
    }
    let mut route = installation_order(payment_type);
    if payment_type.is_card() {
        // A card's token is of one acquirer.
        route.truncate(1);
    }
    route
}

/// The attempts of the order that a sale by link belongs to, in their order.
pub(super) fn attempts_of(sale: Sale) -> Vec<Sale> {
    let order = sale.name.clone();
    let earlier = earlier_attempt(&sale).map(|earlier| attempt(&order, earlier));
    earlier.into_iter().chain([attempt(&order, sale)]).collect()
}

fn earlier_attempt(sale: &Sale) -> Option<Sale> {
    let is_paid = sale.steps.iter().any(|(r#type, ..)| *r#type == "sale.captured");
    let mut rng = DemoRng::seeded_by(&format!("{}/earlier", sale.name));
    if !is_paid || !rng.with_probability(9) {
        return None;
    }
    let common = Sale {
        name: format!("{}-antes", sale.name),
        opened_at: sale.opened_at - Duration::minutes(rng.between(2, 6)),
        ..sale.clone()
    };
    let no_delay = Duration::zero();
    Some(if sale.facts.payment_type == PaymentType::Credit.as_str() {
        Sale {
            facts: CanonicalSale {
                card_last_four: Some(format!("{:04}", rng.below(10_000))),
                authorization_code: None,
                ..sale.facts.clone()
            },
            steps: vec![("sale.failed", no_delay, None)],
            ..common
        }
    } else {
        let given_up = Duration::seconds(rng.between(40, 110));
        Sale {
            facts: CanonicalSale {
                payment_type: PaymentType::Pix.as_str(),
                ..sale.facts.clone()
            },
            steps: vec![
                ("sale.created", no_delay, None),
                ("sale.canceled", given_up, None),
            ],
            ..common
        }
    })
}

/// Makes the sale an attempt: the platform creates it, and its acquirer answers later.
pub(super) fn attempt(order: &str, sale: Sale) -> Sale {
    let sale_id = Story::sale_id(&sale.name);
    let payment_type = sale.payment_type();
    let answered_after = Duration::seconds(DemoRng::seeded_by(&sale.name).between(2, 5));
    let mut steps = sale.steps.clone();
    let begins_created = steps.first().map(|(r#type, ..)| *r#type) == Some("sale.created");
    if !begins_created {
        for (_, after, _) in &mut steps {
            *after += answered_after;
        }
        steps.insert(0, ("sale.created", Duration::zero(), None));
    }
    for (r#type, after, reason) in &mut steps {
        match *r#type {
            "sale.failed" => *reason = Some(DeclineText::of(decline_of(&sale.name)).message),
            // The platform cancels an attempt without a reason, and a boleto when it expires.
            "sale.canceled" => {
                *reason = None;
                if payment_type == PaymentType::Boleto {
                    let (_, expires_at) = attempt_term(payment_type, sale.opened_at, &Calendar::default());
                    *after = expires_at - sale.opened_at;
                }
            }
            _ => {}
        }
    }
    steps.extend(late_payment(&sale.name, payment_type, &steps));
    Sale {
        provider: route(&sale.company, payment_type)[0],
        facts: CanonicalSale {
            sale_id: Some(sale_id.to_string()),
            external_id: sale_id.to_string(),
            ..sale.facts
        },
        steps,
        attempt: Some(Attempt {
            order: order.to_owned(),
            sale_id,
        }),
        ..sale
    }
}

/// Some PIX codes are paid after their order has expired. A code that was canceled within 20 minutes did not expire:
/// the buyer gave it up.
fn late_payment(name: &str, payment_type: PaymentType, steps: &[NoticeStep]) -> Option<NoticeStep> {
    let (last, after, _) = steps.last()?;
    let expired =
        payment_type == PaymentType::Pix && *last == "sale.canceled" && *after > Duration::minutes(20);
    let mut rng = DemoRng::seeded_by(&format!("{name}/late"));
    (expired && rng.with_probability(35)).then(|| {
        let late = Duration::minutes(rng.between(45, 600));
        ("sale.captured", *after + late, None)
    })
}

fn decline_of(name: &str) -> Decline {
    *DemoRng::seeded_by(&format!("{name}/decline")).one_of(&[
        Decline::InsufficientFunds,
        Decline::InsufficientFunds,
        Decline::SecurityCode,
        Decline::BlockedCard,
        Decline::Other,
    ])
}

/// An end of an attempt. An expired one may be paid later: then it ends twice.
pub(super) struct End {
    pub end: AttemptEnd,
    pub at: DateTime<Utc>,
}

impl Sale {
    pub fn payment_type(&self) -> PaymentType {
        PaymentType::parse(self.facts.payment_type).expect("a payment type of the story")
    }

    fn steps_until(&self, until: DateTime<Utc>) -> impl Iterator<Item = (&'static str, DateTime<Utc>)> {
        let steps = self.steps.iter();
        let steps = steps.map(|(r#type, after, _)| (*r#type, self.opened_at + *after));
        steps.filter(move |(_, at)| *at <= until)
    }

    /// The ends of the attempt by an instant.
    pub fn ends(&self, until: DateTime<Utc>) -> Vec<End> {
        let by_card = self.payment_type().is_card();
        let (_, expires_at) = attempt_term(self.payment_type(), self.opened_at, &Calendar::default());
        let ends = self.steps_until(until).filter_map(|(r#type, at)| {
            let end = match r#type {
                "sale.captured" => AttemptEnd::Paid,
                "sale.failed" => AttemptEnd::Declined,
                "sale.canceled" if !by_card && at >= expires_at => AttemptEnd::Expired,
                "sale.canceled" => AttemptEnd::Canceled,
                _ => return None,
            };
            Some(End { end, at })
        });
        ends.collect()
    }

    /// The charge's state at an instant, and since when.
    pub fn charge_state(&self, until: DateTime<Utc>) -> (ChargeState, DateTime<Utc>) {
        let begun = (ChargeState::Pending, self.opened_at);
        self.steps_until(until).fold(begun, |before, (r#type, at)| {
            let state = match r#type {
                "sale.captured" | "dispute.won" => ChargeState::Paid,
                "sale.failed" => ChargeState::Declined(decline_of(&self.name)),
                "sale.canceled" => ChargeState::Canceled,
                "sale.refunded" => ChargeState::Refunded,
                "sale.reversed" => ChargeState::Reversed,
                "dispute.opened" => ChargeState::Disputed,
                "dispute.lost" => ChargeState::ChargedBack,
                _ => return before,
            };
            (state, at)
        })
    }
}

/// An order of a link: its attempts, in their order.
pub(super) struct LinkOrder {
    pub name: String,
    pub attempts: Vec<Sale>,
}

impl LinkOrder {
    /// Groups attempts into orders. The attempts of one order must follow each other.
    pub fn of_attempts(attempts: impl Iterator<Item = Sale>) -> Vec<Self> {
        let mut orders: Vec<Self> = vec![];
        for sale in attempts {
            let Some(attempt) = &sale.attempt else { continue };
            match orders.last_mut().filter(|order| order.name == attempt.order) {
                Some(order) => order.attempts.push(sale),
                None => orders.push(Self {
                    name: attempt.order.clone(),
                    attempts: vec![sale],
                }),
            }
        }
        orders
    }

    /// Whether an attempt waits for its acquirer or its buyer.
    pub fn has_open_attempt(&self, until: DateTime<Utc>) -> bool {
        self.attempts.iter().any(|attempt| attempt.ends(until).is_empty())
    }

    /// When it ended unpaid, if it did by then. A late payment may follow.
    pub fn expired_at(&self, until: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let first = self.attempts.last()?.ends(until).into_iter().next()?;
        let at = first.at + IDLE_LIFE;
        (first.end != AttemptEnd::Paid && at <= until).then_some(at)
    }

    /// Whether it counts among the uses of its link.
    pub fn holds_use(&self, until: DateTime<Utc>) -> bool {
        let is_paid = |attempt: &Sale| attempt.ends(until).iter().any(|end| end.end == AttemptEnd::Paid);
        // An unpaid order gives its use back some time after its latest attempt.
        let holds_unpaid = |attempt: &Sale| attempt.opened_at + USE_HOLD > until;
        self.attempts.iter().any(is_paid)
            || self.expired_at(until).is_none() && self.attempts.last().is_some_and(holds_unpaid)
    }

    pub fn link_code(&self) -> &str {
        let code = self
            .attempts
            .first()
            .and_then(|sale| sale.facts.payment_link_code.as_deref());
        code.unwrap_or_default()
    }
}
