//! The orders of the last day before the story ends: open orders in several states, and one order of a card tester. Its
//! declined cards close the card form of a link.

use chrono::{DateTime, Duration, Utc};
use gateway_platform::providers::CanonicalSale;
use ledger_domain::sale::{PaymentType, Solution};

use super::link_sales::{LinkOrder, attempt, route};
use super::rng::DemoRng;
use super::story::Company;
use super::trade::{NoticeStep, Sale};

/// An order that waits for its buyer or its acquirer.
struct Open {
    name: &'static str,
    company: &'static str,
    link: &'static str,
    payment_type: PaymentType,
    amount: i64,
    minutes_ago: i64,
    /// The last digits of a test card of the sandbox, which decides what becomes of the charge.
    card: Option<&'static str>,
}

const OPEN: [Open; 7] = [
    Open {
        name: "aberto-pix-eletronicos",
        company: "eletronicos",
        link: "VTOFERTASITE",
        payment_type: PaymentType::Pix,
        amount: 459_00,
        minutes_ago: 1,
        card: None,
    },
    // At Zoop, whose codes expire after five minutes.
    Open {
        name: "aberto-pix",
        company: "idiomas",
        link: "HZTURMA2026A",
        payment_type: PaymentType::Pix,
        amount: 349_00,
        minutes_ago: 1,
        card: None,
    },
    Open {
        name: "aberto-boleto",
        company: "idiomas",
        link: "HZCONVERSA01",
        payment_type: PaymentType::Boleto,
        amount: 239_90,
        minutes_ago: 14 * 60,
        card: None,
    },
    // The acquirer has not answered whether it is paid.
    Open {
        name: "em-processamento",
        company: "idiomas",
        link: "HZCONVERSA01",
        payment_type: PaymentType::Credit,
        amount: 420_00,
        minutes_ago: 3,
        card: Some("0341"),
    },
    // Declined; the buyer may try another card.
    Open {
        name: "recusado",
        company: "idiomas",
        link: "HZTURMA2026A",
        payment_type: PaymentType::Credit,
        amount: 560_00,
        minutes_ago: 2,
        card: Some("9995"),
    },
    // The issuer waits for the buyer's confirmation (3-D Secure).
    Open {
        name: "confirmacao-do-banco",
        company: "eletronicos",
        link: "VTOFERTASITE",
        payment_type: PaymentType::Credit,
        amount: 1_299_00,
        minutes_ago: 2,
        card: Some("0321"),
    },
    Open {
        name: "aberto-boleto-eletronicos",
        company: "eletronicos",
        link: "VTOFERTASITE",
        payment_type: PaymentType::Boleto,
        amount: 899_00,
        minutes_ago: 20 * 60,
        card: None,
    },
];

/// The number of cards tried. The platform closes the card form of a link after 20 declined cards
/// (`gateway_platform::buyers::card_testing`).
const CARDS_TRIED: i64 = 21;

pub(super) fn recent_orders(until: DateTime<Utc>) -> Vec<LinkOrder> {
    let open = OPEN.iter().map(|open| {
        let facts = CanonicalSale {
            payment_type: open.payment_type.as_str(),
            amount: open.amount,
            card_brand: open.card.map(|_| "visa".to_owned()),
            card_last_four: open.card.map(str::to_owned),
            ..facts(open.company, open.link)
        };
        let steps = vec![("sale.created", Duration::zero(), None)];
        let opened_at = until - Duration::minutes(open.minutes_ago);
        attempt(open.name, sale(open.name, open.company, facts, opened_at, steps))
    });
    LinkOrder::of_attempts(open.chain(tried_cards(until)))
}

fn tried_cards(until: DateTime<Utc>) -> impl Iterator<Item = Sale> {
    const ORDER: &str = "cartoes-testados";
    const COMPANY: &str = "eletronicos";
    let begun = until - Duration::minutes(11);
    (0..CARDS_TRIED).map(move |number| {
        let name = format!("{ORDER}-{number:02}");
        let facts = CanonicalSale {
            payment_type: PaymentType::Credit.as_str(),
            amount: 100_00,
            card_brand: Some("visa".to_owned()),
            card_last_four: Some(format!("{:04}", DemoRng::seeded_by(&name).below(10_000))),
            ..facts(COMPANY, "VTCARTAOPRES")
        };
        let steps = vec![("sale.failed", Duration::zero(), None)];
        let opened_at = begun + Duration::seconds(20 * number);
        attempt(ORDER, sale(&name, COMPANY, facts, opened_at, steps))
    })
}

fn facts(company: &str, link: &str) -> CanonicalSale {
    CanonicalSale {
        business_id: Some(Company::id_of(company).to_string()),
        solution: Solution::PaymentLink.number(),
        installments: 1,
        payment_link_code: Some(link.to_owned()),
        ..CanonicalSale::default()
    }
}

fn sale(
    name: &str,
    company: &str,
    facts: CanonicalSale,
    opened_at: DateTime<Utc>,
    steps: Vec<NoticeStep>,
) -> Sale {
    let payment_type = PaymentType::parse(facts.payment_type).expect("a payment type of the story");
    Sale {
        name: name.to_owned(),
        company: company.to_owned(),
        provider: route(company, payment_type)[0],
        facts,
        opened_at,
        steps,
        attempt: None,
    }
}
