//! Disputes: opened by a user or an acquirer, won, lost. Each id opens at most once, and is won or lost at most once.

use super::*;

fn stages(events: &[BusinessEvent]) -> Vec<(String, DisputeStage)> {
    sale_after(events)
        .disputes
        .iter()
        .map(|dispute| (dispute.id.to_string(), dispute.stage))
        .collect()
}

#[tokio::test]
async fn a_user_disputes_a_sale() {
    given(captured([]))
        .when_async(dispute(9).into())
        .await
        .then_expect_events(vec![BusinessEvent::from(SaleDisputed {
            occurred_at: minute(9),
            sale_id: sale_facts().sale_id,
            dispute_id: dispute_id(OURS),
            initiator: Initiator::Platform,
            amount: Cents::new(300_00),
            accelerated: accelerated_installments(),
            part: None,
            reason: None,
        })]);
}

#[tokio::test]
async fn an_acquirer_opens_a_dispute() {
    given(captured([]))
        .when_async(open(D1, 9).into())
        .await
        .then_expect_events(vec![BusinessEvent::from(SaleDisputed {
            occurred_at: minute(9),
            sale_id: sale_facts().sale_id,
            dispute_id: dispute_id(D1),
            initiator: Initiator::Acquirer,
            amount: Cents::new(300_00),
            accelerated: accelerated_installments(),
            part: None,
            reason: Some("fraud".to_owned()),
        })]);
}

#[tokio::test]
async fn a_dispute_is_won() {
    given(captured([open(D1, 9).into()]))
        .when_async(win(D1, 10).into())
        .await
        .then_expect_events(vec![BusinessEvent::from(DisputeWon {
            occurred_at: minute(10),
            sale_id: sale_facts().sale_id,
            dispute_id: dispute_id(D1),
            amount: Cents::new(300_00),
        })]);
}

#[tokio::test]
async fn a_dispute_is_lost() {
    given(captured([open(D1, 9).into()]))
        .when_async(lose(D1, 10).into())
        .await
        .then_expect_events(vec![charged_back(D1, Some(D1), vec![])]);
}

#[test]
fn a_lost_dispute_without_an_opening_is_taken_from_the_balance() {
    let events = vec![charged_back(D1, None, accelerated_installments())];
    given(captured([]))
        .when(lose(D1, 10).into())
        .then_expect_events(events);
    // The dispute of this id has ended, so a late opening blocks nothing.
    adds_nothing(captured([lose(D1, 10).into()]), open(D1, 9));
    adds_nothing(captured([lose(D1, 10).into()]), lose(D1, 10));
}

fn charged_back(
    id: &str,
    blocked_by: Option<&str>,
    accelerated: Vec<AcceleratedReceivable>,
) -> BusinessEvent {
    BusinessEvent::from(SaleChargedBack {
        occurred_at: minute(10),
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(id),
        amount: Cents::new(300_00),
        blocked_by: blocked_by.map(dispute_id),
        accelerated,
        part: None,
        reason: Some("fraud".to_owned()),
    })
}

#[test]
fn the_status_of_a_sale_follows_its_dispute() {
    let status = |command: BusinessCommand| sale_after(&captured([open(D1, 9).into(), command])).status;
    assert_eq!(status(win(D1, 10).into()), SaleStatus::Succeeded);
    assert_eq!(status(lose(D1, 10).into()), SaleStatus::ChargedBack);
    assert_eq!(
        sale_after(&captured([dispute(9).into()])).status,
        SaleStatus::Dispute
    );
}

#[test]
fn a_dispute_opens_once_and_ends_once() {
    let opened = || captured([open(D1, 9).into()]);
    adds_nothing(opened(), open(D1, 12));
    let won = || captured([open(D1, 9).into(), win(D1, 10).into()]);
    adds_nothing(won(), open(D1, 12));
    adds_nothing(won(), win(D1, 12));
    refused(won(), lose(D1, 12), Refusal::DisputeWon(dispute_id(D1)));
    let lost = || captured([open(D1, 9).into(), lose(D1, 10).into()]);
    adds_nothing(lost(), open(D1, 12));
    adds_nothing(lost(), lose(D1, 12));
    refused(lost(), win(D1, 12), Refusal::DisputeLost(dispute_id(D1)));
}

#[test]
fn a_win_before_the_opening_waits() {
    let waits = || Refusal::DisputeNotOpened(dispute_id(D1));
    refused(captured([]), win(D1, 10), waits());
    refused(captured([open(D2, 9).into()]), win(D1, 10), waits());
}

#[test]
fn a_second_dispute_waits_for_the_end_of_the_first() {
    let first = captured([open(D1, 9).into()]);
    refused(first, open(D2, 10), Refusal::AnotherDisputeOpen(dispute_id(D1)));
    let again = captured([open(D1, 9).into(), win(D1, 10).into(), open(D2, 11).into()]);
    assert_eq!(
        stages(&again),
        [
            (D1.to_owned(), DisputeStage::Won),
            (D2.to_owned(), DisputeStage::Open)
        ]
    );
    let accounts = replay(&again).accounts;
    assert_eq!(
        (accounts.available.get(), accounts.in_dispute.get()),
        (1_000_00 + 291_00 - 300_00, 300_00)
    );
}

#[test]
fn a_dispute_lost_while_another_is_open_takes_what_that_one_blocks() {
    let events = captured([open(D1, 9).into(), lose(D2, 10).into()]);
    assert_eq!(events.last(), Some(&charged_back(D2, Some(D1), vec![])));
    assert_eq!(
        stages(&events),
        [
            (D1.to_owned(), DisputeStage::Closed),
            (D2.to_owned(), DisputeStage::Lost)
        ]
    );
    let twice = Refusal::StatusForbids(SaleStatus::ChargedBack);
    refused(events.clone(), lose(D1, 11), twice);
    adds_nothing(events, win(D1, 11));
}

#[test]
fn an_acquirer_s_dispute_confirms_the_one_that_a_user_opened() {
    let confirmed = BusinessEvent::from(DisputeConfirmed {
        occurred_at: minute(10),
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(D1),
        opened_as: dispute_id(OURS),
    });
    given(captured([dispute(9).into()]))
        .when(open(D1, 10).into())
        .then_expect_events(vec![confirmed]);

    let events = captured([dispute(9).into(), open(D1, 10).into()]);
    assert_eq!(
        stages(&events),
        [
            (OURS.to_owned(), DisputeStage::Closed),
            (D1.to_owned(), DisputeStage::Open)
        ]
    );
    assert_eq!(sale_after(&events).status, SaleStatus::Dispute);
    refused(events, open(D2, 11), Refusal::AnotherDisputeOpen(dispute_id(D1)));
    let won = captured([dispute(9).into(), open(D1, 10).into(), win(D1, 11).into()]);
    assert_eq!(sale_after(&won).status, SaleStatus::Succeeded);
}

#[test]
fn a_dispute_opened_by_a_user_can_be_lost_under_the_acquirer_s_id() {
    let events = captured([dispute(9).into(), lose(D1, 10).into()]);
    assert_eq!(events.last(), Some(&charged_back(D1, Some(OURS), vec![])));
    adds_nothing(events, open(D1, 8));
}

#[test]
fn a_repeated_dispute_request_adds_nothing() {
    adds_nothing(captured([dispute(9).into()]), dispute(9));
}

#[test]
fn a_dispute_needs_the_gross() {
    let with = |cents| {
        history([
            super::super::transfers::credit(cents).into(),
            capture_at(5).into(),
        ])
    };
    let short = Refusal::BalanceTooShort {
        needed: Cents::new(300_00),
        available: Cents::new(299_99),
    };
    refused(with(299_99), dispute(9), short);
    let disputed = replay(&with(300_00))
        .decide(&dispute(9).into())
        .expect("the balance is the gross");
    assert_eq!(
        replay(&[with(300_00), disputed].concat()).accounts.available,
        Cents::new(300_00 + 291_00 - 300_00)
    );
}

#[test]
fn an_acquirer_s_dispute_can_make_the_balance_negative() {
    let accounts = replay(&history([capture_at(5).into(), open(D1, 9).into()])).accounts;
    assert_eq!(
        (accounts.available.get(), accounts.in_dispute.get()),
        (291_00 - 300_00, 300_00)
    );
}
