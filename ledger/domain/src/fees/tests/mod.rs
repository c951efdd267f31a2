//! Worked examples, and properties of every sale.

mod advance;
mod explanation;
mod properties;
mod table;
mod terms;

use uuid::Uuid;

use super::quote::{Price, SalePricing};
use super::*;
use crate::calendar::{Calendar, Date};
use crate::money::AmountError;
use crate::sale::{CardBrand, PaymentType, Solution};
use crate::schedule::DueDateRule;
use crate::{Cents, PlanId, Rate};

fn rate(percent: &str) -> Rate {
    Rate::parse(percent).expect("a rate")
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn terms(kind: PlanKind) -> PlanTerms {
    PlanTerms {
        plan_id: PlanId::from_uuid(Uuid::from_u128(1)),
        name: "Padrão".to_owned(),
        version: 3,
        solution: Solution::CardMachine,
        kind,
        percentage_rate: Rate::ZERO,
        flat_rate: Cents::ZERO,
        settlement_days: 1,
        boleto_fee: Cents::new(2_99),
        pix_fee: PixFee::Percent(rate("0.99")),
    }
}

/// A plan of effective rates with the same fee for Visa debit and each number of installments.
fn effective(percent: &str) -> PlanTerms {
    let row = |payment_type, number_installments| FeeRow {
        card_brand: CardBrand::Visa,
        payment_type,
        number_installments,
        percent_amount: rate(percent),
    };
    let rows = (1..=21)
        .map(|n| row(PaymentType::Credit, n))
        .chain([row(PaymentType::Debit, 1)])
        .collect();
    terms(PlanKind::Effective {
        fees: FeeTable::new(rows).expect("a valid table"),
    })
}

/// The same fees for both groups of brands and in every band.
fn mdr(percent: &str, advance: &str) -> PlanTerms {
    let fees = MdrFees {
        debit: rate(percent),
        credit_1: rate(percent),
        credit_2to6: rate(percent),
        credit_7to12: rate(percent),
        credit_13to21: rate(percent),
        advance: rate(advance),
    };
    terms(PlanKind::Mdr {
        visamaster: fees.clone(),
        others: fees,
    })
}

fn credit(amount: i64, installments: u8) -> PricingInput {
    let card_brand = Some(CardBrand::Visa);
    PricingInput {
        amount: Cents::new(amount),
        payment_type: PaymentType::Credit,
        card_brand,
        installments,
    }
}

fn paid_by(payment_type: PaymentType, amount: i64) -> PricingInput {
    PricingInput {
        payment_type,
        ..credit(amount, 1)
    }
}

fn quoted(terms: &PlanTerms, sale: &PricingInput) -> Quote {
    quote(terms, sale, date("2026-11-23"), &Calendar::default()).expect("the sale is priced")
}

fn net(terms: &PlanTerms, sale: &PricingInput) -> i64 {
    quoted(terms, sale).net.get()
}

#[test]
fn the_four_fees_are_taken_one_after_the_other() {
    let net = |gross, percentage, flat_fee, percentage_rate, flat_rate| {
        let terms = PlanTerms {
            percentage_rate: rate(percentage_rate),
            flat_rate: Cents::new(flat_rate),
            ..effective("1")
        };
        let pricing = SalePricing {
            terms: &terms,
            installments: 1,
            percentage: rate(percentage),
            flat_fee: Cents::new(flat_fee),
            advance: None,
            due: DueDateRule::Monthly,
        };
        let Price {
            fees,
            net,
            advance_costs,
        } = pricing.price(Cents::new(gross));
        assert!(advance_costs.is_empty());
        assert_eq!(fees.total().get() + net.get(), gross);
        net.get()
    };
    assert_eq!(net(100_00, "3.99", 50, "1.00", 30), 94_25);
    assert_eq!(net(149_90, "4.49", 39, "0.50", 0), 142_07);
    assert_eq!(net(1_234_56, "3.19", 0, "1.25", 49), 1_179_75);
}

#[test]
fn each_fee_is_a_separate_line() {
    let terms = PlanTerms {
        percentage_rate: rate("1.25"),
        flat_rate: Cents::new(49),
        ..effective("3.19")
    };
    let expected = SaleFees {
        percentage_fee: Cents::new(39_38),
        flat_fee: Cents::ZERO,
        percentage_rate: Cents::new(14_94),
        flat_rate: Cents::new(49),
    };
    assert_eq!(quoted(&terms, &credit(1_234_56, 1)).fees, expected);
}

#[test]
fn a_fee_of_half_a_cent_is_rounded_up() {
    let fee = |gross| {
        quoted(&effective("1"), &credit(gross, 1))
            .fees
            .percentage_fee
            .get()
    };
    assert_eq!([fee(50), fee(1_50), fee(2_50)], [1, 2, 3]);
}

#[test]
fn an_effective_plan_matches_the_examples_and_settles_on_one_day() {
    assert_eq!(net(&effective("3.49"), &credit(100_00, 3)), 96_51);
    assert_eq!(net(&effective("3.99"), &credit(299_90, 12)), 287_93);
    let of_21 = quoted(&effective("4.49"), &credit(999_99, 21));
    let nets: Vec<_> = of_21.receivables.iter().map(|part| part.net.get()).collect();
    assert_eq!(
        nets,
        std::iter::once(45_49).chain([45_48; 20]).collect::<Vec<_>>()
    );
    assert!(
        of_21
            .receivables
            .iter()
            .all(|part| part.due_date == date("2026-11-24"))
    );
}

#[test]
fn pix_and_boleto_have_their_own_fees() {
    let percent = effective("3.99");
    let fees = quoted(&percent, &paid_by(PaymentType::Pix, 100_00)).fees;
    assert_eq!((fees.percentage_fee.get(), fees.flat_fee.get()), (99, 0));

    let fixed = PlanTerms {
        pix_fee: PixFee::Fixed(Cents::new(1_00)),
        ..percent
    };
    let fees = quoted(&fixed, &paid_by(PaymentType::Pix, 100_00)).fees;
    assert_eq!((fees.percentage_fee.get(), fees.flat_fee.get()), (0, 1_00));

    let fees = quoted(&fixed, &paid_by(PaymentType::Boleto, 100_00)).fees;
    assert_eq!((fees.percentage_fee.get(), fees.flat_fee.get()), (0, 2_99));
}

#[test]
fn fees_never_exceed_the_amount() {
    let terms = PlanTerms {
        percentage_rate: rate("50"),
        flat_rate: Cents::new(1_00),
        ..effective("10")
    };
    let Quote {
        fees,
        net,
        receivables,
    } = quoted(&terms, &paid_by(PaymentType::Boleto, 3_50));
    // 3,50 - 2,99 leaves 0,51. 50 % of it is 0,255, rounded to 0,26. The flat rate takes the last 0,25.
    assert_eq!(
        (
            fees.flat_fee.get(),
            fees.percentage_rate.get(),
            fees.flat_rate.get()
        ),
        (2_99, 26, 25)
    );
    assert_eq!(net, Cents::ZERO);
    assert_eq!(receivables[0].net, Cents::ZERO);
    assert_eq!(
        quoted(&terms, &paid_by(PaymentType::Boleto, 1_00))
            .fees
            .flat_fee
            .get(),
        1_00
    );
}

#[test]
fn an_invalid_sale_is_not_priced() {
    let quote = |sale: &PricingInput| quote(&effective("1"), sale, date("2026-11-23"), &Calendar::default());
    assert_eq!(
        quote(&credit(0, 1)),
        Err(QuoteError::Amount(AmountError::NotPositive))
    );
    assert_eq!(
        quote(&credit(i64::MAX, 1)),
        Err(QuoteError::Amount(AmountError::TooLarge))
    );
    assert_eq!(quote(&credit(100, 0)), Err(QuoteError::Installments));
    assert_eq!(quote(&credit(100, 22)), Err(QuoteError::Installments));
    for whole in [PaymentType::Debit, PaymentType::Boleto, PaymentType::Pix] {
        assert_eq!(
            quote(&PricingInput {
                installments: 2,
                ..paid_by(whole, 100)
            }),
            Err(QuoteError::Installments)
        );
    }
    let elo = PricingInput {
        card_brand: Some(CardBrand::Elo),
        ..credit(100, 1)
    };
    assert_eq!(quote(&elo), Err(QuoteError::NoFee));
}
