//! Properties of sales under random plans.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::calendar::days_after;

fn any_rate() -> impl Strategy<Value = Rate> {
    let usual = 0i64..=100_000;
    let any = 0i64..=1_000_000;
    prop_oneof![4 => usual, 1 => any]
        .prop_map(|ten_thousandths| Rate::new(Decimal::new(ten_thousandths, 4)).expect("within 0 and 100"))
}

fn any_fees() -> impl Strategy<Value = MdrFees> {
    let advance = prop_oneof![Just(Rate::ZERO), any_rate()];
    (
        any_rate(),
        any_rate(),
        any_rate(),
        any_rate(),
        any_rate(),
        advance,
    )
        .prop_map(
            |(debit, credit_1, credit_2to6, credit_7to12, credit_13to21, advance)| MdrFees {
                debit,
                credit_1,
                credit_2to6,
                credit_7to12,
                credit_13to21,
                advance,
            },
        )
}

prop_compose! {
    fn any_terms()(
        mdr_fees in proptest::option::of((any_fees(), any_fees())),
        percent in any_rate(),
        percentage_rate in any_rate(),
        // A negative fee is not taken, and a fee above the amount takes no more than the amount.
        flat_rate in -1i64..=10_000,
        settlement_days in 0u8..=99,
        boleto_fee in 0i64..=i64::MAX,
        pix_fixed in proptest::option::of(0i64..=10_000),
    ) -> PlanTerms {
        let plan = effective(&percent.to_string());
        let kind = mdr_fees.map_or(plan.kind.clone(), |(visamaster, others)| PlanKind::Mdr { visamaster, others });
        PlanTerms {
            kind,
            percentage_rate,
            flat_rate: Cents::new(flat_rate),
            settlement_days,
            boleto_fee: Cents::new(boleto_fee),
            pix_fee: pix_fixed.map_or(PixFee::Percent(percent), |fee| PixFee::Fixed(Cents::new(fee))),
            ..plan
        }
    }
}

prop_compose! {
    fn any_sale()(
        amount in prop_oneof![1i64..=1_000, 1i64..=Cents::AMOUNT_MAX.get()],
        payment_type in proptest::sample::select(PaymentType::ALL),
        brand in proptest::sample::select(&[CardBrand::Visa, CardBrand::VisaElectron]),
        credit_installments in 1u8..=21,
    ) -> PricingInput {
        let installments = if payment_type == PaymentType::Credit { credit_installments } else { 1 };
        PricingInput { amount: Cents::new(amount), payment_type, card_brand: Some(brand), installments }
    }
}

proptest! {
    #[test]
    fn fees_and_net_sum_to_the_gross_and_so_do_the_installments(
        terms in any_terms(), sale in any_sale(), sold in 0u64..20_000,
    ) {
        let (calendar, sold) = (Calendar::default(), days_after(date("2000-01-01"), sold));
        let Quote { fees, net, receivables } = quote(&terms, &sale, sold, &calendar).expect("the sale is priced");

        prop_assert_eq!(fees.total().checked_add(net), Some(sale.amount));
        prop_assert_eq!(sale_fees(&terms, &sale), Ok(fees));
        for fee in [fees.percentage_fee, fees.flat_fee, fees.percentage_rate, fees.flat_rate, net] {
            prop_assert!(!fee.is_negative());
        }
        prop_assert_eq!(receivables.len(), usize::from(sale.installments));
        prop_assert_eq!(Cents::total(receivables.iter().map(|part| part.gross)), Some(sale.amount));
        prop_assert_eq!(Cents::total(receivables.iter().map(|part| part.net)), Some(net));
        for part in &receivables {
            prop_assert!(!part.net.is_negative());
            prop_assert!(terms.settlement_days == 0 || calendar.is_business_day(part.due_date));
            prop_assert!(part.due_date >= sold);
        }
    }

    #[test]
    fn the_explained_lines_sum_to_the_stored_fees(
        terms in any_terms(), sale in any_sale(), sold in 0u64..20_000,
    ) {
        let (calendar, sold) = (Calendar::default(), days_after(date("2000-01-01"), sold));
        let stored = quote(&terms, &sale, sold, &calendar).expect("the sale is priced");
        let explanation = explain(&terms, &sale, &stored, sold).expect("its own terms explain it");

        let of = |part| Cents::total(
            explanation.lines.iter().filter(|line| line.rule.part() == part).map(|line| line.charged)
        );
        prop_assert_eq!(of(FeePart::PercentageFee), Some(stored.fees.percentage_fee));
        prop_assert_eq!(of(FeePart::FlatFee), Some(stored.fees.flat_fee));
        prop_assert_eq!(of(FeePart::PercentageRate), Some(stored.fees.percentage_rate));
        prop_assert_eq!(of(FeePart::FlatRate), Some(stored.fees.flat_rate));
        let fees = Cents::total(explanation.installments.iter().map(|line| line.fees));
        prop_assert_eq!(fees, Some(stored.fees.total()));
        for line in &explanation.installments {
            prop_assert_eq!(line.due_date > line.counted_to, !line.closed_days.is_empty());
            let closed = |day: &ClosedDay| !calendar.is_business_day(day.date);
            prop_assert!(line.closed_days.iter().all(closed));
        }
    }

    #[test]
    fn the_reverse_calculation_gives_the_same_quote(terms in any_terms(), wanted in any_sale()) {
        let (calendar, sold) = (Calendar::default(), date("2026-11-23"));
        match quote_for_net(&terms, &wanted, sold, &calendar) {
            Ok((gross, quoted)) => {
                prop_assert_eq!(gross_for_net(&terms, &wanted), Ok(gross));
                let sale = PricingInput { amount: gross, ..wanted.clone() };
                prop_assert!(quoted.net >= wanted.amount);
                prop_assert_eq!(quote(&terms, &sale, sold, &calendar), Ok(quoted));
            }
            Err(error) => prop_assert_eq!(gross_for_net(&terms, &wanted), Err(error)),
        }
    }

    #[test]
    fn the_found_gross_leaves_the_desired_net(terms in any_terms(), wanted in any_sale()) {
        if let Ok(gross) = gross_for_net(&terms, &wanted) {
            let left = quoted(&terms, &PricingInput { amount: gross, ..wanted.clone() }).net;
            prop_assert!(left >= wanted.amount);
        }
    }
}
