use proptest::prelude::*;

use super::*;

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn cents(amounts: &[i64]) -> Vec<Cents> {
    amounts.iter().copied().map(Cents::new).collect()
}

fn installment_split(gross: i64, shared_fees: i64, own_costs: &[Cents]) -> InstallmentSplit<'_> {
    let own: i64 = own_costs.iter().map(|cost| cost.get()).sum();
    InstallmentSplit {
        gross: Cents::new(gross),
        net: Cents::new(gross - shared_fees - own),
        shared_fees: Cents::new(shared_fees),
        own_costs,
    }
}

/// Gross, fee and net of each installment.
fn parts(installment_split: InstallmentSplit<'_>, installments: u8) -> Vec<(i64, i64, i64)> {
    installment_split
        .receivables(
            installments,
            DueDateRule::Monthly,
            date("2026-11-23"),
            &Calendar::default(),
        )
        .iter()
        .map(|part| {
            (
                part.gross.get(),
                part.gross.get() - part.net.get(),
                part.net.get(),
            )
        })
        .collect()
}

fn first_then(first: (i64, i64, i64), times: usize, others: (i64, i64, i64)) -> Vec<(i64, i64, i64)> {
    std::iter::once(first)
        .chain(std::iter::repeat_n(others, times))
        .collect()
}

#[test]
fn gross_and_fees_are_split_alike_and_the_first_gets_the_remainder() {
    assert_eq!(
        parts(installment_split(100_00, 3_49, &[]), 3),
        first_then((33_34, 1_17, 32_17), 2, (33_33, 1_16, 32_17))
    );
    assert_eq!(
        parts(installment_split(299_90, 11_97, &[]), 12),
        first_then((25_01, 1_08, 23_93), 11, (24_99, 99, 24_00))
    );
    assert_eq!(
        parts(installment_split(999_99, 44_90, &[]), 21),
        first_then((47_79, 2_30, 45_49), 20, (47_61, 2_13, 45_48))
    );
}

#[test]
fn each_cost_of_advance_stays_on_its_own_installment() {
    let costs = cents(&[1_41, 2_86, 4_32]);
    assert_eq!(
        parts(installment_split(300_00, 9_00, &costs), 3),
        [
            (100_00, 4_41, 95_59),
            (100_00, 5_86, 94_14),
            (100_00, 7_32, 92_68)
        ]
    );
}

#[test]
fn no_installment_is_negative() {
    // The first would get 66 - 67, so the net of 1 is split instead.
    assert_eq!(
        parts(installment_split(1_98, 1_97, &cents(&[0, 0, 0])), 3),
        first_then((66, 65, 1), 2, (66, 66, 0))
    );
    let costs = cents(&[0, 0, 70]);
    assert_eq!(
        parts(installment_split(1_98, 0, &costs), 3),
        [(66, 22, 44), (66, 24, 42), (66, 24, 42)]
    );
}

#[test]
fn due_dates_count_from_the_sale_and_move_to_a_business_day() {
    let calendar = Calendar::default();
    let monthly = |sold: &str, k| {
        DueDateRule::Monthly
            .due_date(k, date(sold), &calendar)
            .to_string()
    };
    assert_eq!(monthly("2026-10-21", 1), "2026-11-23");
    assert_eq!(monthly("2026-12-02", 1), "2027-01-04");
    assert_eq!(monthly("2027-01-09", 1), "2027-02-10");
    let four: Vec<_> = (1..=4).map(|k| monthly("2026-11-24", k)).collect();
    assert_eq!(four, ["2026-12-24", "2027-01-25", "2027-02-22", "2027-03-24"]);
}

#[test]
fn settlement_days_are_calendar_days_and_zero_is_never_moved() {
    let calendar = Calendar::default();
    let after = |days, sold: &str| {
        DueDateRule::AllAfter { days }
            .due_date(7, date(sold), &calendar)
            .to_string()
    };
    assert_eq!(after(1, "2026-11-19"), "2026-11-23");
    assert_eq!(after(0, "2026-11-21"), "2026-11-21");
    assert_eq!(after(2, "2026-11-23"), "2026-11-25");
}

proptest! {
    #[test]
    fn the_schedule_sums_to_the_net_and_is_due_on_business_days(
        gross in 1i64..=Cents::AMOUNT_MAX.get(),
        fee_share in 0i64..=1_000,
        own_share in 0i64..=1_000,
        installments in 1u8..=21,
        settlement_days in proptest::option::of(0u8..=99),
        sold in 0u64..20_000,
    ) {
        let fees = gross / 1_000 * fee_share;
        let own_costs = split(Cents::new((gross - fees) / 1_000 * own_share), installments);
        let installment_split = installment_split(gross, fees, &own_costs);
        let terms = settlement_days.map_or(DueDateRule::Monthly, |days| DueDateRule::AllAfter { days });
        let (calendar, sold) = (Calendar::default(), days_after(date("2000-01-01"), sold));
        let receivables = installment_split.receivables(installments, terms, sold, &calendar);

        prop_assert!(receivables.iter().map(|part| part.number).eq(1..=installments));
        prop_assert_eq!(Cents::total(receivables.iter().map(|part| part.gross)), Some(installment_split.gross));
        prop_assert_eq!(Cents::total(receivables.iter().map(|part| part.net)), Some(installment_split.net));
        for part in &receivables {
            prop_assert!(!part.net.is_negative());
            prop_assert!(part.due_date >= sold);
            let at_once = terms == DueDateRule::AllAfter { days: 0 };
            prop_assert!(!at_once || part.due_date == sold);
            prop_assert!(at_once || calendar.is_business_day(part.due_date));
        }
    }
}
