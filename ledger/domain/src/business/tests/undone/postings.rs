//! What each event that undoes a sale posts, listed once for each account.

use super::*;

#[test]
fn a_cancel_gives_the_gross_back_from_the_seller_and_the_platform() {
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
fn a_refund_out_of_a_dispute_gives_what_was_blocked_back_and_the_fee_to_the_seller() {
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
fn a_dispute_blocks_the_gross_apart_from_what_staff_hold() {
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
fn a_dispute_that_an_acquirer_confirms_moves_no_money() {
    assert_eq!(
        last_posted(&captured([dispute(7).into(), open(D1, 8).into()])),
        []
    );
}

#[test]
fn a_dispute_won_frees_the_gross() {
    let events = captured([open(D1, 7).into(), win(D1, 8).into()]);
    assert_eq!(
        last_posted(&events),
        [("available", 300_00), ("in_dispute", -300_00)]
    );
}

#[test]
fn a_chargeback_gives_the_gross_back_and_leaves_the_platform_its_fee() {
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
fn a_rental_is_the_platform_s_until_it_is_given_back() {
    let charged = history([rental(49_90).into()]);
    assert_eq!(
        last_posted(&charged),
        [("available", -49_90), ("platform_fees", 49_90)]
    );
    let given_back = history([rental(49_90).into(), cancel_rental().into()]);
    assert_eq!(
        last_posted(&given_back),
        [("available", 49_90), ("platform_fees", -49_90)]
    );
}
