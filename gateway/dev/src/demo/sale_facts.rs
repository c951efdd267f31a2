//! The facts of one sale of the demo story: its steps, time, amount, installments, card and terminal. Each is drawn
//! from the sale's own random generator, so that every load gives the same sale.

use chrono::Duration;
use gateway_platform::providers::CanonicalSale;
use ledger_domain::sale::{PaymentType, Solution};

use super::rng::DemoRng;
use super::story::{Company, WeightedPayment};
use super::trade::NoticeStep;

/// The notices of a sale until it is paid, failed or canceled. Most sales are paid.
pub(super) fn steps(payment_type: PaymentType, rng: &mut DemoRng) -> Vec<NoticeStep> {
    let no_delay = Duration::zero();
    let created: NoticeStep = ("sale.created", no_delay, None);
    match payment_type {
        PaymentType::Credit | PaymentType::Debit => match rng.below(100) {
            0..5 => {
                let reason = *rng.one_of(&[
                    "Saldo ou limite insuficiente",
                    "Cartão recusado pelo emissor",
                    "Senha incorreta",
                ]);
                vec![("sale.failed", no_delay, Some(reason))]
            }
            5..7 => vec![
                created,
                (
                    "sale.canceled",
                    Duration::seconds(rng.between(40, 300)),
                    Some("Desistência do comprador"),
                ),
            ],
            7..20 => vec![
                created,
                ("sale.captured", Duration::seconds(rng.between(2, 40)), None),
            ],
            _ => vec![("sale.captured", no_delay, None)],
        },
        PaymentType::Pix if rng.with_probability(93) => {
            vec![
                created,
                ("sale.captured", Duration::seconds(rng.between(10, 600)), None),
            ]
        }
        PaymentType::Pix => vec![
            created,
            (
                "sale.canceled",
                Duration::minutes(30),
                Some("Expirou sem pagamento"),
            ),
        ],
        PaymentType::Boleto if rng.with_probability(80) => {
            vec![
                created,
                (
                    "sale.captured",
                    Duration::minutes(rng.between(600, 4 * 1_440)),
                    None,
                ),
            ]
        }
        PaymentType::Boleto => vec![
            created,
            ("sale.canceled", Duration::days(5), Some("Venceu sem pagamento")),
        ],
    }
}

/// More sales in the middle of the opening hours than at their ends.
pub(super) fn second_of_day(company: &Company, rng: &mut DemoRng) -> i64 {
    let open_seconds = (company.trade.closes - company.trade.opens) * 3_600;
    company.trade.opens * 3_600 + (rng.below(open_seconds) + rng.below(open_seconds)) / 2
}

/// Small amounts are frequent. Prices end in 0, 5 or 9.
pub(super) fn amount(company: &Company, rng: &mut DemoRng) -> i64 {
    let [min, max] = company.trade.ticket;
    // The product of two random shares is small more often than large.
    let (one, other) = (rng.below(1_000), rng.below(1_000));
    let cents = min + (max - min) * one * other / 1_000_000;
    cents / 10 * 10 + rng.one_of(&[0, 0, 5, 9])
}

const INSTALLMENT_CENTS_MIN: i64 = 25_00;

pub(super) fn installments(payment: &WeightedPayment, amount: i64, rng: &mut DemoRng) -> u8 {
    let most = i64::from(payment.installments_max)
        .min(amount / INSTALLMENT_CENTS_MIN)
        .max(1);
    if most == 1 || rng.with_probability(35) {
        1
    } else {
        u8::try_from(rng.between(2, most)).unwrap_or(1)
    }
}

pub(super) fn card(payment: &WeightedPayment, rng: &mut DemoRng) -> CanonicalSale {
    if !payment.payment_type.is_card() {
        return CanonicalSale::default();
    }
    const CREDIT: [(&str, i64); 7] = [
        ("visa", 36),
        ("mastercard", 36),
        ("elo", 14),
        ("amex", 5),
        ("hipercard", 5),
        ("diners", 2),
        ("jcb", 2),
    ];
    const DEBIT: [(&str, i64); 5] = [
        ("visa", 38),
        ("mastercard", 32),
        ("elo", 20),
        ("maestro", 6),
        ("visaelectron", 4),
    ];
    let brands: &[(&str, i64)] = if payment.payment_type == PaymentType::Credit {
        &CREDIT
    } else {
        &DEBIT
    };
    let (brand, _) = rng.weighted(brands, |(_, weight)| *weight);
    CanonicalSale {
        card_brand: Some((*brand).to_owned()),
        card_last_four: Some(format!("{:04}", rng.below(10_000))),
        authorization_code: Some(format!("{:06}", rng.below(1_000_000))),
        ..CanonicalSale::default()
    }
}

/// A card machine reports its serial number, and its acquirer does not always name the company. All other solutions
/// name it.
pub(super) fn with_company(
    company: &Company,
    payment: &WeightedPayment,
    sale: CanonicalSale,
    rng: &mut DemoRng,
) -> CanonicalSale {
    let terminal = (payment.solution == Solution::CardMachine)
        .then(|| rng.one_of(&company.terminals).serial_number.clone());
    let names_company = terminal.is_none() || rng.with_probability(50);
    CanonicalSale {
        business_id: names_company.then(|| company.id().to_string()),
        terminal_serial: terminal,
        ..sale
    }
}
