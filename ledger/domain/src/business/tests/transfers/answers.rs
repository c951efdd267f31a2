//! Staff answer: one yes or two, by hand or by payout, a no, and a second try.

use super::*;
use crate::transfer::TransferStatus;

fn status(events: &[BusinessEvent]) -> TransferStatus {
    replay(events).transfers[&transfer_id(1)].status
}

#[test]
fn the_first_of_two_yeses_leaves_the_transfer_pending() {
    let given_by_ana = BusinessEvent::TransferApprovalGiven(TransferApprovalGiven {
        occurred_at: minute(1),
        transfer_id: transfer_id(1),
        by: ANA,
    });
    given(asked([]))
        .when(yes_of(ANA).into())
        .then_expect_events(vec![given_by_ana]);
    let events = asked([yes_of(ANA).into()]);
    assert_eq!(status(&events), TransferStatus::Pending);
    assert!(last_posted(&events).is_empty());
}

#[test]
fn the_second_yes_of_another_person_approves_or_starts_the_payout() {
    let approved = ApproveTransfer {
        by: BIA,
        approvals: Approvals::Two,
        ..approve()
    };
    let sent = ProcessTransfer {
        by: BIA,
        approvals: Approvals::Two,
        ..pay_out(1)
    };
    assert_eq!(
        status(&asked([yes_of(ANA).into(), approved.into()])),
        TransferStatus::Approved
    );
    assert_eq!(
        status(&asked([yes_of(ANA).into(), sent.into()])),
        TransferStatus::Processing
    );
}

#[test]
fn a_transfer_is_processed_by_hand_or_by_a_payout_and_no_money_moves_yet() {
    for (command, payout_id) in [(process(), None), (pay_out(7), Some(payout_id(7)))] {
        let processing = BusinessEvent::TransferProcessing(TransferProcessing {
            occurred_at: minute(2),
            transfer_id: transfer_id(1),
            payout_id,
        });
        assert!(processing.moves().is_empty());
        given(asked([]))
            .when(command.into())
            .then_expect_events(vec![processing]);
    }
}

#[test]
fn a_transfer_is_approved_from_pending_and_once_it_was_paid_by_hand() {
    let approved = BusinessEvent::TransferApproved(TransferApproved {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        fee: Cents::new(5_00),
        payout_id: None,
        overrules: None,
    });
    for given_events in [asked([]), asked([process().into()])] {
        given(given_events)
            .when(approve().into())
            .then_expect_events(vec![approved.clone()]);
    }
}

/// The yeses were asked for before the payment began: after it there is only its result to record.
#[test]
fn what_is_being_paid_by_hand_needs_no_second_yes() {
    let by_ana_alone = ApproveTransfer {
        approvals: Approvals::Two,
        ..approve()
    };
    assert_eq!(
        status(&asked([process().into(), by_ana_alone.into()])),
        TransferStatus::Approved
    );
}

#[test]
fn a_refused_transfer_goes_back_to_the_balance() {
    let refused = BusinessEvent::TransferRefused(TransferRefused {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        reason: "Conta de outro titular".to_owned(),
    });
    given(asked([]))
        .when(refuse().into())
        .then_expect_events(vec![refused]);
    let events = asked([refuse().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_transfer", -300_00)]
    );
    assert_eq!(balances(&events), (500_00, 0, 0, -500_00));
}

#[test]
fn a_transfer_that_could_not_be_paid_by_hand_goes_back_to_the_balance() {
    let failed = BusinessEvent::TransferFailed(TransferFailed {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        payout_id: None,
        reason: Some("Conta encerrada".to_owned()),
    });
    given(asked([process().into()]))
        .when(fail().into())
        .then_expect_events(vec![failed]);
    let events = asked([process().into(), fail().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_transfer", -300_00)]
    );
}

#[test]
fn a_transfer_reopens_from_processing_by_hand_with_its_money_where_it_is() {
    let reopened = BusinessEvent::TransferReopened(TransferReopened {
        occurred_at: minute(4),
        transfer_id: transfer_id(1),
        from: TransferStatus::Processing,
        taken: Cents::ZERO,
    });
    assert!(reopened.moves().is_empty());
    given(asked([process().into()]))
        .when(reopen().into())
        .then_expect_events(vec![reopened]);
}

#[test]
fn a_failed_transfer_reopens_by_setting_its_money_aside_again() {
    let reopened = BusinessEvent::TransferReopened(TransferReopened {
        occurred_at: minute(4),
        transfer_id: transfer_id(1),
        from: TransferStatus::Failed,
        taken: Cents::new(300_00),
    });
    let failed_before = asked([pay_out(1).into(), failed(1).into()]);
    given(failed_before)
        .when(reopen().into())
        .then_expect_events(vec![reopened]);
    let events = asked([pay_out(1).into(), failed(1).into(), reopen().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", -300_00), ("in_transfer", 300_00)]
    );
    assert_eq!(status(&events), TransferStatus::Pending);
}

#[test]
fn a_reopened_transfer_is_approved_anew() {
    let sent_by_bia = ProcessTransfer {
        by: BIA,
        approvals: Approvals::Two,
        ..process()
    };
    let reopened = asked([yes_of(ANA).into(), sent_by_bia.clone().into(), reopen().into()]);
    given(reopened)
        .when(sent_by_bia.into())
        .then_expect_error(TransferRefusal::ApprovalMissing.into());
}

#[test]
fn every_command_and_event_names_its_transfer() {
    let id = vec![transfer_id(1)];
    let commands: [BusinessCommand; 9] = [
        request(300_00).into(),
        yes_of(ANA).into(),
        process().into(),
        approve().into(),
        refuse().into(),
        fail().into(),
        reopen().into(),
        paid(1).into(),
        failed(1).into(),
    ];
    for command in commands {
        assert_eq!((command.transfer_ids(), command.sale_ids()), (id.clone(), vec![]));
    }
    assert_eq!(BusinessCommand::from(credit(1)).transfer_ids(), [transfer_id(99)]);
    assert!(BusinessCommand::from(hold(1)).transfer_ids().is_empty());

    let events = asked([
        yes_of(ANA).into(),
        pay_out(1).into(),
        failed(1).into(),
        paid(1).into(),
    ]);
    assert_eq!(events[0].transfer_ids(), [transfer_id(99)]);
    for event in &events[1..] {
        assert_eq!((event.transfer_ids(), event.sale_ids()), (id.clone(), vec![]));
    }
}
