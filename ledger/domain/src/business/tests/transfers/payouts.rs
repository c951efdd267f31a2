//! Payout results that arrive late, repeatedly or unexpectedly: no money is lost and none is paid twice.

use super::*;
use crate::business::tests::reversals::{cancel_rental, rental};
use crate::transfer::{PayoutNames, TransferStatus};

/// `overrules` is the status that the bank's report overrules; staff are then alerted.
fn approved_by(payout: u128, overrules: Option<TransferStatus>) -> BusinessEvent {
    BusinessEvent::from(TransferApproved {
        occurred_at: minute(5),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        fee: Cents::new(5_00),
        payout_id: Some(payout_id(payout)),
        overrules,
        names: PayoutNames::default(),
    })
}

/// (available, in_transfer, platform_fees, clearing) after the bank paid the withdrawal once.
const PAID_ONCE: (i64, i64, i64, i64) = (500_00 - 300_00, 0, 5_00, -500_00 + 295_00);

fn taken_again_from(from: TransferStatus) -> BusinessEvent {
    BusinessEvent::from(TransferReopened {
        occurred_at: minute(5),
        transfer_id: transfer_id(1),
        from,
        taken: Cents::new(300_00),
    })
}

fn assert_events(
    given_events: Vec<BusinessEvent>,
    command: impl Into<BusinessCommand>,
    expected: Vec<BusinessEvent>,
) {
    given(given_events)
        .when(command.into())
        .then_expect_events(expected);
}

#[test]
fn a_paid_payout_approves_its_transfer() {
    assert_events(
        after_request([pay_out(1).into()]),
        paid(1),
        vec![approved_by(1, None)],
    );
    let events = after_request([pay_out(1).into(), paid(1).into()]);
    assert_eq!(balances(&events), PAID_ONCE);
}

#[test]
fn a_failed_payout_returns_the_money() {
    let returned = BusinessEvent::from(TransferFailed {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        payout_id: Some(payout_id(1)),
        reason: Some("account_closed".to_owned()),
    });
    assert_events(after_request([pay_out(1).into()]), failed(1), vec![returned]);
    let events = after_request([pay_out(1).into(), failed(1).into()]);
    assert_eq!(balances(&events), (500_00, 0, 0, -500_00));
}

#[test]
fn a_repeated_result_adds_nothing() {
    assert_events(
        after_request([pay_out(1).into(), paid(1).into()]),
        paid(1),
        vec![],
    );
    assert_events(
        after_request([pay_out(1).into(), failed(1).into()]),
        failed(1),
        vec![],
    );
    // Repeated while the second payout is in flight, and after it was paid.
    assert_events(after_second([]), failed(1), vec![]);
    assert_events(after_second([paid(2).into()]), failed(1), vec![]);
}

#[test]
fn a_payout_paid_after_its_failure_is_charged_again_and_alerts_staff() {
    let events = after_request([pay_out(1).into(), failed(1).into()]);
    let expected = vec![
        taken_again_from(TransferStatus::Failed),
        approved_by(1, Some(TransferStatus::Failed)),
    ];
    assert_events(events, paid(1), expected);
    let events = after_request([pay_out(1).into(), failed(1).into(), paid(1).into()]);
    assert_eq!(balances(&events), PAID_ONCE);
}

#[test]
fn a_paid_payout_is_charged_even_below_zero() {
    let spent = 500_00;
    let events = after_request([
        pay_out(1).into(),
        failed(1).into(),
        manual_out(spent).into(),
        paid(1).into(),
    ]);
    assert_eq!(
        balances(&events),
        (500_00 - spent - 300_00, 0, 5_00, -500_00 + spent + 295_00)
    );
}

#[test]
fn a_paid_payout_of_a_refused_transfer_is_charged_again_and_alerts_staff() {
    let refused = || {
        after_request([
            pay_out(1).into(),
            failed(1).into(),
            reopen().into(),
            refuse().into(),
        ])
    };
    let expected = vec![
        taken_again_from(TransferStatus::Refused),
        approved_by(1, Some(TransferStatus::Refused)),
    ];
    assert_events(refused(), paid(1), expected.clone());
    assert_eq!(balances(&[refused(), expected].concat()), PAID_ONCE);
}

#[test]
fn a_paid_payout_of_a_pending_transfer_is_taken_from_in_transfer_and_alerts_staff() {
    assert_events(
        after_request([pay_out(1).into(), failed(1).into(), reopen().into()]),
        paid(1),
        vec![approved_by(1, Some(TransferStatus::Pending))],
    );
}

#[test]
fn a_paid_payout_during_a_manual_payment_alerts_staff() {
    let by_hand = after_request([
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        process().into(),
    ]);
    assert_events(
        by_hand,
        paid(1),
        vec![approved_by(1, Some(TransferStatus::Processing))],
    );
}

/// A first payout failed, a second one is in flight, and then the commands.
fn after_second(commands: impl IntoIterator<Item = BusinessCommand>) -> Vec<BusinessEvent> {
    let second_in_flight: [BusinessCommand; 6] = [
        credit(500_00).into(),
        request(300_00).into(),
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        pay_out(2).into(),
    ];
    history(second_in_flight.into_iter().chain(commands))
}

/// The transfer is paid at once. If it waited for the second payout's result, a third could be sent.
#[test]
fn an_earlier_payout_paid_while_a_later_one_is_in_flight_approves_and_alerts_staff() {
    let expected = vec![approved_by(1, Some(TransferStatus::Processing))];
    assert_events(after_second([]), paid(1), expected);
    assert_eq!(balances(&after_second([paid(1).into()])), PAID_ONCE);
}

#[test]
fn after_an_earlier_payment_the_later_failure_adds_nothing_and_no_third_is_sent() {
    let paid_by_the_first = || after_second([paid(1).into()]);
    assert_events(paid_by_the_first(), failed(2), vec![]);
    assert_events(paid_by_the_first(), paid(1), vec![]);
    for command in [
        reopen().into(),
        pay_out(3).into(),
        process().into(),
        approve().into(),
    ] {
        given(paid_by_the_first())
            .when(command)
            .then_expect_error(TransferRefusal::StatusForbids(TransferStatus::Approved).into());
    }
}

#[test]
fn after_an_earlier_payment_the_later_payment_is_a_second_one() {
    given(after_second([paid(1).into()]))
        .when(paid(2).into())
        .then_expect_error(TransferRefusal::PaidTwice.into());
    given(after_second([paid(2).into()]))
        .when(paid(1).into())
        .then_expect_error(TransferRefusal::PaidTwice.into());
}

#[test]
fn an_unknown_payout_does_not_end_the_one_in_flight() {
    for command in [paid(3).into(), failed(3).into()] {
        given(after_second([]))
            .when(command)
            .then_expect_error(TransferRefusal::AnotherPayoutInFlight.into());
    }
}

#[test]
fn a_failure_older_than_the_payment_adds_nothing() {
    assert_events(
        after_request([pay_out(1).into(), paid(1).into()]),
        failed(1),
        vec![],
    );
}

#[test]
fn a_failure_that_is_not_older_or_of_another_payout_is_refused() {
    let at_once = PayoutFailed {
        occurred_at: paid(1).occurred_at,
        ..failed(1)
    };
    for failure in [at_once, failed(2)] {
        given(after_request([pay_out(1).into(), paid(1).into()]))
            .when(failure.into())
            .then_expect_error(TransferRefusal::StatusForbids(TransferStatus::Approved).into());
    }
}

/// Both transfers have a status in which a withdrawal would be charged again or reported as paid twice.
#[test]
fn a_payout_result_for_another_kind_of_transfer_is_refused() {
    let charge = ChargeTerminalRental {
        transfer_id: transfer_id(1),
        ..rental(49_90)
    };
    let canceled_rental = history([
        charge.into(),
        CancelTerminalRental {
            transfer_id: transfer_id(1),
            ..cancel_rental()
        }
        .into(),
    ]);
    let manual_transfer = history([MakeManualTransfer {
        transfer_id: transfer_id(1),
        ..credit(500_00)
    }
    .into()]);
    for events in [canceled_rental, manual_transfer] {
        let answers: [BusinessCommand; 4] = [
            paid(1).into(),
            failed(1).into(),
            returned(1).into(),
            return_by_hand().into(),
        ];
        for answer in answers {
            given(events.clone())
                .when(answer)
                .then_expect_error(TransferRefusal::NotAWithdrawal.into());
        }
    }
}
