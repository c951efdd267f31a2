//! MDR plans: the advance cost, and the gross for a desired net.

use proptest::prelude::*;

use super::*;

fn gross(terms: &PlanTerms, net: i64, installments: u8) -> i64 {
    gross_for_net(terms, &credit(net, installments))
        .expect("a gross")
        .get()
}

#[test]
fn the_cost_of_advance_joins_the_percentage_fee() {
    let priced = |percent, monthly, amount, installments| {
        let Quote {
            fees,
            net,
            receivables,
        } = quoted(&mdr(percent, monthly), &credit(amount, installments));
        assert!(receivables.iter().all(|part| part.due_date == date("2026-11-24")));
        (fees.percentage_fee.get(), net.get())
    };
    assert_eq!(priced("3.00", "1.50", 300_00, 3), (9_00 + 8_59, 282_41));
    assert_eq!(priced("3.49", "1.80", 600_00, 6), (20_94 + 36_14, 542_92));
    assert_eq!(priced("3.99", "1.80", 1_000_00, 12), (39_90 + 111_72, 848_38));
}

#[test]
fn each_installment_bears_its_own_cost_of_advance() {
    let nets = quoted(&mdr("3", "1.50"), &credit(300_00, 3)).receivables;
    let nets: Vec<_> = nets.iter().map(|part| part.net.get()).collect();
    // 97,00 × 1.50 % a month for 29, 59 and 89 days, each rounded.
    assert_eq!(nets, [97_00 - 1_41, 97_00 - 2_86, 97_00 - 4_32]);
}

#[test]
fn an_installment_paid_after_the_acquirer_pays_has_no_advance_cost() {
    let late = PlanTerms {
        settlement_days: 60,
        ..mdr("3", "1.50")
    };
    // Only the third installment is paid early: 30 days before its 90, for 97,00 × 1.50 %.
    let fee = quoted(&late, &credit(300_00, 3)).fees.percentage_fee.get();
    assert_eq!(fee, 9_00 + 1_46);
}

#[test]
fn without_an_advance_rate_installments_are_due_monthly() {
    let Quote {
        fees,
        net,
        receivables,
    } = quoted(&mdr("3", "0"), &credit(300_00, 3));
    assert_eq!((fees.total().get(), net.get()), (9_00, 291_00));
    let due: Vec<_> = receivables
        .iter()
        .map(|part| (part.net.get(), part.due_date.to_string()))
        .collect();
    let expected = ["2026-12-23", "2027-01-22", "2027-02-22"].map(|date| (97_00, date.to_owned()));
    assert_eq!(due, expected);
}

#[test]
fn debit_pix_and_boleto_are_never_advanced_nor_monthly() {
    for (monthly, days, due) in [
        ("1.50", 1, "2026-11-24"),
        ("0", 2, "2026-11-25"),
        ("0", 0, "2026-11-23"),
    ] {
        let terms = PlanTerms {
            settlement_days: days,
            ..mdr("2", monthly)
        };
        for (payment_type, fee) in [
            (PaymentType::Debit, 2_00),
            (PaymentType::Pix, 99),
            (PaymentType::Boleto, 2_99),
        ] {
            let Quote {
                fees, receivables, ..
            } = quoted(&terms, &paid_by(payment_type, 100_00));
            assert_eq!(fees.total().get(), fee, "{payment_type}");
            assert_eq!(receivables[0].due_date, date(due), "{payment_type}");
        }
    }
}

#[test]
fn an_advance_cost_above_the_gross_leaves_a_net_of_zero() {
    let Quote {
        fees,
        net,
        receivables,
    } = quoted(&mdr("90", "100"), &credit(100_00, 21));
    assert_eq!((fees.percentage_fee.get(), net.get()), (100_00, 0));
    assert!(receivables.iter().all(|part| part.net == Cents::ZERO));
}

#[test]
fn the_smallest_gross_for_a_desired_net_is_found() {
    let single = effective("6.91");
    assert_eq!(gross(&single, 1_000_00, 3), 1_074_23);
    let parts: Vec<_> = quoted(&single, &credit(1_074_23, 3))
        .receivables
        .iter()
        .map(|part| part.gross.get())
        .collect();
    assert_eq!(parts, [358_09, 358_07, 358_07]);

    let flat = PlanTerms {
        flat_rate: Cents::new(50),
        ..effective("3.99")
    };
    assert_eq!(gross(&flat, 100_00, 1), 104_68);

    let advanced = mdr("3.99", "1.80");
    assert_eq!(gross(&advanced, 100_18, 12), 118_03);
    assert_eq!(gross(&advanced, 100_27, 12), 118_23);
}

/// Without rounding, the gross would be one cent above the limit.
#[test]
fn the_largest_amount_is_found_as_gross() {
    assert_eq!(gross(&effective("60"), 40_000_000_00, 1), Cents::AMOUNT_MAX.get());
}

#[test]
fn an_unreachable_net_has_no_gross() {
    let refused = |terms: &PlanTerms, net| gross_for_net(terms, &credit(net, 12));
    let too_large = Err(QuoteError::Amount(AmountError::TooLarge));
    assert_eq!(refused(&effective("100"), 1), too_large);
    assert_eq!(refused(&mdr("3", "100"), 1), too_large);
    assert_eq!(refused(&effective("50"), Cents::AMOUNT_MAX.get()), too_large);
    assert_eq!(
        refused(
            &PlanTerms {
                flat_rate: Cents::new(i64::MAX),
                ..effective("99.9999")
            },
            1
        ),
        too_large
    );
    assert_eq!(
        refused(&effective("1"), 0),
        Err(QuoteError::Amount(AmountError::NotPositive))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_smaller_gross_leaves_the_desired_net(
        net in 1i64..15_000,
        installments in 1u8..=21,
        mdr_rate in 0u32..=800,
        advance in 0u32..=300,
        percentage_rate in 0u32..=200,
        flat_rate in 0i64..=99,
    ) {
        let percent = |hundredths: u32| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let terms = PlanTerms {
            percentage_rate: rate(&percent(percentage_rate)),
            flat_rate: Cents::new(flat_rate),
            ..mdr(&percent(mdr_rate), &percent(advance))
        };
        let pricing = SalePricing::of(&terms, PaymentType::Credit, Some(&CardBrand::Visa), installments)
            .expect("the sale is priced");
        let smallest = (net..).find(|gross| pricing.price(Cents::new(*gross)).net.get() >= net);
        prop_assert_eq!(Some(gross(&terms, net, installments)), smallest);
    }
}
