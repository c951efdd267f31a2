//! The explanation of a net amount, line by line.

use std::collections::BTreeSet;

use rust_decimal_macros::dec;

use super::*;
use crate::calendar::Closure;
use crate::sale::BrandGroup;

fn explained_on(terms: &PlanTerms, sale: &PricingInput, day: &str, calendar: &Calendar) -> Explanation {
    let stored = quote(terms, sale, date(day), calendar).expect("the sale is priced");
    explain(terms, sale, &stored, date(day)).expect("its own terms explain it")
}

fn explained(terms: &PlanTerms, sale: &PricingInput) -> Explanation {
    explained_on(terms, sale, "2026-11-23", &Calendar::default())
}

/// (base, charged), in cents, of each line.
fn amounts(explanation: &Explanation) -> Vec<(i64, i64)> {
    let lines = explanation.lines.iter();
    lines.map(|line| (line.base.get(), line.charged.get())).collect()
}

#[test]
fn each_fee_line_has_its_rule_base_and_rounding() {
    let terms = PlanTerms {
        percentage_rate: rate("1.25"),
        flat_rate: Cents::new(49),
        ..effective("3.19")
    };
    let explanation = explained(&terms, &credit(1_234_56, 1));
    let line = |rule, base, unrounded, charged| FeeLine {
        rule,
        base: Cents::new(base),
        unrounded,
        charged: Cents::new(charged),
    };
    let effective = FeeRule::Effective {
        rate: rate("3.19"),
        listed_as: Some(CardBrand::Visa),
        installments: 1,
    };
    let expected = [
        line(effective, 1_234_56, dec!(3938.2464), 39_38),
        line(
            FeeRule::PercentageRate { rate: rate("1.25") },
            1_195_18,
            dec!(1493.975),
            14_94,
        ),
        line(FeeRule::FlatRate, 1_180_24, dec!(49), 49),
    ];
    assert_eq!(explanation.lines, expected);
    assert_eq!(
        (explanation.gross, explanation.net),
        (Cents::new(1_234_56), Cents::new(1_179_75))
    );
    assert_eq!(explanation.plan, terms.plan_ref());
    assert!(!explanation.net_is_split);
}

#[test]
fn each_installment_has_its_advance_cost() {
    let explanation = explained(&mdr("3", "1.50"), &credit(300_00, 3));
    let rules: Vec<_> = explanation.lines.iter().map(|line| line.rule.clone()).collect();
    let expected = [
        FeeRule::Mdr {
            rate: rate("3"),
            group: BrandGroup::Visamaster,
            band: MdrBand::Credit2To6,
        },
        FeeRule::Advance {
            monthly: rate("1.50"),
            settlement_days: 1,
        },
    ];
    assert_eq!(rules, expected);
    assert_eq!(amounts(&explanation), [(300_00, 9_00), (291_00, 8_59)]);
    assert!(
        explanation
            .lines
            .iter()
            .all(|line| line.rule.part() == FeePart::PercentageFee)
    );

    let costs: Vec<_> = explanation
        .installments
        .iter()
        .map(|line| {
            let advance = line.advance.as_ref().expect("an advance");
            (
                advance.base.get(),
                advance.days,
                advance.unrounded,
                advance.cost.get(),
                line.fees.get(),
            )
        })
        .collect();
    let expected = [
        (97_00, 29, dec!(140.65), 1_41, 3_00 + 1_41),
        (97_00, 59, dec!(286.15), 2_86, 3_00 + 2_86),
        (97_00, 89, dec!(431.65), 4_32, 3_00 + 4_32),
    ];
    assert_eq!(costs, expected);
}

#[test]
fn a_due_date_lists_the_closed_days_that_moved_it() {
    let moved = |day: &str, calendar: &Calendar| {
        let explanation = explained_on(&mdr("3", "0"), &credit(100_00, 1), day, calendar);
        let line = &explanation.installments[0];
        let closures: Vec<_> = line
            .closed_days
            .iter()
            .map(|day| (day.date.to_string(), day.closure))
            .collect();
        (line.counted_to.to_string(), line.due_date.to_string(), closures)
    };
    let closed = |date: &str, closure| (date.to_owned(), closure);
    let national = Calendar::default();
    let expected = vec![
        closed("2026-11-20", Closure::NationalHoliday("Consciência Negra")),
        closed("2026-11-21", Closure::Weekend),
        closed("2026-11-22", Closure::Weekend),
    ];
    assert_eq!(
        moved("2026-10-21", &national),
        ("2026-11-20".to_owned(), "2026-11-23".to_owned(), expected)
    );
    assert_eq!(
        moved("2026-11-23", &national),
        ("2026-12-23".to_owned(), "2026-12-23".to_owned(), vec![])
    );
    let local = Calendar::new(BTreeSet::from([date("2026-12-23")]));
    assert_eq!(
        moved("2026-11-23", &local),
        (
            "2026-12-23".to_owned(),
            "2026-12-24".to_owned(),
            vec![closed("2026-12-23", Closure::AddedByStaff)]
        )
    );
}

#[test]
fn a_holiday_on_a_weekend_is_reported_as_a_weekend() {
    assert_eq!(Closure::of(date("2026-11-15")), Closure::Weekend);
}

#[test]
fn boleto_and_pix_name_their_own_fees() {
    let rules = |terms: &PlanTerms, payment_type| {
        let explanation = explained(terms, &paid_by(payment_type, 100_00));
        let lines = explanation.lines.into_iter();
        lines
            .map(|line| (line.rule.part(), line.charged.get(), line.rule))
            .collect::<Vec<_>>()
    };
    let percent = mdr("3", "1.50");
    assert_eq!(
        rules(&percent, PaymentType::Pix),
        [(
            FeePart::PercentageFee,
            99,
            FeeRule::PixPercent { rate: rate("0.99") }
        )]
    );
    assert_eq!(
        rules(&percent, PaymentType::Boleto),
        [(FeePart::FlatFee, 2_99, FeeRule::Boleto)]
    );
    let fixed = PlanTerms {
        pix_fee: PixFee::Fixed(Cents::new(1_50)),
        ..effective("2")
    };
    assert_eq!(
        rules(&fixed, PaymentType::Pix),
        [(FeePart::FlatFee, 1_50, FeeRule::PixFixed)]
    );
    let debit = FeeRule::Mdr {
        rate: rate("3"),
        group: BrandGroup::Visamaster,
        band: MdrBand::Debit,
    };
    assert_eq!(
        rules(&percent, PaymentType::Debit),
        [(FeePart::PercentageFee, 3_00, debit)]
    );
}

#[test]
fn an_unlisted_brand_is_marked_as_unlisted() {
    let listed = |brand: CardBrand| {
        let sale = PricingInput {
            card_brand: Some(brand),
            ..credit(100_00, 1)
        };
        let rows = vec![
            FeeRow {
                card_brand: CardBrand::Visa,
                payment_type: PaymentType::Credit,
                number_installments: 1,
                percent_amount: rate("2"),
            },
            FeeRow {
                card_brand: CardBrand::Elo,
                payment_type: PaymentType::Credit,
                number_installments: 1,
                percent_amount: rate("4"),
            },
        ];
        let fees = FeeTable::new(rows).expect("a valid table");
        let explanation = explained(&terms(PlanKind::Effective { fees }), &sale);
        match &explanation.lines[0].rule {
            FeeRule::Effective { rate, listed_as, .. } => (rate.to_string(), listed_as.clone()),
            rule => panic!("{rule:?}"),
        }
    };
    assert_eq!(
        listed(CardBrand::VisaElectron),
        ("2".to_owned(), Some(CardBrand::Visa))
    );
    assert_eq!(
        listed(CardBrand::parse("sorocred").expect("a brand")),
        ("4".to_owned(), None)
    );
}

#[test]
fn a_fee_is_limited_to_what_is_left() {
    let terms = PlanTerms {
        flat_rate: Cents::new(500_00),
        ..mdr("90", "100")
    };
    let explanation = explained(&terms, &credit(100_00, 3));
    assert_eq!(amounts(&explanation), [(100_00, 90_00), (10_00, 10_00), (0, 0)]);
    assert!(explanation.lines[1].unrounded > dec!(1000));
    assert_eq!(explanation.net, Cents::ZERO);
    assert!(explanation.net_is_split);
}

#[test]
fn terms_that_did_not_price_the_sale_are_refused() {
    let (own, sale) = (mdr("3", "1.50"), credit(300_00, 3));
    let stored = quoted(&own, &sale);
    let by = |terms: &PlanTerms, stored: &Quote| explain(terms, &sale, stored, date("2026-11-23"));
    assert!(by(&own, &stored).is_ok());
    let differ = Err(ExplanationError::TermsDiffer);
    assert_eq!(by(&mdr("3.01", "1.50"), &stored), differ);
    assert_eq!(by(&mdr("3", "0"), &stored), differ);
    let later = PlanTerms {
        settlement_days: 30,
        ..mdr("3", "1.50")
    };
    assert_eq!(by(&later, &stored), differ);

    for spoil in [
        |stored: &mut Quote| stored.net = Cents::new(1),
        |stored: &mut Quote| stored.fees.flat_rate = Cents::new(1),
        |stored: &mut Quote| stored.receivables[1].gross = Cents::new(1),
        |stored: &mut Quote| stored.receivables[1].net = Cents::new(1),
        |stored: &mut Quote| stored.receivables[1].due_date = date("2026-11-23"),
        |stored: &mut Quote| stored.receivables.truncate(2),
    ] {
        let mut spoilt = stored.clone();
        spoil(&mut spoilt);
        assert_eq!(by(&own, &spoilt), differ, "{spoilt:?}");
    }
    let unpriced = PricingInput {
        installments: 22,
        ..sale
    };
    assert_eq!(
        explain(&own, &unpriced, &stored, date("2026-11-23")),
        Err(ExplanationError::Unpriced(QuoteError::Installments))
    );
}
