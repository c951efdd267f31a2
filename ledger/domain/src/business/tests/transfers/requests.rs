//! Withdrawal requests of sellers.

use super::*;

fn requested(cents: i64) -> BusinessEvent {
    BusinessEvent::from(TransferRequested {
        occurred_at: minute(0),
        transfer_id: transfer_id(1),
        amount: Cents::new(cents),
        fee: Cents::new(5_00),
        destination: account(),
    })
}

#[tokio::test]
async fn a_withdrawal_is_recorded_with_its_current_fee_and_destination() {
    given(funded([]))
        .when_async(request(300_00).into())
        .await
        .then_expect_events(vec![requested(300_00)]);
}

#[test]
fn a_withdrawal_of_300_00_pays_out_295_00_and_leaves_200_00() {
    let requested = after_request([]);
    assert_eq!(
        last_posted(&requested),
        [("available", -300_00), ("in_transfer", 300_00)]
    );
    assert_eq!(balances(&requested), (200_00, 300_00, 0, -500_00));

    let approved = after_request([approve().into()]);
    assert_eq!(
        last_posted(&approved),
        [
            ("in_transfer", -300_00),
            ("platform_fees", 5_00),
            ("clearing", 295_00)
        ]
    );
    assert_eq!(balances(&approved), (200_00, 0, 5_00, -205_00));
}

#[test]
fn a_withdrawal_can_be_as_large_as_the_balance_and_as_small_as_the_fee() {
    for cents in [500_00, 5_00] {
        given(funded([]))
            .when(request(cents).into())
            .then_expect_events(vec![requested(cents)]);
    }
}

#[test]
fn a_withdrawal_of_exactly_the_fee_sends_nothing_to_the_bank() {
    let events = funded([request(5_00).into(), approve().into()]);
    assert_eq!(
        last_posted(&events),
        [("in_transfer", -5_00), ("platform_fees", 5_00)]
    );
    assert_eq!(balances(&events), (495_00, 0, 5_00, -500_00));
}

#[test]
fn without_a_fee_one_cent_can_be_withdrawn() {
    let free = RequestTransfer {
        context: WithdrawalContext {
            company_status: CompanyStatus::Active,
            fee: Some(Cents::ZERO),
            destination: Some(account()),
        },
        ..request(1)
    };
    let events = funded([free.into(), approve().into()]);
    assert_eq!(last_posted(&events), [("in_transfer", -1), ("clearing", 1)]);
}

#[test]
fn a_pix_withdrawal_goes_to_the_business_s_key() {
    let by_pix = RequestTransfer {
        destination: DestinationKind::Pix,
        context: WithdrawalContext {
            destination: Some(pix()),
            ..request(300_00).context
        },
        ..request(300_00)
    };
    let business = replay(&funded([by_pix.into()]));
    assert_eq!(business.transfers[&transfer_id(1)].destination, Some(pix()));
}

#[test]
fn a_repeated_request_adds_nothing() {
    given(after_request([]))
        .when(request(300_00).into())
        .then_expect_events(vec![]);
}

fn again(minutes: i64) -> RequestTransfer {
    RequestTransfer {
        transfer_id: transfer_id(2),
        occurred_at: minute(minutes),
        ..request(100_00)
    }
}

/// The number of the command's events after a withdrawal of R$ 100,00 to the bank account at minute 0.
fn decide_after_one_of_100_00(command: &RequestTransfer) -> Result<usize, Refusal> {
    let business = replay(&funded([request(100_00).into()]));
    business
        .decide(&command.clone().into())
        .map(|events| events.len())
}

#[test]
fn a_repeat_within_15_minutes_is_accepted_once_confirmed() {
    let confirmed = RequestTransfer {
        confirm_duplicate: true,
        ..again(15)
    };
    let asks = Err(TransferRefusal::PossibleDuplicate(Cents::new(100_00)).into());
    assert_eq!(decide_after_one_of_100_00(&again(15)), asks);
    assert_eq!(decide_after_one_of_100_00(&confirmed), Ok(1));
    assert_eq!(decide_after_one_of_100_00(&again(16)), Ok(1));
    // The clock of one of two processes may be behind.
    assert_eq!(decide_after_one_of_100_00(&again(-1)), asks);
    assert_eq!(decide_after_one_of_100_00(&again(-16)), Ok(1));
}

#[test]
fn another_amount_or_another_destination_is_no_duplicate() {
    let other_amount = RequestTransfer {
        amount: Cents::new(100_01),
        ..again(1)
    };
    assert_eq!(decide_after_one_of_100_00(&other_amount), Ok(1));

    let mut other_account = again(1);
    if let Some(Destination::BankAccount(account)) = &mut other_account.context.destination {
        account.account_number = "0056780".to_owned();
    }
    assert_eq!(decide_after_one_of_100_00(&other_account), Ok(1));
}

#[test]
fn requests_of_one_amount_to_two_destinations_are_both_remembered() {
    let to_pix = RequestTransfer {
        destination: DestinationKind::Pix,
        context: WithdrawalContext {
            destination: Some(pix()),
            ..again(1).context
        },
        ..again(1)
    };
    let business = replay(&funded([request(100_00).into(), to_pix.into()]));
    let remembered: Vec<_> = business
        .recent_withdrawals
        .into_iter()
        .map(|recent| recent.destination.kind())
        .collect();
    assert_eq!(remembered, [DestinationKind::BankAccount, DestinationKind::Pix]);
}

#[test]
fn requests_are_remembered_for_15_minutes_once_for_each_amount_and_destination() {
    let confirmed = RequestTransfer {
        confirm_duplicate: true,
        ..again(10)
    };
    let later = RequestTransfer {
        transfer_id: transfer_id(3),
        ..request(7_00)
    };
    let later_at = |minutes| RequestTransfer {
        occurred_at: minute(minutes),
        ..later.clone()
    };
    let remembered = |last: i64| {
        let business = replay(&funded([
            request(100_00).into(),
            confirmed.clone().into(),
            later_at(last).into(),
        ]));
        let remembered = business.recent_withdrawals.into_iter();
        remembered
            .map(|recent| (recent.amount.get(), recent.requested_at))
            .collect::<Vec<_>>()
    };
    // The first request is still within the window; the second one replaces it.
    assert_eq!(remembered(11), [(100_00, minute(10)), (7_00, minute(11))]);
    assert_eq!(remembered(25), [(100_00, minute(10)), (7_00, minute(25))]);
    assert_eq!(remembered(26), [(7_00, minute(26))]);
}
