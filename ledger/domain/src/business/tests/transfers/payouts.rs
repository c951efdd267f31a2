//! The bank answers, late, twice and against what was thought: no money is lost and none is paid twice.

use super::*;
use crate::transfer::TransferStatus;

fn approved_by(payout: u128, overrules: Option<TransferStatus>) -> BusinessEvent {
    BusinessEvent::TransferApproved(TransferApproved {
        occurred_at: minute(5),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        fee: Cents::new(5_00),
        payout_id: Some(payout_id(payout)),
        overrules,
    })
}

fn taken_again_from(from: TransferStatus) -> BusinessEvent {
    BusinessEvent::TransferReopened(TransferReopened {
        occurred_at: minute(5),
        transfer_id: transfer_id(1),
        from,
        taken: Cents::new(300_00),
    })
}

fn told(given_events: Vec<BusinessEvent>, command: impl Into<BusinessCommand>, expected: Vec<BusinessEvent>) {
    given(given_events)
        .when(command.into())
        .then_expect_events(expected);
}

#[test]
fn a_payout_told_paid_approves_its_transfer() {
    told(asked([pay_out(1).into()]), paid(1), vec![approved_by(1, None)]);
    let events = asked([pay_out(1).into(), paid(1).into()]);
    assert_eq!(balances(&events), (200_00, 0, 5_00, -205_00));
}

#[test]
fn a_payout_told_failed_returns_the_money() {
    let returned = BusinessEvent::TransferFailed(TransferFailed {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        payout_id: Some(payout_id(1)),
        reason: Some("account_closed".to_owned()),
    });
    told(asked([pay_out(1).into()]), failed(1), vec![returned]);
    let events = asked([pay_out(1).into(), failed(1).into()]);
    assert_eq!(balances(&events), (500_00, 0, 0, -500_00));
}

#[test]
fn what_a_bank_tells_twice_adds_nothing() {
    told(asked([pay_out(1).into(), paid(1).into()]), paid(1), vec![]);
    told(asked([pay_out(1).into(), failed(1).into()]), failed(1), vec![]);
    // Told again while the second attempt is in flight, and after it paid.
    let second = [
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        pay_out(2).into(),
    ];
    told(asked(second.clone()), failed(1), vec![]);
    let [first, back, again, sent] = second;
    told(
        asked([first, back, again, sent, paid(2).into()]),
        failed(1),
        vec![],
    );
}

#[test]
fn a_payout_told_paid_after_it_failed_is_taken_again_and_alarms() {
    let events = asked([pay_out(1).into(), failed(1).into()]);
    let expected = vec![
        taken_again_from(TransferStatus::Failed),
        approved_by(1, Some(TransferStatus::Failed)),
    ];
    told(events, paid(1), expected);
    let events = asked([pay_out(1).into(), failed(1).into(), paid(1).into()]);
    assert_eq!(balances(&events), (200_00, 0, 5_00, -205_00));
}

#[test]
fn what_a_bank_paid_is_taken_even_below_zero() {
    let spent = manual_out(500_00);
    let events = asked([pay_out(1).into(), failed(1).into(), spent.into(), paid(1).into()]);
    assert_eq!(balances(&events), (-300_00, 0, 5_00, 295_00));
}

#[test]
fn a_payout_told_paid_for_a_refused_transfer_is_taken_again_and_alarms() {
    let refused = || {
        asked([
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
    told(refused(), paid(1), expected.clone());
    assert_eq!(
        balances(&[refused(), expected].concat()),
        (200_00, 0, 5_00, -205_00)
    );
}

#[test]
fn a_payout_told_paid_for_a_pending_transfer_takes_what_is_set_aside_and_alarms() {
    told(
        asked([pay_out(1).into(), failed(1).into(), reopen().into()]),
        paid(1),
        vec![approved_by(1, Some(TransferStatus::Pending))],
    );
}

#[test]
fn a_payout_told_paid_while_a_person_pays_by_hand_alarms() {
    let by_hand = asked([
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        process().into(),
    ]);
    told(
        by_hand,
        paid(1),
        vec![approved_by(1, Some(TransferStatus::Processing))],
    );
}

/// The notice waits for the second payout, whose end decides: failed, and the first one's money is the transfer's.
#[test]
fn an_earlier_payout_told_paid_waits_for_the_one_in_flight() {
    let in_flight = || {
        vec![
            pay_out(1).into(),
            failed(1).into(),
            reopen().into(),
            pay_out(2).into(),
        ]
    };
    let after = |end: Option<BusinessCommand>| {
        let mut commands = vec![credit(500_00).into(), request(300_00).into()];
        commands.extend(in_flight());
        commands.extend(end);
        given(history(commands)).when(paid(1).into())
    };
    after(None).then_expect_error(TransferRefusal::AnotherPayoutInFlight.into());
    after(Some(paid(2).into())).then_expect_error(TransferRefusal::PaidTwice.into());
    after(Some(failed(2).into())).then_expect_events(vec![
        taken_again_from(TransferStatus::Failed),
        approved_by(1, Some(TransferStatus::Failed)),
    ]);
}
