//! Sales canceled, voided, refunded and reversed, and repeated notices that add no event.

use super::*;
use crate::sale::Cancellation;

fn canceled(at: i64, outcome: Cancellation, initiator: Initiator, reason: Option<&str>) -> BusinessEvent {
    BusinessEvent::from(SaleCanceled {
        occurred_at: minute(at),
        sale_id: sale_facts().sale_id,
        outcome,
        initiator,
        amount: Cents::new(300_00),
        fees: Cents::new(9_00),
        net: Cents::new(291_00),
        blocked_by: None,
        accelerated: accelerated_installments(),
        refund: None,
        reason: reason.map(str::to_owned),
        names: PaymentNames::default(),
    })
}

#[tokio::test]
async fn a_user_cancels_a_sale() {
    given(captured([]))
        .when_async(cancel(9).into())
        .await
        .then_expect_events(vec![canceled(
            9,
            Cancellation::Canceled,
            Initiator::Platform,
            None,
        )]);
}

#[tokio::test]
async fn a_sale_is_refunded() {
    let refunded = canceled(
        9,
        Cancellation::Refunded,
        Initiator::Acquirer,
        Some("requested_by_buyer"),
    );
    given(captured([]))
        .when_async(refund(9).into())
        .await
        .then_expect_events(vec![refunded]);
}

#[tokio::test]
async fn a_sale_is_reversed() {
    given(captured([]))
        .when_async(reverse(9).into())
        .await
        .then_expect_events(vec![canceled(
            9,
            Cancellation::Reversed,
            Initiator::Acquirer,
            None,
        )]);
}

#[test]
fn a_void_dated_after_the_capture_cancels() {
    let reported = canceled(9, Cancellation::Canceled, Initiator::Acquirer, Some("expired"));
    given(captured([]))
        .when(void_at(9).into())
        .then_expect_events(vec![reported]);
}

#[test]
fn only_open_installments_are_accelerated() {
    let events = captured([settle("2026-12-23", &[1]).into(), refund(9).into()]);
    let Some(BusinessEvent::Sale(SaleEvent::SaleCanceled(canceled))) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(canceled.accelerated, accelerated_installments()[1..]);
    assert_eq!(sale_after(&events).open, []);
}

#[test]
fn an_accelerated_installment_does_not_settle_again() {
    adds_nothing(captured([refund(9).into()]), settle("2026-12-23", &[1]));
}

#[test]
fn a_capture_with_a_later_void_is_recorded_and_canceled_at_once() {
    let voided = history([create_at(0).into(), void_at(6).into()]);
    let mut captured = history([create_at(0).into(), capture_of_created(0, 5).into()]);
    given(voided)
        .when(capture_of_created(0, 5).into())
        .then_expect_events(vec![
            captured.remove(1),
            canceled(6, Cancellation::Canceled, Initiator::Acquirer, None),
        ]);
}

/// The platform refunds the buyer of each sale that it cancels itself.
#[test]
fn a_payment_after_a_void_by_the_platform_is_canceled_by_the_platform() {
    let events = history([
        create_at(0).into(),
        void_by_platform(6).into(),
        capture_of_created(0, 5).into(),
    ]);
    assert_eq!(
        events.last(),
        Some(&canceled(6, Cancellation::Canceled, Initiator::Platform, None))
    );
}

#[test]
fn a_voided_sale_on_a_plan_of_zero_days_settles_and_is_canceled() {
    let mut capture = capture_of_created(0, 5);
    let at_once = PlanTerms {
        pix_fee: PixFee::Fixed(Cents::new(1_00)),
        settlement_days: 0,
        ..terms()
    };
    capture.sale = pix_facts();
    capture.context.terms = Some(Arc::new(at_once));
    let create = CreateSale {
        sale: pix_facts(),
        ..create_at(0)
    };
    let events = history([create.into(), void_at(6).into(), capture.into()]);
    let types: Vec<_> = events.iter().map(BusinessEvent::type_name).collect();
    let expected = [
        "SaleCreated",
        "SaleVoided",
        "SaleCaptured",
        "ReceivablesSettled",
        "SaleCanceled",
    ];
    assert_eq!(types, expected);
    assert_eq!(replay(&events).accounts, Accounts::default());
    let Some(BusinessEvent::Sale(SaleEvent::SaleCanceled(canceled))) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(canceled.accelerated, []);
}

#[test]
fn a_returned_sale_is_not_returned_again() {
    for returned in [
        captured([cancel(9).into()]),
        captured([void_at(9).into()]),
        captured([refund(9).into()]),
        captured([reverse(9).into()]),
    ] {
        adds_nothing(returned.clone(), refund(10));
        adds_nothing(returned.clone(), reverse(10));
        adds_nothing(returned, void_at(10));
    }
}

#[test]
fn a_void_repeated_after_the_returned_payment_adds_nothing() {
    let given_back = history([
        create_at(0).into(),
        void_by_platform(6).into(),
        capture_of_created(0, 5).into(),
    ]);
    adds_nothing(given_back.clone(), void_by_platform(6));
    adds_nothing(given_back, void_at(6));
}

#[test]
fn a_void_dated_before_the_payment_adds_nothing_from_either_initiator() {
    adds_nothing(captured([]), void_at(4));
    adds_nothing(captured([]), void_by_platform(4));
    adds_nothing(captured([lose(D1, 8).into()]), void_at(4));
}

#[test]
fn a_refund_during_a_dispute_ends_it() {
    for reported in [refund(9).into(), reverse(9).into(), void_at(9).into()] {
        let events = captured([open(D1, 7).into(), reported]);
        let Some(BusinessEvent::Sale(SaleEvent::SaleCanceled(canceled))) = events.last() else {
            panic!("{events:?}");
        };
        assert_eq!(canceled.blocked_by, Some(dispute_id(D1)));
        let sale = sale_after(&events);
        assert_eq!(sale.status, canceled.outcome.status());
        assert_eq!(sale.disputes[0].stage, DisputeStage::Closed);
        adds_nothing(events, win(D1, 10));
    }
}

#[test]
fn a_refund_can_make_the_balance_negative_and_a_user_s_cancel_cannot() {
    let captured = || vec![capture_at(5).into()];
    let refunded = history(
        captured()
            .into_iter()
            .chain([settle("2026-12-23", &[1]).into()])
            .chain([
                super::super::transfers::manual_out(97_00).into(),
                refund(9).into(),
            ]),
    );
    assert_eq!(replay(&refunded).accounts.available, Cents::new(-97_00));

    let short = Refusal::BalanceTooShort {
        needed: Cents::new(291_00),
        available: Cents::ZERO,
    };
    refused(history(captured()), cancel(9), short);
}

#[test]
fn a_cancel_needs_the_net_before_acceleration() {
    let with = |cents| {
        history([
            super::super::transfers::credit(cents).into(),
            capture_at(5).into(),
        ])
    };
    let short = Refusal::BalanceTooShort {
        needed: Cents::new(291_00),
        available: Cents::new(290_99),
    };
    refused(with(290_99), cancel(9), short);
    let canceled = canceled(9, Cancellation::Canceled, Initiator::Platform, None);
    given(with(291_00))
        .when(cancel(9).into())
        .then_expect_events(vec![canceled]);
}
