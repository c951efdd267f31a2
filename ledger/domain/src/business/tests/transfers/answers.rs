//! Decisions of staff on withdrawals: approvals, manual payments, payouts, refusals and retries.

use super::*;
use crate::transfer::{PayoutNames, TransferStatus};

fn status(events: &[BusinessEvent]) -> TransferStatus {
    replay(events).transfers[&transfer_id(1)].status
}

#[test]
fn the_first_of_two_approvals_leaves_the_transfer_pending() {
    let given_by_ana = BusinessEvent::from(TransferApprovalGiven {
        occurred_at: minute(1),
        transfer_id: transfer_id(1),
        by: ANA,
    });
    given(after_request([]))
        .when(first_approval_by(ANA).into())
        .then_expect_events(vec![given_by_ana]);
    let events = after_request([first_approval_by(ANA).into()]);
    assert_eq!(status(&events), TransferStatus::Pending);
    assert!(last_posted(&events).is_empty());
}

#[test]
fn the_second_approval_by_another_user_approves_or_starts_the_payout() {
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
        status(&after_request([first_approval_by(ANA).into(), approved.into()])),
        TransferStatus::Approved
    );
    assert_eq!(
        status(&after_request([first_approval_by(ANA).into(), sent.into()])),
        TransferStatus::Processing
    );
}

#[test]
fn processing_a_transfer_moves_no_money() {
    for (command, payout_id) in [(process(), None), (pay_out(7), Some(payout_id(7)))] {
        let processing = BusinessEvent::from(TransferProcessing {
            occurred_at: minute(2),
            transfer_id: transfer_id(1),
            payout_id,
        });
        assert!(processing.postings().is_empty());
        given(after_request([]))
            .when(command.into())
            .then_expect_events(vec![processing]);
    }
}

#[test]
fn a_transfer_is_approved_from_pending_or_from_manual_processing() {
    let approved = BusinessEvent::from(TransferApproved {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        fee: Cents::new(5_00),
        payout_id: None,
        overrules: None,
        names: PayoutNames::default(),
    });
    for given_events in [after_request([]), after_request([process().into()])] {
        given(given_events)
            .when(approve().into())
            .then_expect_events(vec![approved.clone()]);
    }
}

/// Approvals are required before the payment starts. Afterwards only its result is recorded.
#[test]
fn a_manual_payment_in_processing_needs_no_second_approval() {
    let by_ana_alone = ApproveTransfer {
        approvals: Approvals::Two,
        ..approve()
    };
    assert_eq!(
        status(&after_request([process().into(), by_ana_alone.into()])),
        TransferStatus::Approved
    );
}

#[test]
fn a_refused_transfer_goes_back_to_the_balance() {
    let refused = BusinessEvent::from(TransferRefused {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        reason: "Conta de outro titular".to_owned(),
    });
    given(after_request([]))
        .when(refuse().into())
        .then_expect_events(vec![refused]);
    let events = after_request([refuse().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_transfer", -300_00)]
    );
    assert_eq!(balances(&events), (500_00, 0, 0, -500_00));
}

#[test]
fn a_failed_manual_payment_goes_back_to_the_balance() {
    let failed = BusinessEvent::from(TransferFailed {
        occurred_at: minute(3),
        transfer_id: transfer_id(1),
        amount: Cents::new(300_00),
        payout_id: None,
        reason: Some("Conta encerrada".to_owned()),
    });
    given(after_request([process().into()]))
        .when(fail().into())
        .then_expect_events(vec![failed]);
    let events = after_request([process().into(), fail().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_transfer", -300_00)]
    );
}

#[test]
fn reopening_a_manual_payment_keeps_the_amount_reserved() {
    let reopened = BusinessEvent::from(TransferReopened {
        occurred_at: minute(4),
        transfer_id: transfer_id(1),
        from: TransferStatus::Processing,
        taken: Cents::ZERO,
    });
    assert!(reopened.postings().is_empty());
    given(after_request([process().into()]))
        .when(reopen().into())
        .then_expect_events(vec![reopened]);
}

#[test]
fn reopening_a_failed_transfer_reserves_its_amount_again() {
    let reopened = BusinessEvent::from(TransferReopened {
        occurred_at: minute(4),
        transfer_id: transfer_id(1),
        from: TransferStatus::Failed,
        taken: Cents::new(300_00),
    });
    let failed_before = after_request([pay_out(1).into(), failed(1).into()]);
    given(failed_before)
        .when(reopen().into())
        .then_expect_events(vec![reopened]);
    let events = after_request([pay_out(1).into(), failed(1).into(), reopen().into()]);
    assert_eq!(
        last_posted(&events),
        [("available", -300_00), ("in_transfer", 300_00)]
    );
    assert_eq!(status(&events), TransferStatus::Pending);
}

#[test]
fn a_reopened_transfer_needs_new_approvals() {
    let sent_by_bia = ProcessTransfer {
        by: BIA,
        approvals: Approvals::Two,
        ..process()
    };
    let reopened = after_request([
        first_approval_by(ANA).into(),
        sent_by_bia.clone().into(),
        reopen().into(),
    ]);
    given(reopened)
        .when(sent_by_bia.into())
        .then_expect_error(TransferRefusal::ApprovalMissing.into());
}

#[test]
fn commands_and_events_of_a_withdrawal_name_it() {
    let id = vec![transfer_id(1)];
    let commands: [BusinessCommand; 9] = [
        request(300_00).into(),
        first_approval_by(ANA).into(),
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
    assert!(
        BusinessCommand::from(super::super::holds::hold(1))
            .transfer_ids()
            .is_empty()
    );

    let events = after_request([
        first_approval_by(ANA).into(),
        pay_out(1).into(),
        failed(1).into(),
        paid(1).into(),
    ]);
    assert_eq!(events[0].transfer_ids(), [transfer_id(99)]);
    for event in &events[1..] {
        assert_eq!((event.transfer_ids(), event.sale_ids()), (id.clone(), vec![]));
    }
}
