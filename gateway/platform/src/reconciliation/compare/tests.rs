use super::*;

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn expected() -> Expected {
    Expected {
        installment: ExpectedInstallment {
            gross: Cents::new(100_00),
            kept: Cents::ZERO,
            disputed: Cents::ZERO,
            due_date: date("2026-12-01"),
        },
        status: SaleStatus::Succeeded,
        is_overdue: false,
        rate: None,
        taken_back: Cents::ZERO,
    }
}

fn row(id: i64) -> ReportedRow {
    ReportedRow {
        id,
        entry: EntryKind::Payment,
        gross: Cents::new(100_00),
        cost: Some(Cents::new(2_50)),
        day: Some(date("2026-12-01")),
        canceled: false,
        times: 1,
    }
}

/// The kinds of the differences, with their row ids and deltas. Checks that the owed gross plus all deltas is the
/// reported gross.
fn checked_kinds(expected: &Expected, rows: &[ReportedRow]) -> Vec<(DifferenceKind, Option<i64>, i64)> {
    let compared = compare(expected, rows);
    let counted = rows.iter().filter(|row| !row.canceled);
    let reported: i64 = counted.map(total).sum();
    let deltas: i64 = compared.differences.iter().map(|found| found.delta).sum();
    if !rows.is_empty() || expected.is_overdue {
        assert_eq!(compared.expected + deltas, reported, "{compared:?}");
    }
    let found = compared.differences.iter();
    found
        .map(|found| (found.kind, found.row_id, found.delta))
        .collect()
}

#[test]
fn an_installment_that_is_reported_as_expected_has_no_difference() {
    assert_eq!(checked_kinds(&expected(), &[row(1)]), []);
}

#[test]
fn an_installment_without_rows_is_missing_only_if_it_is_overdue() {
    assert_eq!(checked_kinds(&expected(), &[]), []);
    let overdue = Expected {
        is_overdue: true,
        ..expected()
    };
    assert_eq!(
        checked_kinds(&overdue, &[]),
        [(DifferenceKind::Missing, None, -100_00)]
    );
    assert_eq!(checked_kinds(&overdue, &[row(1)]), []);
}

#[test]
fn another_amount_is_a_difference_and_a_canceled_row_counts_zero() {
    let less = ReportedRow {
        gross: Cents::new(99_00),
        ..row(1)
    };
    assert_eq!(
        checked_kinds(&expected(), &[less]),
        [(DifferenceKind::Amount, Some(1), -1_00)]
    );
    let canceled = ReportedRow {
        canceled: true,
        ..row(1)
    };
    assert_eq!(
        checked_kinds(&expected(), &[canceled]),
        [(DifferenceKind::Amount, Some(1), -100_00)]
    );
}

#[test]
fn another_day_is_a_difference_with_a_delta_of_zero() {
    let late = ReportedRow {
        day: Some(date("2026-12-02")),
        ..row(1)
    };
    assert_eq!(
        checked_kinds(&expected(), &[late]),
        [(DifferenceKind::Date, Some(1), 0)]
    );
    let undated = ReportedRow { day: None, ..row(1) };
    assert_eq!(checked_kinds(&expected(), &[undated]), []);
}

#[test]
fn a_second_payment_and_a_repeated_line_are_duplicates() {
    assert_eq!(
        checked_kinds(&expected(), &[row(1), row(2)]),
        [(DifferenceKind::Duplicate, Some(2), 100_00)]
    );
    let thrice = ReportedRow { times: 3, ..row(1) };
    assert_eq!(
        checked_kinds(&expected(), &[thrice]),
        [(DifferenceKind::Duplicate, Some(1), 200_00)]
    );
    let other_amount = ReportedRow {
        gross: Cents::new(99_00),
        ..row(2)
    };
    assert_eq!(
        checked_kinds(&expected(), &[row(1), other_amount]),
        [(DifferenceKind::Duplicate, Some(2), 99_00)]
    );
}

#[test]
fn a_cancellation_takes_the_payment_back() {
    let cancellation = ReportedRow {
        entry: EntryKind::Cancellation,
        gross: Cents::new(-100_00),
        ..row(2)
    };
    let canceled = Expected {
        status: SaleStatus::Canceled,
        ..expected()
    };
    assert_eq!(
        checked_kinds(&canceled, &[row(1), cancellation]),
        [],
        "paid and taken back"
    );
    assert_eq!(checked_kinds(&canceled, &[]), [], "never paid");
    assert_eq!(
        checked_kinds(&canceled, &[row(1)]),
        [(DifferenceKind::Amount, Some(1), 100_00)],
        "not taken back"
    );
    assert_eq!(
        checked_kinds(&expected(), &[row(1), cancellation]),
        [(DifferenceKind::Amount, Some(1), -100_00)],
        "taken back, but the sale is not canceled"
    );
}

#[test]
fn a_disputed_installment_may_be_paid_or_held_back() {
    let disputed = Expected {
        status: SaleStatus::Dispute,
        is_overdue: true,
        ..expected()
    };
    assert_eq!(checked_kinds(&disputed, &[row(1)]), []);
    let held = ReportedRow {
        canceled: true,
        ..row(1)
    };
    assert_eq!(checked_kinds(&disputed, &[held]), []);
    assert_eq!(checked_kinds(&disputed, &[]), []);
}

#[test]
fn a_cost_may_differ_from_the_rate_by_one_cent() {
    let rate = |percent: &str, flat| Expected {
        rate: Some(Rate {
            percent: percent.parse().expect("a decimal"),
            flat: Cents::new(flat),
        }),
        ..expected()
    };
    // The row's gross is 100.00 and its cost 2.50.
    assert_eq!(checked_kinds(&rate("2.5", 0), &[row(1)]), []);
    assert_eq!(checked_kinds(&rate("2", 50), &[row(1)]), [], "2% and 0.50");
    assert_eq!(checked_kinds(&rate("2.49", 0), &[row(1)]), [], "0.01 less");
    assert_eq!(
        checked_kinds(&rate("2.48", 0), &[row(1)]),
        [(DifferenceKind::Fee, Some(1), 0)],
        "0.02 less"
    );
}

#[test]
fn a_cost_that_is_not_known_is_not_compared() {
    let expected = Expected {
        rate: Some(Rate {
            percent: "1".parse().expect("a decimal"),
            flat: Cents::ZERO,
        }),
        ..expected()
    };
    let unknown = ReportedRow { cost: None, ..row(1) };
    assert_eq!(checked_kinds(&expected, &[unknown]), []);
    assert_eq!(
        checked_kinds(&expected, &[row(1)]),
        [(DifferenceKind::Fee, Some(1), 0)]
    );
}

#[test]
fn parts_of_a_payment_are_added_up() {
    let part = |id, gross| ReportedRow {
        entry: EntryKind::Partial,
        gross: Cents::new(gross),
        ..row(id)
    };
    assert_eq!(checked_kinds(&expected(), &[part(1, 40_00), part(2, 60_00)]), []);
    assert_eq!(
        checked_kinds(&expected(), &[part(1, 40_00)]),
        [(DifferenceKind::Amount, Some(1), -60_00)]
    );
    let twice = ReportedRow {
        times: 2,
        ..part(1, 40_00)
    };
    assert_eq!(
        checked_kinds(&expected(), &[twice, part(2, 60_00)]),
        [(DifferenceKind::Duplicate, Some(1), 40_00)]
    );
}

#[test]
fn half_a_cent_of_a_cost_is_rounded_up() {
    let rate = Rate {
        percent: "1.005".parse().expect("a decimal"),
        flat: Cents::ZERO,
    };
    assert_eq!(rate.cost_of(Cents::new(100_00)), Some(Cents::new(1_01)));
}

#[test]
fn an_unknown_row_is_a_difference_of_its_amount_unless_it_is_canceled() {
    let found = unknown(&row(7)).expect("a difference");
    assert_eq!(
        (found.kind, found.row_id, found.delta),
        (DifferenceKind::Unknown, Some(7), 100_00)
    );
    let canceled = ReportedRow {
        canceled: true,
        ..row(7)
    };
    assert_eq!(unknown(&canceled), None);
}

#[test]
fn what_the_acquirer_keeps_for_a_part_is_no_difference() {
    let mut refunded = expected();
    refunded.installment.kept = Cents::new(30_00);
    let of = |gross| ReportedRow {
        gross: Cents::new(gross),
        ..row(1)
    };
    assert_eq!(checked_kinds(&refunded, &[of(70_00)]), []);
    assert_eq!(
        checked_kinds(&refunded, &[of(100_00)]),
        [(DifferenceKind::Amount, Some(1), 30_00)],
        "it pays what the buyer got back"
    );
    refunded.installment.kept = Cents::new(100_00);
    refunded.is_overdue = true;
    assert_eq!(checked_kinds(&refunded, &[]), []);
}

#[test]
fn what_the_acquirer_takes_back_of_a_payment_is_no_difference() {
    let refunded = Expected {
        taken_back: Cents::new(30_00),
        ..expected()
    };
    let back = ReportedRow {
        entry: EntryKind::Cancellation,
        gross: Cents::new(-30_00),
        ..row(2)
    };
    let less = ReportedRow {
        gross: Cents::new(70_00),
        ..row(1)
    };
    for rows in [vec![row(1)], vec![row(1), back], vec![less]] {
        assert_eq!(checked_kinds(&refunded, &rows), [], "{rows:?}");
    }
    let other = ReportedRow {
        gross: Cents::new(-40_00),
        ..back
    };
    assert_eq!(
        checked_kinds(&refunded, &[row(1), other]),
        [(DifferenceKind::Amount, Some(1), -40_00)]
    );
}

#[test]
fn a_dispute_of_a_part_holds_back_the_part_the_whole_or_nothing() {
    let mut disputed = expected();
    disputed.status = SaleStatus::Dispute;
    disputed.installment.disputed = Cents::new(30_00);
    for gross in [100_00, 70_00, 0] {
        let reported = ReportedRow {
            gross: Cents::new(gross),
            ..row(1)
        };
        assert_eq!(checked_kinds(&disputed, &[reported]), [], "{gross}");
    }
    let other = ReportedRow {
        gross: Cents::new(60_00),
        ..row(1)
    };
    assert_eq!(
        checked_kinds(&disputed, &[other]),
        [(DifferenceKind::Amount, Some(1), -40_00)]
    );
}
