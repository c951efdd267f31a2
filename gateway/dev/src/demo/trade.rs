//! The sales of the story's companies and their later steps: notices for about ninety days up to an instant.
//!
//! Each sale depends only on its company, day and number, so that a later instant gives the same past and more.

use chrono::{DateTime, Datelike, Duration, Utc};
use gateway_acquirers::names::ReportedNames;
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, CanonicalSaleReference};
use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, start_of};
use ledger_domain::sale::{PaymentType, Provider, Solution};

use super::link_sales::{self, LinkOrder};
use super::reversals;
use super::rng::DemoRng;
use super::sale_facts::{amount, card, installments, second_of_day, steps, with_company};
use super::story::{Company, Story, WeightedPayment};
use crate::sandbox::names;

/// The first sales are from so many days before today.
pub const DAYS: i64 = 90;

/// A notice and its sender.
#[derive(Debug, Clone)]
pub struct DemoNotice {
    pub provider: Provider,
    /// The key of the seller's company.
    pub company: String,
    pub content: CanonicalNotice,
    /// Set if the sale is an attempt of an order of a payment link.
    pub attempt: Option<Attempt>,
}

/// An attempt of an order: its sale, and the order's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub order: String,
    pub sale_id: SaleId,
}

impl DemoNotice {
    /// The attempt whose sale begins with this notice. Acquirers send no such notice: the platform itself creates the
    /// sale, before it asks the acquirer.
    pub fn creates(&self) -> Option<&Attempt> {
        self.attempt
            .as_ref()
            .filter(|_| self.content.r#type == "sale.created")
    }

    /// The notice's canonical body. An acquirer's notice about an attempt has the facts of the sale only if it reports
    /// the payment or the decline.
    pub fn to_json(&self) -> String {
        let CanonicalNotice { r#type, data, .. } = &self.content;
        if self.attempt.is_none() || matches!(*r#type, "sale.captured" | "sale.failed") {
            return self.content.to_json();
        }
        let reversal = CanonicalSaleReference {
            business_id: data.business_id.clone(),
            external_id: data.external_id.clone(),
            sale_id: data.sale_id.clone(),
            amount: None,
            reason: data.reason.clone(),
            dispute_id: data.dispute_id.clone(),
            refund_id: None,
            names: if *r#type == "sale.refunded" {
                data.names.clone()
            } else {
                ReportedNames::default()
            },
        };
        let notice = CanonicalNotice {
            id: self.content.id.clone(),
            r#type,
            occurred_at: self.content.occurred_at,
            data: reversal,
        };
        notice.to_json()
    }
}

/// The notices until `now` of the sales of the last ninety days and of today, in order of occurrence.
pub fn notices_until(story: &Story, today: Date, now: DateTime<Utc>) -> Vec<DemoNotice> {
    let days = (0..=DAYS).rev().map(|days_ago| today - Duration::days(days_ago));
    let sales: Vec<_> = days.flat_map(|day| day_of(story, day)).collect();
    notices_of(sales.iter(), now)
}

/// The orders of payment links that were placed by `now`, the oldest first.
pub(super) fn orders_until(story: &Story, today: Date, now: DateTime<Utc>) -> Vec<LinkOrder> {
    let days = (0..=DAYS).rev().map(|days_ago| today - Duration::days(days_ago));
    let sales = days.flat_map(|day| day_of(story, day));
    LinkOrder::of_attempts(sales.filter(|sale| sale.attempt.is_some() && sale.opened_at <= now))
}

/// The notices of sales until `now`, in order of occurrence.
pub(super) fn notices_of<'a>(sales: impl Iterator<Item = &'a Sale>, now: DateTime<Utc>) -> Vec<DemoNotice> {
    let notices = sales.flat_map(Sale::notices);
    let mut notices: Vec<_> = notices
        .filter(|notice| notice.content.occurred_at <= now)
        .collect();
    notices
        .sort_by(|a, b| (a.content.occurred_at, &a.content.id).cmp(&(b.content.occurred_at, &b.content.id)));
    notices
}

/// A capture by an unregistered card machine.
pub fn unregistered_machine(until: DateTime<Utc>) -> DemoNotice {
    let external_id = "maquininha-sem-cadastro-001".to_owned();
    DemoNotice {
        provider: Provider::Zoop,
        company: String::new(),
        attempt: None,
        content: CanonicalNotice {
            id: format!("{external_id}-0"),
            r#type: "sale.captured",
            occurred_at: until - Duration::minutes(140),
            data: CanonicalSale {
                solution: Solution::CardMachine.number(),
                payment_type: PaymentType::Debit.as_str(),
                installments: 1,
                amount: 86_50,
                card_brand: Some("visa".to_owned()),
                card_last_four: Some("7310".to_owned()),
                authorization_code: Some("904417".to_owned()),
                terminal_serial: Some("PDV0099001".to_owned()),
                external_id,
                ..CanonicalSale::default()
            },
        },
    }
}

/// A sale of the story: the seller, the sale and its steps.
#[derive(Debug, Clone)]
pub(super) struct Sale {
    /// Seeds everything that is drawn about it.
    pub name: String,
    pub company: String,
    pub provider: Provider,
    pub facts: CanonicalSale,
    pub opened_at: DateTime<Utc>,
    pub steps: Vec<NoticeStep>,
    pub attempt: Option<Attempt>,
}

/// The sales of all companies on a day. Each day starts with another company, because the first small sale of the day
/// is reversed.
pub(super) fn day_of(story: &Story, day: Date) -> Vec<Sale> {
    let count = story.companies.len().max(1);
    let first = usize::try_from(day.num_days_from_ce()).unwrap_or(0) % count;
    let companies = story.companies.iter().cycle().skip(first).take(count);
    let mut sales: Vec<_> = companies.flat_map(|company| sales_of(company, day)).collect();
    reversals::add_daily_reversal(day, &mut sales);
    sales
}

fn sales_of(company: &Company, day: Date) -> Vec<Sale> {
    let mut rng = DemoRng::seeded_by(&format!("{}/{day}", company.key));
    let weekday = usize::try_from(day.weekday().num_days_from_sunday()).unwrap_or(0);
    let mean = company.trade.sales_a_day * company.trade.week[weekday];
    // The number of sales varies by a fifth either way.
    let count = mean * rng.between(80, 120) / 10_000;
    let name = |number: i64| format!("{}-{}-{number:03}", company.key, day.format("%Y%m%d"));
    let mix = &company.trade.mix;
    let mut sales: Vec<_> = (0..count.max(1))
        .map(|number| sale(company, day, mix, &name(number)))
        .collect();
    // Drawn after the number of the other sales, so that it does not change that number.
    let some = company
        .trade
        .some_by_link
        .iter()
        .filter(|_| rng.with_probability(60));
    sales.extend(some.map(|mix| sale(company, day, mix, &name(count.max(1)))));
    let attempts = |sale: Sale| {
        if sale.facts.payment_link_code.is_some() {
            link_sales::attempts_of(sale)
        } else {
            vec![sale]
        }
    };
    sales.into_iter().flat_map(attempts).collect()
}

fn sale(company: &Company, day: Date, mix: &[WeightedPayment], external_id: &str) -> Sale {
    let mut rng = DemoRng::seeded_by(external_id);
    let payment = rng.weighted(mix, |payment| payment.weight);
    let opened_at = start_of(day) + Duration::seconds(second_of_day(company, &mut rng));
    let amount = amount(company, &mut rng);
    let facts = CanonicalSale {
        solution: payment.solution.number(),
        payment_type: payment.payment_type.as_str(),
        installments: installments(payment, amount, &mut rng),
        amount,
        payment_link_code: (payment.solution == Solution::PaymentLink)
            .then(|| rng.one_of(&company.links).clone()),
        external_id: external_id.to_owned(),
        ..with_company(company, payment, card(payment, &mut rng), &mut rng)
    };
    let mut steps = steps(payment.payment_type, &mut rng);
    steps.extend(reversals::later_steps(external_id, amount, &steps));
    Sale {
        name: external_id.to_owned(),
        company: company.key.clone(),
        provider: company.provider,
        facts,
        opened_at,
        steps,
        attempt: None,
    }
}

impl Sale {
    pub fn notices(&self) -> Vec<DemoNotice> {
        (0..)
            .zip(&self.steps)
            .map(|(index, step)| self.notice(index, *step))
            .collect()
    }

    fn notice(&self, index: usize, (r#type, after, reason): NoticeStep) -> DemoNotice {
        let external_id = &self.facts.external_id;
        let dispute_id = format!("{external_id}-contestacao");
        let id = match (&self.attempt, r#type) {
            (Some(attempt), "sale.captured") => format!("lookup-{}-paid", attempt.sale_id),
            (Some(attempt), "sale.failed") => format!("lookup-{}-declined", attempt.sale_id),
            (Some(attempt), "sale.canceled") => format!("lookup-{}-canceled", attempt.sale_id),
            _ => format!("{external_id}-{index}"),
        };
        let is_part = reason == Some(reversals::PART_RETURNED);
        DemoNotice {
            provider: self.provider,
            company: self.company.clone(),
            attempt: self.attempt.clone(),
            content: CanonicalNotice {
                id,
                r#type,
                occurred_at: self.opened_at + after,
                data: CanonicalSale {
                    reason: reason.map(str::to_owned),
                    amount: if is_part {
                        (self.facts.amount / 3).max(1)
                    } else {
                        self.facts.amount
                    },
                    refund_id: is_part.then(|| format!("{external_id}-item")),
                    dispute_id: r#type.starts_with("dispute.").then_some(dispute_id),
                    names: self.names(r#type, self.opened_at + after),
                    ..self.facts.clone()
                },
            },
        }
    }
}

impl Sale {
    /// What the acquirer names in a notice: of a refund, its own names. An attempt's charge has an id of its own.
    pub fn names(&self, notice_type: &str, at: DateTime<Utc>) -> ReportedNames {
        let Ok(payment_type) = PaymentType::parse(self.facts.payment_type) else {
            return ReportedNames::default();
        };
        let charge_id = self
            .attempt
            .as_ref()
            .map(|_| Story::charge_id(&self.name).simple().to_string());
        let seed = charge_id.as_deref().unwrap_or(&self.facts.external_id);
        match notice_type {
            "sale.created" => names::of_charge(payment_type, seed),
            "sale.captured" => ReportedNames {
                acquirer_id: charge_id.clone(),
                ..names::of_payment(payment_type, self.facts.terminal_serial.is_none(), seed, at)
            },
            "sale.refunded" | "sale.canceled" | "sale.reversed" => names::of_return(payment_type, seed, at),
            _ => ReportedNames::default(),
        }
    }
}

/// A notice's type, its time after the sale's creation, and the provider's reason.
pub(super) type NoticeStep = (&'static str, Duration, Option<&'static str>);

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn all(today: &str, hours: i64) -> Vec<DemoNotice> {
        let today = day(today);
        notices_until(&Story::read(), today, start_of(today) + Duration::hours(hours))
    }

    fn text(notices: &[DemoNotice]) -> Vec<String> {
        notices.iter().map(|notice| notice.content.to_json()).collect()
    }

    /// Counts the notices of the sales of these days, by type and day of the sale.
    fn notices_by_day(first: &str, days: i64) -> BTreeMap<(&'static str, Date), usize> {
        let (story, mut counts) = (Story::read(), BTreeMap::new());
        for number in 0..days {
            let sold_on = day(first) + Duration::days(number);
            for notice in day_of(&story, sold_on).iter().flat_map(Sale::notices) {
                *counts.entry((notice.content.r#type, sold_on)).or_default() += 1;
            }
        }
        counts
    }

    #[test]
    fn each_outcome_comes_every_third_day_for_years() {
        let days = 4 * 366;
        let counts = notices_by_day("2026-01-01", days);
        for number in 0..days {
            let sold_on = day("2026-01-01") + Duration::days(number);
            let outcome = match sold_on.num_days_from_ce() % 3 {
                0 => "dispute.opened",
                1 => "sale.refunded",
                _ => "sale.reversed",
            };
            assert!(counts.contains_key(&(outcome, sold_on)), "{outcome} of {sold_on}");
        }
    }

    #[test]
    fn at_every_hour_three_disputes_are_open() {
        let (story, first) = (Story::read(), day("2027-10-01"));
        let mut open = vec![];
        for number in 0..200 {
            for sale in day_of(&story, first + Duration::days(number)) {
                let at = |kind: &str| {
                    let step = sale.steps.iter().find(|(r#type, ..)| r#type.starts_with(kind));
                    step.map(|(_, after, _)| sale.opened_at + *after)
                };
                let ended = at("dispute.won").or(at("dispute.lost"));
                open.extend(at("dispute.opened").zip(ended));
            }
        }
        for hour in 24 * 40..24 * 190 {
            let now = start_of(first) + Duration::hours(hour);
            let count = open
                .iter()
                .filter(|(from, to)| (*from..*to).contains(&now))
                .count();
            assert!(count >= 3, "{count} disputes are open at {now}");
        }
    }

    #[test]
    fn the_same_day_gives_the_same_story() {
        assert_eq!(text(&all("2026-11-21", 15)), text(&all("2026-11-21", 15)));
    }

    #[test]
    fn later_on_the_same_day_the_story_has_the_same_past_and_more() {
        let morning = text(&all("2026-11-21", 10));
        let evening = text(&all("2026-11-21", 20));
        assert!(evening.len() > morning.len());
        assert_eq!(evening[..morning.len()], morning);
    }

    #[test]
    fn the_story_has_every_kind_of_sale_in_a_size_that_loads_quickly() {
        let notices = all("2026-11-21", 24);
        let sales: BTreeSet<_> = notices
            .iter()
            .map(|notice| &notice.content.data.external_id)
            .collect();
        assert!((6_000..10_000).contains(&sales.len()), "{}", sales.len());
        let kinds: BTreeSet<_> = notices
            .iter()
            .map(|notice| (notice.content.data.payment_type, notice.content.r#type))
            .collect();
        for payment_type in ["credit", "debit"] {
            for r#type in ["sale.created", "sale.captured", "sale.failed", "sale.canceled"] {
                assert!(
                    kinds.contains(&(payment_type, r#type)),
                    "{payment_type} {}",
                    r#type
                );
            }
        }
        for payment_type in ["pix", "boleto"] {
            for r#type in ["sale.created", "sale.captured", "sale.canceled"] {
                assert!(
                    kinds.contains(&(payment_type, r#type)),
                    "{payment_type} {}",
                    r#type
                );
            }
        }
        for r#type in [
            "sale.refunded",
            "sale.reversed",
            "dispute.opened",
            "dispute.won",
            "dispute.lost",
        ] {
            let count = notices
                .iter()
                .filter(|notice| notice.content.r#type == r#type)
                .count();
            assert!((3..100).contains(&count), "{count} {type}");
        }
        let installments: BTreeSet<_> = notices
            .iter()
            .map(|notice| notice.content.data.installments)
            .collect();
        assert_eq!(installments, (1..=12).collect());
        let solutions: BTreeSet<_> = notices
            .iter()
            .map(|notice| notice.content.data.solution)
            .collect();
        assert_eq!(solutions, (1..=4).collect());
    }
}
