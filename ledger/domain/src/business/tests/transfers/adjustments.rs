//! Manual transfers.

use super::*;
use crate::transfer::{TransferKind, TransferStatus};

fn made(transfer: u128, direction: Direction, cents: i64, description: &str) -> BusinessEvent {
    BusinessEvent::from(ManualTransferMade {
        occurred_at: minute(-60),
        transfer_id: transfer_id(transfer),
        direction,
        amount: Cents::new(cents),
        description: description.to_owned(),
    })
}

#[test]
fn a_manual_removal_is_approved_at_once() {
    given(funded([]))
        .when(manual_out(500_00).into())
        .then_expect_events(vec![made(98, Direction::Out, 500_00, "Ajuste de conferência")]);
    let events = funded([manual_out(100_00).into()]);
    assert_eq!(
        last_posted(&events),
        [("available", -100_00), ("clearing", 100_00)]
    );
    let transfer = &replay(&events).transfers[&transfer_id(98)];
    assert_eq!(
        (transfer.kind, transfer.status),
        (TransferKind::Adjustment, TransferStatus::Approved)
    );
}

#[test]
fn a_manual_credit_of_one_cent_is_accepted() {
    given_nothing()
        .when(credit(1).into())
        .then_expect_events(vec![made(99, Direction::In, 1, "Crédito promocional")]);
    assert_eq!(
        last_posted(&history([credit(1).into()])),
        [("available", 1), ("clearing", -1)]
    );
}

#[test]
fn a_manual_removal_of_1_00_is_accepted() {
    given(funded([]))
        .when(manual_out(1_00).into())
        .then_expect_events(vec![made(98, Direction::Out, 1_00, "Ajuste de conferência")]);
}

#[test]
fn a_manual_removal_below_zero_needs_allow_negative() {
    let allowed = MakeManualTransfer {
        allow_negative: true,
        ..manual_out(500_01)
    };
    given(funded([]))
        .when(manual_out(500_01).into())
        .then_expect_error(TransferRefusal::AboveAvailable.into());
    assert_eq!(balances(&funded([allowed.into()])), (-1, 0, 0, 1));
}

#[test]
fn a_repeated_manual_transfer_adds_nothing() {
    given(funded([]))
        .when(credit(500_00).into())
        .then_expect_events(vec![]);
}

fn in_debt() -> Vec<BusinessEvent> {
    history([MakeManualTransfer {
        allow_negative: true,
        ..manual_out(40_00)
    }
    .into()])
}

#[test]
fn a_debt_is_written_off_at_the_platform_s_cost() {
    let written_off = BusinessEvent::from(DebtWrittenOff {
        occurred_at: minute(9),
        amount: Cents::new(30_00),
        reason: "Acordo de 20/11".to_owned(),
    });
    given(in_debt())
        .when(write_off(30_00).into())
        .then_expect_events(vec![written_off.clone()]);
    assert_eq!(
        last_posted(&[in_debt(), vec![written_off]].concat()),
        [("available", 30_00), ("platform_fees", -30_00)]
    );
}

#[test]
fn a_write_off_needs_a_reason_and_is_at_most_the_debt() {
    let refused = |history: Vec<BusinessEvent>, command: WriteOffDebt, refusal: Refusal| {
        given(history).when(command.into()).then_expect_error(refusal);
    };
    refused(
        in_debt(),
        write_off(40_01),
        TransferRefusal::AboveDebt(Cents::new(40_00)).into(),
    );
    refused(
        funded([]),
        write_off(1),
        TransferRefusal::AboveDebt(Cents::ZERO).into(),
    );
    refused(in_debt(), write_off(0), Refusal::AmountOutOfRange);
    let silent = WriteOffDebt {
        reason: " ".to_owned(),
        ..write_off(1)
    };
    refused(in_debt(), silent, TransferRefusal::ReasonMissing.into());
}
