//! Refusals of withdrawals, manual transfers and holds, and their Portuguese messages.

use super::*;
use crate::transfer::TransferStatus;

fn refused(given: Vec<BusinessEvent>, command: impl Into<BusinessCommand>, refusal: TransferRefusal) {
    super::given(given)
        .when(command.into())
        .then_expect_error(refusal.into());
}

fn out_of_range(given: Vec<BusinessEvent>, command: impl Into<BusinessCommand>) {
    super::given(given)
        .when(command.into())
        .then_expect_error(Refusal::AmountOutOfRange);
}

fn with_context(context: WithdrawalContext) -> RequestTransfer {
    RequestTransfer {
        context,
        ..request(300_00)
    }
}

#[test]
fn a_withdrawal_without_a_receiving_plan_is_refused() {
    let without = WithdrawalContext {
        fee: None,
        ..request(300_00).context
    };
    refused(
        funded([]),
        with_context(without),
        TransferRefusal::NoReceivingPlan,
    );
}

#[test]
fn a_withdrawal_to_a_missing_destination_is_refused() {
    for destination in [None, Some(pix())] {
        let context = WithdrawalContext {
            destination,
            ..request(300_00).context
        };
        let refusal = TransferRefusal::NoDestination(DestinationKind::BankAccount);
        refused(funded([]), with_context(context), refusal);
    }
    let without_a_pix_key = RequestTransfer {
        destination: DestinationKind::Pix,
        ..request(300_00)
    };
    refused(
        funded([]),
        without_a_pix_key,
        TransferRefusal::NoDestination(DestinationKind::Pix),
    );
}

#[test]
fn a_withdrawal_below_the_fee_or_one_cent_is_refused() {
    for cents in [4_99, 0, -300_00] {
        refused(
            funded([]),
            request(cents),
            TransferRefusal::BelowMinimum(Cents::new(5_00)),
        );
    }
    let free = WithdrawalContext {
        fee: Some(Cents::ZERO),
        ..request(0).context
    };
    let nothing = RequestTransfer {
        context: free,
        ..request(0)
    };
    refused(funded([]), nothing, TransferRefusal::BelowMinimum(Cents::new(1)));
}

#[test]
fn a_withdrawal_above_the_available_balance_is_refused() {
    refused(funded([]), request(500_01), TransferRefusal::AboveAvailable);
    // Reserved and held amounts are not available.
    let other = RequestTransfer {
        transfer_id: transfer_id(2),
        ..request(200_01)
    };
    refused(after_request([]), other.clone(), TransferRefusal::AboveAvailable);
    refused(
        funded([super::super::holds::hold(300_00).into()]),
        other,
        TransferRefusal::AboveAvailable,
    );
}

#[test]
fn a_repeated_withdrawal_needs_a_confirmation() {
    let again = RequestTransfer {
        transfer_id: transfer_id(2),
        occurred_at: minute(14),
        ..request(100_00)
    };
    refused(
        funded([request(100_00).into()]),
        again,
        TransferRefusal::PossibleDuplicate(Cents::new(100_00)),
    );
}

#[test]
fn invalid_amounts_are_refused() {
    let large = Cents::AMOUNT_MAX.get() + 1;
    let rich = || {
        let more = MakeManualTransfer {
            transfer_id: transfer_id(97),
            ..credit(500_00)
        };
        history([credit(Cents::AMOUNT_MAX.get()).into(), more.into()])
    };
    let into_debt = MakeManualTransfer {
        allow_negative: true,
        ..manual_out(large)
    };
    let negative_fee = WithdrawalContext {
        fee: Some(Cents::new(-1)),
        ..request(300_00).context
    };
    out_of_range(rich(), request(large));
    out_of_range(vec![], into_debt);
    for cents in [0, -1, large] {
        out_of_range(vec![], credit(cents));
    }
    out_of_range(rich(), with_context(negative_fee));
}

#[test]
fn a_decision_on_an_unknown_transfer_is_refused() {
    let answers: [BusinessCommand; 8] = [
        first_approval_by(ANA).into(),
        process().into(),
        approve().into(),
        refuse().into(),
        fail().into(),
        reopen().into(),
        paid(1).into(),
        failed(1).into(),
    ];
    for answer in answers {
        refused(funded([]), answer, TransferRefusal::UnknownTransfer);
    }
}

#[test]
fn a_command_that_the_status_forbids_is_refused_with_the_status() {
    use TransferStatus::{Approved, Failed, Pending, Processing, Refused};

    let by_hand: BusinessCommand = process().into();
    let histories = [
        (Pending, after_request([])),
        (Approved, after_request([approve().into()])),
        (Processing, after_request([by_hand.clone()])),
        (Refused, after_request([refuse().into()])),
        (Failed, after_request([by_hand, fail().into()])),
    ];
    let allowed: [(BusinessCommand, &[TransferStatus]); 8] = [
        (first_approval_by(ANA).into(), &[Pending]),
        (process().into(), &[Pending]),
        (pay_out(1).into(), &[Pending]),
        (approve().into(), &[Pending, Processing]),
        (refuse().into(), &[Pending]),
        (fail().into(), &[Processing]),
        (reopen().into(), &[Processing, Failed]),
        // None of these transfers has a payout.
        (failed(1).into(), &[]),
    ];
    for (status, events) in histories {
        for (command, allowed) in &allowed {
            let decided = replay(&events).decide(command);
            if allowed.contains(&status) {
                assert_eq!(decided.map(|events| events.len()), Ok(1), "{status} {command:?}");
            } else {
                let refusal = TransferRefusal::StatusForbids(status);
                assert_eq!(decided, Err(refusal.into()), "{status} {command:?}");
            }
        }
    }
}

#[test]
fn staff_cannot_decide_while_a_payout_is_in_flight() {
    let decisions: [BusinessCommand; 7] = [
        first_approval_by(ANA).into(),
        process().into(),
        pay_out(1).into(),
        approve().into(),
        refuse().into(),
        fail().into(),
        reopen().into(),
    ];
    for decision in decisions {
        refused(
            after_request([pay_out(1).into()]),
            decision,
            TransferRefusal::PayoutInFlight,
        );
    }
}

#[test]
fn one_approval_is_not_enough_if_two_are_required() {
    let approve = |by| ApproveTransfer {
        by,
        approvals: Approvals::Two,
        ..approve()
    };
    let process = |by| ProcessTransfer {
        by,
        approvals: Approvals::Two,
        ..process()
    };
    refused(after_request([]), approve(ANA), TransferRefusal::ApprovalMissing);
    refused(after_request([]), process(ANA), TransferRefusal::ApprovalMissing);
    let approved_once = || after_request([first_approval_by(ANA).into()]);
    refused(approved_once(), approve(ANA), TransferRefusal::SameApprover);
    refused(approved_once(), process(ANA), TransferRefusal::SameApprover);
    refused(
        approved_once(),
        first_approval_by(ANA),
        TransferRefusal::ApprovalGiven,
    );
    refused(
        approved_once(),
        first_approval_by(BIA),
        TransferRefusal::ApprovalGiven,
    );
}

#[test]
fn a_payout_of_nothing_is_refused() {
    refused(
        funded([request(5_00).into()]),
        pay_out(1),
        TransferRefusal::NothingToPayOut,
    );
}

#[test]
fn a_failed_payout_id_cannot_be_used_again() {
    let reopened = after_request([pay_out(1).into(), failed(1).into(), reopen().into()]);
    refused(reopened, pay_out(1), TransferRefusal::PayoutUsed);
}

#[test]
fn a_result_of_another_payout_is_refused() {
    let in_flight = || after_request([pay_out(1).into()]);
    refused(in_flight(), paid(2), TransferRefusal::AnotherPayoutInFlight);
    refused(in_flight(), failed(2), TransferRefusal::AnotherPayoutInFlight);
}

#[test]
fn a_second_payment_is_refused() {
    refused(
        after_request([pay_out(1).into(), paid(1).into()]),
        paid(2),
        TransferRefusal::PaidTwice,
    );
    refused(
        after_request([approve().into()]),
        paid(1),
        TransferRefusal::PaidTwice,
    );
}

#[test]
fn a_failed_transfer_above_the_available_balance_cannot_reopen() {
    let spent = after_request([process().into(), fail().into(), manual_out(200_01).into()]);
    refused(spent, reopen(), TransferRefusal::AboveAvailable);
}

#[test]
fn a_refusal_or_failure_without_a_reason_is_refused() {
    let reason = || " ".to_owned();
    let refuse = RefuseTransfer {
        reason: reason(),
        ..refuse()
    };
    let fail = FailTransfer {
        reason: reason(),
        ..fail()
    };
    refused(after_request([]), refuse, TransferRefusal::ReasonMissing);
    refused(
        after_request([process().into()]),
        fail,
        TransferRefusal::ReasonMissing,
    );
}

#[test]
fn a_manual_transfer_without_a_description_is_refused() {
    let silent = MakeManualTransfer {
        description: String::new(),
        ..manual_out(1_00)
    };
    refused(funded([]), silent, TransferRefusal::DescriptionMissing);
}

#[test]
fn a_manual_removal_below_1_00_is_refused() {
    let minimum = TransferRefusal::BelowManualMinimum(Cents::new(1_00));
    refused(funded([]), manual_out(99), minimum.clone());
    let allowed = MakeManualTransfer {
        allow_negative: true,
        ..manual_out(99)
    };
    refused(funded([]), allowed, minimum);
}

#[test]
fn refusals_have_portuguese_messages() {
    let messages: Vec<_> = [
        TransferRefusal::BusinessNotActive,
        TransferRefusal::NoReceivingPlan,
        TransferRefusal::NoDestination(DestinationKind::BankAccount),
        TransferRefusal::NoDestination(DestinationKind::Pix),
        TransferRefusal::BelowMinimum(Cents::new(5_00)),
        TransferRefusal::BelowManualMinimum(MANUAL_REMOVAL_MIN),
        TransferRefusal::AboveAvailable,
        TransferRefusal::AboveDebt(Cents::new(40_00)),
        TransferRefusal::PossibleDuplicate(Cents::new(1_300_00)),
        TransferRefusal::DestinationReturned,
        TransferRefusal::UnknownTransfer,
        TransferRefusal::NotAWithdrawal,
        TransferRefusal::StatusForbids(TransferStatus::Refused),
        TransferRefusal::PayoutInFlight,
        TransferRefusal::ApprovalMissing,
        TransferRefusal::ApprovalGiven,
        TransferRefusal::SameApprover,
        TransferRefusal::NothingToPayOut,
        TransferRefusal::PayoutUsed,
        TransferRefusal::AnotherPayoutInFlight,
        TransferRefusal::PaidTwice,
        TransferRefusal::Returned,
        TransferRefusal::PaidAfterReturn,
        TransferRefusal::ReasonMissing,
        TransferRefusal::DescriptionMissing,
    ]
    .into_iter()
    .map(|refusal| Refusal::from(refusal).message())
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}
