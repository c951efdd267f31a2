//! Terminal rentals: charged once, canceled once.

use super::super::transfers::{credit, request};
use super::*;
use crate::transfer::{Direction, TransferKind, TransferStatus};

#[tokio::test]
async fn a_rental_is_charged_even_below_zero() {
    let ChargeTerminalRental {
        transfer_id,
        terminal,
        due_date,
        amount,
        occurred_at,
    } = rental(49_90);
    let charged = BusinessEvent::from(TerminalRentalCharged {
        occurred_at,
        transfer_id,
        terminal,
        due_date,
        amount,
    });
    given_nothing()
        .when_async(rental(49_90).into())
        .await
        .then_expect_events(vec![charged]);

    let business = replay(&history([rental(49_90).into()]));
    assert_eq!(business.accounts.available, Cents::new(-49_90));
    let transfer = &business.transfers[&transfer_id];
    assert_eq!(
        (
            transfer.kind,
            transfer.status,
            transfer.direction,
            transfer.amount
        ),
        (
            TransferKind::TerminalRental,
            TransferStatus::Approved,
            Direction::Out,
            amount
        )
    );
}

#[tokio::test]
async fn a_rental_is_canceled() {
    let canceled = BusinessEvent::from(TerminalRentalCanceled {
        occurred_at: minute(30),
        transfer_id: rental(1).transfer_id,
        amount: Cents::new(49_90),
        reason: Some("Terminal devolvido".to_owned()),
    });
    given(history([rental(49_90).into()]))
        .when_async(cancel_rental().into())
        .await
        .then_expect_events(vec![canceled]);
    let business = replay(&history([rental(49_90).into(), cancel_rental().into()]));
    assert_eq!(business.accounts, Accounts::default());
    assert_eq!(
        business.transfers[&rental(1).transfer_id].status,
        TransferStatus::Refused
    );
}

#[test]
fn a_rental_is_charged_once() {
    adds_nothing(history([rental(49_90).into()]), rental(49_90));
    let charged_and_canceled = history([rental(49_90).into(), cancel_rental().into()]);
    adds_nothing(charged_and_canceled, rental(49_90));
}

#[test]
fn a_rental_is_canceled_once() {
    let charged_and_canceled = history([rental(49_90).into(), cancel_rental().into()]);
    refused(
        charged_and_canceled,
        cancel_rental(),
        TransferRefusal::StatusForbids(TransferStatus::Refused).into(),
    );
}

#[test]
fn only_a_rental_can_be_canceled_as_one() {
    refused(vec![], cancel_rental(), TransferRefusal::UnknownTransfer.into());
    let withdrawal = history([credit(500_00).into(), request(300_00).into()]);
    let command = CancelTerminalRental {
        transfer_id: request(1).transfer_id,
        ..cancel_rental()
    };
    refused(withdrawal, command, Refusal::NotARental);
}

#[test]
fn a_rental_whose_amount_is_out_of_range_is_refused() {
    for cents in [-1, 0, Cents::AMOUNT_MAX.get() + 1] {
        refused(vec![], rental(cents), Refusal::AmountOutOfRange);
    }
}
