//! A sale's notices in any order, with repeats: none is lost, and no sale loses its money twice.

use proptest::prelude::*;

use super::super::notices::{Notices, deliver, every_delivery};
use super::*;

/// The accounts that a sale's status implies, whatever the order of its notices. The sale is captured at most once. Its
/// money is in one place only: with the seller, in dispute, or with the buyer.
fn accounts_of(sale: Option<&Sale>) -> Accounts {
    let mut accounts = Accounts::default();
    let Some(sale) = sale.filter(|sale| sale.captured_at.is_some()) else {
        return accounts;
    };
    let (gross, net, fees) = (sale.amount.get(), sale.net.get(), sale.fees.get());
    let outstanding: i64 = sale.open.iter().map(|open| open.net.get()).sum();
    let (available, in_dispute, platform_fees, clearing) = match sale.status {
        SaleStatus::Succeeded => (net - outstanding, 0, fees, -gross),
        SaleStatus::Dispute => (net - gross, gross, fees, -gross),
        SaleStatus::ChargedBack => (net - gross, 0, fees, 0),
        SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => (0, 0, 0, 0),
        SaleStatus::New | SaleStatus::Created | SaleStatus::Pending | SaleStatus::Failed => {
            panic!("a captured sale is not {}", sale.status)
        }
    };
    accounts.receivable = Cents::new(outstanding);
    accounts.available = Cents::new(available);
    accounts.in_dispute = Cents::new(in_dispute);
    accounts.platform_fees = Cents::new(platform_fees);
    accounts.clearing = Cents::new(clearing);
    accounts
}

fn is_buyer_repaid(sale: &Sale) -> bool {
    let returned = matches!(
        sale.status,
        SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed
    );
    returned && sale.captured_at.is_some()
}

/// Whether the notice is visible in the state. Not checked for creations and failures.
fn is_recorded(sale: &Sale, notice: &BusinessCommand) -> bool {
    let stage = |id: &DisputeId| sale.dispute(id).map(|dispute| dispute.stage);
    match notice {
        BusinessCommand::CaptureSale(_) => sale.captured_at.is_some(),
        BusinessCommand::RefundSale(_) | BusinessCommand::ReverseSale(_) => is_buyer_repaid(sale),
        BusinessCommand::VoidSale(void) => match sale.captured_at {
            Some(captured_at) => void.occurred_at < captured_at || is_buyer_repaid(sale),
            None => sale.status == SaleStatus::Canceled,
        },
        BusinessCommand::OpenDispute(open) => stage(&open.dispute_id).is_some(),
        BusinessCommand::WinDispute(won) => {
            matches!(
                stage(&won.dispute_id),
                Some(DisputeStage::Won | DisputeStage::Closed)
            )
        }
        BusinessCommand::LoseDispute(lost) => {
            sale.status == SaleStatus::ChargedBack && stage(&lost.dispute_id) == Some(DisputeStage::Lost)
        }
        _ => true,
    }
}

/// Removes the three traces that the order of notices may leave if none waits. One is the order of the disputes. One is
/// which of several refund notices came first. One is whether a dispute was won before the refund that ended it.
fn without_traces_of_order(mut sale: Sale) -> Sale {
    if is_buyer_repaid(&sale) {
        sale.status = SaleStatus::Canceled;
    }
    for dispute in &mut sale.disputes {
        if dispute.stage == DisputeStage::Won {
            dispute.stage = DisputeStage::Closed;
        }
    }
    sale.disputes.sort_by(|one, other| one.id.cmp(&other.id));
    sale
}

fn all_notices() -> Notices {
    vec![
        create_at(0).into(),
        fail_at(2).into(),
        void_at(3).into(),
        capture_at(5).into(),
        void_at(5).into(),
        void_at(6).into(),
        refund(8).into(),
        reverse(9).into(),
        open(D1, 10).into(),
        win(D1, 11).into(),
        lose(D1, 12).into(),
        open(D2, 13).into(),
        win(D2, 14).into(),
        lose(D2, 15).into(),
    ]
}

/// Some of a sale's notices, some repeated, in two orders.
fn two_orders() -> impl Strategy<Value = (Notices, Notices)> {
    let which = proptest::collection::vec(0..all_notices().len(), 1..10);
    which.prop_flat_map(|which| {
        let notices: Notices = which.iter().map(|which| all_notices()[*which].clone()).collect();
        let shuffled = || Just(notices.clone()).prop_shuffle();
        (shuffled(), shuffled())
    })
}

/// Returns the sale, and whether no notice waits at the end.
fn check(order: &[BusinessCommand]) -> Result<(Option<Sale>, bool), TestCaseError> {
    let (outcome, waiting) = deliver(order);
    prop_assert_eq!(outcome.accounts, accounts_of(outcome.sale.as_ref()));
    if let Some(sale) = &outcome.sale {
        let open = sale
            .disputes
            .iter()
            .filter(|dispute| dispute.stage == DisputeStage::Open)
            .count();
        prop_assert_eq!(open, usize::from(sale.status == SaleStatus::Dispute));
        for notice in order {
            let waits = waiting
                .iter()
                .any(|waiting| format!("{waiting:?}") == format!("{notice:?}"));
            prop_assert!(
                waits || is_recorded(sale, notice),
                "{:?} is lost: {:?}",
                notice,
                sale
            );
        }
    } else {
        prop_assert_eq!(waiting.len(), order.len());
    }
    Ok((outcome.sale.map(without_traces_of_order), waiting.is_empty()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_notice_is_lost_and_the_order_does_not_matter((one, other) in two_orders()) {
        let (one, one_is_complete) = check(&one)?;
        let (other, other_is_complete) = check(&other)?;
        if one_is_complete && other_is_complete {
            prop_assert_eq!(one, other);
        }
    }
}

#[test]
fn consistent_notices_lead_to_the_same_state_in_every_order() {
    let agreeing: [(&[BusinessCommand], SaleStatus); 6] = [
        (
            &[
                create_at(0).into(),
                capture_at(5).into(),
                open(D1, 8).into(),
                win(D1, 9).into(),
            ],
            SaleStatus::Succeeded,
        ),
        (
            &[
                create_at(0).into(),
                capture_at(5).into(),
                open(D1, 8).into(),
                lose(D1, 9).into(),
            ],
            SaleStatus::ChargedBack,
        ),
        (
            &[
                capture_at(5).into(),
                open(D1, 8).into(),
                win(D1, 9).into(),
                open(D2, 10).into(),
                win(D2, 11).into(),
            ],
            SaleStatus::Succeeded,
        ),
        (
            &[
                create_at(0).into(),
                fail_at(2).into(),
                capture_at(5).into(),
                refund(8).into(),
            ],
            SaleStatus::Refunded,
        ),
        (
            &[
                create_at(0).into(),
                void_at(3).into(),
                capture_at(5).into(),
                reverse(8).into(),
            ],
            SaleStatus::Reversed,
        ),
        (
            &[create_at(0).into(), capture_at(5).into(), void_at(6).into()],
            SaleStatus::Canceled,
        ),
    ];
    for (notices, status) in agreeing {
        let (in_order, _) = deliver(notices);
        let expected = in_order.sale.map(without_traces_of_order);
        for order in every_delivery(notices) {
            let (outcome, waiting) = deliver(&order);
            assert!(waiting.is_empty(), "{waiting:?}: {order:#?}");
            let sale = outcome.sale.expect("the sale is known");
            assert_eq!(sale.status, status, "{order:#?}");
            assert_eq!(outcome.accounts, accounts_of(Some(&sale)));
            assert_eq!(Some(without_traces_of_order(sale)), expected, "{order:#?}");
        }
    }
}

#[test]
fn contradicting_notices_leave_at_least_one_waiting_in_every_order() {
    let contradicting: [&[BusinessCommand]; 4] = [
        &[capture_at(5).into(), refund(8).into(), lose(D1, 9).into()],
        &[
            capture_at(5).into(),
            open(D1, 7).into(),
            refund(8).into(),
            lose(D1, 9).into(),
        ],
        &[
            capture_at(5).into(),
            open(D1, 7).into(),
            win(D1, 8).into(),
            lose(D1, 9).into(),
        ],
        &[capture_at(5).into(), lose(D1, 8).into(), lose(D2, 9).into()],
    ];
    for notices in contradicting {
        for order in every_delivery(notices) {
            let (outcome, waiting) = deliver(&order);
            assert!(!waiting.is_empty(), "{order:#?}");
            assert_eq!(outcome.accounts, accounts_of(outcome.sale.as_ref()));
        }
    }
}
