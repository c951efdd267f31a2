//! Refunds, disputes and chargebacks of a part of a sale. The sale is R$ 300,00 with 3 % of fees: three installments of
//! R$ 97,00.

use super::super::held::balances;
use super::*;
use crate::business::event::{ConsumedReceivable, SalePartRefunded};

fn left_of(events: &[BusinessEvent]) -> i64 {
    sale_after(events).left().get()
}

fn consumed(number: u8, net: i64, left: i64, due_date: &str) -> ConsumedReceivable {
    ConsumedReceivable {
        number,
        net: Cents::new(net),
        left: Cents::new(left),
        due_date: date(due_date),
    }
}

/// All installments settled: the sale's net and R$ 1.000,00 are available.
fn settled<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    let before = [
        super::super::transfers::credit(1_000_00).into(),
        capture_at(5).into(),
        settle("2026-12-23", &[1]).into(),
        settle("2027-01-22", &[2]).into(),
        settle("2027-02-22", &[3]).into(),
    ];
    history(before.into_iter().chain(commands))
}

#[test]
fn the_last_due_installment_pays_first() {
    super::given(captured([]))
        .when(part(130_00, R1, 9).into())
        .then_expect_events(vec![BusinessEvent::from(SalePartRefunded {
            occurred_at: minute(9),
            sale_id: sale_facts().sale_id,
            refund: Some(refund_id(R1)),
            initiator: Initiator::Platform,
            amount: Cents::new(130_00),
            net: Cents::new(126_10),
            consumed: vec![
                consumed(3, 97_00, 0, "2027-02-22"),
                consumed(2, 29_10, 67_90, "2027-01-22"),
            ],
            reason: None,
            names: PaymentNames::default(),
        })]);
    let events = captured([part(130_00, R1, 9).into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("receivable", -126_10),
            ("platform_fees", -3_90),
            ("clearing", 130_00)
        ]
    );
    assert_eq!(
        (sale_after(&events).status, left_of(&events)),
        (SaleStatus::Succeeded, 170_00)
    );
    let rest = replay(&events)
        .decide(&settle("2027-01-22", &[2]).into())
        .expect("due");
    assert_eq!(last_posted(&rest), [("receivable", -67_90), ("available", 67_90)]);
}

#[test]
fn the_balance_pays_what_no_open_installment_does() {
    let events = captured([settle("2026-12-23", &[1]).into(), part(250_00, R1, 9).into()]);
    // The net's share is R$ 242,50, of which R$ 194,00 is open.
    assert_eq!(
        last_posted(&events),
        [
            ("receivable", -194_00),
            ("available", -48_50),
            ("platform_fees", -7_50),
            ("clearing", 250_00)
        ]
    );
    let events = settled([part(50_00, R1, 9).into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("available", -48_50),
            ("platform_fees", -1_50),
            ("clearing", 50_00)
        ]
    );
}

#[test]
fn shares_are_rounded_so_that_they_sum_to_the_net_and_the_fees() {
    let events = settled([
        refund_of(33, "a", 6).into(),
        refund_of(33, "b", 7).into(),
        refund_of(34, "c", 8).into(),
        refund_of(1, "d", 9).into(),
    ]);
    let nets: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => Some(event.net.get()),
            _ => None,
        })
        .collect();
    // 97 % of 33, 66, 100 and 101 cents is 32, 64, 97 and 98.
    assert_eq!(nets, [32, 32, 33, 1]);
    let whole = settled([refund_of(100_00, "a", 6).into(), cancel(9).into()]);
    assert_eq!(
        last_posted(&whole),
        [
            ("available", -194_00),
            ("platform_fees", -6_00),
            ("clearing", 200_00)
        ]
    );
}

#[test]
fn the_part_that_takes_the_rest_ends_the_sale() {
    for (last, status) in [
        (BusinessCommand::from(part(200_00, R2, 9)), SaleStatus::Canceled),
        (refund_of(200_00, R2, 9).into(), SaleStatus::Refunded),
        (refund_total(300_00, 9).into(), SaleStatus::Refunded),
        (refund(9).into(), SaleStatus::Refunded),
        (reverse(9).into(), SaleStatus::Reversed),
        (cancel(9).into(), SaleStatus::Canceled),
    ] {
        let events = captured([refund_of(100_00, R1, 8).into(), last]);
        assert!(
            matches!(events.last(), Some(BusinessEvent::Sale(SaleEvent::SaleCanceled(canceled))) if canceled.amount == Cents::new(200_00))
        );
        let sale = sale_after(&events);
        assert_eq!((sale.status, sale.open.len()), (status, 0));
        assert_eq!(balances(&events), (0, 1_000_00, 0));
        assert_eq!(replay(&events).accounts.platform_fees, Cents::ZERO);
    }
}

#[test]
fn a_user_s_refund_needs_its_net_share_before_installments_are_touched() {
    let alone = history([capture_at(5).into()]);
    refused(
        alone.clone(),
        part(100_00, R1, 9),
        Refusal::BalanceTooShort {
            needed: Cents::new(97_00),
            available: Cents::ZERO,
        },
    );
    let events = [alone, history([super::super::transfers::credit(97_00).into()])].concat();
    let refunded = replay(&events).decide(&part(100_00, R1, 9).into());
    assert!(refunded.is_ok(), "{refunded:?}");
}

#[test]
fn a_reported_part_is_a_fact_and_may_take_the_balance_below_zero() {
    let withdrawn = super::super::transfers::manual_out(1_291_00);
    let events = settled([withdrawn.into(), refund_of(100_00, R1, 9).into()]);
    assert_eq!(balances(&events), (0, -97_00, 0));
}

#[test]
fn more_than_what_is_left_is_refused() {
    let more = |asked| Refusal::MoreThanLeft {
        left: Cents::new(200_00),
        asked: Cents::new(asked),
    };
    let after_a_part = || captured([refund_of(100_00, R1, 8).into()]);
    refused(after_a_part(), part(200_01, R2, 9), more(200_01));
    refused(after_a_part(), refund_of(300_00, R2, 9), more(300_00));
    refused(after_a_part(), refund_total(300_01, 9), more(200_01));
    let of_300 = Some(Cents::new(300_00));
    let dispute = DisputeSale {
        amount: of_300,
        ..dispute(9)
    };
    refused(after_a_part(), dispute, more(300_00));
    let open = OpenDispute {
        amount: of_300,
        ..open(D1, 9)
    };
    refused(after_a_part(), open, more(300_00));
    let lose = LoseDispute {
        amount: of_300,
        ..lose(D1, 9)
    };
    refused(after_a_part(), lose, more(300_00));
    refused(
        captured([refund_of(100_00, R1, 7).into(), cancel(8).into()]),
        refund_of(1, R2, 9),
        Refusal::MoreThanLeft {
            left: Cents::ZERO,
            asked: Cents::new(1),
        },
    );
}

#[test]
fn a_part_of_nothing_or_of_an_unpaid_sale_is_refused() {
    for cents in [0, -1] {
        refused(captured([]), part(cents, R1, 9), Refusal::AmountOutOfRange);
        refused(captured([]), refund_of(cents, R1, 9), Refusal::AmountOutOfRange);
    }
    refused(vec![], part(1, R1, 9), Refusal::UnknownSale);
    let created = || history([create_at(0).into()]);
    refused(
        created(),
        part(1, R1, 9),
        Refusal::StatusForbids(SaleStatus::Created),
    );
    refused(created(), refund_of(1, R1, 9), Refusal::NotCaptured);
    refused(
        captured([lose(D1, 8).into()]),
        refund_of(1, R1, 9),
        Refusal::StatusForbids(SaleStatus::ChargedBack),
    );
}

#[test]
fn a_refund_is_recorded_once_under_its_id() {
    let differs = Refusal::AmountDiffers {
        recorded: Cents::new(30_00),
        reported: Cents::new(40_00),
    };
    for first in [
        BusinessCommand::from(part(30_00, R1, 8)),
        refund_of(30_00, R1, 8).into(),
    ] {
        adds_nothing(captured([first.clone()]), part(30_00, R1, 9));
        adds_nothing(captured([first.clone()]), refund_of(30_00, R1, 9));
        refused(captured([first.clone()]), part(40_00, R1, 9), differs.clone());
        refused(captured([first]), refund_of(40_00, R1, 9), differs.clone());
    }
    let whole = captured([refund_of(300_00, R1, 8).into()]);
    adds_nothing(whole, refund_of(300_00, R1, 9));
}

#[test]
fn the_echo_of_a_user_s_refund_waits_for_its_answer() {
    let asked = || captured([part(30_00, R1, 8).into()]);
    refused(
        asked(),
        refund_of(30_00, "acquirer_7", 9),
        Refusal::RefundUnanswered(refund_id(R1)),
    );
    let answered = || {
        captured([
            part(30_00, R1, 8).into(),
            answer_refund(R1, Some("acquirer_7"), 9).into(),
        ])
    };
    adds_nothing(answered(), refund_of(30_00, "acquirer_7", 10));
    adds_nothing(answered(), answer_refund(R1, Some("acquirer_7"), 11));
    // Another refund of the same amount is one of its own now.
    assert_eq!(
        left_of(&captured([
            part(30_00, R1, 8).into(),
            answer_refund(R1, Some("acquirer_7"), 9).into(),
            refund_of(30_00, "acquirer_8", 10).into(),
        ])),
        240_00
    );
    // Of another amount, it never was the echo.
    assert_eq!(
        left_of(&captured([
            part(30_00, R1, 8).into(),
            refund_of(20_00, "x", 9).into()
        ])),
        250_00
    );
    refused(
        captured([]),
        answer_refund(R1, None, 9),
        Refusal::UnknownRefund(refund_id(R1)),
    );
}

#[test]
fn only_a_first_part_may_have_no_id() {
    let unnamed = |cents, at| RefundSale {
        refunded: Refunded::Amount {
            amount: Cents::new(cents),
            refund: None,
        },
        ..refund(at)
    };
    let first = || captured([unnamed(30_00, 8).into()]);
    assert_eq!(left_of(&first()), 270_00);
    refused(first(), unnamed(30_00, 9), Refusal::RefundUnnamed);
    refused(first(), refund_of(30_00, R1, 9), Refusal::RefundUnnamed);
    assert_eq!(
        left_of(&captured([
            unnamed(30_00, 8).into(),
            refund_of(40_00, R1, 9).into()
        ])),
        230_00
    );
    refused(
        captured([part(30_00, R1, 8).into()]),
        unnamed(20_00, 9),
        Refusal::RefundUnanswered(refund_id(R1)),
    );
}

#[test]
fn of_a_sum_only_the_difference_is_recorded() {
    let events = captured([
        refund_of(30_00, R1, 7).into(),
        refund_total(50_00, 8).into(),
        refund_total(50_00, 9).into(),
    ]);
    assert_eq!(left_of(&events), 250_00);
    adds_nothing(captured([part(30_00, R1, 7).into()]), refund_total(30_00, 8));
    adds_nothing(captured([cancel(7).into()]), refund_total(300_00, 8));
}

#[test]
fn a_part_is_not_refunded_during_a_dispute() {
    let during = Refusal::RefundDuringDispute(dispute_id(D1));
    let disputed = || captured([open(D1, 8).into()]);
    refused(disputed(), refund_of(30_00, R1, 9), during.clone());
    refused(disputed(), refund_total(30_00, 9), during.clone());
    refused(
        disputed(),
        part(30_00, R1, 9),
        Refusal::StatusForbids(SaleStatus::Dispute),
    );
    let in_part = OpenDispute {
        amount: Some(Cents::new(100_00)),
        ..open(D1, 8)
    };
    let disputed = || captured([in_part.clone().into()]);
    refused(disputed(), refund(9), during.clone());
    refused(disputed(), reverse(9), during);
}

#[test]
fn a_dispute_of_a_part_blocks_its_amount() {
    let in_part = |cents, at| OpenDispute {
        amount: Some(Cents::new(cents)),
        ..open(D1, at)
    };
    let events = captured([in_part(100_00, 8).into()]);
    // R$ 97,00 of the last installment, R$ 3,00 of the one before.
    assert_eq!(
        last_posted(&events),
        [("receivable", -100_00), ("in_dispute", 100_00)]
    );
    assert_eq!(sale_after(&events).open.len(), 2);

    let won = captured([in_part(100_00, 8).into(), win(D1, 9).into()]);
    assert_eq!(
        last_posted(&won),
        [("available", 100_00), ("in_dispute", -100_00)]
    );
    assert_eq!(
        (sale_after(&won).status, left_of(&won)),
        (SaleStatus::Succeeded, 300_00)
    );

    let lost = captured([in_part(100_00, 8).into(), lose(D1, 9).into()]);
    assert_eq!(
        last_posted(&lost),
        [("in_dispute", -100_00), ("clearing", 100_00)]
    );
    assert_eq!(
        (sale_after(&lost).status, left_of(&lost)),
        (SaleStatus::Succeeded, 200_00)
    );

    // The fees of the lost part stay with the platform.
    let ended = captured([in_part(100_00, 8).into(), lose(D1, 9).into(), refund(10).into()]);
    assert_eq!(sale_after(&ended).status, SaleStatus::ChargedBack);
    assert_eq!(balances(&ended), (0, 1_000_00 - 3_00, 0));
    let lost_whole = captured([in_part(100_00, 8).into(), lose(D1, 9).into(), lose(D2, 10).into()]);
    assert_eq!(sale_after(&lost_whole).status, SaleStatus::ChargedBack);
    assert_eq!(balances(&lost_whole), (0, 1_000_00 - 9_00, 0));
}

#[test]
fn the_end_of_a_dispute_of_a_part_names_no_other_amount() {
    let opened = |amount| OpenDispute {
        amount,
        ..open(D1, 8)
    };
    let lost = LoseDispute {
        amount: Some(Cents::new(90_00)),
        ..lose(D1, 9)
    };
    refused(
        captured([opened(Some(Cents::new(100_00))).into()]),
        lost,
        Refusal::AmountDiffers {
            recorded: Cents::new(100_00),
            reported: Cents::new(90_00),
        },
    );
    // The acquirer confirms a user's dispute of a part under its own id.
    let ours = DisputeSale {
        amount: Some(Cents::new(100_00)),
        ..dispute(7)
    };
    let won = captured([ours.clone().into(), opened(None).into(), win(D1, 9).into()]);
    assert_eq!(
        last_posted(&won),
        [("available", 100_00), ("in_dispute", -100_00)]
    );
    refused(
        captured([ours.into()]),
        opened(Some(Cents::new(300_00))),
        Refusal::AmountDiffers {
            recorded: Cents::new(100_00),
            reported: Cents::new(300_00),
        },
    );
}

#[test]
fn a_chargeback_of_a_part_may_have_no_dispute() {
    let lost = LoseDispute {
        amount: Some(Cents::new(100_00)),
        ..lose(D1, 9)
    };
    let events = settled([lost.into()]);
    assert_eq!(
        last_posted(&events),
        [("available", -100_00), ("clearing", 100_00)]
    );
    assert_eq!(
        (sale_after(&events).status, left_of(&events)),
        (SaleStatus::Succeeded, 200_00)
    );
}

#[test]
fn a_repeat_of_the_refund_of_a_rest_adds_nothing_although_a_part_was_charged_back() {
    let lost = LoseDispute {
        amount: Some(Cents::new(100_00)),
        ..lose(D1, 7)
    };
    let events = || captured([lost.clone().into(), refund(8).into()]);
    assert_eq!(sale_after(&events()).status, SaleStatus::ChargedBack);
    adds_nothing(events(), refund(9));
    adds_nothing(events(), refund_total(200_00, 9));
    refused(
        events(),
        refund_of(10_00, R1, 9),
        Refusal::MoreThanLeft {
            left: Cents::ZERO,
            asked: Cents::new(10_00),
        },
    );
}

/// The company was not active: what settles of its sale is held.
fn held<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    let capture = CaptureSale {
        context: SaleContext {
            company_status: CompanyStatus::Denied,
            ..context_at(minute(5))
        },
        ..capture_at(5)
    };
    let before = [
        super::super::transfers::credit(1_000_00).into(),
        capture.into(),
        settle("2026-12-23", &[1]).into(),
        settle("2027-01-22", &[2]).into(),
    ];
    history(before.into_iter().chain(commands))
}

#[test]
fn what_is_held_of_the_sale_pays_for_its_parts() {
    assert_eq!(balances(&held([])), (97_00, 1_000_00, 194_00));
    // The open installment pays R$ 97,00, and the held money R$ 48,50.
    let events = held([refund_of(150_00, R1, 9).into()]);
    assert_eq!(balances(&events), (0, 1_000_00, 145_50));
    let ended = held([refund_of(150_00, R1, 9).into(), refund_of(150_00, R2, 10).into()]);
    assert_eq!(balances(&ended), (0, 1_000_00, 0));

    let in_part = OpenDispute {
        amount: Some(Cents::new(150_00)),
        ..open(D1, 8)
    };
    let disputed = held([in_part.clone().into()]);
    assert_eq!(balances(&disputed), (0, 1_000_00, 141_00));
    let won = held([in_part.into(), win(D1, 9).into()]);
    assert_eq!(balances(&won), (0, 1_000_00, 291_00));
}

#[test]
fn a_preview_of_a_part_shows_what_it_takes() {
    let business = replay(&captured([]));
    let preview = business.preview_refund(&part(130_00, R1, 9)).expect("a preview");
    assert!(preview.is_covered());
    assert_eq!(preview.needed, Cents::new(126_10));
    assert_eq!(preview.consumed_total(), Cents::new(126_10));
    assert_eq!(preview.after.available, preview.before.available);
    let whole = business.preview_refund(&part(300_00, R1, 9)).expect("a preview");
    assert_eq!((whole.consumed.len(), whole.accelerated.len()), (0, 3));
}
