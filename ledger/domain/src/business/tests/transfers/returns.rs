//! Withdrawals that the bank gives back after it had paid them.

use super::*;
use crate::transfer::{PayoutNames, TransferStatus};

/// What `returned` and a failure after the payment record. `fee` is the part that the platform gives back.
fn given_back(fee: i64) -> TransferReturned {
    TransferReturned {
        occurred_at: minute(6),
        transfer_id: transfer_id(1),
        paid: Cents::new(295_00),
        fee: Cents::new(fee),
        payout_id: Some(payout_id(1)),
        reason: Some("Conta encerrada".to_owned()),
        names: PayoutNames::default(),
    }
}

fn paid_by_bank<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    let first: [BusinessCommand; 2] = [pay_out(1).into(), paid(1).into()];
    let asked: [BusinessCommand; 2] = [credit(500_00).into(), request(300_00).into()];
    history(asked.into_iter().chain(first).chain(commands))
}

fn assert_returned(
    given_events: Vec<BusinessEvent>,
    command: impl Into<BusinessCommand>,
    event: TransferReturned,
) {
    given(given_events)
        .when(command.into())
        .then_expect_events(vec![event.into()]);
}

fn assert_refused(
    given_events: Vec<BusinessEvent>,
    command: impl Into<BusinessCommand>,
    refusal: TransferRefusal,
) {
    given(given_events)
        .when(command.into())
        .then_expect_error(refusal.into());
}

fn adds_nothing(given_events: Vec<BusinessEvent>, command: impl Into<BusinessCommand>) {
    given(given_events)
        .when(command.into())
        .then_expect_events(vec![]);
}

#[test]
fn a_returned_payout_is_available_again_without_its_fee() {
    assert_returned(paid_by_bank([]), returned(1), given_back(0));
    let events = paid_by_bank([returned(1).into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 295_00), ("clearing", -295_00)]
    );
    assert_eq!(balances(&events), (500_00 - 5_00, 0, 5_00, -500_00));
}

#[test]
fn the_fee_comes_back_too_if_the_platform_gives_it_back() {
    let with_fee = PayoutReturned {
        fee: ReturnedFee::GivenBack,
        ..returned(1)
    };
    assert_returned(paid_by_bank([]), with_fee.clone(), given_back(5_00));
    let events = paid_by_bank([with_fee.into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("available", 300_00),
            ("platform_fees", -5_00),
            ("clearing", -295_00)
        ]
    );
    assert_eq!(balances(&events), (500_00, 0, 0, -500_00));
}

#[test]
fn a_failure_after_the_payment_means_that_the_money_came_back() {
    let failed_later = |fee| PayoutFailed {
        occurred_at: minute(6),
        reason: Some("Conta encerrada".to_owned()),
        fee,
        ..failed(1)
    };
    assert_returned(paid_by_bank([]), failed_later(ReturnedFee::Kept), given_back(0));
    assert_returned(
        paid_by_bank([]),
        failed_later(ReturnedFee::GivenBack),
        given_back(5_00),
    );
    // A bank that reported it as failed, as paid, and then gives it back.
    let corrected = after_request([pay_out(1).into(), failed(1).into(), paid(1).into()]);
    assert_returned(corrected, failed_later(ReturnedFee::Kept), given_back(0));
    // Under either name, the second report of one return adds nothing.
    adds_nothing(
        paid_by_bank([returned(1).into()]),
        failed_later(ReturnedFee::Kept),
    );
    adds_nothing(
        paid_by_bank([failed_later(ReturnedFee::Kept).into()]),
        returned(1),
    );
}

#[test]
fn staff_record_the_return_of_a_payout_or_of_a_manual_payment() {
    let by_staff = |payout_id| TransferReturned {
        reason: Some("TED devolvida".to_owned()),
        payout_id,
        ..given_back(0)
    };
    assert_returned(paid_by_bank([]), return_by_hand(), by_staff(Some(payout_id(1))));
    assert_returned(
        after_request([approve().into()]),
        return_by_hand(),
        by_staff(None),
    );
    // The bank reports later what staff had recorded.
    adds_nothing(paid_by_bank([return_by_hand().into()]), returned(1));
}

#[test]
fn staff_do_not_record_a_return_without_a_reason() {
    let without_reason = ReturnTransfer {
        reason: " ".to_owned(),
        ..return_by_hand()
    };
    assert_refused(paid_by_bank([]), without_reason, TransferRefusal::ReasonMissing);
}

#[test]
fn only_a_paid_withdrawal_is_returned() {
    for (events, status) in [
        (after_request([]), TransferStatus::Pending),
        (after_request([pay_out(1).into()]), TransferStatus::Processing),
        (after_request([refuse().into()]), TransferStatus::Refused),
        (
            after_request([pay_out(1).into(), failed(1).into()]),
            TransferStatus::Failed,
        ),
    ] {
        let refusal = TransferRefusal::StatusForbids(status);
        assert_refused(events.clone(), returned(1), refusal.clone());
        assert_refused(events, return_by_hand(), refusal);
    }
}

#[test]
fn a_return_of_a_payout_that_did_not_pay_is_refused() {
    assert_refused(
        paid_by_bank([]),
        returned(2),
        TransferRefusal::StatusForbids(TransferStatus::Approved),
    );
    assert_refused(
        after_request([approve().into()]),
        returned(1),
        TransferRefusal::StatusForbids(TransferStatus::Approved),
    );
    let second_in_flight = after_request([
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        pay_out(2).into(),
    ]);
    assert_refused(
        second_in_flight,
        returned(1),
        TransferRefusal::AnotherPayoutInFlight,
    );
}

#[test]
fn nothing_comes_back_of_a_withdrawal_of_exactly_its_fee() {
    let events = funded([request(5_00).into(), approve().into()]);
    assert_refused(events, return_by_hand(), TransferRefusal::NothingToPayOut);
}

#[test]
fn a_return_is_final() {
    let events = || paid_by_bank([returned(1).into()]);
    assert_refused(events(), reopen(), TransferRefusal::Returned);
    assert_refused(events(), return_by_hand(), TransferRefusal::Returned);
    for command in [
        pay_out(2).into(),
        process().into(),
        approve().into(),
        refuse().into(),
        fail().into(),
    ] {
        given(events())
            .when(command)
            .then_expect_error(TransferRefusal::StatusForbids(TransferStatus::Failed).into());
    }
}

#[test]
fn a_repeated_return_adds_nothing() {
    let later = PayoutReturned {
        occurred_at: minute(9),
        ..returned(1)
    };
    adds_nothing(paid_by_bank([returned(1).into()]), returned(1));
    adds_nothing(paid_by_bank([returned(1).into()]), later);
    // The failure that the payment had corrected.
    adds_nothing(paid_by_bank([returned(1).into()]), failed(1));
}

#[test]
fn the_payment_that_was_returned_may_be_reported_again() {
    adds_nothing(paid_by_bank([returned(1).into()]), paid(1));
    // Another instant before the return, from a look-up.
    let earlier = PayoutPaid {
        occurred_at: minute(4),
        ..paid(1)
    };
    adds_nothing(paid_by_bank([returned(1).into()]), earlier);
}

#[test]
fn a_payment_after_the_return_is_for_staff() {
    let at = |minutes| PayoutPaid {
        occurred_at: minute(minutes),
        ..paid(1)
    };
    for paid_again in [at(6), at(7), paid(2)] {
        assert_refused(
            paid_by_bank([returned(1).into()]),
            paid_again,
            TransferRefusal::PaidAfterReturn,
        );
    }
}

fn requested_again() -> RequestTransfer {
    RequestTransfer {
        transfer_id: transfer_id(2),
        occurred_at: minute(600),
        ..request(100_00)
    }
}

#[test]
fn the_next_request_to_a_returned_destination_needs_a_confirmation() {
    let events = || paid_by_bank([returned(1).into()]);
    assert_refused(events(), requested_again(), TransferRefusal::DestinationReturned);
    let confirmed = RequestTransfer {
        confirm_destination: true,
        ..requested_again()
    };
    let after = paid_by_bank([returned(1).into(), confirmed.into()]);
    assert_eq!(
        after.last().map(BusinessEvent::type_name),
        Some("TransferRequested")
    );
    // The confirmation holds for the requests that follow.
    let third = RequestTransfer {
        transfer_id: transfer_id(3),
        occurred_at: minute(700),
        ..request(50_00)
    };
    let requested = replay(&after).decide(&third.into()).expect("a withdrawal");
    assert_eq!(requested.len(), 1);
}

#[test]
fn another_destination_needs_no_confirmation() {
    let by_pix = RequestTransfer {
        destination: DestinationKind::Pix,
        context: WithdrawalContext {
            destination: Some(pix()),
            ..request(1).context
        },
        ..requested_again()
    };
    let events = replay(&paid_by_bank([returned(1).into()])).decide(&by_pix.into());
    assert_eq!(events.map(|events| events.len()), Ok(1));
}

/// The same amount to the same destination within the window, after a return: both confirmations are asked for.
#[test]
fn a_confirmed_destination_does_not_confirm_a_duplicate() {
    let at_once = RequestTransfer {
        transfer_id: transfer_id(2),
        occurred_at: minute(7),
        confirm_destination: true,
        ..request(300_00)
    };
    assert_refused(
        paid_by_bank([returned(1).into()]),
        at_once,
        TransferRefusal::PossibleDuplicate(Cents::new(300_00)),
    );
}
