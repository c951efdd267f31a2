//! The net changes of accounts by events of reversals and rentals.

use super::*;

#[test]
fn a_refund_takes_the_gross_from_the_seller_and_the_platform() {
    let events = captured([settle("2026-12-23", &[1]).into(), refund(9).into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("receivable", -194_00),
            ("available", 194_00 - 291_00),
            ("platform_fees", -9_00),
            ("clearing", 300_00)
        ]
    );
}

#[test]
fn a_refund_during_a_dispute_takes_the_blocked_gross_and_returns_the_fee() {
    let events = captured([open(D1, 7).into(), refund(9).into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("available", 9_00),
            ("in_dispute", -300_00),
            ("platform_fees", -9_00),
            ("clearing", 300_00)
        ]
    );
}

#[test]
fn a_dispute_blocks_the_gross_in_its_own_account() {
    let events = captured([open(D1, 7).into()]);
    assert_eq!(
        last_posted(&events),
        [
            ("receivable", -291_00),
            ("available", 291_00 - 300_00),
            ("in_dispute", 300_00)
        ]
    );
}

#[test]
fn a_confirmed_dispute_moves_no_money() {
    assert_eq!(
        last_posted(&captured([dispute(7).into(), open(D1, 8).into()])),
        []
    );
}

#[test]
fn a_won_dispute_releases_the_gross() {
    let events = captured([open(D1, 7).into(), win(D1, 8).into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_dispute", -300_00)]
    );
}

#[test]
fn a_chargeback_takes_the_gross_and_leaves_the_fee() {
    let from_dispute = captured([open(D1, 7).into(), lose(D1, 8).into()]);
    assert_eq!(
        last_posted(&from_dispute),
        [("in_dispute", -300_00), ("clearing", 300_00)]
    );
    let straight = captured([settle("2026-12-23", &[1]).into(), lose(D1, 8).into()]);
    assert_eq!(
        last_posted(&straight),
        [
            ("receivable", -194_00),
            ("available", 194_00 - 300_00),
            ("clearing", 300_00)
        ]
    );
}

#[test]
fn a_rental_credits_the_platform_until_it_is_canceled() {
    let charged = history([rental(49_90).into()]);
    assert_eq!(
        last_posted(&charged),
        [("available", -49_90), ("platform_fees", 49_90)]
    );
    let charged_and_canceled = history([rental(49_90).into(), cancel_rental().into()]);
    assert_eq!(
        last_posted(&charged_and_canceled),
        [("available", 49_90), ("platform_fees", -49_90)]
    );
}
